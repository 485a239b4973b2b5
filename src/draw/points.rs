//! The values of a figure whose table is too long to stand under it, for the script of the reading line.
//!
//! A page loads them when a reader asks for the first point; a file of its own carries them. Shape:
//! `rows` are the targets; `cells` the texts of every column of the table after the target; `say` by column either
//! the sentences of all its rows or the own ones by row, each with the part of the column's pattern that it replaces,
//! as [`super::table::table`] says; `y` the height of each line's marks in px from the top of the plot. Lists of
//! texts may be packed: then `lists` has what their parts are.

use serde_json::{Map, Value, json};

use super::pack::Parts;
use super::svg::{self, writer::push_number};
use super::table;
use crate::figure::chart::Chart;

/// Where more rows than one in so many have a sentence of their own, all sentences stand in one list: what they
/// have in common is packed.
const OWN: usize = 8;

/// The values as JSON.
pub fn json(chart: &Chart) -> String {
    let rows = &chart.table.rows;
    let columns = rows.first().map_or(0, |row| row.cells.len());
    let mut parts = Parts::default();
    let mut texts = |list: Vec<&str>| parts.pack(&list).unwrap_or_else(|| json!(list));
    let targets = texts(rows.iter().map(|row| row.target.as_str()).collect());
    let cells: Vec<Value> = (0..columns)
        .map(|column| {
            texts(
                rows.iter().map(|row| row.cells.get(column).map_or("", |cell| cell.text.as_str())).collect(),
            )
        })
        .collect();
    let say: Vec<Value> = (0..columns).map(|column| sentences(chart, column, &mut texts)).collect();
    let values = json!({ "rows": targets, "cells": cells, "say": say, "lists": parts.into_lists() });
    // Heights follow by hand: they have one decimal.
    let mut out = values.to_string();
    out.pop();
    out.push_str(",\"y\":");
    list(&mut out, &chart.lines, |out, line| {
        list(out, &line.marks, |out, mark| match svg::height(chart, mark) {
            Some(y) => push_number(out, y, 1),
            None => out.push_str("null"),
        });
    });
    out.push('}');
    out
}

/// The values, as [`json()`] gives them, as a script for pages, where only scripts can be loaded from files.
pub fn script(values: &str, id: &str) -> String {
    let mut out = String::with_capacity(values.len() + id.len() + 32);
    out.push_str("perfolioPoints[");
    out.push_str(&Value::from(id).to_string());
    out.push_str("] = ");
    out.push_str(values);
    out.push_str(";\n");
    out
}

/// The sentences of a column, those of its rows or the own ones.
fn sentences(chart: &Chart, column: usize, texts: &mut impl FnMut(Vec<&str>) -> Value) -> Value {
    let pattern = table::pattern(chart, column);
    let (mut all, mut own) = (Vec::new(), Map::new());
    for (at, row) in chart.table.rows.iter().enumerate() {
        let cell = row.cells.get(column).filter(|cell| !cell.is_ratio);
        let line = cell.and_then(|cell| cell.line).and_then(|line| chart.lines.get(line));
        let mark = line.and_then(|line| line.marks.get(at));
        all.push(mark.map_or("", |mark| mark.reading.as_str()));
        if let Some(found) = mark.and_then(|mark| table::own(pattern.as_deref(), &mark.reading, row, column))
        {
            let pair = [Some(found.say), found.cut.map(Some)].into_iter().flatten().collect::<Vec<_>>();
            own.insert(at.to_string(), json!(pair));
        }
    }
    if own.len() * OWN > all.len() { texts(all) } else { Value::Object(own) }
}

fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}
