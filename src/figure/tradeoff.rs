//! `time_allocation_tradeoff`: what each target takes in time and in memory, one mark per target.
//!
//! Source: PerfChecker formats §3.2–3.3. Both values are medians, whatever statistic other figures use, and
//! only targets that have both are in the document.

use serde_json::{Map, Value, json};

use super::document::{self, Context};
use super::scale;
use super::sheet::{self, Drawn, Metric, Sheet};
use crate::analyze::{Group, Point, Series, SourceSeries, Statistic};
use crate::error::Result;
use crate::evidence::plot::{Details, NormalizedRow, Plot, PlotDocument, Status, TradeoffRow};
use crate::evidence::row::{Given, Row, Rows};
use crate::evidence::{Name, Number, SourceEvidence};

/// Name of the kind.
pub const KIND: &str = "time_allocation_tradeoff";
/// The metric of the upright axis.
pub(super) const TIME: &str = "julia.wall.time";
/// The metric of the axis across.
pub(super) const BYTES: &str = "julia.alloc.bytes";
/// Units of time that a pair may have, by the format.
const TIME_UNITS: [&str; 6] = ["s", "ms", "us", "\u{b5}s", "\u{3bc}s", "ns"];
/// The unit of allocated bytes.
const BYTE_UNIT: &str = "By";

/// The figure of the group at `position`; none unless it has one series of time and one of allocated bytes,
/// in known units, and at least one target with both.
pub fn document(context: &Context, source: &SourceSeries, position: usize) -> Option<PlotDocument> {
    let group = &source.groups[position];
    let (time, bytes) = pair(source, position)?;
    let data = rows(group, time, bytes);
    if data.is_empty() {
        return None;
    }
    let several = several_collectors(source, group);
    let package = group.package.as_deref().unwrap_or_default();
    let mut parts = vec![package, &group.feature, &group.base_key];
    parts.extend(several.then_some(&*group.collector));
    let (time_unit, byte_unit) = (&*time.definition.unit, &*bytes.definition.unit);
    let mut options = document::options(group, &format!("{time_unit}+{byte_unit}"));
    for (name, value) in [
        ("time_unit", json!(time_unit)),
        ("allocation_unit", json!(byte_unit)),
        ("time_series_id", json!(document::series_id(group, time))),
        ("allocation_series_id", json!(document::series_id(group, bytes))),
        ("unit_source", json!("recorded_series")),
        ("measurement_definitions", json!([&*time.definition.id, &*bytes.definition.id])),
        ("tags", json!(tags(context, group, [time, bytes]))),
        ("workload", json!(&*group.workload)),
        ("collector", json!(&*group.collector)),
    ] {
        options.insert(name.to_owned(), value);
    }
    let collector = if several { format!(" · {}", group.collector) } else { String::new() };
    let plot = Plot {
        schema_version: document::schema(group, true).to_owned(),
        id: document::id(KIND, &parts) + &document::variant_suffix(group),
        kind: KIND.to_owned(),
        title: format!(
            "{} · time against allocated bytes{collector}",
            document::title(context.config, group)
        ),
        description: "Medians of the time and of the allocated bytes of each target that has both, in the \
                      recorded units."
            .to_owned(),
        encoding: encoding(),
        data,
        options,
    };
    let mut document = document::wrap(context, group, &[time, bytes], plot);
    if let Some(details) = &mut document.perfolio {
        complete(details, group, time, bytes);
    }
    Some(document)
}

/// The two series of a group that can be set against each other. Another workload with the same package,
/// feature, key and collector would make it unclear which belong together.
fn pair(source: &SourceSeries, position: usize) -> Option<(&Series, &Series)> {
    let group = &source.groups[position];
    let alike = |other: &Group| {
        other.package == group.package
            && other.feature == group.feature
            && other.base_key == group.base_key
            && other.collector == group.collector
            && other.variant == group.variant
    };
    let only = |metric: &str| {
        let mut found = source
            .groups
            .iter()
            .enumerate()
            .filter(|(_, other)| alike(other))
            .flat_map(|(at, other)| other.series.iter().map(move |one| (at, one)))
            .filter(|(_, one)| *one.definition.metric == *metric);
        let (at, one) = found.next()?;
        (found.next().is_none() && at == position && !one.summed).then_some(one)
    };
    let (time, bytes) = (only(TIME)?, only(BYTES)?);
    let known = TIME_UNITS.contains(&&*time.definition.unit) && *bytes.definition.unit == *BYTE_UNIT;
    known.then_some((time, bytes))
}

/// Whether more than one collector gives a valid pair, so that the id must name it.
fn several_collectors(source: &SourceSeries, group: &Group) -> bool {
    let valid = source.groups.iter().enumerate().filter(|(at, other)| {
        other.package == group.package
            && other.feature == group.feature
            && other.base_key == group.base_key
            && other.variant == group.variant
            && pair(source, *at).is_some()
    });
    valid.count() > 1
}

fn rows(group: &Group, time: &Series, bytes: &Series) -> Vec<Row> {
    let mut made = Rows::default();
    let points = group.targets.iter().zip(time.points.iter().zip(&bytes.points));
    points
        .filter_map(|(target, (time, bytes))| {
            Some(made.row([
                ("bytes", json!(median(bytes)?).into()),
                ("target_kind", target.kind.word().into()),
                ("time", json!(median(time)?).into()),
                ("version", Given::Text(&target.label)),
            ]))
        })
        .collect()
}

fn median(point: &Point) -> Option<Number> {
    point.summary.as_ref()?.get(Statistic::Median)
}

/// Tags of the runs and of the configured feature.
fn tags(context: &Context, group: &Group, pair: [&Series; 2]) -> Vec<String> {
    let source: &SourceEvidence = context.source;
    let points = pair.into_iter().flat_map(|series| &series.points).filter(|point| point.summary.is_some());
    let runs = points.filter_map(|point| source.runs.get(point.run?));
    let mut tags: Vec<String> = runs.flat_map(|run| run.tags.iter().cloned()).collect();
    tags.extend(context.config.feature(&group.feature).tags);
    tags.sort();
    tags.dedup();
    tags
}

/// Adds all targets of the group, their kinds where no row has them, and the scales.
fn complete(details: &mut Details, group: &Group, time: &Series, bytes: &Series) {
    let mut drawn: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for (target, (time, bytes)) in group.targets.iter().zip(time.points.iter().zip(&bytes.points)) {
        let label = target.label.to_string();
        if let (Some(time), Some(bytes)) = (median(time), median(bytes)) {
            drawn[0].push(time.as_f64());
            drawn[1].push(bytes.as_f64());
        } else {
            details.target_kinds.insert(label.clone(), target.kind.word().to_owned());
        }
        details.targets.push(label);
    }
    // The display unit multiplies all values alike, so the recorded ones decide the same.
    let [time, bytes] = drawn.map(|values| Some(scale::word(scale::decide(values)).to_owned()));
    (details.scale, details.across_scale) = (time, bytes);
}

fn encoding() -> Map<String, Value> {
    [("x", "bytes"), ("y", "time"), ("label", "version")]
        .map(|(channel, field)| (channel.to_owned(), json!(field)))
        .into_iter()
        .collect()
}

/// The rows as a sheet of two metrics, the time and the allocated bytes, in this order.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; too many rows.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    let option = |name: &str| document.plot.options.get(name).and_then(Value::as_str).unwrap_or_default();
    // `unit` is the fixed text "s+By" in documents of the first generation, whatever unit the times have.
    let time_unit = option("time_unit");
    let byte_unit = Some(option("allocation_unit")).filter(|unit| !unit.is_empty()).unwrap_or(BYTE_UNIT);
    let rows = document.plot.tradeoff_rows().map_err(sheet::in_plot)?;
    let [time, bytes, units @ ..] = [TIME, BYTES, time_unit, byte_unit].map(Name::from);
    let [median, none] = ["median", ""].map(Name::from);
    let row = |one: &TradeoffRow, metric: &Name, unit: &Name, value: Option<Number>| NormalizedRow {
        metric: metric.clone(),
        version: one.version.clone(),
        target_kind: one.target_kind.clone(),
        value,
        unit: unit.clone(),
        samples: 0,
        ratio: None,
        reference_value: None,
        reference_version: none.clone(),
        statistic: median.clone(),
        normalization_status: if value.is_some() { Status::Ratio } else { Status::MissingMeasurement },
    };
    let times = rows.iter().map(|one| row(one, &time, &units[0], one.time));
    let sizes = rows.iter().map(|one| row(one, &bytes, &units[1], one.bytes));
    let mut sheet = sheet::build(document, times.chain(sizes).collect(), &[], Drawn::Value)?;
    if sheet.metrics.is_empty() {
        for (id, unit, slot) in [(TIME, time_unit, 1), (BYTES, byte_unit, 2)] {
            let cells = vec![None; sheet.targets.len()];
            sheet.metrics.push(sheet.metric(id, unit, slot, cells));
        }
    }
    Ok(sheet)
}

/// Time and allocated bytes of a sheet.
pub(super) fn both<'s>(sheet: &'s Sheet) -> [&'s Metric; 2] {
    [&sheet.metrics[0], &sheet.metrics[1]]
}

/// The drawn place of a target: allocated bytes and time in their display units; none without both.
pub(super) fn place(sheet: &Sheet, target: usize) -> Option<(f64, f64)> {
    let [time, bytes] = both(sheet);
    Some((sheet.drawn(bytes, target)?, sheet.drawn(time, target)?))
}

/// Recorded time and allocated bytes of a target that has both.
pub(super) fn values(sheet: &Sheet, target: usize) -> Option<(Number, Number)> {
    let [time, bytes] = both(sheet);
    Some((sheet.value(time, target)?, sheet.value(bytes, target)?))
}

/// The unit of a metric as a heading has it, with its separator: `, µs`, or that none is recorded.
pub(super) fn unit(metric: &Metric) -> String {
    match metric.scale.symbol() {
        _ if metric.unit.is_empty() => ", unit unspecified".to_owned(),
        "" => String::new(),
        symbol => format!(", {symbol}"),
    }
}

/// A value with its unit, also where none is recorded.
pub(super) fn show(metric: &Metric, value: Number) -> String {
    let shown = sheet::show(metric, value);
    if metric.unit.is_empty() { format!("{shown} (unit unspecified)") } else { shown }
}

/// Writes down the scales of a complete history, for its parts.
pub(super) fn keep_scales(details: &mut Details, sheet: &Sheet) {
    let [time, bytes] = scales(sheet);
    details.scale = Some(scale::word(time).to_owned());
    details.across_scale = Some(scale::word(bytes).to_owned());
}

/// The scales of time and allocated bytes: those that the document fixes, or those that its values ask for.
pub(super) fn scales(sheet: &Sheet) -> [super::chart::Scale; 2] {
    let places: Vec<(f64, f64)> =
        (0..sheet.targets.len()).filter_map(|target| place(sheet, target)).collect();
    let fixed = |word: &Option<String>| word.as_deref().and_then(scale::parse);
    [
        fixed(&sheet.details.scale).unwrap_or_else(|| scale::decide(places.iter().map(|place| place.1))),
        fixed(&sheet.details.across_scale)
            .unwrap_or_else(|| scale::decide(places.iter().map(|place| place.0))),
    ]
}

/// Draws a trade-off.
///
/// # Errors
/// Rows that are not of this kind.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    Ok(super::cloud::chart(&sheet(document)?))
}
