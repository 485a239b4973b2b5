//! A line document taken apart: targets across, metrics down, one row of the document per cell.
//!
//! This is the only place that looks into rows. Nothing is computed anew: values and ratios stay those of
//! the document, whoever wrote it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, hash_map};

use super::chart::Column;
use super::names;
use crate::analyze::order::Version;
use crate::error::{Error, Place, Result};
use crate::evidence::plot::{Details, NormalizedRow, Plot, PlotDocument, Status};
use crate::evidence::{Name, Number};
use crate::text::date::Date;
use crate::text::unit::{Scale, Unit};

/// Most cells (metrics × targets) of one figure; a hostile document could ask for millions with few rows.
const MOST_CELLS: usize = 1_000_000;
/// Most metrics of one figure.
const MOST_METRICS: usize = 1_000;

/// Which number of a row is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// The ratio to the metric's own reference.
    Ratio,
    /// The value in the metric's own unit.
    Value,
}

/// A document taken apart.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    /// The document.
    pub document: Cow<'a, PlotDocument>,
    /// What perfolio added to it; empty for other writers.
    pub details: Cow<'a, Details>,
    /// Which number is drawn.
    pub drawn: Drawn,
    /// Targets in the order of the document.
    pub targets: Vec<Column>,
    /// The rows in the order of the document, without numbers that their own status denies.
    pub rows: Vec<NormalizedRow>,
    /// Position in `rows` → what a row gives although its status says that there is none.
    denied: BTreeMap<usize, Number>,
    /// Metrics in the order of the document; features where one metric of several is shown.
    pub metrics: Vec<Metric>,
    /// The metric that all lines show, where the lines are features.
    pub overlaid: Option<Overlaid>,
}

/// The one metric of a sheet whose lines are features.
#[derive(Debug)]
pub(super) struct Overlaid {
    /// Metric id.
    pub id: String,
    /// Name for people.
    pub name: names::Name,
}

/// One metric of a sheet.
#[derive(Debug)]
pub(super) struct Metric {
    /// Metric id.
    pub id: String,
    /// Unit as recorded.
    pub unit: String,
    /// Name for people.
    pub name: names::Name,
    /// Slot from 1.
    pub slot: usize,
    /// Display unit of all its values and of the reference.
    pub scale: Scale,
    /// Step that all samples are multiples of, in the recorded unit.
    pub step: Option<f64>,
    /// Position in [`Sheet::rows`] per target; none where the document has no row.
    pub cells: Vec<Option<usize>>,
}

/// The rows of `normalized_metrics`.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; too many cells.
pub(super) fn normalized(document: &PlotDocument) -> Result<Sheet<'_>> {
    let rows = normalized_rows(document)?;
    let listed = document.plot.options.get("versions").and_then(|list| list.as_array());
    let listed: Vec<&str> = listed.into_iter().flatten().filter_map(|label| label.as_str()).collect();
    build(document, rows, &listed, Drawn::Ratio)
}

/// The rows of `version_series`; all of them are one metric.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; no metric in the options; too many cells.
pub(super) fn version_series(document: &PlotDocument) -> Result<Sheet<'_>> {
    let (metric, unit) = measured(document)?;
    let [metric, unit, none, median] = [metric, unit, "", "median"].map(Name::from);
    let rows = document
        .plot
        .version_rows()
        .map_err(in_plot)?
        .into_iter()
        .map(|row| NormalizedRow {
            metric: metric.clone(),
            version: row.version,
            target_kind: row.target_kind,
            normalization_status: if row.value.is_some() {
                Status::Ratio
            } else {
                Status::MissingMeasurement
            },
            value: row.value,
            unit: unit.clone(),
            samples: row.samples,
            ratio: None,
            reference_value: None,
            reference_version: none.clone(),
            statistic: if row.aggregation.is_empty() { median.clone() } else { row.aggregation },
        })
        .collect();
    single(document, rows, &[])
}

/// The metric and the unit of a document of one metric.
///
/// # Errors
/// No metric in the options.
pub(super) fn measured(document: &PlotDocument) -> Result<(&str, &str)> {
    let option = |name: &str| document.plot.options.get(name).and_then(|value| value.as_str());
    let metric = option("metric").ok_or_else(|| {
        Error::evidence("the plot's options name no metric").at(Place::default().field("plot.options.metric"))
    })?;
    Ok((metric, option("unit").unwrap_or_default()))
}

/// Arranges the rows of one metric; there is one line, also without any row.
///
/// # Errors
/// As [`measured`] and [`build`].
pub(super) fn single<'a>(
    document: &'a PlotDocument,
    rows: Vec<NormalizedRow>,
    listed: &[&str],
) -> Result<Sheet<'a>> {
    let (metric, unit) = measured(document)?;
    let mut sheet = build(document, rows, listed, Drawn::Value)?;
    if sheet.metrics.is_empty() {
        let cells = vec![None; sheet.targets.len()];
        sheet.metrics.push(sheet.metric(metric, unit, 1, cells));
        sheet.metrics[0].slot = names::slots([metric])[0];
    }
    Ok(sheet)
}

/// The rows of a document of ratios.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type.
pub(super) fn normalized_rows(document: &PlotDocument) -> Result<Vec<NormalizedRow>> {
    document.plot.normalized_rows().map_err(in_plot)
}

/// A row's error as one of the document.
pub(super) fn in_plot(mut error: Error) -> Error {
    error.message = format!("a row of the plot cannot be read: {}", error.message);
    error.place.field = error.place.field.map(|field| format!("plot.{field}"));
    error
}

/// Takes away what a row's own status denies: a value where nothing is measured, a ratio where there is none.
/// Whoever wrote the document meant one of the two, and a number that is shown must not be in doubt.
fn deny(rows: &mut [NormalizedRow]) -> BTreeMap<usize, Number> {
    let mut denied = BTreeMap::new();
    for (at, row) in rows.iter_mut().enumerate() {
        let found = match row.normalization_status {
            Status::MissingMeasurement => {
                let ratio = row.ratio.take();
                row.value.take().or(ratio)
            }
            Status::ZeroReference | Status::MissingReference => row.ratio.take(),
            Status::Ratio | Status::BothZero => None,
        };
        denied.extend(found.map(|number| (at, number)));
    }
    denied
}

/// Whether a figure of so many targets and lines can be drawn.
///
/// # Errors
/// Too many lines or cells.
pub fn fits((targets, lines): (usize, usize)) -> Result<()> {
    if lines.saturating_mul(targets) > MOST_CELLS || lines > MOST_METRICS {
        return Err(Error::evidence(format!(
            "the plot has more than {MOST_METRICS} metrics or {MOST_CELLS} cells; it cannot be drawn"
        )));
    }
    Ok(())
}

/// Arranges rows by line and target; `listed` targets come first.
///
/// # Errors
/// Too many lines or cells.
pub(super) fn build<'a>(
    document: &'a PlotDocument,
    mut rows: Vec<NormalizedRow>,
    listed: &[&str],
    drawn: Drawn,
) -> Result<Sheet<'a>> {
    let denied = deny(&mut rows);
    let details = match &document.perfolio {
        Some(details) => Cow::Borrowed(details),
        None => Cow::Owned(Details::default()),
    };
    // Listed targets first; rows of unlisted ones are evidence too and follow in their own order.
    let mut labels: Vec<&str> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let known = listed.iter().copied().chain(details.targets.iter().map(String::as_str));
    for label in known {
        if let hash_map::Entry::Vacant(entry) = places.entry(label) {
            entry.insert(labels.len());
            labels.push(label);
        }
    }
    // Most rows follow the order of the targets.
    let mut columns: Vec<usize> = Vec::with_capacity(rows.len());
    for row in &rows {
        let label = &*row.version;
        let next = columns.last().map_or(0, |last| last + 1);
        let next = if next < labels.len() { next } else { 0 };
        columns.push(if labels.get(next).is_some_and(|known| *known == label) {
            next
        } else {
            *places.entry(label).or_insert_with(|| {
                labels.push(label);
                labels.len() - 1
            })
        });
    }
    // Values of different units are never one line, even if a document gives them one metric id.
    let mut lines: Vec<(String, String, Vec<Option<usize>>)> = Vec::new();
    let mut line_at: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut line = None;
    let mut kinds: Vec<Option<&str>> = vec![None; labels.len()];
    for (at, (row, &column)) in rows.iter().zip(&columns).enumerate() {
        let same = line.filter(|&line: &usize| *lines[line].0 == *row.metric && *lines[line].1 == *row.unit);
        let found = same.or_else(|| line_at.get(&(&*row.metric, &*row.unit)).copied());
        let own = if let Some(found) = found {
            found
        } else {
            fits((labels.len(), lines.len() + 1))?;
            lines.push((row.metric.to_string(), row.unit.to_string(), vec![None; labels.len()]));
            line_at.insert((&row.metric, &row.unit), lines.len() - 1);
            lines.len() - 1
        };
        line = Some(own);
        // The last row of a metric and target wins, as in PerfChecker (formats §6, trap 15).
        lines[own].2[column] = Some(at);
        if *row.target_kind != *"unavailable" && !row.target_kind.is_empty() {
            kinds[column] = Some(&row.target_kind);
        }
    }
    let targets = labels
        .iter()
        .zip(&kinds)
        .map(|(label, &kind)| Column {
            label: (*label).to_owned(),
            date: date(document, &details, label),
            kind: kind
                .or_else(|| details.target_kinds.get(*label).map(String::as_str))
                .unwrap_or_else(|| guessed(label))
                .to_owned(),
        })
        .collect();
    let slots = names::slots(lines.iter().map(|line| line.0.as_str()));
    let mut sheet = Sheet {
        document: Cow::Borrowed(document),
        details,
        drawn,
        targets,
        rows,
        denied,
        metrics: Vec::new(),
        overlaid: None,
    };
    for ((id, unit, cells), slot) in lines.into_iter().zip(slots) {
        let mut metric = sheet.metric(&id, &unit, slot, cells);
        if sheet.metrics.iter().any(|other| other.id == id) {
            metric.name.running = format!("{} [{unit}]", metric.name.running);
            metric.name.start = format!("{} [{unit}]", metric.name.start);
        }
        sheet.metrics.push(metric);
    }
    Ok(sheet)
}

fn date(document: &PlotDocument, details: &Details, label: &str) -> Option<String> {
    let text = document.release_dates.get(label).or_else(|| details.dates.get(label))?;
    Date::parse(text).map(|date| date.to_string())
}

/// The sort of a target that no row and no detail names.
pub(super) fn guessed(label: &str) -> &'static str {
    if label.starts_with("dev@") {
        "dev"
    } else if Version::parse(label).is_some() {
        "release"
    } else {
        "target"
    }
}

impl Sheet<'_> {
    /// The sheet with one of its metrics, or without any, and without what overviews do not say: small
    /// enough to keep thousands.
    pub(super) fn reduced(self, metric: Option<usize>) -> Sheet<'static> {
        let PlotDocument { plot, .. } = &*self.document;
        let document = PlotDocument {
            run_id: self.document.run_id.clone(),
            reference_scope: self.document.reference_scope.clone(),
            plot: Plot {
                id: plot.id.clone(),
                kind: plot.kind.clone(),
                options: plot
                    .options
                    .iter()
                    .filter(|(_, value)| !value.is_array())
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect(),
                ..Plot::default()
            },
            ..PlotDocument::default()
        };
        let none = Name::from("");
        let mut rows = Vec::new();
        let mut denied = BTreeMap::new();
        let mut metrics: Vec<Metric> = self
            .metrics
            .into_iter()
            .enumerate()
            .filter(|(at, _)| Some(*at) == metric)
            .map(|(_, metric)| metric)
            .collect();
        let mut all: Vec<Option<NormalizedRow>> = self.rows.into_iter().map(Some).collect();
        for cell in metrics.iter_mut().flat_map(|metric| &mut metric.cells) {
            *cell = cell.and_then(|at| {
                let mut row = all.get_mut(at)?.take()?;
                // Its place says these.
                for told in [&mut row.metric, &mut row.unit, &mut row.version, &mut row.target_kind] {
                    *told = none.clone();
                }
                denied.extend(self.denied.get(&at).map(|number| (rows.len(), *number)));
                rows.push(row);
                Some(rows.len() - 1)
            });
        }
        let mut details = self.details.into_owned();
        details.runs.clear();
        details.metric_runs.clear();
        details.dates.clear();
        details.package_counts.clear();
        Sheet {
            document: Cow::Owned(document),
            details: Cow::Owned(details),
            drawn: self.drawn,
            targets: self.targets,
            rows,
            denied,
            metrics,
            overlaid: self.overlaid,
        }
    }

    /// A line of the sheet.
    pub(super) fn metric(&self, id: &str, unit: &str, slot: usize, cells: Vec<Option<usize>>) -> Metric {
        let rows = cells.iter().flatten().map(|&at| &self.rows[at]);
        let values = rows.flat_map(|row| [row.value, row.reference_value]).flatten().map(Number::as_f64);
        Metric {
            id: id.to_owned(),
            unit: unit.to_owned(),
            name: names::metric(id, &self.details.metric_titles),
            slot,
            scale: Unit::parse(unit).scale(values),
            step: self.details.steps.get(id).map(|step| step.as_f64()).filter(|&step| step > 0.0),
            cells,
        }
    }

    /// The row of a cell.
    pub(super) fn row(&self, metric: &Metric, target: usize) -> Option<&NormalizedRow> {
        metric.cells.get(target).copied().flatten().map(|at| &self.rows[at])
    }

    /// The drawn number of a cell: a ratio, or a value in the metric's display unit.
    pub(super) fn drawn(&self, metric: &Metric, target: usize) -> Option<f64> {
        let row = self.row(metric, target)?;
        match self.drawn {
            Drawn::Ratio => match row.normalization_status {
                Status::Ratio | Status::BothZero => row.ratio.map(Number::as_f64),
                _ => None,
            },
            Drawn::Value => {
                row.value.map(|value| metric.scale.convert(value.as_f64()).clamp(f64::MIN, f64::MAX))
            }
        }
    }

    /// The drawn numbers of all cells.
    pub(super) fn all_drawn(&self) -> Vec<f64> {
        let metrics = self.metrics.iter();
        metrics
            .flat_map(|metric| (0..self.targets.len()).filter_map(|target| self.drawn(metric, target)))
            .collect()
    }

    /// The recorded value of a cell.
    pub(super) fn value(&self, metric: &Metric, target: usize) -> Option<Number> {
        self.row(metric, target).and_then(|row| row.value)
    }

    /// Why a cell is not drawn or has no value, in words; none when it has all that it should have.
    pub(super) fn reason(&self, metric: &Metric, target: usize) -> Option<String> {
        if self.drawn(metric, target).is_some() {
            let value = self.value(metric, target).is_some();
            return (!value).then(|| "a ratio without a value is recorded".to_owned());
        }
        let at = metric.cells.get(target).copied().flatten();
        if let Some(number) = at.and_then(|at| self.denied.get(&at)) {
            return Some(match self.row(metric, target).map(|row| row.normalization_status) {
                Some(Status::ZeroReference) => {
                    format!("no ratio: the reference is recorded as 0, yet a ratio of {number} is given")
                }
                Some(Status::MissingReference) => {
                    format!(
                        "no ratio: the reference is recorded as missing, yet a ratio of {number} is given"
                    )
                }
                _ => format!("recorded as not measured, yet {number} is given"),
            });
        }
        let label = &self.targets[target].label;
        let noted = self.details.reasons.get(&metric.id).and_then(|reasons| reasons.get(label));
        if let Some(noted) = noted {
            return Some(noted.clone());
        }
        Some(
            match self.row(metric, target).map(|row| row.normalization_status) {
                None | Some(Status::MissingMeasurement) => "not measured",
                Some(Status::ZeroReference) => "no ratio: the reference is 0",
                Some(Status::MissingReference) => "no ratio: the reference has no value",
                Some(Status::Ratio | Status::BothZero) => "no ratio recorded",
            }
            .to_owned(),
        )
    }

    /// Which run a cell's value comes from.
    pub(super) fn run(&self, metric: &Metric, target: usize) -> Option<&str> {
        let label = &self.targets[target].label;
        let own = self.details.metric_runs.get(&metric.id).and_then(|runs| runs.get(label));
        let run = own.or_else(|| self.details.runs.get(label)).or(self.document.run_id.as_ref());
        let measured = self.row(metric, target).is_some_and(|row| row.value.is_some() || row.samples > 0);
        run.filter(|_| measured).map(String::as_str)
    }

    /// The metric that sentences and the step label are about: the configured one, else the first. Of
    /// several features, the one with the largest step.
    pub(super) fn main(&self) -> Option<usize> {
        if self.overlaid.is_some() {
            return super::overlay::leading(self).map(|leading| leading.0);
        }
        let named = self.details.main.as_ref();
        named
            .and_then(|id| self.metrics.iter().position(|metric| metric.id == *id))
            .or_else(|| (!self.metrics.is_empty()).then_some(0))
    }

    /// The name of what a line shows: `wall time`, or `wall time of plain` among several features.
    pub(super) fn full_name(&self, metric: &Metric) -> names::Name {
        match &self.overlaid {
            None => metric.name.clone(),
            Some(Overlaid { name, .. }) => names::Name {
                running: format!("{} of {}", name.running, metric.name.running),
                start: format!("{} of {}", name.start, metric.name.running),
                plural: name.plural,
            },
        }
    }

    /// The noun of the lines in one and in many.
    pub(super) fn line_noun(&self) -> (&'static str, &'static str) {
        if self.overlaid.is_some() { ("feature", "features") } else { ("metric", "metrics") }
    }

    /// The noun of the targets: release(s) when all are releases.
    pub(super) fn noun(&self) -> (&'static str, &'static str) {
        names::targets(self.targets.iter().map(|target| target.kind.as_str()))
    }
}

/// A value in the metric's display unit, whole amounts exactly.
pub(super) fn show(metric: &Metric, value: Number) -> String {
    match value.as_whole() {
        Some(whole) if whole.abs() < 1 << 64 => metric.scale.show_whole(whole),
        _ => metric.scale.show(value.as_f64()),
    }
}
