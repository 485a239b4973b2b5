//! The value table of a figure as HTML.

use super::svg::writer::Element;
use crate::figure::chart::{Chart, TableCell};

/// Writes the table. A value cell names its metric, its target and the exact number (`data-series`,
/// `data-target`, `data-value`) and carries the sentence that the reading line shows (`data-say`); a ratio
/// cell has `data-ratio` and follows its value.
pub fn table(chart: &Chart) -> String {
    let mut out = String::with_capacity(chart.table.rows.len() * 640 + 512);
    write(&mut out, chart);
    out
}

/// Appends what [`table`] returns.
pub(super) fn write(out: &mut String, chart: &Chart) {
    let table = &chart.table;
    let mut root = Element::open(out, "table").class("values");
    if !table.caption.is_empty() {
        root.child("caption").text(&table.caption);
    }
    let numeric: Vec<bool> = (1..table.head.len())
        .map(|at| table.rows.iter().any(|row| row.cells.get(at - 1).is_some_and(|cell| cell.numeric)))
        .collect();
    {
        let mut head = root.child("thead");
        let mut row = head.child("tr");
        for (at, name) in table.head.iter().enumerate() {
            let right = at > 0 && numeric[at - 1];
            let cell = row.child("th").attr("scope", "col");
            (if right { cell.class("num") } else { cell }).text(name);
        }
    }
    let mut body = root.child("tbody");
    for (at, data) in table.rows.iter().enumerate() {
        let mut row = body.child("tr").class(if data.boundary { "edge" } else { "" });
        row.child("th").attr("scope", "row").text(&data.target);
        for cell in &data.cells {
            write_cell(&mut row, chart, at, &data.target, cell);
        }
    }
}

fn write_cell(row: &mut Element, chart: &Chart, at: usize, target: &str, cell: &TableCell) {
    let class = match (cell.numeric, cell.strong) {
        (true, true) => "num strong",
        (true, false) => "num",
        (false, true) => "strong",
        (false, false) => "",
    };
    let mut element = row.child("td").class(class);
    if let Some(line) = cell.line.and_then(|line| chart.lines.get(line)) {
        match &cell.exact {
            Some(exact) if cell.is_ratio => element = element.attr("data-ratio", exact),
            Some(exact) => element = element.attr("data-value", exact),
            None => {}
        }
        if !cell.is_ratio {
            element = element.attr("data-series", &line.key).attr("data-target", target);
            if let Some(mark) = line.marks.get(at) {
                element = element.attr("data-say", &mark.reading);
            }
        }
    }
    element.text(&cell.text);
}
