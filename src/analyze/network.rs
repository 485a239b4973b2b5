//! Network counters over payload sizes and versions. Sent and received are never added: on a loopback interface
//! both count the same bytes.

use std::collections::BTreeMap;

use super::{Summary, order};
use crate::evidence::record::{Counters, Details, Network, Payload, Quantity};
use crate::evidence::{Number, Record, TargetKind};

/// Application bytes of one request by the seconds it took, in bytes per second. Derived: no document holds it.
/// None when the time was not recorded or is not above zero.
pub fn throughput(payload: &Payload, sample: &Counters) -> Option<Number> {
    let seconds = sample.workload_seconds?.as_f64();
    (seconds > 0.0).then(|| Number::finite(payload.bytes as f64 / seconds)).flatten()
}

/// The seconds of every request of a payload size, as recorded. Without a recorded value a request is left out.
pub fn latency(payload: &Payload) -> Option<Summary> {
    Summary::of(payload.samples.iter().filter_map(|sample| sample.workload_seconds))
}

/// The headline numbers of one version: per payload size the number of requests, the median latency and the
/// throughput at that median.
pub(super) fn numbers(network: &Network, found: &mut Vec<Quantity>) {
    for payload in &network.payloads {
        let name = |what: &str| format!("{what}/{}", payload.bytes);
        found.push(Quantity::derived(name("requests"), Number::Unsigned(payload.samples.len() as u64), "1"));
        let throughputs = payload.samples.iter().filter_map(|sample| throughput(payload, sample));
        for (what, summary, unit) in [
            ("workload_seconds_median", latency(payload), "s"),
            ("throughput_median", Summary::of(throughputs), "By/s"),
        ] {
            let median = summary.and_then(|summary| summary.get(super::Statistic::Median));
            found.extend(median.map(|value| Quantity::derived(name(what), value, unit)));
        }
    }
    found.push(Quantity::derived("idle_windows", Number::Unsigned(network.idle.len() as u64), "1"));
}

/// The network requests of one version.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Place of the record among those that were looked at.
    pub at: usize,
    /// The record.
    pub record: &'a Record,
    /// Its requests.
    pub network: &'a Network,
}

/// The network requests of a source, one per measured version, in version order. A version that stands
/// in two documents with equal contents is one measurement and comes once (from the first document by path).
/// Records of different systems are kept apart by the caller: they never share an axis.
pub fn versions<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<Measured<'a>> {
    let mut found: Vec<Measured<'_>> = Vec::new();
    let mut known: BTreeMap<[&Option<String>; 3], Vec<usize>> = BTreeMap::new();
    for (at, record) in records.into_iter().enumerate() {
        let Details::Network(network) = &record.details else { continue };
        let alike = known.entry([&record.package, &record.target, &record.os]).or_default();
        // Without a version there is nothing that could make two documents one.
        if record.target.is_some() && alike.iter().any(|&same| found[same].network == network) {
            continue;
        }
        alike.push(found.len());
        found.push(Measured { at, record, network });
    }
    found.sort_by(|a, b| {
        let label = |record: &Record| record.target.clone().unwrap_or_default();
        let (a, b) = (label(a.record), label(b.record));
        order::key(&a, &TargetKind::Release).cmp(&order::key(&b, &TargetKind::Release))
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::record::Status;

    fn record(target: &str, seconds: &[f64]) -> Record {
        let sample =
            |seconds: &f64| Counters { workload_seconds: Number::finite(*seconds), ..Counters::default() };
        let payload =
            Payload { bytes: 64, samples: seconds.iter().map(sample).collect(), ..Payload::default() };
        Record {
            target: Some(target.to_owned()),
            status: Status::Complete,
            details: Details::Network(Network { payloads: vec![payload], ..Network::default() }),
            ..Record::default()
        }
    }

    #[test]
    fn throughput_is_bytes_by_seconds_and_never_infinite() {
        let payload = Payload { bytes: 64, ..Payload::default() };
        let of =
            |seconds| throughput(&payload, &Counters { workload_seconds: seconds, ..Counters::default() });
        assert_eq!(of(Number::finite(0.5)), Number::finite(128.0));
        assert_eq!(of(None), None);
        assert_eq!(of(Some(Number::ZERO)), None);
        assert_eq!(of(Number::finite(-1.0)), None);
        assert_eq!(of(Number::finite(5e-324)), None, "no infinity");
    }

    #[test]
    fn headline_numbers_are_medians_of_the_requests() {
        let record = record("1", &[3.0, 1.0, 2.0]);
        let found = crate::analyze::record::numbers(&record);
        let told: Vec<String> =
            found.iter().map(|one| format!("{} {} {}", one.name, one.value, one.unit)).collect();
        assert_eq!(
            told,
            [
                "requests/64 3 1",
                "workload_seconds_median/64 2.0 s",
                "throughput_median/64 32.0 By/s",
                "idle_windows 0 1"
            ]
        );
    }

    #[test]
    fn the_same_measurement_comes_once_and_versions_go_in_order() {
        let records = [
            record("1.10.0", &[1.0]),
            record("1.9.0", &[1.0]),
            record("1.10.0", &[1.0]),
            record("1.9.0", &[2.0]),
        ];
        let labels: Vec<_> =
            versions(&records).iter().map(|one| one.record.target.clone().unwrap()).collect();
        assert_eq!(labels, ["1.9.0", "1.9.0", "1.10.0"]);
    }
}
