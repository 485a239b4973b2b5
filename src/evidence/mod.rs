//! The evidence model: what readers produce and everything else consumes.
//!
//! Plain types with serde, no input or output. Names that repeat (targets, features, metrics) are shared
//! [`Name`]s; observations are grouped, so that a million samples cost little more than their values.

pub mod catalog;
pub mod definition;
pub mod finding;
pub mod number;
pub mod plot;
pub mod profile;
pub mod record;
pub mod row;
mod rows;
pub mod run;

use std::sync::Arc;

pub use catalog::{SavedCatalog, SavedComparison};
pub use definition::{Definition, Preference};
pub use finding::Finding;
pub use number::Number;
pub use plot::SavedPlot;
pub use profile::Profile;
pub use record::Record;
pub use run::{
    Dependencies, Diagnostic, Envelope, GroupKey, Integrity, Package, PlannedRun, Qualification, Run,
    RunState, Sample, SampleGroup, TargetKind,
};

/// A text that occurs many times and is stored once.
pub type Name = Arc<str>;

/// Everything that one source holds.
#[derive(Debug, Clone, Default)]
pub struct SourceEvidence {
    /// Stable slug of the source.
    pub id: String,
    /// Title for people, when configured.
    pub title: Option<String>,
    /// Path as the user gave it, with forward slashes.
    pub path: String,
    /// Every file that was looked at, by path.
    pub files: Vec<FileEntry>,
    /// The runs, by path.
    pub runs: Vec<Run>,
    /// Saved plot documents, by path.
    pub plots: Vec<SavedPlot>,
    /// Catalogues of published galleries, by path.
    pub catalogs: Vec<SavedCatalog>,
    /// Comparisons of collectors, by path.
    pub comparisons: Vec<SavedComparison>,
    /// Profiles, by path.
    pub profiles: Vec<Profile>,
    /// What tools and diagnosis reports said, by path, in the order of their files.
    pub records: Vec<Record>,
}

/// One file of a source and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Path below the source, with forward slashes.
    pub path: String,
    /// What it was recognised as.
    pub format: Format,
    /// What became of it.
    pub status: FileStatus,
    /// SHA-256 of its bytes in lower-case hex; none when it was not read.
    pub sha256: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
}

/// A recognised file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// One of the documents of a PerfChecker run bundle.
    PerfcheckerBundle,
    /// A PerfChecker or perfolio plot document, bare or wrapped.
    PerfcheckerPlot,
    /// The catalogue of a published gallery, or a document of one that is not a plot.
    PerfcheckerCatalog,
    /// A diagnosis report, raw or as published.
    PerfcheckerDiagnosis,
    /// The summary of a campaign of native tools.
    PerfcheckerNativeSummary,
    /// Heap observations of one process under Massif.
    PerfcheckerMassif,
    /// The objects of a heap snapshot, by type.
    PerfcheckerHeapTypes,
    /// Network counters of one version, of several, or of an isolated process tree.
    PerfcheckerNetwork,
    /// Results of static analysis in the interchange form (SARIF 2.1).
    Sarif,
    /// Not recognised.
    Unknown,
}

impl Format {
    /// The id used by `inspect` and on pages.
    pub fn id(self) -> &'static str {
        match self {
            Self::PerfcheckerBundle => "perfchecker-bundle",
            Self::PerfcheckerPlot => "perfchecker-plot",
            Self::PerfcheckerCatalog => "perfchecker-catalog",
            Self::PerfcheckerDiagnosis => "perfchecker-diagnosis",
            Self::PerfcheckerNativeSummary => "perfchecker-native-summary",
            Self::PerfcheckerMassif => "perfchecker-massif",
            Self::PerfcheckerHeapTypes => "perfchecker-heap-types",
            Self::PerfcheckerNetwork => "perfchecker-network",
            Self::Sarif => "sarif",
            Self::Unknown => "unknown",
        }
    }
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileStatus {
    /// Read whole and believed.
    Complete,
    /// Read, but a part of it was refused.
    Incomplete,
    /// Not believed.
    Refused,
    /// Not recognised.
    Unknown,
}

impl FileStatus {
    /// The id used by `inspect` and on pages.
    pub fn id(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}
