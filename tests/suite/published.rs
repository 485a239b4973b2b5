//! The published figures of one package, rebuilt from its run bundles: every value, reference, ratio and
//! status must be the published one, ratios bit for bit.

use std::collections::BTreeMap;
use std::path::Path;

use perfolio::analyze::{Group, Reference, SourceSeries, Statistic, analyze, normalize_group};
use perfolio::config::Config;
use perfolio::error::Silent;
use perfolio::evidence::{Number, SourceEvidence};
use perfolio::io::{Limits, Source};
use perfolio::read::read_source;

fn read(folder: &str) -> SourceEvidence {
    let limits = Limits::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let source = Source::open(&path, &limits).expect("a fixture can be listed");
    let (evidence, problems) = read_source(&source, "fixture", folder, &limits, &Silent);
    assert!(!problems.fails_strict(), "{:?}", problems.sorted());
    evidence
}

fn series(folder: &str) -> SourceSeries {
    let (series, problems) = analyze(&read(folder), &Config::default());
    assert!(problems.is_empty(), "{:?}", problems.sorted());
    series
}

/// The rows of a published table, by column name; the tables quote nothing.
fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/published/oxygen").join(name);
    let text = std::fs::read_to_string(path).expect("a table can be read");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a table has a head").split(',').collect();
    lines
        .map(|line| {
            assert!(!line.contains('"'), "{line}");
            head.iter()
                .zip(line.split(','))
                .map(|(name, cell)| ((*name).to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

#[test]
fn every_published_cell_is_rebuilt() {
    let found = series("oxygen");
    let normalized: Vec<(&Group, _)> = found
        .groups
        .iter()
        .filter(|group| group.normalizable)
        .map(|group| (group, normalize_group(group, Statistic::Minimum, &Reference::Minimum)))
        .collect();
    for (name, rows) in [("features.csv", 392), ("routes.csv", 224)] {
        let table = table(name);
        assert_eq!(table.len(), rows);
        for row in table {
            let (group, series) = normalized
                .iter()
                .find(|(group, _)| *group.feature == *row["feature"] && *group.collector == *row["collector"])
                .unwrap_or_else(|| panic!("no group for {row:?}"));
            let at =
                group.series.iter().position(|series| *series.definition.metric == *row["metric"]).unwrap();
            let target = group.targets.iter().position(|target| *target.label == *row["version"]).unwrap();
            let (metric, cell) = (&group.series[at], series[at].cells[target]);
            let number = |column: &str| row[column].parse::<f64>().unwrap();
            let bits = |value: Option<Number>| value.unwrap().as_f64().to_bits();
            assert_eq!(*group.workload, *row["workload"], "{row:?}");
            assert_eq!(*metric.definition.unit, *row["unit"], "{row:?}");
            // Of the routes only the wall times of one collector are published sample by sample.
            let sampled =
                row["metric"] == "julia.wall.time" && row["collector"].starts_with("benchmarktools");
            if name == "features.csv" || sampled {
                assert_eq!(metric.points[target].summary.unwrap().n.to_string(), row["samples"], "{row:?}");
            }
            assert_eq!(bits(cell.value), number("value").to_bits(), "{row:?}");
            assert_eq!(bits(series[at].reference), number("reference_value").to_bits(), "{row:?}");
            assert_eq!(cell.ratio.unwrap().to_bits(), number("ratio").to_bits(), "{row:?}");
            assert_eq!(cell.status.word(), row["normalization_status"], "{row:?}");
            assert_eq!(group.targets[target].kind.word(), row["target_kind"], "{row:?}");
        }
    }
}

#[test]
fn releases_stand_in_version_order_with_their_dates() {
    let found = series("oxygen");
    let releases = table("releases.csv");
    assert_eq!(found.targets.len(), releases.len());
    for (target, row) in found.targets.iter().zip(releases) {
        assert_eq!((&*target.label, target.date.as_deref()), (&*row["version"], Some(row["date"].as_str())));
    }
}

#[test]
fn the_clock_of_the_features_steps_by_a_hundred_nanoseconds() {
    let found = series("oxygen");
    let group = found.groups.iter().find(|group| *group.feature == *"plain_benchmark").unwrap();
    assert_eq!(group.series[0].step, Some(Number::Unsigned(100)));
    assert!(group.series[1..].iter().all(|series| series.step.is_none()));
}

#[test]
fn dependencies_stand_at_their_targets() {
    let found = series("oxygen");
    let group = found.groups.iter().find(|group| *group.feature == *"plain_benchmark").unwrap();
    for row in table("environments.csv") {
        let at = group.targets.iter().position(|target| *target.label == *row["version"]).unwrap();
        let list = group.dependencies[at].as_ref().unwrap();
        let version =
            |name: &str| &list.packages.iter().find(|package| package.name == name).unwrap().version;
        assert_eq!(list.manifest_sha256.as_ref(), Some(&row["manifest_sha256"]));
        assert_eq!(list.total.unwrap().to_string(), row["package_count"]);
        assert_eq!(
            (version("HTTP"), version("DataStructures")),
            (&row["http_version"], &row["datastructures_version"])
        );
    }
}

/// One line per group: what tells it apart, its targets with the value and the run of the first series.
fn told(folder: &str) -> Vec<String> {
    let evidence = read(folder);
    let (found, _) = analyze(&evidence, &Config::default());
    let mut lines: Vec<String> = found
        .groups
        .iter()
        .map(|group| {
            let points = group.targets.iter().zip(&group.series[0].points).map(|(target, point)| {
                let run = point.run.map_or("-", |run| evidence.runs[run].path.as_str());
                let value = point
                    .summary
                    .map_or_else(|| "-".into(), |sum| sum.get(Statistic::Minimum).unwrap().to_string());
                format!("{}={value} ({run})", target.label)
            });
            let points = points.collect::<Vec<_>>().join(" ");
            format!("{} [{}] {points}", group.feature, group.variant.as_deref().unwrap_or(""))
        })
        .collect();
    lines.push(format!("superseded {:?}", found.superseded_by));
    lines
}

#[test]
fn reruns_are_never_pooled() {
    for folder in ["awkward/reruns/state", "awkward/reruns/tie", "awkward/reruns/definition"] {
        insta::assert_snapshot!(folder.replace('/', "-"), told(folder).join("\n"));
    }
}
