//! Reports of sources that no fixture has: two targets, a workload, probes and policies.

use std::collections::BTreeSet;

use super::*;
use crate::analyze::{SourceSeries, Target};
use crate::evidence::record::Status;
use crate::evidence::run::{Probe, Qualification, ResourcePolicy, Run};
use crate::evidence::{Finding, Number, TargetKind};

fn finding(message: &str, line: u64) -> Finding {
    Finding {
        rule: "r".to_owned(),
        message: message.to_owned(),
        file: Some("src/a.jl".to_owned()),
        line: Some(line),
        ..Finding::default()
    }
}

fn record(target: Option<&str>, findings: Vec<Finding>) -> Record {
    Record {
        tool: "jet".to_owned(),
        path: format!("{}/jet.json", target.unwrap_or("none")),
        feature: Some("heap".to_owned()),
        target: target.map(str::to_owned),
        status: Status::Complete,
        findings: Some(findings),
        ..Record::default()
    }
}

fn source(records: Vec<Record>) -> LoadedSource {
    let target =
        |label: &str| Target { label: label.into(), kind: TargetKind::Release, date: None, date_kind: None };
    LoadedSource {
        evidence: SourceEvidence { id: "s".to_owned(), records, ..SourceEvidence::default() },
        series: SourceSeries {
            targets: ["1.9.0", "1.10.0", "1.11.0"].map(target).to_vec(),
            ..SourceSeries::default()
        },
        description: None,
        unlisted: 0,
        files: None,
    }
}

fn reports(source: &LoadedSource) -> Reports {
    let mut paths = Paths::default();
    let order = order(&source.evidence);
    let titles = titles(&source.evidence, &order);
    let mut entries = Vec::new();
    for (at, title) in order.into_iter().zip(titles) {
        let entry = entry("reports/s", &source.evidence, at, title, &paths);
        paths.reserve(&entry.page, "a test").unwrap();
        entries.push(entry);
    }
    Reports {
        source: 0,
        page: "reports/s/index.html".to_owned(),
        title: "S".to_owned(),
        entries,
        network: None,
        runs: Vec::new(),
        manifests: Vec::new(),
    }
}

#[test]
fn what_is_new_and_fixed_stands_on_the_later_of_two_targets() {
    let source = source(vec![
        record(Some("1.10.0"), vec![finding("kept at src/a.jl:3", 3), finding("gone", 9)]),
        record(Some("1.11.0"), vec![finding("fresh", 1), finding("kept at src/a.jl:30", 30)]),
        record(Some("1.9.0"), vec![finding("older", 1)]),
    ]);
    let reports = reports(&source);
    let at = |target: &str| reports.entries.iter().position(|one| one.title.ends_with(target)).unwrap();
    let found = changes::of(&reports, at("1.11.0"), &source);
    assert_eq!(found[0].heading, "Since 1.10.0", "the nearest one before it, in version order");
    let lists: Vec<(&str, &str)> =
        found[0].lists.iter().map(|list| (list.heading.as_str(), list.items[0].message.as_str())).collect();
    assert_eq!(
        lists,
        [
            ("1 finding is new", "fresh"),
            ("1 finding is fixed", "gone"),
            ("1 finding is the same", "kept at src/a.jl:30")
        ]
    );
    assert_eq!(found[0].lists[0].items[0].href.as_deref(), Some("#finding-1"));
    assert_eq!(found[0].lists[1].items[0].href.as_deref(), Some("../jet-1-10-0/index.html#finding-2"));
    assert!(changes::of(&reports, at("1.9.0"), &source).is_empty(), "nothing is before the first");
}

#[test]
fn a_stopped_report_is_compared_with_nothing() {
    let mut stopped = record(Some("1.11.0"), Vec::new());
    stopped.status = Status::Timeout;
    let source = source(vec![record(Some("1.10.0"), vec![finding("a", 1)]), stopped]);
    let reports = reports(&source);
    assert!(
        (0..2).all(|at| changes::of(&reports, at, &source).is_empty()),
        "what it has not found is not fixed"
    );
}

#[test]
fn a_workload_shows_the_reports_of_its_newest_target_only() {
    let mut other = record(Some("1.11.0"), vec![finding("elsewhere", 1)]);
    other.feature = Some("other".to_owned());
    let mut unnamed = record(None, vec![finding("of no target", 1)]);
    unnamed.path = "unnamed/jet.json".to_owned();
    let source = source(vec![
        record(Some("1.9.0"), vec![finding("old", 1)]),
        record(Some("1.10.0"), vec![finding("new", 1)]),
        other,
        unnamed,
    ]);
    let reports = reports(&source);
    let page = "gallery/s/heap/index.html";
    let list = of_workload(&reports, &source, &BTreeSet::from(["heap"]), page).unwrap();
    assert_eq!(list.heading, "Reports at 1.10.0");
    let rows = &list.table.as_ref().unwrap().groups[0].rows;
    assert_eq!(rows.len(), 1, "a report without a target belongs to none");
    assert_eq!(rows[0].cells[0].href.as_deref(), Some("../../../reports/s/jet-1-10-0/index.html"));
    assert_eq!(list.findings[0].rules[0].files[0].items[0].message, "new");
    assert!(of_workload(&reports, &source, &BTreeSet::from(["nothing"]), page).is_none());
}

/// Trap 11: a check that passed needs no oracle; only `validated` says that one confirmed it.
#[test]
fn trap_11_validated_and_merely_executed_are_told_apart() {
    let one = |target: &str, verdict: &str, correctness: &str| Qualification {
        case_id: "suite/p/heap".to_owned(),
        target: target.to_owned(),
        verdict: Some(verdict.to_owned()),
        correctness: Some(correctness.to_owned()),
        performance: Some("not_compared".to_owned()),
        ..Qualification::default()
    };
    let list = [
        one("1.9.0", "validated", "passed"),
        one("1.10.0", "executed", "not_checked"),
        one("1.11.0", "validated", "passed"),
    ];
    assert_eq!(runs::counted(&list), "2 validated, 1 executed");
    let run = Run { suite: "suite".to_owned(), qualifications: list.to_vec(), ..Run::default() };
    let table = runs::verdicts(&run);
    let told: Vec<Vec<&str>> = table.groups[0]
        .rows
        .iter()
        .map(|row| row.cells[..5].iter().map(|cell| cell.text.as_str()).collect())
        .collect();
    assert_eq!(
        told,
        [
            ["heap", "1.9.0, 1.11.0", "validated", "passed", "not compared"],
            ["heap", "1.10.0", "executed", "not checked", "not compared"],
        ]
    );
}

#[test]
fn probes_and_policies_say_what_was_asked_observed_and_broken() {
    let probe = Probe {
        id: "gpu".to_owned(),
        category: Some("device".to_owned()),
        blocking: Some(true),
        status: Some("failed".to_owned()),
        message: Some("no device".to_owned()),
    };
    let policy = ResourcePolicy {
        status: Some("failed".to_owned()),
        limits: vec![("process.rss.delta".to_owned(), Number::Unsigned(1 << 20))],
        observed: vec![
            ("process.rss.delta".to_owned(), Number::whole(3 << 20)),
            ("external.live.delta".to_owned(), None),
        ],
        violations: vec!["process.rss.delta".to_owned()],
        unavailable: vec!["external.live.delta".to_owned()],
        ..ResourcePolicy::default()
    };
    let run = Run {
        qualifications: vec![Qualification {
            case_id: "heap".to_owned(),
            target: "1.9.0".to_owned(),
            probes: vec![probe],
            resources: Some(policy),
            ..Qualification::default()
        }],
        ..Run::default()
    };
    let texts = |section: &crate::theme::view::Section| -> Vec<String> {
        let row = &section.table.as_ref().unwrap().groups[0].rows[0];
        row.cells.iter().map(|cell| cell.text.replace('\u{202f}', " ")).collect()
    };
    let probes = qualified::probes(&run).unwrap();
    assert_eq!(texts(&probes), ["gpu", "device", "stops the check when it fails", "failed", "heap", "1.9.0"]);
    let policies = qualified::policies(&run).unwrap();
    assert_eq!(
        texts(&policies),
        [
            "heap",
            "1.9.0",
            "failed",
            "external.live.delta not observed; process.rss.delta 3 MiB, limit 1 MiB",
            "process.rss.delta; not to be had: external.live.delta",
        ]
    );
}
