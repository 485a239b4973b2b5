//! What can be computed from a record: peaks, extremes, totals, medians. Everything made here is marked as derived,
//! and nothing is made of a record whose tool did not complete.

use std::cmp::Reverse;

use super::network;
use crate::evidence::record::{
    Details, HeapRest, HeapType, HeapTypes, Massif, Quantity, Samples, Snapshot, Status,
};
use crate::evidence::{Number, Record};

/// How many types of heap objects are told one by one among numbers and in figures.
pub const HEAP_TYPES: usize = 30;

/// The numbers of a record: the recorded ones, then the derived ones. Empty unless the tool completed.
pub fn numbers(record: &Record) -> Vec<Quantity> {
    if record.status != Status::Complete {
        return Vec::new();
    }
    let mut found = record.numbers.clone();
    match &record.details {
        Details::Samples(samples) => of_samples(samples, &mut found),
        Details::HeapTypes(heap) => of_heap(heap, &mut found),
        Details::Massif(massif) => of_massif(massif, &mut found),
        Details::Network(network) => network::numbers(network, &mut found),
        Details::Isolation(_) | Details::None => {}
    }
    found
}

fn count(name: &str, value: usize) -> Quantity {
    Quantity::derived(name, Number::Unsigned(value as u64), "1")
}

/// The number of observations, and the smallest and largest value of each quantity.
fn of_samples(samples: &Samples, found: &mut Vec<Quantity>) {
    found.push(count("samples", samples.columns.iter().map(|column| column.values.len()).max().unwrap_or(0)));
    for column in &samples.columns {
        let values = || column.values.iter().flatten().copied();
        for (word, value) in [("min", values().min()), ("max", values().max())] {
            found.extend(
                value.map(|value| Quantity::derived(format!("{}_{word}", column.name), value, column.unit)),
            );
        }
    }
}

/// The largest types of heap objects and the sum of all others. Types are sorted already.
pub fn heap_top(heap: &HeapTypes, most: usize) -> (&[HeapType], HeapRest) {
    let (top, others) = heap.types.split_at(heap.types.len().min(most));
    let mut rest = heap.rest;
    for one in others {
        rest.types += 1;
        rest.objects = rest.objects.saturating_add(one.objects.unwrap_or_default());
        rest.bytes = rest.bytes.saturating_add(one.bytes);
    }
    (top, rest)
}

fn of_heap(heap: &HeapTypes, found: &mut Vec<Quantity>) {
    let (top, rest) = heap_top(heap, HEAP_TYPES);
    let (_, all) = heap_top(heap, 0);
    found.push(Quantity::derived("types", Number::Unsigned(all.types), "1"));
    found.push(Quantity::derived("objects", Number::Unsigned(all.objects), "1"));
    found.push(Quantity::derived("shallow_bytes", Number::Unsigned(all.bytes), "By"));
    for one in top {
        found.push(Quantity::recorded(
            format!("shallow_bytes/{}", one.name),
            Number::Unsigned(one.bytes),
            "By",
        ));
    }
    if rest.types > 0 {
        found.push(Quantity::derived("shallow_bytes/[rest]", Number::Unsigned(rest.bytes), "By"));
    }
}

/// The observation with the largest heap: requested bytes, what the allocator added, and stacks together, as
/// Massif itself counts (Valgrind manual, Massif). The earliest of equal ones. Comes with its place among the others.
pub fn massif_peak(massif: &Massif) -> Option<(usize, &Snapshot)> {
    let size = |one: &Snapshot| -> Option<u128> {
        let parts = [one.heap_bytes, one.extra_bytes, one.stack_bytes];
        parts.iter().any(Option::is_some).then(|| parts.iter().flatten().map(|part| u128::from(*part)).sum())
    };
    let known =
        massif.snapshots.iter().enumerate().filter_map(|(at, one)| Some((size(one)?, Reverse(at), one)));
    known.max_by_key(|(size, at, _)| (*size, *at)).map(|(_, Reverse(at), one)| (at, one))
}

fn of_massif(massif: &Massif, found: &mut Vec<Quantity>) {
    found.push(count("snapshots", massif.snapshots.len()));
    let Some((_, peak)) = massif_peak(massif) else { return };
    for (name, bytes) in [
        ("peak_heap_bytes", peak.heap_bytes),
        ("peak_extra_bytes", peak.extra_bytes),
        ("peak_stacks_bytes", peak.stack_bytes),
    ] {
        found.extend(bytes.map(|bytes| Quantity::derived(name, Number::Unsigned(bytes), "By")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::record::Column;

    fn complete(details: Details) -> Record {
        Record { status: Status::Complete, details, ..Record::default() }
    }

    fn value(found: &[Quantity], name: &str) -> Option<String> {
        found.iter().find(|one| one.name == name).map(|one| one.value.to_string())
    }

    #[test]
    fn the_peak_is_the_whole_heap_and_the_earliest_of_equals() {
        let at = |heap, extra, stack| Snapshot {
            time: None,
            heap_bytes: heap,
            extra_bytes: extra,
            stack_bytes: stack,
        };
        let massif = |snapshots| Massif { time_unit: "i".to_owned(), snapshots };
        let found = numbers(&complete(Details::Massif(massif(vec![
            at(Some(10), Some(0), None),
            at(Some(9), Some(5), Some(1)),
            at(Some(10), Some(5), Some(0)),
            Snapshot::default(),
        ]))));
        assert_eq!(value(&found, "snapshots").as_deref(), Some("4"));
        assert_eq!(value(&found, "peak_heap_bytes").as_deref(), Some("9"));
        assert_eq!(value(&found, "peak_extra_bytes").as_deref(), Some("5"));
        assert_eq!(value(&found, "peak_stacks_bytes").as_deref(), Some("1"));
        let huge = massif(vec![at(Some(u64::MAX), Some(u64::MAX), Some(u64::MAX))]);
        assert_eq!(massif_peak(&huge).unwrap().1.heap_bytes, Some(u64::MAX));
        assert!(massif_peak(&massif(vec![Snapshot::default()])).is_none(), "absent is not zero");
    }

    #[test]
    fn many_types_are_thirty_and_the_rest() {
        let types =
            (0..5000_u64).map(|at| HeapType { name: format!("T{at}"), objects: Some(2), bytes: 5000 - at });
        let heap = HeapTypes {
            artifact_sha256: None,
            types: types.collect(),
            rest: HeapRest { types: 7, objects: 9, bytes: u64::MAX },
        };
        let found = numbers(&complete(Details::HeapTypes(heap)));
        assert_eq!(found.len(), 3 + 30 + 1);
        assert_eq!(value(&found, "types").as_deref(), Some("5007"));
        assert_eq!(value(&found, "objects").as_deref(), Some("10009"));
        assert_eq!(value(&found, "shallow_bytes/T29").as_deref(), Some("4971"));
        assert_eq!(
            value(&found, "shallow_bytes/[rest]"),
            Some(u64::MAX.to_string()),
            "it never wraps around"
        );
    }

    #[test]
    fn absent_values_are_left_out_of_extremes() {
        let column = Column {
            name: "gc_seconds".to_owned(),
            unit: "s",
            values: vec![None, Number::finite(0.5), None, Number::finite(0.25)],
        };
        let empty = Column { name: "pause".to_owned(), unit: "", values: vec![None; 4] };
        let found =
            numbers(&complete(Details::Samples(Samples { columns: vec![column, empty], provider: None })));
        assert_eq!(value(&found, "samples").as_deref(), Some("4"));
        assert_eq!(value(&found, "gc_seconds_min").as_deref(), Some("0.25"));
        assert_eq!(value(&found, "pause_min"), None);
    }

    #[test]
    fn a_tool_that_did_not_complete_has_no_numbers() {
        let mut record = complete(Details::Massif(Massif {
            time_unit: String::new(),
            snapshots: vec![Snapshot { heap_bytes: Some(1), ..Snapshot::default() }],
        }));
        record.numbers.push(Quantity::recorded("x", Number::ZERO, "1"));
        record.status = Status::Timeout;
        assert!(numbers(&record).is_empty(), "also when a reader forgot to keep them out");
        record.settle();
        assert_eq!(record.withheld, 2);
        assert!(record.numbers.is_empty() && matches!(record.details, Details::None));
    }
}
