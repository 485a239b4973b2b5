//! Published galleries in every form of their catalogue, from the published Oxygen figures and from the invented
//! examples of the format. Values are the published ones; medians and changes are computed from them here,
//! once, as their exporter does.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::csv::Table;
use super::ids::{plot_id, series_id, uuid};
use super::tree::Tree;

const ROOT: &str = "catalogs";

/// Every gallery.
pub(crate) fn add(tree: &mut Tree) {
    let published = Published::read();
    gallery(tree, &published, "newer", true);
    gallery(tree, &published, "older", false);
    history(tree, &published);
    collectors(tree, &published);
    invented(tree, "invented-g1", false);
    invented(tree, "invented-g2", true);
}

struct Published {
    summaries: Table,
    samples: Table,
    releases: Table,
    environments: Table,
}

impl Published {
    fn read() -> Self {
        let mut summaries = Table::published("features");
        summaries.append(Table::published("routes"));
        let (samples, releases) = (Table::published("distributions"), Table::published("releases"));
        Self { summaries, samples, releases, environments: Table::published("environments") }
    }

    fn versions(&self) -> Vec<String> {
        self.releases.rows().map(|row| row["version"].to_owned()).collect()
    }

    fn dates(&self, column: &str) -> Value {
        let one = |row: BTreeMap<&str, &str>| (row["version"].to_owned(), Value::from(row[column]));
        Value::Object(self.releases.rows().map(one).collect())
    }

    fn wall_times(&self, feature: &str, version: &str) -> Vec<f64> {
        let key = [("feature", feature), ("version", version), ("metric", "julia.wall.time")];
        self.samples.find(&key).map(|row| number(row["value"])).collect()
    }
}

fn number(text: &str) -> f64 {
    text.parse().expect("a published number")
}

fn put(tree: &mut Tree, path: &str, value: &Value) {
    let text = serde_json::to_string_pretty(value).expect("a value is JSON");
    tree.add(&format!("{ROOT}/{path}"), text);
}

/// Where a feature comes from: all that names its figures.
struct Case {
    feature: &'static str,
    workload: String,
    collector: String,
    key: String,
}

impl Case {
    fn new(published: &Published, feature: &'static str) -> Self {
        let row = published.summaries.find(&[("feature", feature)]).next().expect("a published feature");
        Self {
            feature,
            workload: row["workload"].to_owned(),
            collector: row["collector"].to_owned(),
            key: format!("oxygen/{}/v1", row["workload"]),
        }
    }

    fn run(&self) -> String {
        uuid(&format!("published {}", self.feature))
    }

    fn definition(&self, metric: &str) -> String {
        format!("{metric}/{}", self.collector)
    }

    fn series(&self, metric: &str, unit: &str) -> String {
        let definition = self.definition(metric);
        let key = format!("{}::{definition}", self.key);
        series_id(["Oxygen", self.feature, &self.workload], &key, metric, &definition, unit)
    }
}

fn plot(id: &str, kind: &str, title: &str, encoding: &Value, data: &[Value], options: &Value) -> Value {
    json!({
        "schema_version": "perfchecker-plot/1", "id": id, "kind": kind, "title": title,
        "description": "Rebuilt from published figures.", "encoding": encoding, "data": data, "options": options,
    })
}

fn wrap(published: &Published, case: &Case, plot: &Value, newer: bool) -> Value {
    let mut wrapper = json!({
        "plot": plot, "run_id": case.run(), "started_at": "2026-09-01T08:00:00.25",
        "runtime": {"language": "julia", "version": "1.13.0", "threads": 1}, "os": "NT",
        "correctness": "passed", "performance": "not_compared",
        "scope": "Descriptive comparison of published figures.",
    });
    if newer {
        wrapper["date_kind"] = "GitHub release publication date".into();
        wrapper["release_dates"] = published.dates("date");
        wrapper["release_date_kinds"] = published.dates("date_kind");
    }
    wrapper
}

fn normalized(published: &Published, case: &Case) -> Value {
    let key = [("feature", case.feature)];
    let rows = published.summaries.find(&key);
    let data = rows.map(|row| {
        json!({
            "metric": row["metric"], "version": row["version"], "target_kind": row["target_kind"],
            "value": number(row["value"]), "unit": row["unit"],
            "samples": row["samples"].parse::<u64>().expect("a count"), "ratio": number(row["ratio"]),
            "reference_value": number(row["reference_value"]), "reference_version": "minimum",
            "statistic": row["statistic"], "normalization_status": row["normalization_status"],
        })
    });
    let id =
        plot_id("normalized_metrics", &["Oxygen", case.feature, &case.workload, &case.key, &case.collector]);
    let options = json!({
        "package": "Oxygen", "feature": case.feature, "workload": case.workload, "unit": "ratio",
        "versions": published.versions(), "reference_version": "minimum", "statistic": "minimum",
        "collector": case.collector, "zero_reference_policy": "equal zeros are shown at 1",
    });
    let title = format!("Oxygen · {} · relative to minimum", case.feature);
    let encoding = json!({"x": "version", "y": "ratio", "color": "metric"});
    plot(&id, "normalized_metrics", &title, &encoding, &data.collect::<Vec<_>>(), &options)
}

/// The part of a plot that is about releases of one minor series.
fn window(whole: &Value, minor: &str) -> Value {
    let mut part = whole.clone();
    let inside =
        |version: &Value| version.as_str().is_some_and(|text| text.starts_with(&format!("{minor}.")));
    part["id"] = format!("{}-{minor}", whole["id"].as_str().expect("an id")).into();
    part["data"].as_array_mut().expect("rows").retain(|row| inside(&row["version"]));
    part["options"]["versions"].as_array_mut().expect("versions").retain(inside);
    part
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

/// Trajectory, samples and changes of the wall time.
fn series_plots(published: &Published, case: &Case, newer: bool) -> Vec<Value> {
    let id = case.series("julia.wall.time", "ns");
    let definition = case.definition("julia.wall.time");
    let mut options = json!({
        "package": "Oxygen", "feature": case.feature, "unit": "ns", "series_id": id, "metric": "julia.wall.time",
    });
    if newer {
        options["measurement_definitions"] = json!([definition]);
        options["tags"] = json!([]);
    }
    let encoding = json!({"x": "version", "y": "value", "color": "target_kind"});
    let versions = published.versions();
    let medians: Vec<f64> =
        versions.iter().map(|one| median(published.wall_times(case.feature, one))).collect();
    let rows = versions.iter().zip(&medians).map(|(version, value)| {
        json!({"version": version, "target_kind": "release", "value": value, "samples": 30, "aggregation": "median"})
    });
    let title = |what: &str| format!("Oxygen · {} · {what}", case.feature);
    let plot_of = |kind: &str, what: &str, encoding: &Value, data: Vec<Value>| {
        plot(&plot_id(kind, &[&id]), kind, &title(what), encoding, &data, &options)
    };
    let trajectory = plot_of("version_series", "julia.wall.time", &encoding, rows.collect());
    let samples = versions.iter().flat_map(|version| {
        let of_version = published.wall_times(case.feature, version).into_iter();
        of_version.map(move |value| json!({"version": version, "target_kind": "release", "value": value}))
    });
    let distribution = plot_of("distribution", "samples", &encoding, samples.collect());
    let changes = (1..versions.len()).map(|at| {
        let (before, after) = (medians[at - 1], medians[at]);
        json!({
            "series_id": id, "package": "Oxygen", "feature": case.feature, "workload": case.workload,
            "comparison_key": format!("{}::{definition}", case.key), "metric": "julia.wall.time",
            "measurement_definition": definition, "unit": "ns", "relation": "adjacent-release",
            "baseline_version": versions[at - 1], "candidate_version": versions[at], "baseline_samples": 30,
            "candidate_samples": 30, "baseline_median": before, "candidate_median": after,
            "sample_statistic": "median", "sample_statistic_definition": "exact/v1", "baseline_value": before,
            "candidate_value": after, "absolute_delta": after - before, "relative_delta": (after - before) / before,
            "relative_limit": null, "status": "diagnostic", "reason": "no limit configured",
        })
    });
    let encoding = json!({"x": "candidate_version", "y": "relative_delta", "color": "status"});
    let delta = plot_of("version_delta", "changes", &encoding, changes.collect());
    vec![trajectory, distribution, delta]
}

fn tradeoff(published: &Published, case: &Case, newer: bool) -> Value {
    let bytes = |version: &str| {
        let key = [("feature", case.feature), ("version", version), ("metric", "julia.alloc.bytes")];
        number(published.summaries.find(&key).next().expect("bytes")["value"])
    };
    let rows = published.versions().into_iter().map(|version| {
        let time = median(published.wall_times(case.feature, &version));
        json!({"version": version, "target_kind": "release", "time": time, "bytes": bytes(&version)})
    });
    let mut options = json!({"package": "Oxygen", "feature": case.feature, "unit": "s+By"});
    if newer {
        options = json!({
            "package": "Oxygen", "feature": case.feature, "unit": "ns+By", "time_unit": "ns",
            "allocation_unit": "By", "time_series_id": case.series("julia.wall.time", "ns"),
            "allocation_series_id": case.series("julia.alloc.bytes", "By"),
            "unit_source": "measurement definitions", "tags": [],
            "measurement_definitions": [case.definition("julia.alloc.bytes"), case.definition("julia.wall.time")],
        });
    }
    let id = plot_id("time_allocation_tradeoff", &["Oxygen", case.feature, &case.key]);
    let title = format!("Oxygen · {} · time and allocation", case.feature);
    let encoding = json!({"x": "bytes", "y": "time", "label": "version"});
    plot(&id, "time_allocation_tradeoff", &title, &encoding, &rows.collect::<Vec<_>>(), &options)
}

/// What a catalogue says of a plot.
fn view(case: &Case, plot: &Value, newer: bool) -> Value {
    let id = plot["id"].as_str().expect("an id");
    let kind = plot["kind"].as_str().expect("a kind");
    let mut view = json!({
        "id": id, "kind": kind, "title": plot["title"], "label": kind, "package": "Oxygen", "feature": case.feature,
        "metric": plot["options"]["metric"], "unit": plot["options"]["unit"], "json": format!("{id}.json"),
        "svg": format!("{id}.svg"), "terminal": format!("{id}.txt"),
    });
    match kind {
        "normalized_metrics" => {
            view["workload"] = case.workload.as_str().into();
            view["comparison_key"] = case.key.as_str().into();
            view["collector"] = case.collector.as_str().into();
            view["metric"] = "benchmark metrics".into();
        }
        "time_allocation_tradeoff" => {
            view["comparison_key"] = case.key.as_str().into();
            view["metric"] = "time and allocation".into();
        }
        _ => view["series_id"] = plot["options"]["series_id"].clone(),
    }
    if newer {
        view["html"] = format!("{id}.html").into();
        view["patch_windows"] = json!([]);
    }
    view
}

/// The main form: a newer export with patch windows, dates and environments, or an older one without them.
fn gallery(tree: &mut Tree, published: &Published, name: &str, newer: bool) {
    let folder = format!("gallery-{name}");
    let (mut views, mut runs) = (Vec::new(), Vec::new());
    for feature in ["plain_benchmark", "heap_benchmark", "heap_chairmark"] {
        let case = Case::new(published, feature);
        let mut plots = vec![normalized(published, &case)];
        if feature == "plain_benchmark" {
            plots.extend(series_plots(published, &case, newer));
            plots.push(tradeoff(published, &case, newer));
        }
        for plot in plots {
            let mut view = view(&case, &plot, newer);
            if newer && plot["kind"] == "normalized_metrics" {
                let part = window(&plot, "1.10");
                let id = part["id"].as_str().expect("an id");
                view["patch_windows"] = json!([{"label": "1.10 patches", "json": format!("{id}.json"), "svg": format!("{id}.svg")}]);
                let mut wrapper = wrap(published, &case, &part, newer);
                wrapper["reference_scope"] = "minimum of the complete history".into();
                put(tree, &format!("{folder}/{id}.json"), &wrapper);
            }
            let path = format!("{folder}/{}", view["json"].as_str().expect("a file name"));
            put(tree, &path, &wrap(published, &case, &plot, newer));
            views.push(view);
        }
        runs.extend(published.versions().into_iter().map(
            |version| json!({"package": "Oxygen", "feature": feature, "version": version, "status": "pass"}),
        ));
    }
    let mut catalog = json!({
        "views": views, "versions": published.versions(), "runs": runs, "correctness": "passed",
        "skipped": [{"id": "version-delta-0000000000000000", "reason": "no rows"}],
        "performance": "not_compared", "runtime": {"language": "julia", "version": "1.13.0", "threads": 1},
    });
    if newer {
        catalog["release_dates"] = published.dates("date");
        catalog["release_date_kinds"] = published.dates("date_kind");
        let environments = published.environments.rows().map(|row| {
            json!({"version": row["version"], "manifest_sha256": row["manifest_sha256"], "packages": [
                {"name": "DataStructures", "uuid": uuid("DataStructures"), "version": row["datastructures_version"]},
                {"name": "HTTP", "uuid": uuid("HTTP"), "version": row["http_version"]},
                {"name": "Oxygen", "uuid": uuid("Oxygen"), "version": row["version"]},
            ]})
        });
        catalog["resolved_environments"] = environments.collect();
    }
    put(tree, &format!("{folder}/catalog.json"), &catalog);
}

/// A history of workloads: views with evidence, and an availability. The first release is not defined here.
fn history(tree: &mut Tree, published: &Published) {
    let case = Case::new(published, "plain_benchmark");
    let mut plot = normalized(published, &case);
    for row in plot["data"].as_array_mut().expect("rows") {
        if row["version"] == "1.0.0" {
            for (key, value) in [("value", Value::Null), ("ratio", Value::Null), ("samples", 0.into())] {
                row[key] = value;
            }
            row["target_kind"] = "unavailable".into();
            row["normalization_status"] = "missing_measurement".into();
        }
    }
    put(tree, "history/plain.json", &wrap(published, &case, &plot, false));
    let availability = published.versions().into_iter().map(|version| {
        let status = if version == "1.0.0" { "unavailable" } else { "pass" };
        json!({"workload": case.workload, "version": version, "status": status})
    });
    let targets = published.environments.rows().map(|row| {
        json!({"version": row["version"], "revision": row["manifest_sha256"][..40], "url": "", "dependencies": [
            {"name": "HTTP", "version": row["http_version"]}]})
    });
    let catalog = json!({
        "views": [{"id": plot["id"], "kind": "normalized_metrics", "label": "plain text", "evidence": "plain.json",
            "html": "plain.html"}],
        "availability": availability.collect::<Vec<_>>(), "versions": published.versions(),
        "runtime": {"language": "julia", "version": "1.13.0", "threads": 1}, "os": "NT",
        "started_at": "2026-09-01T08:00:00", "finished_at": "2026-09-01T09:00:00",
        "sources": {"targets": targets.collect::<Vec<_>>()},
    });
    put(tree, "history/catalog.json", &catalog);
}

/// Two collectors of one route; the values are converted and are no plots.
fn collectors(tree: &mut Tree, published: &Published) {
    let version = "1.11.0";
    let mut records = Vec::new();
    for feature in ["heap_benchmark", "heap_chairmark"] {
        let case = Case::new(published, feature);
        for row in published.summaries.find(&[("feature", feature), ("version", version)]) {
            let (factor, unit, derivation) = match (row["metric"], row["unit"]) {
                ("julia.wall.time", "ns") => (1e-3, "µs", "scaled"),
                ("julia.wall.time", "s") => (1e6, "µs", "scaled"),
                ("julia.gc.fraction", _) => (100.0, "%", "scaled"),
                (_, unit) => (1.0, unit, "as recorded"),
            };
            records.push(json!({
                "workload": case.workload, "collector": case.collector, "metric": row["metric"],
                "value": number(row["value"]) * factor, "unit": unit,
                "derivation": derivation, "source_metric": row["metric"],
                "source_unit": row["unit"], "samples": 30, "statistic": "minimum", "version": version,
                "comparison_key": case.key, "collector_definition": case.definition(row["metric"]),
            }));
        }
    }
    let runs: Vec<String> =
        ["heap_benchmark", "heap_chairmark"].map(|name| Case::new(published, name).run()).into();
    let document = json!({
        "version": version, "family": "heap route", "records": records, "correctness": "passed",
        "scope": "Two collectors, one route.", "run_ids": runs,
    });
    put(tree, "collectors/heap.json", &document);
    let catalog = json!({
        "views": [{"id": "heap", "title": "Heap route by collector", "label": "heap", "svg": "heap.svg",
            "json": "heap.json", "terminal": "heap.txt"}],
        "version": version, "samples": 30, "operations": ["heap"], "collectors": ["benchmarktools", "chairmarks"],
    });
    put(tree, "collectors/catalog.json", &catalog);
}

/// The invented examples of the format, as older and as newer exporters write them.
fn invented(tree: &mut Tree, folder: &str, newer: bool) {
    let row = |metric: &str, version: &str, kind: &str, unit: &str, numbers: Value, status: &str| {
        json!({
            "metric": metric, "version": version, "target_kind": kind, "value": numbers[0], "unit": unit,
            "samples": if numbers[0].is_null() { 0 } else { 2 }, "ratio": numbers[1],
            "reference_value": numbers[2], "reference_version": "minimum", "statistic": "minimum",
            "normalization_status": status,
        })
    };
    let targets = [("1.2.0", "release"), ("1.10.0", "release"), ("dev@1.11.0", "dev")];
    let mut data = Vec::new();
    for (metric, unit, cells) in [
        (
            "julia.wall.time",
            "ns",
            [
                (json!([8000.0, 1.6, 5000.0]), "ratio"),
                (json!([5000.0, 1.0, 5000.0]), "ratio"),
                (json!([6500.0, 1.3, 5000.0]), "ratio"),
            ],
        ),
        (
            "julia.gc.time",
            "ns",
            [
                (json!([0.0, 1.0, 0.0]), "both_zero"),
                (json!([40.0, null, 0.0]), "zero_reference"),
                (json!([0.0, 1.0, 0.0]), "both_zero"),
            ],
        ),
        (
            "julia.alloc.bytes",
            "By",
            [
                (json!([2048.0, 2.0, 1024.0]), "ratio"),
                (json!([1024.0, 1.0, 1024.0]), "ratio"),
                (json!([1024.0, 1.0, 1024.0]), "ratio"),
            ],
        ),
        (
            "julia.alloc.count",
            "1",
            [
                (json!([12.0, 2.0, 6.0]), "ratio"),
                (json!([6.0, 1.0, 6.0]), "ratio"),
                (json!([null, null, 6.0]), "missing_measurement"),
            ],
        ),
    ] {
        for ((version, kind), (numbers, status)) in targets.into_iter().zip(cells) {
            let kind = if status == "missing_measurement" { "unavailable" } else { kind };
            data.push(row(metric, version, kind, unit, numbers, status));
        }
    }
    let id = plot_id(
        "normalized_metrics",
        &["Widget", "sort_bench", "sort_small", "widget/sort/v1", "benchmarktools-v1"],
    );
    let mut options = json!({
        "package": "Widget", "feature": "sort_bench", "workload": "sort_small", "unit": "ratio",
        "versions": ["1.2.0", "1.10.0", "dev@1.11.0"], "reference_version": "minimum", "statistic": "minimum",
        "collector": "benchmarktools-v1", "zero_reference_policy": "(fixed sentence for people)",
    });
    if newer {
        options["tags"] = json!(["sorting"]);
    }
    let encoding = json!({"x": "version", "y": "ratio", "color": "metric"});
    let title = "Widget · sort_bench · relative to minimum";
    let main = plot(&id, "normalized_metrics", title, &encoding, &data, &options);
    let wrapper = |plot: &Value| {
        json!({
            "plot": plot, "run_id": "6f0c7d0e-5b1a-4d53-9c39-0f6c2f1b7a10",
            "started_at": "2026-03-01T09:00:00.125", "os": "NT", "correctness": "passed",
            "runtime": {"language": "julia", "version": "1.12.1", "threads": 1}, "performance": "not_compared",
            "scope": "invented example", "date_kind": "publication date",
            "release_dates": {"1.10.0": "2026-02-01", "1.2.0": "2025-05-01"},
            "release_date_kinds": {"1.10.0": "publication date", "1.2.0": "publication date"},
        })
    };
    put(tree, &format!("{folder}/{id}.json"), &wrapper(&main));
    let site = |line: u64, file: &str, bytes: f64| {
        json!({"version": "1.10.0", "file": file, "line": line, "label": format!("{file}:{line}"), "bytes": bytes,
            "percentage": bytes / 10.0})
    };
    let mut sites = vec![
        site(12, "Widget/src/sort.jl", 600.0),
        site(40, "Widget/src/sort.jl", 300.0),
        site(7, "Widget/src/größe.jl", 50.0),
    ];
    sites.push(json!({"version": "1.10.0", "file": "other", "line": 0, "label": "Other allocation sites",
        "bytes": 50.0, "grouped_sites": 2, "percentage": 5.0}));
    let mut more: Map<String, Value> = Map::new();
    if newer {
        more.insert("measurement_definitions".into(), json!(["julia.alloc.bytes/profile-allocs-v1"]));
        more.insert("tags".into(), json!([]));
    }
    let mut bare = |kind: &str,
                    feature: &str,
                    unit: &str,
                    encoding: Value,
                    data: Vec<Value>,
                    extra: Value| {
        let case = format!("demo_suite/Widget/{feature}");
        let id = plot_id(kind, &[&case]);
        let mut options = json!({"package": "Widget", "feature": feature, "unit": unit, "versions": ["1.2.0", "1.10.0"],
            "selected_version": "1.10.0", "top": 40});
        for fields in [extra.as_object(), Some(&more)].into_iter().flatten() {
            for (key, value) in fields {
                options[key] = value.clone();
            }
        }
        let plot = plot(&id, kind, &format!("Widget · {feature} · {kind}"), &encoding, &data, &options);
        put(tree, &format!("{folder}/{id}.json"), &plot);
        json!({"id": id, "kind": kind, "title": plot["title"], "label": kind, "package": "Widget",
            "feature": feature, "case_id": case, "metric": "julia.alloc.bytes", "unit": unit,
            "json": format!("{id}.json"), "svg": format!("{id}.svg"), "terminal": format!("{id}.txt")})
    };
    let encoding = json!({"theta": "bytes", "color": "label", "label": "percentage"});
    let pie = bare("allocation_pie", "sort_alloc", "By", encoding, sites, json!({"min_percentage": 5.0}));
    let frame = |label: &str, path: Value, depth: u64, from: f64, to: f64, status: &str| {
        json!({"label": label, "path": path, "depth": depth, "x0": from, "x1": to, "value": (to - from) * 8.0,
            "percentage": (to - from) * 100.0, "status": status, "runtime_dispatch_value": 0.0,
            "runtime_dispatch_percentage": 0.0, "gc_event_value": 0.0, "gc_event_percentage": 0.0,
            "inference_status": ["concrete"], "inferred_return_type": ["Nothing"]})
    };
    let root = "sort! (Widget/src/sort.jl:12)";
    let (left, right) = ("#3 (Widget/src/sort.jl:40)", "copy (array.jl:350)");
    let frames = vec![
        frame(root, json!([root]), 1, 0.0, 1.0, "normal"),
        frame(left, json!([root, left]), 2, 0.0, 0.75, "runtime_dispatch"),
        frame(right, json!([root, right]), 2, 0.75, 0.875, "gc_event"),
    ];
    let encoding = json!({"x": "percentage", "y": "depth", "color": "status"});
    let extra =
        json!({"total": 8.0, "value_label": "CPU samples", "diagnostic_semantics": "(fixed sentence)"});
    let flame = bare("cpu_flamegraph", "sort_cpu", "samples", encoding, frames, extra);
    let mut view = json!({
        "id": id, "kind": "normalized_metrics", "title": title, "label": "four metrics", "package": "Widget",
        "feature": "sort_bench", "workload": "sort_small", "comparison_key": "widget/sort/v1",
        "collector": "benchmarktools-v1", "metric": "benchmark metrics", "unit": "ratio",
        "json": format!("{id}.json"), "svg": format!("{id}.svg"), "terminal": format!("{id}.txt"),
    });
    if newer {
        let part = window(&main, "1.10");
        let name = part["id"].as_str().expect("an id");
        view["patch_windows"] =
            json!([{"label": "1.10 patches", "json": format!("{name}.json"), "svg": format!("{name}.svg")}]);
        put(tree, &format!("{folder}/{name}.json"), &wrapper(&part));
    }
    let mut catalog = json!({
        "correctness": "passed", "performance": "not_compared", "versions": ["1.2.0", "1.10.0"],
        "runtime": {"language": "julia", "version": "1.12.1", "threads": 1}, "views": [view, pie, flame],
        "skipped": [{"id": "version-delta-0000000000000000", "reason": "no rows"}],
        "runs": [{"package": "Widget", "feature": "sort_bench", "version": "1.2.0", "status": "pass"},
            {"package": "Widget", "feature": "sort_bench", "version": "1.10.0", "status": "pass"}],
    });
    if newer {
        let package = |version: &str| {
            json!([{"name": "Libdl", "uuid": uuid("Libdl"), "version": "1.11.0"},
                {"name": "Widget", "uuid": uuid("Widget"), "version": version}])
        };
        let environments = ["1.2.0", "1.10.0"].map(|version| {
            json!({"version": version, "manifest_sha256": super::canon::digest(&json!(version)), "packages": package(version)})
        });
        catalog["resolved_environments"] = environments.into_iter().collect();
    }
    put(tree, &format!("{folder}/catalog.json"), &catalog);
}
