//! Charts for tests and benchmarks, made by hand: the shapes that `figure` produces, and awkward ones.

use perfolio::evidence::plot::PlotDocument;
use perfolio::figure::chart::{
    Axis, Body, Boundary, Caption, Chart, Column, DataTable, Datum, Form, Label, Line, Mark, ReferenceLine,
    Ribbon, Scale, Span, Spark, StepLabel, Table, TableCell, TableRow, Tick,
};

/// One line of a chart to be made.
pub(crate) struct Metric {
    key: &'static str,
    name: String,
    unit: &'static str,
    values: Vec<Option<f64>>,
    reason: &'static str,
}

fn metric(key: &'static str, name: &str, unit: &'static str, values: &[f64]) -> Metric {
    let values = values.iter().map(|value| value.is_finite().then_some(*value)).collect();
    Metric { key, name: name.to_owned(), unit, values, reason: "not run" }
}

const LABELS: [&str; 14] = [
    "1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0", "1.10.0",
    "1.10.1", "1.10.2", "1.11.0",
];
const DATES: [&str; 14] = [
    "2022-05-28",
    "2022-08-19",
    "2023-09-28",
    "2023-12-14",
    "2024-01-13",
    "2024-02-27",
    "2025-01-11",
    "2025-02-05",
    "2025-11-19",
    "2025-12-14",
    "2026-01-01",
    "2026-02-25",
    "2026-04-18",
    "2026-08-28",
];
const WALL: [f64; 14] = [5.6, 9.8, 7.0, 6.9, 7.2, 7.0, 11.6, 6.9, 11.1, 7.2, 7.3, 7.1, 7.2, 3.8];
const BYTES: [f64; 14] = [
    3152.0, 3712.0, 3776.0, 3776.0, 3808.0, 3872.0, 3872.0, 3872.0, 3904.0, 4352.0, 4352.0, 4352.0, 4352.0,
    2512.0,
];
const COUNT: [f64; 14] =
    [92.0, 102.0, 104.0, 104.0, 105.0, 103.0, 103.0, 103.0, 104.0, 110.0, 110.0, 110.0, 110.0, 53.0];

fn columns<'a>(labels: impl IntoIterator<Item = &'a str>, dates: &[&str]) -> Vec<Column> {
    labels
        .into_iter()
        .enumerate()
        .map(|(at, label)| Column {
            label: label.to_owned(),
            date: dates.get(at).map(|date| (*date).to_owned()),
            kind: "release".to_owned(),
        })
        .collect()
}

/// Four metrics at 14 releases, each divided by its own minimum.
pub(crate) fn normalized() -> Chart {
    let metrics = [
        metric("julia.wall.time", "wall time", "µs", &WALL),
        metric("julia.alloc.bytes", "allocated", "B", &BYTES),
        metric("julia.alloc.count", "allocations", "", &COUNT),
        metric("julia.gc.time", "GC time", "ns", &[0.0; 14]),
    ];
    let mut chart = ratios("plain: four metrics over 14 releases", columns(LABELS, &DATES), &metrics);
    chart.boundaries = vec![
        rule(1, "HTTP.jl 0.9.17 → 1.11.0", 10, false, false),
        rule(10, "1.10 patches", 13, true, false),
        rule(13, "HTTP.jl 1.11.0 → 2.6.7", 14, false, true),
    ];
    chart.step = Some(StepLabel { column: 13, line: 0, text: "−47 %".to_owned() });
    chart.ribbons = vec![
        ribbon("HTTP.jl", &[(0, 1, "0.9.17"), (1, 13, "1.11.0"), (13, 14, "2.6.7")], true),
        ribbon("DataStructures.jl", &[(0, 4, "0.19.6"), (4, 8, "0.18.22"), (8, 14, "0.19.6")], false),
    ];
    chart.package_counts = [41, 55, 58, 59, 61, 60, 59, 59, 57, 57, 58, 58, 58, 45].map(Some).to_vec();
    chart.caption = Caption {
        says: "Wall time is lowest at 1.11.0 (3.8 µs) and highest at 1.6.0 (11.6 µs, 3.05 ×); largest step \
               1.10.2 → 1.11.0, −47 %."
            .to_owned(),
        fine: "Minimum of 30 samples per release. Each metric is divided by its own minimum over the 14 \
               releases. GC time is 0 at every release and shown at 1 by convention (open marks). 0 of 56 \
               values unavailable."
            .to_owned(),
    };
    chart
}

fn rule(before: usize, text: &str, until: usize, centred: bool, strong: bool) -> Boundary {
    Boundary { before, label: Some(Label { text: text.to_owned(), until, centred }), strong }
}

fn ribbon(name: &str, spans: &[(usize, usize, &str)], newest: bool) -> Ribbon {
    let last = spans.len() - 1;
    let spans = spans.iter().enumerate().map(|(at, (from, to, text))| Span {
        from: *from,
        to: *to,
        text: Some((*text).to_owned()),
        newest: newest && at == last,
    });
    Ribbon { name: name.to_owned(), spans: spans.collect() }
}

/// A chart of ratios to the minimum, linear or log by the spread, as the normalization rules say: zero at
/// the minimum gives no ratio, zero everywhere is shown at 1.
pub(crate) fn ratios(title: &str, columns: Vec<Column>, metrics: &[Metric]) -> Chart {
    let lines: Vec<Line> = metrics
        .iter()
        .enumerate()
        .map(|(at, metric)| {
            let least = metric.values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            let zeros = metric.values.iter().flatten().all(|value| *value == 0.0);
            let mark = |(column, value): (usize, &Option<f64>)| {
                let (value, form) = match value {
                    None => (None, Form::Absent(metric.reason.to_owned())),
                    Some(_) if zeros => (Some(1.0), Form::Convention),
                    Some(_) if least == 0.0 => (None, Form::Absent("reference is zero".to_owned())),
                    Some(value) => (Some(value / least), Form::Measured),
                };
                let label = &columns[column].label;
                let reading = format!(
                    "{} at {label}: {:?} {}, minimum of 30 samples, {:?} × the reference {least}",
                    metric.name, metric.values[column], metric.unit, value
                );
                Mark { value, form, reading }
            };
            let marks: Vec<Mark> = metric.values.iter().enumerate().map(mark).collect();
            let last = match metric.values.last().copied().flatten() {
                Some(value) => format!("{value} {}", metric.unit).trim().to_owned(),
                None => metric.reason.to_owned(),
            };
            let last_note = match marks.last().map(|mark| (mark.value, &mark.form)) {
                Some((_, Form::Convention)) => "shown at 1".to_owned(),
                Some((Some(ratio), _)) => format!("{} ×", (ratio * 100.0).round() / 100.0),
                _ => String::new(),
            };
            Line {
                key: metric.key.to_owned(),
                name: metric.name.clone(),
                slot: at + 1,
                unit: metric.unit.to_owned(),
                shown: at < 6,
                last,
                last_note,
                marks,
            }
        })
        .collect();
    let reference = ReferenceLine { value: 1.0, label: "1 = each metric’s own minimum".to_owned() };
    let mut chart = finish(title, "normalized_metrics", columns, lines, Some(reference));
    chart.axis.title = match chart.axis.scale {
        Scale::Linear => "ratio to own minimum, linear".to_owned(),
        Scale::Log => "ratio to own minimum, logarithmic".to_owned(),
    };
    chart
}

/// A chart of recorded values of one metric.
pub(crate) fn values(title: &str, columns: Vec<Column>, metric: &Metric) -> Chart {
    let log = spread(metric.values.iter().flatten().copied()) > 10.0;
    let mark = |(column, value): (usize, &Option<f64>)| Mark {
        value: *value,
        form: match value {
            None => Form::Absent(metric.reason.to_owned()),
            Some(0.0) if log => Form::ZeroOnLog,
            Some(_) => Form::Measured,
        },
        reading: format!("{} at {}: {value:?} {}", metric.name, columns[column].label, metric.unit),
    };
    let last = metric.values.last().copied().flatten();
    let line = Line {
        key: metric.key.to_owned(),
        name: metric.name.clone(),
        slot: 1,
        unit: metric.unit.to_owned(),
        shown: true,
        last: last.map_or(metric.reason.to_owned(), |value| format!("{value} {}", metric.unit)),
        last_note: "1 sample, no spread".to_owned(),
        marks: metric.values.iter().enumerate().map(mark).collect(),
    };
    let mut chart = finish(title, "version_series", columns, vec![line], None);
    chart.axis.title = format!("{}, {}, {:?}", metric.name, metric.unit, chart.axis.scale).to_lowercase();
    chart
}

fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let (least, most) = values
        .filter(|value| *value > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    if least.is_finite() { most / least } else { 1.0 }
}

fn finish(
    title: &str,
    kind: &str,
    columns: Vec<Column>,
    lines: Vec<Line>,
    reference: Option<ReferenceLine>,
) -> Chart {
    let drawn = || lines.iter().flat_map(|line| &line.marks).filter_map(|mark| mark.value);
    let scale = if spread(drawn()) > 10.0 { Scale::Log } else { Scale::Linear };
    let axis = axis(scale, &drawn().chain(reference.iter().map(|line| line.value)).collect::<Vec<_>>());
    let missing = lines.iter().flat_map(|line| &line.marks).filter(|mark| mark.value.is_none()).count();
    let cells = lines.len() * columns.len();
    let fine = format!("Minimum per target. {missing} of {cells} values unavailable.");
    let (table, data) = tables(&columns, &lines);
    Chart {
        body: Body::Lines,
        id: "figure-1".to_owned(),
        kind: kind.to_owned(),
        heading: format!("{} metrics at {} targets", lines.len(), columns.len()),
        title: title.to_owned(),
        description: format!("Lines over {} targets. {fine}", columns.len()),
        axis,
        columns,
        boundaries: Vec::new(),
        reference,
        lines,
        step: None,
        ribbons: Vec::new(),
        package_counts: Vec::new(),
        caption: Caption { says: format!("{title}."), fine },
        rest: "Move through the points with the arrow keys.".to_owned(),
        table,
        data,
        provenance: vec![
            ("Source".to_owned(), "http".to_owned()),
            ("Runtime".to_owned(), "Julia 1.13.0, 1 thread".to_owned()),
        ],
    }
}

fn axis(scale: Scale, values: &[f64]) -> Axis {
    let positive = || values.iter().copied().filter(|value| *value > 0.0);
    let most = positive().fold(1.0, f64::max);
    let least = positive().fold(most, f64::min);
    let tick = |value: f64| Tick { value, label: format!("{}", (value * 1e9).round() / 1e9) };
    let (low, high, ticks) = match scale {
        Scale::Log => {
            let (low, high) = (least / 1.5, most * 1.3);
            let steps = (-9..9).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
            (low, high, steps.filter(|value| *value >= low && *value <= high).map(tick).collect::<Vec<_>>())
        }
        Scale::Linear => {
            let raw = most / 5.0;
            let power = 10_f64.powf(raw.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= raw);
            let step = step.unwrap_or(power * 10.0);
            let low = if least > step { least - step * 0.6 } else { 0.0 };
            let high = most + step * 0.4;
            let count = (high / step) as i32;
            let ticks = (0..=count).map(|at| f64::from(at) * step).filter(|value| *value >= low);
            (low, high, ticks.map(tick).collect())
        }
    };
    Axis { title: String::new(), scale, low, high, ticks }
}

fn tables(columns: &[Column], lines: &[Line]) -> (Table, DataTable) {
    let mut head = vec!["target".to_owned(), "date".to_owned()];
    for line in lines {
        head.push(format!("{}, {}", line.name, line.unit));
        head.push("ratio".to_owned());
    }
    let row = |(at, column): (usize, &Column)| {
        let mut cells =
            vec![TableCell { text: column.date.clone().unwrap_or_default(), ..TableCell::default() }];
        for (position, line) in lines.iter().enumerate() {
            let mark = &line.marks[at];
            let text = match (&mark.form, mark.value) {
                (Form::Absent(reason), _) => reason.clone(),
                (_, Some(value)) => format!("{}", (value * 100.0).round() / 100.0),
                (_, None) => String::new(),
            };
            let exact = mark.value.and_then(|value| serde_json::from_str(&value.to_string()).ok());
            for is_ratio in [false, true] {
                cells.push(TableCell {
                    text: text.clone(),
                    line: Some(position),
                    exact,
                    numeric: mark.value.is_some(),
                    strong: mark.value == Some(1.0),
                    is_ratio,
                });
            }
        }
        TableRow { target: column.label.clone(), boundary: at == 10, cells }
    };
    let rows = columns.iter().enumerate().map(row).collect();
    let data = columns.iter().enumerate().flat_map(|(at, column)| {
        lines.iter().map(move |line| {
            let mark = &line.marks[at];
            let number =
                Datum::number(mark.value.and_then(|value| serde_json::from_str(&value.to_string()).ok()));
            vec![Datum::Text((*column.label).into()), Datum::Text((*line.key).into()), number]
        })
    });
    (
        Table {
            summary: format!("Values, {} metrics at {} targets", lines.len(), columns.len()),
            caption: "Minimum of 30 samples. Bold: the minimum of the complete history.".to_owned(),
            head,
            rows,
        },
        DataTable { head: ["target", "metric", "ratio"].map(str::to_owned).to_vec(), rows: data.collect() },
    )
}

/// Releases `1.0.0`, `1.1.0` … with a date each month.
pub(crate) fn releases(count: usize) -> Vec<Column> {
    (0..count)
        .map(|at| Column {
            label: format!("{}.{}.{}", 1 + at / 50, at % 50 / 5, at % 5),
            date: Some(format!("{}-{:02}-{:02}", 2010 + at / 12 % 90, 1 + at % 12, 1 + at % 28)),
            kind: "release".to_owned(),
        })
        .collect()
}

/// A calm, repeatable wave.
fn wave(count: usize, base: f64, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|at| {
            let noise = ((at + seed) * 7919 % 101) as f64 / 101.0;
            let jump = if at > count * 2 / 3 { 0.7 } else { 1.0 };
            base * jump * (1.0 + 0.35 * noise)
        })
        .collect()
}

/// Four metrics at `count` releases.
pub(crate) fn many(count: usize) -> Chart {
    let metrics = [
        metric("julia.wall.time", "wall time", "µs", &wave(count, 7.0, 1)),
        metric("julia.alloc.bytes", "allocated", "B", &wave(count, 4000.0, 30)),
        metric("julia.alloc.count", "allocations", "", &wave(count, 60.0, 77)),
        metric("julia.gc.time", "GC time", "ns", &vec![0.0; count]),
    ];
    ratios(&format!("four metrics over {count} releases"), releases(count), &metrics)
}

/// One metric with the given values; none is a gap.
#[allow(dead_code, reason = "benchmarks need no gaps")]
pub(crate) fn holes(values: &[Option<f64>]) -> Chart {
    let values: Vec<f64> = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
    let metrics = [metric("julia.wall.time", "wall time", "µs", &values)];
    ratios("one metric with gaps", releases(values.len()), &metrics)
}

/// Every chart that has a reviewed picture, by name.
pub(crate) fn gallery() -> Vec<(String, Chart)> {
    let none = f64::NAN;
    let mut list: Vec<(String, Chart)> = Vec::new();
    let mut add = |name: &str, chart: Chart| list.push((name.to_owned(), chart));
    add("normalized-14", normalized());
    add("normalized-2", many(2));
    add("normalized-200", many(200));
    let gone = [none; 9];
    let columns9 =
        || columns(["2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0", "2.5.0", "2.6.0", "3.0.0", "dev@3.1"], &[]);
    add(
        "normalized-all-missing",
        ratios(
            "nothing was recorded",
            columns9(),
            &[metric("a", "wall time", "µs", &gone), metric("b", "allocated", "B", &gone)],
        ),
    );
    add(
        "normalized-gaps",
        ratios(
            "some values are missing",
            columns9(),
            &[
                metric("a", "wall time", "µs", &[1.6, 1.55, none, 1.5, 1.4, none, none, 1.1, 1.2]),
                metric("b", "allocated", "B", &[2.0, 2.1, none, 2.0, none, none, none, none, 1.0]),
                metric("c", "allocations", "", &[3.0, none, none, 2.0, 2.0, none, none, 2.5, none]),
            ],
        ),
    );
    add(
        "normalized-one-point",
        ratios("one point", columns(["1.0.0"], &["2026-01-02"]), &[metric("a", "wall time", "µs", &[5.0])]),
    );
    add(
        "normalized-zero-reference",
        ratios(
            "a metric is zero at its best",
            columns9(),
            &[
                metric("a", "wall time", "µs", &[5.0, 4.0, 4.5, 6.0, 7.0, 5.5, 5.0, 4.2, 4.0]),
                metric("b", "GC time", "ns", &[0.0, 10.0, 20.0, 0.0, 30.0, 10.0, 0.0, 0.0, 5.0]),
            ],
        ),
    );
    add(
        "normalized-log",
        ratios(
            "a wide spread",
            columns9(),
            &[
                metric("a", "wall time", "µs", &[500.0, 400.0, 45.0, 60.0, 7.0, 5.5, 5.0, 4.2, 4.0]),
                metric("b", "allocated", "B", &[5.0, 4.0, 4.5, 6.0, 7.0, 5.5, 5.0, 4.2, 4.0]),
            ],
        ),
    );
    let hostile = [
        "</text><script>alert(1)</script>",
        "\" onload=\"alert(2)",
        "=1+1",
        "feature/a-very-long-branch-name-that-goes-on-and-on-and-never-ends",
        "\u{202e}gpj.exe",
        "名前空間",
        "a\u{0}b\nc",
        "&amp;",
        "dev@1.2.0",
    ];
    let mut chart = ratios(
        "hostile <names> & \"quotes\"",
        columns(hostile, &["2026-01-01", "nonsense"]),
        &[
            metric(
                "x\"><script>",
                "<b>time</b> & a long name of a metric that fits nowhere",
                "µs",
                &[5.0, 4.0, none, 6.0, 7.0, 5.5, 5.0, 4.2, 4.0],
            ),
            metric("y", "γ \u{202e}desrever", "B", &[1.0, 1.5, 1.4, 1.2, 1.0, 1.1, 1.3, 1.2, 1.4]),
        ],
    );
    chart.boundaries = vec![rule(
        4,
        "<i>HTTP</i> \"1\" → 2 and a text that is far too long to be put anywhere at all, even on wide screens",
        9,
        false,
        true,
    )];
    chart.ribbons = vec![ribbon("<evil>.jl", &[(0, 4, "<1>"), (4, 9, "\"2\"")], true)];
    add("normalized-hostile", chart);
    let names: Vec<String> = (0..10).map(|at| format!("metric {}", at + 1)).collect();
    let ten: Vec<Metric> =
        names.iter().enumerate().map(|(at, name)| metric("m", name, "ns", &wave(9, 3.0, at * 13))).collect();
    add("normalized-ten-lines", ratios("ten metrics", columns9(), &ten));

    add("overlay", overlay());
    let single = |values: &[f64]| metric("julia.wall.time", "wall time", "µs", values);
    add("series-14", values("wall time", columns(LABELS, &DATES), &single(&WALL)));
    add("series-2", values("wall time", releases(2), &single(&[7.0, 3.5])));
    add("series-200", values("wall time", releases(200), &single(&wave(200, 7.0, 3))));
    add("series-all-missing", values("wall time", columns9(), &single(&gone)));
    add("series-one-point", values("wall time", columns(["1.0.0"], &[]), &single(&[12_345.0])));
    add(
        "series-log-zero",
        values("GC time", columns9(), &single(&[0.0, 12_000.0, 250.0, 0.0, none, 30.0, 0.0, none, 1500.0])),
    );
    list
}

/// A small curve.
pub(crate) fn spark() -> Spark {
    let least = 3.8;
    Spark {
        title: "plain: wall time, 3.05 × at most, 1 × at 1.11.0".to_owned(),
        axis: Axis {
            title: String::new(),
            scale: Scale::Log,
            low: 0.93,
            high: 6.4,
            ticks: [1.0, 2.0, 5.0].map(|value| Tick { value, label: value.to_string() }).to_vec(),
        },
        values: WALL.iter().enumerate().map(|(at, value)| (at != 4).then_some(value / least)).collect(),
        lowest: Some(13),
        boundary: Some(13),
        ends: ("1.0.0".to_owned(), "1.11.0".to_owned()),
        last: "1 ×".to_owned(),
        slot: 1,
    }
}

/// One metric of four features at five releases, made from a document as the site makes it: one feature
/// starts late, one has a hostile name.
pub(crate) fn overlay() -> Chart {
    let features: [(&str, [Option<f64>; 5]); 4] = [
        ("plain", [Some(7200.0), Some(7300.0), Some(7100.0), Some(7200.0), Some(3800.0)]),
        ("query", [Some(4800.0), Some(3300.0), Some(3200.0), Some(3300.0), Some(5400.0)]),
        ("late", [None, None, Some(1_900_000.0), Some(1_840_000.0), Some(1_430_000.0)]),
        ("<b>name</b> & more", [Some(900.0), Some(1000.0), None, Some(900.0), Some(900.0)]),
    ];
    let rows = features.iter().flat_map(|(feature, values)| {
        let least = values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        values.iter().zip(&LABELS[9..]).map(move |(value, label)| {
            serde_json::json!({
                "feature": feature, "metric": "julia.wall.time", "version": label, "unit": "ns",
                "target_kind": if value.is_some() { "release" } else { "unavailable" },
                "value": value, "samples": if value.is_some() { 30 } else { 0 },
                "ratio": value.map(|value| value / least), "reference_value": least,
                "reference_version": "minimum", "statistic": "minimum",
                "normalization_status": if value.is_some() { "ratio" } else { "missing_measurement" },
            })
        })
    });
    let dates: std::collections::BTreeMap<_, _> = LABELS.iter().zip(DATES).skip(9).collect();
    let document = serde_json::json!({
        "plot": {
            "schema_version": "perfolio-plot/1", "id": "feature-overlay-1", "kind": "feature_overlay",
            "title": "four features", "description": "", "encoding": {}, "data": rows.collect::<Vec<_>>(),
            "options": { "package": "Widget", "metric": "julia.wall.time", "versions": LABELS[9..] },
        },
        "release_dates": dates,
        "perfolio": {
            "steps": { "plain": 100 },
            "reasons": { "late": { "1.9.0": "not measured for this feature", "1.10.0": "not measured for this feature" } },
        },
    });
    let document: PlotDocument = serde_json::from_value(document).expect("a plot document");
    perfolio::figure::chart(&document).expect("an overlay")
}
