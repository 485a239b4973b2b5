//! Series from hand-made runs: which run a point comes from, why a value is missing, what joins and what not.

use serde_json::{Value, json};

use super::*;
use crate::analyze::normalize::tests::definition;
use crate::config::Config;
use crate::error::Severity;
use crate::evidence::{
    Dependencies, Diagnostic, GroupKey, PlannedRun, Qualification, Run, RunState, Sample, SampleGroup,
    SourceEvidence, TargetKind,
};

/// A run of one feature, described row by row.
struct Maker {
    run: Run,
}

impl Maker {
    fn new(id: &str, finished: &str) -> Self {
        Self {
            run: Run {
                path: format!("bundles/{id}"),
                run_id: id.into(),
                state: RunState::Complete,
                suite: "s".into(),
                finished_at: Some(finished.into()),
                runtime: object(&json!({"language": "julia", "threads": 1})),
                environment: object(&json!({"os": "Linux", "architecture": "x86_64", "hardware_ids": []})),
                ..Run::default()
            },
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Run)) -> Self {
        change(&mut self.run);
        self
    }

    fn rows(self, feature: &str, id: &str, target: &str, values: &[f64]) -> Self {
        self.with(|run| {
            let metric = id.split('/').next().unwrap();
            let place =
                run.definitions.iter().position(|definition| &*definition.id == id).unwrap_or_else(|| {
                    run.definitions.push(Definition { id: id.into(), ..definition(metric, "ns") });
                    run.definitions.len() - 1
                });
            run.groups.push(SampleGroup {
                key: GroupKey {
                    case_id: format!("s/P/{feature}").into(),
                    package: Some("P".into()),
                    feature: feature.into(),
                    workload: None,
                    target: target.into(),
                    kind: None,
                    definition: place as u32,
                    base_key: "k/v1".into(),
                    aggregation: "sample".into(),
                    scope: "workload".into(),
                },
                parts: false,
                samples: values
                    .iter()
                    .enumerate()
                    .map(|(at, value)| Sample {
                        table: 1,
                        index: at as u32 + 1,
                        value: Number::Float(*value),
                    })
                    .collect(),
            });
        })
    }

    fn plan(self, feature: &str, target: &str, kind: &str, reason: &str) -> Self {
        self.with(|run| {
            run.planned.push(PlannedRun {
                package: "P".into(),
                package_id: "P".into(),
                feature: feature.into(),
                workload: None,
                description: "What it does.".into(),
                backend: "benchmark".into(),
                target: target.into(),
                kind: TargetKind::parse(kind),
                comparison_key: if reason.is_empty() { "k/v1".into() } else { "".into() },
                status: if reason.is_empty() { "ready".into() } else { "unavailable".into() },
                reason: reason.into(),
            });
        })
    }

    fn diagnostic(self, rule: &str, target: &str, status: Option<&str>, message: &str) -> Self {
        self.with(|run| {
            run.diagnostics.push(Diagnostic {
                case_id: "s/P/f".into(),
                target: Some(target.into()),
                rule: rule.into(),
                severity: "error".into(),
                message: message.into(),
                status: status.map(Into::into),
                ..Diagnostic::default()
            });
        })
    }
}

fn object(value: &Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn of(runs: Vec<Maker>, config: &str) -> (SourceSeries, crate::error::Problems) {
    let evidence = SourceEvidence {
        id: "src".into(),
        runs: runs.into_iter().map(|maker| maker.run).collect(),
        ..SourceEvidence::default()
    };
    analyze(&evidence, &Config::parse(config, "perfolio.toml").unwrap())
}

const TIME: &str = "julia.wall.time/benchmarktools-v1";
const BYTES: &str = "julia.alloc.bytes/benchmarktools-v1";
const OTHER: &str = "app.latency/benchmarktools-v1";

fn minima(series: &Series) -> Vec<Option<f64>> {
    series
        .points
        .iter()
        .map(|point| point.summary.map(|sum| sum.get(Statistic::Minimum).unwrap().as_f64()))
        .collect()
}

fn labels(group: &Group) -> Vec<&str> {
    group.targets.iter().map(|target| &*target.label).collect()
}

fn reasons(series: &Series) -> Vec<Option<&str>> {
    series.points.iter().map(|point| point.reason.as_deref()).collect()
}

#[test]
fn one_group_per_feature_and_collector() {
    let run = Maker::new("a", "2026-01-01T00:00:00")
        .rows("f", OTHER, "1.9.0", &[9.0])
        .rows("f", BYTES, "1.10.0", &[5.0, 4.0])
        .rows("f", TIME, "1.10.0", &[2.0, 3.0])
        .rows("f", TIME, "1.9.0", &[8.0])
        .rows("f", "julia.wall.time/chairmarks-v1", "1.9.0", &[1.0]);
    let (found, problems) = of(vec![run], "");
    assert!(problems.is_empty());
    assert_eq!(found.groups.len(), 2);
    let group = &found.groups[0];
    assert_eq!(
        (&*group.collector, &*group.workload, group.variant.as_deref()),
        ("benchmarktools-v1", "f", None)
    );
    assert_eq!(labels(group), ["1.9.0", "1.10.0"]);
    let metrics: Vec<&str> = group.series.iter().map(|series| &*series.definition.metric).collect();
    assert_eq!(metrics, ["julia.wall.time", "julia.alloc.bytes", "app.latency"]);
    assert_eq!(minima(&group.series[0]), [Some(8.0), Some(2.0)]);
    assert_eq!(reasons(&group.series[1]), [Some("not recorded"), None]);
    assert_eq!(found.superseded_by, [None]);
}

#[test]
fn sites_are_summed_and_parts_give_nothing() {
    let run = Maker::new("a", "")
        .rows("f", "julia.alloc.bytes/profile-allocs-v1/fresh-state-evals1-v1", "1.0.0", &[10.0, 20.0])
        .rows("f", "julia.alloc.bytes/line-tracking-v1", "1.0.0", &[1.0])
        .rows("f", "julia.alloc.fraction/line-tracking-v1", "1.0.0", &[50.0])
        .rows("f", "julia.wall.samples/profile-walltime-v1/fresh-state-evals1-v1", "1.0.0", &[1.0])
        .rows("f", "julia.cpu.samples/profile-v1", "1.0.0", &[1.0]);
    let (found, _) = of(vec![run], "");
    assert_eq!(found.groups.len(), 2);
    assert!(found.groups.iter().all(|group| !group.normalizable && group.series[0].summed));
    let sum = found.groups[1].series[0].points[0].summary.unwrap();
    assert_eq!((sum.get(Statistic::Sum), sum.n), (Some(Number::Float(30.0)), 2));
}

#[test]
fn points_come_from_the_newest_complete_run() {
    let old = Maker::new("a", "2026-01-01T00:00:00").rows("f", TIME, "1.0.0", &[1.0]).rows(
        "f",
        TIME,
        "1.1.0",
        &[1.1],
    );
    let new = Maker::new("b", "2026-02-01T00:00:00").rows("f", TIME, "1.0.0", &[2.0]);
    let partial = Maker::new("c", "2026-03-01T00:00:00")
        .with(|run| run.state = RunState::Partial)
        .rows("f", TIME, "1.0.0", &[3.0])
        .rows("f", TIME, "1.2.0", &[3.2]);
    let replaced = Maker::new("d", "2025-01-01T00:00:00").rows("f", TIME, "1.0.0", &[4.0]);
    let broken = Maker::new("e", "2027-01-01T00:00:00")
        .with(|run| run.integrity = Integrity::Failed)
        .rows("f", TIME, "1.0.0", &[5.0])
        .rows("f", TIME, "9.0.0", &[5.0]);
    let (found, _) = of(vec![old, new, partial, replaced, broken], "");
    assert_eq!(found.groups.len(), 1);
    let series = &found.groups[0].series[0];
    assert_eq!(labels(&found.groups[0]), ["1.0.0", "1.1.0", "1.2.0"]);
    assert_eq!(minima(series), [Some(2.0), Some(1.1), Some(3.2)]);
    assert_eq!(series.points.iter().map(|point| point.run.unwrap()).collect::<Vec<_>>(), [1, 0, 2]);
    let by: Vec<Option<&str>> = found.superseded_by.iter().map(Option::as_deref).collect();
    assert_eq!(by, [None, None, None, Some("b"), None]);
}

#[test]
fn other_machines_and_definitions_stand_apart() {
    let rows = |maker: Maker| maker.rows("f", TIME, "1.0.0", &[1.0]);
    let threads = rows(Maker::new("a", "1"))
        .with(|run| run.runtime = object(&json!({"language": "julia", "threads": 2})));
    let (found, _) = of(vec![rows(Maker::new("b", "2")), threads], "");
    let variants: Vec<Option<&str>> = found.groups.iter().map(|group| group.variant.as_deref()).collect();
    assert_eq!(variants, [Some("1 thread"), Some("2 threads")]);
    let changed =
        rows(Maker::new("a", "1")).with(|run| run.definitions[0].warmup_policy = Some("none".into()));
    let (found, _) = of(vec![rows(Maker::new("b", "2")), changed], "");
    let variants: Vec<Option<&str>> = found.groups.iter().map(|group| group.variant.as_deref()).collect();
    assert_eq!(variants, [Some("definition differs"), Some("definition differs, warm-up none")]);
}

#[test]
fn missing_targets_say_why() {
    let run = Maker::new("a", "1")
        .rows("f", TIME, "1.5.0", &[1.0])
        .plan("f", "1.0.0", "release", "not defined for 1.0.0")
        .plan("f", "1.1.0", "release", "")
        .plan("f", "1.2.0", "release", "")
        .plan("f", "1.3.0", "release", "")
        .plan("f", "1.5.0", "release", "")
        .plan("f", "dev@2.0.0", "dev", "")
        .plan("g", "0.1.0", "release", "")
        .diagnostic("feature.failed", "1.1.0", Some("error"), "boom\n at x")
        .diagnostic("resource.process.unavailable", "1.2.0", None, "no counter")
        .diagnostic("feature.unavailable", "1.3.0", Some("unavailable"), "resolver failed")
        .with(|run| run.finished_at = None);
    let (found, problems) = of(vec![run], "");
    let group = &found.groups[0];
    assert_eq!(labels(group), ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.5.0", "dev@2.0.0"]);
    assert_eq!(
        reasons(&group.series[0]),
        [
            Some("not defined for 1.0.0"),
            Some("error: boom"),
            Some("no value recorded"),
            Some("resolver failed"),
            None,
            Some("no value recorded")
        ]
    );
    assert_eq!((group.targets[5].kind.word(), group.description.as_str()), ("dev", "What it does."));
    let notes: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(notes, ["g was planned and has no value at any target (0.1.0: no value recorded)"]);
    assert!(
        problems
            .iter()
            .all(|problem| problem.severity == Severity::Note && problem.source.as_deref() == Some("src"))
    );
}

#[test]
fn configuration_joins_hides_and_dates() {
    let config = r#"
        [[feature]]
        match = "new"
        workload = "shared"
        aliases = ["old"]
        [[metric]]
        id = "julia.wall.time"
        preference = "higher"
        [[target]]
        label = "1.1.0"
        date = 2026-05-04
        [[target]]
        label = "0.9.0"
        hidden = true
    "#;
    let run = Maker::new("a", "1")
        .rows("old", TIME, "0.9.0", &[9.0])
        .rows("old", TIME, "1.0.0", &[1.0])
        .with(|run| run.groups.iter_mut().for_each(|group| group.key.base_key = "old/v1".into()))
        .rows("new", TIME, "1.1.0", &[2.0])
        .with(|run| {
            let date = |date: &str| crate::evidence::run::ReleaseDate {
                date: date.into(),
                kind: Some("tag".into()),
            };
            run.release_dates.insert("1.0.0".into(), date("2026-01-01"));
            run.release_dates.insert("1.1.0".into(), date("2026-02-02"));
        });
    let (found, _) = of(vec![run], config);
    assert_eq!(found.groups.len(), 1);
    let group = &found.groups[0];
    assert_eq!((&*group.feature, &*group.workload, &*group.base_key), ("new", "shared", "k/v1"));
    assert_eq!(labels(group), ["1.0.0", "1.1.0"]);
    assert_eq!(found.targets, group.targets);
    assert_eq!(group.joined, [("old".into(), "1.1.0".into())]);
    let dates: Vec<_> =
        group.targets.iter().map(|target| (target.date.as_deref(), target.date_kind.as_deref())).collect();
    assert_eq!(dates, [(Some("2026-01-01"), Some("tag")), (Some("2026-05-04"), None)]);
    assert_eq!(group.series[0].definition.preference, crate::evidence::Preference::Higher);
}

#[test]
fn dependencies_follow_the_run_of_the_point() {
    let qualified = |maker: Maker, total: u64| {
        maker.with(|run| {
            run.qualifications.push(Qualification {
                case_id: "s/P/f".into(),
                target: "1.0.0".into(),
                verdict: None,
                correctness: None,
                correctness_message: None,
                dependencies: Some(Dependencies { total: Some(total), ..Dependencies::default() }),
                ..Qualification::default()
            });
        })
    };
    let old =
        qualified(Maker::new("a", "1").rows("f", TIME, "1.0.0", &[1.0]).rows("f", TIME, "1.1.0", &[1.0]), 1);
    let new = qualified(Maker::new("b", "2").rows("f", TIME, "1.0.0", &[1.0]), 2);
    let (found, _) = of(vec![old, new], "");
    let totals: Vec<_> =
        found.groups[0].dependencies.iter().map(|list| list.as_ref().and_then(|list| list.total)).collect();
    assert_eq!(totals, [Some(2), None]);
}

#[test]
fn order_of_runs_changes_nothing() {
    let make = || {
        vec![
            Maker::new("a", "1").rows("f", TIME, "1.0.0", &[1.0]).plan("f", "1.0.0", "release", ""),
            Maker::new("b", "2").rows("f", TIME, "1.0.0", &[2.0]).rows("f", TIME, "main", &[3.0]),
            Maker::new("c", "2")
                .rows("f", TIME, "1.1.0", &[4.0])
                .with(|run| run.environment = object(&json!({"os": "NT"}))),
        ]
    };
    let text = |mut runs: Vec<Maker>, turn: usize| {
        runs.rotate_left(turn);
        let found = of(runs, "").0;
        let groups = found.groups.iter().map(|group| {
            let minima: Vec<_> = group.series.iter().map(minima).collect();
            format!("{:?} {:?} {minima:?}", group.variant, labels(group))
        });
        groups.collect::<Vec<_>>()
    };
    let first = text(make(), 0);
    assert_eq!(first.len(), 2);
    assert_eq!((text(make(), 1), text(make(), 2)), (first.clone(), first));
}

/// Every problem as severity, place and message.
fn said(problems: &crate::error::Problems) -> Vec<String> {
    problems
        .sorted()
        .into_iter()
        .map(|problem| format!("{} {}: {}", problem.severity.word(), problem.place, problem.message))
        .collect()
}

#[test]
fn copies_of_a_run_supersede_nothing_and_the_first_path_counts() {
    let copy = |path: &str, value: f64| {
        Maker::new("a", "2026-01-01T00:00:00")
            .rows("f", TIME, "1.0.0", &[value])
            .with(|run| run.path = path.into())
    };
    let (found, problems) = of(vec![copy("x/2", 1.0), copy("x/1", 1.0)], "");
    assert_eq!(found.superseded_by, [None, None]);
    assert_eq!(found.groups[0].series[0].points[0].run, Some(1));
    assert_eq!(
        said(&problems),
        [
            "note x/2/manifest.json (run_id): x/2 is a copy of x/1: the same run a with the same samples; x/1 counts"
        ]
    );
    let (found, problems) = of(vec![copy("x/1", 1.0), copy("x/2", 2.0)], "");
    assert_eq!(found.superseded_by, [None, None]);
    assert_eq!(minima(&found.groups[0].series[0]), [Some(1.0)]);
    let said = said(&problems);
    assert!(said[0].starts_with("warning") && said[0].contains("x/1 and x/2") && said.len() == 1, "{said:?}");
    // Another attempt of the run is no copy.
    let attempt = copy("x/2", 2.0).with(|run| run.attempt_id = "2".into());
    assert!(of(vec![copy("x/1", 1.0), attempt], "").1.is_empty());
}

#[test]
fn ends_of_runs_are_compared_as_times() {
    let run = |id: &str, end: &str, value: f64| Maker::new(id, end).rows("f", TIME, "1.0.0", &[value]);
    let newest = |runs: Vec<Maker>| minima(&of(runs, "").0.groups[0].series[0])[0].unwrap();
    // 00:30 in Berlin is before midnight in London, whatever the texts look like.
    let (east, west) = ("2026-01-02T00:30:00+01:00", "2026-01-01T23:45:00Z");
    assert_eq!(newest(vec![run("b", east, 1.0), run("a", west, 2.0)]).to_bits(), 2.0_f64.to_bits());
    let odd = vec![run("a", "2026-01-01T00:00:00", 1.0), run("b", "2026-02-31T00:00:00", 2.0)];
    let (found, problems) = of(odd, "");
    assert_eq!(minima(&found.groups[0].series[0]), [Some(1.0)]);
    assert_eq!(
        said(&problems),
        [
            "note bundles/b/manifest.json (finished_at): `2026-02-31T00:00:00` is not a time, so the run counts as the oldest of its state"
        ]
    );
}

/// Trap 15 of the format's list (§6).
#[test]
fn one_label_of_two_kinds_is_named_with_both() {
    let kind = |run: &mut Run, at: usize, word: &str| run.groups[at].key.kind = Some(TargetKind::parse(word));
    let run = Maker::new("a", "2026-01-01T00:00:00")
        .rows("f", TIME, "1.0.0", &[1.0])
        .rows("f", TIME, "1.0.0", &[2.0])
        .with(|run| {
            kind(run, 0, "release");
            kind(run, 1, "candidate");
        });
    let (_, problems) = of(vec![run], "");
    let problem = problems.sorted()[0];
    assert_eq!(problem.severity, Severity::Warning);
    assert_eq!(
        problem.message,
        "f at 1.0.0 is recorded twice in the case s/P/f, as release and as candidate; the second is left out"
    );
    assert!(problem.remedy.as_ref().unwrap().contains("another label"));
}
