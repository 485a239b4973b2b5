//! A gallery of profiles from the published Oxygen figures: two flame graphs and the allocations of one release.
//! What the published figures leave out (the weight behind a status, inferred types) is left out here as well.

use serde_json::{Map, Value, json};

use super::csv::Table;
use super::ids::{plot_id, uuid};
use super::tree::Tree;

const ROOT: &str = "oxygen/profiles";
const VERSION: &str = "1.11.0";
/// How many stacks and lines the plots keep.
const TOP: u64 = 40;
/// Share in percent that a slice of its own has at least.
const LEAST: f64 = 5.0;

/// The gallery.
pub(crate) fn add(tree: &mut Tree) {
    let published = Table::published("profiles");
    let flames = [
        ("cpu", "cpu_flamegraph", "heap_profile", "CPU samples", "julia.cpu.samples"),
        ("wall", "wall_flamegraph", "heap_wall_profile", "wall-time task samples", "julia.wall.samples"),
    ];
    let mut views: Vec<Value> = Vec::new();
    for (profile, kind, feature, what, metric) in flames {
        let rows = frames(&published, profile);
        let total: f64 = rows.iter().filter(|row| row["depth"] == 1).map(|row| weight(row, "value")).sum();
        let options = json!({"total": total, "value_label": what, "unit": "samples",
            "diagnostic_semantics": "A status says what was seen in a frame; it proves no cause."});
        let encoding = json!({"x": "percentage", "y": "depth", "color": "status"});
        views.push(put(tree, &Figure { kind, feature, what, metric, encoding, rows, options }));
    }
    let sites = sites(&published);
    let feature = "heap_profile_alloc";
    let pie = Figure {
        kind: "allocation_pie",
        feature,
        what: "allocation share",
        metric: "julia.alloc.bytes",
        encoding: json!({"theta": "bytes", "color": "label", "label": "percentage"}),
        rows: slices(&sites),
        options: json!({"unit": "By", "min_percentage": LEAST}),
    };
    views.push(put(tree, &pie));
    let lines = Figure {
        kind: "allocation_lines",
        feature,
        what: "allocations by line",
        metric: "julia.alloc.bytes",
        encoding: json!({"x": "label", "y": "bytes", "color": "file"}),
        rows: sites,
        options: json!({"unit": "By"}),
    };
    views.push(put(tree, &lines));
    let runs = ["heap_profile", "heap_wall_profile", feature].map(
        |feature| json!({"package": "Oxygen", "feature": feature, "version": VERSION, "status": "pass"}),
    );
    let mut catalog = json!({
        "views": views, "skipped": [], "versions": [VERSION], "runs": runs, "runtime": {"language": "julia"},
        "correctness": "passed", "performance": "not_compared",
    });
    dates(&mut catalog);
    write(tree, "catalog.json", &catalog);
}

struct Figure<'a> {
    kind: &'a str,
    feature: &'a str,
    what: &'a str,
    metric: &'a str,
    encoding: Value,
    rows: Vec<Value>,
    options: Value,
}

fn write(tree: &mut Tree, name: &str, value: &Value) {
    let text = serde_json::to_string_pretty(value).expect("a value is JSON");
    tree.add(&format!("{ROOT}/{name}"), text);
}

fn weight(row: &Value, field: &str) -> f64 {
    row[field].as_f64().expect("a weight")
}

fn dates(document: &mut Value) {
    let releases = Table::published("releases");
    let release = releases.find(&[("version", VERSION)]).next().expect("a release");
    document["release_dates"] = json!({VERSION: release["date"]});
    document["release_date_kinds"] = json!({VERSION: release["date_kind"]});
}

/// Writes the wrapper document of a figure; what the catalogue says of it.
fn put(tree: &mut Tree, figure: &Figure<'_>) -> Value {
    let case = format!("oxygen_profiles/Oxygen/{}", figure.feature);
    let id = plot_id(figure.kind, &[&case]);
    let mut options = json!({"package": "Oxygen", "feature": figure.feature, "versions": [VERSION],
        "selected_version": VERSION, "top": TOP});
    for (key, value) in figure.options.as_object().expect("an object") {
        options[key] = value.clone();
    }
    let title = format!("Oxygen · {} · {}", figure.feature, figure.what);
    let mut wrapper = json!({
        "plot": {
            "schema_version": "perfchecker-plot/1", "id": id, "kind": figure.kind, "title": title,
            "description": "Rebuilt from published figures.", "encoding": figure.encoding, "data": figure.rows,
            "options": options,
        },
        "run_id": uuid(&format!("published {}", figure.feature)), "started_at": "", "os": "unknown",
        "runtime": {"language": "julia"}, "correctness": "passed", "performance": "not_compared",
        "scope": "One profile of one release; published figures.", "worker_environments": [],
        "date_kind": "GitHub release publication date",
    });
    dates(&mut wrapper);
    write(tree, &format!("{id}.json"), &wrapper);
    json!({"id": id, "kind": figure.kind, "title": title, "label": figure.what, "package": "Oxygen",
        "feature": figure.feature, "case_id": case, "metric": figure.metric, "unit": options["unit"],
        "json": format!("{id}.json"), "svg": format!("{id}.svg"), "terminal": format!("{id}.txt"),
        "patch_windows": []})
}

/// The rows of a flame graph, depth first as published, with the edges that follow from their weights.
fn frames(published: &Table, profile: &str) -> Vec<Value> {
    struct Open {
        path: Vec<String>,
        next: f64,
    }
    let number = |text: &str| text.parse::<f64>().expect("a published number");
    let rows: Vec<_> = published.find(&[("profile", profile)]).collect();
    let outermost = rows.iter().filter(|row| row["depth"] == "1");
    let total: f64 = outermost.map(|row| number(row["weight"])).sum();
    let mut open: Vec<Open> = vec![Open { path: Vec::new(), next: 0.0 }];
    let mut made = Vec::new();
    for row in rows {
        let depth: usize = row["depth"].parse().expect("a depth");
        open.truncate(depth);
        let above = open.last_mut().expect("rows stand in preorder");
        let weight = number(row["weight"]);
        let label = format!("{} ({}:{})", row["function"], row["file"], row["line"]);
        let (from, to) = (above.next, above.next + weight / total);
        above.next = to;
        let path: Vec<String> = above.path.iter().cloned().chain([label.clone()]).collect();
        assert!((100.0 * weight / total - number(row["share_percent"])).abs() < 1e-9, "{label}");
        made.push(
            json!({"label": label, "path": path, "depth": depth, "x0": from, "x1": to, "value": weight,
            "percentage": 100.0 * weight / total, "status": row["status"]}),
        );
        open.push(Open { path, next: from });
    }
    made
}

/// The allocation sites, the largest first.
fn sites(published: &Table) -> Vec<Value> {
    let rows = published.find(&[("profile", "allocation_lines")]).map(|row| {
        let line: u64 = row["line"].parse().expect("a line");
        let bytes: f64 = row["weight"].parse().expect("a weight");
        let label = format!("{}:{line}", row["file"]);
        json!({"version": row["version"], "file": row["file"], "line": line, "label": label, "bytes": bytes})
    });
    let mut rows: Vec<Value> = rows.collect();
    rows.sort_by(|a, b| {
        let text = |row: &Value| row["label"].as_str().expect("text").to_owned();
        weight(b, "bytes").total_cmp(&weight(a, "bytes")).then_with(|| text(a).cmp(&text(b)))
    });
    rows
}

/// The slices of a pie, small ones folded into the last.
fn slices(sites: &[Value]) -> Vec<Value> {
    let total: f64 = sites.iter().map(|site| weight(site, "bytes")).sum();
    let percentage = |bytes: f64| 100.0 * bytes / total;
    let large = sites.iter().filter(|site| percentage(weight(site, "bytes")) >= LEAST).count();
    let (alone, rest) = sites.split_at(large.min(TOP as usize - 1));
    let mut made: Vec<Value> = alone.to_vec();
    for slice in &mut made {
        slice["percentage"] = percentage(weight(slice, "bytes")).into();
    }
    let bytes: f64 = rest.iter().map(|site| weight(site, "bytes")).sum();
    let other: Map<String, Value> = [
        ("version", json!(VERSION)),
        ("file", json!("other")),
        ("line", json!(0)),
        ("label", json!("Other allocation sites")),
        ("bytes", json!(bytes)),
        ("grouped_sites", json!(rest.len())),
        ("percentage", json!(percentage(bytes))),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    made.push(Value::Object(other));
    made
}
