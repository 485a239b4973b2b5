use proptest::prelude::*;
use serde_json::{Value, json};

use super::place::harmless;
use super::text::fill;
use super::*;

fn read(document: &Value) -> (Vec<Record>, FileStatus, usize) {
    let mut part = Part::default();
    let status = SarifReader.read("a.sarif", document.to_string().as_bytes(), &mut part);
    (part.records, status, part.problems.iter().count())
}

fn run(run: &Value) -> Record {
    let (mut records, ..) = read(&json!({"version": "2.1.0", "runs": [run]}));
    records.remove(0)
}

#[test]
fn a_document_is_told_by_its_name_or_its_driver() {
    let told = |path: &str, text: &str| SarifReader.detect(path, text.as_bytes(), true);
    let text = json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "a"}}}]}).to_string();
    for path in ["a.sarif", "b/A.SARIF", "a.sarif.json", "a.json"] {
        assert_eq!(told(path, &text), Answer::Yes, "{path}");
    }
    assert_eq!(told("a.json", &format!("\u{feff}{text}")), Answer::Yes);
    assert_eq!(told("a.txt", &text), Answer::No);
    assert_eq!(told("a.json", "{\"version\": 1, \"runs\": []}"), Answer::No);
    assert_eq!(told("é.sari", "x"), Answer::No);
    assert_eq!(SarifReader.detect("a.sarif", b"{", false), Answer::NeedMore);
}

#[test]
fn other_versions_and_broken_documents_are_refused() {
    for document in [json!({"version": "2.0.0", "runs": []}), json!({"runs": []}), json!({"version": 2.1})] {
        let (records, status, problems) = read(&document);
        assert_eq!((records.len(), status, problems), (0, FileStatus::Refused, 1));
    }
    let mut part = Part::default();
    assert_eq!(SarifReader.read("a", b"{\"runs\":", &mut part), FileStatus::Refused);
    let (_, status, problems) = read(&json!({"version": "2.1.0", "runs": {}}));
    assert_eq!((status, problems), (FileStatus::Incomplete, 2));
}

#[test]
fn no_list_of_results_is_not_an_empty_one() {
    let driver = json!({"driver": {"name": "d"}});
    let empty = run(&json!({"tool": driver, "results": []}));
    assert_eq!((empty.status, empty.finding_count()), (Status::Complete, Some(0)));
    for absent in [json!({"tool": driver}), json!({"tool": driver, "results": null})] {
        let record = run(&absent);
        assert_eq!((record.status, record.finding_count()), (Status::NotRun, None));
    }
}

#[test]
fn all_places_of_a_result_are_told_and_what_is_not_read_is_too() {
    let at = |file: &str, line: u64| json!({"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}}});
    let mut related = at("rel.c", 88);
    related["message"] = json!({"text": "declared here"});
    let (records, _, problems) = read(&json!({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "d"}},
        "results": [{
            "message": {"text": "m"}, "rank": 97.5, "occurrenceCount": 777, "fixes": [{}],
            "locations": [at("one.c", 1), at("two.c", 2)], "relatedLocations": [related],
        }],
    }]}));
    let finding = &records[0].findings.as_ref().unwrap()[0];
    assert_eq!(finding.file.as_deref(), Some("one.c"));
    let told: Vec<(&str, &str)> =
        finding.parameters.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        told,
        [
            ("further location", "@ two.c:2"),
            ("related location", "declared here @ rel.c:88"),
            ("rank", "97.5"),
            ("occurrenceCount", "777")
        ]
    );
    assert!(records[0].limitations[0].ends_with("fixes (1)"), "{:?}", records[0].limitations);
    assert_eq!(problems, 1);
}

#[test]
fn what_is_no_longer_found_is_no_finding() {
    let record = run(&json!({"tool": {"driver": {"name": "d"}}, "results": [
        {"message": {"text": "there"}, "baselineState": "new"},
        {"ruleId": "R1", "message": {"text": "gone"}, "baselineState": "absent"},
    ]}));
    assert_eq!(record.finding_count(), Some(1));
    assert_eq!(record.parameters, [("no longer found (baseline)".to_owned(), "R1 gone".to_owned())]);
}

#[test]
fn a_run_that_failed_has_no_count_whatever_its_exit_code() {
    let record = run(&json!({
        "tool": {"driver": {"name": "d"}}, "results": [{"message": {"text": "m"}}],
        "invocations": [
            {"executionSuccessful": true},
            {"executionSuccessful": false, "exitCode": 0, "toolExecutionNotifications": [
                {"level": "error", "message": {"text": "out of memory"}}]},
        ],
    }));
    assert_eq!((record.status, record.finding_count()), (Status::Failed, None));
    assert_eq!(record.findings.as_deref().unwrap().len(), 1, "what it found is still told");
    assert_eq!(record.message.as_deref(), Some("error: out of memory"));
    assert_eq!(record.status_recorded.as_deref(), Some("executionSuccessful: false"));
    let unsaid = run(&json!({"tool": {"driver": {"name": "d"}}, "results": [], "invocations": [{}]}));
    assert_eq!(unsaid.status, Status::Unknown);
}

#[test]
fn rules_are_found_by_id_by_place_and_in_extensions() {
    let record = run(&json!({
        "tool": {
            "driver": {"name": "d", "semanticVersion": "1.2.3", "version": "x", "rules": [
                {"id": "A", "defaultConfiguration": {"level": "error"}, "shortDescription": {"text": "about a"}},
                {"id": "B", "name": "Bee"},
            ]},
            "extensions": [{"name": "e", "rules": [{"id": "E", "defaultConfiguration": {"level": "note"}}]}],
        },
        "results": [
            {"ruleId": "A", "message": {}},
            {"ruleIndex": 1, "message": {}},
            {"rule": {"index": 0, "toolComponent": {"index": 0}}, "message": {}},
            {"rule": {"id": "A"}, "level": "none", "message": {}},
            {"ruleId": "unheard/of", "ruleIndex": 99, "message": {}},
            {"ruleId": "A", "kind": "review", "message": {}},
            {"message": {}},
            {"ruleId": "A", "kind": "pass", "message": {}},
        ],
    }));
    assert_eq!(record.tool_version.as_deref(), Some("1.2.3"));
    let found: Vec<_> = record.findings.iter().flatten().map(|one| (&*one.rule, &*one.severity)).collect();
    assert_eq!(
        found,
        [
            ("A", "error"),
            ("B", "warning"),
            ("E", "note"),
            ("A", "none"),
            ("unheard/of", "warning"),
            ("A", "none"),
            ("", "warning")
        ]
    );
    assert!(record.parameters.contains(&("results that say a rule is kept".to_owned(), "1".to_owned())));
    let titles: Vec<_> = record.findings.iter().flatten().map(|one| one.rule_title.as_deref()).collect();
    assert_eq!(titles[..3], [Some("about a"), Some("Bee"), None]);
}

#[test]
fn messages_take_arguments_and_keep_what_has_none() {
    let arguments = ["x".to_owned(), "{1}".to_owned()];
    for (template, filled) in [
        ("plain", "plain"),
        ("{0} and {1}", "x and {1}"),
        ("{{0}} is {0}", "{0} is x"),
        ("{2} {} {a} { } {0", "{2} {} {a} { } {0"),
        ("}} {", "} {"),
        ("é{0}é", "éxé"),
    ] {
        assert_eq!(fill(template, &arguments), filled, "{template}");
    }
    let record = run(&json!({
        "tool": {"driver": {
            "name": "d", "globalMessageStrings": {"g": {"text": "global {0}"}},
            "rules": [{"id": "A", "messageStrings": {"own": {"text": "own {0}"}}}],
        }},
        "results": [
            {"ruleId": "A", "message": {"id": "own", "arguments": ["1"]}},
            {"ruleId": "A", "message": {"id": "g", "arguments": ["2"]}},
            {"ruleId": "A", "message": {"id": "nowhere"}},
            {"ruleId": "A", "message": {"markdown": "**m**"}},
            {"ruleId": "A"},
        ],
    }));
    let found: Vec<_> = record.findings.iter().flatten().map(|one| &*one.message).collect();
    assert_eq!(found, ["own 1", "global 2", "nowhere", "**m**", ""]);
}

#[test]
fn addresses_become_harmless_text() {
    for (uri, text) in [
        ("src/parse%20table.c", "src/parse table.c"),
        ("file:///home/zo%C3%AB/a.c", "/home/zoë/a.c"),
        ("FILE:///C:/a.c", "C:/a.c"),
        ("file://host/share/a.c", "host/share/a.c"),
        ("a%0A%1B%00.c", "a\u{fffd}\u{fffd}\u{fffd}.c"),
        ("100%", "100%"),
        ("%zz%4", "%zz%4"),
        ("%ff%41", "%ff%41"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("ééé://x", "ééé://x"),
    ] {
        assert_eq!(harmless(uri), text);
    }
}

#[test]
fn places_come_from_the_result_or_from_the_list_of_artifacts() {
    let record = run(&json!({
        "tool": {"driver": {"name": "d"}},
        "artifacts": [{"location": {"uri": "src/listed.c", "uriBaseId": "ROOT"}}],
        "results": [
            {"message": {"text": ""}, "locations": [{
                "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 3, "startColumn": 9}},
                "logicalLocations": [{"name": "f", "fullyQualifiedName": "m::f"}],
            }]},
            {"message": {"text": ""}, "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "own.c", "index": 7}, "region": {"startLine": 0}}}]},
            {"message": {"text": ""}, "locations": []},
        ],
    }));
    let found: Vec<_> =
        record.findings.iter().flatten().map(|one| (one.file.as_deref(), one.line, one.column)).collect();
    assert_eq!(
        found,
        [(Some("src/listed.c"), Some(3), Some(9)), (Some("own.c"), None, None), (None, None, None)]
    );
    let parameters = &record.findings.as_ref().unwrap()[0].parameters;
    assert!(parameters.contains(&("uriBaseId".to_owned(), "ROOT".to_owned())));
    assert!(parameters.contains(&("symbol".to_owned(), "m::f".to_owned())));
}

#[test]
fn call_paths_come_from_flows_else_from_stacks() {
    let at = |uri: &str| {
        json!({"location": {
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 4}}, "message": {"text": "via"}}})
    };
    let record = run(&json!({
        "tool": {"driver": {"name": "d"}},
        "results": [
            {"codeFlows": [{"threadFlows": [{"locations": [at("a.c"), at("b.c")]}]}], "stacks": [{"frames": [at("z.c")]}]},
            {"codeFlows": [], "stacks": [{"frames": [at("z.c")]}]},
        ],
    }));
    let found: Vec<_> = record.findings.iter().flatten().map(|one| one.frames.clone()).collect();
    assert_eq!(
        found,
        [vec!["via @ a.c:4".to_owned(), "via @ b.c:4".to_owned()], vec!["via @ z.c:4".to_owned()]]
    );
}

#[test]
fn only_accepted_suppressions_count() {
    let of = |suppressions: Value| {
        let record = run(&json!({
            "tool": {"driver": {"name": "d"}},
            "results": [{"message": {"text": ""}, "suppressions": suppressions, "baselineState": "unchanged"}],
        }));
        let finding = record.findings.unwrap().remove(0);
        assert_eq!(finding.baseline.as_deref(), Some("unchanged"));
        finding.suppressed
    };
    assert_eq!(of(json!([])), None);
    assert_eq!(of(json!([{"kind": "inSource"}])).as_deref(), Some("inSource"));
    let both =
        json!([{"kind": "external", "status": "accepted", "justification": "cold"}, {"kind": "inSource"}]);
    assert_eq!(of(both).as_deref(), Some("external: cold; inSource"));
    assert_eq!(of(json!([{"kind": "external", "status": "underReview"}])), None);
    assert_eq!(of(json!([{"kind": "external"}, {"kind": "external", "status": "rejected"}])), None);
}

#[test]
fn results_in_other_files_make_the_report_incomplete() {
    let record = run(&json!({
        "tool": {"driver": {"name": "d"}}, "results": [], "externalPropertyFileReferences": {"results": [{}]},
    }));
    assert_eq!((record.status, record.finding_count()), (Status::Incomplete, None));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z{}%:/0-9]{0,6}".prop_map(Value::from),
    ];
    let keys = prop_oneof![
        Just("tool"),
        Just("driver"),
        Just("rules"),
        Just("results"),
        Just("message"),
        Just("text"),
        Just("id"),
        Just("locations"),
        Just("physicalLocation"),
        Just("artifactLocation"),
        Just("uri"),
        Just("index"),
        Just("codeFlows"),
        Just("threadFlows"),
        Just("location"),
        Just("region"),
        Just("startLine"),
        Just("rule"),
        Just("toolComponent"),
        Just("invocations"),
        Just("suppressions"),
        Just("artifacts"),
        Just("extensions"),
    ];
    leaf.prop_recursive(6, 64, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(keys.clone().prop_map(str::to_owned), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_document_of_any_shape_stops_the_reader(runs in prop::collection::vec(any_json(), 0..4)) {
        let (records, ..) = read(&json!({"version": "2.1.0", "runs": runs}));
        for record in records {
            prop_assert!(record.status == Status::Complete || record.finding_count().is_none());
        }
    }

    #[test]
    fn no_bytes_stop_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = SarifReader.detect("a.sarif", &bytes, true);
        SarifReader.read("a.sarif", &bytes, &mut Part::default());
    }

    #[test]
    fn an_address_never_holds_a_control_character(uri in "\\PC{0,20}|(%[0-9a-f]{2}|[a-z/]){0,12}") {
        prop_assert!(!harmless(&uri).chars().any(char::is_control));
    }
}
