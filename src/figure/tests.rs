//! Tests of whole figures: from documents to charts, and from evidence to documents.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::chart::{Chart, Form, Scale};
use super::{all, chart, restrict};
use crate::config::{Config, Patches};
use crate::evidence::plot::PlotDocument;

/// The invented wrapper of the format description: four of the five outcomes.
pub(super) fn widget() -> PlotDocument {
    let row = |metric: &str,
               version: &str,
               value: Value,
               unit: &str,
               ratio: Value,
               reference: f64,
               status: &str| {
        let missing = value.is_null();
        json!({
            "metric": metric, "version": version, "unit": unit, "value": value, "ratio": ratio,
            "target_kind": if missing { "unavailable" } else if version.starts_with("dev") { "dev" } else { "release" },
            "samples": if missing { 0 } else { 2 }, "reference_value": reference, "reference_version": "minimum",
            "statistic": "minimum", "normalization_status": status,
        })
    };
    let (time, gc, bytes, count) =
        ("julia.wall.time", "julia.gc.time", "julia.alloc.bytes", "julia.alloc.count");
    let dev = "dev@1.11.0";
    serde_json::from_value(json!({
        "plot": {
            "schema_version": "perfchecker-plot/1", "id": "normalized-metrics-2e395f9a32d889c7",
            "kind": "normalized_metrics", "title": "Widget", "description": "invented",
            "encoding": {"x": "version", "y": "ratio", "color": "metric"},
            "data": [
                row(time, "1.2.0", json!(8000.0), "ns", json!(1.6), 5000.0, "ratio"),
                row(time, "1.10.0", json!(5000.0), "ns", json!(1.0), 5000.0, "ratio"),
                row(time, dev, json!(6500.0), "ns", json!(1.3), 5000.0, "ratio"),
                row(gc, "1.2.0", json!(0.0), "ns", json!(1.0), 0.0, "both_zero"),
                row(gc, "1.10.0", json!(40.0), "ns", Value::Null, 0.0, "zero_reference"),
                row(gc, dev, json!(0.0), "ns", json!(1.0), 0.0, "both_zero"),
                row(bytes, "1.2.0", json!(2048.0), "By", json!(2.0), 1024.0, "ratio"),
                row(bytes, "1.10.0", json!(1024.0), "By", json!(1.0), 1024.0, "ratio"),
                row(bytes, dev, json!(1024.0), "By", json!(1.0), 1024.0, "ratio"),
                row(count, "1.2.0", json!(12.0), "1", json!(2.0), 6.0, "ratio"),
                row(count, "1.10.0", json!(6.0), "1", json!(1.0), 6.0, "ratio"),
                row(count, dev, Value::Null, "1", Value::Null, 6.0, "missing_measurement"),
            ],
            "options": {"package": "Widget", "feature": "sort_bench", "workload": "sort_small", "unit": "ratio",
                "versions": ["1.2.0", "1.10.0", dev], "reference_version": "minimum", "statistic": "minimum",
                "collector": "benchmarktools-v1", "zero_reference_policy": "(fixed)"},
        },
        "run_id": "6f0c7d0e-5b1a-4d53-9c39-0f6c2f1b7a10",
        "release_dates": {"1.10.0": "2026-02-01", "1.2.0": "2025-05-01"},
        "a_later_field": {"kept": [1, 2]},
    }))
    .unwrap()
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn the_five_outcomes_are_drawn_as_named() {
    let chart = chart(&widget()).unwrap();
    let marks = |line: usize| {
        chart.lines[line].marks.iter().map(|mark| (mark.value, mark.form.clone())).collect::<Vec<_>>()
    };
    let absent = |reason: &str| Form::Absent(reason.to_owned());
    assert_eq!(
        marks(0),
        [(Some(1.6), Form::Measured), (Some(1.0), Form::Measured), (Some(1.3), Form::Measured)]
    );
    assert_eq!(
        marks(1),
        [
            (Some(1.0), Form::Convention),
            (None, absent("no ratio: the reference is 0")),
            (Some(1.0), Form::Convention)
        ]
    );
    assert_eq!(marks(3)[2], (None, absent("not measured")));
    assert_eq!(chart.lines.iter().map(|line| line.slot).collect::<Vec<_>>(), [1, 4, 2, 3]);
    assert_eq!(chart.heading, "Four metrics at three targets");
    assert_eq!(chart.axis.scale, Scale::Linear);
    assert_eq!(
        chart.columns.iter().map(|column| column.kind.as_str()).collect::<Vec<_>>(),
        ["release", "release", "dev"]
    );
    assert_eq!(chart.columns[1].date.as_deref(), Some("2026-02-01"));
}

#[test]
fn words_of_the_widget() {
    let chart = chart(&widget()).unwrap();
    assert_eq!(
        plain(&chart.caption.says),
        "Wall time is lowest at 1.10.0 (5 µs) and highest at 1.2.0 (8 µs, 1.6 ×); largest step 1.2.0 → 1.10.0, −38 %. \
         Allocated bytes and allocations are lowest at 1.10.0 too."
    );
    assert_eq!(
        plain(&chart.caption.fine),
        "Minimum of 2 samples per target. Each metric is divided by its own minimum over the three targets. \
         The reference of GC time is 0: zeros are shown at 1 by convention (open marks), other values have no ratio. \
         1 of 12 values unavailable: dev@1.11.0 not measured. No line bridges a gap. \
         No date is recorded for dev@1.11.0. A minimum is not a verdict."
    );
    let reading = |line: usize, target: usize| plain(&chart.lines[line].marks[target].reading);
    assert_eq!(
        reading(0, 0),
        "wall time at 1.2.0 (2025-05-01): 8 µs, minimum of 2 samples, 1.6 × the reference 5 µs"
    );
    assert_eq!(
        reading(1, 0),
        "GC time at 1.2.0 (2025-05-01): 0 ns, minimum of 2 samples, the reference is 0 too, shown at 1 by convention"
    );
    assert_eq!(
        reading(1, 1),
        "GC time at 1.10.0 (2026-02-01): 40 ns, minimum of 2 samples, no ratio: the reference is 0"
    );
    assert_eq!(reading(3, 2), "allocations at dev@1.11.0: no value, not measured");
    assert_eq!(chart.step.as_ref().map(|step| (step.column, step.line)), Some((1, 0)));
    assert_eq!(chart.axis.title, "ratio to own minimum, linear");
    assert_eq!(chart.reference.as_ref().unwrap().label, "1 = each metric’s own minimum");
}

#[test]
fn tables_of_the_widget() {
    let chart = chart(&widget()).unwrap();
    assert_eq!(
        chart.table.head,
        [
            "target",
            "date",
            "wall time, µs",
            "ratio",
            "GC time, ns",
            "ratio",
            "allocated bytes, B",
            "ratio",
            "allocations",
            "ratio"
        ]
    );
    let texts: Vec<String> = chart.table.rows[2].cells.iter().map(|cell| plain(&cell.text)).collect();
    assert_eq!(texts, ["", "6.5", "1.3", "0", "(1)", "1 024", "1", "— not measured", "—"]);
    assert_eq!(chart.table.rows[2].cells[1].exact.map(|exact| exact.to_string()).as_deref(), Some("6500.0"));
    assert!(chart.table.rows[1].cells[1].strong && !chart.table.rows[0].cells[1].strong);
    assert_eq!(chart.data.rows.len(), 12);
    assert!(chart.data.rows.iter().all(|row| row.len() == chart.data.head.len()));
}

#[test]
fn windows_and_ranges_keep_ratios_and_scale() {
    let mut document = widget();
    document.plot.data[0]["ratio"] = json!(16.0);
    assert_eq!(chart(&document).unwrap().axis.scale, Scale::Log);
    let part = restrict::range(&document, Some("1.10.0"), None).unwrap();
    assert_eq!(part.plot.options["versions"], json!(["1.10.0", "dev@1.11.0"]));
    assert_eq!(part.plot.data.len(), 8);
    assert_ne!(part.plot.id, document.plot.id);
    let drawn = chart(&part).unwrap();
    assert_eq!(drawn.axis.scale, Scale::Log, "decided from the complete history");
    assert_eq!(drawn.lines[0].marks[1].value, Some(1.3));
    assert!(drawn.caption.fine.contains("Ratios keep the reference of the complete history: three targets"));
    assert!(
        drawn.caption.fine.contains("Shown: 1.10.0 to dev@1.11.0, 2 of three targets."),
        "{}",
        drawn.caption.fine
    );
    assert_eq!(part.extra, document.extra);
    assert_eq!(restrict::range(&document, None, None).unwrap(), document);
    assert!(restrict::range(&document, Some("1.3.0"), None).unwrap_err().message.contains("`1.3.0`"));
    assert!(restrict::range(&document, Some("1.10.0"), Some("1.2.0")).is_err());
    assert!(restrict::windows(&document, &Patches::Auto).unwrap().is_empty());
    let only = restrict::windows(&document, &Patches::Only(vec!["1.10".into()])).unwrap();
    assert_eq!(only[0].1.plot.id, "normalized-metrics-2e395f9a32d889c7-1.10");
    assert_eq!(chart(&only[0].1).unwrap().heading, "Four metrics at one release");
}

#[test]
fn unknown_kinds_are_named() {
    let mut document = widget();
    document.plot.kind = "radar".into();
    assert_eq!(chart(&document).unwrap_err().message, "`radar` is not a known kind of plot");
}

#[test]
fn a_row_of_the_wrong_type_is_named() {
    let mut document = widget();
    document.plot.data[3]["value"] = json!("missing");
    let error = chart(&document).unwrap_err();
    assert_eq!(error.place.field.as_deref(), Some("plot.data[3].value"));
}

#[test]
fn whole_numbers_may_arrive_as_floats() {
    let expected = chart(&widget()).unwrap();
    let mut document = widget();
    for row in &mut document.plot.data {
        let samples = row["samples"].as_f64().unwrap();
        row["samples"] = json!(samples);
    }
    assert_eq!(document.plot.data[0]["samples"].to_string(), "2.0");
    assert_eq!(chart(&document).unwrap(), expected);
    document.plot.data[2]["samples"] = json!(2.5);
    let error = chart(&document).unwrap_err();
    assert_eq!(error.place.field.as_deref(), Some("plot.data[2].samples"));
}

#[test]
fn the_status_of_a_row_outweighs_its_numbers() {
    let mut document = widget();
    document.plot.data[2]["normalization_status"] = json!("missing_measurement");
    document.plot.data[4]["ratio"] = json!(7.5);
    document.plot.data[7]["ratio"] = json!(1.25);
    document.plot.data[10]["value"] = Value::Null;
    let drawn = chart(&document).unwrap();
    let mark = |line: usize, target: usize| drawn.lines[line].marks[target].clone();
    let absent = |reason: &str| Form::Absent(reason.to_owned());
    assert_eq!(mark(0, 2).form, absent("recorded as not measured, yet 6500.0 is given"));
    assert_eq!(
        mark(1, 1).form,
        absent("no ratio: the reference is recorded as 0, yet a ratio of 7.5 is given")
    );
    // 1024 / 1024 is 1, but the document says 1.25: nothing is computed anew.
    assert_eq!(mark(2, 1).value, Some(1.25));
    assert_eq!(mark(3, 1).value, Some(1.0));
    assert!(drawn.caption.fine.contains("dev@1.11.0 recorded as not measured"), "{}", drawn.caption.fine);
    let text = |row: usize, cell: usize| drawn.table.rows[row].cells[cell].text.clone();
    assert_eq!(text(2, 1), "— recorded as not measured, yet 6500.0 is given");
    assert_eq!(text(1, 7), "— a ratio without a value is recorded");
    let column = |name: &str| drawn.data.head.iter().position(|head| head == name).unwrap();
    assert_eq!(format!("{:?}", drawn.data.rows[2][column("value")]), "Empty");
    assert_eq!(format!("{:?}", drawn.data.rows[4][column("ratio")]), "Empty");
    hold(&drawn);
}

#[test]
fn empty_documents_have_a_chart() {
    let mut document = widget();
    document.plot.data.clear();
    let drawn = chart(&document).unwrap();
    assert_eq!(drawn.caption.says, "The document holds no values.");
    assert_eq!(drawn.columns.len(), 3);
    document.plot.kind = "version_series".into();
    assert!(chart(&document).is_err(), "no metric");
    document.plot.options.insert("metric".into(), json!("julia.wall.time"));
    assert_eq!(chart(&document).unwrap().caption.says, "No value of wall time is available.");
}

fn series(values: &[(&str, f64)], metric: &str, unit: &str) -> PlotDocument {
    let rows: Vec<Value> = values
        .iter()
        .map(|(version, value)| {
            json!({"version": version, "target_kind": "release", "value": value, "samples": 1, "aggregation": "median"})
        })
        .collect();
    serde_json::from_value(json!({"plot": {
        "schema_version": "perfchecker-plot/1", "id": "version-series-0", "kind": "version_series", "title": "",
        "description": "", "encoding": {}, "data": rows,
        "options": {"package": "P", "feature": "f", "unit": unit, "metric": metric},
    }}))
    .unwrap()
}

#[test]
fn trajectories_use_one_readable_unit() {
    let drawn = chart(&series(&[("1.0", 2500.0), ("1.1", 7500.0)], "julia.wall.time", "ns")).unwrap();
    assert_eq!(
        drawn.lines[0].marks.iter().map(|mark| mark.value).collect::<Vec<_>>(),
        [Some(2.5), Some(7.5)]
    );
    assert_eq!((drawn.axis.title.as_str(), drawn.lines[0].unit.as_str()), ("wall time, µs, linear", "µs"));
    assert_eq!(drawn.heading, "Wall time at two releases, median");
    assert!(drawn.caption.fine.contains("1 sample per release, no spread."));
    assert!(drawn.caption.fine.contains("shows the median"));
    assert_eq!(drawn.reference, None);
    let zero = chart(&series(&[("1.0", 0.0), ("1.1", 1.0), ("1.2", 50.0)], "x", "widgets")).unwrap();
    assert_eq!(zero.lines[0].marks[0].form, Form::ZeroOnLog);
    assert!(zero.caption.fine.contains("Zeros lie at the bottom edge"));
    assert_eq!(plain(&zero.lines[0].last), "50 widgets");
    let negative = chart(&series(&[("1.0", -1.0), ("1.1", 50.0)], "x", "1")).unwrap();
    assert_eq!(negative.axis.scale, Scale::Linear);
}

#[test]
fn steps_of_the_clock_are_named() {
    let mut document = series(&[("1.0", 2500.0), ("1.1", 2700.0), ("1.2", 2600.0)], "julia.wall.time", "ns");
    document.perfolio = serde_json::from_value(json!({"steps": {"julia.wall.time": 100.0}})).unwrap();
    let says = plain(&chart(&document).unwrap().caption.says);
    assert!(says.ends_with("all values are within two clock steps of 100 ns."), "{says}");
    document.plot.data[1]["value"] = json!(5400.0);
    let says = plain(&chart(&document).unwrap().caption.says);
    assert!(says.ends_with("largest step 1.0 → 1.1, +116 %."), "{says}");
}

#[test]
fn constant_and_single_values_have_their_own_words() {
    let says = |values: &[(&str, f64)]| {
        plain(&chart(&series(values, "julia.alloc.count", "1")).unwrap().caption.says)
    };
    assert_eq!(says(&[("1.0", 53.0), ("1.1", 53.0)]), "Allocations do not change: 53 at both releases.");
    assert_eq!(says(&[("1.0", 53.0)]), "Allocations at 1.0: 53.");
}

#[test]
fn every_field_of_other_writers_survives() {
    let document = widget();
    let text = serde_json::to_string(&document).unwrap();
    assert_eq!(serde_json::from_str::<PlotDocument>(&text).unwrap(), document);
    assert!(text.contains("a_later_field"));
}

pub(super) fn any_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<f64>()
            .prop_filter("JSON has no others", |value| value.is_finite())
            .prop_map(|value| json!(value)),
        (-3.0..3.0_f64).prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<u64>().prop_map(|value| json!(value)),
        Just(json!(0)),
        Just(json!(-0.0)),
    ]
}

pub(super) fn any_row() -> impl Strategy<Value = Map<String, Value>> {
    let word = |words: &'static [&'static str]| prop::sample::select(words);
    (
        word(&["julia.wall.time", "julia.gc.time", "x", ""]),
        word(&["1.0.0", "1.0.1", "1.1.0", "dev@1.2.0", "", "üñ <b>", "9999999999999999999999.1"]),
        word(&["release", "dev", "unavailable", "", "odd"]),
        word(&["ns", "h", "By", "1", "%", "widgets", ""]),
        word(&["ratio", "both_zero", "zero_reference", "missing_reference", "missing_measurement"]),
        word(&["minimum", "maximum", "1.0.0", "", "gone"]),
        (any_number(), any_number(), any_number(), any::<u64>(), word(&["minimum", "recorded", "sum", "", "p90"])),
    )
        .prop_map(|(metric, version, kind, unit, status, reference, (value, ratio, base, samples, statistic))| {
            let row = json!({
                "metric": metric, "version": version, "target_kind": kind, "unit": unit, "value": value,
                "ratio": ratio, "reference_value": base, "reference_version": reference, "samples": samples,
                "statistic": statistic, "normalization_status": status, "aggregation": statistic,
            });
            row.as_object().unwrap().clone()
        })
}

pub(super) fn hold(chart: &Chart) {
    assert!(chart.axis.low < chart.axis.high && chart.axis.low.is_finite() && chart.axis.high.is_finite());
    for line in &chart.lines {
        assert_eq!(line.marks.len(), chart.columns.len());
        for mark in &line.marks {
            assert!(mark.value.is_none_or(|value| {
                let at = chart.axis.position(value);
                value.is_finite() && (-1e-6..=1.000_001).contains(&at)
            }));
            assert_eq!(mark.value.is_none(), matches!(mark.form, Form::Absent(_)));
        }
    }
    for row in &chart.table.rows {
        assert_eq!(row.cells.len() + 1, chart.table.head.len());
    }
    assert!(chart.boundaries.windows(2).all(|pair| pair[0].before < pair[1].before));
    assert!(!chart.caption.says.is_empty() && !chart.caption.fine.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn charts_are_total(
        rows in prop::collection::vec(any_row(), 0..40),
        versions in prop::collection::vec(prop::sample::select(vec!["1.0.0", "1.0.1", "2.0.0"]), 0..4),
        is_series in any::<bool>(),
        scale in prop::sample::select(vec!["", "log", "linear"]),
        step in any_number(),
    ) {
        let mut document = widget();
        document.plot.data = rows.into_iter().map(Into::into).collect();
        document.plot.options.insert("versions".into(), json!(versions));
        if is_series {
            document.plot.kind = "version_series".into();
            document.plot.options.insert("metric".into(), json!("x"));
        }
        let steps: BTreeMap<&str, Value> = if step.is_null() { BTreeMap::new() } else { BTreeMap::from([("x", step)]) };
        document.perfolio = Some(serde_json::from_value(json!({"scale": scale, "steps": steps})).unwrap());
        let text = serde_json::to_string(&document).unwrap();
        let again: PlotDocument = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&again, &document);
        let drawn = chart(&document).unwrap();
        hold(&drawn);
        prop_assert_eq!(&chart(&again).unwrap(), &drawn);
        for (_, window) in restrict::windows(&document, &Patches::Auto).unwrap() {
            hold(&chart(&window).unwrap());
        }
        for column in &drawn.columns {
            hold(&chart(&restrict::range(&document, Some(&column.label), None).unwrap()).unwrap());
        }
    }
}

#[test]
fn thousands_of_targets() {
    let labels: Vec<String> = (0..5000).map(|at| format!("1.{}.{}", at / 10, at % 10)).collect();
    let values: Vec<(&str, f64)> =
        labels.iter().enumerate().map(|(at, label)| (label.as_str(), 1000.0 + (at % 7) as f64)).collect();
    let drawn = chart(&series(&values, "julia.wall.time", "ns")).unwrap();
    hold(&drawn);
    assert!(drawn.boundaries.len() <= 24);
}

#[test]
fn a_few_rows_cannot_ask_for_millions_of_cells() {
    let mut document = widget();
    let row = document.plot.data[0].clone();
    document.plot.data = (0..1500)
        .map(|at| {
            let mut row = row.clone();
            row["metric"] = json!(format!("m{at}"));
            row
        })
        .collect();
    assert!(chart(&document).unwrap_err().message.contains("cannot be drawn"));
}

#[test]
fn an_empty_source_has_no_figures() {
    let found = all(
        &crate::evidence::SourceEvidence::default(),
        &crate::analyze::SourceSeries::default(),
        &Config::default(),
    );
    assert_eq!(found.unwrap(), []);
}
