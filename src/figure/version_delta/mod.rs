//! `version_delta`: how much one metric changed from target to target, as a document and as a chart.
//!
//! Source: PerfChecker formats §2.12 (which pairs are compared) and §3.3. Relative changes are parts of the
//! baseline in the document and per cent in the figure. A baseline of 0 gives none.

mod axis;
mod pairs;
mod table;
mod words;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::boundaries;
use super::chart::{Body, Chart, Form, Line, Mark, ReferenceLine};
use super::document::{self, Context};
use super::lines;
use super::sheet::{self, Sheet};
use crate::analyze::normalize::SUM_TOO_LARGE;
use crate::analyze::{Group, Point, Series, Statistic};
use crate::error::Result;
use crate::evidence::plot::{DeltaRow, Details, NormalizedRow, Plot, PlotDocument, Status};
use crate::evidence::row::{Given, Row, Rows};
use crate::evidence::{Name, Number};

/// Name of the kind.
pub const KIND: &str = "version_delta";

/// Why a change stands without a verdict.
const NO_LIMIT: &str = "no limit applies";

/// The changes of one series; none where no two targets can be compared.
pub fn document(context: &Context, group: &Group, series: &Series) -> Option<PlotDocument> {
    let statistic = if series.summed { Statistic::Sum } else { Statistic::Median };
    let series_id = document::series_id(group, series);
    // A target that the plan leaves out is outside the comparison; one that failed is a hole in it.
    let compared: Vec<usize> = (0..group.targets.len())
        .filter(|&at| {
            let measured = series.points.get(at).is_some_and(|point| point.summary.is_some());
            measured || !context.left_out(group, &group.targets[at])
        })
        .collect();
    let kinds: Vec<_> = compared.iter().map(|&at| &group.targets[at].kind).collect();
    let key = match &*group.base_key {
        "" => String::new(),
        base => format!("{base}::{}", series.definition.id),
    };
    let mut made = Rows::default();
    let data: Vec<Row> = pairs::pairs(&kinds)
        .into_iter()
        .map(|pair| {
            let ends = [compared[pair.baseline], compared[pair.candidate]];
            row(&mut made, (group, series), [&series_id, &key], statistic, pair.relation, ends)
        })
        .collect();
    if data.is_empty() {
        return None;
    }
    let plot = Plot {
        // PerfChecker has no word for a sum of sites among its statistics.
        schema_version: document::schema(group, !series.summed).to_owned(),
        id: format!("{}{}", document::id(KIND, &[&series_id]), document::variant_suffix(group)),
        kind: KIND.to_owned(),
        title: document::series_title(context.config, group, series),
        description: format!(
            "Change of the {} from a baseline to a candidate, as a part of the baseline.",
            statistic.word()
        ),
        encoding: [("x", "candidate_version"), ("y", "relative_delta"), ("color", "status")]
            .map(|(channel, field)| (channel.to_owned(), json!(field)))
            .into_iter()
            .collect(),
        data,
        options: document::series_options(group, series, &series_id),
    };
    let mut document = document::wrap(context, group, &[series], plot);
    let targets = group.targets.iter().map(|target| target.label.to_string()).collect();
    document.perfolio = document.perfolio.map(|details| Details { targets, ..details });
    if let Some(details) = &mut document.perfolio {
        // Rows of this kind do not tell the sort of a target.
        for target in
            group.targets.iter().filter(|target| sheet::guessed(&target.label) != target.kind.word())
        {
            details.target_kinds.insert(target.label.to_string(), target.kind.word().to_owned());
        }
    }
    Some(document)
}

/// Adds a row to those that are made.
fn row(
    made: &mut Rows,
    (group, series): (&Group, &Series),
    [series_id, key]: [&str; 2],
    statistic: Statistic,
    relation: &str,
    ends: [usize; 2],
) -> Row {
    let definition = &series.definition;
    let points = ends.map(|at| series.points.get(at));
    let value = |point: Option<&Point>| point?.summary.as_ref()?.get(statistic);
    let values = points.map(value);
    let samples = points.map(|point| point.and_then(|point| point.summary.as_ref()).map_or(0, |all| all.n));
    let labels = ends.map(|at| &*group.targets[at].label);
    let absolute = values[0].zip(values[1]).and_then(|(before, after)| difference(before, after));
    let relative = values[0].zip(absolute).and_then(|(before, change)| part(change, before));
    let complete = values.iter().all(Option::is_some);
    let reason = if complete { Cow::Borrowed(NO_LIMIT) } else { missing(points, values, labels).into() };
    let fields: [(&str, Given<'_>); 24] = [
        ("absolute_delta", json!(absolute).into()),
        ("baseline_median", json!(values[0]).into()),
        ("baseline_samples", json!(samples[0]).into()),
        ("baseline_value", json!(values[0]).into()),
        ("baseline_version", labels[0].into()),
        ("candidate_median", json!(values[1]).into()),
        ("candidate_samples", json!(samples[1]).into()),
        ("candidate_value", json!(values[1]).into()),
        ("candidate_version", labels[1].into()),
        ("comparison_key", key.into()),
        ("feature", (&*group.feature).into()),
        ("measurement_definition", (&*definition.id).into()),
        ("metric", (&*definition.metric).into()),
        ("package", group.package.as_deref().unwrap_or_default().into()),
        ("reason", (&*reason).into()),
        ("relation", relation.into()),
        ("relative_delta", json!(relative).into()),
        ("relative_limit", Value::Null.into()),
        ("sample_statistic", statistic.word().into()),
        ("sample_statistic_definition", "exact/v1".into()),
        ("series_id", series_id.into()),
        ("status", (if complete { "diagnostic" } else { "missing" }).into()),
        ("unit", (&*definition.unit).into()),
        ("workload", (&*group.workload).into()),
    ];
    made.row(fields)
}

/// Which ends have no value, and why.
fn missing(points: [Option<&Point>; 2], values: [Option<Number>; 2], labels: [&str; 2]) -> String {
    let mut said: Vec<String> = Vec::new();
    for ((point, value), label) in points.iter().zip(values).zip(labels) {
        if value.is_none() {
            let measured = point.is_some_and(|point| point.summary.is_some());
            let reason = point.and_then(|point| point.reason.as_deref());
            let reason = reason.unwrap_or(if measured { SUM_TOO_LARGE } else { "not measured" });
            said.push(format!("{label}: {reason}"));
        }
    }
    said.join("; ")
}

/// after − before, exactly for whole numbers; none beyond the largest finite float.
fn difference(before: Number, after: Number) -> Option<Number> {
    if let (Number::Unsigned(_) | Number::Negative(_), Number::Unsigned(_) | Number::Negative(_)) =
        (before, after)
    {
        let whole = after.as_whole()?.checked_sub(before.as_whole()?)?;
        return Number::whole(whole).or_else(|| Number::finite(whole as f64));
    }
    Number::finite(after.as_f64() - before.as_f64())
}

/// change / |before|; none for a baseline of 0 and beyond the largest finite float.
fn part(change: Number, before: Number) -> Option<f64> {
    if before.is_zero() {
        return None;
    }
    Some(change.as_f64() / before.as_f64().abs()).filter(|part| part.is_finite())
}

fn rows(document: &PlotDocument) -> Result<Vec<DeltaRow>> {
    document.plot.delta_rows().map_err(sheet::in_plot)
}

/// The targets with the values of the candidates.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; no metric in the options; too many targets.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    arrange(document, &rows(document)?)
}

fn arrange<'a>(document: &'a PlotDocument, rows: &[DeltaRow]) -> Result<Sheet<'a>> {
    let (metric, unit) = sheet::measured(document)?;
    // In the order of the rows, each baseline before its candidate; a group of targets is no target.
    let mut labels: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for row in rows {
        let group = row.baseline_versions.len() > 1;
        let baseline = row.baseline_versions.iter().filter(|_| group).map(String::as_str);
        let single = (!group).then_some(&*row.baseline_version);
        for label in baseline.chain(single).chain([&*row.candidate_version]) {
            if seen.insert(label) {
                labels.push(label);
            }
        }
    }
    let [metric, unit, release, none, median] = [metric, unit, "release", "", "median"].map(Name::from);
    let values = rows.iter().map(|row| NormalizedRow {
        metric: metric.clone(),
        version: row.candidate_version.clone(),
        target_kind: match &*row.relation {
            "adjacent-release" => release.clone(),
            _ => none.clone(),
        },
        value: row.candidate_value,
        unit: unit.clone(),
        samples: row.candidate_samples,
        ratio: None,
        // Both ends take part in the choice of the unit.
        reference_value: row.baseline_value,
        reference_version: row.baseline_version.clone(),
        statistic: if row.sample_statistic.is_empty() {
            median.clone()
        } else {
            row.sample_statistic.clone()
        },
        normalization_status: if row.candidate_value.is_some() {
            Status::Ratio
        } else {
            Status::MissingMeasurement
        },
    });
    sheet::single(document, values.collect(), &labels)
}

/// The changes of a document, target by target.
pub(super) struct Changes<'a> {
    sheet: Sheet<'a>,
    rows: Vec<DeltaRow>,
    /// Statistic of the values as a noun, found once: every reading names it.
    statistic: OnceCell<String>,
}

impl Changes<'_> {
    /// The row whose candidate is a target; of several the last.
    fn row(&self, target: usize) -> Option<&DeltaRow> {
        let at = *self.sheet.metrics[0].cells.get(target)?;
        self.rows.get(at?)
    }

    /// The change towards a target as a part of its baseline; none where it is not defined or not known.
    fn change(&self, target: usize) -> Option<f64> {
        let row = self.row(target)?;
        let known = row.baseline_value.is_some() && row.candidate_value.is_some();
        row.relative_delta.filter(|_| known).map(Number::as_f64)
    }

    /// Targets whose change is drawn, with the change.
    fn drawn(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.sheet.targets.len()).filter_map(|target| Some((target, self.change(target)?)))
    }

    /// Why a target has no bar, in words; none when it has one, and for baselines that nothing is compared
    /// with.
    fn reason(&self, target: usize) -> Option<String> {
        if self.change(target).is_some() {
            return None;
        }
        let Some(row) = self.row(target) else {
            let label = &self.sheet.targets[target].label;
            let noted = self.sheet.details.reasons.get(&self.sheet.metrics[0].id);
            return noted.and_then(|reasons| reasons.get(label)).cloned();
        };
        Some(match (row.baseline_value, row.candidate_value) {
            (Some(before), Some(after)) if before.is_zero() && after.is_zero() => {
                "0 before and after".to_owned()
            }
            (Some(before), Some(_)) if before.is_zero() => "no per cent of a baseline of 0".to_owned(),
            (Some(_), Some(_)) => "no relative change recorded".to_owned(),
            _ if !row.reason.trim().is_empty() => row.reason.trim().to_owned(),
            (None, None) => "neither end has a value".to_owned(),
            (None, _) => format!("{} has no value", row.baseline_version),
            (_, None) => format!("{} has no value", row.candidate_version),
        })
    }
}

/// Draws changes.
///
/// # Errors
/// Rows that are not of this kind; options that name no metric.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    let rows = rows(document)?;
    let changes = Changes { sheet: arrange(document, &rows)?, rows, statistic: OnceCell::new() };
    let sheet = &changes.sheet;
    let percents: Vec<f64> = changes.drawn().map(|(_, change)| percent(change)).collect();
    let shown = axis::inside(&percents);
    let mut axis = axis::axis(&percents, shown);
    axis.title = words::axis_title(&changes);
    let boundaries = boundaries::boundaries(&sheet.targets, &sheet.details.dependencies);
    let caption = words::caption(&changes, &axis);
    let marks = (0..sheet.targets.len()).map(|target| Mark {
        value: changes.change(target).map(percent),
        form: match changes.reason(target) {
            Some(reason) => Form::Absent(reason),
            None => Form::Measured,
        },
        reading: words::reading(&changes, target),
    });
    let newest = changes.drawn().last();
    let line = Line {
        unit: "%".to_owned(),
        last: newest.map_or_else(|| "no change known".to_owned(), |newest| words::signed(newest.1)),
        last_note: newest.map_or_else(String::new, |newest| format!("at {}", sheet.targets[newest.0].label)),
        marks: marks.collect(),
        ..lines::bare(sheet).remove(0)
    };
    let plot = &document.plot;
    Ok(Chart {
        id: plot.id.clone(),
        kind: plot.kind.clone(),
        heading: words::heading(&changes),
        title: words::title(&changes),
        description: super::words::description(sheet, &caption),
        columns: sheet.targets.clone(),
        reference: Some(ReferenceLine { value: 0.0, label: words::reference_label(&changes) }),
        body: Body::Bars(words::directions(&changes)),
        step: None,
        ribbons: boundaries::ribbons(&sheet.targets, &sheet.details.dependencies),
        package_counts: lines::package_counts(sheet),
        rest: words::rest(&changes),
        table: table::table(&changes, &boundaries),
        data: table::data(&changes),
        provenance: super::words::provenance(sheet),
        lines: vec![line],
        axis,
        boundaries,
        caption,
    })
}

/// A part in per cent, finite.
fn percent(part: f64) -> f64 {
    (part * 100.0).clamp(f64::MIN, f64::MAX)
}
