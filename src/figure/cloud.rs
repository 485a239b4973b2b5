//! From the sheet of a trade-off to its chart: one mark per target, allocated bytes across, time upright.

use super::chart::{
    Axis, Body, Chart, Cloud, DataTable, Datum, End, Form, Line, Mark, Scale, Table, TableCell, TableRow,
    Texts, Tick,
};
use super::sheet::{Metric, Sheet};
use super::{boundaries, cloud_words, scale, tradeoff, words};
use crate::evidence::Number;
use crate::text::number;

/// Draws a sheet of time and allocated bytes.
pub(super) fn chart(sheet: &Sheet) -> Chart {
    let plot = &sheet.document.plot;
    let places: Vec<Option<(f64, f64)>> =
        (0..sheet.targets.len()).map(|target| tradeoff::place(sheet, target)).collect();
    let [time_scale, byte_scale] = tradeoff::scales(sheet);
    let [time, bytes] = tradeoff::both(sheet);
    let values = |pick: fn(&(f64, f64)) -> f64| places.iter().flatten().map(pick).collect::<Vec<_>>();
    let upright = axis(time, &values(|place| place.1), time_scale);
    let across = axis(bytes, &values(|place| place.0), byte_scale);
    let caption = cloud_words::caption(sheet, &upright, &across);
    let drawn: Vec<usize> = (0..places.len()).filter(|at| places[*at].is_some()).collect();
    // Programs that do the same work do not follow one another.
    let joined = sheet.targets.iter().all(|target| target.kind != "implementation");
    let end = |at: Option<usize>, word: &str| {
        at.map(|column| End {
            column,
            word: word.to_owned(),
            note: cloud_words::short_pair(sheet, column).unwrap_or_default(),
        })
    };
    let newest = drawn.last().copied().filter(|_| joined && drawn.len() > 1);
    let first = drawn.first().copied().filter(|_| newest.is_some());
    let cloud = Cloud {
        key: bytes.id.clone(),
        name: bytes.name.running.clone(),
        unit: bytes.scale.symbol().to_owned(),
        places: places.iter().map(|place| place.map(|place| place.0)).collect(),
        joined,
        first: end(first, if first == Some(0) { "first" } else { "first drawn" }),
        newest: end(newest, if newest == places.len().checked_sub(1) { "newest" } else { "newest drawn" }),
        across,
    };
    let table = table(sheet);
    Chart {
        id: plot.id.clone(),
        kind: plot.kind.clone(),
        heading: cloud_words::heading(sheet),
        title: cloud_words::title(sheet),
        description: cloud_words::description(sheet, &caption),
        columns: sheet.targets.clone(),
        boundaries: Vec::new(),
        reference: None,
        lines: vec![line(sheet, &upright, &cloud.across, &places)],
        body: Body::Cloud(Box::new(cloud)),
        step: None,
        ribbons: Vec::new(),
        package_counts: Vec::new(),
        rest: cloud_words::rest(sheet),
        data: data(sheet),
        provenance: words::provenance(sheet),
        axis: upright,
        caption,
        table,
    }
}

/// The axis of one metric. Nothing but zeros has its one tick in the middle: a range would be invented.
fn axis(metric: &Metric, values: &[f64], wanted: Scale) -> Axis {
    let mut axis = scale::axis(String::new(), values, wanted, true);
    if !values.is_empty() && values.iter().all(|&value| value == 0.0) {
        let zero = Tick { value: 0.0, label: number::short(0.0) };
        axis = Axis { scale: Scale::Linear, low: -1.0, high: 1.0, ticks: vec![zero], ..axis };
    }
    axis.title = format!(
        "{}{}, {}",
        metric.name.running,
        tradeoff::unit(metric),
        match axis.scale {
            Scale::Linear => "linear",
            Scale::Log => "logarithmic",
        }
    );
    axis
}

fn line(sheet: &Sheet, upright: &Axis, across: &Axis, places: &[Option<(f64, f64)>]) -> Line {
    let [time, bytes] = tradeoff::both(sheet);
    let at_edge = |axis: &Axis, value: f64| axis.scale == Scale::Log && value <= 0.0;
    let last = places.iter().rposition(Option::is_some);
    let mark = |target: usize| Mark {
        value: places[target].map(|place| place.1),
        form: match places[target] {
            None => Form::Absent(cloud_words::lack(sheet, target).unwrap_or_default()),
            Some(place) if at_edge(across, place.0) || at_edge(upright, place.1) => Form::ZeroOnLog,
            Some(_) => Form::Measured,
        },
        reading: cloud_words::reading(sheet, target),
    };
    Line {
        key: time.id.clone(),
        name: format!("{} against {}", time.name.running, bytes.name.running),
        slot: time.slot,
        unit: time.scale.symbol().to_owned(),
        shown: true,
        last: match last.and_then(|target| cloud_words::pair(sheet, target)) {
            Some(pair) => pair,
            None => "no value".to_owned(),
        },
        last_note: match last {
            Some(target) if target + 1 < places.len() => format!("at {}", sheet.targets[target].label),
            _ => String::new(),
        },
        marks: (0..places.len()).map(mark).collect(),
    }
}

/// One row per target: date, time, allocated bytes.
fn table(sheet: &Sheet) -> Table {
    let metrics = tradeoff::both(sheet);
    let noun = sheet.noun();
    let rules = boundaries::boundaries(&sheet.targets, &sheet.details.dependencies);
    let values = |metric: &Metric| -> Vec<Option<Number>> {
        (0..sheet.targets.len()).map(|target| sheet.value(metric, target)).collect()
    };
    let all = metrics.map(values);
    let columns: Vec<_> = metrics
        .iter()
        .zip(&all)
        .map(|(metric, all)| metric.scale.column(all.iter().flatten().map(|value| value.as_f64())))
        .collect();
    let lowest: Vec<Option<Number>> = all.iter().map(|all| all.iter().flatten().min().copied()).collect();
    let rows = sheet.targets.iter().enumerate().map(|(target, column)| {
        let date = TableCell { text: column.date.clone().unwrap_or_default(), ..TableCell::default() };
        let mut cells = vec![date];
        for (at, metric) in metrics.iter().enumerate() {
            let value = all[at][target];
            cells.push(TableCell {
                text: match value {
                    Some(value) => shown(metric, value, columns[at]),
                    None => format!("— {}", cloud_words::missing(sheet, metric, target)),
                },
                // The sentence of the mark stands with its time; the other cell names its own metric.
                line: (at == 0).then_some(0),
                exact: value,
                numeric: value.is_some(),
                strong: value.is_some() && value == lowest[at],
                is_ratio: false,
            });
        }
        TableRow {
            target: column.label.clone(),
            boundary: target > 0 && rules.iter().any(|rule| rule.before == target),
            cells,
        }
    });
    let mut head = vec![noun.0.to_owned(), "date".to_owned()];
    head.extend(metrics.map(|metric| format!("{}{}", metric.name.running, tradeoff::unit(metric))));
    Table {
        summary: format!("Values, {}", cloud_words::extent(sheet, false)),
        caption: format!("Median per {}. Bold: the lowest.", noun.0),
        head,
        rows: rows.collect(),
    }
}

fn shown(metric: &Metric, value: Number, column: number::Column) -> String {
    match value.as_whole() {
        Some(whole) if metric.scale.keeps_values() && column.decimals() == 0 && whole.abs() < 1 << 64 => {
            number::whole(whole)
        }
        _ => column.print(metric.scale.convert(value.as_f64())),
    }
}

/// Every target with both values, as recorded.
fn data(sheet: &Sheet) -> DataTable {
    let [time, bytes] = tradeoff::both(sheet);
    let mut texts = Texts::default();
    let rows = sheet.targets.iter().enumerate().map(|(target, column)| {
        let mut runs: Vec<&str> =
            [time, bytes].into_iter().filter_map(|metric| sheet.run(metric, target)).collect();
        runs.dedup();
        let lack = cloud_words::lack(sheet, target);
        vec![
            texts.text(0, &column.label),
            texts.text(1, &column.kind),
            texts.text(2, column.date.as_deref().unwrap_or_default()),
            Datum::number(sheet.value(time, target)),
            texts.text(3, &time.unit),
            Datum::number(sheet.value(bytes, target)),
            texts.text(4, &bytes.unit),
            texts.text(5, "median"),
            texts.text(6, if lack.is_some() { "missing_measurement" } else { "value" }),
            texts.text(7, &lack.unwrap_or_default()),
            texts.text(8, &runs.join("; ")),
        ]
    });
    let head = [
        "target",
        "target_kind",
        "date",
        "time",
        "time_unit",
        "bytes",
        "bytes_unit",
        "statistic",
        "status",
        "reason",
        "run_id",
    ];
    DataTable { head: head.map(str::to_owned).to_vec(), rows: rows.collect() }
}
