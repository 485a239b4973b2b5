//! Tests of overlays: what is refused, what is drawn, and that no document can break the drawing.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::chart::{Chart, Datum, Form};
use super::document::Context;
use super::evidence_tests::{Cells, group, series, source};
use super::tests::{any_number, any_row, hold, widget};
use super::{chart, overlay, restrict};
use crate::analyze::Group;
use crate::config::Config;
use crate::error::Error;
use crate::evidence::plot::{PERFOLIO_PLOT, PlotDocument};
use crate::evidence::{Dependencies, Package};

const TIME: &str = "julia.wall.time";
const LABELS: [&str; 3] = ["1.9.0", "1.10.0", "1.11.0"];

/// A feature with a wall time per target, in the order of `labels`.
fn feature(name: &str, labels: &[&str], values: &[Option<u64>]) -> Group {
    let cells: Cells = values.iter().map(|value| value.map(|value| vec![value, value + 3])).collect();
    Group { feature: name.into(), ..group(labels, vec![series(TIME, "ns", &cells)]) }
}

fn three() -> [Group; 3] {
    [
        feature("plain", &LABELS, &[Some(900), Some(800), Some(400)]),
        feature("path", &LABELS, &[Some(3000), Some(1000), Some(1500)]),
        feature("late", &LABELS[1..], &[Some(60), None]),
    ]
}

fn document(config: &str, groups: &[Group], metric: Option<&str>) -> Result<PlotDocument, Error> {
    let source = source(&LABELS, "passed");
    let config = Config::parse(config, "perfolio.toml").unwrap();
    let groups: Vec<&Group> = groups.iter().collect();
    overlay::document(&Context::new(&source, &config), &groups, metric)
}

fn drawn(config: &str, groups: &[Group]) -> Chart {
    chart(&document(config, groups, None).unwrap()).unwrap()
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn each_feature_is_divided_by_its_own_reference() {
    let found = document("", &three(), None).unwrap();
    assert_eq!(
        (found.plot.schema_version.as_str(), found.plot.kind.as_str()),
        (PERFOLIO_PLOT, overlay::KIND)
    );
    assert_eq!(found.plot.options["features"], json!(["plain", "path", "late"]));
    assert_eq!(found.plot.options["versions"], json!(LABELS));
    assert!(!found.plot.options.contains_key("feature"));
    assert_eq!(found.plot.encoding["color"], "feature");
    let chart = chart(&found).unwrap();
    hold(&chart);
    let values = |line: usize| chart.lines[line].marks.iter().map(|mark| mark.value).collect::<Vec<_>>();
    assert_eq!(values(0), [Some(2.25), Some(2.0), Some(1.0)]);
    assert_eq!(values(1), [Some(3.0), Some(1.0), Some(1.5)]);
    assert_eq!(values(2), [None, Some(1.0), None]);
    let absent = |text: &str| Form::Absent(text.to_owned());
    assert_eq!(chart.lines[2].marks[0].form, absent("not measured for this feature"));
    assert_eq!(chart.lines[2].marks[2].form, absent("not run"));
    assert_eq!(chart.lines.iter().map(|line| line.slot).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(chart.heading, "Wall time of three features at three releases");
    assert_eq!(chart.title, "Widget: wall time of 3 features at 3 releases");
    assert_eq!(
        plain(&chart.caption.says),
        "Relative to its own minimum, wall time is highest for path at 1.9.0 (3 µs, 3 ×). \
         Largest step: path 1.9.0 → 1.10.0, −67 %. At 1.11.0, plain is at its lowest."
    );
    assert!(
        chart.caption.fine.contains("Each feature is divided by its own minimum over the three releases.")
    );
    assert!(chart.caption.fine.contains(
        "2 of 9 values unavailable: 1.9.0 not measured for this feature (late); 1.11.0 not run (late)."
    ));
    assert_eq!(
        plain(&chart.lines[1].marks[2].reading),
        "path, wall time at 1.11.0 (2026-01-01): 1.5 µs, minimum of 2 samples, 1.5 × the reference 1 µs"
    );
    assert_eq!(
        plain(&chart.rest),
        "1.11.0 (2026-01-01), wall time: plain 400 ns, path 1.5 µs, late: no value, not run"
    );
    assert_eq!(chart.step.map(|step| (step.line, step.column)), Some((1, 1)));
    assert_eq!(chart.data.head[..3], ["feature", "metric", "target"]);
    assert_eq!(chart.data.rows.len(), 9);
    assert!(chart.data.rows.iter().all(|row| row.len() == chart.data.head.len()));
    assert_eq!(chart.data.rows[3][..2], ["path", TIME].map(|text| Datum::Text(text.into())));
}

#[test]
fn a_saved_overlay_draws_the_same() {
    let found = document("", &three(), None).unwrap();
    let again: PlotDocument = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(again, found);
    assert_eq!(chart(&again).unwrap(), chart(&found).unwrap());
}

#[test]
fn ids_name_everything_that_makes_a_figure() {
    let id = |config: &str, groups: &[Group]| document(config, groups, None).unwrap().plot.id;
    let base = id("", &three());
    assert_eq!(
        base,
        super::document::id(
            "feature_overlay",
            &["Widget", "plain", "path", "late", TIME, "benchmarktools-v1"]
        )
    );
    assert_eq!(
        id("[normalize]\nstatistic = \"median\"\nreference = \"latest\"", &three()),
        format!("{base}-median-ref-latest")
    );
    let mut turned = three();
    turned.reverse();
    assert_ne!(id("", &turned), base);
    let mut others = three();
    others[1].package = Some("Gadget".into());
    assert_ne!(id("", &others), base);
    let mut variants = three();
    for group in &mut variants {
        group.variant = Some("Linux".into());
    }
    assert!(id("", &variants).starts_with(&format!("{base}-linux")), "{}", id("", &variants));
}

#[test]
fn what_may_not_share_an_axis_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut [Group; 3])| {
        let mut groups = three();
        change(&mut groups);
        document("", &groups, None).unwrap_err().message
    };
    let collector = refused(&|groups| groups[1].collector = "chairmarks-v1".into());
    assert_eq!(
        collector,
        "`plain` was collected by benchmarktools-v1 and `path` by chairmarks-v1; one axis holds values of one collector only"
    );
    let unit = refused(&|groups| groups[2].series[0].definition.unit = "s".into());
    assert_eq!(unit, "`plain` and `late` cannot share an axis, their unit differs: `ns` and `s`");
    let warm = refused(&|groups| groups[1].series[0].definition.warmup_policy = Some("cold".into()));
    assert_eq!(
        warm,
        "`plain` and `path` cannot share an axis, their warm-up differs: not recorded and `cold`"
    );
    assert_eq!(refused(&|groups| groups[2].feature = "path".into()), "the feature `path` is named twice");
    assert!(
        refused(&|groups| groups[0].normalizable = false).starts_with("`plain` has no values per target")
    );
    assert_eq!(
        refused(&|groups| groups[0].series[0].definition.metric = "other".into()),
        "the features share no metric: `plain` has other; `path` has julia.wall.time; `late` has julia.wall.time"
    );
    let missing = document("", &three(), Some("x")).unwrap_err();
    assert_eq!(missing.message, "there is no metric `x`; the metrics of `plain` are julia.wall.time");
    assert!(document("", &three()[..1], None).unwrap_err().message.contains("at least two"));
    assert!(
        document("[normalize]\nstatistic = \"modus\"", &three(), None).unwrap_err().message.contains("modus")
    );
}

#[test]
fn the_metric_is_the_configured_one_where_all_have_it() {
    let mut groups = three();
    for group in &mut groups {
        let cells = vec![Some(vec![2]); group.targets.len()];
        group.series.push(series("bytes", "By", &cells));
    }
    let metric = |config: &str, groups: &[Group]| {
        document(config, groups, None).unwrap().plot.options["metric"].as_str().unwrap().to_owned()
    };
    let config = "[[metric]]\nid = \"bytes\"\nmain = true\n";
    assert_eq!(metric("", &groups), TIME);
    assert_eq!(metric(config, &groups), "bytes");
    groups[1].series.pop();
    assert_eq!(metric(config, &groups), TIME, "one feature lacks the configured one");
}

#[test]
fn a_reference_that_one_feature_lacks_leaves_its_values_without_ratios() {
    let chart = drawn("[normalize]\nreference = \"1.9.0\"", &three());
    assert_eq!(chart.lines[0].marks[1].value, Some(800.0 / 900.0));
    assert_eq!(chart.lines[2].marks[1].form, Form::Absent("no ratio: the reference has no value".to_owned()));
    assert!(plain(&chart.lines[2].marks[1].reading).contains("60 ns"));
    hold(&chart);
}

#[test]
fn dependencies_are_shown_where_all_features_agree() {
    let list = |version: &str| {
        let package = Package { name: "HTTP".into(), version: version.into(), tree: None };
        Some(Dependencies { manifest_sha256: None, packages: vec![package], total: Some(9) })
    };
    let mut groups = three();
    groups[0].dependencies = vec![list("1.0.0"), list("1.0.0"), list("2.0.0")];
    groups[1].dependencies = vec![list("1.0.0"), list("1.0.0"), list("2.0.0")];
    groups[2].dependencies = vec![list("1.0.0"), list("2.0.0")];
    let details = |groups: &[Group]| document("", groups, None).unwrap().perfolio.unwrap();
    let versions = |groups: &[Group]| details(groups).dependencies[0].versions.clone();
    let text = |version: &str| Some(version.to_owned());
    assert_eq!(versions(&groups), [text("1.0.0"), text("1.0.0"), text("2.0.0")]);
    assert_eq!(details(&groups).package_counts, [Some(9); 3]);
    groups[2].dependencies[0] = list("1.5.0");
    assert_eq!(versions(&groups), [text("1.0.0"), None, text("2.0.0")]);
}

#[test]
fn titles_are_told_apart_and_hostile_names_stay_text() {
    let hostile = ["</text><script>", "julia.wall.time", " "];
    let mut groups = three();
    for (group, name) in groups.iter_mut().zip(hostile) {
        group.feature = name.into();
    }
    let config = "[[metric]]\nid = \"julia.wall.time\"\ntitle = \"Time\"\n";
    let chart = drawn(config, &groups);
    let names = |chart: &Chart| chart.lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&chart), ["</text><script>", "julia.wall.time", "unnamed feature"]);
    assert_eq!(chart.heading, "Time of three features at three releases", "a feature named as the metric");
    assert_eq!(chart.lines.iter().map(|line| line.slot).collect::<Vec<_>>(), [1, 2, 3]);
    hold(&chart);
    let same = drawn("[[feature]]\nmatch = \"p*\"\ntitle = \"P\"\n", &three());
    assert_eq!(names(&same), ["P (plain)", "P (path)", "late"]);
}

#[test]
fn a_part_keeps_ratios_and_says_what_is_shown() {
    let whole = document("", &three(), None).unwrap();
    let part = restrict::range(&whole, Some("1.10.0"), None).unwrap();
    let chart = chart(&part).unwrap();
    assert_eq!(
        chart.lines[0].marks.iter().map(|mark| mark.value).collect::<Vec<_>>(),
        [Some(2.0), Some(1.0)]
    );
    assert!(
        plain(&chart.caption.says)
            .ends_with("At 1.11.0, plain is at its lowest, path at its highest of the two releases shown.")
    );
    assert_eq!(restrict::metrics(&whole, &[TIME.to_owned()]).unwrap(), Some(whole.clone()));
    assert_eq!(restrict::metrics(&whole, &["plain".to_owned()]).unwrap(), None, "a feature is no metric");
}

#[test]
fn foreign_documents_may_not_mix_metrics_or_units() {
    let error = |change: &dyn Fn(&mut PlotDocument)| {
        let mut found = document("", &three(), None).unwrap();
        change(&mut found);
        chart(&found).unwrap_err()
    };
    let place = |error: &Error| error.place.field.clone().unwrap_or_default();
    let unit = error(&|found| found.plot.data[1]["unit"] = json!("s"));
    assert_eq!(
        (unit.message.as_str(), place(&unit).as_str()),
        ("`ns` and `s` cannot share an axis", "plot.data[1].unit")
    );
    let metric = error(&|found| found.plot.data[2]["metric"] = json!("x"));
    assert_eq!(place(&metric), "plot.data[2].metric");
    let feature = error(&|found| drop(found.plot.data[0].remove("feature")));
    assert_eq!(place(&feature), "plot.data[0].feature");
    assert_eq!(place(&error(&|found| drop(found.plot.options.remove("metric")))), "plot.options.metric");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn overlays_are_total(
        rows in prop::collection::vec((any_row(), prop::sample::select(vec!["a", "b", "", "x", "<b>"])), 0..40),
        versions in prop::collection::vec(prop::sample::select(vec!["1.0.0", "1.0.1", "2.0.0"]), 0..4),
        step in any_number(),
        mixed in prop::bool::weighted(0.1),
    ) {
        let mut document = widget();
        document.plot.kind = overlay::KIND.into();
        document.plot.options.insert("metric".into(), json!("x"));
        document.plot.options.insert("versions".into(), json!(versions));
        document.plot.data = rows
            .into_iter()
            .map(|(mut row, feature)| {
                row.insert("feature".into(), json!(feature));
                if !mixed {
                    row.insert("metric".into(), json!("x"));
                    row.insert("unit".into(), json!("ns"));
                }
                row.into()
            })
            .collect();
        let steps = if step.is_null() { json!({}) } else { json!({ "a": step }) };
        document.perfolio = Some(serde_json::from_value(json!({ "steps": steps })).unwrap());
        match chart(&document) {
            Ok(drawn) => {
                hold(&drawn);
                for column in &drawn.columns {
                    hold(&chart(&restrict::range(&document, Some(&column.label), None).unwrap()).unwrap());
                }
            }
            Err(error) => {
                let alike = |field: &str| {
                    document.plot.data.iter().all(|row| row.get(field) == document.plot.data[0].get(field))
                };
                let of_x = document.plot.data.iter().all(|row| row.get("metric").and_then(Value::as_str) == Some("x"));
                prop_assert!(!(alike("unit") && of_x), "{}", error.message);
            }
        }
    }
}
