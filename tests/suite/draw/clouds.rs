//! Trade-offs for tests and benchmarks, made from documents as the site makes them, and awkward ones.

use perfolio::evidence::plot::PlotDocument;
use perfolio::figure::chart::Chart;
use serde_json::{Value, json};

/// A target with its two values.
pub(crate) type Row = (String, Option<f64>, Option<f64>);

/// Median times in ns and allocated bytes of the first fixture of the demonstration evidence.
const PLAIN: [(&str, &str, f64, f64); 14] = [
    ("1.0.0", "2022-05-28", 7050.0, 3152.0),
    ("1.1.0", "2022-08-19", 12050.0, 3712.0),
    ("1.2.0", "2023-09-28", 7200.0, 3776.0),
    ("1.3.0", "2023-12-14", 7200.0, 3776.0),
    ("1.4.0", "2024-01-13", 7400.0, 3808.0),
    ("1.5.0", "2024-02-27", 7200.0, 3872.0),
    ("1.6.0", "2025-01-11", 12100.0, 3872.0),
    ("1.7.0", "2025-02-05", 7100.0, 3872.0),
    ("1.8.0", "2025-11-19", 11800.0, 3904.0),
    ("1.9.0", "2025-12-14", 7400.0, 4352.0),
    ("1.10.0", "2026-01-01", 7500.0, 4352.0),
    ("1.10.1", "2026-02-25", 7300.0, 4352.0),
    ("1.10.2", "2026-04-18", 7500.0, 4352.0),
    ("1.11.0", "2026-08-28", 3950.0, 2512.0),
];

/// A document of the second generation; targets that lack a value have no row.
pub(crate) fn document(rows: &[Row]) -> Value {
    let data: Vec<Value> = rows
        .iter()
        .filter_map(|(label, time, bytes)| {
            Some(json!({"version": label, "target_kind": "release", "time": (*time)?, "bytes": (*bytes)?}))
        })
        .collect();
    let labels: Vec<&String> = rows.iter().map(|row| &row.0).collect();
    json!({
        "plot": {
            "schema_version": "perfchecker-plot/1", "id": "time-allocation-tradeoff-0123456789abcdef",
            "kind": "time_allocation_tradeoff", "title": "t", "description": "",
            "encoding": {"x": "bytes", "y": "time", "label": "version"}, "data": data,
            "options": {
                "package": "Widget", "feature": "sort", "unit": "ns+By", "time_unit": "ns",
                "allocation_unit": "By", "unit_source": "recorded_series",
            },
        },
        "perfolio": { "targets": labels },
    })
}

/// Draws a document.
pub(crate) fn chart(document: Value) -> Chart {
    let document: PlotDocument = serde_json::from_value(document).expect("a plot document");
    perfolio::figure::chart(&document).expect("a trade-off")
}

fn rows(values: &[(&str, f64, f64)]) -> Vec<Row> {
    let given = |value: f64| value.is_finite().then_some(value);
    values.iter().map(|(label, time, bytes)| ((*label).to_owned(), given(*time), given(*bytes))).collect()
}

/// 14 releases with dates.
pub(crate) fn plain() -> Chart {
    let values: Vec<_> = PLAIN.iter().map(|(label, _, time, bytes)| (*label, *time, *bytes)).collect();
    let mut document = document(&rows(&values));
    for (label, date, _, _) in PLAIN {
        document["release_dates"][label] = json!(date);
    }
    document["perfolio"]["steps"] = json!({"julia.wall.time": 100});
    chart(document)
}

/// `count` releases that wander through the plot.
pub(crate) fn many(count: usize) -> Chart {
    let value = |at: usize, seed: usize, base: f64| {
        let noise = ((at + seed) * 7919 % 101) as f64 / 101.0;
        base * (1.0 + (at as f64 / 17.0 + seed as f64).sin() * 0.4 + noise * 0.2)
    };
    let row = |at: usize| {
        let label = format!("{}.{}.{}", 1 + at / 50, at % 50 / 5, at % 5);
        (label, Some(value(at, 3, 7000.0).round()), Some(value(at, 40, 4000.0).round()))
    };
    chart(document(&(0..count).map(row).collect::<Vec<_>>()))
}

/// Every trade-off that has a reviewed picture, by name.
pub(crate) fn gallery() -> Vec<(String, Chart)> {
    let none = f64::NAN;
    let mut list: Vec<(String, Chart)> = Vec::new();
    let mut add = |name: &str, chart: Chart| list.push((format!("tradeoff-{name}"), chart));
    add("14", plain());
    add("2", chart(document(&rows(&[("1.0.0", 7000.0, 4000.0), ("1.1.0", 3500.0, 4400.0)]))));
    add("200", many(200));
    add("one-point", chart(document(&rows(&[("1.0.0", 12_345.0, 2048.0)]))));
    let labels = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "2.0.0"];
    let same = |time: f64, bytes: f64| labels.map(|label| (label, time, bytes));
    add("all-equal", chart(document(&rows(&same(7200.0, 4352.0)))));
    let mut missing = document(&rows(&same(none, none)));
    missing["perfolio"]["reasons"] = json!({
        "julia.wall.time": labels.iter().map(|label| (*label, "not run")).collect::<std::collections::BTreeMap<_, _>>(),
        "julia.alloc.bytes": labels.iter().map(|label| (*label, "not run")).collect::<std::collections::BTreeMap<_, _>>(),
    });
    add("all-missing", chart(missing));
    let times = [700.0, 650.0, 655.0, 610.0, 720.0, 600.0];
    let zero_bytes: Vec<_> = labels.iter().zip(times).map(|(label, time)| (*label, time, 0.0)).collect();
    add("zero-bytes", chart(document(&rows(&zero_bytes))));
    let wide = [
        ("1.0.0", 12_000.0, 48_000.0),
        ("1.1.0", 9000.0, 40_000.0),
        ("1.2.0", 800.0, 41_000.0),
        ("1.3.0", 750.0, 0.0),
        ("1.4.0", 0.0, 900.0),
        ("1.5.0", 640.0, 850.0),
        ("2.0.0", 500.0, 64.0),
    ];
    add("log-zeros", chart(document(&rows(&wide))));
    let mut gaps = document(&rows(&[
        ("1.0.0", none, none),
        ("1.1.0", 900.0, 512.0),
        ("1.2.0", 800.0, 640.0),
        ("1.3.0", none, none),
        ("1.4.0", 820.0, 600.0),
        ("2.0.0", 600.0, 720.0),
        ("dev@2.1.0", none, none),
    ]));
    gaps["perfolio"]["reasons"] = json!({
        "julia.wall.time": {"1.0.0": "not run", "1.3.0": "failed"},
        "julia.alloc.bytes": {"1.0.0": "not run", "dev@2.1.0": "not measured by this collector"},
    });
    add("gaps", chart(gaps));
    // The first generation says "s+By" whatever the unit of the times is.
    let mut first =
        document(&rows(&[("1.0.0", 7050.0, 3152.0), ("1.1.0", 12_050.0, 3712.0), ("1.2.0", 7200.0, 3776.0)]));
    first["plot"]["options"] = json!({"package": "Widget", "feature": "sort", "unit": "s+By"});
    add("unspecified", chart(json!({"plot": first["plot"].take()})));
    let mut hostile = document(&rows(&[
        ("</text><script>alert(1)</script>", 7.0, 3152.0),
        ("\" onload=\"alert(2)", 12.0, 3712.0),
        ("feature/a-very-long-branch-name-that-goes-on-and-on-and-never-ends", 7.2, 3776.0),
        ("\u{202e}gpj.exe", 6.2, 3376.0),
        ("名前空間", 9.0, 3500.0),
    ]));
    hostile["plot"]["options"]["time_unit"] = json!("<b>\u{202e}ns</b>");
    hostile["plot"]["options"]["feature"] = json!("<i>sort</i>");
    hostile["perfolio"]["metric_titles"] = json!({"julia.alloc.bytes": "bytes & <b>more</b> with a title that is far too long to be put anywhere"});
    add("hostile", chart(hostile));
    list
}
