//! The changes as a table for people and as rows for machines.

use std::collections::HashMap;

use super::{Changes, percent};
use crate::evidence::{Name, Number};
use crate::figure::chart::{Boundary, DataTable, Datum, Table, TableCell, TableRow, Texts};
use crate::figure::table::printed;
use crate::figure::words;
use crate::text::number::{self, Column};

/// One row per target: date, change, both ends with their samples, difference, status.
pub(super) fn table(changes: &Changes, boundaries: &[Boundary]) -> Table {
    let sheet = &changes.sheet;
    let metric = &sheet.metrics[0];
    let symbol = metric.scale.symbol();
    let named = |name: &str| if symbol.is_empty() { name.to_owned() } else { format!("{name}, {symbol}") };
    let head = vec![
        sheet.noun().0.to_owned(),
        "date".to_owned(),
        "change, %".to_owned(),
        "compared with".to_owned(),
        named("value there"),
        "samples".to_owned(),
        named("value"),
        "samples".to_owned(),
        named("difference"),
        "status".to_owned(),
    ];
    let rows = || changes.rows.iter();
    let of = |pick: fn(&crate::evidence::plot::DeltaRow) -> Option<Number>| {
        metric.scale.column(rows().filter_map(pick).map(Number::as_f64))
    };
    let before = of(|row| row.baseline_value);
    let after = of(|row| row.candidate_value);
    let difference = of(|row| row.absolute_delta);
    let parts = Column::rounded(changes.drawn().map(|(_, part)| percent(part)), rounded);
    let value = |value: Option<Number>, column: Column| match value {
        Some(value) => TableCell {
            text: printed(metric, value, column),
            exact: Some(value),
            numeric: true,
            ..TableCell::default()
        },
        None => text("—"),
    };
    let count = |count: u64| TableCell { numeric: true, ..text(&number::whole(count.into())) };
    let made = |target: usize| {
        let column = &sheet.targets[target];
        let reason = changes.reason(target);
        let row = changes.row(target);
        let change = match (changes.change(target), &reason) {
            (Some(part), _) => TableCell {
                text: plus(part, parts.print(percent(part))),
                exact: row.and_then(|row| row.relative_delta),
                numeric: true,
                ..TableCell::default()
            },
            (None, Some(reason)) => text(&format!("— {reason}")),
            (None, None) => text("— not compared"),
        };
        let mut cells =
            vec![text(column.date.as_deref().unwrap_or_default()), TableCell { line: Some(0), ..change }];
        match row {
            None => cells.extend((cells.len()..head.len() - 1).map(|_| text(""))),
            Some(row) => cells.extend([
                text(&row.baseline_version),
                value(row.baseline_value, before),
                count(row.baseline_samples),
                value(row.candidate_value, after),
                count(row.candidate_samples),
                match row.absolute_delta {
                    Some(delta) => {
                        let cell = value(Some(delta), difference);
                        TableCell { text: plus(delta.as_f64(), cell.text), ..cell }
                    }
                    None => text("—"),
                },
                text(&status(row)),
            ]),
        }
        TableRow {
            target: column.label.clone(),
            boundary: target > 0 && boundaries.iter().any(|rule| rule.before == target),
            cells,
        }
    };
    Table {
        summary: format!("Values, changes of {}", words::extent(sheet, false)),
        caption: "Each target with what it is compared with; the change is the difference in per cent of the value there."
            .to_owned(),
        rows: (0..sheet.targets.len()).map(made).collect(),
        head,
    }
}

fn text(text: &str) -> TableCell {
    TableCell { text: text.to_owned(), ..TableCell::default() }
}

/// Three significant digits are what changes are read with; the exact one is beside it.
fn rounded(percent: f64) -> f64 {
    let places = number::decimals(percent, 3).min(15);
    format!("{percent:.places$}").parse().unwrap_or(percent)
}

fn plus(value: f64, text: String) -> String {
    if value > 0.0 { format!("+{text}") } else { text }
}

/// The status as recorded, with its reason where the change itself does not tell it, and the limit.
fn status(row: &crate::evidence::plot::DeltaRow) -> String {
    let mut said = if row.status.is_empty() { "not recorded".to_owned() } else { row.status.to_string() };
    if let Some(limit) = row.relative_limit {
        said = format!("{said}, limit {}", number::percent_size(limit.as_f64()));
    }
    let reason = row.reason.trim();
    if reason.is_empty() || *row.status == *"missing" { said } else { format!("{said}: {reason}") }
}

/// Every row of the document.
pub(super) fn data(changes: &Changes) -> DataTable {
    const HEAD: [&str; 16] = [
        "metric",
        "relation",
        "baseline",
        "target",
        "date",
        "baseline_value",
        "value",
        "unit",
        "statistic",
        "baseline_samples",
        "samples",
        "absolute_delta",
        "relative_delta",
        "relative_limit",
        "status",
        "reason",
    ];
    let sheet = &changes.sheet;
    let metric = &sheet.metrics[0];
    let mut texts = Texts::default();
    let [id, unit] = [&metric.id, &metric.unit].map(|text| Name::from(text.as_str()));
    let dates: HashMap<&str, &str> = sheet
        .targets
        .iter()
        .filter_map(|column| Some((column.label.as_str(), column.date.as_deref()?)))
        .collect();
    let rows = changes.rows.iter().map(|row| {
        vec![
            Datum::name(&id),
            Datum::name(&row.relation),
            Datum::name(&row.baseline_version),
            Datum::name(&row.candidate_version),
            texts.text(0, dates.get(&*row.candidate_version).copied().unwrap_or_default()),
            Datum::number(row.baseline_value),
            Datum::number(row.candidate_value),
            Datum::name(&unit),
            Datum::name(&row.sample_statistic),
            Datum::count(row.baseline_samples),
            Datum::count(row.candidate_samples),
            Datum::number(row.absolute_delta),
            Datum::number(row.relative_delta),
            Datum::number(row.relative_limit),
            Datum::name(&row.status),
            Datum::name(&row.reason),
        ]
    });
    DataTable { rows: rows.collect(), head: HEAD.map(str::to_owned).to_vec() }
}
