//! The value table for people and the rows for machines.

use super::chart::{Boundary, DataTable, Datum, Table, TableCell, TableRow, Texts};
use super::sheet::{Drawn, Metric, Sheet};
use crate::evidence::Number;
use crate::evidence::plot::Status;
use crate::text::number::{self, Column};

/// One row per target: date, then each metric's value and ratio.
pub(super) fn table(sheet: &Sheet, boundaries: &[Boundary], caption: String) -> Table {
    let noun = sheet.noun();
    let ratios = sheet.drawn == Drawn::Ratio;
    let mut head = vec![noun.0.to_owned(), "date".to_owned()];
    let mut columns = Vec::new();
    for metric in &sheet.metrics {
        let symbol = metric.scale.symbol();
        head.push(if symbol.is_empty() {
            metric.name.running.clone()
        } else {
            format!("{}, {symbol}", metric.name.running)
        });
        if ratios {
            head.push("ratio".to_owned());
        }
        let targets = 0..sheet.targets.len();
        let values = targets.clone().filter_map(|target| sheet.value(metric, target)).map(Number::as_f64);
        let drawn = targets.filter_map(|target| sheet.drawn(metric, target));
        columns.push((metric.scale.column(values), Column::rounded(drawn, rounded)));
    }
    let rows = sheet.targets.iter().enumerate().map(|(target, column)| {
        let date = TableCell { text: column.date.clone().unwrap_or_default(), ..TableCell::default() };
        let mut cells = vec![date];
        for (line, (metric, (values, ratios_column))) in sheet.metrics.iter().zip(&columns).enumerate() {
            let row = sheet.row(metric, target);
            let value = row.and_then(|row| row.value);
            let reference = row.is_some_and(|row| {
                row.normalization_status == Status::Ratio && row.value == row.reference_value
            });
            cells.push(TableCell {
                text: match value {
                    Some(value) => printed(metric, value, *values),
                    None => format!("— {}", sheet.reason(metric, target).unwrap_or_default()),
                },
                line: Some(line),
                exact: value,
                numeric: value.is_some(),
                strong: ratios && reference,
                is_ratio: false,
            });
            if ratios {
                cells.push(ratio_cell(sheet, line, target, *ratios_column, reference));
            }
        }
        TableRow {
            target: column.label.clone(),
            boundary: target > 0 && boundaries.iter().any(|rule| rule.before == target),
            cells,
        }
    });
    Table {
        summary: format!("Values, {}", super::words::extent(sheet, false)),
        caption,
        head,
        rows: rows.collect(),
    }
}

/// Three significant digits are what ratios are read with; the exact one is beside it.
fn rounded(ratio: f64) -> f64 {
    let places = number::decimals(ratio, 3).min(15);
    format!("{ratio:.places$}").parse().unwrap_or(ratio)
}

/// A value in the display unit of its metric, whole amounts exactly.
pub(super) fn printed(metric: &Metric, value: Number, column: Column) -> String {
    match value.as_whole() {
        Some(whole) if metric.scale.keeps_values() && column.decimals() == 0 && whole.abs() < 1 << 64 => {
            number::whole(whole)
        }
        _ => column.print(metric.scale.convert(value.as_f64())),
    }
}

fn ratio_cell(sheet: &Sheet, line: usize, target: usize, column: Column, strong: bool) -> TableCell {
    let metric = &sheet.metrics[line];
    let row = sheet.row(metric, target);
    let convention = row.is_some_and(|row| row.normalization_status == Status::BothZero);
    let drawn = sheet.drawn(metric, target);
    let text = match drawn {
        Some(ratio) if convention => format!("({})", number::short(ratio)),
        // What is not the reference must not read as it.
        Some(ratio) => number::told_from_one(column.print(ratio), ratio),
        // The value cell already says why when there is no value either.
        None if row.is_some_and(|row| row.value.is_some()) => {
            format!("— {}", sheet.reason(metric, target).unwrap_or_default())
        }
        None => "—".to_owned(),
    };
    TableCell {
        text,
        line: Some(line),
        exact: row.and_then(|row| row.ratio).filter(|_| drawn.is_some()),
        numeric: drawn.is_some(),
        strong: strong && drawn.is_some(),
        is_ratio: true,
    }
}

/// Every cell in long form.
pub(super) fn data(sheet: &Sheet) -> DataTable {
    const HEAD: [&str; 15] = [
        "feature",
        "metric",
        "target",
        "target_kind",
        "date",
        "value",
        "unit",
        "statistic",
        "samples",
        "ratio",
        "reference_value",
        "reference_target",
        "status",
        "reason",
        "run_id",
    ];
    let mut texts = Texts::default();
    let mut rows = Vec::with_capacity(sheet.metrics.len() * sheet.targets.len());
    for metric in &sheet.metrics {
        for (target, column) in sheet.targets.iter().enumerate() {
            let row = sheet.row(metric, target);
            let status = row.map_or(Status::MissingMeasurement, |row| row.normalization_status);
            let status = match (sheet.drawn, status) {
                (Drawn::Value, Status::Ratio) => "value",
                (_, status) => status.word(),
            };
            let mut cells = Vec::with_capacity(HEAD.len());
            match &sheet.overlaid {
                Some(overlaid) => cells.extend([texts.text(0, &metric.id), texts.text(1, &overlaid.id)]),
                None => cells.push(texts.text(2, &metric.id)),
            }
            cells.extend([
                texts.text(3, &column.label),
                texts.text(4, &column.kind),
                texts.text(5, column.date.as_deref().unwrap_or_default()),
                Datum::number(row.and_then(|row| row.value)),
                texts.text(6, &metric.unit),
                texts.text(7, row.map_or("", |row| &row.statistic)),
                Datum::count(row.map_or(0, |row| row.samples)),
                Datum::number(row.and_then(|row| row.ratio)),
                Datum::number(row.and_then(|row| row.reference_value)),
                texts.text(8, row.map_or("", |row| &row.reference_version)),
                texts.text(9, status),
                texts.text(10, &sheet.reason(metric, target).unwrap_or_default()),
                texts.text(11, sheet.run(metric, target).unwrap_or_default()),
            ]);
            rows.push(cells);
        }
    }
    // Only figures of several features say which one a row is of.
    let head = if sheet.overlaid.is_some() { &HEAD[..] } else { &HEAD[1..] };
    DataTable { head: head.iter().map(|&name| name.to_owned()).collect(), rows }
}

/// The caption of the table: statistic and what bold means.
pub(super) fn caption(sheet: &Sheet) -> String {
    let statistic = super::words::statistic_sentence(sheet);
    let bold = match sheet.drawn {
        Drawn::Value => String::new(),
        Drawn::Ratio => format!(" Bold: the reference of the {}.", sheet.line_noun().0),
    };
    let zeros = sheet.rows.iter().any(|row| row.normalization_status == Status::BothZero);
    let zeros = if zeros { " (1): value and reference are 0, shown at 1 by convention." } else { "" };
    format!("{statistic}{bold}{zeros}")
}
