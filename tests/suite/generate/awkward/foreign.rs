//! A nested tree of results from other producers and other generations of the writer.

use super::super::bundle::{Bundle, Files};
use super::super::canon::{document, sha256_hex};
use super::super::ids::uuid;
use super::super::tree::Tree;
use super::{add_run, benchmark, invented, release};
use serde_json::{Value, json};

const FOLDER: &str = "awkward/foreign/results";

pub(super) fn add(tree: &mut Tree) {
    oldest(tree);
    newest(tree);
    reused(tree);
    provider(tree);
    scenario(tree);
    unfinished(tree);
    tree.add(&format!("{FOLDER}/notes.txt"), "A file that belongs to no bundle.\n");
}

/// The oldest form: no provenance, no workload in observations.
fn oldest(tree: &mut Tree) {
    let mut spec = invented("oldest", "oldest");
    spec.names_workload = false;
    spec.started_at = "2024-11-01T08:00:00".to_owned();
    spec.finished_at = "2024-11-01T08:01:00".to_owned();
    spec.warnings.push("source provenance was not captured".to_owned());
    for (label, time) in [("1.2.0", 950.0), ("1.10.0", 900.0)] {
        spec.runs.push(benchmark(
            "old_bench",
            "old_bench",
            release(label),
            [&[time], &[0.0], &[96.0], &[2.0]],
        ));
    }
    let mut bundle = Bundle::build(&spec);
    let manifest = bundle.manifest.as_object_mut().expect("an object");
    for key in ["verdict", "source_provenance", "environment_provenance", "run_qualifications"] {
        manifest.remove(key);
    }
    tree.add_bundle(&format!("{FOLDER}/2024/bundles/run-{}", spec.run_id), bundle.documents());
}

/// The newest form: presentation tags in the manifest.
fn newest(tree: &mut Tree) {
    let mut spec = invented("newest", "newest");
    spec.started_at = "2026-04-01T08:00:00.75".to_owned();
    spec.finished_at = "2026-04-01T08:01:00".to_owned();
    spec.extra.insert("tags".to_owned(), json!(["sorting", "größe"]));
    for (label, time) in [("1.2.0", 870.0), ("1.10.0", 820.0)] {
        spec.runs.push(benchmark(
            "new_bench",
            "new_small",
            release(label),
            [&[time], &[0.0], &[96.0], &[2.0]],
        ));
    }
    add_run(tree, &format!("{FOLDER}/2026/bundles"), &spec);
}

/// Evidence that is not fresh, of a run that did not finish.
fn reused(tree: &mut Tree) {
    let mut spec = invented("reused", "reused");
    spec.evidence = "reused".to_owned();
    spec.state = Some("partial".to_owned());
    spec.started_at = "2026-04-02T08:00:00".to_owned();
    spec.finished_at = String::new();
    spec.runs.push(benchmark(
        "reused_bench",
        "reused_small",
        release("1.10.0"),
        [&[640.0, 655.0], &[], &[], &[]],
    ));
    add_run(tree, &format!("{FOLDER}/2026/bundles"), &spec);
}

/// Another language through a command: only what the input grammar demands, and no integrity list.
fn provider(tree: &mut Tree) {
    let (run, attempt) = (uuid("awkward provider run"), uuid("awkward provider attempt"));
    let definition = "widget.elapsed/perf-counter";
    let manifest = json!({
        "schema_version": "perfchecker-run-bundle/1", "run_id": run, "attempt_id": attempt,
        "reuse_key": "chosen by the provider", "evidence": "fresh", "state": "complete", "suite": "external",
        "started_at": "", "finished_at": "yesterday evening", "runtime": {"language": "python", "version": "3.13.1"},
        "environment": {"os": "Linux"}, "collector_capabilities": ["perf_counter"],
        "warnings": ["Invented data: no program was measured."], "case_id": "external",
        "provider": {
            "id": "invented-provider", "language": "python", "command": ["python3", "bench.py"],
            "directory": "/home/zoë/bench", "environment_keys": ["PATH"], "timeout_seconds": 60,
        },
    });
    let observation = |target: &str, value: f64, attributes: Value| {
        json!({
            "record_type": "observation", "run_id": run, "attempt_id": attempt, "case_id": "external",
            "target_id": target, "metric": "widget.elapsed", "unit": "s", "measurement_definition": definition,
            "value": value, "aggregation": "sample", "scope": "workload", "attributes": attributes,
        })
    };
    let named = |version: &str| json!({"package": "widget.py", "feature": "py_sort", "version": version, "target_kind": "release"});
    let rows = [
        observation("0.9", 0.0125, named("0.9")),
        observation("0.9", 0.0127, named("0.9")),
        observation("0.10", 0.0101, named("0.10")),
        // Nothing but a target: too little for a version series.
        observation("external", 0.5, json!({})),
    ];
    let finding = json!({
        "record_type": "diagnostic", "run_id": run, "attempt_id": attempt, "case_id": "external",
        "rule_id": "widget.custom_rule", "severity": "curious", "message": "an open vocabulary",
    });
    let mut files = Files::new();
    files.insert("manifest.json".to_owned(), document(&manifest));
    files.insert(
        "measurement-definitions.json".to_owned(),
        document(&json!([{"id": definition, "metric": "widget.elapsed", "unit": "s"}])),
    );
    files.insert("observations.jsonl".to_owned(), rows.iter().flat_map(document).collect());
    files.insert("diagnostics.jsonl".to_owned(), document(&finding));
    files.insert("artifacts.json".to_owned(), document(&json!([{"kind": "log", "path": "../../bench.log"}])));
    tree.add_bundle(&format!("{FOLDER}/2026/provider/run-{run}"), files);
}

/// A shared scenario: other shapes of provenance and environment, a folder without prefix.
fn scenario(tree: &mut Tree) {
    let (run, attempt) = (uuid("awkward scenario run"), uuid("awkward scenario attempt"));
    let fingerprint = sha256_hex(b"invented scenario");
    let definition = |metric: &str| format!("{metric}/shared-benchmark/{fingerprint}");
    let metrics = [
        ("julia.alloc.bytes", "By", json!(4096)),
        ("julia.alloc.count", "1", json!(9)),
        ("julia.wall.time", "s", json!(0.000_012_5)),
    ];
    let manifest = json!({
        "schema_version": "perfchecker-run-bundle/1", "run_id": run, "attempt_id": attempt,
        "reuse_key": fingerprint, "evidence": "fresh", "state": "complete", "suite": "shared-scenarios",
        "case_id": "widget-sort", "started_at": "2026-04-03T08:00:00", "finished_at": "2026-04-03T08:00:30",
        "runtime": {"language": "julia", "version": "1.12.1", "threads": 1},
        "environment": {"os": "Linux", "arch": "x86_64", "hardware_ids": {"cpu": "skylake", "host": "zoë-laptop"}},
        "source_provenance": {
            "capture_scope": "working_tree", "path": "/home/zoë/dev/Widget", "captured": true,
            "revision": "e9e533b0da8e5546eff821a40fbf7ca20ab9cf7e", "branch": "main", "dirty": false,
            "dirty_state_sha256": null,
        },
        "environment_provenance": [{
            "path": "/home/zoë/worker", "project_sha256": null, "preferences_sha256": null,
            "manifest_sha256": fingerprint, "manifest_file": "Manifest.toml", "development_sources": [],
        }],
        "collector_capabilities": ["benchmark"], "warnings": ["Invented data: no program was measured."],
        "scenario": {
            "id": "widget-sort", "source": "scenarios.jl", "factory": "sort_case", "implementation": "widget",
            "parameters": {"size": 64}, "fixtures": ["input.bin"], "collectors": ["benchmark"], "repeatable": true,
            "requirements": [],
        },
        "input_fingerprints": {"input.bin": "missing", "scenarios.jl": fingerprint},
        "qualification": {
            "availability": "available", "correctness": "passed", "quality": "not_checked",
            "performance": "not_compared",
        },
        "scenario_evidence": {
            "allocation_sites": [
                {"bytes": 4096, "stack": [{"function": "sort!", "file": "/home/zoë/dev/Widget/src/sort.jl", "line": 12}]},
            ],
        },
    });
    let definitions: Vec<Value> = metrics
        .iter()
        .map(|(metric, unit, _)| {
            json!({"id": definition(metric), "metric": metric, "unit": unit, "context": {"repeatable": true}})
        })
        .collect();
    let rows = metrics.iter().map(|(metric, unit, value)| {
        json!({
            "record_type": "observation", "run_id": run, "attempt_id": attempt, "case_id": "widget-sort",
            "target_id": "widget", "metric": metric, "unit": unit, "value": value, "aggregation": "sample",
            "measurement_definition": definition(metric), "comparison_key": definition(metric), "sample_index": 1,
            "scope": "workload", "attributes": {"implementation": "widget", "collector": "benchmark"},
        })
    });
    let bundle = Bundle {
        manifest,
        definitions: definitions.into(),
        observations: rows.flat_map(|row| document(&row)).collect(),
        diagnostics: document(&json!({
            "record_type": "diagnostic", "run_id": run, "attempt_id": attempt, "case_id": "widget-sort",
            "target_id": "widget", "rule_id": "scenario.timeout", "severity": "error", "message": "second try",
        })),
        artifacts: json!([]),
    };
    tree.add_bundle(&format!("{FOLDER}/2026/scenarios/{run}"), bundle.files());
}

/// What a writer leaves when it is stopped: no integrity list, half a line, a name to be skipped.
fn unfinished(tree: &mut Tree) {
    let mut spec = invented("unfinished", "unfinished");
    spec.runs.push(benchmark("unfinished_bench", "unfinished", release("1.10.0"), [&[1.0], &[], &[], &[]]));
    let mut files = Bundle::build(&spec).documents();
    files.remove("artifacts.json");
    let cut = files["observations.jsonl"].len() / 2;
    files.get_mut("observations.jsonl").expect("it was built").truncate(cut);
    let folder = format!("{FOLDER}/2026/bundles/run-{}.tmp-{}", spec.run_id, uuid("unfinished"));
    tree.add_bundle(&folder, files);
}
