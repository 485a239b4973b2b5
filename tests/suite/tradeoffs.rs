//! Trade-offs: documents from bundles against medians counted here, saved documents of both generations, parts.
#![allow(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

use std::collections::BTreeMap;
use std::path::Path;

use perfolio::analyze::analyze;
use perfolio::config::Config;
use perfolio::error::Silent;
use perfolio::evidence::plot::PlotDocument;
use perfolio::figure::{self, FigureSet, chart};
use perfolio::io::{Limits, Source};
use perfolio::read::plot::parse_document;
use perfolio::read::read_source;
use serde_json::{Value, json};

const KIND: &str = "time_allocation_tradeoff";

fn bundles() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oxygen")
}

fn sets(config: &str) -> Vec<FigureSet> {
    let limits = Limits::default();
    let source = Source::open(&bundles(), &limits).unwrap();
    let (evidence, _) = read_source(&source, "oxygen", "oxygen", &limits, &Silent);
    let config = Config::parse(config, "perfolio.toml").unwrap();
    let (series, _) = analyze(&evidence, &config);
    figure::all(&evidence, &series, &config).unwrap()
}

fn documents(config: &str) -> Vec<PlotDocument> {
    let further = sets(config).into_iter().flat_map(|set| set.more).filter(|sort| sort.kind == KIND);
    further.flat_map(|sort| sort.documents).collect()
}

/// Samples by definition, feature and target, straight from the lines of the bundles.
fn samples() -> BTreeMap<(String, String, String), Vec<f64>> {
    let mut found: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for bundle in std::fs::read_dir(bundles().join("bundles")).unwrap() {
        let text = std::fs::read_to_string(bundle.unwrap().path().join("observations.jsonl")).unwrap();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let key = (
                text(&line["measurement_definition"]),
                text(&line["attributes"]["feature"]),
                text(&line["target_id"]),
            );
            found.entry(key).or_default().push(line["value"].as_f64().unwrap());
        }
    }
    found
}

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
}

#[test]
fn documents_hold_the_medians_of_the_evidence_whatever_the_statistic_is() {
    let samples = samples();
    for config in ["", "[normalize]\nstatistic = \"minimum\"", "[normalize]\nstatistic = \"p90\""] {
        let documents = documents(config);
        assert!(documents.len() > 8, "{} documents", documents.len());
        let mut rows = 0;
        for PlotDocument { plot, .. } in &documents {
            let option = |name: &str| plot.options[name].as_str().unwrap();
            let definitions = plot.options["measurement_definitions"].as_array().unwrap();
            assert_eq!(option("unit"), format!("{}+By", option("time_unit")));
            assert_eq!((option("allocation_unit"), option("unit_source")), ("By", "recorded_series"));
            assert_eq!(plot.schema_version, "perfchecker-plot/1");
            for row in &plot.data {
                for (at, field) in ["time", "bytes"].into_iter().enumerate() {
                    let key = (
                        definitions[at].as_str().unwrap().to_owned(),
                        option("feature").to_owned(),
                        row["version"].as_str().unwrap().to_owned(),
                    );
                    let wanted = median(&samples[&key]);
                    assert_eq!(row[field].as_f64().unwrap().to_bits(), wanted.to_bits(), "{key:?}");
                    rows += 1;
                }
                assert_eq!(row.iter().count(), 4, "exactly the fields of the kind");
            }
            assert!(
                chart(documents.iter().find(|one| one.plot.id == plot.id).unwrap())
                    .unwrap()
                    .caption
                    .fine
                    .starts_with("Medians per release, whatever statistic other figures use.")
            );
        }
        assert!(rows > 150, "{rows} values");
    }
    // The published id of the first feature.
    assert!(documents("").iter().any(|one| one.plot.id == "time-allocation-tradeoff-04bca646e7e1ece4"));
}

#[test]
fn parts_keep_scales_and_need_both_metrics() {
    let documents = documents("");
    let document = documents.iter().find(|one| one.plot.options["feature"] == "plain_benchmark").unwrap();
    let part = figure::range(document, Some("1.10.0"), Some("1.11.0")).unwrap();
    let drawn = chart(&part).unwrap();
    assert_eq!(drawn.columns.len(), 4);
    assert!(
        drawn.caption.fine.contains("Shown: 1.10.0 to 1.11.0, 4 of 14 releases."),
        "{}",
        drawn.caption.fine
    );
    let details = part.perfolio.unwrap();
    assert_eq!((details.scale.as_deref(), details.across_scale.as_deref()), (Some("linear"), Some("linear")));
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(figure::metrics(document, &ids(&["julia.wall.time"])).unwrap(), None);
    let both = ids(&["julia.wall.time", "julia.alloc.bytes"]);
    assert_eq!(figure::metrics(document, &both).unwrap().as_ref(), Some(document));
}

fn saved(options: &Value, data: &Value) -> Value {
    json!({
        "schema_version": "perfchecker-plot/1", "id": "time-allocation-tradeoff-1", "kind": KIND, "title": "t",
        "description": "", "encoding": {"x": "bytes", "y": "time", "label": "version"}, "data": data,
        "options": options,
    })
}

/// Formats §6, trap 1: the first generation says `s+By` whatever unit its times have, so that proves nothing.
#[test]
fn saved_documents_of_both_generations_are_drawn_bare_or_wrapped() {
    let row = |version: &str, time: f64| json!({"version": version, "target_kind": "release", "time": time, "bytes": 2048.0});
    let data = json!([row("1.0.0", 7050.0), row("1.1.0", 6000.0)]);
    let first = saved(&json!({"package": "W", "feature": "f", "unit": "s+By"}), &data);
    let second = saved(
        &json!({"package": "W", "feature": "f", "unit": "ns+By", "time_unit": "ns", "allocation_unit": "By"}),
        &data,
    );
    for (document, unspecified) in [(&first, true), (&second, false)] {
        for form in [document.clone(), json!({"plot": document, "run_id": "r"})] {
            let chart = chart(&parse_document(form.to_string().as_bytes(), "p.json").unwrap()).unwrap();
            let texts = [
                &chart.axis.title,
                &chart.caption.fine,
                &chart.table.head[2],
                &chart.lines[0].marks[0].reading,
                &chart.description,
            ];
            for text in texts {
                assert_eq!(text.contains("unspecified"), unspecified, "{text}");
            }
            assert!(!chart.axis.title.contains("s+By"));
            let wanted = if unspecified { "7\u{202f}050 (unit unspecified)" } else { "7.05\u{202f}µs" };
            assert!(chart.lines[0].marks[0].reading.contains(wanted), "{}", chart.lines[0].marks[0].reading);
        }
    }
}

#[test]
fn hostile_rows_are_refused_with_file_and_field() {
    let good = json!({"version": "1.0.0", "target_kind": "release", "time": 1.0, "bytes": 2.0});
    for (key, value) in [
        ("time", json!("7")),
        ("bytes", json!([1])),
        ("bytes", json!({"a": 1})),
        ("version", json!(7)),
        ("target_kind", Value::Null),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let text = saved(&json!({"time_unit": "ns"}), &json!([good, bad])).to_string();
        let error = parse_document(text.as_bytes(), "p.json").unwrap_err();
        let place = (error.place.path.as_deref(), error.place.field);
        assert_eq!(place, (Some("p.json"), Some(format!("data[1].{key}"))));
    }
    let twice = saved(&json!({"time_unit": "ns"}), &json!([good, good])).to_string();
    let document = parse_document(twice.as_bytes(), "p.json").unwrap();
    assert_eq!(perfolio::read::plot::doubts(&document, "p.json").len(), 1, "a second row is told");
    // A value that is not there leaves its target without a mark.
    let half = json!([good, {"version": "1.1.0", "target_kind": "release", "time": 1.0, "bytes": null}]);
    let text = saved(&json!({"time_unit": "ns"}), &half).to_string();
    let chart = chart(&parse_document(text.as_bytes(), "p.json").unwrap()).unwrap();
    assert!(chart.caption.fine.contains("1 of 2 releases unavailable"), "{}", chart.caption.fine);
    assert!(chart.lines[0].marks[1].reading.contains("no value of allocated bytes"));
}
