//! `record`: the numbers that one tool recorded, quantity by quantity in their own units.
//!
//! Our own kind (design §5): latency phases, observations of collections, locks and memory, types of heap objects,
//! Massif's snapshots, counters of an isolated process tree. Rows name their quantity (`panel`), what they stand for
//! (`label`), value and unit; rows of a curve also what it runs over (`across`, `across_unit`).

use serde_json::{Map, Value, json};

use super::document;
use super::panels::{self, Entry, Quantity, Words, field, text, wrong};
use crate::analyze::record::{HEAP_TYPES, heap_top};
use crate::error::Result;
use crate::evidence::plot::{PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::record::{Counters, Details, HeapTypes, Isolation, Massif, Record, Samples, Status};
use crate::evidence::row::Row;
use crate::evidence::{Number, record};
use crate::text::list;

/// Name of the kind.
pub const KIND: &str = "record";

type Object = Map<String, Value>;

/// The figure of what a tool recorded; none for tools that did not complete, and for records with fewer than two
/// values. Requests over a network have figures of their own ([`super::network`]).
pub fn document(record: &Record) -> Option<PlotDocument> {
    if record.status != Status::Complete {
        return None;
    }
    let (subject, rows) = match &record.details {
        Details::None => ("recorded numbers", of_numbers(&record.numbers)),
        Details::Samples(samples) => ("observations", of_samples(samples)),
        Details::HeapTypes(heap) => ("types of heap objects", of_heap(heap)),
        Details::Massif(massif) => ("snapshots", of_massif(massif)),
        Details::Isolation(isolation) => ("totals of the process tree", of_isolation(isolation)),
        Details::Network(_) => return None,
    };
    let values = rows.iter().filter(|row| row.get("value").is_some_and(|value| !value.is_null())).count();
    (values > 1).then(|| wrap(record, subject, rows))
}

/// Wraps rows with what the record says about itself.
fn wrap(record: &Record, subject: &str, data: Vec<Object>) -> PlotDocument {
    let told = |text: &Option<String>| json!(text.as_deref().unwrap_or_default());
    let options: Vec<(&str, Value)> = vec![
        ("package", told(&record.package)),
        ("feature", told(&record.feature)),
        ("target", told(&record.target)),
        ("tool", json!(record.tool)),
        ("tool_version", told(&record.tool_version)),
        ("scope", told(&record.scope)),
        ("file", json!(record.path)),
        ("subject", json!(subject)),
    ];
    // What was recorded, not where it lies: the same file in an archive has the same figure.
    let rows = data.iter().cloned().collect::<Value>().to_string();
    let parts = [
        record.tool.as_str(),
        record.package.as_deref().unwrap_or_default(),
        record.target.as_deref().unwrap_or_default(),
        record.date.as_deref().unwrap_or_default(),
        subject,
        &rows,
    ];
    let package = record.package.as_deref().map_or_else(String::new, |package| format!("{package} · "));
    let keep = |(name, value): (&str, Value)| (value != "").then(|| (name.to_owned(), value));
    PlotDocument {
        run_id: record.run_id.clone(),
        started_at: record.date.clone(),
        runtime: record.runtime.clone(),
        os: record.os.clone(),
        correctness: record.correctness.clone(),
        scope: record.scope.clone(),
        plot: Plot {
            schema_version: PERFOLIO_PLOT.to_owned(),
            id: document::id(KIND, &parts),
            kind: KIND.to_owned(),
            title: format!("{package}{} · {subject}", record.tool),
            description: "What the tool recorded, each quantity in its own unit.".to_owned(),
            encoding: [("x", "value"), ("y", "label"), ("facet", "panel")]
                .map(|(channel, field)| (channel.to_owned(), json!(field)))
                .into_iter()
                .collect(),
            data: Row::all(data),
            options: options.into_iter().filter_map(keep).collect(),
        },
        ..PlotDocument::default()
    }
}

fn row(panel: &str, label: &str, value: Option<Number>, unit: &str) -> Object {
    [("panel", json!(panel)), ("label", json!(label)), ("value", json!(value)), ("unit", json!(unit))]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

/// A recorded name in words: `gc_seconds` without its unit and underscores.
fn words(name: &str, unit: &str) -> String {
    const KNOWN: [(&str, &str); 13] = [
        ("load_seconds", "loading"),
        ("first_case_seconds", "first lifecycle"),
        ("warm_case_seconds", "warm lifecycle"),
        ("operation_seconds", "operation time"),
        ("gc_seconds", "collection time"),
        ("allocated_bytes", "allocated memory"),
        ("state_before_bytes", "reachable before"),
        ("state_after_bytes", "reachable after"),
        ("state_and_result_bytes", "reachable with the result"),
        ("rss_before_bytes", "resident memory before"),
        ("rss_after_bytes", "resident memory after"),
        ("peak_rss_before_bytes", "peak resident memory before"),
        ("peak_rss_after_bytes", "peak resident memory after"),
    ];
    if let Some((_, words)) = KNOWN.iter().find(|known| known.0 == name) {
        return (*words).to_owned();
    }
    let unit = match unit {
        "s" => "_seconds",
        "By" => "_bytes",
        _ => "",
    };
    let short = name.strip_suffix(unit).filter(|short| !short.is_empty()).unwrap_or(name);
    short.replace('_', " ")
}

/// Numbers of one unit share a panel, in the recorded order; those of a phase stand in the order of the work.
fn of_numbers(numbers: &[record::Quantity]) -> Vec<Object> {
    const PHASES: [&str; 3] = ["load_seconds", "first_case_seconds", "warm_case_seconds"];
    let mut numbers: Vec<&record::Quantity> = numbers.iter().collect();
    numbers.sort_by_key(|one| PHASES.iter().position(|phase| *phase == one.name).unwrap_or(PHASES.len()));
    let mut units: Vec<&str> = Vec::new();
    for one in &numbers {
        if !units.contains(&one.unit.as_str()) {
            units.push(&one.unit);
        }
    }
    let mut rows = Vec::new();
    for unit in units {
        let all: Vec<_> = numbers.iter().filter(|one| one.unit == unit).collect();
        let panel = match unit {
            "s" => "duration",
            "By" => "memory",
            "1" | "" => "count",
            other => other,
        };
        rows.extend(all.into_iter().map(|one| row(panel, &words(&one.name, unit), Some(one.value), unit)));
    }
    rows
}

/// Quantities that differ between observations come first; of the others those that say most.
fn of_samples(samples: &Samples) -> Vec<Object> {
    const FIRST: [&str; 9] = [
        "operation_seconds",
        "gc_seconds",
        "allocated_bytes",
        "lock_conflicts",
        "state_before_bytes",
        "state_after_bytes",
        "state_and_result_bytes",
        "rss_before_bytes",
        "rss_after_bytes",
    ];
    let mut columns: Vec<&record::Column> = samples.columns.iter().collect();
    columns.sort_by_key(|column| FIRST.iter().position(|name| *name == column.name).unwrap_or(FIRST.len()));
    let mut rows = Vec::new();
    for column in columns {
        for (at, value) in column.values.iter().enumerate() {
            let label = format!("observation {}", at + 1);
            rows.push(row(&words(&column.name, column.unit), &label, *value, column.unit));
        }
    }
    rows
}

fn of_heap(heap: &HeapTypes) -> Vec<Object> {
    let (top, rest) = heap_top(heap, HEAP_TYPES);
    let shallow = |label: &str, bytes: u64, objects: Option<u64>| {
        let mut row = row("shallow bytes", label, Some(Number::Unsigned(bytes)), "By");
        if let Some(objects) = objects {
            row.insert("objects".to_owned(), json!(objects));
        }
        row
    };
    let mut rows: Vec<Object> = top.iter().map(|one| shallow(&one.name, one.bytes, one.objects)).collect();
    if rest.types > 0 {
        let label =
            list::counted(usize::try_from(rest.types).unwrap_or(usize::MAX), "further type", "further types");
        let mut row = shallow(&label, rest.bytes, Some(rest.objects));
        row.insert("types".to_owned(), json!(rest.types));
        rows.push(row);
    }
    rows
}

fn of_massif(massif: &Massif) -> Vec<Object> {
    type Pick = fn(&record::Snapshot) -> Option<u64>;
    let quantities: [(&str, Pick); 3] = [
        ("heap", |one| one.heap_bytes),
        ("allocator overhead", |one| one.extra_bytes),
        ("stacks", |one| one.stack_bytes),
    ];
    let mut rows = Vec::new();
    for (panel, pick) in quantities {
        for (at, snapshot) in massif.snapshots.iter().enumerate() {
            let value = pick(snapshot).map(Number::Unsigned);
            let mut row = row(panel, &format!("snapshot {}", at + 1), value, "By");
            row.insert("across".to_owned(), json!(snapshot.time));
            row.insert("across_unit".to_owned(), json!(massif.time_unit));
            rows.push(row);
        }
    }
    rows
}

/// Sent and received stand in panels of their own and are never added: on a loopback both count the same bytes.
fn of_isolation(isolation: &Isolation) -> Vec<Object> {
    type Pick = fn(&Counters) -> [Option<Number>; 2];
    let quantities: [(&str, &str, Pick); 3] = [
        ("bytes", "By", |one| [one.bytes_sent, one.bytes_received]),
        ("packets", "1", |one| [one.packets_sent, one.packets_received]),
        ("discarded packets", "1", |one| [one.discarded_sent, one.discarded_received]),
    ];
    let mut rows = Vec::new();
    for (panel, unit, pick) in quantities {
        let values = pick(&isolation.counters);
        if values.iter().any(Option::is_some) {
            rows.extend(
                ["sent", "received"].iter().zip(values).map(|(label, value)| row(panel, label, value, unit)),
            );
        }
    }
    rows
}

/// Draws what a tool recorded.
///
/// # Errors
/// A row without its quantity or label, or with something else than a number.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    let option = |name: &str| text(&document.plot.options, name).unwrap_or_default();
    let mut quantities: Vec<Quantity> = Vec::new();
    let mut objects = false;
    for (at, row) in document.plot.data.iter().enumerate() {
        let panel = text(row, "panel").ok_or_else(|| wrong(at, "panel", "is not a text"))?;
        let label = text(row, "label").ok_or_else(|| wrong(at, "label", "is not a text"))?;
        let unit = text(row, "unit").unwrap_or_default();
        let over = text(row, "across_unit").map(|unit| (unit.to_owned(), unit.to_owned()));
        let held = field(row, at, "objects")?;
        objects |= held.is_some();
        let entry = Entry {
            label: label.to_owned(),
            value: field(row, at, "value")?,
            across: field(row, at, "across")?,
            more: held.map_or_else(String::new, |count| {
                let count =
                    count.as_whole().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
                list::counted(count, "object", "objects")
            }),
            rest: row.contains_key("types"),
        };
        // Rows of one quantity stand together; another unit is another quantity.
        match quantities
            .iter_mut()
            .rev()
            .find(|one| one.name == panel && one.unit == unit && one.over == over)
        {
            Some(quantity) => quantity.entries.push(entry),
            None => quantities.push(Quantity {
                name: panel.to_owned(),
                unit: unit.to_owned(),
                over,
                entries: vec![entry],
            }),
        }
    }
    let mut fine = format!("Recorded by {}, each quantity in its own unit.", option("tool"));
    if quantities.iter().any(|one| one.over.is_some()) {
        let unit = quantities.iter().find_map(|one| one.over.as_ref()).map_or("", |over| &over.0);
        fine = format!("{fine} The axis across counts {unit}; only one process is shown.");
    }
    if !option("scope").is_empty() {
        fine = format!("{fine} Scope: {}.", option("scope").replace('_', " ").trim_end_matches('.'));
    }
    let subject = Some(option("subject")).filter(|subject| !subject.is_empty()).unwrap_or("recorded numbers");
    let says = quantities.first().map(says).unwrap_or_default();
    let words = Words {
        heading: format!("{}: {subject}", super::names::raised(named(option("tool")))),
        says,
        fine,
        head: "What".to_owned(),
        more: if objects { "Objects".to_owned() } else { String::new() },
        provenance: panels::provenance(document),
    };
    Ok(panels::chart(document, &quantities, words))
}

/// A tool as people call it.
fn named(tool: &str) -> &str {
    const NAMES: [(&str, &str); 6] = [
        ("gc", "garbage collection"),
        ("memory", "reachable memory"),
        ("latency", "first request"),
        ("heap", "heap"),
        ("network_isolated", "isolated network"),
        ("network_interface", "network interface"),
    ];
    NAMES.iter().find(|known| known.0 == tool).map_or(tool, |known| known.1)
}

/// The largest value of the first quantity.
fn says(quantity: &Quantity) -> String {
    let unit = crate::text::unit::Unit::parse(&quantity.unit);
    let known = || {
        quantity.entries.iter().filter(|entry| !entry.rest).filter_map(|entry| Some((entry.value?, entry)))
    };
    let Some((most, entry)) = known().max_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.label.cmp(&a.1.label)))
    else {
        return "No value was recorded.".to_owned();
    };
    let least = known().map(|one| one.0).min().unwrap_or(most);
    let name = super::names::raised(&quantity.name);
    let shown = unit.show(most.as_f64());
    if known().count() > 1 && least == most {
        return format!("{name}: {shown} in each of {}.", list::counted(known().count(), "value", "values"));
    }
    format!("{name}: at most {shown} ({}).", entry.label)
}
