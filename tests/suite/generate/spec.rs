//! What a bundle should hold, as plain data: filled by the fixtures, written by `bundle`.

use super::definition::Definition;
use super::ids;
use serde_json::{Map, Value, json};

/// A bundle to write: one call of a suite.
#[derive(Clone, Debug)]
pub(crate) struct BundleSpec {
    pub(crate) run_id: String,
    pub(crate) attempt_id: String,
    pub(crate) suite: String,
    pub(crate) profile: String,
    pub(crate) evidence: String,
    /// `None`: derived from the runs.
    pub(crate) state: Option<String>,
    pub(crate) started_at: String,
    pub(crate) finished_at: String,
    pub(crate) runtime: Value,
    pub(crate) environment: Value,
    pub(crate) warnings: Vec<String>,
    pub(crate) runs: Vec<RunSpec>,
    /// Further manifest keys; they win over computed ones of the same name.
    pub(crate) extra: Map<String, Value>,
    /// False in the oldest form, whose observations name no workload.
    pub(crate) names_workload: bool,
}

/// One planned run: one feature of one target.
#[derive(Clone, Debug)]
pub(crate) struct RunSpec {
    pub(crate) package: String,
    pub(crate) package_id: String,
    pub(crate) feature: String,
    pub(crate) workload: String,
    pub(crate) backend: String,
    /// Base comparison key, without the `::definition` part.
    pub(crate) comparison_key: String,
    pub(crate) entrypoint: String,
    pub(crate) oracle: Value,
    pub(crate) target: Target,
    pub(crate) status: Status,
    /// Why there is no result; empty for a run that passed.
    pub(crate) reason: String,
    pub(crate) correctness: Value,
    pub(crate) verdict: String,
    pub(crate) state_policy: Option<String>,
    pub(crate) source_provenance: Option<Value>,
    pub(crate) environment_provenance: Option<Value>,
    pub(crate) tables: Vec<Vec<Column>>,
    pub(crate) envelopes: Vec<Column>,
}

/// What is measured.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) label: String,
    /// `release`, `dev` or `candidate`.
    pub(crate) kind: String,
    pub(crate) source: Option<String>,
    pub(crate) revision: Option<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Pass,
    Unavailable,
    Blocked,
    Invalid,
    Error,
}

/// All samples of one metric in one table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) definition: Definition,
    pub(crate) samples: Samples,
}

/// Samples listed one by one, or made while writing (for bundles too big to hold).
#[derive(Clone, Debug)]
pub(crate) enum Samples {
    Given(Vec<Sample>),
    /// `count` values at and above `base`, spread by `seed`.
    Made {
        seed: u64,
        count: u64,
        base: f64,
    },
}

/// One recorded value.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) index: u64,
    pub(crate) value: Value,
    /// Attributes of this row alone, such as a call stack.
    pub(crate) extra: Map<String, Value>,
}

impl BundleSpec {
    /// A fresh, empty bundle whose ids come from `name`.
    pub(crate) fn new(name: &str, suite: &str) -> Self {
        Self {
            run_id: ids::uuid(&format!("fixture run {name}")),
            attempt_id: ids::uuid(&format!("fixture attempt {name}")),
            suite: suite.to_owned(),
            profile: "historical".to_owned(),
            evidence: "fresh".to_owned(),
            state: None,
            started_at: String::new(),
            finished_at: String::new(),
            runtime: json!({"language": "julia", "version": "1.13.0", "executable": "", "threads": 1}),
            environment: json!({
                "os": "NT", "architecture": "x86_64", "word_size": 64, "hardware": [], "hardware_ids": [],
            }),
            warnings: Vec::new(),
            runs: Vec::new(),
            extra: Map::new(),
            names_workload: true,
        }
    }
}

impl RunSpec {
    /// A passed run of a release without results yet, not checked by an oracle.
    pub(crate) fn new(package: &str, feature: &str, workload: &str, backend: &str, target: Target) -> Self {
        let source_provenance = Some(target.declared());
        Self {
            package: package.to_owned(),
            package_id: package.to_owned(),
            feature: feature.to_owned(),
            workload: workload.to_owned(),
            backend: backend.to_owned(),
            comparison_key: String::new(),
            entrypoint: String::new(),
            oracle: Value::Null,
            target,
            status: Status::Pass,
            reason: String::new(),
            correctness: json!({"status": "not_checked", "message": ""}),
            verdict: "executed".to_owned(),
            state_policy: None,
            source_provenance,
            environment_provenance: None,
            tables: Vec::new(),
            envelopes: Vec::new(),
        }
    }

    /// The same run with another end and no results.
    pub(crate) fn ended(mut self, status: Status, reason: &str) -> Self {
        self.status = status;
        self.reason = reason.to_owned();
        self.tables.clear();
        self
    }

    /// Adds one table of results.
    pub(crate) fn table(mut self, columns: Vec<Column>) -> Self {
        self.tables.push(columns);
        self
    }
}

impl Target {
    /// A target of any kind.
    pub(crate) fn new(label: &str, kind: &str) -> Self {
        Self { label: label.to_owned(), kind: kind.to_owned(), source: None, revision: None }
    }

    /// The source provenance of a target of which nothing but its label is known.
    pub(crate) fn declared(&self) -> Value {
        json!({
            "capture_scope": "declared_target", "path": null, "captured": false, "revision": null, "branch": null,
            "dirty": null, "dirty_state_sha256": null, "target_kind": self.kind, "target_label": self.label,
            "requested_revision": self.revision,
        })
    }
}

impl Column {
    /// A column whose samples are numbered from 1 without gaps.
    pub(crate) fn of<V: Into<Value>>(definition: &Definition, values: impl IntoIterator<Item = V>) -> Self {
        Self::numbered(definition, (1..).zip(values))
    }

    /// A column with given sample numbers.
    pub(crate) fn numbered<V: Into<Value>>(
        definition: &Definition,
        rows: impl IntoIterator<Item = (u64, V)>,
    ) -> Self {
        let samples = rows
            .into_iter()
            .map(|(index, value)| Sample { index, value: value.into(), extra: Map::new() })
            .collect();
        Self { definition: definition.clone(), samples: Samples::Given(samples) }
    }
}

impl Status {
    /// The word of `evidence.status` and of run lists.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Unavailable => "unavailable",
            Self::Blocked => "blocked",
            Self::Invalid => "invalid",
            Self::Error => "error",
        }
    }

    /// Rule and severity of the diagnostic that a run of this end leaves; none for a passed run.
    pub(crate) fn rule(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Pass => None,
            Self::Unavailable => Some(("feature.unavailable", "info")),
            Self::Blocked => Some(("feature.capability_blocked", "error")),
            Self::Invalid => Some(("feature.correctness_failed", "error")),
            Self::Error => Some(("feature.failed", "error")),
        }
    }
}
