//! One run: its identity, where and how it ran, what it planned and what it observed.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Definition, Name, Number};

/// One execution that produced evidence.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Folder of the bundle below the source, with forward slashes; `.` when the source is the bundle.
    pub path: String,
    /// Identity of the logical run, repeated in every record.
    pub run_id: String,
    /// Identity of the physical attempt.
    pub attempt_id: String,
    /// Whether the run finished.
    pub state: RunState,
    /// `fresh`, `reused`, or another recorded word. The writer's own label; it proves nothing by itself.
    pub evidence: String,
    /// The suite's verdict as recorded.
    pub verdict: Option<String>,
    /// Suite id.
    pub suite: String,
    /// Suite profile (`quick`, `ci`, `historical`, `release`).
    pub profile: Option<String>,
    /// Start as recorded: UTC without a zone suffix, or any text; empty texts are none.
    pub started_at: Option<String>,
    /// End as recorded; see `started_at`.
    pub finished_at: Option<String>,
    /// `runtime` of the manifest as recorded.
    pub runtime: Map<String, Value>,
    /// `environment` of the manifest as recorded.
    pub environment: Map<String, Value>,
    /// Whether the bundle's digests were there and right.
    pub integrity: Integrity,
    /// Whether it is known from saved documents only: then there are no samples, no plan and no digests.
    pub saved: bool,
    /// Whether lines of it could not be read or were refused.
    pub unread: bool,
    /// Presentation tags.
    pub tags: Vec<String>,
    /// Warnings of the writer.
    pub warnings: Vec<String>,
    /// Release date and what sort of date it is, by target label.
    pub release_dates: BTreeMap<String, ReleaseDate>,
    /// The state of the sources that were measured, in recorded order: no target's place in it means anything.
    pub sources: Vec<SourceState>,
    /// What the run meant to do; the only place that lists targets which produced nothing.
    pub planned: Vec<PlannedRun>,
    /// What each metric means, in the order of the file.
    pub definitions: Vec<Definition>,
    /// Accepted observations, grouped; groups are sorted by key, samples by (table, index, value).
    pub groups: Vec<SampleGroup>,
    /// What the run said about its cases.
    pub diagnostics: Vec<Diagnostic>,
    /// One entry per planned run: oracle result, verdict and resolved dependencies.
    pub qualifications: Vec<Qualification>,
}

/// A release date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseDate {
    /// `YYYY-MM-DD`.
    pub date: String,
    /// What sort of date it is, such as "GitHub release publication date".
    pub kind: Option<String>,
}

/// The state of the sources of a target when they were measured (`source_provenance`, formats §2.5).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceState {
    /// Target label, when recorded.
    pub target: Option<String>,
    /// Revision.
    pub revision: Option<String>,
    /// The revision that was asked for.
    pub requested_revision: Option<String>,
    /// Branch.
    pub branch: Option<String>,
    /// Whether there were changes that no revision holds.
    pub dirty: Option<bool>,
    /// Digest of those changes.
    pub dirty_sha256: Option<String>,
    /// Why the state is not known.
    pub error: Option<String>,
}

impl SourceState {
    /// Whether anything is known but the target.
    pub fn is_known(&self) -> bool {
        let texts = [&self.revision, &self.requested_revision, &self.branch, &self.dirty_sha256, &self.error];
        self.dirty.is_some() || texts.into_iter().any(Option::is_some)
    }
}

/// Whether a run finished.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunState {
    /// Everything that was planned ran.
    Complete,
    /// Nothing records it.
    Unknown,
    /// Some of it ran, or some of it could not be read.
    #[default]
    Partial,
    /// It failed; what it measured before is still evidence.
    Failed,
}

impl RunState {
    /// The recorded word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Unknown => "not recorded",
        }
    }
}

/// Whether the digests of a bundle were there and right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Integrity {
    /// All five documents match their digests.
    Verified,
    /// The bundle carries no digests.
    #[default]
    Unverified,
    /// A digest, size or name is wrong; nothing of the run is believed.
    Failed,
}

impl Integrity {
    /// The word used in `inspect` and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Unverified => "unverified",
            Self::Failed => "failed",
        }
    }
}

/// What sort of thing was measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A published version.
    Release,
    /// The working tree.
    Dev,
    /// A candidate chosen by a person.
    Candidate,
    /// A commit.
    Commit,
    /// A branch.
    Branch,
    /// One of several programs that do the same work.
    Implementation,
    /// Another recorded word.
    Other(Name),
}

impl TargetKind {
    /// Reads the recorded word.
    pub fn parse(word: &str) -> Self {
        match word {
            "release" => Self::Release,
            "dev" => Self::Dev,
            "candidate" => Self::Candidate,
            "commit" => Self::Commit,
            "branch" => Self::Branch,
            "implementation" => Self::Implementation,
            other => Self::Other(other.into()),
        }
    }

    /// The recorded word.
    pub fn word(&self) -> &str {
        match self {
            Self::Release => "release",
            Self::Dev => "dev",
            Self::Candidate => "candidate",
            Self::Commit => "commit",
            Self::Branch => "branch",
            Self::Implementation => "implementation",
            Self::Other(word) => word,
        }
    }
}

/// One planned run (`plan.runs[i]`, PerfChecker formats §2.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRun {
    /// Package name.
    pub package: Name,
    /// Package suite id, which case ids use.
    pub package_id: Name,
    /// Feature.
    pub feature: Name,
    /// Workload; none when not recorded.
    pub workload: Option<Name>,
    /// Description of the feature.
    pub description: String,
    /// Backend.
    pub backend: String,
    /// Target label.
    pub target: Name,
    /// Target kind.
    pub kind: TargetKind,
    /// Base comparison key; empty when unavailable.
    pub comparison_key: Name,
    /// `ready` or `unavailable`.
    pub status: String,
    /// Why it is unavailable; empty otherwise.
    pub reason: String,
}

/// All samples of one metric, feature, target and table of a run.
#[derive(Debug, Clone)]
pub struct SampleGroup {
    /// What they are samples of.
    pub key: GroupKey,
    /// The samples, sorted by (table, index, value).
    pub samples: Vec<Sample>,
    /// Whether they are parts of a profile, each with its own stack or source line: weights to be summed, no
    /// repeated measurements.
    pub parts: bool,
}

/// What a group of samples is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey {
    /// Case id; joins diagnostics and qualifications.
    pub case_id: Name,
    /// Package name; none for foreign producers.
    pub package: Option<Name>,
    /// Feature; the case id where not recorded.
    pub feature: Name,
    /// Workload; none when not recorded.
    pub workload: Option<Name>,
    /// Target label.
    pub target: Name,
    /// Target kind; none when not recorded.
    pub kind: Option<TargetKind>,
    /// Position of the definition in [`Run::definitions`].
    pub definition: u32,
    /// Comparison key without its `::<definition>` part; empty when not recorded.
    pub base_key: Name,
    /// `sample`, `collector_envelope` or another recorded word.
    pub aggregation: Name,
    /// Recorded scope.
    pub scope: Name,
}

/// One recorded value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// `attributes.table_index`; 0 when not recorded.
    pub table: u32,
    /// `sample_index`; 0 when not recorded.
    pub index: u32,
    /// The value in the definition's unit.
    pub value: Number,
}

/// One line of `diagnostics.jsonl` (PerfChecker formats §2.8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// Case id.
    pub case_id: String,
    /// Target label; none in failed-provider records.
    pub target: Option<String>,
    /// Rule, such as `feature.unavailable`.
    pub rule: String,
    /// `info`, `warning`, `error` or any text.
    pub severity: String,
    /// Message; may hold a whole stack trace.
    pub message: String,
    /// `evidence.status`, when recorded.
    pub status: Option<String>,
    /// The resource envelope, when it is what the line is about: it says nothing about whether the case passed.
    pub envelope: Option<Envelope>,
}

/// What a process used around one collection of samples (`perfchecker-resource-envelope/1`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// How long the collection took, in seconds.
    pub elapsed_seconds: Option<Number>,
    /// Whether memory outside of the runtime was to be watched.
    pub external_requested: Option<bool>,
    /// Memory of the process and outside of the runtime, before and after, in this order.
    pub moments: Vec<Moment>,
}

/// Memory at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moment {
    /// `process_before`, `process_after`, `external_before`, `external_after`.
    pub name: String,
    /// What counted.
    pub provider: Option<String>,
    /// `observed` or `unavailable`.
    pub status: Option<String>,
    /// Why nothing was counted; none when empty.
    pub message: Option<String>,
    /// The counters that were recorded, by name, in bytes.
    pub bytes: Vec<(String, Number)>,
}

/// What is known about one case and target beyond its samples (`run_qualifications[i]`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qualification {
    /// Case id.
    pub case_id: String,
    /// Target label.
    pub target: String,
    /// Verdict, such as `validated` or `executed`.
    pub verdict: Option<String>,
    /// Oracle status: `passed`, `failed`, `unavailable`, `not_checked`.
    pub correctness: Option<String>,
    /// The oracle's message.
    pub correctness_message: Option<String>,
    /// Resolved dependencies of this target.
    pub dependencies: Option<Dependencies>,
    /// What was asked before the run, in recorded order.
    pub probes: Vec<Probe>,
    /// Whether a comparison was made: `not_compared`, `passed`, `failed`.
    pub performance: Option<String>,
    /// What is said about that.
    pub performance_message: Option<String>,
    /// Whether each sample got a new state: `fresh` or `reuse`.
    pub state_policy: Option<String>,
    /// The resource policy and how it ended.
    pub resources: Option<ResourcePolicy>,
}

/// One question that was asked before a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Probe {
    /// Id.
    pub id: String,
    /// `native`, `runtime`, `service`, `device`, `custom`, or any other word.
    pub category: Option<String>,
    /// Whether the run must not start when it fails.
    pub blocking: Option<bool>,
    /// How it ended, as recorded.
    pub status: Option<String>,
    /// What it said.
    pub message: Option<String>,
}

/// Limits on what a run may use, and how it ended against them (`perfchecker-resource-policy-evaluation/1`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourcePolicy {
    /// `passed`, `failed`, `unavailable`, or any other word.
    pub status: Option<String>,
    /// What is said about it.
    pub message: Option<String>,
    /// The upper limits, by metric.
    pub limits: Vec<(String, Number)>,
    /// What was observed, by metric; none where it could not be.
    pub observed: Vec<(String, Option<Number>)>,
    /// Which limits were broken, in the recorded words.
    pub violations: Vec<String>,
    /// Which metrics could not be had.
    pub unavailable: Vec<String>,
}

/// The resolved dependency manifest of one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// SHA-256 of the manifest file.
    pub manifest_sha256: Option<String>,
    /// The packages that were recorded, by name.
    pub packages: Vec<Package>,
    /// How many packages the manifest holds; larger than `packages` when the list is incomplete, none when
    /// no list was recorded at all.
    pub total: Option<u64>,
}

/// One resolved package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Name.
    pub name: String,
    /// Version, or an empty text for packages without one.
    pub version: String,
    /// Tree hash, when recorded.
    pub tree: Option<String>,
}
