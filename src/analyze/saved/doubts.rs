//! Where the documents of one group contradict themselves or each other. The written value stands; both
//! numbers are told.

use std::collections::BTreeMap;

use serde_json::Value;

use super::draft::{self, Draft};
use super::paper::Paper;
use crate::error::{Place, Problem, Problems};
use crate::evidence::Number;
use crate::evidence::plot::{NormalizedRow, Status};

/// Most contradictions of one group that are told one by one.
const TOLD: usize = 20;

/// Adds what the documents of `draft` contradict.
pub(super) fn tell(draft: &Draft, papers: &[Paper<'_>], problems: &mut Problems) {
    let mut found = Vec::new();
    let whole = draft.main.map(|at| &papers[at]);
    let rows = |paper: &Paper<'_>| paper.saved.document.plot.normalized_rows().unwrap_or_default();
    let main = whole.map(rows).unwrap_or_default();
    if let Some(paper) = whole {
        denied(paper, &main, &mut found);
        references(paper, &main, &mut found);
    }
    let cells: BTreeMap<(&str, &str), &NormalizedRow> =
        main.iter().map(|row| ((&*row.metric, &*row.version), row)).collect();
    if let Some(whole) = whole {
        let parts = draft.more.iter().filter(|&&at| papers[at].kind() == "normalized_metrics");
        for &at in draft.windows.iter().map(|window| &window.1).chain(parts) {
            window(whole, &papers[at], &rows(&papers[at]), &cells, &mut found);
        }
        for &at in &draft.series {
            trajectory(whole, &papers[at], &cells, &mut found);
        }
        for &at in draft.more.iter().filter(|&&at| papers[at].kind() == "distribution") {
            samples(whole, &papers[at], &cells, &mut found);
        }
    }
    let more = found.len().saturating_sub(TOLD);
    let place = found.first().map(|problem: &Problem| Place { field: None, ..problem.place.clone() });
    found.truncate(TOLD);
    for problem in found {
        problems.push(problem);
    }
    if let Some(place) = place.filter(|_| more > 0) {
        let message = format!("{more} more contradictions like those listed ({TOLD} are listed)");
        problems.push(Problem::warning(place, message));
    }
}

fn doubt(paper: &Paper<'_>, field: String, message: String) -> Problem {
    Problem::warning(Place::file(&*paper.saved.path).field(field), message)
        .remedy("the document's own value is shown; publish it again if it is wrong")
}

fn cell(metric: &str, version: &str) -> String {
    format!("{metric} at {version}")
}

/// Numbers that the status of their own row denies.
fn denied(paper: &Paper<'_>, rows: &[NormalizedRow], found: &mut Vec<Problem>) {
    for (at, row) in rows.iter().enumerate() {
        let name = cell(&row.metric, &row.version);
        let (field, number, says) = match (row.normalization_status, row.value, row.ratio) {
            (Status::MissingMeasurement, Some(value), _) => ("value", value, "recorded as not measured"),
            (Status::MissingMeasurement, None, Some(ratio)) => ("ratio", ratio, "recorded as not measured"),
            (Status::ZeroReference, _, Some(ratio)) => ("ratio", ratio, "recorded without a ratio"),
            (Status::MissingReference, _, Some(ratio)) => ("ratio", ratio, "recorded without a reference"),
            _ => continue,
        };
        let message = format!("{name} is {says}, yet {field} is {number}; the number is not shown");
        found.push(doubt(paper, format!("data[{at}].{field}"), message));
    }
}

/// References that are not what they are called, or not one per metric.
fn references(paper: &Paper<'_>, rows: &[NormalizedRow], found: &mut Vec<Problem>) {
    let mut metrics: BTreeMap<(&str, &str), Vec<(usize, &NormalizedRow)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        metrics.entry((&row.metric, &row.unit)).or_default().push((at, row));
    }
    let details = paper.details();
    let part = paper.saved.document.reference_scope.is_some()
        || details.is_some_and(|details| details.part.is_some())
        || paper.id().rsplit_once('-').is_some_and(|(_, end)| draft::minor(end).is_some());
    for ((metric, _), rows) in metrics {
        let Some(&(first, reference)) = rows.iter().find(|(_, row)| row.reference_value.is_some()) else {
            continue;
        };
        let Some(said) = reference.reference_value else { continue };
        let measured = rows.iter().filter(|(_, row)| row.normalization_status != Status::MissingMeasurement);
        let values = || measured.clone().filter_map(|(_, row)| row.value);
        let held = match &*reference.reference_version {
            "minimum" => values().min(),
            "maximum" => values().max(),
            label => rows.iter().rev().find(|(_, row)| *row.version == *label).and_then(|(_, row)| row.value),
        };
        // A part of a history keeps the reference of the whole, which may lie beyond its own values.
        let beyond = |held: &Number| match &*reference.reference_version {
            "minimum" => *held < said,
            "maximum" => *held > said,
            _ => *held != said,
        };
        let wrong = |held: &Number| if part { beyond(held) } else { *held != said };
        if let Some(held) = held.filter(wrong) {
            let called = &reference.reference_version;
            let message =
                format!("the reference of {metric} is {said}, but its {called} in this document is {held}");
            found.push(doubt(paper, format!("data[{first}].reference_value"), message));
        }
        let other = rows.iter().find(|(_, row)| row.reference_value.is_some_and(|value| value != said));
        if let Some((at, row)) = other {
            let value = row.reference_value.unwrap_or(said);
            let message = format!("{metric} has the reference {value} here and {said} in data[{first}]");
            found.push(doubt(paper, format!("data[{at}].reference_value"), message));
        }
    }
}

type Cells<'a> = BTreeMap<(&'a str, &'a str), &'a NormalizedRow>;

/// Cells of a part of the history that are not those of the whole.
fn window(
    whole: &Paper<'_>,
    part: &Paper<'_>,
    rows: &[NormalizedRow],
    cells: &Cells<'_>,
    found: &mut Vec<Problem>,
) {
    for (at, row) in rows.iter().enumerate() {
        let Some(other) = cells.get(&(&*row.metric, &*row.version)) else { continue };
        let said =
            |number: Option<Number>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let name = cell(&row.metric, &row.version);
        for (field, here, there) in [
            ("value", said(row.value), said(other.value)),
            ("reference_value", said(row.reference_value), said(other.reference_value)),
            ("ratio", said(row.ratio), said(other.ratio)),
            ("samples", row.samples.to_string(), other.samples.to_string()),
        ] {
            let equal = match field {
                "value" => row.value == other.value,
                "ratio" => row.ratio == other.ratio,
                "reference_value" => row.reference_value == other.reference_value,
                _ => row.samples == other.samples,
            };
            if !equal {
                let path = &whole.saved.path;
                let message = format!("{field} of {name} is {here} here and {there} in {path}");
                found.push(doubt(part, format!("data[{at}].{field}"), message));
            }
        }
    }
}

/// Values and numbers of samples of a trajectory that are not those of the ratios.
fn trajectory(whole: &Paper<'_>, paper: &Paper<'_>, cells: &Cells<'_>, found: &mut Vec<Problem>) {
    let (metric, unit) =
        (paper.option("metric").unwrap_or_default(), paper.option("unit").unwrap_or_default());
    let path = &whole.saved.path;
    for (at, row) in paper.saved.document.plot.version_rows().unwrap_or_default().iter().enumerate() {
        let Some(other) = cells.get(&(metric, &*row.version)).filter(|other| *other.unit == *unit) else {
            continue;
        };
        let name = cell(metric, &row.version);
        if other.value.is_some() && row.value.is_some() && row.samples != other.samples {
            let message =
                format!("samples of {name} are {} here and {} in {path}", row.samples, other.samples);
            found.push(doubt(paper, format!("data[{at}].samples"), message));
        }
        if let (Some(here), Some(there)) = (row.value, other.value)
            && row.aggregation == other.statistic
            && here != there
        {
            let message = format!("the {} of {name} is {here} here and {there} in {path}", row.aggregation);
            found.push(doubt(paper, format!("data[{at}].value"), message));
        }
    }
}

/// Samples whose number or extremes are not those of the ratios.
fn samples(whole: &Paper<'_>, paper: &Paper<'_>, cells: &Cells<'_>, found: &mut Vec<Problem>) {
    let (metric, unit) =
        (paper.option("metric").unwrap_or_default(), paper.option("unit").unwrap_or_default());
    let mut all: BTreeMap<&str, Vec<Number>> = BTreeMap::new();
    for row in &paper.saved.document.plot.data {
        let value = row.get("value").and_then(|value| serde_json::from_value::<Number>(value.clone()).ok());
        if let (Some(label), Some(value)) = (row.get("version").and_then(Value::as_str), value) {
            all.entry(label).or_default().push(value);
        }
    }
    let path = &whole.saved.path;
    for (version, values) in all {
        let Some(other) = cells.get(&(metric, version)).filter(|other| *other.unit == *unit) else {
            continue;
        };
        let name = cell(metric, version);
        if values.len() as u64 != other.samples && other.value.is_some() {
            let message =
                format!("{} samples of {name} are here and {} in {path}", values.len(), other.samples);
            found.push(doubt(paper, "data".to_owned(), message));
        }
        let extreme = match &*other.statistic {
            "minimum" => values.iter().min(),
            "maximum" => values.iter().max(),
            _ => None,
        };
        if let (Some(here), Some(there)) = (extreme, other.value)
            && *here != there
        {
            let message = format!("the {} of {name} is {here} here and {there} in {path}", other.statistic);
            found.push(doubt(paper, "data".to_owned(), message));
        }
    }
}
