//! `normalized_metrics`: every metric of a group divided by its own reference, as a document.
//!
//! Source: PerfChecker formats §3.4. One figure per package, feature, workload, base key and collector, also
//! for a single metric.

use serde_json::{Map, Value, json};

use super::document::{self, Context};
use super::{scale, sheet};
use crate::analyze::normalize::normalize_group;
use crate::analyze::{Cell, Group, Normalized, Point, Reference, Series, Statistic, Target};
use crate::config;
use crate::error::{Error, Place, Result};
use crate::evidence::plot::{Details, Plot, PlotDocument, Status};
use crate::evidence::row::{Given, Row, Rows};

/// Name of the kind.
pub const KIND: &str = "normalized_metrics";

/// What `[normalize]` asks for.
///
/// # Errors
/// A statistic that does not exist.
pub fn settings(context: &Context) -> Result<(Statistic, Reference)> {
    let normalize = &context.config.normalize;
    let statistic = match normalize.statistic.as_deref() {
        None => Statistic::default(),
        Some(word) => Statistic::parse(word).ok_or_else(|| {
            let known: Vec<&str> = Statistic::ALL.iter().map(|statistic| statistic.word()).collect();
            // Flags were looked at before.
            Error::usage(format!("`{word}` is not a statistic"))
                .at(Place::file(config::FILE).field("normalize.statistic"))
                .hint(format!("known are {}", crate::text::list::and(&known)))
        })?,
    };
    Ok((statistic, normalize.reference.as_deref().map(Reference::parse).unwrap_or_default()))
}

/// The figure of a group's complete history; none when the group cannot be normalized or has no metric.
///
/// A group without the configured reference target has values but no ratios (`missing_reference`).
///
/// # Errors
/// A statistic that does not exist.
pub fn document(context: &Context, group: &Group) -> Result<Option<PlotDocument>> {
    if !group.normalizable || group.series.is_empty() {
        return Ok(None);
    }
    let (statistic, reference) = settings(context)?;
    let normalized = normalize_group(group, statistic, &reference);
    Ok(Some(build(context, group, &normalized, statistic, &reference)))
}

/// What an id gets where statistic and reference are not the default.
pub(super) fn settings_suffix(statistic: Statistic, reference: &Reference) -> String {
    let mut suffix = String::new();
    if statistic != Statistic::default() {
        suffix = format!("-{}", statistic.word());
    }
    if *reference != Reference::default() {
        suffix = format!("{suffix}-ref-{}", reference.slug());
    }
    suffix
}

/// What is done with each value, in words, and the one word for it: the reference that all metrics share, else
/// what was asked for.
pub(super) fn relative<'a>(normalized: &'a [Normalized], reference: &'a Reference) -> (String, &'a str) {
    let first = normalized.first().map_or("minimum", |metric| &metric.reference_target);
    let one = normalized.iter().all(|metric| metric.reference_target == first);
    let word = if one { first } else { reference.word() };
    let none = normalized.iter().all(|metric| metric.reference.is_none());
    let words = match word {
        word @ ("minimum" | "maximum") => format!(", divided by its own {word}"),
        "best" => ", divided by its own minimum or maximum".to_owned(),
        word if none => format!("; {}", super::words::no_reference(word)),
        word if one => format!(", divided by its own value at {word}"),
        word => format!(", divided by its own {word} value"),
    };
    (words, word)
}

/// What zeros mean, as an option of the plot.
pub(super) const ZERO_POLICY: &str = "Where value and reference are 0 the ratio is 1 by convention; where only the reference is 0 there is no ratio.";

fn build(
    context: &Context,
    group: &Group,
    normalized: &[Normalized],
    statistic: Statistic,
    reference: &Reference,
) -> PlotDocument {
    let package = group.package.as_deref().unwrap_or_default();
    let parts = [package, &group.feature, &group.workload, &group.base_key, &group.collector];
    let id = document::id(KIND, &parts)
        + &settings_suffix(statistic, reference)
        + &document::variant_suffix(group);
    let expressible = normalized.iter().all(|metric| {
        matches!(&*metric.statistic, "minimum" | "median")
            && (metric.reference_target == "minimum"
                || group.targets.iter().any(|target| *target.label == *metric.reference_target))
    });
    let (relative, reference_word) = relative(normalized, reference);
    let mut options = document::options(group, "ratio");
    options.insert("workload".into(), json!(&*group.workload));
    options.insert("versions".into(), group.targets.iter().map(|target| json!(&*target.label)).collect());
    options.insert("reference_version".into(), json!(reference_word));
    options.insert("statistic".into(), json!(statistic.word()));
    options.insert("collector".into(), json!(&*group.collector));
    options.insert("zero_reference_policy".into(), json!(ZERO_POLICY));
    let plot = Plot {
        schema_version: document::schema(group, expressible).to_owned(),
        id,
        kind: KIND.to_owned(),
        title: format!("{} · relative to {}", document::title(context.config, group), reference_word),
        description: format!(
            "Each metric: {} of the samples of a target{relative}.",
            super::names::statistic(statistic.word())
        ),
        encoding: encoding("metric"),
        data: rows(group, normalized),
        options,
    };
    let all: Vec<_> = group.series.iter().collect();
    let mut document = document::wrap(context, group, &all, plot);
    if let Some(details) = &mut document.perfolio {
        for (series, metric) in group.series.iter().zip(normalized) {
            note_reasons(details, &series.definition.metric, &group.targets, &metric.cells);
        }
    }
    // From every value of the complete history, shown at first or not.
    let drawn = normalized.iter().flat_map(|metric| &metric.cells).filter_map(|cell| cell.ratio);
    let scale = scale::word(scale::decide(drawn));
    document.perfolio = document.perfolio.map(|details| Details { scale: Some(scale.to_owned()), ..details });
    document
}

/// Adds why a point with samples has no value or no ratio.
pub(super) fn note_reasons(details: &mut Details, line: &str, targets: &[Target], cells: &[Cell]) {
    for (target, cell) in targets.iter().zip(cells) {
        let Some(reason) = cell.reason else { continue };
        let reason = if cell.value.is_some() { format!("no ratio: {reason}") } else { reason.to_owned() };
        details.reasons.entry(line.to_owned()).or_default().insert(target.label.to_string(), reason);
    }
}

/// The encoding of ratios over targets, one line per `color`.
pub(super) fn encoding(color: &str) -> Map<String, Value> {
    [("x", "version"), ("y", "ratio"), ("color", color)]
        .map(|(channel, field)| (channel.to_owned(), json!(field)))
        .into_iter()
        .collect()
}

fn rows(group: &Group, normalized: &[Normalized]) -> Vec<Row> {
    let mut made = Rows::default();
    let mut rows = Vec::with_capacity(normalized.len() * group.targets.len());
    for (series, metric) in group.series.iter().zip(normalized) {
        for ((target, point), cell) in group.targets.iter().zip(&series.points).zip(&metric.cells) {
            rows.push(made.row(row(series, metric, target, point, cell)));
        }
    }
    rows
}

/// The fields of one row of the plot.
pub(super) fn row<'a>(
    series: &'a Series,
    normalized: &'a Normalized,
    target: &'a Target,
    point: &Point,
    cell: &Cell,
) -> [(&'static str, Given<'a>); 11] {
    // Samples whose sum is no number were taken all the same.
    let samples = point.summary.as_ref().map_or(0, |all| all.n);
    let missing = cell.status == Status::MissingMeasurement && samples == 0;
    let kind = if missing { "unavailable" } else { target.kind.word() };
    [
        ("metric", (&*series.definition.metric).into()),
        ("normalization_status", cell.status.word().into()),
        ("ratio", json!(cell.ratio).into()),
        ("reference_value", json!(normalized.reference).into()),
        ("reference_version", (&*normalized.reference_target).into()),
        ("samples", json!(samples).into()),
        ("statistic", (&*normalized.statistic).into()),
        ("target_kind", kind.into()),
        ("unit", (&*series.definition.unit).into()),
        ("value", json!(cell.value).into()),
        ("version", (&*target.label).into()),
    ]
}

/// Draws a normalized document.
///
/// # Errors
/// Rows that are not of this kind.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    Ok(super::lines::chart(&sheet::normalized(document)?))
}
