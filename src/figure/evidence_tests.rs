//! Tests of documents made from evidence.

use serde_json::json;

use super::document::{self, Context};
use super::{FigureSet, all, chart, normalized};
use crate::analyze::{Group, Point, Series, SourceSeries, Summary, Target};
use crate::config::Config;
use crate::evidence::plot::{PERFCHECKER_PLOT, PERFOLIO_PLOT};
use crate::evidence::{
    Definition, Dependencies, GroupKey, Integrity, Number, Package, Preference, Qualification, Run,
    SampleGroup, SourceEvidence, TargetKind,
};

/// Samples per target; none for a target without a value.
pub(super) type Cells = Vec<Option<Vec<u64>>>;

pub(super) fn series(metric: &str, unit: &str, cells: &Cells) -> Series {
    let point = |cell: &Option<Vec<u64>>| Point {
        summary: cell.as_ref().and_then(|all| Summary::of(all.iter().map(|&value| Number::Unsigned(value)))),
        run: cell.is_some().then_some(0),
        samples_of: cell.is_some().then_some(0),
        reason: cell.is_none().then(|| "not run".to_owned()),
    };
    Series {
        definition: Definition {
            id: format!("{metric}/benchmarktools-v1").into(),
            metric: metric.into(),
            unit: unit.into(),
            collector: None,
            sample_semantics: None,
            preference: Preference::Lower,
            warmup_policy: None,
            includes_compilation: None,
            includes_children: None,
            attribution_scope: None,
            extra: serde_json::Map::new(),
        },
        summed: false,
        points: cells.iter().map(point).collect(),
        step: None,
        saved: None,
    }
}

pub(super) fn group(labels: &[&str], all: Vec<Series>) -> Group {
    let kind = |label: &str| if label.starts_with("dev") { TargetKind::Dev } else { TargetKind::Release };
    Group {
        package: Some("Widget".into()),
        feature: "sort_bench".into(),
        workload: "sort_small".into(),
        base_key: "widget/sort_small/v1".into(),
        collector: "benchmarktools-v1".into(),
        variant: None,
        description: String::new(),
        targets: labels
            .iter()
            .map(|&label| Target {
                label: label.into(),
                kind: kind(label),
                date: (!label.starts_with("dev")).then(|| "2026-01-01".to_owned()),
                date_kind: None,
            })
            .collect(),
        dependencies: vec![None; labels.len()],
        series: all,
        normalizable: true,
        joined: Vec::new(),
        saved: None,
    }
}

pub(super) fn source(labels: &[&str], correctness: &str) -> SourceEvidence {
    let run = Run {
        run_id: "r-1".into(),
        integrity: Integrity::Verified,
        runtime: json!({"language": "julia", "version": "1.12.1", "threads": 1, "executable": "C:\\x"})
            .as_object()
            .unwrap()
            .clone(),
        environment: json!({"os": "NT"}).as_object().unwrap().clone(),
        groups: vec![SampleGroup {
            key: GroupKey {
                case_id: "case".into(),
                package: None,
                feature: "sort_bench".into(),
                workload: None,
                target: labels[0].into(),
                kind: None,
                definition: 0,
                base_key: "".into(),
                aggregation: "sample".into(),
                scope: "workload".into(),
            },
            parts: false,
            samples: Vec::new(),
        }],
        qualifications: labels
            .iter()
            .map(|&label| Qualification {
                case_id: "case".into(),
                target: label.into(),
                verdict: None,
                correctness: Some(correctness.into()),
                correctness_message: None,
                dependencies: None,
                ..Qualification::default()
            })
            .collect(),
        ..Run::default()
    };
    SourceEvidence { id: "s".into(), runs: vec![run], ..SourceEvidence::default() }
}

const LABELS: [&str; 4] = ["1.9.0", "1.10.0", "1.10.1", "dev@1.11.0"];

fn one(config: &str, change: impl Fn(&mut Group)) -> FigureSet {
    let time =
        series("julia.wall.time", "ns", &vec![Some(vec![9, 8]), Some(vec![4, 6]), Some(vec![5]), None]);
    let mut group = group(
        &LABELS,
        vec![time, series("my.metric", "By", &vec![Some(vec![2]), Some(vec![2]), None, None])],
    );
    change(&mut group);
    let series = SourceSeries { groups: vec![group], ..SourceSeries::default() };
    let config = Config::parse(config, "perfolio.toml").unwrap();
    all(&source(&LABELS, "passed"), &series, &config).unwrap().remove(0)
}

#[test]
fn ids_follow_the_format() {
    // sha256 of ["version_series","a","ü"], made with another tool.
    assert_eq!(document::id("version_series", &["a", "ü"]), "version-series-cca0d8c2a4f22a4b");
    // The published id of the format's invented example.
    let widget = ["Widget", "sort_bench", "sort_small", "widget/sort/v1", "benchmarktools-v1"];
    assert_eq!(document::id("normalized_metrics", &widget), "normalized-metrics-2e395f9a32d889c7");
    let base = one("", |_| {}).main.unwrap().plot.id;
    let id = |config: &str| one(config, |_| {}).main.unwrap().plot.id;
    assert_eq!(id("[normalize]\nstatistic = \"median\""), format!("{base}-median"));
    assert_eq!(
        id("[normalize]\nstatistic = \"p90\"\nreference = \"latest\""),
        format!("{base}-p90-ref-latest")
    );
    assert_eq!(
        id("[normalize]\nreference = \"1.9.0\""),
        format!("{base}-ref-{}", crate::text::slug::slug("1.9.0"))
    );
    let other = one("", |group| group.variant = Some("linux".into()));
    assert_eq!(other.main.unwrap().plot.id, format!("{base}-linux"));
    assert!(other.series[0].plot.id.ends_with("-linux"));
    assert_eq!(other.windows[0].1.plot.id, format!("{base}-linux-1.10"));
}

#[test]
fn rows_are_metrics_by_targets_and_gaps_keep_their_reason() {
    let set = one("", |_| {});
    let main = set.main.unwrap();
    assert_eq!((main.plot.schema_version.as_str(), main.plot.data.len()), (PERFCHECKER_PLOT, 8));
    assert_eq!(main.plot.data[0]["ratio"], json!(2.0));
    let gap = &main.plot.data[3];
    assert_eq!(
        (
            &gap["value"],
            &gap["samples"],
            &gap["target_kind"],
            &gap["reference_value"],
            &gap["normalization_status"]
        ),
        (&json!(null), &json!(0), &json!("unavailable"), &json!(4), &json!("missing_measurement"))
    );
    let details = main.perfolio.as_ref().unwrap();
    assert_eq!(details.reasons["my.metric"]["1.10.1"], "not run");
    assert_eq!(details.target_kinds["dev@1.11.0"], "dev");
    let drawn = chart(&main).unwrap();
    assert!(drawn.caption.fine.contains("1–2 samples per target"), "{}", drawn.caption.fine);
    assert!(
        drawn.caption.fine.contains("3 of 8 values unavailable: 1.10.1 and dev@1.11.0 not run."),
        "{}",
        drawn.caption.fine
    );
    assert_eq!(drawn.lines[1].slot, 5);
    assert_eq!(drawn.columns[3].kind, "dev");
}

#[test]
fn trajectories_have_no_row_for_a_gap_but_a_column() {
    let set = one("[normalize]\nstatistic = \"maximum\"", |_| {});
    let time = &set.series[0];
    assert_eq!(time.plot.data.len(), 3);
    assert_eq!(time.plot.data[0]["value"], json!(8.5), "the median, whatever [normalize] says");
    let drawn = chart(time).unwrap();
    assert_eq!(drawn.columns.len(), 4);
    assert_eq!(drawn.lines[0].marks[3].form, super::chart::Form::Absent("not run".into()));
    let summed = one("", |group| group.series[0].summed = true);
    assert_eq!(summed.series[0].plot.data[0]["value"], json!(17));
    assert!(chart(&summed.series[0]).unwrap().caption.fine.contains("shows the sum"));
}

#[test]
fn windows_keep_the_reference_of_the_complete_history() {
    let set = one("", |group| {
        group.series[0] =
            series("julia.wall.time", "ns", &vec![Some(vec![4]), Some(vec![5]), Some(vec![6]), None]);
    });
    assert_eq!(set.windows.len(), 1);
    let (name, window) = &set.windows[0];
    assert_eq!(name, "1.10");
    assert_eq!(window.plot.options["versions"], json!(["1.10.0", "1.10.1"]));
    assert_eq!(
        (&window.plot.data[0]["ratio"], &window.plot.data[0]["reference_value"]),
        (&json!(1.25), &json!(4))
    );
    let drawn = chart(window).unwrap();
    assert!(
        drawn.caption.fine.contains(
            "Ratios keep the reference of the complete history: four targets, 1.9.0 to dev@1.11.0."
        )
    );
    assert!(drawn.axis.low < 1.0 && drawn.axis.high > 1.25, "the reference line stays visible");
    assert!(one("[tabs]\npatches = \"none\"", |_| {}).windows.is_empty());
    assert_eq!(one("[tabs]\npatches = [\"1.9\"]", |_| {}).windows[0].0, "1.9");
}

#[test]
fn the_wrapper_says_only_what_is_known() {
    let main = one("", |_| {}).main.unwrap();
    assert_eq!((main.run_id.as_deref(), main.os.as_deref()), (Some("r-1"), Some("NT")));
    assert_eq!(
        main.runtime.keys().map(String::as_str).collect::<Vec<_>>(),
        ["language", "threads", "version"]
    );
    assert_eq!(
        (main.correctness.as_deref(), main.performance.as_deref()),
        (Some("passed"), Some("not_compared"))
    );
    assert_eq!(main.release_dates.len(), 3);
    assert_eq!(main.perfolio.as_ref().unwrap().integrity.as_deref(), Some("verified"));
    let context_of = |correctness: &str, runs: usize| {
        let mut evidence = source(&LABELS, correctness);
        for at in 1..runs {
            let mut run = evidence.runs[0].clone();
            run.run_id = format!("r-{}", at + 1);
            run.environment.insert("os".into(), json!("Linux"));
            evidence.runs.push(run);
        }
        let mut one = group(&LABELS, vec![series("m", "1", &vec![Some(vec![1]), Some(vec![2]), None, None])]);
        one.series[0].points[1].run = Some(runs - 1);
        normalized::document(&Context::new(&evidence, &Config::default()), &one).unwrap().unwrap()
    };
    assert_eq!(context_of("not_checked", 1).correctness.as_deref(), Some("not_checked"));
    let two = context_of("passed", 2);
    assert_eq!((two.run_id, two.os), (None, None));
    assert_eq!(two.perfolio.unwrap().runs["1.10.0"], "r-2");
}

#[test]
fn wider_vocabularies_have_their_own_schema() {
    let schema = |config: &str, change: fn(&mut Group)| one(config, change).main.unwrap().plot.schema_version;
    assert_eq!(
        schema("[normalize]\nstatistic = \"median\"\nreference = \"latest\"", |_| {}),
        PERFCHECKER_PLOT
    );
    assert_eq!(schema("[normalize]\nstatistic = \"p99\"", |_| {}), PERFOLIO_PLOT);
    assert_eq!(schema("[normalize]\nreference = \"maximum\"", |_| {}), PERFOLIO_PLOT);
    assert_eq!(schema("", |group| group.targets[0].kind = TargetKind::Commit), PERFOLIO_PLOT);
}

#[test]
fn a_group_without_the_reference_target_has_no_ratios() {
    let main = one("[normalize]\nreference = \"0.1.0\"", |_| {}).main.unwrap();
    assert!(main.plot.data.iter().all(|row| row["ratio"].is_null()));
    assert_eq!(main.plot.data[0]["normalization_status"], json!("missing_reference"));
    assert!(
        chart(&main).unwrap().lines[0].marks[0].reading.ends_with("no ratio: the reference has no value")
    );
}

#[test]
fn dependencies_that_changed_get_a_strip() {
    let main = one("", |group| {
        let package =
            |name: &str, version: &str| Package { name: name.into(), version: version.into(), tree: None };
        let list = |http: &str, json: &str| {
            let mut packages: Vec<Package> =
                (0..9).map(|at| package(&format!("Same{at}"), "1.0.0")).collect();
            packages.extend([package("Http", http), package("Json", json), package("Widget", "9.0.0")]);
            Some(Dependencies { manifest_sha256: Some(format!("{http}{json}")), packages, total: Some(12) })
        };
        group.dependencies = vec![list("1.0", "0.1.0"), list("1.0", "0.2.0"), list("2.0", "0.2.0"), None];
    })
    .main
    .unwrap();
    let details = main.perfolio.as_ref().unwrap();
    assert_eq!(
        details.dependencies.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
        ["Http", "Json"]
    );
    assert_eq!(details.package_counts, [Some(12), Some(12), Some(12), None]);
    assert_eq!(
        main.worker_environments,
        [
            json!({"manifest_sha256": "1.00.1.0"}),
            json!({"manifest_sha256": "1.00.2.0"}),
            json!({"manifest_sha256": "2.00.2.0"})
        ]
    );
    let drawn = chart(&main).unwrap();
    assert_eq!(drawn.ribbons[0].spans.len(), 3);
    let strong: Vec<_> = drawn.boundaries.iter().filter(|rule| rule.strong).map(|rule| rule.before).collect();
    assert_eq!(strong, [2]);
}

#[test]
fn a_sum_beyond_all_numbers_keeps_its_samples() {
    let huge = |values: &[f64]| Summary::of(values.iter().map(|&value| Number::Float(value)));
    let set = one("[normalize]\nstatistic = \"sum\"", |group| {
        group.series[0].points[1].summary = huge(&[1.7e308, 1.7e308]);
    });
    let main = set.main.unwrap();
    let row = &main.plot.data[1];
    assert_eq!(
        (&row["value"], &row["ratio"], &row["samples"], &row["normalization_status"], &row["target_kind"]),
        (&json!(null), &json!(null), &json!(2), &json!("missing_measurement"), &json!("release"))
    );
    let drawn = chart(&main).unwrap();
    let absent = super::chart::Form::Absent("the sum exceeds the largest number".into());
    assert_eq!(drawn.lines[0].marks[1].form, absent);
    let cell = |name: &str| {
        let at = drawn.data.head.iter().position(|head| head == name).unwrap();
        format!("{:?}", drawn.data.rows[1][at])
    };
    assert!(cell("samples").contains('2') && cell("run_id").contains("r-1"));
    assert!(cell("reason").contains("the sum exceeds the largest number"));
    let summed = one("", |group| {
        group.series[0].summed = true;
        group.series[0].points[1].summary = huge(&[1.7e308, 1.7e308]);
    });
    assert_eq!(chart(&summed.series[0]).unwrap().lines[0].marks[1].form, absent);
}

#[test]
fn a_ratio_beyond_all_numbers_is_absent_and_says_so() {
    let huge = |value: f64| Summary::of([Number::Float(value)]);
    let set = one("", |group| {
        group.series[0].points[0].summary = huge(1e300);
        group.series[0].points[1].summary = huge(1e-300);
    });
    let main = set.main.unwrap();
    let row = &main.plot.data[0];
    assert_eq!(
        (&row["value"], &row["ratio"], &row["normalization_status"]),
        (&json!(1e300), &json!(null), &json!("missing_reference"))
    );
    let mark = chart(&main).unwrap().lines[0].marks[0].clone();
    assert_eq!(
        mark.form,
        super::chart::Form::Absent("no ratio: the ratio exceeds the largest number".into())
    );
}

#[test]
fn a_missing_reference_is_not_claimed() {
    let fine = |reference: &str| {
        let main = one(&format!("[normalize]\nreference = \"{reference}\""), |_| {}).main.unwrap();
        (chart(&main).unwrap().caption.fine, main.plot.description)
    };
    for reference in ["dev@1.11.0", "9.9.9"] {
        let (fine, description) = fine(reference);
        assert!(
            fine.contains(&format!("{reference} has no value, so there are no ratios."))
                || reference.starts_with("dev"),
            "{fine}"
        );
        assert!(
            fine.contains("has no value, so there are no ratios.") && !fine.contains("divided"),
            "{fine}"
        );
        assert!(!description.contains("divided"), "{description}");
    }
    let (partly, _) = fine("1.10.1");
    assert!(
        partly.contains(
            "its own value at 1.10.1. 1.10.1 has no value of my.metric, so there are no ratios of it."
        ),
        "{partly}"
    );
}
