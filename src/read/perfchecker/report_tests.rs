//! Tests of the readers of diagnosis reports, native tools, heap types and networks.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Part;
use super::super::detect::{Answer, Reader};
use super::diagnosis::DiagnosisReader;
use super::heap_types::{HeapTypesReader, KEPT};
use super::massif::MassifReader;
use super::native::NativeReader;
use super::network::NetworkReader;
use crate::evidence::record::{Details, Status};
use crate::evidence::{FileStatus, Record};

const READERS: [&dyn Reader; 5] =
    [&DiagnosisReader, &NativeReader, &MassifReader, &HeapTypesReader, &NetworkReader];

fn read(reader: &dyn Reader, document: &Value) -> (Vec<Record>, FileStatus, Vec<String>) {
    let mut part = Part::default();
    let status = reader.read("d.json", document.to_string().as_bytes(), &mut part);
    let problems =
        part.problems.sorted().iter().map(|one| format!("{}: {}", one.place, one.message)).collect();
    (part.records, status, problems)
}

fn only(reader: &dyn Reader, document: &Value) -> Record {
    let (mut records, ..) = read(reader, document);
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn diagnosis(record: &Value) -> Record {
    only(&DiagnosisReader, &json!({"records": [record]}))
}

fn native(record: &Value) -> Record {
    only(&NativeReader, &json!({"os": "Linux", "records": [record]}))
}

fn number(record: &Record, name: &str) -> Option<String> {
    record.numbers.iter().find(|one| one.name == name).map(|one| format!("{} {}", one.value, one.unit))
}

#[test]
fn every_document_has_one_reader() {
    let version = json!({"schema_version": "perfchecker-example-network/1", "version": "1", "records": [
        {"payload_bytes": 1, "samples": [{}], "tool": "x", "status": "complete"}]});
    let documents = [
        (0, json!({"records": [{"tool": "jet", "status": "complete"}]})),
        (0, json!({"schema_version": "perfchecker-diagnosis/1", "records": []})),
        (0, json!({"schema_version": "perfchecker-diagnosis/9"})),
        (
            1,
            json!({"records": [{"tool": "massif", "availability": "executable_found", "status": "completed"}]}),
        ),
        (2, json!({"observations": [{"time": 0, "heap_bytes": 1}], "time_unit": "i"})),
        (3, json!({"types": [{"type": "A", "shallow_bytes": 1}]})),
        (4, version.clone()),
        (4, json!({"versions": [version]})),
        (4, json!({"capture": {"schema_version": "perfchecker-isolated-network-result/1"}})),
        (9, json!({"records": []})),
        (9, json!({"records": [{"collector": "x", "value": 1}]})),
        (9, json!({"versions": ["1.0.0"], "views": []})),
        (9, json!({"types": ["idle_control"], "idle_control": 1})),
    ];
    for (expected, document) in documents {
        let text = document.to_string();
        for (at, reader) in READERS.iter().enumerate() {
            // A key that is not checked here must not make a document someone's.
            let answer = reader.detect("d.json", text.as_bytes(), true);
            assert_eq!(answer == Answer::Yes, at == expected, "{} and {text}", reader.format().id());
            assert_eq!(reader.detect("d.txt", text.as_bytes(), true), Answer::No);
            assert_eq!(reader.detect("d.json", b"{", false), Answer::NeedMore);
        }
    }
}

#[test]
fn status_words_are_kept_and_only_complete_tools_have_numbers() {
    for (word, status) in [
        ("complete", Status::Complete),
        ("unavailable", Status::NotRun),
        ("invalid", Status::Invalid),
        ("error", Status::Failed),
        ("timeout", Status::Timeout),
        ("cancelled", Status::Incomplete),
        ("paused", Status::Unknown),
    ] {
        let record = diagnosis(&json!({
            "tool": "snoopcompile", "status": word, "exit_code": 0, "findings": [],
            "measurements": {"inference_seconds": 0.5, "samples": [{"gc_seconds": 1}]},
        }));
        assert_eq!((record.status, record.status_recorded.as_deref()), (status, Some(word)));
        let complete = status == Status::Complete;
        assert_eq!(number(&record, "inference_seconds").is_some(), complete, "{word}");
        assert_eq!(matches!(record.details, Details::Samples(_)), complete, "{word}");
        assert_eq!(record.finding_count(), complete.then_some(0), "{word}");
        assert_eq!(record.withheld, if complete { 0 } else { 2 });
    }
    let silent = diagnosis(&json!({"tool": "jet", "findings": [], "measurements": {"n": 1}}));
    assert_eq!((silent.status, silent.withheld), (Status::Unknown, 1));
}

/// Formats §6, trap 11: `passed` may be a constant; a failed oracle still never counts as a result.
#[test]
fn trap_11_a_failed_oracle_is_no_result_though_the_status_says_complete() {
    let record = diagnosis(&json!({
        "tool": "latency", "status": "complete", "correctness": "failed", "measurements": {"load_seconds": 1},
    }));
    assert_eq!((record.status, record.numbers.len(), record.withheld), (Status::Invalid, 0, 1));
    let quality = diagnosis(&json!({
        "tool": "aqua", "status": "complete", "correctness": "not_checked", "quality": "failed", "findings": [],
    }));
    assert_eq!((quality.status, quality.quality.as_deref()), (Status::Complete, Some("failed")));
}

/// Formats §6, trap 16 and 17: paths of any system stand in documents; none is opened or shortened here.
#[test]
fn trap_16_paths_are_text() {
    let record = diagnosis(&json!({
        "tool": "jet", "status": "complete",
        "findings": [
            {"message": "m", "location": {"file": ".\\boot.jl", "line": 649}},
            {"message": "m", "location": {"file": "", "line": 0}},
            {"message": "m", "location": {"file": "../../etc/passwd", "line": 1}},
        ],
    }));
    let found: Vec<_> = record.findings.iter().flatten().map(|one| (one.file.as_deref(), one.line)).collect();
    assert_eq!(found, [(Some(".\\boot.jl"), Some(649)), (None, None), (Some("../../etc/passwd"), Some(1))]);
}

/// Formats §6, trap 19: names are kept whatever characters they have, and never split at a space or a colon.
#[test]
fn trap_19_generated_names_are_kept_whole() {
    let name = "#30 (::Main.var\"##SharedCase#142\".|>)";
    let record = diagnosis(&json!({
        "tool": "alloccheck", "status": "complete",
        "findings": [{"message": format!("Allocation\n\nStacktrace:\n [1] {name}\n   @ a b:c.jl:3 [inlined]\n")}],
    }));
    let finding = &record.findings.as_ref().unwrap()[0];
    assert_eq!(
        (&*finding.message, &*finding.frames[0]),
        ("Allocation", &*format!("{name} @ a b:c.jl:3 [inlined]"))
    );
}

/// Formats §6, trap 22: timed-out native tools with exit code 0; no status when never executed.
#[test]
fn trap_22_the_status_decides_and_never_the_exit_code() {
    let of = |more: Value| {
        let mut record = json!({
            "tool": "cachegrind", "availability": "executable_found", "executed": true, "exit_code": 0,
            "elapsed_seconds": 190.0, "instrumented_instructions": 99,
        });
        for (key, value) in more.as_object().unwrap() {
            record[key] = value.clone();
        }
        native(&record)
    };
    for (more, status) in [
        (json!({"status": "completed"}), Status::Complete),
        (json!({"status": "findings_reported"}), Status::Complete),
        (json!({"status": "time_budget_exceeded"}), Status::Timeout),
        (json!({"status": "oracle_not_confirmed"}), Status::Invalid),
        (json!({"status": "tool_failed"}), Status::Failed),
        (json!({"status": "resting"}), Status::Unknown),
        (json!({}), Status::Unknown),
        (json!({"executed": false, "availability": "not_installed"}), Status::NotRun),
        (json!({"executed": null, "availability": "unsupported_platform"}), Status::NotRun),
        (json!({"executed": false, "status": "completed"}), Status::Unknown),
        (json!({"status": "completed", "correctness": "failed"}), Status::Invalid),
    ] {
        let record = of(more.clone());
        assert_eq!(record.status, status, "{more}");
        assert_eq!(record.numbers.is_empty(), status != Status::Complete, "{more}");
    }
    let never = of(json!({"executed": false, "availability": "not_installed"}));
    assert_eq!(never.status_recorded.as_deref(), Some("not_installed"));
    let stopped = of(json!({"status": "time_budget_exceeded"}));
    assert!(stopped.parameters.contains(&("elapsed_seconds".to_owned(), "190.0".to_owned())));
}

/// Formats §6, trap 21 and 25: the entries of `history.json` are whole documents, `catalog.json` has texts there.
#[test]
fn trap_25_versions_are_objects_here() {
    let version = |label: &str| {
        json!({
            "schema_version": "perfchecker-example-network/1", "version": label, "julia_version": "1.13.0",
            "records": [{"payload_bytes": 64, "correctness": "passed", "samples": [{"bytes_sent": 3.0}]}],
        })
    };
    let other = json!({"schema_version": "perfchecker-example-network/2", "version": "3"});
    let document = json!({"versions": [version("1.9.0"), version("1.10.0"), other, "1.11.0"]});
    let (records, status, problems) = read(&NetworkReader, &document);
    let labels: Vec<_> = records.iter().map(|one| one.target.as_deref().unwrap()).collect();
    assert_eq!((labels, status), (vec!["1.9.0", "1.10.0"], FileStatus::Incomplete));
    assert_eq!(problems.len(), 2, "{problems:?}");
}

/// Formats §7.2: what was counted in another way, and a second record of one size, is never pooled and never lost.
#[test]
fn requests_that_may_not_be_pooled_are_records_of_their_own() {
    let sample = |scope: &str, interface: &str, sent: f64| json!({"bytes_sent": sent, "attribution_scope": scope, "interface": interface, "workload_seconds": 1.0});
    let payload = |bytes: u64, samples: Vec<Value>| json!({"payload_bytes": bytes, "application_request_bytes": 9, "correctness": "passed", "samples": samples});
    let host = || sample("host_interface", "eth0", 1.0);
    let document = |payloads: Vec<Value>| {
        json!({"schema_version": "perfchecker-example-network/1", "version": "1", "interface": "eth0",
            "idle_control": [host()], "records": payloads})
    };
    let networks = |document: &Value| {
        let (records, status, problems) = read(&NetworkReader, document);
        let sizes: Vec<_> = records
            .iter()
            .map(|record| match &record.details {
                Details::Network(one) => (
                    one.payloads.iter().map(|one| (one.bytes, one.samples.len())).collect::<Vec<_>>(),
                    one.idle.len(),
                    one.interface.clone(),
                ),
                _ => panic!("{record:?}"),
            })
            .collect();
        (sizes, status, problems)
    };
    let eth = Some("eth0".to_owned());
    let mixed = vec![
        payload(64, vec![host(), sample("isolated_process_tree", "veth9", 2.0)]),
        payload(96, vec![host()]),
    ];
    let (sizes, status, problems) = networks(&document(mixed));
    let veth = Some("veth9".to_owned());
    assert_eq!(sizes, [(vec![(64, 1), (96, 1)], 1, eth.clone()), (vec![(64, 1)], 0, veth)]);
    assert_eq!((status, problems.len()), (FileStatus::Complete, 1), "{problems:?}");
    assert!(problems[0].contains("(records)") && problems[0].contains("veth9"), "{problems:?}");

    let twice = vec![payload(64, vec![host()]), payload(64, vec![host(), host()])];
    let (sizes, _, problems) = networks(&document(twice));
    assert_eq!(sizes, [(vec![(64, 1)], 1, eth.clone()), (vec![(64, 2)], 0, eth.clone())]);
    assert!(problems[0].contains("records[1].payload_bytes") && problems.len() == 1, "{problems:?}");

    let negative = vec![payload(64, vec![sample("host_interface", "eth0", -5.0)])];
    let (records, status, problems) = read(&NetworkReader, &document(negative));
    let Details::Network(one) = &records[0].details else { panic!("{records:?}") };
    assert_eq!((one.payloads[0].samples[0].bytes_sent, one.payloads[0].request_bytes), (None, Some(9)));
    assert_eq!(status, FileStatus::Incomplete);
    assert!(problems[0].contains("records[0].samples[0].bytes_sent"), "{problems:?}");
}

#[test]
fn a_report_that_names_no_target_is_given_none() {
    let record = only(
        &DiagnosisReader,
        &json!({
            "schema_version": "perfchecker-diagnosis/1", "source_provenance": {"revision": "be5c2e5", "branch": "v1.11.0", "dirty": true},
            "records": [{"tool": "jet", "tool_version": "1", "status": "complete",
                "environment_provenance": [{"manifest_sha256": "ab"}], "performance": "not_compared"}],
        }),
    );
    assert_eq!((record.target.as_deref(), record.revision.as_deref()), (None, Some("be5c2e5")));
    assert_eq!(record.manifest_sha256.as_deref(), Some("ab"));
    assert_eq!(record.absent(), ["target", "runtime", "operating system", "date"]);
    let parameters: Vec<_> =
        record.parameters.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        parameters,
        [("performance", "not_compared"), ("branch", "v1.11.0"), ("uncommitted changes", "yes")]
    );
    let published =
        diagnosis(&json!({"tool": "jet", "status": "complete", "runtime": {"language": "julia"}}));
    assert_eq!(
        published.absent(),
        [
            "target",
            "revision of the sources",
            "dependency manifest",
            "version of the tool",
            "operating system",
            "date"
        ]
    );
}

#[test]
fn unknown_tools_keep_their_words() {
    let record = diagnosis(&json!({
        "tool": "race-finder", "status": "complete", "seed": 7, "deep": {"x": 1},
        "measurements": {"races": 2, "scan_ms": 12.5, "verdict": "odd"},
        "findings": [{"rule_id": "race/ww", "severity": "critical", "message": "m",
            "evidence": {"threads": 2, "certain": true, "list": []}}],
    }));
    assert_eq!(number(&record, "races").as_deref(), Some("2 "), "no unit is made up");
    assert_eq!(number(&record, "scan_ms").as_deref(), Some("12.5 ms"));
    assert_eq!(number(&record, "verdict"), None);
    assert_eq!(record.parameters, [("seed".to_owned(), "7".to_owned())]);
    let finding = &record.findings.as_ref().unwrap()[0];
    assert_eq!((&*finding.rule, &*finding.severity), ("race/ww", "critical"));
    assert_eq!(finding.parameters.len(), 2);
}

#[test]
fn absent_counters_are_not_zero() {
    let record = diagnosis(&json!({
        "tool": "memory", "status": "complete", "measurements": {"samples": [
            {"state_before_bytes": 5, "process_before": {"status": "unavailable", "rss_bytes": 0}},
            {"process_before": {"status": "observed", "rss_bytes": 7, "pid": 3, "provider": "p"}, "state_before_bytes": null},
        ]},
    }));
    let Details::Samples(samples) = &record.details else { panic!("no samples") };
    let told: Vec<_> = samples
        .columns
        .iter()
        .map(|one| {
            (
                one.name.as_str(),
                one.unit,
                one.values.iter().map(|v| v.map(|v| v.to_string())).collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("state_before_bytes", "By", vec![Some("5".to_owned()), None]),
            ("rss_before_bytes", "By", vec![None, Some("7".to_owned())]),
        ]
    );
    assert_eq!(samples.provider.as_deref(), Some("p"));
    let massif =
        only(&MassifReader, &json!({"observations": [{"heap_bytes": -3, "time": "x"}], "time_unit": "i"}));
    let Details::Massif(massif) = &massif.details else { panic!("no observations") };
    assert_eq!(massif.snapshots[0].heap_bytes, None);
}

#[test]
fn an_empty_massif_file_is_incomplete() {
    let (records, status, _) = read(&MassifReader, &json!({"observations": [], "time_unit": "i"}));
    assert_eq!((records[0].status, status), (Status::Incomplete, FileStatus::Incomplete));
}

#[test]
fn too_many_types_stay_as_one_sum() {
    let types: Vec<Value> = (0..KEPT + 5)
        .map(|at| json!({"type": format!("T{at}"), "objects": 1, "shallow_bytes": at}))
        .collect();
    let record = only(&HeapTypesReader, &json!({"artifact_sha256": "ab", "types": types}));
    let Details::HeapTypes(heap) = &record.details else { panic!("no types") };
    assert_eq!((heap.types.len(), heap.rest.types, heap.rest.bytes), (KEPT, 5, 10));
    assert_eq!(heap.types[0].bytes, KEPT as u64 + 4);
    let (records, status, problems) =
        read(&HeapTypesReader, &json!({"types": [{"type": "A", "shallow_bytes": 1}, {"type": "B"}, 7]}));
    assert_eq!((records.len(), status, problems.len()), (1, FileStatus::Incomplete, 2));
}

#[test]
fn sent_and_received_stay_apart() {
    let record = only(
        &NetworkReader,
        &json!({
            "capabilities": {"schema_version": "perfchecker-network-isolation-capabilities/1", "supported": true},
            "capture": {
                "schema_version": "perfchecker-isolated-network-result/1", "exit_code": 0,
                "sample": {"bytes_sent": 10.0, "bytes_received": 20.0, "packets_sent": 2057.0,
                    "attribution_scope": "isolated_process_tree"},
            },
            "correctness": "passed", "executed": true, "exit_code": 0, "http_version": "2", "widget_version": "1.10.2",
            "verified_requests": 120,
        }),
    );
    let told: Vec<_> = record.numbers.iter().map(|one| format!("{} {}", one.name, one.value)).collect();
    assert_eq!(told, ["verified_requests 120", "bytes_sent 10", "bytes_received 20", "packets_sent 2057"]);
    assert_eq!((record.package.as_deref(), record.target.as_deref()), (Some("widget"), Some("1.10.2")));
    assert_eq!(record.scope.as_deref(), Some("isolated_process_tree"));
}

#[test]
fn an_isolation_that_failed_or_never_ran_has_no_totals() {
    let of = |document: Value| {
        let record = only(&NetworkReader, &document);
        assert!(record.numbers.is_empty() && matches!(record.details, Details::None), "{document}");
        record.status
    };
    let capture = |exit: i64| {
        json!({
            "schema_version": "perfchecker-isolated-network-result/1", "exit_code": exit, "sample": {"bytes_sent": 1.0},
        })
    };
    assert_eq!(
        of(json!({"capture": capture(137), "correctness": "passed", "executed": true})),
        Status::Failed
    );
    assert_eq!(
        of(json!({"capture": capture(0), "correctness": "failed", "executed": true})),
        Status::Invalid
    );
    assert_eq!(of(json!({"capture": capture(0), "executed": true})), Status::Invalid);
    assert_eq!(
        of(json!({"capture": capture(0), "correctness": "passed", "executed": false})),
        Status::NotRun
    );
    assert_eq!(
        of(json!({"capabilities": {
            "schema_version": "perfchecker-network-isolation-capabilities/1", "supported": false}})),
        Status::NotRun
    );
}

#[test]
fn other_schemas_are_refused() {
    for (reader, document) in [
        (READERS[0], json!({"schema_version": "perfchecker-diagnosis/2", "records": []})),
        (READERS[4], json!({"schema_version": "perfchecker-example-network/2"})),
        (READERS[4], json!({"capture": {"schema_version": "perfchecker-isolated-network-result/2"}})),
    ] {
        let (records, status, problems) = read(reader, &document);
        assert_eq!((records.len(), status, problems.len()), (0, FileStatus::Refused, 1), "{document}");
    }
}

fn any_json(keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![
            "complete",
            "timeout",
            "passed",
            "",
            "perfchecker-diagnosis/1",
            "9007199254740993"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(keys).prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

const KEYS: &[&str] = &[
    "records",
    "tool",
    "status",
    "findings",
    "measurements",
    "samples",
    "message",
    "location",
    "file",
    "line",
    "evidence",
    "artifacts",
    "runtime",
    "environment_provenance",
    "process_before",
    "rss_bytes",
    "availability",
    "executed",
    "elapsed_seconds",
    "instrumented_instructions",
    "observations",
    "time_unit",
    "heap_bytes",
    "time",
    "types",
    "type",
    "shallow_bytes",
    "objects",
    "artifact_sha256",
    "versions",
    "idle_control",
    "payload_bytes",
    "correctness",
    "capture",
    "capabilities",
    "sample",
    "exit_code",
    "bytes_sent",
    "schema_version",
    "x_version",
];

proptest! {
    #[test]
    fn no_document_of_any_shape_stops_a_reader(document in any_json(KEYS)) {
        let bytes = document.to_string();
        for reader in READERS {
            let _ = reader.detect("d.json", bytes.as_bytes(), true);
            let (records, ..) = read(reader, &document);
            for record in records {
                prop_assert!(record.status == Status::Complete || record.numbers.is_empty());
            }
        }
    }

    #[test]
    fn no_bytes_stop_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for reader in READERS {
            let _ = reader.detect("d.json", &bytes, true);
            reader.read("d.json", &bytes, &mut Part::default());
        }
    }
}
