//! `distribution`: every sample of one metric, target by target, as a document and as a chart.
//!
//! Source: PerfChecker formats §3.3. Rows are raw samples; what is drawn over them (quartiles of type 7,
//! whiskers) is computed from the rows and from nothing else.

mod dots;
mod words;

use std::collections::HashMap;

use serde_json::json;

use super::boundaries;
use super::chart::{
    Body, Chart, DataTable, Datum, Form, Line, Mark, Scale, Spread, Table, TableCell, TableRow, Texts,
};
use super::document::{self, Context};
use super::lines;
use super::scale;
use super::sheet::{self, Metric, Sheet};
use crate::analyze::order;
use crate::analyze::statistic::{exact_order, quantile};
use crate::analyze::{Group, Series};
use crate::error::Result;
use crate::evidence::plot::{Details, NormalizedRow, Plot, PlotDocument, SampleRow, Status};
use crate::evidence::row::{Given, Rows};
use crate::evidence::{Name, Number, TargetKind};
use crate::text::number::{self, Column};

/// Name of the kind.
pub const KIND: &str = "distribution";

/// The samples of one series, target by target in their order, each in the recorded order; none for series
/// whose rows are sites, which are parts of one value, and for those without any sample.
pub fn document(context: &Context, group: &Group, series: &Series) -> Option<PlotDocument> {
    if series.summed {
        return None;
    }
    let (mut rows, mut data) = (Rows::default(), Vec::new());
    let mut values = Vec::new();
    for (target, point) in group.targets.iter().zip(&series.points) {
        let found = point.run.zip(point.samples_of);
        let found = found.and_then(|(run, at)| context.source.runs.get(run)?.groups.get(at));
        for sample in found.filter(|_| point.summary.is_some()).into_iter().flat_map(|found| &found.samples) {
            values.push(sample.value.as_f64());
            data.push(rows.row([
                ("target_kind", target.kind.word().into()),
                ("value", json!(sample.value).into()),
                ("version", Given::Text(&target.label)),
            ]));
        }
    }
    if data.is_empty() {
        return None;
    }
    let series_id = document::series_id(group, series);
    let plot = Plot {
        schema_version: document::schema(group, true).to_owned(),
        id: format!("{}{}", document::id(KIND, &[&series_id]), document::variant_suffix(group)),
        kind: KIND.to_owned(),
        title: document::series_title(context.config, group, series),
        description: "Every recorded sample of each target, in the recorded unit.".to_owned(),
        encoding: [("x", "version"), ("y", "value"), ("color", "target_kind")]
            .map(|(channel, field)| (channel.to_owned(), json!(field)))
            .into_iter()
            .collect(),
        data,
        options: document::series_options(group, series, &series_id),
    };
    let mut document = document::wrap(context, group, &[series], plot);
    let scale = scale::word(scale::decide(values));
    let targets = group.targets.iter().map(|target| target.label.to_string()).collect();
    document.perfolio =
        document.perfolio.map(|details| Details { scale: Some(scale.to_owned()), targets, ..details });
    Some(document)
}

/// The rows of a document with their samples, by target.
type Samples = HashMap<Name, Vec<Number>>;

fn rows(document: &PlotDocument) -> Result<Vec<SampleRow>> {
    document.plot.sample_rows().map_err(sheet::in_plot)
}

fn samples(rows: &[SampleRow]) -> Samples {
    let mut found = Samples::new();
    for row in rows {
        let of_target = found.entry(row.version.clone()).or_default();
        of_target.extend(row.value);
    }
    found
}

/// The targets with the median of their samples.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; no metric in the options; too many targets.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    let rows = rows(document)?;
    arrange(document, &rows, &samples(&rows))
}

fn arrange<'a>(document: &'a PlotDocument, rows: &[SampleRow], samples: &Samples) -> Result<Sheet<'a>> {
    let (metric, unit) = sheet::measured(document)?;
    // Rows stand in the order of their file; targets in the order of versions, unless the document has one.
    let mut kinds: HashMap<&str, &str> = HashMap::new();
    for row in rows {
        kinds.insert(&row.version, &row.target_kind);
    }
    let mut labels: Vec<(&str, &str)> = kinds.into_iter().collect();
    // Keys of different labels differ.
    labels.sort_by_cached_key(|(label, kind)| order::key(label, &TargetKind::parse(kind)));
    let [metric_name, unit_name, median_name, none] = [metric, unit, "median", ""].map(Name::from);
    let summed_up = labels.into_iter().map(|(label, kind)| {
        let mut sorted = samples.get(label).cloned().unwrap_or_default();
        sorted.sort_unstable_by(exact_order);
        let median = (!sorted.is_empty()).then(|| quantile(&sorted, 50));
        NormalizedRow {
            metric: metric_name.clone(),
            version: label.into(),
            target_kind: kind.into(),
            normalization_status: if median.is_some() { Status::Ratio } else { Status::MissingMeasurement },
            value: median,
            unit: unit_name.clone(),
            samples: sorted.len() as u64,
            ratio: None,
            reference_value: None,
            reference_version: none.clone(),
            statistic: median_name.clone(),
        }
    });
    let summed_up: Vec<NormalizedRow> = summed_up.collect();
    sheet::single(document, summed_up, &[])
}

/// One target's samples in sum, in the recorded unit.
pub(super) struct Five {
    /// In the recorded order.
    samples: Vec<Number>,
    /// Smallest, first quartile, median, third quartile, largest.
    five: [Number; 5],
}

impl Five {
    fn of(samples: &[Number]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(exact_order);
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        let [low, middle, high] = [25, 50, 75].map(|percent| quantile(&sorted, percent));
        Some(Self { samples: samples.to_vec(), five: [least, low, middle, high, most] })
    }

    /// The smallest and the largest sample within 1.5 times the height of the box around it.
    fn whiskers(&self) -> [f64; 2] {
        let [least, low, _, high, most] = self.five.map(Number::as_f64);
        let reach = (high - low) * 1.5;
        let within = |value: &f64| *value >= low - reach && *value <= high + reach;
        let inside = self.samples.iter().map(|sample| sample.as_f64()).filter(within);
        let ends = inside
            .fold([f64::INFINITY, f64::NEG_INFINITY], |ends, value| [ends[0].min(value), ends[1].max(value)]);
        // The quartiles may lie between samples, but never outside their range.
        if ends[0] <= ends[1] { [ends[0].min(low), ends[1].max(high)] } else { [least, most] }
    }

    fn spread(&self, metric: &Metric) -> Spread {
        let shown = |value: f64| metric.scale.convert(value).clamp(f64::MIN, f64::MAX);
        let several = self.samples.len() > 1;
        Spread {
            samples: self.samples.iter().map(|sample| shown(sample.as_f64())).collect(),
            dots: Vec::new(),
            quartiles: several
                .then(|| [self.five[1], self.five[2], self.five[3]].map(|value| shown(value.as_f64()))),
            whiskers: several.then(|| self.whiskers().map(shown)),
        }
    }
}

/// Draws a distribution.
///
/// # Errors
/// Rows that are not of this kind; options that name no metric.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    let rows = rows(document)?;
    let samples = samples(&rows);
    let sheet = arrange(document, &rows, &samples)?;
    let metric = &sheet.metrics[0];
    let boxes: Vec<Option<Five>> = sheet
        .targets
        .iter()
        .map(|column| samples.get(&*column.label).and_then(|samples| Five::of(samples)))
        .collect();
    let mut spreads: Vec<Option<Spread>> =
        boxes.iter().map(|found| found.as_ref().map(|found| found.spread(metric))).collect();
    let drawn: Vec<f64> = spreads.iter().flatten().flat_map(|spread| &spread.samples).copied().collect();
    let scale = sheet.details.scale.as_deref().and_then(scale::parse);
    let scale = scale.unwrap_or_else(|| scale::decide(drawn.iter().copied()));
    let mut axis = scale::axis(String::new(), &drawn, scale, true);
    axis.title = super::words::axis_title(&sheet, axis.scale);
    dots::choose(&mut spreads, &axis);
    let boundaries = boundaries::boundaries(&sheet.targets, &sheet.details.dependencies);
    let caption = words::caption(&sheet, &boxes, &spreads, axis.scale);
    let marks = (0..sheet.targets.len()).map(|target| {
        let value = sheet.drawn(metric, target);
        Mark {
            value,
            form: match value {
                None => Form::Absent(sheet.reason(metric, target).unwrap_or_default()),
                Some(value) if axis.scale == Scale::Log && value <= 0.0 => Form::ZeroOnLog,
                Some(_) => Form::Measured,
            },
            reading: words::reading(&sheet, &boxes, target),
        }
    });
    let marks: Vec<Mark> = marks.collect();
    let line = lines::bare(&sheet).remove(0);
    let several = boxes.iter().flatten().any(|found| found.samples.len() > 1);
    let last = if several && marks.iter().any(|mark| mark.value.is_some()) {
        format!("median {}", line.last)
    } else {
        line.last.clone()
    };
    let line = Line { last, marks, ..line };
    let plot = &document.plot;
    Ok(Chart {
        id: plot.id.clone(),
        kind: plot.kind.clone(),
        heading: words::heading(&sheet),
        title: format!("{}, every sample", super::words::title(&sheet)),
        description: super::words::description(&sheet, &caption),
        columns: sheet.targets.clone(),
        reference: None,
        body: Body::Spreads(spreads),
        step: None,
        ribbons: boundaries::ribbons(&sheet.targets, &sheet.details.dependencies),
        package_counts: lines::package_counts(&sheet),
        rest: words::rest(&sheet, &boxes),
        table: table(&sheet, &boxes, &boundaries),
        data: data(&sheet, &rows),
        provenance: super::words::provenance(&sheet),
        lines: vec![line],
        axis,
        boundaries,
        caption,
    })
}

/// One row per target: date, samples, minimum, quartiles, maximum.
fn table(sheet: &Sheet, boxes: &[Option<Five>], boundaries: &[super::chart::Boundary]) -> Table {
    const COLUMNS: [&str; 5] = ["minimum", "lower quartile", "median", "upper quartile", "maximum"];
    const MEDIAN: usize = 2;
    let metric = &sheet.metrics[0];
    let symbol = metric.scale.symbol();
    let named = |name: &str| if symbol.is_empty() { name.to_owned() } else { format!("{name}, {symbol}") };
    let mut head = vec![sheet.noun().0.to_owned(), "date".to_owned(), "samples".to_owned()];
    head.extend(COLUMNS.map(named));
    let printers: Vec<Column> = (0..COLUMNS.len())
        .map(|at| metric.scale.column(boxes.iter().flatten().map(|found| found.five[at].as_f64())))
        .collect();
    let rows = sheet.targets.iter().zip(boxes).enumerate().map(|(target, (column, found))| {
        let text = |text: String| TableCell { text, ..TableCell::default() };
        let count = found.as_ref().map_or(0, |found| found.samples.len());
        let mut cells = vec![
            text(column.date.clone().unwrap_or_default()),
            TableCell { text: number::whole(count as i128), numeric: true, ..TableCell::default() },
        ];
        for (at, printer) in printers.iter().enumerate() {
            let line = (at == MEDIAN).then_some(0);
            cells.push(match found {
                Some(found) => TableCell {
                    text: super::table::printed(metric, found.five[at], *printer),
                    exact: Some(found.five[at]),
                    numeric: true,
                    line,
                    ..TableCell::default()
                },
                None if at == MEDIAN => {
                    let reason = sheet.reason(metric, target).unwrap_or_default();
                    TableCell { line, ..text(format!("— {reason}")) }
                }
                None => text("—".to_owned()),
            });
        }
        TableRow {
            target: column.label.clone(),
            boundary: target > 0 && boundaries.iter().any(|rule| rule.before == target),
            cells,
        }
    });
    Table {
        summary: format!("Values, quartiles of {}", super::words::extent(sheet, false)),
        caption: "Quartiles by linear interpolation between neighbouring samples (type 7).".to_owned(),
        head,
        rows: rows.collect(),
    }
}

/// Every row of the document.
fn data(sheet: &Sheet, rows: &[SampleRow]) -> DataTable {
    const HEAD: [&str; 8] = ["metric", "target", "target_kind", "date", "sample", "value", "unit", "run_id"];
    let mut texts = Texts::default();
    let metric = &sheet.metrics[0];
    let [id, unit] = [&metric.id, &metric.unit].map(|text| Name::from(text.as_str()));
    let places: HashMap<&str, usize> =
        sheet.targets.iter().enumerate().map(|(at, column)| (column.label.as_str(), at)).collect();
    let mut counts = vec![0_u64; sheet.targets.len()];
    let rows = rows.iter().filter_map(|row| {
        let target = *places.get(&*row.version)?;
        counts[target] += 1;
        Some(vec![
            Datum::name(&id),
            Datum::name(&row.version),
            Datum::name(&row.target_kind),
            texts.text(0, sheet.targets[target].date.as_deref().unwrap_or_default()),
            Datum::count(counts[target]),
            Datum::number(row.value),
            Datum::name(&unit),
            texts.text(1, sheet.run(metric, target).unwrap_or_default()),
        ])
    });
    DataTable { rows: rows.collect(), head: HEAD.map(str::to_owned).to_vec() }
}
