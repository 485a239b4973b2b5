//! The plot document: a figure as it is saved, downloaded, mailed and drawn again.
//!
//! Source of the form: PerfChecker formats §3 (`perfchecker-plot/1`) and design §5 (`perfolio-plot/1`).
//! A document is a wrapper around a plot, or a bare plot. Fields that are not known here are kept in
//! `extra`, so that saving a document again loses nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::row::{Fields, Row};
use super::{Name, Number};

/// Schema of plots that PerfChecker's own vocabulary can express.
pub const PERFCHECKER_PLOT: &str = "perfchecker-plot/1";
/// Schema of all other plots: same fields, wider vocabulary.
pub const PERFOLIO_PLOT: &str = "perfolio-plot/1";

/// A plot document found in a source.
#[derive(Debug, Clone)]
pub struct SavedPlot {
    /// Path below the source.
    pub path: String,
    /// The document.
    pub document: PlotDocument,
    /// The document as it was written, where writing it again would give other bytes; none once it was
    /// masked.
    pub text: Option<Name>,
}

/// A wrapper document (§3.7), or a bare plot with an empty wrapper.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlotDocument {
    /// The plot itself.
    pub plot: Plot,
    /// Run that the values come from, when it is one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Start of that run as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// Language, version and threads.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub runtime: Map<String, Value>,
    /// Kernel name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// Oracle result for people; proves nothing by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correctness: Option<String>,
    /// `not_compared`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance: Option<String>,
    /// Caveat for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Digests of the resolved environments, in digest order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worker_environments: Vec<Value>,
    /// Target label → `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub release_dates: BTreeMap<String, String>,
    /// Target label → what sort of date it is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub release_date_kinds: BTreeMap<String, String>,
    /// What sort of date most labels have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_kind: Option<String>,
    /// Patch windows only: which history the reference comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_scope: Option<String>,
    /// What perfolio knows beyond the PerfChecker form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perfolio: Option<Details>,
    /// Everything else that was in the wrapper.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The plot of §3.1: exactly eight fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// `perfchecker-plot/1` or `perfolio-plot/1`.
    pub schema_version: String,
    /// Id by the rules of §1.5.
    pub id: String,
    /// Kind, such as `normalized_metrics`.
    pub kind: String,
    /// Title for people.
    pub title: String,
    /// Description for people.
    pub description: String,
    /// Channel → data field name.
    pub encoding: Map<String, Value>,
    /// The rows as recorded; typed views are in [`NormalizedRow`], [`VersionRow`], [`SampleRow`] and
    /// [`DeltaRow`].
    #[serde(deserialize_with = "super::row::deserialize")]
    pub data: Vec<Row>,
    /// Options as recorded.
    pub options: Map<String, Value>,
}

/// Where a row or the options of a plot name a target.
pub const TARGETS: [&str; 5] =
    ["version", "target", "selected_version", "baseline_version", "candidate_version"];

/// The targets that a row or the options of a plot name, each in a field of its own.
pub fn targets(fields: &impl Fields) -> impl Iterator<Item = &str> {
    TARGETS.iter().filter_map(|name| fields.field(name)?.as_str())
}

impl PlotDocument {
    /// The targets that the document names besides its rows; one may come several times.
    pub fn listed_targets(&self) -> impl Iterator<Item = &str> {
        let listed = self.plot.options.get("versions").and_then(Value::as_array).into_iter().flatten();
        let details = self.perfolio.iter().flat_map(|details| &details.targets).map(String::as_str);
        targets(&self.plot.options).chain(listed.filter_map(Value::as_str)).chain(details)
    }
}

/// A row of `normalized_metrics` (§3.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NormalizedRow {
    /// Metric id.
    pub metric: Name,
    /// Target label.
    pub version: Name,
    /// Target kind; PerfChecker writes `unavailable` where there is no point.
    pub target_kind: Name,
    /// The statistic's value in `unit`.
    pub value: Option<Number>,
    /// Unit as recorded.
    pub unit: Name,
    /// How many samples stand behind the value.
    #[serde(default)]
    pub samples: u64,
    /// value / reference.
    pub ratio: Option<Number>,
    /// The metric's own reference.
    pub reference_value: Option<Number>,
    /// `minimum`, or the label of the reference target.
    #[serde(default = "nothing")]
    pub reference_version: Name,
    /// Statistic that made the value.
    #[serde(default = "nothing")]
    pub statistic: Name,
    /// One of the five statuses.
    pub normalization_status: Status,
}

/// An absent text.
fn nothing() -> Name {
    Name::from("")
}

/// A row of `version_series` (§3.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionRow {
    /// Target label.
    pub version: Name,
    /// Target kind.
    pub target_kind: Name,
    /// The median, or the sum where `aggregation` says so.
    pub value: Option<Number>,
    /// How many samples (or sites) stand behind the value.
    #[serde(default)]
    pub samples: u64,
    /// `median` or `sum`.
    #[serde(default = "nothing")]
    pub aggregation: Name,
}

/// A row of `time_allocation_tradeoff` (§3.3): the medians of a target that has both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TradeoffRow {
    /// Target label.
    pub version: Name,
    /// Target kind.
    pub target_kind: Name,
    /// Median time in `options.time_unit`; in no known unit where that is absent.
    pub time: Option<Number>,
    /// Median allocated bytes.
    pub bytes: Option<Number>,
}

/// A row of `distribution` (§3.3): one sample.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleRow {
    /// Target label.
    pub version: Name,
    /// Target kind.
    pub target_kind: Name,
    /// The sample in the unit of the options; none when the row gives no number.
    pub value: Option<Number>,
}

/// A row of `version_delta` (§3.3): what changed from a baseline to a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct DeltaRow {
    /// Which rule paired the two, such as `adjacent-release`; empty when not recorded.
    pub relation: Name,
    /// Label of the baseline; a name for a group of targets where `baseline_versions` lists several.
    pub baseline_version: Name,
    /// Label of the candidate.
    pub candidate_version: Name,
    /// The targets behind the baseline; empty when not recorded.
    pub baseline_versions: Vec<String>,
    /// How many samples stand behind the baseline's value.
    pub baseline_samples: u64,
    /// How many samples stand behind the candidate's value.
    pub candidate_samples: u64,
    /// The statistic at the baseline, or its median where the statistic is not recorded.
    pub baseline_value: Option<Number>,
    /// The statistic at the candidate, or its median where the statistic is not recorded.
    pub candidate_value: Option<Number>,
    /// The statistic, such as `median`; empty when not recorded.
    pub sample_statistic: Name,
    /// candidate − baseline.
    pub absolute_delta: Option<Number>,
    /// (candidate − baseline) / |baseline|, as a part of 1; none where the baseline is 0.
    pub relative_delta: Option<Number>,
    /// The limit that was applied.
    pub relative_limit: Option<Number>,
    /// `diagnostic`, `missing`, or what a limit decided; empty when not recorded.
    pub status: Name,
    /// Why, in words; empty when not recorded.
    pub reason: Name,
}

/// What became of one cell of a normalized figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// value / reference.
    Ratio,
    /// Value and reference are zero: shown at 1 by convention.
    BothZero,
    /// The reference is zero and the value is not: there is no ratio.
    ZeroReference,
    /// The reference target has no value of this metric.
    MissingReference,
    /// The target has no value of this metric.
    MissingMeasurement,
}

impl Status {
    /// The recorded word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::BothZero => "both_zero",
            Self::ZeroReference => "zero_reference",
            Self::MissingReference => "missing_reference",
            Self::MissingMeasurement => "missing_measurement",
        }
    }
}

/// What perfolio adds to a wrapper so that a saved figure draws exactly as it did on its page.
/// Everything here is optional: documents of other writers have none of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    /// Title of the feature for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature_title: Option<String>,
    /// Feature → title for people, in figures of several features. There, the maps below whose keys are
    /// metric ids are keyed by feature, except for `metric_titles` and `preferences`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub feature_titles: BTreeMap<String, String>,
    /// Title of the source for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_title: Option<String>,
    /// Metric id → title for people.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metric_titles: BTreeMap<String, String>,
    /// Metric id → `lower`, `higher` or `neutral`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub preferences: BTreeMap<String, super::Preference>,
    /// Metric id → the step that all its samples are multiples of, in the metric's unit (the clock's step).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub steps: BTreeMap<String, Number>,
    /// Metric id that sentences and overviews are about; none means the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// Metric ids shown at first; empty means the first six.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Target label → ISO date, where it is known and not in `release_dates`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dates: BTreeMap<String, String>,
    /// Target label → recorded target kind, for targets whose rows say `unavailable`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub target_kinds: BTreeMap<String, String>,
    /// Target labels without any row: all of the figure's targets in order (kinds without `versions`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Why a cell has no value: metric id → target label → reason in words.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, BTreeMap<String, String>>,
    /// Which run each target's values come from: target label → run id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub runs: BTreeMap<String, String>,
    /// Exceptions to `runs`: metric id → target label → run id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metric_runs: BTreeMap<String, BTreeMap<String, String>>,
    /// Named dependencies per target, in the order of the targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<DependencyRow>,
    /// Number of resolved packages per target, in the order of the targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub package_counts: Vec<Option<u64>>,
    /// Statistic of the samples where it differs from the document's own vocabulary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<String>,
    /// `linear` or `log`, decided once from all values of the complete history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<String>,
    /// The same for the axis across, in figures whose axis across has values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub across_scale: Option<String>,
    /// Which part of the complete history this is, when it was cut by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// What tells this series apart from others of the same name, such as another machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Integrity of the evidence: `verified`, `unverified` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrity: Option<String>,
}

/// The versions of one dependency, target by target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependencyRow {
    /// Package name.
    pub name: String,
    /// Version per target; none where it is not known.
    pub versions: Vec<Option<String>>,
}
