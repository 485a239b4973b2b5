//! What the published and the invented reports give: records, findings and the numbers that were published.

use perfolio::analyze::{finding, network, record};
use perfolio::error::{Problems, Silent};
use perfolio::evidence::record::{Details, Origin, Status};
use perfolio::evidence::{Number, Record, SourceEvidence};
use perfolio::io::{Limits, Source};
use perfolio::read::read_source;
use serde_json::Value;

use crate::program::{fixture, repository, run};

fn read(folder: &str) -> (SourceEvidence, Problems) {
    let limits = Limits::default();
    let source = Source::open(&fixture(folder), &limits).unwrap();
    read_source(&source, "s", "s", &limits, &Silent)
}

fn of<'a>(evidence: &'a SourceEvidence, path: &str, tool: &str) -> &'a Record {
    let mut found = evidence.records.iter().filter(|one| one.path == path && one.tool == tool);
    let first = found.next().unwrap_or_else(|| panic!("no record of {tool} in {path}"));
    assert!(found.next().is_none(), "several records of {tool} in {path}");
    first
}

fn number(record: &Record, name: &str) -> Number {
    let numbers = record::numbers(record);
    let found = numbers.iter().find(|one| one.name == name);
    found.unwrap_or_else(|| panic!("no {name} of {}", record.tool)).value
}

#[test]
fn published_figures_are_carried_to_the_report() {
    let report = run(repository(), &["inspect", "fixtures/oxygen", "--json"]).expect(0).json();
    let list = |key: &str| report[key].as_array().unwrap().clone();
    let count = |tool: &str| {
        let found: Vec<Value> = list("findings").into_iter().filter(|one| one["tool"] == tool).collect();
        assert_eq!(found.len(), 1, "{tool}");
        assert_eq!(found[0]["count"], found[0]["items"].as_array().unwrap().len());
        found[0]["count"].as_u64()
    };
    assert_eq!((count("jet"), count("alloccheck"), count("aqua")), (Some(54), Some(65), Some(1)));
    let records = list("records");
    let number = |path: &str, tool: &str, name: &str| {
        let found =
            records.iter().find(|one| one["tool"] == tool && one["path"].as_str().unwrap().ends_with(path));
        let numbers = found.unwrap_or_else(|| panic!("{tool}"))["numbers"].as_array().unwrap();
        numbers.iter().find(|one| one["name"] == name).map(|one| one["value"].to_string())
    };
    for (path, tool, name, value) in [
        ("diagnosis.json", "snoopcompile", "inference_seconds", "1.0553852915763855"),
        ("diagnosis.json", "latency", "load_seconds", "7.3849228"),
        ("diagnosis.json", "latency", "first_case_seconds", "1.0387099"),
        ("diagnosis.json", "latency", "warm_case_seconds", "0.0041275"),
        ("massif-1.json", "massif", "snapshots", "57"),
        ("massif-1.json", "massif", "peak_heap_bytes", "103454537"),
        ("isolation.json", "network_isolated", "packets_sent", "2057"),
        ("isolation.json", "network_isolated", "verified_requests", "120"),
        ("summary.json", "callgrind", "instrumented_instructions", "22215451"),
    ] {
        assert_eq!(number(path, tool, name).as_deref(), Some(value), "{tool} {name}");
    }
    for tool in ["memcheck", "cachegrind"] {
        let found = records.iter().find(|one| one["tool"] == tool).unwrap();
        assert_eq!(
            (&found["status"], &found["status_recorded"]),
            (&"timeout".into(), &"time_budget_exceeded".into())
        );
        assert_eq!(found["numbers"], Value::Array(Vec::new()), "{tool} was stopped, whatever its exit code");
    }
    for tool in ["perf", "vtune"] {
        assert_eq!(records.iter().find(|one| one["tool"] == tool).unwrap()["status"], "not_run");
    }
    // The published catalogue of profiles names drawings that are not in the evidence.
    let wrong =
        report["problems"].as_array().unwrap().iter().filter(|one| one["path"] != "profiles/catalog.json");
    assert_eq!(wrong.count(), 0, "{}", report["problems"]);
}

#[test]
fn published_reports_say_what_they_do_not_record() {
    let (evidence, _) = read("oxygen");
    for record in evidence.records.iter().filter(|one| one.path.starts_with("diagnostics/")) {
        assert_eq!(record.target, None, "no report is attributed to a release");
        for absent in ["target", "revision of the sources", "dependency manifest"] {
            assert!(record.absent().contains(&absent), "{}: {absent}", record.tool);
        }
    }
    let aqua = of(&evidence, "diagnostics/additional.json", "aqua");
    assert_eq!((aqua.status, aqua.quality.as_deref()), (Status::Complete, Some("failed")));
    assert!(aqua.output.as_deref().unwrap().starts_with("1 ambiguities found."));
    assert!(aqua.parameters.contains(&("performance".to_owned(), "not_compared".to_owned())));
    let heap = of(&evidence, "diagnostics/heap-types.json", "heap");
    assert!(heap.scope.as_deref().unwrap().contains("only the 30 largest"), "the fixture is not all of it");
    assert_eq!(heap.limitations.len(), 3, "taken over from the record of the snapshot");
}

#[test]
fn only_published_call_paths_are_there() {
    let (evidence, _) = read("oxygen");
    let sites = of(&evidence, "diagnostics/diagnosis.json", "alloccheck").findings.as_ref().unwrap();
    let lengths: Vec<usize> = sites.iter().map(|one| one.frames.len()).collect();
    assert_eq!(lengths[..5], [5, 7, 4, 4, 4]);
    assert!(lengths[5..].iter().all(|length| *length == 0));
    assert_eq!(sites[0].message, "Allocation of Vector{Any} in .\\boot.jl:649");
    assert_eq!(sites[0].frames[0], "Array @ .\\boot.jl:649 [inlined]");
    let jet = of(&evidence, "diagnostics/diagnosis.json", "jet").findings.as_ref().unwrap();
    assert!(jet.iter().all(|one| one.frames.is_empty()));
    let axes = jet.iter().find(|one| one.message.contains("Base.axes1(A::AbstractVector)::Any")).unwrap();
    assert_eq!((axes.file.as_deref(), axes.line), (Some("abstractarray.jl"), Some(396)));
    let groups = finding::groups(jet);
    assert_eq!(
        (groups[0].files[0].file.as_deref(), groups[0].files[0].findings.len()),
        (Some("show.jl"), 23)
    );
}

#[test]
fn the_tenfold_latency_of_small_payloads_is_there() {
    let (evidence, _) = read("oxygen");
    let versions = network::versions(&evidence.records);
    let labels: Vec<_> = versions.iter().map(|one| one.record.target.as_deref().unwrap()).collect();
    assert_eq!(
        labels,
        [
            "1.7.0", "1.7.1", "1.7.2", "1.7.3", "1.7.4", "1.7.5", "1.8.0", "1.9.0", "1.10.0", "1.10.1",
            "1.10.2", "1.11.0"
        ],
        "latest.json repeats the last one"
    );
    let median = |label: &str| {
        let of_label = versions.iter().find(|one| one.record.target.as_deref() == Some(label)).unwrap();
        number(of_label.record, "workload_seconds_median/64").as_f64()
    };
    assert!(median("1.11.0") > 10.0 * median("1.10.2"));
    for network::Measured { record, network, .. } in &versions {
        assert_eq!((network.idle.len(), network.payloads.len()), (3, 4));
        assert!(network.payloads.iter().all(|one| one.samples.len() == 30));
        for one in record::numbers(record) {
            assert_eq!(one.origin, Origin::Derived, "{}", one.name);
            assert!(!one.name.contains("total"), "sent and received have no sum");
        }
    }
}

#[test]
fn a_finding_is_known_again_after_its_lines_moved() {
    let (evidence, _) = read("invented");
    let before = evidence.records.iter().find(|one| {
        one.path == "diagnosis/earlier.json" && one.tool == "jet" && one.status == Status::Complete
    });
    let after = of(&evidence, "diagnosis/later.json", "jet");
    let changes = finding::compare(before.unwrap(), after).unwrap();
    // `array.jl` lost one of two that differ in nothing but lines and numbers of values; `a.jl` has a new one.
    assert_eq!((changes.same.len(), &*changes.new, &*changes.fixed), (3, &[3][..], &[1][..]));
    assert_eq!(changes.cautions, ["another version of the tool: 0.10.0 before, 0.10.1 after"]);
}

#[test]
fn observations_are_believed_no_more_than_their_tool() {
    let (evidence, problems) = read("invented");
    let stopped = of(&evidence, "stopped/massif-1.json", "massif");
    assert_eq!((stopped.status, stopped.withheld), (Status::Timeout, 2));
    assert!(record::numbers(stopped).is_empty() && matches!(stopped.details, Details::None));
    assert!(problems.iter().any(|one| one.place.path.as_deref() == Some("stopped/massif-1.json")));
    let (one, two) =
        (of(&evidence, "native/massif-1.json", "massif"), of(&evidence, "native/massif-2.json", "massif"));
    let unit = |record: &Record| match &record.details {
        Details::Massif(massif) => massif.time_unit.clone(),
        _ => panic!("no observations"),
    };
    assert_eq!(
        (unit(one), unit(two)),
        ("instrumented instructions".to_owned(), "tool time units".to_owned())
    );
    assert_eq!(
        (number(one, "snapshots"), number(two, "snapshots")),
        (Number::Unsigned(4), Number::Unsigned(3)),
        "never joined"
    );
}

#[test]
fn thousands_of_types_are_thirty_numbers_and_the_rest() {
    let (evidence, _) = read("invented");
    let heap = of(&evidence, "heap/heap-types.json", "heap");
    assert_eq!(record::numbers(heap).len(), 34);
    let Details::HeapTypes(types) = &heap.details else { panic!("no types") };
    assert_eq!(types.types.len(), 4000, "the table has all of them");
}

/// Formats §6, trap 13: case ids have the id of a package's suite, attributes its name; records have the name.
#[test]
fn what_a_run_said_is_a_record_beside_its_diagnostics() {
    let (evidence, _) = read("awkward/versions");
    let said: Vec<&Record> = evidence.records.iter().filter(|one| one.tool == "perfchecker").collect();
    assert!(!said.is_empty());
    let lines: usize = evidence.runs.iter().map(|run| run.diagnostics.len()).sum();
    let findings: usize = said.iter().map(|one| one.findings.as_ref().unwrap().len()).sum();
    assert_eq!(findings, lines, "every line is a finding");
    let groups = || evidence.runs.iter().flat_map(|run| &run.groups);
    for record in said {
        assert!(record.run_id.is_some() && record.path.ends_with("diagnostics.jsonl"));
        let named = |package: &str| groups().any(|group| group.key.package.as_deref() == Some(package));
        assert!(record.package.as_deref().is_none_or(named), "{:?}", record.package);
    }
}

#[test]
fn texts_of_strangers_stay_text() {
    let out = run(repository(), &["inspect", "fixtures/invented"]).expect(0).out;
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "nothing steers the terminal");
    let out = run(repository(), &["inspect", "fixtures/invented", "--json"]).expect(0).out;
    assert!(!out.contains('\u{1b}'));
    let report: Value = serde_json::from_str(&out).unwrap();
    let sarif =
        report["findings"].as_array().unwrap().iter().find(|one| one["tool"] == "slowfinder").unwrap();
    let files: Vec<_> = sarif["items"].as_array().unwrap().iter().map(|one| one["file"].as_str()).collect();
    assert_eq!(
        files,
        [
            Some("src/parse table.c"),
            Some("src/listed file.c"),
            Some("src/b.c"),
            Some("<path>/x\u{fffd}\u{fffd}.c"),
            Some("javascript:alert(1)")
        ]
    );
}
