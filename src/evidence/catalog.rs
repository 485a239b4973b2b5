//! What a published gallery says about its figures besides the figures themselves.
//!
//! Source of the forms: PerfChecker formats §4.1. Catalogues are written by exporters of several ages, so every
//! field but the views is optional.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::run::ReleaseDate;
use super::{Dependencies, Number};

/// A catalogue of figures.
#[derive(Debug, Clone, Default)]
pub struct SavedCatalog {
    /// Path of the catalogue below the source.
    pub path: String,
    /// Which of the known forms it has.
    pub form: CatalogForm,
    /// Target labels in the order of the catalogue.
    pub versions: Vec<String>,
    /// What was run, target by target, with what became of it.
    pub checks: Vec<Check>,
    /// Language, version and threads as recorded.
    pub runtime: Map<String, Value>,
    /// Kernel name.
    pub os: Option<String>,
    /// Release date and what sort of date it is, by target label.
    pub release_dates: BTreeMap<String, ReleaseDate>,
    /// Resolved dependencies by target label.
    pub environments: BTreeMap<String, Dependencies>,
    /// Figures that the exporter left out: id and reason.
    pub skipped: Vec<(String, String)>,
    /// The figures, in the order of the catalogue.
    pub views: Vec<View>,
}

/// The forms of a catalogue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CatalogForm {
    /// Views with a wrapper document each.
    #[default]
    Gallery,
    /// Views with their evidence, and an availability per workload and target.
    History,
    /// Views whose documents are tables of several collectors, not plots.
    Collectors,
}

impl CatalogForm {
    /// The form in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Gallery => "gallery",
            Self::History => "history of workloads",
            Self::Collectors => "comparison of collectors",
        }
    }
}

/// One run of one feature or workload at one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Check {
    /// Package name; none where the form has none.
    pub package: Option<String>,
    /// Feature; none where only the workload is named.
    pub feature: Option<String>,
    /// Workload; none where only the feature is named.
    pub workload: Option<String>,
    /// Target label.
    pub target: String,
    /// `pass`, `unavailable`, or another recorded word.
    pub status: String,
    /// Why, when recorded.
    pub reason: Option<String>,
}

/// One figure of a catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Id of the plot.
    pub id: String,
    /// Kind of the plot; none in catalogues whose documents are not plots.
    pub kind: Option<String>,
    /// Title for people.
    pub title: Option<String>,
    /// Short label for people.
    pub label: Option<String>,
    /// Package name.
    pub package: Option<String>,
    /// Feature.
    pub feature: Option<String>,
    /// Workload.
    pub workload: Option<String>,
    /// Base comparison key.
    pub comparison_key: Option<String>,
    /// Collector of a normalized figure.
    pub collector: Option<String>,
    /// Id of the series, for kinds that show one.
    pub series_id: Option<String>,
    /// Presentation tags.
    pub tags: Vec<String>,
    /// The document: the field that names it, and its path below the source.
    pub document: Option<Named>,
    /// The patch windows: label and document.
    pub windows: Vec<(String, Named)>,
    /// Paths below the source of drawings made from the document.
    pub drawings: Vec<String>,
}

/// A file that a field names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The field, such as `views[3].json`.
    pub field: String,
    /// Path below the source.
    pub path: String,
}

/// One document of a comparison of collectors (formats §4.1): values that its writer has converted already,
/// each with the unit it was converted to. Not a plot.
#[derive(Debug, Clone, Default)]
pub struct SavedComparison {
    /// Path below the source.
    pub path: String,
    /// Target label.
    pub target: Option<String>,
    /// What the workloads have in common.
    pub family: Option<String>,
    /// Oracle result for people; proves nothing by itself.
    pub correctness: Option<String>,
    /// Caveat for people.
    pub scope: Option<String>,
    /// The runs that the values come from.
    pub run_ids: Vec<String>,
    /// The values.
    pub records: Vec<ComparisonRecord>,
}

/// One converted value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonRecord {
    /// Workload.
    pub workload: String,
    /// Collector.
    pub collector: String,
    /// Metric.
    pub metric: String,
    /// The value in `unit`; none when it was not measured.
    pub value: Option<Number>,
    /// Unit after the conversion, as written.
    pub unit: String,
    /// How it was converted, in the writer's words.
    pub derivation: Option<String>,
    /// Metric before the conversion.
    pub source_metric: Option<String>,
    /// Unit before the conversion.
    pub source_unit: Option<String>,
    /// How many samples stand behind the value, when recorded.
    pub samples: Option<u64>,
    /// Statistic of the samples.
    pub statistic: Option<String>,
    /// Target label of this value, when recorded.
    pub target: Option<String>,
}
