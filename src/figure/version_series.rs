//! `version_series`: one metric target by target in its own unit, as a document.
//!
//! Source: PerfChecker formats §3.3. The value is the median, or the sum where sites are added up, whatever
//! statistic other figures use.

use serde_json::{Map, Value, json};

use super::document::{self, Context};
use super::{names, scale, sheet};
use crate::analyze::normalize::SUM_TOO_LARGE;
use crate::analyze::{Group, Series, Statistic};
use crate::error::Result;
use crate::evidence::Number;
use crate::evidence::plot::{Details, Plot, PlotDocument};
use crate::evidence::row::{Given, Rows};

/// Name of the kind.
pub const KIND: &str = "version_series";

/// The figure of one series. Targets without samples have no row; the wrapper lists them with their reasons.
pub fn document(context: &Context, group: &Group, series: &Series) -> PlotDocument {
    let statistic = if series.summed { Statistic::Sum } else { Statistic::Median };
    let series_id = document::series_id(group, series);
    let definition = &series.definition;
    let mut values = Vec::new();
    let mut too_large = Vec::new();
    let (mut rows, mut data) = (Rows::default(), Vec::new());
    for (target, point) in group.targets.iter().zip(&series.points) {
        let Some(all) = point.summary.as_ref() else { continue };
        let value = all.get(statistic);
        match value {
            Some(value) => values.push(value),
            None => too_large.push(target.label.to_string()),
        }
        data.push(rows.row([
            ("aggregation", statistic.word().into()),
            ("samples", json!(all.n).into()),
            ("target_kind", target.kind.word().into()),
            ("value", json!(value).into()),
            ("version", Given::Text(&target.label)),
        ]));
    }
    let plot = Plot {
        schema_version: document::schema(group, true).to_owned(),
        id: format!("{}{}", document::id(KIND, &[&series_id]), document::variant_suffix(group)),
        kind: KIND.to_owned(),
        title: document::series_title(context.config, group, series),
        description: format!(
            "{} of the recorded values of each target, in the recorded unit.",
            names::raised(statistic.word())
        ),
        encoding: encoding(),
        data,
        options: document::series_options(group, series, &series_id),
    };
    let mut document = document::wrap(context, group, &[series], plot);
    // The display unit multiplies all values alike, so the recorded ones decide the same.
    let scale = scale::word(scale::decide(values.into_iter().map(Number::as_f64)));
    let targets = group.targets.iter().map(|target| target.label.to_string()).collect();
    if let Some(details) = &mut document.perfolio {
        let reasons = too_large.into_iter().map(|label| (label, SUM_TOO_LARGE.to_owned()));
        details.reasons.entry(definition.metric.to_string()).or_default().extend(reasons);
        details.reasons.retain(|_, reasons| !reasons.is_empty());
    }
    document.perfolio =
        document.perfolio.map(|details| Details { scale: Some(scale.to_owned()), targets, ..details });
    document
}

fn encoding() -> Map<String, Value> {
    [("x", "version"), ("y", "value"), ("color", "target_kind")]
        .map(|(channel, field)| (channel.to_owned(), json!(field)))
        .into_iter()
        .collect()
}

/// Draws a trajectory.
///
/// # Errors
/// Rows that are not of this kind; options that name no metric.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    Ok(super::lines::chart(&sheet::version_series(document)?))
}
