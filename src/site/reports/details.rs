//! What only one sort of tool records, as tables. A figure of the same stands before its table once there is one.

use crate::analyze::network::{latency, throughput};
use crate::analyze::record::{HEAP_TYPES, heap_top, massif_peak};
use crate::analyze::{Statistic, Summary};
use crate::evidence::record::{
    Column, Counters, Details, HeapTypes, Isolation, Massif, Network, Payload, Samples,
};
use crate::evidence::{Number, Record};
use crate::text::list;
use crate::text::number;
use crate::text::unit::{Dimension, Unit};
use crate::theme::view::{Section, Span, Table, TableCell, TableRow};

use super::record::{cell, columns, one_group, row};
use super::words;

/// Most observations that stand as columns of a table.
const ABREAST: usize = 8;
/// Most rows of a table of observations; the file has all.
const ROWS: usize = 1000;

/// The tables of a record's details.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    match &record.details {
        Details::None => Vec::new(),
        Details::Samples(samples) => of_samples(record, samples),
        Details::HeapTypes(heap) => vec![of_heap(heap)],
        Details::Massif(massif) => vec![of_massif(massif)],
        Details::Network(network) => of_network(network),
        Details::Isolation(isolation) => vec![of_isolation(record, isolation)],
    }
}

/// What a reader of these samples may take them for and should not.
fn caution(tool: &str) -> &'static [&'static str] {
    match tool {
        "gc" => &[
            "Bytes can be allocated without a collection in a short window: zero collection time does not make them free.",
            "The counters are those of the whole process.",
        ],
        "locks" => &["Conflicts are counted. How long anybody waited was not measured."],
        "memory" => &[
            "Reachable memory counts objects of the runtime, shared ones once. Resident memory is that of the whole process, native libraries included.",
            "A larger result or an intended cache is not a leak.",
        ],
        _ => &[],
    }
}

fn of_samples(record: &Record, samples: &Samples) -> Vec<Section> {
    let count = samples.columns.iter().map(|column| column.values.len()).max().unwrap_or(0);
    let mut notes: Vec<String> = caution(&record.tool).iter().map(|text| (*text).to_owned()).collect();
    if let Some(provider) = &samples.provider {
        notes.push(format!("Counted by {provider}."));
    }
    let heading = list::counted(count, "observation", "observations");
    let label = format!("{heading} of {}", list::counted(samples.columns.len(), "quantity", "quantities"));
    let mut first = Section {
        id: "samples".to_owned(),
        heading,
        notes,
        table: Some(abreast(samples, count, &label)),
        ..Section::default()
    };
    if count <= ABREAST {
        return vec![first];
    }
    first.heading = format!("{}, in sum", first.heading);
    let each = Section {
        id: "each".to_owned(),
        heading: "Each observation".to_owned(),
        notes: (count > ROWS)
            .then(|| {
                format!("The first {} of {}.", number::whole(ROWS as i128), number::whole(count as i128))
            })
            .into_iter()
            .collect(),
        table: Some(each(samples, count)),
        summary: label,
        ..Section::default()
    };
    vec![first, each]
}

/// A quantity a row: every observation where they are few, else the smallest, the median and the largest.
fn abreast(samples: &Samples, count: usize, label: &str) -> Table {
    let all = count <= ABREAST;
    let mut heads = vec![("quantity".to_owned(), false)];
    if all {
        heads.extend((1..=count).map(|at| (at.to_string(), true)));
    } else {
        heads.extend(["n", "smallest", "median", "largest"].map(|word| (word.to_owned(), true)));
    }
    let heads: Vec<(&str, bool)> = heads.iter().map(|(text, right)| (text.as_str(), *right)).collect();
    let rows = samples.columns.iter().map(|column| {
        let print = printer(column);
        let mut cells =
            vec![TableCell { note: words::recorded_name(&column.name), ..cell(print.name.clone()) }];
        if all {
            cells.extend(column.values.iter().map(|value| cell(print.cell(*value))));
        } else {
            let summary = Summary::of(column.values.iter().flatten().copied());
            let get = |statistic| summary.as_ref().and_then(|summary| summary.get(statistic));
            cells.push(cell(number::whole(column.values.iter().flatten().count() as i128)));
            for statistic in [Statistic::Minimum, Statistic::Median, Statistic::Maximum] {
                cells.push(cell(print.cell(get(statistic))));
            }
        }
        row(cells)
    });
    Table { label: label.to_owned(), columns: columns(&heads), groups: one_group(rows.collect()) }
}

fn each(samples: &Samples, count: usize) -> Table {
    let printers: Vec<Printer> = samples.columns.iter().map(printer).collect();
    let mut heads = vec![("observation", false)];
    heads.extend(printers.iter().map(|print| (print.name.as_str(), true)));
    let rows = (0..count.min(ROWS)).map(|at| {
        let mut cells = vec![cell((at + 1).to_string())];
        for (column, print) in samples.columns.iter().zip(&printers) {
            cells.push(cell(print.cell(column.values.get(at).copied().flatten())));
        }
        row(cells)
    });
    Table {
        label: "Each observation".to_owned(),
        columns: columns(&heads),
        groups: one_group(rows.collect()),
    }
}

/// How the values of one quantity are printed: in one unit, which its name carries.
struct Printer {
    name: String,
    scale: crate::text::unit::Scale,
    places: crate::text::number::Column,
}

impl Printer {
    fn cell(&self, value: Option<Number>) -> String {
        let Some(value) = value else { return "not recorded".to_owned() };
        match value.as_whole() {
            Some(whole) if self.scale.keeps_values() => number::whole(whole),
            _ => self.places.print(self.scale.convert(value.as_f64())),
        }
    }
}

fn printer(column: &Column) -> Printer {
    let values = || column.values.iter().flatten().map(|value| value.as_f64());
    // Bytes are read one by one here, so they keep every digit.
    let unit = Unit::parse(column.unit);
    let scale = if unit.dimension() == Dimension::Bytes { unit.scale([]) } else { unit.scale(values()) };
    let name = words::name(&column.name);
    let name = match (scale.symbol(), column.unit) {
        ("", "") => format!("{name}, unit not recorded"),
        ("", _) => name,
        (symbol, _) => format!("{name}, {symbol}"),
    };
    Printer { name, places: scale.column(values()), scale }
}

fn bytes(value: u64) -> String {
    words::value(Number::Unsigned(value), "By")
}

fn share(part: u64, all: u64) -> String {
    if all == 0 { String::new() } else { format!("{} %", number::fixed(100.0 * part as f64 / all as f64, 1)) }
}

fn of_heap(heap: &HeapTypes) -> Section {
    let (top, rest) = heap_top(heap, HEAP_TYPES);
    let (_, all) = heap_top(heap, 0);
    let line = |name: String, code: bool, objects: String, size: u64| {
        row(vec![
            TableCell { code, ..cell(name) },
            cell(objects),
            cell(bytes(size)),
            cell(number::whole(size.into())),
            cell(share(size, all.bytes)),
        ])
    };
    let mut rows: Vec<TableRow> = top
        .iter()
        .map(|one| {
            let objects = one.objects.map_or("not recorded".to_owned(), |count| number::whole(count.into()));
            line(one.name.clone(), true, objects, one.bytes)
        })
        .collect();
    if rest.types > 0 {
        let types =
            list::counted(usize::try_from(rest.types).unwrap_or(usize::MAX), "other type", "other types");
        rows.push(line(types, false, number::whole(rest.objects.into()), rest.bytes));
    }
    let mut notes = vec![
        "Sizes are those of the objects alone, without what they refer to: their sum is not what would be freed by letting go of something."
            .to_owned(),
    ];
    if let Some(digest) = &heap.artifact_sha256 {
        notes.push(format!("From the heap snapshot with SHA-256 {digest}."));
    }
    Section {
        id: "types".to_owned(),
        heading: match rest.types {
            0 => list::counted(top.len(), "type", "types"),
            _ => format!("The {} largest of {} types", top.len(), number::whole(all.types.into())),
        },
        notes,
        table: Some(Table {
            label: "Objects on the heap by type".to_owned(),
            columns: columns(&[
                ("type", false),
                ("objects", true),
                ("shallow size", true),
                ("bytes", true),
                ("share", true),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    }
}

fn of_massif(massif: &Massif) -> Section {
    let unit = if massif.time_unit.is_empty() { "unit not recorded" } else { &massif.time_unit };
    let size =
        |value: Option<u64>| value.map_or("not recorded".to_owned(), |value| number::whole(value.into()));
    let peak = massif_peak(massif);
    let rows = massif.snapshots.iter().take(ROWS).enumerate().map(|(at, one)| {
        let is_peak = peak.is_some_and(|(peak, _)| peak == at);
        row(vec![
            TableCell {
                note: if is_peak { "peak".to_owned() } else { String::new() },
                ..cell((at + 1).to_string())
            },
            cell(one.time.map_or("not recorded".to_owned(), |time| words::value(time, "1"))),
            cell(size(one.heap_bytes)),
            cell(size(one.extra_bytes)),
            cell(size(one.stack_bytes)),
        ])
    });
    let rows: Vec<TableRow> = rows.collect();
    let place = format!("place on the axis, {unit}");
    let mut notes = vec![if unit == "ms" || unit == "s" || unit == "seconds" || unit == "milliseconds" {
        format!("The axis is time as the tool counts it, in {unit}.")
    } else {
        format!("The axis counts {unit}. That is not time in seconds.")
    }];
    notes.push(
        "One process: other processes have reports of their own, and their snapshots are never joined."
            .to_owned(),
    );
    if massif.snapshots.len() > ROWS {
        notes.push(format!("The first {} are listed.", number::whole(ROWS as i128)));
    }
    let says = peak.and_then(|(_, peak)| {
        let heap = peak.heap_bytes?;
        let at = peak.time.map(|time| format!(" at {} {unit}", words::value(time, "1"))).unwrap_or_default();
        let extra = peak.extra_bytes.map(|extra| format!(", and {} that the allocator added", bytes(extra)));
        Some(vec![
            Span::plain("Largest heap: "),
            Span::strong(bytes(heap)),
            Span::plain(format!("{}{at}.", extra.unwrap_or_default())),
        ])
    });
    Section {
        id: "snapshots".to_owned(),
        heading: list::counted(massif.snapshots.len(), "snapshot", "snapshots"),
        says: says.unwrap_or_default(),
        notes,
        summary: "Every snapshot".to_owned(),
        table: Some(Table {
            label: "Heap along the run".to_owned(),
            columns: columns(&[
                ("snapshot", false),
                (&place, true),
                ("requested, B", true),
                ("allocator added, B", true),
                ("stacks, B", true),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    }
}

/// The smallest and the largest of a counter over several windows; says when some or all of them recorded none.
fn counter(samples: &[Counters], get: impl Fn(&Counters) -> Option<Number>, unit: &str) -> String {
    range(samples, get, unit).unwrap_or_else(|| "not recorded".to_owned())
}

/// As [`counter`]; none when no window recorded it.
fn range(samples: &[Counters], get: impl Fn(&Counters) -> Option<Number>, unit: &str) -> Option<String> {
    let values: Vec<Number> = samples.iter().filter_map(get).collect();
    let range = words::range(&values, unit)?;
    Some(match values.len() {
        all if all == samples.len() => range,
        some => format!("{range} ({})", words::recorded_of(some, samples.len())),
    })
}

/// Head of the column that [`discarded`] fills.
pub(super) const DISCARDED: &str = "discarded, sent / received";

/// The discarded packets of both directions.
pub(super) fn discarded(samples: &[Counters]) -> String {
    let sent = range(samples, |one| one.discarded_sent, "1");
    let received = range(samples, |one| one.discarded_received, "1");
    let text = |range: Option<String>| range.unwrap_or_else(|| "not recorded".to_owned());
    match (sent, received) {
        (None, None) => text(None),
        (sent, received) => format!("{} / {}", text(sent), text(received)),
    }
}

/// What the application itself sent and received with one request.
fn application(payload: &Payload) -> String {
    let size =
        |bytes: Option<u64>| bytes.map_or("not recorded".to_owned(), |bytes| number::whole(bytes.into()));
    match (payload.request_bytes, payload.response_bytes) {
        (None, None) => "not recorded".to_owned(),
        (request, response) => format!("{} / {}", size(request), size(response)),
    }
}

/// Heads of the columns that [`payload_cells`] fills.
pub(super) const PAYLOAD: [(&str, bool); 12] = [
    ("requests, oracle", false),
    ("minimum", true),
    ("median", true),
    ("p95", true),
    ("maximum", true),
    ("throughput, median, derived", true),
    ("bytes sent", true),
    ("bytes received", true),
    ("packets sent", true),
    ("packets received", true),
    (DISCARDED, true),
    ("application bytes, request / response", true),
];

/// The cells of the requests of one payload size.
pub(super) fn payload_cells(payload: &Payload) -> Vec<TableCell> {
    let summary = latency(payload);
    let time = |statistic| {
        let value = summary.as_ref().and_then(|summary| summary.get(statistic));
        cell(value.map_or("not recorded".to_owned(), |value| words::value(value, "s")))
    };
    let through = Summary::of(payload.samples.iter().filter_map(|sample| throughput(payload, sample)));
    let through = through.and_then(|summary| summary.get(Statistic::Median));
    let samples = &payload.samples;
    let timed = samples.iter().filter(|sample| sample.workload_seconds.is_some()).count();
    let some = (1..samples.len()).contains(&timed);
    let requests = cell(format!(
        "{}, {}",
        number::whole(samples.len() as i128),
        payload.correctness.as_deref().map_or("not recorded".to_owned(), words::plain)
    ));
    let note =
        if some { format!("time {}", words::recorded_of(timed, samples.len())) } else { String::new() };
    vec![
        TableCell { note, ..requests },
        time(Statistic::Minimum),
        time(Statistic::Median),
        time(Statistic::P95),
        time(Statistic::Maximum),
        cell(through.map_or("not recorded".to_owned(), |value| words::value(value, "By/s"))),
        cell(counter(samples, |one| one.bytes_sent, "1")),
        cell(counter(samples, |one| one.bytes_received, "1")),
        cell(counter(samples, |one| one.packets_sent, "1")),
        cell(counter(samples, |one| one.packets_received, "1")),
        cell(discarded(samples)),
        cell(application(payload)),
    ]
}

/// How to read counters and latencies.
pub(super) fn network_notes(network: &Network) -> Vec<String> {
    let mut notes = vec![
        "The round trip includes client, server and scheduling. Throughput is payload size by round-trip time: derived, not recorded."
            .to_owned(),
        "Bytes and packets are those of the interface, protocol included, from the smallest to the largest request. Sent and received are two directions and are never added."
            .to_owned(),
    ];
    notes.extend(network.counter_note.as_ref().map(|text| format!("The document says: “{text}”")));
    notes
}

fn of_network(network: &Network) -> Vec<Section> {
    let mut heads = vec![("payload", false)];
    heads.extend(PAYLOAD);
    let rows = network.payloads.iter().map(|payload| {
        let mut cells = vec![cell(words::payload(payload.bytes))];
        cells.extend(payload_cells(payload));
        row(cells)
    });
    let mut sections = vec![Section {
        id: "payloads".to_owned(),
        heading: "By payload size".to_owned(),
        notes: network_notes(network),
        table: Some(Table {
            label: "Round trips by payload size".to_owned(),
            columns: columns(&heads),
            groups: one_group(rows.collect()),
        }),
        ..Section::default()
    }];
    if !network.idle.is_empty() {
        let rows = network.idle.iter().enumerate().map(|(at, one)| {
            let mut cells = vec![cell((at + 1).to_string())];
            cells.extend(idle_cells(std::slice::from_ref(one)));
            row(cells)
        });
        let mut heads = vec![("window", false)];
        heads.extend(IDLE);
        sections.push(Section {
            id: "idle".to_owned(),
            heading: list::counted(network.idle.len(), "idle control window", "idle control windows"),
            notes: vec![
                "Windows without requests show whether traffic of others was counted too.".to_owned(),
            ],
            table: Some(Table {
                label: "Idle control windows".to_owned(),
                columns: columns(&heads),
                groups: one_group(rows.collect()),
            }),
            ..Section::default()
        });
    }
    sections
}

/// Heads of the columns that [`idle_cells`] fills.
pub(super) const IDLE: [(&str, bool); 6] = [
    ("length", true),
    ("bytes sent", true),
    ("bytes received", true),
    ("packets sent", true),
    ("packets received", true),
    (DISCARDED, true),
];

/// The cells of idle windows.
pub(super) fn idle_cells(windows: &[Counters]) -> Vec<TableCell> {
    vec![
        cell(counter(windows, |one| one.seconds, "s")),
        cell(counter(windows, |one| one.bytes_sent, "1")),
        cell(counter(windows, |one| one.bytes_received, "1")),
        cell(counter(windows, |one| one.packets_sent, "1")),
        cell(counter(windows, |one| one.packets_received, "1")),
        cell(discarded(windows)),
    ]
}

/// What isolated totals are and are not.
pub(super) const ISOLATED: &str = "Totals of one process tree over the whole recorded phase, everything besides the requests included. They are not divided into requests, and no latency follows from them.";

fn of_isolation(record: &Record, isolation: &Isolation) -> Section {
    let mut rows = Vec::new();
    let mut say = |name: &str, text: Option<String>| {
        rows.push(row(vec![cell(name), cell(text.unwrap_or_else(|| "not recorded".to_owned()))]));
    };
    let counters = &isolation.counters;
    let text = |word: Option<&str>| word.map(words::plain);
    say("whose traffic", text(counters.attribution_scope.as_deref()));
    say("counted at", text(counters.capture_layer.as_deref()));
    say("interface", counters.interface.as_deref().map(str::to_owned));
    say("phase", text(isolation.phase.as_deref()));
    say("isolated by", isolation.provider.clone());
    say("counted by", isolation.counter_provider.clone());
    say(
        "could reach the outside",
        isolation.external_connectivity.map(|yes| if yes { "yes" } else { "no" }.to_owned()),
    );
    say("HTTP library", isolation.http_version.clone());
    say("what the times are good for", text(counters.latency_context.as_deref()));
    Section {
        id: "isolation".to_owned(),
        heading: "Whose traffic, and how it was counted".to_owned(),
        notes: vec![
            ISOLATED.to_owned(),
            "Sent and received are two directions and are never added.".to_owned(),
            record.scope.as_ref().map(|scope| format!("Scope as recorded: {scope}")).unwrap_or_default(),
        ]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect(),
        table: Some(Table {
            label: "Whose traffic, and how it was counted".to_owned(),
            columns: columns(&[("what", false), ("as recorded", false)]),
            groups: one_group(rows),
        }),
        ..Section::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many requests stand behind a number, what was discarded, and what the application sent are told.
    #[test]
    fn counters_say_what_is_behind_them() {
        let sample = |sent: Option<u64>| Counters {
            bytes_sent: sent.map(Number::Unsigned),
            discarded_sent: Some(Number::Unsigned(7)),
            discarded_received: Some(Number::ZERO),
            ..Counters::default()
        };
        let payload = Payload {
            bytes: 64,
            request_bytes: Some(4096),
            samples: vec![sample(Some(540)), sample(None)],
            ..Payload::default()
        };
        let cells: Vec<String> = payload_cells(&payload).into_iter().map(|cell| cell.text).collect();
        assert_eq!(cells.len(), PAYLOAD.len());
        let at = |head: &str| &cells[PAYLOAD.iter().position(|one| one.0 == head).unwrap()];
        assert_eq!(at("bytes sent"), "540 (recorded for 1 of 2)");
        assert_eq!(at(DISCARDED), "7 / 0");
        assert_eq!(at("application bytes, request / response"), "4\u{202f}096 / not recorded");
        assert_eq!(idle_cells(&payload.samples).len(), IDLE.len());
    }
}
