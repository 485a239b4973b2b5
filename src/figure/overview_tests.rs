//! Tests of overviews, from documents.

use serde_json::{Value, json};

use super::overview::{Overview, overview};
use crate::evidence::plot::PlotDocument;

/// A normalized document of wall times with a clock step of 100 ns.
fn feature(name: &str, values: &[(&str, Option<f64>)]) -> PlotDocument {
    let least = values.iter().filter_map(|value| value.1).fold(f64::INFINITY, f64::min);
    let rows: Vec<Value> = values
        .iter()
        .map(|(version, value)| {
            let kind = if version.starts_with("dev") { "dev" } else { "release" };
            let (ratio, status) = match value {
                None => (None, "missing_measurement"),
                Some(value) if least == 0.0 => ((*value == 0.0).then_some(1.0), if *value == 0.0 { "both_zero" } else { "zero_reference" }),
                Some(value) => (Some(value / least), "ratio"),
            };
            json!({"metric": "julia.wall.time", "version": version, "value": value, "unit": "ns", "ratio": ratio,
                "target_kind": if value.is_some() { kind } else { "unavailable" }, "samples": 30,
                "reference_value": least, "reference_version": "minimum", "statistic": "minimum",
                "normalization_status": status})
        })
        .collect();
    let versions: Vec<&str> = values.iter().map(|value| value.0).collect();
    serde_json::from_value(json!({
        "plot": {"schema_version": "perfchecker-plot/1", "id": format!("normalized-metrics-{name}"),
            "kind": "normalized_metrics", "title": "", "description": "", "encoding": {}, "data": rows,
            "options": {"package": "P", "feature": name, "unit": "ratio", "versions": versions, "collector": name}},
        "perfolio": {"steps": {"julia.wall.time": 100}, "reasons": {"julia.wall.time": {"1.0": "failed"}}},
    }))
    .unwrap()
}

fn of(documents: &[PlotDocument]) -> Overview {
    overview(&documents.iter().collect::<Vec<_>>(), None).unwrap()
}

fn text(overview: &Overview) -> String {
    overview.says.iter().map(|piece| piece.text.as_str()).collect::<String>().replace('\u{202f}', " ")
}

fn documents() -> Vec<PlotDocument> {
    vec![
        feature("plain", &[("1.0", Some(7200.0)), ("1.1", Some(3800.0))]),
        feature("path", &[("1.0", Some(3400.0)), ("1.1", Some(3600.0))]),
        feature("query", &[("1.0", Some(3300.0)), ("1.1", Some(5400.0))]),
        feature("html", &[("1.0", Some(2600.0)), ("1.1", Some(2600.0))]),
    ]
}

#[test]
fn the_sentence_of_a_gallery() {
    let found = of(&documents());
    assert_eq!(
        text(&found),
        "1.0 → 1.1: plain fell by 47 %, query rose by 64 %, the other two stayed within two clock steps of 100 ns."
    );
    assert_eq!(found.says.iter().filter(|piece| piece.strong).count(), 1);
    assert_eq!(found.heading, "Wall time by feature");
    assert_eq!(
        found.how.replace('\u{202f}', " "),
        "All curves share one axis: ratio to own minimum, logarithmic, 1 to 1.89. Open mark: the lowest. \
         Upright rule: the step to 1.1. Differences of one or two clock steps are within the resolution of the clock."
    );
}

#[test]
fn cards_say_the_change_in_words() {
    let found = of(&documents());
    let words = |at: usize| {
        let card = &found.cards[at];
        format!("{} | {} | {} | {}", card.value, card.change, card.detail, card.strong)
            .replace('\u{202f}', " ")
    };
    assert_eq!(words(0), "3.8 µs | 47 % lower than 1.0 | \u{2212}3.4 µs, 34 clock steps | true");
    assert_eq!(words(1), "3.6 µs | 5.9 % higher than 1.0 | +0.2 µs, 2 clock steps | false");
    assert_eq!(words(3), "2.6 µs | same as 1.0 | no difference | false");
    let sparks: Vec<_> = found.cards.iter().map(|card| card.spark.as_ref().unwrap()).collect();
    assert!(sparks.iter().all(|spark| spark.axis == sparks[0].axis), "one axis for all");
    assert_eq!((sparks[0].lowest, sparks[1].lowest), (Some(1), Some(0)));
    assert_eq!(sparks[2].last.replace('\u{202f}', " "), "1.64 ×");
}

#[test]
fn the_working_tree_is_compared_with_the_newest_release() {
    let found =
        of(&[feature("a", &[("1.0", Some(100.0)), ("1.1", Some(1000.0)), ("dev@1.2", Some(12_000.0))])]);
    assert_eq!(text(&found), "1.1 → dev@1.2: a rose to 12 ×.");
    assert_eq!(found.cards[0].change.replace('\u{202f}', " "), "12 × 1.1");
    let gone = of(&[feature("a", &[("1.0", Some(100.0)), ("1.1", Some(1000.0)), ("dev@1.2", None)])]);
    assert!(text(&gone).starts_with("1.0 → 1.1: "), "a target without a value is not the newest one");
}

#[test]
fn zeros_gaps_and_missing_neighbours() {
    let zero = of(&[feature("a", &[("1.0", Some(0.0)), ("1.1", Some(40.0))])]);
    assert_eq!(text(&zero), "1.0 → 1.1: a stayed within two clock steps of 100 ns.");
    let zero = of(&[feature("a", &[("1.0", Some(0.0)), ("1.1", Some(4000.0))])]);
    assert_eq!(text(&zero), "1.0 → 1.1: a rose from 0 µs to 4 µs.");
    let single = of(&[feature("a", &[("1.0", None), ("1.1", Some(40.0))]), feature("b", &[("1.0", None)])]);
    assert_eq!(text(&single), "No feature has values at two targets to compare.");
    assert_eq!(
        (single.cards[0].change.as_str(), single.cards[1].change.as_str()),
        ("only one value", "no value")
    );
    assert_eq!(single.cards[1].value, "—");
    assert_eq!(text(&of(&[])), "No feature has a figure over targets.");
    let some = of(&[documents().remove(0), feature("b", &[("0.9", Some(1.0))])]);
    assert_eq!(text(&some), "1.0 → 1.1: plain fell by 47 %, one has no values at these two targets.");
}

#[test]
fn the_matrix_names_every_hole() {
    let found = of(&[
        feature("a", &[("1.0", None), ("1.1", Some(400.0)), ("1.10", Some(500.0))]),
        feature("b", &[("1.1", Some(900.0)), ("1.2", Some(300.0))]),
    ])
    .matrix;
    assert_eq!(
        found.columns.iter().map(|column| column.label.as_str()).collect::<Vec<_>>(),
        ["1.0", "1.1", "1.2", "1.10"]
    );
    let row = |at: usize| {
        found.rows[at]
            .cells
            .iter()
            .map(|cell| (cell.text.as_str(), cell.step, cell.lowest))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        row(0),
        [("—", None, false), ("1", Some(0), true), ("—", None, false), ("1.25", Some(1), false)]
    );
    assert_eq!(row(1)[1..3], [("3", Some(5), false), ("1", Some(0), true)]);
    assert_eq!(found.rows[0].cells[0].reason.as_deref(), Some("failed"));
    assert_eq!(found.rows[0].cells[2].reason.as_deref(), Some("not a target of this feature"));
    assert_eq!(found.legend, ["1", "≤ 1.25", "≤ 1.6", "≤ 2", "≤ 2.5", "≤ 3.2", "> 3.2"]);
    assert_eq!(found.heading, "Wall time, ratio to own minimum");
}

#[test]
fn values_in_different_units_can_be_sorted() {
    let mut seconds = feature("b", &[("1.0", Some(0.002))]);
    seconds.plot.data[0]["unit"] = json!("s");
    let orders: Vec<f64> = of(&[feature("a", &[("1.0", Some(1_000_000.0))]), seconds])
        .cards
        .iter()
        .filter_map(|card| card.order)
        .collect();
    assert!((orders[1] / orders[0] - 2.0).abs() < 1e-9, "{orders:?}");
}

#[test]
fn many_changes_are_summed_up() {
    let documents: Vec<PlotDocument> = (1..=5_u32)
        .map(|at| {
            feature(
                &format!("f{at}"),
                &[("1.0", Some(10_000.0)), ("1.1", Some(10_000.0 + 1000.0 * f64::from(at)))],
            )
        })
        .collect();
    assert_eq!(
        text(&of(&documents)),
        "1.0 → 1.1: f5 rose by 50 %, f4 rose by 40 %, f3 rose by 30 %, two more changed by at most 20 %."
    );
}

#[test]
fn features_of_one_name_are_told_apart() {
    let mut second = feature("heap", &[("1.0", Some(1.0))]);
    second.plot.options.insert("collector".into(), json!("chairmarks-v1"));
    let found = of(&[feature("heap", &[("1.0", Some(1.0))]), second]);
    let titles: Vec<&str> = found.cards.iter().map(|card| card.title.as_str()).collect();
    assert_eq!(titles, ["heap (heap)", "heap (chairmarks-v1)"]);
}
