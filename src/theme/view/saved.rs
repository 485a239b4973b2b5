//! Saved documents that are listed beside the figures of a page, and comparisons that are no figures.

use serde::Serialize;

use super::Link;

/// Saved plot documents in a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SavedPlots {
    /// Such as "Other saved figures".
    pub heading: String,
    /// Why they stand here, in one sentence.
    pub note: String,
    /// One row per document.
    pub rows: Vec<SavedPlot>,
}

/// A saved plot document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SavedPlot {
    /// Its title.
    pub title: String,
    /// Its kind as written.
    pub kind: String,
    /// How many rows it has.
    pub rows: String,
    /// Why it is listed and not drawn; empty when it speaks for itself.
    pub note: String,
    /// Where it can be opened or saved.
    pub links: Vec<Link>,
}

/// Values of several collectors that whoever published them had converted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Fragment of the page.
    pub id: String,
    /// Such as "Collectors compared: heap".
    pub heading: String,
    /// That the values are converted, and what their publisher says of them.
    pub note: String,
    /// One row per value.
    pub rows: Vec<ComparedValue>,
}

/// A converted value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ComparedValue {
    /// Workload.
    pub workload: String,
    /// Collector.
    pub collector: String,
    /// Metric.
    pub metric: String,
    /// Value with its unit as written; a reason when there is none.
    pub value: String,
    /// Statistic and number of samples; empty when not recorded.
    pub statistic: String,
    /// What was converted, and how.
    pub derivation: String,
}
