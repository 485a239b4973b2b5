//! From evidence to series: version order, statistics, normalization and comparison.
//!
//! Pure functions. Comes in: [`SourceEvidence`](crate::evidence::SourceEvidence) and the configuration.
//! Goes out: a [`SourceSeries`]: groups of series over one ordered list of targets. Knows nothing of
//! figures, files or pages.

mod catalog;
pub mod dependencies;
pub mod environment;
pub mod finding;
pub mod ids;
mod instant;
pub mod network;
pub mod normalize;
pub mod order;
pub mod profile;
pub mod quotient;
pub mod record;
mod repeated;
mod saved;
pub mod series;
#[cfg(test)]
mod series_tests;
pub mod statistic;
pub mod step;

pub use normalize::{Reference, normalize, normalize_group};
pub use saved::Saved;
pub use series::analyze;
pub use statistic::{Statistic, Summary};

use std::borrow::Cow;

use crate::evidence::plot::Status;
use crate::evidence::{Definition, Integrity, Name, Number, TargetKind};

/// All series of one source.
#[derive(Debug, Clone, Default)]
pub struct SourceSeries {
    /// Every target of the source, in order, hidden ones left out.
    pub targets: Vec<Target>,
    /// Groups, sorted by package, workload, feature, base key, collector, variant.
    pub groups: Vec<Group>,
    /// For each run of the source: the run id that supersedes it (all its points come from newer runs).
    pub superseded_by: Vec<Option<String>>,
    /// Saved documents (positions in the source's plots) that belong to no group, such as figures of several
    /// features.
    pub loose: Vec<usize>,
    /// Saved documents that are equal to another one.
    pub copies: Vec<usize>,
    /// Saved documents whose figures the runs of the source give again.
    pub repeated: Vec<usize>,
}

/// A target of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Label as recorded.
    pub label: Name,
    /// Kind.
    pub kind: TargetKind,
    /// Date, `YYYY-MM-DD`, from the configuration or the evidence.
    pub date: Option<String>,
    /// What sort of date it is.
    pub date_kind: Option<String>,
}

/// The series that share one normalized figure: one package, feature, workload, base key and collector,
/// measured under one environment.
#[derive(Debug, Clone)]
pub struct Group {
    /// Package name; none for foreign producers.
    pub package: Option<Name>,
    /// Feature.
    pub feature: Name,
    /// Workload; the feature where none is known.
    pub workload: Name,
    /// Comparison key without its definition part.
    pub base_key: Name,
    /// Definition id without its `<metric>/` prefix.
    pub collector: Name,
    /// What tells this group apart from another of the same name ("Linux", "2 threads"); none when alone.
    pub variant: Option<String>,
    /// Feature description as planned.
    pub description: String,
    /// Targets of the group in order, planned ones without any value included.
    pub targets: Vec<Target>,
    /// One series per metric: known benchmark metrics first in their fixed order, then by definition order.
    pub series: Vec<Series>,
    /// Whether the group can be one normalized figure (site and stack kinds cannot).
    pub normalizable: bool,
    /// Resolved dependencies per target, aligned with `targets`.
    pub dependencies: Vec<Option<crate::evidence::Dependencies>>,
    /// Names of features that were joined into this one by alias, with the first target of the new name.
    pub joined: Vec<(Name, Name)>,
    /// The saved documents that it was read from; none for groups made from runs.
    pub saved: Option<Saved>,
}

/// The values of one metric, target by target.
#[derive(Debug, Clone)]
pub struct Series {
    /// What the metric means.
    pub definition: Definition,
    /// `sum` for site series; otherwise the chosen statistic applies.
    pub summed: bool,
    /// Aligned with the group's targets.
    pub points: Vec<Point>,
    /// The step that all samples are multiples of, in the definition's unit, when all of them show one.
    pub step: Option<Number>,
    /// The values, ratios and reference of a saved document, as written; none where samples are known. They
    /// stand whatever statistic and reference are asked for.
    pub saved: Option<Normalized>,
}

/// One target's value of one metric.
#[derive(Debug, Clone)]
pub struct Point {
    /// The samples in sum; none when there is no value.
    pub summary: Option<Summary>,
    /// Which run the samples come from (position in the source's runs).
    pub run: Option<usize>,
    /// Position of the sample group in that run.
    pub samples_of: Option<usize>,
    /// Why there is no value, in words; none when there is one.
    pub reason: Option<String>,
}

/// One normalized cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The statistic's value.
    pub value: Option<Number>,
    /// value / reference, correctly rounded.
    pub ratio: Option<f64>,
    /// Which of the five outcomes.
    pub status: Status,
    /// Why there is no value or no ratio although samples were taken, in words; none where the status says
    /// it all.
    pub reason: Option<&'static str>,
}

/// A metric of a group divided by its own reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalized {
    /// The reference value; none when the reference target has none.
    pub reference: Option<Number>,
    /// `minimum`, `maximum`, or the label of the reference target.
    pub reference_target: String,
    /// Name of the statistic: `minimum`, …, `sum`.
    pub statistic: Cow<'static, str>,
    /// Aligned with the group's targets.
    pub cells: Vec<Cell>,
}

/// Integrity of a group: the worst of the runs that its points come from.
pub fn worst_integrity(all: impl IntoIterator<Item = Integrity>) -> Integrity {
    all.into_iter().max().unwrap_or(Integrity::Unverified)
}
