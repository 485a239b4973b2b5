//! What one tool file or diagnosis report says in sum, with its findings.
//!
//! Only what was recorded stands here; what can be computed from it (peaks, medians, throughput) is made by
//! `analyze`. A value that was not recorded is absent, never zero.

use serde_json::{Map, Value};

use super::finding::Finding;
use super::{Name, Number};

/// What one tool said about one execution.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// The file it stands in, below the source.
    pub path: String,
    /// The run it belongs to, when it names one.
    pub run_id: Option<String>,
    /// The package it is about, when it names one.
    pub package: Option<String>,
    /// The feature it is about, when it names one.
    pub feature: Option<String>,
    /// The target it is about. None when the document names none: then it is attributed to no target.
    pub target: Option<String>,
    /// The tool's own name, such as `jet`, `massif`, `network_interface`.
    pub tool: String,
    /// The tool's version.
    pub tool_version: Option<String>,
    /// What became of the tool.
    pub status: Status,
    /// The recorded word for it.
    pub status_recorded: Option<String>,
    /// What is missing in an incomplete report of which nothing says that the tool was stopped, in words.
    pub gap: Option<&'static str>,
    /// The oracle's word: `passed`, `failed`, `not_checked`, `not_confirmed`, or any other.
    pub correctness: Option<String>,
    /// A quality check's word, such as Aqua's `failed`. A failed quality is no failure of the tool.
    pub quality: Option<String>,
    /// What the tool or its runner said in sum, or why there is no result.
    pub message: Option<String>,
    /// What was looked at or measured, in the recorded words.
    pub scope: Option<String>,
    /// What the result does not say, in the recorded words.
    pub limitations: Vec<String>,
    /// Language, its version, threads, as recorded.
    pub runtime: Map<String, Value>,
    /// Operating system.
    pub os: Option<String>,
    /// When it ran, as recorded.
    pub date: Option<String>,
    /// Revision of the sources that were looked at.
    pub revision: Option<String>,
    /// SHA-256 of the dependency manifest.
    pub manifest_sha256: Option<String>,
    /// The recorded headline numbers. Empty unless the status is `complete`.
    pub numbers: Vec<Quantity>,
    /// How many recorded values are kept out because the tool did not complete.
    pub withheld: u64,
    /// Files that the tool wrote, as recorded. They may not be there, and no path among them is followed.
    pub artifacts: Vec<Artifact>,
    /// What else was recorded, by name, as text: `performance`, `repetitions`, `scenario` and the like.
    pub parameters: Vec<(String, String)>,
    /// Output of the tool, verbatim.
    pub output: Option<String>,
    /// What only one sort of tool records. `None` unless the status is `complete`.
    pub details: Details,
    /// The tool's findings in recorded order; none when it keeps no list of findings. An empty list says that
    /// nothing was found in what was looked at.
    pub findings: Option<Vec<Finding>>,
}

impl Record {
    /// Keeps recorded values out when the tool did not complete: they are no results, whatever its exit code.
    /// A failed oracle makes a complete result invalid first. Readers call this last.
    pub fn settle(&mut self) {
        if self.status == Status::Complete && self.correctness.as_deref() == Some("failed") {
            self.status = Status::Invalid;
        }
        if self.status == Status::Complete {
            return;
        }
        self.withheld += self.numbers.len() as u64 + self.details.values();
        self.numbers.clear();
        self.details = Details::None;
    }

    /// How many findings there are; none without a list or when the tool did not complete, because then nobody
    /// knows.
    pub fn finding_count(&self) -> Option<u64> {
        let list = self.findings.as_ref().filter(|_| self.status == Status::Complete)?;
        Some(list.len() as u64)
    }

    /// What would be needed to attribute the record to a state of the program and is not recorded, in words.
    pub fn absent(&self) -> Vec<&'static str> {
        [
            (self.target.is_none(), "target"),
            (self.revision.is_none(), "revision of the sources"),
            (self.manifest_sha256.is_none(), "dependency manifest"),
            (self.tool_version.is_none(), "version of the tool"),
            (self.runtime.is_empty(), "runtime"),
            (self.os.is_none(), "operating system"),
            (self.date.is_none(), "date"),
        ]
        .into_iter()
        .filter_map(|(absent, words)| absent.then_some(words))
        .collect()
    }
}

/// What became of a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It ran to its end.
    Complete,
    /// It was stopped, or a part of its report is missing.
    Incomplete,
    /// It ran out of time.
    Timeout,
    /// It failed.
    Failed,
    /// Its result does not count: the oracle did not confirm it, or the program changed meanwhile.
    Invalid,
    /// It never ran.
    NotRun,
    /// Nothing known says.
    #[default]
    Unknown,
}

impl Status {
    /// The word used in `inspect` and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Timeout => "timeout",
            Self::Failed => "failed",
            Self::Invalid => "invalid",
            Self::NotRun => "not_run",
            Self::Unknown => "unknown",
        }
    }
}

/// A named number of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Name, such as `peak_heap_bytes`.
    pub name: String,
    /// Value in `unit`.
    pub value: Number,
    /// Unit (`s`, `By`, `1`, `instructions`); empty when not known.
    pub unit: String,
    /// Whether it was recorded or computed from recorded values.
    pub origin: Origin,
}

impl Quantity {
    /// A number that the document holds.
    pub fn recorded(name: impl Into<String>, value: Number, unit: impl Into<String>) -> Self {
        Self { name: name.into(), value, unit: unit.into(), origin: Origin::Recorded }
    }

    /// A number that was computed from the document.
    pub fn derived(name: impl Into<String>, value: Number, unit: impl Into<String>) -> Self {
        Self { name: name.into(), value, unit: unit.into(), origin: Origin::Derived }
    }
}

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The document holds it.
    Recorded,
    /// It was computed from what the document holds.
    Derived,
}

impl Origin {
    /// The word used on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Derived => "derived",
        }
    }
}

/// A file that a tool wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Artifact {
    /// What it is, such as `heap_snapshot`; none when not recorded.
    pub kind: Option<String>,
    /// Its name as recorded; none when not recorded.
    pub name: Option<String>,
    /// Its digest as recorded.
    pub sha256: Option<String>,
    /// Its size in bytes as recorded.
    pub bytes: Option<u64>,
    /// Whether its contents were redacted, when recorded.
    pub redacted: Option<bool>,
}

/// What only one sort of tool records.
#[derive(Debug, Clone, Default)]
pub enum Details {
    /// Nothing more.
    #[default]
    None,
    /// Repeated observations of several quantities.
    Samples(Samples),
    /// Objects on the heap, by type.
    HeapTypes(HeapTypes),
    /// Heap size along the run of one process.
    Massif(Massif),
    /// Requests over a network interface.
    Network(Network),
    /// The network totals of one isolated process tree.
    Isolation(Isolation),
}

impl Details {
    /// How many observations it holds.
    fn values(&self) -> u64 {
        let count = match self {
            Self::None => 0,
            Self::Samples(samples) => samples.columns.iter().map(|column| column.values.len()).sum(),
            Self::HeapTypes(heap) => heap.types.len(),
            Self::Massif(massif) => massif.snapshots.len(),
            Self::Network(network) => {
                network.idle.len() + network.payloads.iter().map(|one| one.samples.len()).sum::<usize>()
            }
            Self::Isolation(_) => 1,
        };
        count as u64
    }
}

/// Observations of several quantities, made at the same moments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Samples {
    /// The quantities, in the order of the first observation. All have the same length.
    pub columns: Vec<Column>,
    /// What counted them, when recorded, such as `linux-proc-status`.
    pub provider: Option<String>,
}

/// One quantity, observation by observation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// Recorded name, such as `allocated_bytes`.
    pub name: String,
    /// Unit; empty when the document does not say and the name does not either.
    pub unit: &'static str,
    /// One value per observation; none where it was not recorded.
    pub values: Vec<Option<Number>>,
}

/// Objects on the heap, by type, the largest first. Sizes are those of the objects alone: their sum is not what
/// would be freed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeapTypes {
    /// Digest of the heap snapshot that they come from.
    pub artifact_sha256: Option<String>,
    /// The types, by bytes descending, then by name.
    pub types: Vec<HeapType>,
    /// The types beyond the limit of what is kept.
    pub rest: HeapRest,
}

/// The objects of one type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeapType {
    /// Name of the type; any text of any length.
    pub name: String,
    /// How many objects; none when not recorded.
    pub objects: Option<u64>,
    /// Their bytes without what they refer to.
    pub bytes: u64,
}

/// Several types in sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeapRest {
    /// How many types.
    pub types: u64,
    /// How many objects of them (those that are recorded).
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Heap size along the run of one process. Several processes give several files that are never joined.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Massif {
    /// Unit of the axis in the recorded words. Instructions are not seconds.
    pub time_unit: String,
    /// The observations in recorded order.
    pub snapshots: Vec<Snapshot>,
}

/// One observation of a heap. Each value is absent when it was not recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Place on the axis.
    pub time: Option<Number>,
    /// Bytes that the program asked for.
    pub heap_bytes: Option<u64>,
    /// Bytes that the allocator added.
    pub extra_bytes: Option<u64>,
    /// Bytes of the stacks.
    pub stack_bytes: Option<u64>,
}

/// Requests of one version over a network interface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Network {
    /// Version of the HTTP library.
    pub http_version: Option<String>,
    /// Interface that was watched.
    pub interface: Option<String>,
    /// Where its requests were counted; see [`Counters::capture_layer`]. The same for all of them.
    pub capture_layer: Option<Name>,
    /// Whose traffic was counted; see [`Counters::attribution_scope`]. The same for all requests.
    pub attribution_scope: Option<Name>,
    /// What the document says about its counters.
    pub counter_note: Option<String>,
    /// Windows without traffic of the program.
    pub idle: Vec<Counters>,
    /// The requests by payload size, each size once.
    pub payloads: Vec<Payload>,
}

impl Network {
    /// Where and whose traffic was counted: what differs in it is never pooled.
    pub fn way(&self) -> [Option<&str>; 3] {
        [self.capture_layer.as_deref(), self.attribution_scope.as_deref(), self.interface.as_deref()]
    }
}

/// The requests of one payload size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload {
    /// Size of the payload in bytes.
    pub bytes: u64,
    /// Bytes of the request that the application sent.
    pub request_bytes: Option<u64>,
    /// Bytes of the response that the application received.
    pub response_bytes: Option<u64>,
    /// The oracle's word.
    pub correctness: Option<String>,
    /// One entry per request.
    pub samples: Vec<Counters>,
}

/// Counters over one window. Sent and received are two directions: on a loopback interface both count the same
/// bytes, so they are never added. Each value is absent when it was not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Length of the window in seconds.
    pub seconds: Option<Number>,
    /// Seconds of the request alone.
    pub workload_seconds: Option<Number>,
    /// Bytes sent.
    pub bytes_sent: Option<Number>,
    /// Bytes received.
    pub bytes_received: Option<Number>,
    /// Packets sent.
    pub packets_sent: Option<Number>,
    /// Packets received.
    pub packets_received: Option<Number>,
    /// Packets dropped before they were sent.
    pub discarded_sent: Option<Number>,
    /// Packets dropped after they were received.
    pub discarded_received: Option<Number>,
    /// Where it was counted: `application`, `interface`, `isolated_interface`.
    pub capture_layer: Option<Name>,
    /// Whose traffic it is: `host_interface`, `isolated_process_tree`, `isolated_worker_group`, `workload`.
    pub attribution_scope: Option<Name>,
    /// Interface.
    pub interface: Option<Name>,
    /// What the times are good for, in the recorded words.
    pub latency_context: Option<Name>,
}

/// The network totals of one isolated process tree over its whole life: they are not those of single requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Isolation {
    /// Version of the HTTP library.
    pub http_version: Option<String>,
    /// How it was isolated, such as `linux_netns`.
    pub provider: Option<String>,
    /// What counted.
    pub counter_provider: Option<String>,
    /// Which part of the life it covers.
    pub phase: Option<String>,
    /// Whether the isolated processes could reach the outside.
    pub external_connectivity: Option<bool>,
    /// The totals.
    pub counters: Counters,
}
