//! The values of a figure whose table is too long to stand under it, for the script of the reading line.
//!
//! A page loads them when a reader asks for the first point; a file of its own carries them. Shape:
//! `rows` are the targets; `cells` the texts of every column of the table after the target; `say` the own sentences
//! of a column by row, each with the part of the column's pattern that it replaces, as [`super::table::table`]
//! says; `y` the height of each line's marks in px from the top of the plot.

use super::svg::{self, writer::push_number};
use super::table;
use crate::figure::chart::Chart;

/// The values as JSON.
pub fn json(chart: &Chart) -> String {
    let rows = &chart.table.rows;
    let columns = rows.first().map_or(0, |row| row.cells.len());
    let mut out = String::with_capacity(rows.len() * (24 + 16 * columns) + 64);
    out.push_str("{\"rows\":");
    list(&mut out, rows, |out, row| text(out, &row.target));
    out.push_str(",\"cells\":");
    list(&mut out, 0..columns, |out, column| {
        list(out, rows, |out, row| text(out, row.cells.get(column).map_or("", |cell| cell.text.as_str())));
    });
    out.push_str(",\"say\":");
    list(&mut out, 0..columns, |out, column| sentences(out, chart, column));
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

/// The values as a script for pages, where only scripts can be loaded from files.
pub fn script(chart: &Chart, id: &str) -> String {
    let values = json(chart);
    let mut out = String::with_capacity(values.len() + id.len() + 32);
    out.push_str("perfolioPoints[");
    text(&mut out, id);
    out.push_str("] = ");
    out.push_str(&values);
    out.push_str(";\n");
    out
}

/// The sentences of a column that do not follow its pattern, by row.
fn sentences(out: &mut String, chart: &Chart, column: usize) {
    out.push('{');
    let pattern = table::pattern(chart, column);
    let mut first = true;
    for (at, row) in chart.table.rows.iter().enumerate() {
        let cell = row.cells.get(column).filter(|cell| !cell.is_ratio);
        let line = cell.and_then(|cell| cell.line).and_then(|line| chart.lines.get(line));
        let Some(mark) = line.and_then(|line| line.marks.get(at)) else { continue };
        let Some(own) = table::own(pattern.as_deref(), &mark.reading, row, column) else { continue };
        if !first {
            out.push(',');
        }
        first = false;
        text(out, &at.to_string());
        out.push_str(":[");
        match &own.say {
            Some(say) => text(out, say),
            None => out.push_str("null"),
        }
        if let Some(cut) = &own.cut {
            out.push(',');
            text(out, cut);
        }
        out.push(']');
    }
    out.push('}');
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

fn text(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
