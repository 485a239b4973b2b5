//! Requests over a network, release by release: latency, throughput and counters of each payload size, as
//! documents of the kinds that draw targets.
//!
//! Records of different systems, packages or interfaces never share a figure. Sent and received are counted apart and
//! never added. Throughput is derived and says so.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::document;
use super::{distribution, scale, version_series};
use crate::analyze::network::{Measured, throughput, versions};
use crate::analyze::{SourceSeries, Statistic, Summary, Target};
use crate::evidence::plot::{DependencyRow, Details, PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::record::{Counters, Network, Payload, Status};
use crate::evidence::row::Row;
use crate::evidence::{Number, Preference, Record};
use crate::text::unit::Unit;

/// Metric of the latency figures.
pub const LATENCY: &str = "network.latency";

/// The measurements of one system: one record per release, in order.
#[derive(Debug, Clone)]
pub struct Campaign<'a> {
    /// Its measurements.
    pub records: Vec<Measured<'a>>,
    /// The payload sizes that any of them has, rising, each with its figures.
    pub payloads: Vec<Figures>,
}

/// The figures of one payload size.
#[derive(Debug, Clone)]
pub struct Figures {
    /// Size of a payload in bytes.
    pub bytes: u64,
    /// Every request; none when no time was recorded.
    pub latency: Option<PlotDocument>,
    /// Throughput, then counters: medians, release by release.
    pub medians: Vec<PlotDocument>,
}

/// The campaigns of a source. `dates` are those of its targets, by label.
pub fn campaigns<'a>(records: &'a [Record], dates: &BTreeMap<String, String>) -> Vec<Campaign<'a>> {
    type Key<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>, usize);
    let mut found: BTreeMap<Key<'a>, Vec<Measured<'a>>> = BTreeMap::new();
    for one in versions(records) {
        let Measured { record, network, .. } = one;
        if record.status != Status::Complete || record.target.is_none() {
            continue;
        }
        // Two measurements of one release stay apart: samples of different runs are never pooled. So does what was
        // counted in different ways.
        let place =
            |turn| (record.package.as_deref(), record.os.as_deref(), network.interface.as_deref(), turn);
        let taken = |turn: &usize| {
            found.get(&place(*turn)).is_some_and(|all| {
                all.iter()
                    .any(|other| other.record.target == record.target || other.network.way() != network.way())
            })
        };
        let turn = (0..=found.len()).find(|turn| !taken(turn)).unwrap_or_default();
        found.entry(place(turn)).or_default().push(one);
    }
    found
        .into_iter()
        .map(|((_, _, _, turn), records)| {
            let mut sizes: Vec<u64> =
                records.iter().flat_map(|one| &one.network.payloads).map(|payload| payload.bytes).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let payloads = sizes.into_iter().map(|bytes| figures(&records, bytes, turn, dates)).collect();
            Campaign { records, payloads }
        })
        .collect()
}

/// The dates of a source's targets, by label.
pub fn dates(series: &SourceSeries) -> BTreeMap<String, String> {
    let dated = |target: &Target| Some((target.label.to_string(), target.date.clone()?));
    series.targets.iter().filter_map(dated).collect()
}

type Records<'a> = [Measured<'a>];

fn of_size(network: &Network, bytes: u64) -> Option<&Payload> {
    network.payloads.iter().find(|payload| payload.bytes == bytes)
}

/// A quantity of a request: metric, name for people, unit, preference, value.
type Quantity =
    (&'static str, &'static str, &'static str, Preference, fn(&Payload, &Counters) -> Option<Number>);

/// Beside the latency of the request alone stands the whole observation, in which counters are read as well.
const MEDIANS: [Quantity; 8] = [
    ("network.observation", "whole observation", "s", Preference::Lower, |_, one| one.seconds),
    ("network.throughput", "derived throughput", "By/s", Preference::Higher, throughput),
    ("network.bytes.sent", "bytes sent", "By", Preference::Neutral, |_, one| one.bytes_sent),
    ("network.bytes.received", "bytes received", "By", Preference::Neutral, |_, one| one.bytes_received),
    ("network.packets.sent", "packets sent", "1", Preference::Neutral, |_, one| one.packets_sent),
    ("network.packets.received", "packets received", "1", Preference::Neutral, |_, one| one.packets_received),
    (DISCARDED[0], "packets discarded before sending", "1", Preference::Lower, |_, one| one.discarded_sent),
    (DISCARDED[1], "packets discarded on arrival", "1", Preference::Lower, |_, one| one.discarded_received),
];

/// Counters that are drawn only where something was discarded.
const DISCARDED: [&str; 2] = ["network.discarded.sent", "network.discarded.received"];

fn figures(records: &Records, bytes: u64, turn: usize, dates: &BTreeMap<String, String>) -> Figures {
    let latency: Quantity =
        (LATENCY, "request latency", "s", Preference::Lower, |_, one: &Counters| one.workload_seconds);
    let context = Of { records, bytes, turn, dates };
    Figures {
        bytes,
        latency: context.samples(latency),
        medians: MEDIANS.into_iter().filter_map(|quantity| context.medians(quantity)).collect(),
    }
}

struct Of<'a> {
    records: &'a Records<'a>,
    bytes: u64,
    turn: usize,
    dates: &'a BTreeMap<String, String>,
}

impl Of<'_> {
    /// The values of a quantity, release by release.
    fn values(&self, pick: fn(&Payload, &Counters) -> Option<Number>) -> Vec<(&str, Vec<Number>)> {
        self.records
            .iter()
            .map(|Measured { record, network, .. }| {
                let payload = of_size(network, self.bytes);
                let samples =
                    payload.into_iter().flat_map(|one| one.samples.iter().map(move |sample| (one, sample)));
                let values = samples.filter_map(|(payload, sample)| pick(payload, sample)).collect();
                (record.target.as_deref().unwrap_or_default(), values)
            })
            .collect()
    }

    fn samples(&self, quantity: Quantity) -> Option<PlotDocument> {
        let values = self.values(quantity.4);
        let rows: Vec<Map<String, Value>> = values
            .iter()
            .flat_map(|(version, values)| values.iter().map(move |value| (version, value)))
            .map(|(version, value)| {
                object([
                    ("version", json!(version)),
                    ("target_kind", json!("release")),
                    ("value", json!(value)),
                ])
            })
            .collect();
        let all = values.iter().flat_map(|(_, values)| values).map(|value| value.as_f64());
        let scale = scale::word(scale::decide(all));
        let description = "The time of every request of one payload size, release by release.";
        let of = (distribution::KIND, description, scale);
        (!rows.is_empty()).then(|| self.wrap(quantity, of, rows))
    }

    fn medians(&self, quantity: Quantity) -> Option<PlotDocument> {
        let none = || self.values(quantity.4).iter().flat_map(|one| &one.1).all(|value| value.is_zero());
        if DISCARDED.contains(&quantity.0) && none() {
            return None;
        }
        let values: Vec<(&str, u64, Number)> = self
            .values(quantity.4)
            .into_iter()
            .filter_map(|(version, values)| {
                let count = values.len() as u64;
                let median = Summary::of(values).and_then(|summary| summary.get(Statistic::Median))?;
                Some((version, count, median))
            })
            .collect();
        let rows: Vec<Map<String, Value>> = values
            .iter()
            .map(|(version, count, median)| {
                object([
                    ("version", json!(version)),
                    ("target_kind", json!("release")),
                    ("value", json!(median)),
                    ("samples", json!(count)),
                    ("aggregation", json!("median")),
                ])
            })
            .collect();
        let scale = scale::word(scale::decide(values.iter().map(|(_, _, median)| median.as_f64())));
        let description = if quantity.0 == MEDIANS[1].0 {
            "Derived: bytes of a payload by the seconds of its request; the median of the requests, release by release."
        } else {
            "Counted while each request ran; the median of the requests, release by release. On a loopback interface \
             sent and received are the same bytes."
        };
        (!rows.is_empty()).then(|| self.wrap(quantity, (version_series::KIND, description, scale), rows))
    }

    fn wrap(
        &self,
        (metric, name, unit, preference, _): Quantity,
        (kind, description, scale): (&str, &str, &str),
        data: Vec<Map<String, Value>>,
    ) -> PlotDocument {
        let size = Unit::parse("By").show(self.bytes as f64);
        let first = self.records[0].record;
        let package = first.package.as_deref().unwrap_or_default();
        let named = format!("requests of {size}");
        let parts = [
            package,
            first.os.as_deref().unwrap_or_default(),
            self.records[0].network.interface.as_deref().unwrap_or_default(),
            &self.turn.to_string(),
            &self.bytes.to_string(),
            metric,
        ];
        let runtimes: Vec<&Map<String, Value>> = self.records.iter().map(|one| &one.record.runtime).collect();
        let alike = runtimes.iter().all(|one| *one == runtimes[0]);
        let labels = || self.records.iter().filter_map(|one| one.record.target.as_deref());
        let absent: BTreeMap<String, String> = self
            .values(|_, sample| sample.workload_seconds)
            .into_iter()
            .filter(|(_, values)| values.is_empty())
            .map(|(version, _)| (version.to_owned(), "no request of this size was recorded".to_owned()))
            .collect();
        let http = self.records.iter().map(|one| one.network.http_version.clone()).collect::<Vec<_>>();
        let dates = labels().filter_map(|label| Some((label.to_owned(), self.dates.get(label)?.clone())));
        PlotDocument {
            runtime: if alike { runtimes[0].clone() } else { Map::new() },
            os: first.os.clone(),
            correctness: passed(self.records, self.bytes),
            scope: first.scope.clone(),
            release_dates: dates.collect(),
            perfolio: Some(Details {
                feature_title: Some(named.clone()),
                metric_titles: [(metric.to_owned(), name.to_owned())].into(),
                preferences: [(metric.to_owned(), preference)].into(),
                targets: labels().map(str::to_owned).collect(),
                reasons: if absent.is_empty() {
                    BTreeMap::new()
                } else {
                    [(metric.to_owned(), absent)].into()
                },
                dependencies: if http.iter().any(Option::is_some) {
                    vec![DependencyRow { name: "HTTP".to_owned(), versions: http }]
                } else {
                    Vec::new()
                },
                scale: Some(scale.to_owned()),
                ..Details::default()
            }),
            plot: Plot {
                schema_version: PERFOLIO_PLOT.to_owned(),
                id: document::id(kind, &parts),
                kind: kind.to_owned(),
                title: format!("{package} · {named} · {name}"),
                description: description.to_owned(),
                encoding: object([
                    ("x", json!("version")),
                    ("y", json!("value")),
                    ("color", json!("target_kind")),
                ]),
                data: Row::all(data),
                options: object([
                    ("package", json!(package)),
                    ("unit", json!(unit)),
                    ("metric", json!(metric)),
                    ("collector", json!(first.tool)),
                ]),
            },
            ..PlotDocument::default()
        }
    }
}

/// What the oracles said of the requests, where they agree.
fn passed(records: &Records, bytes: u64) -> Option<String> {
    let mut words = records.iter().filter_map(|one| of_size(one.network, bytes)?.correctness.as_deref());
    let first = words.next()?;
    words.all(|word| word == first).then(|| first.to_owned())
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
