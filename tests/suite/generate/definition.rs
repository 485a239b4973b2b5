//! Measurement definitions as the suite writer makes them.

use serde_json::{Value, json};

/// One measurement definition; `record` gives the JSON object of the definitions file.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) id: String,
    pub(crate) metric: String,
    pub(crate) unit: String,
    pub(crate) backend: String,
    /// `lower` or `higher`.
    pub(crate) preference: String,
}

/// Appended to a method when every sample starts from a fresh state.
pub(crate) const FRESH: &str = "/fresh-state-evals1-v1";

impl Definition {
    /// The definition `<metric>/<method>` of a backend.
    pub(crate) fn new(backend: &str, metric: &str, method: &str, unit: &str) -> Self {
        let id = format!("{metric}/{method}");
        let higher = id.contains("throughput") || id.contains(".rate/");
        Self {
            id,
            metric: metric.to_owned(),
            unit: unit.to_owned(),
            backend: backend.to_owned(),
            preference: if higher { "higher" } else { "lower" }.to_owned(),
        }
    }

    /// The object that stands in `measurement-definitions.json`.
    pub(crate) fn record(&self) -> Value {
        let envelope = self.backend == "process_resources";
        let explicit = ["alloc", "profile_alloc", "profile", "wall_profile", "network", "network_isolated"];
        let warmup = if envelope {
            "backend controlled; feature setup excluded"
        } else if explicit.contains(&self.backend.as_str()) {
            "explicit feature setup"
        } else {
            "collector controlled"
        };
        let scope = match self.backend.as_str() {
            "process_resources" => "isolated_worker_process",
            "network_isolated" => "isolated_worker_group",
            "network_interface" => "host_interface",
            "network" => "workload",
            _ => "current_process",
        };
        json!({
            "id": self.id, "metric": self.metric, "unit": self.unit, "collector": self.backend,
            "sample_semantics": if envelope { "one envelope around a backend collection" } else { "one backend sample" },
            "preference": self.preference, "warmup_policy": warmup, "includes_compilation": envelope,
            "includes_children": self.backend == "network_isolated", "attribution_scope": scope, "version": 1,
        })
    }

    /// Scope word of the observations of this definition.
    pub(crate) fn scope(&self) -> &'static str {
        match self.backend.as_str() {
            "process_resources" => "isolated_worker_process",
            "network_isolated" => "isolated_worker_group",
            "network_interface" => "host_interface",
            _ => "workload",
        }
    }
}

/// The definitions of a backend in the order in which its columns are written. `fresh` adds the fresh-state suffix.
pub(crate) fn of_backend(backend: &str, fresh: bool) -> Vec<Definition> {
    let rows: (&str, &[(&str, &str)]) = match backend {
        "benchmark" => (
            "benchmarktools-v1",
            &[
                ("julia.wall.time", "ns"),
                ("julia.gc.time", "ns"),
                ("julia.alloc.bytes", "By"),
                ("julia.alloc.count", "1"),
            ],
        ),
        "chairmark" => (
            "chairmarks-v1",
            &[
                ("julia.wall.time", "s"),
                ("julia.gc.fraction", "1"),
                ("julia.alloc.bytes", "By"),
                ("julia.alloc.count", "1"),
            ],
        ),
        "profile_alloc" => ("profile-allocs-v1", &[("julia.alloc.bytes", "By"), ("julia.alloc.count", "1")]),
        "profile" => ("profile-v1", &[("julia.cpu.samples", "1")]),
        "wall_profile" => ("profile-walltime-v1", &[("julia.wall.samples", "1")]),
        "network" => (
            "network-explicit-v1",
            &[("julia.wall.time", "s"), ("network.throughput", "By/s"), ("network.operations.rate", "1/s")],
        ),
        "process_resources" => (
            "v1",
            &[
                ("process.collector.wall_time", "seconds"),
                ("process.rss.before", "bytes"),
                ("process.rss.after", "bytes"),
                ("process.rss.delta", "bytes"),
            ],
        ),
        other => panic!("no definitions known for backend {other}"),
    };
    let method = format!("{}{}", rows.0, if fresh { FRESH } else { "" });
    rows.1.iter().map(|(metric, unit)| Definition::new(backend, metric, &method, unit)).collect()
}
