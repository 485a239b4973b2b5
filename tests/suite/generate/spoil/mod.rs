//! Small sources with exactly one deliberate mistake (`corrupt/`) or one permitted oddity (`accepted/`) each.
//!
//! Every folder holds `run-bad` or `run-odd` and a sound `run-good`. What a reader must make of a folder stands in
//! `expectations.json`, keyed by folder:
//!
//! | key | meaning |
//! | --- | --- |
//! | `row` | the rule, in words |
//! | `problem` | a problem that must be reported: `file` below the folder, `line` (from 1) and `field` where they matter (else null), `severity`; null: no problem of severity `error` |
//! | `integrity` | `verified`, `unverified` or `failed`, of the odd bundle; null: it has no readable manifest or the list's state does not matter |
//! | `observations_left` | how many observations of the odd bundle remain believed; null: not fixed |
//! | `series_of_sibling` | whether feature `sibling_bench` of `run-good` still gives its series |

mod accepted;
mod lines;
mod structure;

use super::bundle::{Bundle, Files, sealed};
use super::definition::of_backend;
use super::spec::{BundleSpec, Column, RunSpec, Target};
use super::tree::Tree;
use serde_json::{Map, Value, json};

/// One folder with one oddity.
struct Case {
    name: String,
    row: String,
    problem: Value,
    integrity: Value,
    left: Value,
    files: Files,
    /// Further files of the folder, outside the bundles.
    beside: Files,
}

/// Where a problem is expected and how grave it is.
fn problem(document: &str, line: Option<u64>, field: Option<&str>, severity: &str) -> Value {
    json!({"file": format!("run-bad/{document}"), "line": line, "field": field, "severity": severity})
}

/// A case whose bundle falls as a whole.
fn fallen(name: &str, row: &str, document: &str, field: Option<&str>, files: Files) -> Case {
    let integrity = if name.starts_with("integrity") { json!("failed") } else { Value::Null };
    Case {
        name: name.to_owned(),
        row: row.to_owned(),
        problem: problem(document, None, field, "error"),
        integrity,
        left: 0.into(),
        files,
        beside: Files::new(),
    }
}

/// Adds `corrupt/`, `accepted/` and `expectations.json`.
pub(super) fn add(tree: &mut Tree) {
    let mut expectations = Map::new();
    let mut cases = structure::cases();
    cases.extend(lines::cases());
    for case in cases {
        place(tree, &mut expectations, "corrupt", "run-bad", case);
    }
    for case in accepted::cases() {
        place(tree, &mut expectations, "accepted", "run-odd", case);
    }
    let mut text =
        serde_json::to_vec_pretty(&Value::Object(expectations)).expect("JSON values always serialize");
    text.push(b'\n');
    tree.add("expectations.json", text);
}

fn place(tree: &mut Tree, expectations: &mut Map<String, Value>, group: &str, bundle: &str, case: Case) {
    let folder = format!("{group}/{}", case.name);
    tree.add_bundle(&format!("{folder}/{bundle}"), case.files);
    tree.add_bundle(&format!("{folder}/run-good"), sibling().files());
    for (name, bytes) in case.beside {
        tree.add(&format!("{folder}/{name}"), bytes);
    }
    let expectation = json!({
        "row": case.row, "problem": case.problem, "integrity": case.integrity, "observations_left": case.left,
        "series_of_sibling": true,
    });
    expectations.insert(folder, expectation);
}

/// Each folder holds its own mistake and no other: the lists fit everywhere but where the list itself is the case,
/// and an expected problem points at a line or file that exists.
#[test]
fn each_folder_is_spoiled_once() {
    let (mut broken, accepted) = (structure::cases(), accepted::cases());
    broken.extend(lines::cases());
    assert!(broken.len() > 60 && accepted.len() > 25);
    let sound = sound().files();
    for case in broken.iter().chain(&accepted) {
        let fits = case.files.get("integrity.json").map(|list| {
            let bare: Files = case
                .files
                .iter()
                .filter(|(name, _)| *name != "integrity.json")
                .map(|(name, bytes)| (name.clone(), bytes.clone()))
                .collect();
            *list == sealed(bare)["integrity.json"]
        });
        assert_eq!(fits == Some(false), case.integrity == "failed", "{}", case.name);
        assert_ne!(case.files, sound, "{} is not spoiled", case.name);
        let named = case.problem["file"].as_str().map(|file| file.trim_start_matches("run-bad/"));
        let absent = case.name.ends_with("-missing-file") || case.name.ends_with("definitions-missing");
        assert!(named.is_none_or(|name| case.files.contains_key(name) != absent), "{}", case.name);
        if let (Some(name), Some(line)) = (named, case.problem["line"].as_u64()) {
            let text = &case.files[name];
            let lines = text.split(|byte| *byte == b'\n').count() as u64;
            assert!((1..lines).contains(&line), "{}", case.name);
        }
    }
}

/// The bundle that gets spoiled: one target, four observations. Lines 1 and 2 are wall times, 3 and 4 bytes.
fn spec() -> BundleSpec {
    let mut spec = BundleSpec::new("spoiled", "invented_spoiled");
    spec.warnings = vec!["Invented data: no program was measured.".to_owned()];
    let mut run =
        RunSpec::new("Widget", "spoiled_bench", "spoiled", "benchmark", Target::new("1.0.0", "release"));
    run.comparison_key = "widget/spoiled/v1".to_owned();
    let columns = of_backend("benchmark", true);
    spec.runs.push(
        run.table(vec![Column::of(&columns[0], [520.0, 500.0]), Column::of(&columns[2], [64_u64, 64])]),
    );
    spec
}

/// The bundle of [`spec`].
fn sound() -> Bundle {
    Bundle::build(&spec())
}

/// The bundle that stands beside each spoiled one.
fn sibling() -> Bundle {
    let mut spec = BundleSpec::new("sibling", "invented_sibling");
    spec.warnings = vec!["Invented data: no program was measured.".to_owned()];
    let mut run =
        RunSpec::new("Widget", "sibling_bench", "sibling", "benchmark", Target::new("1.0.0", "release"));
    run.comparison_key = "widget/sibling/v1".to_owned();
    let run = run.table(vec![Column::of(&of_backend("benchmark", true)[0], [410.0, 400.0])]);
    spec.runs.push(run);
    Bundle::build(&spec)
}

/// A sound diagnostic record of the spoiled bundle.
fn remark(manifest: &Value) -> Value {
    json!({
        "record_type": "diagnostic", "run_id": manifest["run_id"], "attempt_id": manifest["attempt_id"],
        "case_id": "invented_spoiled/Widget/spoiled_bench", "target_id": "1.0.0", "rule_id": "invented.remark",
        "severity": "info", "message": "an invented remark", "evidence": {},
    })
}

/// The files of a bundle with another text for one document, under a fitting integrity list.
fn with_document(document: &str, bytes: impl Into<Vec<u8>>) -> Files {
    let mut files = sound().documents();
    files.insert(document.to_owned(), bytes.into());
    sealed(files)
}

/// The lines of the observations as JSON values.
fn rows(bundle: &Bundle) -> Vec<Value> {
    bundle
        .observations
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("the builder writes JSON"))
        .collect()
}
