//! The ratios of many features at many targets, as a heat map's data.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::chart::Column;
use super::sheet::{Drawn, Sheet};
use super::words;
use crate::analyze::{Target, order};
use crate::evidence::TargetKind;
use crate::evidence::plot::Status;
use crate::text::number;

/// Upper ends of the steps 1 to 5; step 0 is the reference itself, step 6 everything above.
pub const STEPS: [f64; 5] = [1.25, 1.6, 2.0, 2.5, 3.2];

/// The reason of a cell whose column is no target of its feature.
pub const NOT_A_TARGET: &str = "not a target of this feature";

/// Most columns: a table of thousands helps nobody.
const NEWEST: usize = 200;

/// Feature × target.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matrix {
    /// `Wall time, ratio to own minimum`.
    pub heading: String,
    /// The newest targets of all rows, in order.
    pub columns: Vec<Column>,
    /// How many targets all rows have together.
    pub targets: usize,
    /// One row per feature that has ratios.
    pub rows: Vec<Row>,
    /// What the colours mean, from step 0 to 6.
    pub legend: Vec<String>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name for people, as on its card.
    pub title: String,
    /// Position among the cards.
    pub card: usize,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// One ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// `1.47`, `(1)` by convention, or `—`.
    pub text: String,
    /// Exact ratio; none for a hole.
    pub exact: Option<String>,
    /// Heat from 0 (the reference) to 6; none for a hole.
    pub step: Option<u8>,
    /// Whether it is the lowest of its row.
    pub lowest: bool,
    /// Why there is no ratio; none when there is one.
    pub reason: Option<String>,
}

/// Heat step of a ratio. Below the reference is as calm as just above it.
pub fn step(ratio: f64) -> u8 {
    if ratio.to_bits() == 1.0_f64.to_bits() {
        return 0;
    }
    1 + STEPS.iter().filter(|&&end| ratio > end).count() as u8
}

/// Collects rows: name, sheet, and which metric.
pub(super) fn matrix<'a>(entries: impl Iterator<Item = (&'a str, &'a Sheet<'a>, usize)>) -> Matrix {
    let entries: Vec<_> = entries.enumerate().filter(|(_, entry)| entry.1.drawn == Drawn::Ratio).collect();
    let Some((_, first)) = entries.first() else { return Matrix::default() };
    let mut columns = columns(entries.iter().map(|(_, entry)| entry.1));
    let targets = columns.len();
    columns.drain(..targets.saturating_sub(NEWEST));
    let metric = &first.1.metrics[first.2];
    let same = entries.iter().all(|(_, entry)| entry.1.metrics[entry.2].id == metric.id);
    let name = if same { metric.name.start.as_str() } else { "Main metric" };
    let rows = entries
        .iter()
        .map(|&(card, (title, sheet, metric))| Row {
            title: title.to_owned(),
            card,
            cells: row(sheet, metric, &columns),
        })
        .collect();
    let legend = std::iter::once("1".to_owned())
        .chain(STEPS.iter().map(|&end| format!("≤ {}", number::short(end))))
        .chain(STEPS.last().map(|&end| format!("> {}", number::short(end))))
        .collect();
    Matrix {
        targets,
        heading: format!("{name}, ratio to own {}", words::reference(first.1)),
        columns,
        rows,
        legend,
    }
}

/// The targets of all sheets in the order of targets; of one label, the first dated one wins.
fn columns<'a>(sheets: impl Iterator<Item = &'a Sheet<'a>>) -> Vec<Column> {
    let mut found: Vec<Target> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for column in sheets.flat_map(|sheet| &sheet.targets) {
        match places.entry(&column.label) {
            Entry::Vacant(entry) => {
                entry.insert(found.len());
                found.push(Target {
                    label: column.label.as_str().into(),
                    kind: TargetKind::parse(&column.kind),
                    date: column.date.clone(),
                    date_kind: None,
                });
            }
            Entry::Occupied(entry) => {
                let known = &mut found[*entry.get()];
                known.date = known.date.take().or_else(|| column.date.clone());
            }
        }
    }
    order::arrange(&mut found);
    found
        .into_iter()
        .map(|target| Column {
            label: target.label.to_string(),
            date: target.date,
            kind: target.kind.word().to_owned(),
        })
        .collect()
}

fn row(sheet: &Sheet, metric: usize, columns: &[Column]) -> Vec<Cell> {
    let metric = &sheet.metrics[metric];
    let places: BTreeMap<&str, usize> =
        sheet.targets.iter().enumerate().map(|(at, target)| (target.label.as_str(), at)).collect();
    let lowest = (0..sheet.targets.len())
        .filter_map(|target| sheet.drawn(metric, target))
        .min_by(f64::total_cmp)
        .map(f64::to_bits);
    columns
        .iter()
        .map(|column| {
            let hole = |reason: String| Cell {
                text: "—".to_owned(),
                exact: None,
                step: None,
                lowest: false,
                reason: Some(reason),
            };
            let Some(&target) = places.get(column.label.as_str()) else {
                return hole(NOT_A_TARGET.to_owned());
            };
            let Some(ratio) = sheet.drawn(metric, target) else {
                return hole(sheet.reason(metric, target).unwrap_or_default());
            };
            let row = sheet.row(metric, target);
            let convention = row.is_some_and(|row| row.normalization_status == Status::BothZero);
            let text = number::ratio(ratio);
            Cell {
                text: if convention { format!("({text})") } else { text },
                exact: row.and_then(|row| row.ratio).map(|ratio| ratio.to_string()),
                step: Some(step(ratio)),
                lowest: lowest == Some(ratio.to_bits()),
                reason: None,
            }
        })
        .collect()
}
