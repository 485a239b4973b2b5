//! Documents of samples and of changes, made up for tests and benchmarks.

use perfolio::evidence::plot::PlotDocument;
use perfolio::figure;
use perfolio::figure::chart::Chart;
use serde_json::{Map, Value, json};

/// Labels of so many releases.
pub(crate) fn labels(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("1.{}.{}", at / 4, at % 4)).collect()
}

/// A wrapped document of the newer form with rows of one metric.
pub(crate) fn wrapped(kind: &str, rows: &[Value], targets: &[String], more: Value) -> PlotDocument {
    let mut details = json!({
        "feature_title": "Sort", "source_title": "widget", "targets": targets, "integrity": "verified",
        "preferences": {"julia.wall.time": "lower"},
    });
    let Value::Object(more) = more else { panic!("details are an object") };
    details.as_object_mut().expect("an object").extend(more);
    let text = json!({ "plot": bare(kind, rows), "run_id": "r-1", "perfolio": details }).to_string();
    perfolio::read::plot::parse_document(text.as_bytes(), "plot.json").expect("a document")
}

/// The plot alone, without the fields that only newer writers give.
pub(crate) fn bare(kind: &str, rows: &[Value]) -> Value {
    let encoding = match kind {
        "distribution" => json!({"x": "version", "y": "value", "color": "target_kind"}),
        _ => json!({"x": "candidate_version", "y": "relative_delta", "color": "status"}),
    };
    json!({
        "schema_version": "perfchecker-plot/1", "id": format!("{}-0123456789abcdef", kind.replace('_', "-")),
        "kind": kind, "title": "Widget · sort", "description": "invented", "encoding": encoding, "data": rows,
        "options": {"package": "Widget", "feature": "sort_bench", "unit": "ns", "series_id": "0123456789abcdef",
            "metric": "julia.wall.time"},
    })
}

/// One row per sample, target by target.
pub(crate) fn samples(targets: &[String], of: impl Fn(usize) -> Vec<f64>) -> Vec<Value> {
    let rows = targets.iter().enumerate().flat_map(|(at, target)| {
        of(at)
            .into_iter()
            .map(move |value| json!({"version": target, "target_kind": "release", "value": value}))
    });
    rows.collect()
}

/// Samples without chance: `count` around `middle`, the first far above them.
pub(crate) fn around(middle: f64, count: usize) -> Vec<f64> {
    let wave = |at: usize| ((at * 37 % 23) as f64 / 11.0 - 1.0) * 0.08;
    (0..count).map(|at| if at == 0 { middle * 2.5 } else { middle * (1.0 + wave(at)) }).collect()
}

/// The change from one release to the next for every pair of neighbours; none where a value is missing.
pub(crate) fn deltas(targets: &[String], values: &[Option<f64>]) -> Vec<Value> {
    let pairs = targets.windows(2).zip(values.windows(2));
    pairs
        .map(|(labels, values)| {
            let delta = values[0].zip(values[1]).map(|(before, after)| after - before);
            let part = delta.zip(values[0]).filter(|(_, before)| *before != 0.0);
            let mut row = Map::new();
            for (field, value) in [
                ("relation", json!("adjacent-release")),
                ("baseline_version", json!(labels[0])),
                ("candidate_version", json!(labels[1])),
                ("baseline_samples", json!(if values[0].is_some() { 30 } else { 0 })),
                ("candidate_samples", json!(if values[1].is_some() { 30 } else { 0 })),
                ("baseline_median", json!(values[0])),
                ("candidate_median", json!(values[1])),
                ("sample_statistic", json!("median")),
                ("baseline_value", json!(values[0])),
                ("candidate_value", json!(values[1])),
                ("absolute_delta", json!(delta)),
                ("relative_delta", json!(part.map(|(delta, before)| delta / before.abs()))),
                ("relative_limit", Value::Null),
                ("status", json!(if delta.is_some() { "diagnostic" } else { "missing" })),
                ("reason", json!(if delta.is_some() { "" } else { "not run" })),
            ] {
                row.insert(field.to_owned(), value);
            }
            Value::Object(row)
        })
        .collect()
}

/// A distribution over `targets` targets.
pub(crate) fn distribution(targets: usize, of: impl Fn(usize) -> Vec<f64>) -> PlotDocument {
    let labels = labels(targets);
    wrapped("distribution", &samples(&labels, of), &labels, json!({}))
}

/// Changes between neighbours with these values.
pub(crate) fn delta(values: &[Option<f64>]) -> PlotDocument {
    let labels = labels(values.len());
    wrapped("version_delta", &deltas(&labels, values), &labels, json!({}))
}

/// Values without chance that rise and fall.
pub(crate) fn wavy(count: usize) -> Vec<Option<f64>> {
    (0..count).map(|at| Some(5000.0 + ((at * 53 % 31) as f64) * 60.0)).collect()
}

/// Every sort of figure of both kinds, with a name.
pub(crate) fn gallery() -> Vec<(&'static str, Chart)> {
    let missing = |targets: &[String]| {
        let reasons: Map<String, Value> =
            targets.iter().map(|target| (target.clone(), json!("not run"))).collect();
        json!({"reasons": {"julia.wall.time": reasons}})
    };
    let none = labels(5);
    let mut far = wavy(12);
    far[6] = Some(200_000.0);
    let holes = [Some(0.0), Some(0.0), Some(40.0), None, Some(40.0), Some(0.0)];
    let all = [
        ("samples-2", distribution(2, |at| around(7000.0 - at as f64 * 3000.0, 30))),
        ("samples-200", distribution(200, |at| around(5000.0 + (at % 17) as f64 * 200.0, 30))),
        ("samples-missing", wrapped("distribution", &[], &none, missing(&none))),
        ("samples-one", distribution(1, |_| vec![4200.0])),
        ("samples-zero", distribution(4, |at| vec![0.0, at as f64 * 500.0, 10.0, 4.0])),
        ("samples-many", distribution(3, |at| around(4000.0 + at as f64 * 900.0, 3000))),
        ("changes-2", delta(&[Some(7300.0), Some(3900.0)])),
        ("changes-200", delta(&wavy(200))),
        ("changes-missing", wrapped("version_delta", &deltas(&none, &[None; 5]), &none, missing(&none))),
        ("changes-one", delta(&[Some(7300.0)])),
        ("changes-zero", delta(&holes)),
        ("changes-far", delta(&far)),
    ];
    all.into_iter().map(|(name, document)| (name, figure::chart(&document).expect("a figure"))).collect()
}
