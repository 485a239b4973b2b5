//! A report folder: labels whose text order is not their version order, targets without results, metrics with
//! zeros and holes, a second run of some targets, a second machine, and a failed suite.

use super::super::definition::of_backend;
use super::super::spec::{BundleSpec, Column, RunSpec, Samples, Status, Target};
use super::super::tree::Tree;
use super::{add_run, benchmark, invented, linux, release};
use serde_json::{Value, json};

const FOLDER: &str = "awkward/versions";

/// Releases in version order, which no sort by text gives.
const RELEASES: [&str; 11] = [
    "1.2.0",
    "1.9.0",
    "1.9.1",
    "1.10.0-rc.2",
    "1.10.0-rc.10",
    "1.10.0",
    "1.10.1",
    "1.10.1+build.2",
    "1.11.0-alpha",
    "1.11.0",
    "2.0.0",
];

pub(super) fn add(tree: &mut Tree) {
    let history = history();
    let failed = failed();
    add_run(tree, &format!("{FOLDER}/bundles"), &history);
    add_run(tree, &format!("{FOLDER}/bundles"), &second());
    add_run(tree, &format!("{FOLDER}/bundles"), &other_machine());
    add_run(tree, &format!("{FOLDER}/bundles"), &failed);
    // The ordinary report files speak of the last call only.
    tree.add(&format!("{FOLDER}/suite-result.json"), suite_result(&failed));
    tree.add(
        &format!("{FOLDER}/suite-report.md"),
        "# invented_versions\n\n| feature | version | status |\n| --- | --- | --- |\n| sort_bench | 1.11.0 | pass |\n\
         | sort_bench | 2.0.0 | error |\n| sort_bench | dev@1.11.0 | invalid |\n",
    );
    tree.add(
        &format!("{FOLDER}/suite-junit.xml"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"invented_versions\" tests=\"3\" failures=\"2\">\
         <testcase name=\"sort_bench 1.11.0\"/><testcase name=\"sort_bench 2.0.0\"><failure message=\"error\"/>\
         </testcase><testcase name=\"sort_bench dev@1.11.0\"><failure message=\"invalid\"/></testcase></testsuite>\n",
    );
}

fn others() -> Vec<Target> {
    let mut dev = Target::new("dev@1.11.0", "dev");
    dev.source = Some("C:\\Users\\Zoë\\dev\\Widget".to_owned());
    let mut branch = Target::new("feature/faster-sort", "candidate");
    branch.source = Some("https://example.org/widget.git".to_owned());
    branch.revision = Some("4acc7d8ff2a07c5724b61e524ae1a2782dc80e96".to_owned());
    vec![dev, branch, Target::new("2.1.0-nightly", "candidate")]
}

/// Feature `sort_bench` and `sort_chair` of one workload at all targets.
fn history() -> BundleSpec {
    let mut spec = invented("versions history", "versions");
    spec.started_at = "2026-02-01T09:00:00.125".to_owned();
    spec.finished_at = "2026-02-01T09:40:00.004".to_owned();
    spec.extra = json!({
        "release_dates": {"1.2.0": "2024-05-01", "1.9.0": "2025-01-20", "1.10.0": "2025-11-03", "2.0.0": "2026-01-31"},
        "release_date_kinds": {
            "1.2.0": "publication date", "1.9.0": "publication date", "1.10.0": "publication date",
            "2.0.0": "tag date",
        },
    })
    .as_object()
    .expect("an object")
    .clone();
    for feature in ["sort_bench", "sort_chair"] {
        let mut absent = RunSpec::new("Widget", feature, "sort_small", backend(feature), release("1.0.0"))
            .ended(Status::Unavailable, "not defined for 1.0.0");
        absent.correctness = json!({"status": "not_checked", "message": "no oracle"});
        spec.runs.push(absent);
    }
    let targets: Vec<Target> = RELEASES.iter().map(|label| release(label)).chain(others()).collect();
    for (place, target) in (0_u32..).zip(targets) {
        let time = 9000.0 - 350.0 * f64::from(place) + 800.0 * f64::from(place % 3);
        spec.runs.push(qualified(sort_bench(target.clone(), time, place)));
        spec.runs.push(qualified(sort_chair(target, time, place)));
    }
    spec
}

fn backend(feature: &str) -> &'static str {
    if feature == "sort_chair" { "chairmark" } else { "benchmark" }
}

/// Collection time is 0 everywhere; bytes are missing at 1.9.0; the count is 0 at 1.10.0 only.
fn sort_bench(target: Target, time: f64, place: u32) -> RunSpec {
    let count = if target.label == "1.10.0" { 0.0 } else { 6.0 + f64::from(place % 4) };
    let bytes = [2048.0 + 64.0 * f64::from(place), 2048.0 + 64.0 * f64::from(place)];
    let bytes: &[f64] = if target.label == "1.9.0" { &[] } else { &bytes };
    let gaps = target.label == "1.10.1";
    let mut run = benchmark(
        "sort_bench",
        "sort_small",
        target,
        [&[time + 900.0, time, time + 50.0, time + 100.0], &[0.0, 0.0], bytes, &[count, count]],
    );
    if gaps && let Samples::Given(samples) = &mut run.tables[0][0].samples {
        // Values that were not finite were dropped by the writer.
        for (sample, index) in samples.iter_mut().zip([1, 2, 4, 7]) {
            sample.index = index;
        }
    }
    run
}

/// Collection fraction is 0 at some targets only, so that the others have no ratio.
fn sort_chair(target: Target, time: f64, place: u32) -> RunSpec {
    let mut run = RunSpec::new("Widget", "sort_chair", "sort_small", "chairmark", target);
    run.comparison_key = "widget/sort_small/v1".to_owned();
    let fraction = if place.is_multiple_of(5) { 0.125 } else { 0.0 };
    let values = [time * 1e-9, fraction, 2048.0, 6.0];
    let columns = of_backend("chairmark", true);
    run.table(columns.iter().zip(values).map(|(column, value)| Column::of(column, [value, value])).collect())
}

/// Adds an oracle result and the environment of the target.
fn qualified(mut run: RunSpec) -> RunSpec {
    run.correctness = json!({"status": "passed", "message": ""});
    run.verdict = "validated".to_owned();
    run.state_policy = Some("fresh".to_owned());
    run.entrypoint = "C:\\Users\\Zoë\\größe\\sort.jl".to_owned();
    let digest = super::super::canon::sha256_hex(format!("manifest of {}", run.target.label).as_bytes());
    let base = if run.target.label.starts_with('2') { "0.19.2" } else { "0.18.20" };
    run.environment_provenance = Some(json!({
        "path": "C:\\Users\\Zoë\\worker", "project_sha256": null, "preferences_sha256": null,
        "manifest_file": "Manifest.toml", "manifest_sha256": digest, "development_sources": [],
        "resolved_packages": [
            {"name": "Gadgets", "uuid": "22222222-3333-4444-8555-666666666666", "version": base},
            {"name": "OpenSSL_jll", "uuid": "33333333-4444-4555-8666-777777777777", "version": "1.5.5+2"},
            {"name": "Widget", "uuid": "11111111-2222-4333-8444-555555555555", "version": run.target.label},
        ],
    }));
    run
}

/// Three targets again on the same machine, a month later.
fn second() -> BundleSpec {
    let mut spec = invented("versions second", "versions");
    spec.started_at = "2026-03-01T09:00:00".to_owned();
    spec.finished_at = "2026-03-01T09:12:30.25".to_owned();
    let dev = others().swap_remove(0);
    for (target, time) in [(release("1.11.0"), 5100.0), (release("2.0.0"), 4900.0), (dev, 4700.0)] {
        spec.runs.push(qualified(sort_bench(target, time, 3)));
    }
    spec
}

/// Other system, hardware and number of threads: not to be joined with the rest.
fn other_machine() -> BundleSpec {
    let mut spec = invented("versions linux", "versions");
    linux(&mut spec);
    spec.started_at = "2026-03-02T09:00:00".to_owned();
    spec.finished_at = "2026-03-02T09:09:00".to_owned();
    for (target, time) in [("1.10.0", 3100.0), ("1.11.0", 3000.0), ("2.0.0", 2500.0)] {
        spec.runs.push(sort_bench(release(target), time, 1));
    }
    spec
}

/// The newest call: one target passes, one breaks, one fails its oracle, one lacks a capability.
fn failed() -> BundleSpec {
    let mut spec = invented("versions failed", "versions");
    spec.started_at = "2026-03-05T09:00:00".to_owned();
    spec.finished_at = "2026-03-05T09:04:00".to_owned();
    spec.runs.push(sort_bench(release("1.11.0"), 5200.0, 3));
    let trace = "LoadError: MethodError: no method matching sort!(::Widget.Größe)\nStacktrace:\n  \
                 [1] top-level scope\n    @ C:\\Users\\Zoë\\dev\\Widget\\src\\sort.jl:12\n  \
                 [2] include(fname::String)\n    @ Main .\\sysimg.jl:38";
    spec.runs.push(sort_bench(release("2.0.0"), 1.0, 0).ended(Status::Error, trace));
    let mut wrong =
        sort_bench(others().swap_remove(0), 1.0, 0).ended(Status::Invalid, "oracle: 41 is not 42");
    wrong.correctness = json!({"status": "failed", "message": "41 is not 42", "function": "perf_oracle"});
    wrong.verdict = "invalid".to_owned();
    spec.runs.push(wrong);
    let mut blocked = sort_bench(others().swap_remove(1), 1.0, 0).ended(Status::Blocked, "probe gpu failed");
    blocked.verdict = "blocked".to_owned();
    spec.runs.push(blocked);
    spec
}

fn suite_result(spec: &BundleSpec) -> Vec<u8> {
    let runs: Vec<Value> = spec
        .runs
        .iter()
        .map(|run| {
            json!({
                "package": run.package, "feature": run.feature, "workload": run.workload,
                "version": run.target.label, "target_kind": run.target.kind, "comparison_key": run.comparison_key,
                "status": run.status.word(), "elapsed_seconds": 12.5, "message": run.reason, "summary": {},
                "resource_envelopes": [], "qualification": {},
            })
        })
        .collect();
    let result = json!({
        "schema_version": "perfchecker-suite-result/1", "suite": spec.suite, "description": "invented",
        "profile": spec.profile, "started_at": spec.started_at, "finished_at": spec.finished_at,
        "passed": false, "verdict": "execution_failed", "runs": runs,
    });
    serde_json::to_vec_pretty(&result).expect("JSON values always serialize")
}
