//! `allocation_heatmap`: source lines against targets.
//!
//! Source: PerfChecker formats §3.2–3.3. Documents of the first generation hold zero where a line was not observed;
//! those of the second leave the cell out. Not observed is not zero, and is drawn as what it is.

use serde_json::{Map, Value, json};

use super::allocation::{missing, wrap};
use super::chart::{Body, Table, TableCell, TableRow};
use super::panels::{self, Words, field, option, text, wrong};
use crate::analyze::profile::heat;
use crate::error::Result;
use crate::evidence::Number;
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::Profile;
use crate::text::escape::visible;
use crate::text::list;
use crate::text::unit::Unit;

/// Name of the kind.
pub const KIND: &str = "allocation_heatmap";

/// Lines that are kept (the format's default), and drawn at most.
const TOP: usize = 20;
/// Columns that are drawn at most: the newest.
const COLUMNS: usize = 60;
/// Steps of the scale.
pub const STEPS: u8 = 6;
/// The unit of this kind.
const UNIT: &str = "By";

/// Cells of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// Labels of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<HeatRow>,
    /// What each step of the scale reaches up to, in words, rising.
    pub steps: Vec<String>,
    /// Whether a cell is zero, and whether one was not observed: each has its place in the key.
    pub has: (bool, bool),
}

/// A row of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatRow {
    /// Its label.
    pub label: String,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// A cell of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Step of the scale: 0 for zero, then 1 to [`STEPS`]; none when it was not observed.
    pub step: Option<u8>,
    /// Everything about it in one sentence.
    pub reading: String,
}

/// The heat map of one case; none with fewer than two targets. `profiles` as for [`super::allocation::documents`].
pub fn document(profiles: &[&Profile]) -> Option<PlotDocument> {
    let last = profiles.last().filter(|one| profiles.len() > 1 && *one.unit == *UNIT)?;
    let found = heat(profiles, TOP);
    if found.labels.is_empty() {
        return None;
    }
    let versions: Vec<&str> = profiles.iter().map(|one| one.target.as_deref().unwrap_or_default()).collect();
    let mut data = Vec::new();
    for (label, cells) in found.labels.iter().zip(&found.cells) {
        for (version, value) in versions.iter().zip(cells) {
            let Some(value) = value else { continue };
            let row = [("version", json!(version)), ("label", json!(label)), ("bytes", json!(value))];
            data.push(row.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
        }
    }
    let name = |name: &Option<crate::evidence::Name>| json!(name.as_deref().unwrap_or_default());
    let options: Map<String, Value> = [
        ("package", name(&last.package)),
        ("feature", name(&last.feature)),
        ("workload", name(&last.workload)),
        ("unit", json!(UNIT)),
        ("measurement_definitions", json!([last.definition.as_deref().unwrap_or_default()])),
        ("versions", json!(versions)),
        ("labels", json!(found.labels)),
        ("top", json!(TOP)),
        ("missing_cell_policy", json!("not_observed")),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    Some(wrap(
        KIND,
        ("allocated bytes by source line and target", "Allocated bytes of source lines, target by target."),
        [("x", "version"), ("y", "label"), ("color", "bytes")],
        data,
        options,
        profiles,
    ))
    .map(|mut document| {
        let left_out = (found.left_out > 0).then(|| {
            format!(" {} are not in it.", list::counted(found.left_out, "further line", "further lines"))
        });
        let told: String =
            left_out.into_iter().chain(profiles.iter().map(|one| missing(one)).take(1)).collect();
        document.plot.description.push_str(&told);
        document
    })
}

/// Draws a heat map.
///
/// # Errors
/// A row without its target or label, or with something else than a number.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    let plot = &document.plot;
    let listed = |key: &str| -> Vec<&str> {
        let list = plot.options.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let (mut columns, mut labels) = (listed("versions"), listed("labels"));
    let mut cells: std::collections::BTreeMap<(&str, &str), Number> = std::collections::BTreeMap::new();
    let mut known: [std::collections::BTreeSet<&str>; 2] =
        [columns.iter().copied().collect(), labels.iter().copied().collect()];
    for (at, row) in plot.data.iter().enumerate() {
        let version = text(row, "version").ok_or_else(|| wrong(at, "version", "is not a text"))?;
        let label = text(row, "label").ok_or_else(|| wrong(at, "label", "is not a text"))?;
        if known[0].insert(version) {
            columns.push(version);
        }
        if known[1].insert(label) {
            labels.push(label);
        }
        if let Some(bytes) = field(row, at, "bytes")? {
            cells.insert((label, version), bytes);
        }
    }
    let policy = option(&plot.options, "missing_cell_policy");
    let doubtful = policy != Some("not_observed") && cells.values().any(|value| value.is_zero());
    let unit = Unit::parse(option(&plot.options, "unit").unwrap_or(UNIT));
    let most = cells.values().map(|value| value.as_f64()).fold(0.0, f64::max);
    let skipped = columns.len().saturating_sub(COLUMNS);
    let rows_left = labels.len().saturating_sub(panels::BARS);
    let show = |value: Number| panels::show(&unit.scale([value.as_f64()]), value);
    let absent = if doubtful { "zero or not observed" } else { "not observed" };
    let cell = |label: &str, version: &str| {
        let value = cells.get(&(label, version)).copied();
        let step = value.map(|value| step(value.as_f64(), most));
        let step = step.filter(|step| !(doubtful && *step == 0));
        let told = value.filter(|_| step.is_some()).map_or_else(|| absent.to_owned(), show);
        Cell { step, reading: format!("{} at {}: {told}.", visible(label), visible(version)) }
    };
    let rows: Vec<HeatRow> = labels
        .iter()
        .take(panels::BARS)
        .map(|label| HeatRow {
            label: visible(label).into_owned(),
            cells: columns.iter().skip(skipped).map(|version| cell(label, version)).collect(),
        })
        .collect();
    let all = || rows.iter().flat_map(|row| &row.cells);
    let has = (all().any(|cell| cell.step == Some(0)), all().any(|cell| cell.step.is_none()));
    let steps = (1..=STEPS).map(|step| unit.show(most * reach(step))).collect();
    let mut fine = format!(
        "Allocated bytes of source lines, recorded while a profiler ran. A darker cell is more; each step of the scale is a step of the square root. {}",
        if doubtful {
            "The document holds zero also where a line was not observed, so both are drawn alike."
        } else {
            "A hatched cell was not observed, which is not zero."
        }
    );
    for (count, one, many) in [(skipped, "earlier target", "earlier targets"), (rows_left, "line", "lines")] {
        if count > 0 {
            fine = format!(
                "{fine} Not drawn: {}; the table or the CSV has them.",
                list::counted(count, one, many)
            );
        }
    }
    let largest = cells.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
    let says = largest.map_or_else(
        || "Nothing was recorded.".to_owned(),
        |((label, version), value)| format!("Most at one target: {} by {label} at {version}.", show(*value)),
    );
    let heading = format!(
        "Allocated bytes of {} at {}",
        list::counted(labels.len(), "source line", "source lines"),
        list::counted(columns.len(), "target", "targets")
    );
    let table_rows = labels.iter().take(panels::ROWS).map(|label| TableRow {
        target: visible(label).into_owned(),
        boundary: false,
        cells: columns
            .iter()
            .skip(skipped)
            .map(|version| {
                let value =
                    cells.get(&(*label, *version)).copied().filter(|value| !(doubtful && value.is_zero()));
                TableCell {
                    text: value.map_or_else(|| absent.to_owned(), show),
                    exact: value,
                    numeric: true,
                    ..TableCell::default()
                }
            })
            .collect(),
    });
    let table = Table {
        summary: format!("Values, {}", list::counted(labels.len(), "source line", "source lines")),
        caption: heading.clone(),
        head: std::iter::once("Source line")
            .chain(columns.iter().skip(skipped).copied())
            .map(|text| visible(text).into_owned())
            .collect(),
        rows: table_rows.collect(),
    };
    let words = Words { heading, says, fine, provenance: panels::provenance(document), ..Words::default() };
    let columns = columns.iter().skip(skipped).map(|column| visible(column).into_owned()).collect();
    let heat = Heat { columns, rows, steps, has };
    let mut chart = panels::blank(document, words, Body::Heat(Box::new(heat)));
    chart.table = table;
    Ok(chart)
}

/// Up to which part of the largest value a step reaches.
fn reach(step: u8) -> f64 {
    (f64::from(step) / f64::from(STEPS)).powi(2)
}

/// The step of a value: 0 for zero and below.
fn step(value: f64, most: f64) -> u8 {
    if value <= 0.0 || most <= 0.0 {
        return 0;
    }
    (1..STEPS).find(|step| value <= most * reach(*step)).unwrap_or(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_by_the_square_root() {
        for (value, expected) in [(0.0, 0), (-1.0, 0), (1.0, 1), (36.0, 6), (25.0, 5), (25.1, 6), (9.0, 3)] {
            assert_eq!(step(value, 36.0), expected, "{value}");
        }
        assert_eq!(step(1.0, 0.0), 0);
    }
}
