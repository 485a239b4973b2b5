//! From a `BundleSpec` to the exact files of `perfchecker-run-bundle/1`.

use super::canon::{canonical, digest, document, put, sha256_hex};
use super::ids::planned_run_id;
use super::spec::{BundleSpec, Column, RunSpec, Sample, Samples, Status};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// The five documents that the integrity list covers, in the order in which it names them.
pub(crate) const DOCUMENTS: [&str; 5] = [
    "manifest.json",
    "measurement-definitions.json",
    "observations.jsonl",
    "diagnostics.jsonl",
    "artifacts.json",
];

/// The documents of a bundle, still open to changes (fixtures spoil some on purpose).
pub(crate) struct Bundle {
    pub(crate) manifest: Value,
    pub(crate) definitions: Value,
    pub(crate) observations: Vec<u8>,
    pub(crate) diagnostics: Vec<u8>,
    pub(crate) artifacts: Value,
}

/// Files of a bundle by name.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl Bundle {
    /// All documents of `spec`, in memory.
    pub(crate) fn build(spec: &BundleSpec) -> Self {
        let mut observations = Vec::new();
        write_observations(spec, &mut observations).expect("memory does not fail");
        Self {
            manifest: manifest(spec),
            definitions: definitions(spec),
            observations,
            diagnostics: diagnostics(spec),
            artifacts: json!([]),
        }
    }

    /// The five documents as bytes, without an integrity list.
    pub(crate) fn documents(&self) -> Files {
        let bytes = [
            document(&self.manifest),
            document(&self.definitions),
            self.observations.clone(),
            self.diagnostics.clone(),
            document(&self.artifacts),
        ];
        DOCUMENTS.iter().map(|name| (*name).to_owned()).zip(bytes).collect()
    }

    /// The five documents and the integrity list over them.
    pub(crate) fn files(&self) -> Files {
        sealed(self.documents())
    }
}

/// Adds the integrity list over the five documents in `files`.
pub(crate) fn sealed(mut files: Files) -> Files {
    files.insert("integrity.json".to_owned(), document(&integrity(&files)));
    files
}

/// The value of `integrity.json` over those of the five documents that are present.
pub(crate) fn integrity(files: &Files) -> Value {
    let listed: Vec<Value> = DOCUMENTS
        .iter()
        .filter_map(|name| {
            let bytes = files.get(*name)?;
            Some(json!({"path": name, "sha256": sha256_hex(bytes), "bytes": bytes.len()}))
        })
        .collect();
    json!({"schema_version": "perfchecker-bundle-integrity/1", "algorithm": "sha256", "files": listed})
}

/// Writes the bundle of `spec` into the folder `dir`, which must not exist yet. Observations are streamed, so
/// that a bundle may be larger than memory.
pub(crate) fn write_bundle(dir: &Path, spec: &BundleSpec) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut files = Files::new();
    files.insert(DOCUMENTS[0].to_owned(), document(&manifest(spec)));
    files.insert(DOCUMENTS[1].to_owned(), document(&definitions(spec)));
    files.insert(DOCUMENTS[3].to_owned(), diagnostics(spec));
    files.insert(DOCUMENTS[4].to_owned(), document(&json!([])));
    for (name, bytes) in &files {
        std::fs::write(dir.join(name), bytes)?;
    }
    let file = std::fs::File::create_new(dir.join(DOCUMENTS[2]))?;
    let mut out = Hashing { inner: io::BufWriter::new(file), hash: sha2::Digest::new(), bytes: 0 };
    write_observations(spec, &mut out)?;
    out.flush()?;
    let streamed = json!({
        "path": DOCUMENTS[2], "bytes": out.bytes,
        "sha256": super::canon::hex(&sha2::Digest::finalize(out.hash)),
    });
    let mut list = integrity(&files);
    list["files"].as_array_mut().expect("an array by construction").insert(2, streamed);
    std::fs::write(dir.join("integrity.json"), document(&list))
}

struct Hashing<W> {
    inner: W,
    hash: sha2::Sha256,
    bytes: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(buffer)?;
        sha2::Digest::update(&mut self.hash, &buffer[..taken]);
        self.bytes += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Every definition that any run uses, once, by id.
pub(crate) fn definitions(spec: &BundleSpec) -> Value {
    let mut by_id = BTreeMap::new();
    for run in &spec.runs {
        for column in run.tables.iter().flatten().chain(&run.envelopes) {
            by_id.entry(column.definition.id.as_str()).or_insert_with(|| column.definition.record());
        }
    }
    by_id.into_values().collect()
}

/// The plan with its revision.
pub(crate) fn plan(spec: &BundleSpec) -> Value {
    let runs: Vec<Value> = spec.runs.iter().map(|run| planned(&spec.suite, run)).collect();
    let mut plan = json!({
        "schema_version": "perfchecker-suite-plan/1", "suite": spec.suite, "description": "",
        "profile": spec.profile, "comparisons": [], "runs": runs,
    });
    plan["plan_revision"] = digest(&plan).into();
    plan
}

fn planned(suite: &str, run: &RunSpec) -> Value {
    let ready = run.status != Status::Unavailable;
    let key = if ready { run.comparison_key.as_str() } else { "" };
    json!({
        "id": planned_run_id(suite, &run.package_id, &run.feature, &run.target.label, key),
        "package": run.package, "package_id": run.package_id, "feature": run.feature, "workload": run.workload,
        "description": "", "backend": run.backend, "qualification": {"probes": [], "oracle": run.oracle},
        "julia_compatibility": {"since": null, "until": null, "excluded": []},
        "entrypoint": run.entrypoint, "version": run.target.label, "target_kind": run.target.kind,
        "target_source": run.target.source, "target_revision": run.target.revision, "comparison_key": key,
        "status": if ready { "ready" } else { "unavailable" },
        "reason": if ready { "" } else { run.reason.as_str() },
    })
}

/// The qualification object of a run, used in the manifest and in diagnostics.
fn qualification(run: &RunSpec) -> Value {
    let mut evidence = json!({
        "schema_version": "perfchecker-run-qualification/1", "probes": [], "correctness": run.correctness,
        "performance": {"status": "not_compared", "message": "not compared"}, "verdict": run.verdict,
    });
    let optional = [
        ("measurement_state_policy", run.state_policy.clone().map(Value::from)),
        ("source_provenance", run.source_provenance.clone()),
        ("environment_provenance", run.environment_provenance.clone()),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            evidence[key] = value;
        }
    }
    evidence
}

fn case_id(suite: &str, run: &RunSpec) -> String {
    format!("{suite}/{}/{}", run.package_id, run.feature)
}

/// The manifest of `spec`.
pub(crate) fn manifest(spec: &BundleSpec) -> Value {
    let plan = plan(spec);
    let sources = distinct(spec.runs.iter().filter_map(|run| run.source_provenance.as_ref()));
    let environments = distinct(spec.runs.iter().filter_map(|run| run.environment_provenance.as_ref()));
    let reuse_key = digest(&json!({
        "definitions": definitions(spec), "environment_provenance": environments,
        "hardware": spec.environment["hardware"], "plan": plan, "runtime": spec.runtime["version"],
        "source_provenance": sources, "threads": spec.runtime["threads"],
    }));
    let qualifications: Vec<Value> = spec
        .runs
        .iter()
        .map(|run| {
            json!({"case_id": case_id(&spec.suite, run), "target_id": run.target.label, "evidence": qualification(run)})
        })
        .collect();
    let mut backends: BTreeSet<&str> = spec.runs.iter().map(|run| run.backend.as_str()).collect();
    if spec.runs.iter().any(|run| !run.envelopes.is_empty()) {
        backends.insert("process_resources");
    }
    let mut manifest = json!({
        "schema_version": "perfchecker-run-bundle/1", "run_id": spec.run_id, "attempt_id": spec.attempt_id,
        "reuse_key": reuse_key, "evidence": spec.evidence, "state": state(spec), "verdict": verdict(spec),
        "suite": spec.suite, "profile": spec.profile, "plan": plan, "started_at": spec.started_at,
        "finished_at": spec.finished_at, "runtime": spec.runtime, "environment": spec.environment,
        "source_provenance": sources, "environment_provenance": environments,
        "run_qualifications": qualifications, "collector_capabilities": backends, "warnings": spec.warnings,
    });
    for (key, value) in &spec.extra {
        manifest[key] = value.clone();
    }
    manifest
}

fn state(spec: &BundleSpec) -> String {
    let broken = [Status::Error, Status::Blocked, Status::Invalid];
    let failed = spec.runs.iter().any(|run| broken.contains(&run.status));
    spec.state.clone().unwrap_or_else(|| if failed { "failed" } else { "complete" }.to_owned())
}

/// Verdict of the suite: the first rule that fits.
fn verdict(spec: &BundleSpec) -> &'static str {
    let any = |status| spec.runs.iter().any(|run| run.status == status);
    let all = |word: &str| spec.runs.iter().all(|run| run.verdict == word);
    if any(Status::Error) {
        "execution_failed"
    } else if any(Status::Blocked) {
        "blocked"
    } else if any(Status::Invalid) {
        "invalid"
    } else if any(Status::Unavailable) {
        "partially_executed"
    } else if spec.runs.is_empty() {
        "not_executed"
    } else if all("validated") {
        "validated"
    } else if spec.runs.iter().any(|run| run.verdict.ends_with("_with_warnings")) {
        "executed_with_warnings"
    } else {
        "executed"
    }
}

/// Different values, ordered by their digest (hence not by version).
fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let by_digest: BTreeMap<String, &Value> = values.map(|value| (digest(value), value)).collect();
    by_digest.into_values().cloned().collect()
}

/// The diagnostics of `spec`: one line for every run that did not pass.
pub(crate) fn diagnostics(spec: &BundleSpec) -> Vec<u8> {
    let mut lines = Vec::new();
    for run in &spec.runs {
        let Some((rule, severity)) = run.status.rule() else { continue };
        let case = case_id(&spec.suite, run);
        let record = json!({
            "record_type": "diagnostic", "run_id": spec.run_id, "attempt_id": spec.attempt_id, "case_id": case,
            "target_id": run.target.label, "rule_id": rule, "severity": severity, "message": run.reason,
            "fingerprint": digest(&json!([rule, case, run.reason])),
            "evidence": {"status": run.status.word(), "qualification": qualification(run)},
        });
        lines.extend(document(&record));
    }
    lines
}

/// Writes the observations of `spec`, line by line in plan order.
pub(crate) fn write_observations(spec: &BundleSpec, out: &mut impl Write) -> io::Result<()> {
    let mut line = String::new();
    for run in spec.runs.iter().filter(|run| run.status == Status::Pass) {
        for (table, columns) in (1_u64..).zip(&run.tables) {
            for column in columns {
                let mut attributes = attributes(spec, run);
                attributes.insert("table_index".to_owned(), table.into());
                write_column(spec, run, column, "sample", &attributes, &mut line, out)?;
            }
        }
        for column in &run.envelopes {
            let mut attributes = attributes(spec, run);
            let words = [
                ("backend", run.backend.as_str()),
                ("process_provider", "linux-proc-status"),
                ("external_provider", "unavailable"),
                ("peak_semantics", "lifetime high-water mark of the process"),
            ];
            attributes.extend(words.map(|(key, word)| (key.to_owned(), word.into())));
            write_column(spec, run, column, "collector_envelope", &attributes, &mut line, out)?;
        }
    }
    Ok(())
}

fn attributes(spec: &BundleSpec, run: &RunSpec) -> Map<String, Value> {
    let mut words = vec![
        ("package", &run.package),
        ("feature", &run.feature),
        ("version", &run.target.label),
        ("target_kind", &run.target.kind),
    ];
    if spec.names_workload {
        words.push(("workload", &run.workload));
    }
    words.into_iter().map(|(key, word)| (key.to_owned(), word.as_str().into())).collect()
}

/// One line per sample. The text before and after the changing parts is made once per column; the order of
/// keys is the sorted one: `…`, `sample_index`, `scope`, `target_id`, `unit`, `value`.
fn write_column(
    spec: &BundleSpec,
    run: &RunSpec,
    column: &Column,
    aggregation: &str,
    attributes: &Map<String, Value>,
    line: &mut String,
    out: &mut impl Write,
) -> io::Result<()> {
    let definition = &column.definition;
    let middle = canonical(&json!({
        "case_id": case_id(&spec.suite, run), "metric": definition.metric,
        "comparison_key": format!("{}::{}", run.comparison_key, definition.id),
        "measurement_definition": definition.id, "record_type": "observation", "run_id": spec.run_id,
    }));
    let tail = canonical(
        &json!({"scope": definition.scope(), "target_id": run.target.label, "unit": definition.unit}),
    );
    let head = canonical(&json!({"aggregation": aggregation, "attempt_id": spec.attempt_id}));
    let plain = canonical(&Value::Object(attributes.clone()));
    let mut put_line = |sample: &Sample, line: &mut String| {
        line.clear();
        line.push_str(&head[..head.len() - 1]);
        line.push_str(",\"attributes\":");
        if sample.extra.is_empty() {
            line.push_str(&plain);
        } else {
            let mut own = attributes.clone();
            own.extend(sample.extra.clone());
            put(&Value::Object(own), line);
        }
        line.push(',');
        line.push_str(&middle[1..middle.len() - 1]);
        line.push_str(",\"sample_index\":");
        put(&sample.index.into(), line);
        line.push(',');
        line.push_str(&tail[1..tail.len() - 1]);
        line.push_str(",\"value\":");
        put(&sample.value, line);
        line.push_str("}\n");
        out.write_all(line.as_bytes())
    };
    match &column.samples {
        Samples::Given(samples) => samples.iter().try_for_each(|sample| put_line(sample, line)),
        Samples::Made { seed, count, base } => (1..=*count).try_for_each(|index| {
            let value = (base * (1.0 + spread(*seed, index))).round();
            put_line(&Sample { index, value: value.into(), extra: Map::new() }, line)
        }),
    }
}

/// A repeatable value in 0..0.25 (splitmix64 finalizer), the excess of one sample over its base.
fn spread(seed: u64, index: u64) -> f64 {
    let mut x = seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 * 0.25
}
