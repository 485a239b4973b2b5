//! Tests of whole bundles, built in memory.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::error::Severity;

mod profiles;

const RUN: &str = "6f0c7d0e-5b1a-4d53-9c39-0f6c2f1b7a10";

/// A small sound bundle; tests spoil or extend its documents, then take it.
struct Maker {
    manifest: Value,
    definitions: Value,
    lines: Vec<String>,
    diagnostics: String,
    artifacts: Value,
    integrity: bool,
}

fn observation(metric: &str, index: u64, value: &Value) -> Value {
    let id = format!("{metric}/tool-v1");
    json!({
        "record_type": "observation", "run_id": RUN, "attempt_id": "a", "case_id": "s/W/sort", "target_id": "1.0.0",
        "metric": metric, "unit": "ns", "measurement_definition": id, "value": value, "aggregation": "sample",
        "sample_index": index, "scope": "workload", "comparison_key": format!("w/v1::{id}"),
        "attributes": {"package": "W", "feature": "sort", "workload": "sorting", "version": "1.0.0",
            "target_kind": "release", "table_index": 1},
    })
}

impl Maker {
    fn new() -> Self {
        let lines = [3, 1, 2].map(|index| observation("t.time", index, &json!(index * 10)).to_string());
        Self {
            manifest: json!({
                "schema_version": "perfchecker-run-bundle/1", "run_id": RUN, "attempt_id": "a", "evidence": "fresh",
                "state": "complete", "suite": "s", "runtime": {"language": "julia"}, "environment": {"os": "Linux"},
            }),
            definitions: json!([
                {"id": "t.time/tool-v1", "metric": "t.time", "unit": "ns", "preference": "lower"},
                {"id": "t.gc/tool-v1", "metric": "t.gc", "unit": "ns", "note": "kept"},
            ]),
            lines: lines.into(),
            diagnostics: String::new(),
            artifacts: json!([]),
            integrity: true,
        }
    }

    fn observe(mut self, change: impl FnOnce(&mut Value)) -> Self {
        let mut line = observation("t.time", 4, &json!(40));
        change(&mut line);
        self.lines.push(line.to_string());
        self
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let documents = [
            self.manifest.to_string(),
            self.definitions.to_string(),
            self.lines.iter().flat_map(|line| [line, "\n"]).collect(),
            self.diagnostics.clone(),
            self.artifacts.to_string(),
        ];
        let mut files: BTreeMap<String, Vec<u8>> = COVERED
            .iter()
            .zip(documents)
            .map(|(name, text)| (format!("b/{name}"), text.into_bytes()))
            .collect();
        if self.integrity {
            let list: Vec<Value> = files
                .iter()
                .map(|(path, bytes)| json!({"path": &path[2..], "sha256": sha256_hex(bytes), "bytes": bytes.len()}))
                .collect();
            let list = json!({"schema_version": "perfchecker-bundle-integrity/1", "algorithm": "sha256", "files": list});
            files.insert("b/integrity.json".to_owned(), list.to_string().into_bytes());
        }
        files
    }

    fn read(&self) -> Part {
        read(self.files())
    }
}

fn read(files: BTreeMap<String, Vec<u8>>) -> Part {
    let limits = Limits::default();
    read_bundle(&Source::memory(files, &limits), "b", &limits, true)
}

fn told(part: &Part) -> Vec<(Severity, String)> {
    part.problems.sorted().iter().map(|problem| (problem.severity, problem.place.to_string())).collect()
}

fn values(part: &Part) -> Vec<String> {
    let samples = part.runs[0].groups.iter().flat_map(|group| &group.samples);
    samples.map(|sample| format!("{}:{}", sample.index, sample.value)).collect()
}

#[test]
fn a_sound_bundle_gives_sorted_groups() {
    let part = Maker::new().read();
    assert_eq!(told(&part), []);
    let run = &part.runs[0];
    assert_eq!((run.path.as_str(), run.integrity, run.state), ("b", Integrity::Verified, RunState::Complete));
    assert_eq!(values(&part), ["1:10", "2:20", "3:30"]);
    let key = &run.groups[0].key;
    assert_eq!((&*key.base_key, &*key.feature, &*key.target), ("w/v1", "sort", "1.0.0"));
    assert_eq!(run.definitions[1].extra["note"], "kept");
    assert_eq!(part.files.len(), 6);
    assert!(part.files.iter().all(|file| file.status == FileStatus::Complete && file.sha256.is_some()));
}

#[test]
fn one_changed_byte_takes_everything_back() {
    let mut files = Maker::new().files();
    let lines = files.get_mut("b/observations.jsonl").unwrap();
    let at = memchr::memmem::find(lines, b"\"value\":30").unwrap();
    lines[at + 8] = b'4';
    let part = read(files);
    assert_eq!(told(&part), [(Severity::Error, "b/observations.jsonl (sha256)".to_owned())]);
    let run = &part.runs[0];
    assert_eq!((run.run_id.as_str(), run.integrity), (RUN, Integrity::Failed));
    assert!(run.groups.is_empty() && run.definitions.is_empty());
    assert!(part.files.iter().all(|file| file.status == FileStatus::Refused));
}

#[test]
fn one_bad_observation_falls_alone() {
    let cases: [(&str, Value, &str); 12] = [
        ("value", json!(true), "value"),
        ("value", json!("12"), "value"),
        ("value", Value::Null, "value"),
        ("unit", json!("s"), "unit"),
        ("metric", json!("other"), "metric"),
        ("measurement_definition", json!("x/y"), "measurement_definition"),
        ("run_id", json!("other"), "run_id"),
        ("record_type", json!("diagnostic"), "record_type"),
        ("sample_index", json!(1.5), "sample_index"),
        ("sample_index", json!(-1), "sample_index"),
        ("sample_index", json!(4_294_967_296_u64), "sample_index"),
        ("attributes", json!([]), "attributes"),
    ];
    for (field, value, told_field) in cases {
        let shown = format!("{field} {value}");
        let part = Maker::new().observe(|line| line[field] = value).read();
        let place = format!("b/observations.jsonl:4 ({told_field})");
        assert_eq!(told(&part), [(Severity::Error, place)], "{shown}");
        assert_eq!(values(&part), ["1:10", "2:20", "3:30"], "{shown}");
        assert_eq!(part.runs[0].state, RunState::Complete, "{shown}");
        assert_eq!(part.files[2].status, FileStatus::Incomplete);
    }
}

#[test]
fn tokens_that_are_not_json_name_their_field() {
    for token in ["NaN", "-Infinity", "Infinity"] {
        let mut maker = Maker::new();
        maker
            .lines
            .push(observation("t.time", 4, &json!(40)).to_string().replace(":40", &format!(":{token}")));
        let part = maker.read();
        assert_eq!(told(&part), [(Severity::Error, "b/observations.jsonl:4 (value)".to_owned())], "{token}");
        assert_eq!(part.runs[0].state, RunState::Partial);
        let problem = part.problems.sorted()[0].message.clone();
        assert!(problem.contains(token), "{problem}");
    }
    let mut maker = Maker::new();
    maker.lines.push(observation("t.time", 4, &json!(40)).to_string().replace(":40", ":1e999"));
    let part = maker.read();
    assert_eq!(told(&part), [(Severity::Error, "b/observations.jsonl:4 (value)".to_owned())]);
    assert_eq!(part.runs[0].state, RunState::Complete);
}

#[test]
fn foreign_rows_get_what_they_lack() {
    let part = Maker::new()
        .observe(|line| {
            line["attributes"] = json!({"version": "2.0"});
            line["value"] = json!("18446744073709551615");
            for key in ["target_id", "sample_index", "comparison_key", "run_id"] {
                line.as_object_mut().unwrap().remove(key);
            }
        })
        .observe(|line| line["comparison_key"] = line["measurement_definition"].clone())
        .read();
    assert_eq!(told(&part), []);
    let foreign = part.runs[0].groups.iter().find(|group| group.key.package.is_none()).unwrap();
    assert_eq!(
        (&*foreign.key.feature, &*foreign.key.target, &*foreign.key.base_key),
        ("s/W/sort", "2.0", "")
    );
    assert_eq!(foreign.samples[0].value.to_string(), "18446744073709551615");
    assert_eq!(part.runs[0].groups.iter().filter(|group| group.key.base_key.is_empty()).count(), 2);
}

#[test]
fn contradictions_stay_and_repetitions_count_once() {
    let part = Maker::new()
        .observe(|line| line["sample_index"] = json!(3))
        .observe(|line| {
            line["sample_index"] = json!(2);
            line["value"] = json!(20.0);
        })
        .read();
    assert_eq!(values(&part), ["1:10", "2:20", "3:30", "3:40"]);
    let told = told(&part);
    assert_eq!(told, [4, 5].map(|line| (Severity::Warning, format!("b/observations.jsonl:{line}"))));
    assert!(part.problems.sorted()[0].message.contains("30 (line 1) and 40 (line 4)"));
}

#[test]
fn a_target_told_in_two_ways_is_doubtful_on_every_line() {
    let odd = |line: &mut Value| line["attributes"]["version"] = json!("9.9");
    let part = Maker::new()
        .observe(odd)
        .observe(|line| {
            odd(line);
            line["sample_index"] = json!(5);
        })
        .read();
    let places: Vec<_> = told(&part).into_iter().map(|(_, place)| place).collect();
    assert_eq!(places, [4, 5].map(|line| format!("b/observations.jsonl:{line} (attributes.version)")));
    assert_eq!(values(&part).len(), 5);
}

/// Formats §6, trap 10 beside others: scenarios write an object where suites have a list.
#[test]
fn optional_fields_of_the_wrong_type_are_absent() {
    let mut maker = Maker::new();
    maker.manifest["tags"] = json!("fast");
    maker.manifest["plan"] =
        json!({"runs": [{"feature": "f", "version": "1"}, {"feature": 1, "version": "1"}, 7]});
    maker.manifest["run_qualifications"] = json!([{
        "case_id": "c", "target_id": "1",
        "evidence": {"environment_provenance": {
            "resolved_package_count": 59.0, "resolved_packages": [{"name": "Z"}, {"name": "A", "version": "1"}]}},
    }]);
    maker.manifest["environment"] = json!({"hardware_ids": {"host": "h"}});
    let part = maker.read();
    let fields: Vec<_> =
        part.problems.sorted().iter().map(|problem| problem.place.field.clone().unwrap()).collect();
    assert_eq!(fields, ["plan.runs[1].feature", "plan.runs[2]", "tags"]);
    assert!(part.problems.iter().all(|problem| problem.severity == Severity::Warning));
    let run = &part.runs[0];
    assert_eq!(run.planned.len(), 1);
    let dependencies = run.qualifications[0].dependencies.as_ref().unwrap();
    assert_eq!((dependencies.total, dependencies.packages[0].name.as_str()), (Some(59), "A"));
}

#[test]
fn limits_hold() {
    let limits = Limits { samples: 2, line_bytes: 2000, ..Limits::default() };
    let mut maker = Maker::new();
    maker.lines.insert(0, "x".repeat(3000));
    let part = read_bundle(&Source::memory(maker.files(), &limits), "b", &limits, false);
    let told = told(&part);
    assert_eq!(told[0].1, "b/observations.jsonl:1");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(part.runs[0].groups.iter().map(|group| group.samples.len()).sum::<usize>() <= 2);
    assert_eq!(part.runs[0].state, RunState::Partial);
}

#[test]
fn other_programs_manifests_are_no_bundles() {
    let limits = Limits::default();
    let files = BTreeMap::from([("b/manifest.json".to_owned(), b"{\"name\":\"web app\"}".to_vec())]);
    assert!(!is_bundle(&Source::memory(files, &limits), "b"));
    let files = BTreeMap::from([
        ("b/manifest.json".to_owned(), Vec::new()),
        ("b/observations.jsonl".to_owned(), Vec::new()),
    ]);
    assert!(is_bundle(&Source::memory(files, &limits), "b"));
}

#[test]
fn a_bundle_without_its_manifest_is_listed_and_refused() {
    for integrity in [true, false] {
        let mut files = Maker { integrity, ..Maker::new() }.files();
        files.remove("b/manifest.json");
        let limits = Limits::default();
        let (evidence, problems) = super::super::read_source(
            &Source::memory(files, &limits),
            "s",
            "p",
            &limits,
            &crate::error::Silent,
        );
        let run = &evidence.runs[0];
        assert_eq!((run.path.as_str(), run.run_id.as_str(), run.integrity), ("b", "", Integrity::Failed));
        assert!(run.groups.is_empty() && run.definitions.is_empty());
        assert_eq!(evidence.files.len(), 4 + usize::from(integrity));
        assert!(evidence.files.iter().all(|file| file.status == FileStatus::Refused));
        let missing = problems.sorted()[0];
        assert_eq!(
            (missing.severity, missing.place.to_string()),
            (Severity::Error, "b/manifest.json".to_owned())
        );
        assert!(missing.message.starts_with("the manifest is missing"), "{}", missing.message);
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests make their own files")]
fn folders_in_the_place_of_documents_are_errors() {
    use std::fs;
    for (name, integrity, state) in [
        (MANIFEST, Integrity::Failed, RunState::Partial),
        (DEFINITIONS, Integrity::Unverified, RunState::Complete),
        (OBSERVATIONS, Integrity::Unverified, RunState::Partial),
        (DIAGNOSTICS, Integrity::Unverified, RunState::Partial),
        (ARTIFACTS, Integrity::Unverified, RunState::Complete),
        (INTEGRITY, Integrity::Failed, RunState::Complete),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        for (path, bytes) in (Maker { integrity: false, ..Maker::new() }).files() {
            fs::write(folder.path().join(path), bytes).unwrap();
        }
        let place = format!("b/{name}");
        let _ = fs::remove_file(folder.path().join(&place));
        fs::create_dir(folder.path().join(&place)).unwrap();
        let limits = Limits::default();
        let source = Source::open(folder.path(), &limits).unwrap();
        let (evidence, problems) =
            super::super::read_source(&source, "s", "p", &limits, &crate::error::Silent);
        let errors: Vec<_> = problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
            .map(|problem| problem.place.to_string())
            .collect();
        assert_eq!(errors, [place]);
        let run = &evidence.runs[0];
        assert_eq!((run.integrity, run.state), (integrity, state), "{name}");
        assert_eq!(run.groups.is_empty(), name != DIAGNOSTICS, "{name}");
    }
}

#[test]
fn a_manifest_with_a_key_twice_is_doubtful_and_an_unknown_schema_is_quoted_once() {
    let mut files = Maker { integrity: false, ..Maker::new() }.files();
    let manifest = String::from_utf8(files["b/manifest.json"].clone()).unwrap();
    let twice = manifest.replacen('{', "{\"run_id\": \"other\", ", 1);
    files.insert("b/manifest.json".to_owned(), twice.into_bytes());
    let part = read(files.clone());
    assert!(told(&part).contains(&(Severity::Warning, "b/manifest.json (run_id)".to_owned())));
    let other = manifest.replace("perfchecker-run-bundle/1", "perfchecker-run-bundle/9");
    files.insert("b/manifest.json".to_owned(), other.into_bytes());
    let part = read(files);
    let field = Some("schema_version".to_owned());
    let message = &part.problems.iter().find(|problem| problem.place.field == field).unwrap().message;
    assert!(message.starts_with("\"perfchecker-run-bundle/9\" is not"), "{message}");
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    /// Lines of several metrics, values and forms, some repeated, some contradicting, some broken.
    fn line() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just(json!(1)),
            Just(json!(1.0)),
            Just(json!(-0.0)),
            Just(json!(0)),
            Just(json!(2.5)),
            Just(json!("9007199254740993")),
            Just(json!("bad")),
        ];
        let made = (prop_oneof![Just("t.time"), Just("t.gc")], 0_u64..4, value, 0_u64..3).prop_map(
            |(metric, index, value, table)| {
                let mut line = observation(metric, index, &value);
                line["attributes"]["table_index"] = json!(table);
                line.to_string()
            },
        );
        prop_oneof![8 => made, 1 => Just("[1]".to_owned()), 1 => Just("{\"value\":NaN}".to_owned())]
    }

    /// What a reader knows, without line numbers.
    fn outcome(lines: &[String]) -> (String, BTreeMap<(Severity, Option<String>), usize>) {
        let part = Maker { lines: lines.to_vec(), ..Maker::new() }.read();
        let mut counts = BTreeMap::new();
        for problem in part.problems.iter() {
            *counts.entry((problem.severity, problem.place.field.clone())).or_default() += 1;
        }
        (format!("{:?}", part.runs[0].groups), counts)
    }

    proptest! {
        #[test]
        fn the_order_of_lines_means_nothing(
            (lines, mixed) in prop::collection::vec(line(), 0..24)
                .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle()))
        ) {
            prop_assert_eq!(outcome(&lines), outcome(&mixed));
        }

        #[test]
        fn templates_read_what_the_full_reader_reads(lines in prop::collection::vec(line(), 1..24)) {
            // White space in front keeps a template from fitting, and means nothing.
            let slow: Vec<String> =
                lines.iter().enumerate().map(|(at, line)| format!("{}{line}", " ".repeat(at + 1))).collect();
            prop_assert_eq!(outcome(&lines), outcome(&slow));
        }

        #[test]
        fn no_bytes_make_it_panic(at in 0_usize..6, bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut maker = Maker::new();
            maker.integrity = at == 5;
            let mut files = maker.files();
            let name = COVERED.iter().chain([&INTEGRITY]).nth(at).unwrap();
            files.insert(format!("b/{name}"), bytes);
            let part = read(files);
            prop_assert_eq!(part.runs.len(), 1);
        }

        #[test]
        fn no_spoiled_byte_makes_it_panic(at in 0_usize..4000, byte in any::<u8>(), document in 0_usize..5) {
            let mut maker = Maker::new();
            maker.integrity = false;
            maker.diagnostics = json!({"record_type": "diagnostic", "run_id": RUN, "evidence": {}}).to_string();
            let mut files = maker.files();
            let bytes = files.get_mut(&format!("b/{}", COVERED[document])).unwrap();
            let length = bytes.len();
            bytes[at % length] = byte;
            let part = read(files);
            prop_assert_eq!(part.runs.len(), 1);
        }
    }
}
