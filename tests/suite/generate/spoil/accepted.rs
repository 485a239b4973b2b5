//! Oddities that a reader must take without an error.

use super::super::bundle::{Bundle, Files, sealed};
use super::super::canon::document;
use super::super::definition::Definition;
use super::super::spec::{BundleSpec, Column, RunSpec, Status, Target};
use super::{Case, remark, rows, sound, spec};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = forms();
    cases.extend(numbers());
    cases.extend(absences());
    cases.extend(words());
    cases
}

fn case(name: &str, row: &str, left: u64, files: Files) -> Case {
    let integrity = if files.contains_key("integrity.json") { "verified" } else { "unverified" };
    Case {
        name: name.to_owned(),
        row: row.to_owned(),
        problem: Value::Null,
        integrity: integrity.into(),
        left: left.into(),
        files,
        beside: Files::new(),
    }
}

/// The sound bundle with its observations rewritten, sealed again.
fn observed(edit: impl FnOnce(String) -> String) -> Files {
    let mut bundle = sound();
    let text = String::from_utf8(bundle.observations).expect("the builder writes UTF-8");
    bundle.observations = edit(text).into_bytes();
    bundle.files()
}

fn built(edit: impl FnOnce(&mut BundleSpec)) -> Files {
    let mut spec = spec();
    edit(&mut spec);
    Bundle::build(&spec).files()
}

/// White space, order and unknown members.
fn forms() -> Vec<Case> {
    let mut extra = sound();
    for key in ["comment", "überraschung", "zz"] {
        extra.manifest[key] = json!({"anything": [1, null, "text"]});
        extra.manifest["environment"][key] = "more".into();
        extra.definitions[0][key] = json!([]);
    }
    let mut lines = rows(&extra);
    for line in &mut lines {
        line["comment"] = "more".into();
        line["attributes"]["comment"] = json!({"deep": true});
    }
    extra.observations = lines.iter().flat_map(document).collect();
    let mut spaced = sound().documents();
    let manifest: Value = serde_json::from_slice(&spaced["manifest.json"]).expect("JSON");
    spaced.insert("manifest.json".into(), serde_json::to_vec_pretty(&manifest).expect("JSON"));
    let shuffled = rows(&sound()).iter().fold(String::new(), |text, row| text + &reversed(row) + "\n");
    spaced.insert("observations.jsonl".into(), shuffled.into_bytes());
    let mut empty = sound();
    empty.observations.clear();
    let mut absent = sound().documents();
    absent.remove("observations.jsonl");
    absent.remove("diagnostics.jsonl");
    vec![
        case("unknown-extra-fields", "unknown fields anywhere", 4, extra.files()),
        case("any-key-order", "any key order, any white space between tokens", 4, sealed(spaced)),
        case(
            "blank-lines",
            "blank lines",
            4,
            observed(|text| format!("\n\n{}\n  \n", text.replace('\n', "\n\n"))),
        ),
        case("no-final-newline", "a missing final newline", 4, observed(|text| text.trim_end().to_owned())),
        case(
            "crlf-lines",
            "carriage returns are white space",
            4,
            observed(|text| text.replace('\n', "\r\n")),
        ),
        case("empty-jsonl-files", "empty JSONL files", 0, empty.files()),
        case("no-jsonl-files", "missing JSONL files count as empty in a legacy bundle", 0, absent),
        case("no-integrity", "a legacy bundle without integrity list", 4, sound().documents()),
        case(
            "lines-in-other-order",
            "the order of lines means nothing",
            4,
            observed(|text| text.lines().rev().fold(String::new(), |all, line| all + line + "\n")),
        ),
    ]
}

/// An object's text with its keys in falling order and spaces between tokens.
fn reversed(row: &Value) -> String {
    let fields = row.as_object().expect("an object").iter().rev();
    let mut text = String::from("{ ");
    for (place, (key, value)) in fields.enumerate() {
        let comma = if place == 0 { "" } else { " ,\t" };
        let _ = write!(text, "{comma}\"{key}\" : {value}");
    }
    text + " }"
}

fn numbers() -> Vec<Case> {
    let mut big = spec();
    let counter = Definition::new("benchmark", "widget.counter", "counter-v1", "1");
    let values = [9_007_199_254_740_993_u64, 9_007_199_254_740_992, u64::MAX];
    big.runs[0].tables[0].push(Column::of(&counter, values));
    vec![
        case("floats-as-integers", "floats as integers", 4, observed(|text| text.replace("520.0", "520"))),
        case("integers-as-floats", "integers as floats", 4, observed(|text| text.replace(":64}", ":64.0}"))),
        case(
            "exponent-forms",
            "exponents in every form of JSON",
            4,
            observed(|text| {
                text.replace("520.0", "5.2e2").replace("500.0", "5E+02").replace(":64}", ":6400e-2}")
            }),
        ),
        case("big-integer-strings", "integers above 2^53 - 1 as text", 7, Bundle::build(&big).files()),
        case(
            "negative-values",
            "negative and fractional values",
            4,
            observed(|text| text.replace("520.0", "-0.5")),
        ),
    ]
}

/// Members that older and foreign producers leave out, and nulls.
fn absences() -> Vec<Case> {
    let mut bundle = sound();
    let manifest = bundle.manifest.as_object_mut().expect("an object");
    for key in [
        "verdict",
        "profile",
        "plan",
        "source_provenance",
        "environment_provenance",
        "run_qualifications",
        "started_at",
        "finished_at",
    ] {
        manifest.remove(key);
    }
    let mut lines = rows(&bundle);
    for line in &mut lines {
        for key in ["workload", "table_index"] {
            line["attributes"].as_object_mut().expect("an object").remove(key);
        }
        line.as_object_mut().expect("an object").remove("sample_index");
        line.as_object_mut().expect("an object").remove("comparison_key");
    }
    bundle.observations = lines.iter().flat_map(document).collect();
    let nulls = built(|spec| {
        spec.runs[0].environment_provenance = Some(json!({
            "path": null, "project_sha256": null, "preferences_sha256": null, "manifest_sha256": null,
            "manifest_file": null, "development_sources": [], "resolved_packages": null,
        }));
        spec.environment["hardware"] = Value::Null;
        spec.environment["hardware_ids"] = Value::Null;
    });
    let mut null_provenance = sound();
    null_provenance.manifest["source_provenance"] = Value::Null;
    null_provenance.manifest["environment_provenance"] = Value::Null;
    let mut bare = sound();
    bare.definitions = bare
        .definitions
        .as_array()
        .expect("an array")
        .iter()
        .map(|full| json!({"id": full["id"], "metric": full["metric"], "unit": full["unit"]}))
        .collect();
    vec![
        case(
            "optional-fields-absent",
            "absent optional fields of manifest and observations",
            4,
            bundle.files(),
        ),
        case("bare-definitions", "definitions with id, metric and unit alone", 4, bare.files()),
        case("nulls-in-environment", "null hashes, paths, hardware and targets", 4, nulls),
        case("nulls-as-provenance", "null instead of lists of provenance", 4, null_provenance.files()),
        case(
            "odd-times",
            "time stamps are text, with or without fraction, perhaps empty",
            4,
            built(|spec| {
                spec.started_at = String::new();
                spec.finished_at = "some time in March".to_owned();
            }),
        ),
    ]
}

/// States, vocabularies and labels.
fn words() -> Vec<Case> {
    let mut open = spec();
    let metric = Definition::new("sprocketeer", "widget.teeth.worn", "odd-v3", "tooth²");
    let mut run = RunSpec::new("Widget", "odd_bench", "odd", "sprocketeer", Target::new("1.0.0", "release"));
    run.comparison_key = "widget/odd/v1".to_owned();
    open.runs.push(run.table(vec![Column::of(&metric, [1.5])]));
    let mut open = Bundle::build(&open);
    let mut odd = remark(&open.manifest);
    odd["rule_id"] = "widget.unheard.of".into();
    odd["severity"] = "curious".into();
    open.diagnostics.extend(document(&odd));
    let mut envelope = sound();
    let mut unavailable = remark(&envelope.manifest);
    unavailable["rule_id"] = "resource.process.unavailable".into();
    unavailable["evidence"] =
        json!({"schema_version": "perfchecker-resource-envelope/1", "elapsed_seconds": 1.5});
    envelope.diagnostics = document(&unavailable);
    let failed = built(|spec| {
        let mut broken = spec.runs[0].clone().ended(Status::Error, "it broke");
        broken.target = Target::new("1.1.0", "release");
        spec.runs.push(broken);
    });
    let labels = built(|spec| {
        let run = spec.runs[0].clone();
        for (label, kind) in
            [("feature/faster-sort", "candidate"), ("dev@1.1.0", "dev"), ("Größe 測試", "candidate")]
        {
            let mut run = run.clone();
            run.target = Target::new(label, kind);
            run.source_provenance = Some(run.target.declared());
            spec.runs.push(run);
        }
    });
    let long = built(|spec| {
        let label = "very-long-branch-name/".repeat(20);
        spec.runs[0].target = Target::new(&label, "candidate");
        spec.runs[0].workload = "long workload ".repeat(30);
    });
    let paths = built(|spec| {
        spec.runs[0].entrypoint = "C:\\Users\\Zoë\\größe\\sort.jl".to_owned();
        spec.runs[0].feature = "größe_测试".to_owned();
        spec.runtime["executable"] = "\\\\server\\share\\julia.exe".into();
    });
    vec![
        case("state-failed", "a failed suite, shown as such", 4, failed),
        case("state-partial", "a partial run", 4, built(|spec| spec.state = Some("partial".to_owned()))),
        case(
            "evidence-reused",
            "evidence that is not fresh",
            4,
            built(|spec| spec.evidence = "reused".to_owned()),
        ),
        case("unknown-words", "unknown metrics, units, backends, rules and severities", 5, open.files()),
        case(
            "diagnostic-without-status",
            "a resource diagnostic does not mean a failure",
            4,
            envelope.files(),
        ),
        case(
            "free-reuse-key",
            "a reuse key of any form",
            4,
            built(|spec| {
                spec.extra.insert("reuse_key".to_owned(), "mine".into());
            }),
        ),
        case("labels-not-versions", "labels that are not versions", 16, labels),
        case("long-labels", "very long labels", 4, long),
        case("windows-paths-and-non-ascii", "Windows paths and non-ASCII text", 4, paths),
    ]
}
