//! Tests of figures that belong to no group of series: records, requests over a network, allocations.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::chart::{Body, Chart};
use super::heat::Heat;
use super::panels::{Bar, Form, Panel};
use super::{allocation, chart, heat, network, record};
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::{CallTree, Origin, Profile, ProfileKind, Site, Stack};
use crate::evidence::record::{
    Column, Counters, Details, HeapRest, HeapType, HeapTypes, Massif, Network, Payload, Quantity, Record,
    Samples, Snapshot, Status,
};
use crate::evidence::{Number, TargetKind};

fn complete(tool: &str, details: Details) -> Record {
    Record { tool: tool.to_owned(), status: Status::Complete, details, ..Record::default() }
}

fn drawn(document: &PlotDocument) -> Chart {
    // What is drawn is what was saved.
    let text = serde_json::to_string(document).unwrap();
    let again: PlotDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(&again, document);
    chart(&again).unwrap()
}

fn panels(chart: &Chart) -> &[Panel] {
    match &chart.body {
        Body::Panels(panels) => panels,
        other => panic!("no panels: {other:?}"),
    }
}

fn bars(panel: &Panel) -> &[Bar] {
    match &panel.form {
        Form::Bars(bars) => bars,
        Form::Curve(_) => panic!("a curve"),
    }
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn phases_share_a_panel_and_stand_in_the_order_of_the_work() {
    let number = |name: &str, value: f64| Quantity::recorded(name, Number::Float(value), "s");
    let mut record = complete("latency", Details::None);
    record.numbers = vec![
        number("first_case_seconds", 1.0387),
        number("load_seconds", 7.385),
        number("warm_case_seconds", 0.00413),
    ];
    let chart = drawn(&record::document(&record).unwrap());
    let all = panels(&chart);
    assert_eq!(all.len(), 1);
    let told: Vec<String> =
        bars(&all[0]).iter().map(|bar| plain(&format!("{} {}", bar.label, bar.text))).collect();
    assert_eq!(told, ["loading 7.385 s", "first lifecycle 1.039 s", "warm lifecycle 4.13 ms"]);
    assert_eq!(bars(&all[0])[0].part, Some(1.0));
    assert_eq!(chart.data.rows.len(), 3);
    record.status = Status::Timeout;
    assert!(record::document(&record).is_none(), "a tool that was stopped has no results");
    record.status = Status::Complete;
    record.numbers.truncate(1);
    assert!(record::document(&record).is_none(), "one number is no figure");
}

#[test]
fn observations_have_a_panel_per_quantity_and_absent_is_not_zero() {
    let column = |name: &str, unit, values: &[Option<f64>]| Column {
        name: name.to_owned(),
        unit,
        values: values.iter().map(|value| value.map(Number::Float)).collect(),
    };
    let samples = Samples {
        columns: vec![
            column("pause", "", &[Some(0.0), Some(0.0)]),
            column("gc_seconds", "s", &[Some(0.0), None]),
            column("allocated_bytes", "By", &[Some(1_597_432.0), Some(1_597_544.0)]),
        ],
        provider: None,
    };
    let chart = drawn(&record::document(&complete("gc", Details::Samples(samples))).unwrap());
    let titles: Vec<&str> = panels(&chart).iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["collection time", "allocated memory", "pause"]);
    let collection = bars(&panels(&chart)[0]);
    assert_eq!((collection[0].part, collection[1].part), (Some(0.0), None));
    assert_eq!(collection[1].text, "not recorded");
    assert_eq!(plain(&collection[0].reading), "collection time, observation 1: 0 s.");
    assert_eq!(chart.table.rows.len(), 6);
}

#[test]
fn thousands_of_types_are_thirty_and_the_rest_with_its_weight() {
    let types = (0..5000_u64).map(|at| HeapType {
        name: format!("T{at}{{<script>}}"),
        objects: Some(2),
        bytes: 10_000 - at,
    });
    let heap = HeapTypes {
        artifact_sha256: None,
        types: types.collect(),
        rest: HeapRest { types: 7, objects: 9, bytes: 1 },
    };
    let document = record::document(&complete("heap", Details::HeapTypes(heap))).unwrap();
    let chart = drawn(&document);
    let all = bars(&panels(&chart)[0]);
    assert_eq!((all.len(), document.plot.data.len()), (31, 31));
    assert!(all[30].rest && !all[29].rest);
    assert_eq!(plain(&all[30].label), "4 977 further types");
    let rest: u64 = (30..5000).map(|at| 10_000 - at).sum::<u64>() + 1;
    assert_eq!(document.plot.data[30]["value"], json!(rest));
}

#[test]
fn snapshots_keep_the_unit_of_their_axis_and_gaps() {
    let at = |time: u64, heap: Option<u64>| Snapshot {
        time: Some(Number::Unsigned(time)),
        heap_bytes: heap,
        extra_bytes: Some(0),
        stack_bytes: None,
    };
    let massif = Massif {
        time_unit: "instrumented instructions".to_owned(),
        snapshots: vec![at(0, Some(0)), at(500, None), at(1000, Some(4096))],
    };
    let chart = drawn(&record::document(&complete("massif", Details::Massif(massif))).unwrap());
    let Form::Curve(curve) = &panels(&chart)[0].form else { panic!("no curve") };
    assert_eq!(curve.across.title, "instrumented instructions");
    assert_eq!((curve.across.low, curve.across.high), (0.0, 1000.0));
    assert_eq!(curve.points.iter().map(|point| point.y).collect::<Vec<_>>(), [Some(0.0), None, Some(4096.0)]);
    assert!(chart.caption.fine.contains("counts instrumented instructions"), "{}", chart.caption.fine);
    assert!(!chart.caption.fine.contains("second"));
}

fn request(target: &str, os: &str, seconds: &[f64]) -> Record {
    let sample = |seconds: &f64| Counters {
        workload_seconds: Number::finite(*seconds),
        bytes_sent: Some(Number::Float(100.0)),
        bytes_received: Some(Number::Float(100.0)),
        ..Counters::default()
    };
    let payload = Payload { bytes: 64, samples: seconds.iter().map(sample).collect(), ..Payload::default() };
    Record {
        target: Some(target.to_owned()),
        os: Some(os.to_owned()),
        ..complete("network", Details::Network(Network { payloads: vec![payload], ..Network::default() }))
    }
}

#[test]
fn systems_and_repeated_measurements_never_share_an_axis() {
    let records = [
        request("1.10.0", "Linux", &[0.5, 0.25]),
        request("1.9.0", "Linux", &[1.0]),
        request("1.10.0", "Linux", &[8.0]),
        request("1.10.0", "Windows", &[4.0]),
    ];
    let campaigns = network::campaigns(&records, &BTreeMap::new());
    let labels = |at: usize| -> Vec<&str> {
        campaigns[at].records.iter().map(|one| one.record.target.as_deref().unwrap()).collect()
    };
    assert_eq!(campaigns.len(), 3);
    assert_eq!((labels(0), labels(1), labels(2)), (vec!["1.9.0", "1.10.0"], vec!["1.10.0"], vec!["1.10.0"]));
    let figures = &campaigns[0].payloads[0];
    let latency = drawn(figures.latency.as_ref().unwrap());
    assert_eq!(
        latency.columns.iter().map(|column| column.label.as_str()).collect::<Vec<_>>(),
        ["1.9.0", "1.10.0"]
    );
    let metrics: Vec<&Value> = figures.medians.iter().map(|one| &one.plot.options["metric"]).collect();
    assert_eq!(metrics, ["network.throughput", "network.bytes.sent", "network.bytes.received"]);
    let throughput = &figures.medians[0];
    assert_eq!(throughput.plot.data[1]["value"], json!(192.0), "the median of 64/0.5 and 64/0.25");
    assert!(throughput.plot.description.starts_with("Derived"));
    let ids: std::collections::BTreeSet<&str> = campaigns
        .iter()
        .flat_map(|campaign| &campaign.payloads)
        .flat_map(|figures| figures.latency.iter().chain(&figures.medians))
        .map(|document| document.plot.id.as_str())
        .collect();
    assert_eq!(ids.len(), 3 * 4);
}

fn profile(target: &str, weights: &[(u32, u64)]) -> Profile {
    let stack = |at: usize, weight: u64| Stack {
        leaf: CallTree::ROOT,
        site: Some(at as u32),
        weight: Number::Unsigned(weight),
    };
    Profile {
        path: "run".to_owned(),
        run_id: None,
        package: Some("Widget".into()),
        feature: Some("sort".into()),
        workload: None,
        target: Some(target.into()),
        target_kind: Some(TargetKind::Release),
        tool: "alloc".into(),
        definition: None,
        metric: "julia.alloc.bytes".into(),
        unit: "By".into(),
        kind: ProfileKind::Allocation,
        origin: Origin::Recorded,
        tree: Arc::default(),
        stacks: weights.iter().enumerate().map(|(at, one)| stack(at, one.1)).collect(),
        marks: Vec::new(),
        sites: weights.iter().map(|one| Site { file: "src/a.jl".into(), line: one.0 }).collect(),
        rows: weights.len(),
        samples: None,
        total: weights.iter().map(|one| Number::Unsigned(one.1)).sum(),
        partial: Vec::new(),
    }
}

#[test]
fn shares_follow_the_rule_of_the_other_slice() {
    let one = profile("1.0.0", &[(1, 900), (2, 50), (3, 49), (4, 1)]);
    let documents = allocation::documents(&one);
    let kinds: Vec<&str> = documents.iter().map(|document| document.plot.kind.as_str()).collect();
    assert_eq!(kinds, ["allocation_pie", "allocation_lines", "allocation_files"]);
    let chart = drawn(&documents[0]);
    let told: Vec<String> =
        bars(&panels(&chart)[0]).iter().map(|bar| plain(&format!("{} {}", bar.label, bar.more))).collect();
    assert_eq!(told, ["src/a.jl:1 90 %", "src/a.jl:2 5 %", "Other allocation sites (2) 5 %"]);
    assert!(bars(&panels(&chart)[0])[2].rest);
    let lines = drawn(&documents[1]);
    assert_eq!(bars(&panels(&lines)[0]).len(), 4);
    let counts = Profile { unit: "1".into(), ..one };
    assert!(allocation::documents(&counts).is_empty(), "these kinds are about bytes");
}

#[test]
fn not_observed_is_not_zero() {
    let (before, after) = (profile("1.0.0", &[(1, 36), (2, 0)]), profile("1.1.0", &[(1, 9)]));
    assert!(heat::document(&[&after]).is_none(), "one target is no map");
    let mut document = heat::document(&[&before, &after]).unwrap();
    let map = |document: &PlotDocument| -> Heat {
        match drawn(document).body {
            Body::Heat(map) => *map,
            other => panic!("no heat map: {other:?}"),
        }
    };
    let steps = |map: &Heat| -> Vec<Vec<Option<u8>>> {
        map.rows.iter().map(|row| row.cells.iter().map(|cell| cell.step).collect()).collect()
    };
    let found = map(&document);
    assert_eq!(found.columns, ["1.0.0", "1.1.0"]);
    assert_eq!(steps(&found), [[Some(6), Some(3)], [Some(0), None]]);
    assert_eq!(found.rows[1].cells[1].reading, "src/a.jl:2 at 1.1.0: not observed.");
    // Trap 7 of the format: the first generation cannot tell the two apart.
    document.plot.options.remove("missing_cell_policy");
    let found = map(&document);
    assert_eq!(steps(&found), [[Some(6), Some(3)], [None, None]]);
    assert_eq!(found.rows[1].cells[0].reading, "src/a.jl:2 at 1.0.0: zero or not observed.");
}

#[test]
fn rows_of_the_wrong_type_are_refused_with_their_place() {
    for (kind, row) in [
        ("record", json!({"panel": "a", "value": 1})),
        ("record", json!({"panel": "a", "label": "b", "value": true})),
        ("allocation_pie", json!({"label": "a", "bytes": "x"})),
        ("allocation_files", json!({"version": "1"})),
        ("allocation_heatmap", json!({"version": "1", "label": 3})),
    ] {
        let document: PlotDocument = serde_json::from_value(json!({"plot": {"schema_version": "perfolio-plot/1",
            "id": "x", "kind": kind, "title": "", "description": "", "encoding": {}, "data": [row], "options": {}}}))
        .unwrap();
        let error = chart(&document).unwrap_err();
        assert!(
            error.place.field.as_deref().is_some_and(|field| field.starts_with("plot.data[0].")),
            "{error}"
        );
        let empty = PlotDocument {
            plot: crate::evidence::plot::Plot { data: Vec::new(), ..document.plot },
            ..document
        };
        chart(&empty).unwrap();
    }
}
