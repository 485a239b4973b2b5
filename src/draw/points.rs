//! The values of a figure whose table is too long to stand under it, for the script of the reading line.
//!
//! A page loads them when a reader asks for the first point; a file of its own carries them. Shape:
//! `rows` are the targets; `cells` the texts of every column of the table after the target; `say` by column either
//! the sentences of all its rows or the own ones by row, each with the part of the column's pattern that it replaces,
//! as [`super::table::table`] says; `y` the height of each line's marks in px from the top of the plot. Lists of
//! texts may be packed: then `lists` has what their parts are.

use std::iter;

use serde_json::{Map, Value};

use super::pack::Parts;
use super::svg::{self, writer::push_number};
use super::table;
use crate::figure::chart::{Chart, TableRow};

/// Where more rows than one in so many have a sentence of their own, all sentences stand in one list: what they
/// have in common is packed.
const OWN: usize = 8;

/// The values of a figure, and what was found on the way.
#[derive(Debug)]
pub struct Points {
    /// The values as JSON.
    pub json: String,
    /// The patterns of the sentences, which the table in a file follows as well.
    pub(super) patterns: Vec<Option<String>>,
}

impl Points {
    /// The values of a chart.
    pub fn new(chart: &Chart) -> Self {
        let patterns = table::patterns(chart);
        let mut json = texts(chart, &patterns).to_string();
        // Heights follow by hand: they have one decimal.
        json.pop();
        json.push_str(",\"y\":");
        list(&mut json, &chart.lines, |out, line| {
            list(out, &line.marks, |out, mark| match svg::height(chart, mark) {
                Some(y) => push_number(out, y, 1),
                None => out.push_str("null"),
            });
        });
        json.push('}');
        Self { json, patterns }
    }

    /// The values as a script for pages, where only scripts can be loaded from files.
    pub fn script(&self, id: &str) -> String {
        let mut out = String::with_capacity(self.json.len() + id.len() + 32);
        out.push_str("perfolioPoints[");
        out.push_str(&Value::from(id).to_string());
        out.push_str("] = ");
        out.push_str(&self.json);
        out.push_str(";\n");
        out
    }
}

/// All texts of the table, and the sentences of the reading line.
fn texts(chart: &Chart, patterns: &[Option<String>]) -> Value {
    let rows = &chart.table.rows;
    let mut parts = Parts::default();
    let mut list = |texts: Vec<&str>| parts.pack(&texts).unwrap_or_else(|| texts.into());
    let targets = list(rows.iter().map(|row| row.target.as_str()).collect());
    let columns = 0..patterns.len();
    let cells: Value =
        columns.map(|column| list(rows.iter().map(|row| cell(row, column)).collect())).collect();
    let columns = patterns.iter().enumerate();
    let say: Value =
        columns.map(|(column, pattern)| sentences(chart, column, pattern.as_deref(), &mut list)).collect();
    let lists = parts.into_lists().into();
    let fields = [("rows", targets), ("cells", cells), ("say", say), ("lists", lists)];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn cell(row: &TableRow, column: usize) -> &str {
    row.cells.get(column).map_or("", |cell| cell.text.as_str())
}

/// The sentences of a column, those of its rows or the own ones.
fn sentences(
    chart: &Chart,
    column: usize,
    pattern: Option<&str>,
    texts: &mut impl FnMut(Vec<&str>) -> Value,
) -> Value {
    let rows = &chart.table.rows;
    let mut maker = table::Maker::default();
    let mut own = Map::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(mark) = table::mark(chart, at, column) else { continue };
        let Some(found) = maker.own(pattern, &mark.reading, row, column) else { continue };
        let pair: Vec<Option<String>> = iter::once(found.say).chain(found.cut.map(Some)).collect();
        own.insert(at.to_string(), pair.into());
        if own.len() * OWN > rows.len() {
            let all = (0..rows.len()).map(|at| table::mark(chart, at, column));
            return texts(all.map(|mark| mark.map_or("", |mark| mark.reading.as_str())).collect());
        }
    }
    Value::Object(own)
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
