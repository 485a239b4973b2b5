//! Network counters (PerfChecker formats §5.4): one version, several versions, or one isolated process tree.
//!
//! Sent and received stay apart: on a loopback interface both count the same bytes. So do requests of one document
//! that were counted in different ways, and two records of one payload size: each part is a record of its own.

use std::collections::BTreeMap;

use super::super::Part;
use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::detect::{Answer, Reader, before_object, holds};
use super::super::json::{Object, document};
use super::super::tree::{Map, Value};
use crate::error::{Place, Problem};
use crate::evidence::record::{Counters, Details, Isolation, Network, Payload, Quantity, Status};
use crate::evidence::{FileStatus, Format, Name, Number, Record};

const SCHEMA: &str = "perfchecker-example-network/1";
const CAPTURE: &str = "perfchecker-isolated-network-result/1";

/// Recognises documents of network counters among loose files.
pub(in crate::read) struct NetworkReader;

/// The three documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One version.
    Version,
    /// Several versions, each as in its own document.
    History,
    /// The totals of one isolated process tree.
    Isolation,
}

fn form(fields: &Map<'_>) -> Option<Form> {
    let is_version = |one: &Map<'_>| match one.get("schema_version").and_then(Value::as_str) {
        Some(schema) => schema.starts_with("perfchecker-example-network/"),
        None => one.contains_key("idle_control") && one.contains_key("records"),
    };
    if is_version(fields) {
        return Some(Form::Version);
    }
    let versions = fields.get("versions").and_then(Value::as_array);
    if versions.is_some_and(|list| list.iter().any(|one| one.as_object().is_some_and(is_version))) {
        return Some(Form::History);
    }
    let isolated = |key: &str, word: &str| {
        let schema = fields.get(key).and_then(|one| one.get("schema_version")).and_then(Value::as_str);
        schema.is_some_and(|schema| schema.starts_with(word))
    };
    (isolated("capture", "perfchecker-isolated-network-result/")
        || isolated("capabilities", "perfchecker-network-isolation-capabilities/"))
    .then_some(Form::Isolation)
}

impl Reader for NetworkReader {
    fn format(&self) -> Format {
        Format::PerfcheckerNetwork
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        if let Some(answer) = before_object(path, bytes, whole) {
            return answer;
        }
        let named = [
            "perfchecker-example-network/",
            "\"idle_control\"",
            "perfchecker-isolated-network-result/",
            "perfchecker-network-isolation-capabilities/",
        ];
        if !named.iter().any(|word| holds(bytes, &[word])) {
            return Answer::No;
        }
        let is_network = match serde_json::from_slice::<Map<'_>>(bytes) {
            Ok(fields) => form(&fields).is_some(),
            // Broken, but it says what it is: its reader tells what is wrong.
            Err(_) => named.iter().any(|word| !word.starts_with('"') && holds(bytes, &[word])),
        };
        if is_network { Answer::Yes } else { Answer::No }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        let records = match form(&fields) {
            Some(Form::Version) => version(&root, &mut complaints),
            Some(Form::History) => root
                .objects("versions", &mut complaints)
                .iter()
                .flat_map(|one| version(one, &mut complaints))
                .collect(),
            Some(Form::Isolation) => vec![isolation(&root, &mut complaints)],
            // `detect` let it in; two keys of one name can end here.
            None => Vec::new(),
        };
        let mut refused = false;
        for record in records {
            match record {
                Ok(mut record) => {
                    path.clone_into(&mut record.path);
                    record.settle();
                    part.records.push(record);
                }
                Err((field, message)) => {
                    refused = true;
                    part.problems.push(Problem::error(Place::file(path).field(field), message));
                }
            }
        }
        let status = if part.records.is_empty() {
            FileStatus::Refused
        } else if refused {
            FileStatus::Incomplete
        } else {
            complaints.status()
        };
        complaints.into_problems(path, &mut part.problems);
        status
    }
}

type Refusal = (String, String);

/// Refuses a version of the form that nobody here knows.
fn check(object: &Object<'_>, known: &str, complaints: &mut Complaints) -> Result<(), Refusal> {
    match object.text("schema_version", complaints) {
        Some(schema) if schema == known => Ok(()),
        Some(other) => Err((
            object.path("schema_version"),
            format!("{} is not {known}; another version has other rules", quote(other)),
        )),
        None => Err((object.path("schema_version"), format!("missing; {known} is expected"))),
    }
}

/// The records of one version: one, unless it holds requests that may not be pooled.
fn version(root: &Object<'_>, complaints: &mut Complaints) -> Vec<Result<Record, Refusal>> {
    if let Err(refusal) = check(root, SCHEMA, complaints) {
        return vec![Err(refusal)];
    }
    let mut parts = apart(root, complaints);
    for item in root.objects("idle_control", complaints) {
        let window = counters(&item, complaints);
        let fit = parts.iter().position(|part| part.way.as_ref() == Some(&Way::of(&window)));
        if let Some(part) = parts.get_mut(fit.unwrap_or_default()) {
            part.idle.push(window);
        }
    }
    let several = parts.len() > 1;
    parts.into_iter().map(|part| Ok(record(root, part, several, complaints))).collect()
}

/// Where and whose traffic was counted: the layer, the scope and the interface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Way {
    capture_layer: Option<Name>,
    attribution_scope: Option<Name>,
    interface: Option<Name>,
}

impl Way {
    fn of(one: &Counters) -> Self {
        Self {
            capture_layer: one.capture_layer.clone(),
            attribution_scope: one.attribution_scope.clone(),
            interface: one.interface.clone(),
        }
    }

    fn words(&self) -> String {
        let words = [&self.capture_layer, &self.attribution_scope, &self.interface];
        let words: Vec<&str> = words.into_iter().flatten().map(|word| &**word).collect();
        if words.is_empty() { "not recorded".to_owned() } else { words.join(", ") }
    }
}

/// Requests that may stand in one figure: counted in one way, each payload size once.
#[derive(Debug, Default)]
struct Pooled {
    /// None without any request.
    way: Option<Way>,
    payloads: Vec<Payload>,
    idle: Vec<Counters>,
}

/// Sorts the requests of a version into what may be pooled, and tells when that is more than one part.
fn apart(root: &Object<'_>, complaints: &mut Complaints) -> Vec<Pooled> {
    let mut parts: Vec<Pooled> = Vec::new();
    let mut sizes: BTreeMap<u64, String> = BTreeMap::new();
    for item in root.objects("records", complaints) {
        let Some(mut whole) = payload(&item, complaints) else { continue };
        match sizes.get(&whole.bytes) {
            Some(first) => complaints.add(About::Mixed, || Complaint {
                line: 0,
                field: Some(item.path("payload_bytes")),
                message: format!("{first} is the same; both are shown, apart and never pooled"),
            }),
            None => drop(sizes.insert(whole.bytes, item.path("payload_bytes"))),
        }
        let mut by_way: Vec<(Option<Way>, Vec<Counters>)> = Vec::new();
        for sample in std::mem::take(&mut whole.samples) {
            let way = Some(Way::of(&sample));
            match by_way.iter_mut().find(|one| one.0 == way) {
                Some(one) => one.1.push(sample),
                None => by_way.push((way, vec![sample])),
            }
        }
        if by_way.is_empty() {
            by_way.push((None, Vec::new()));
        }
        for (way, samples) in by_way {
            let payload = Payload { samples, ..whole.clone() };
            let has_room = |part: &&mut Pooled| {
                let fits = way.is_none() || part.way.is_none() || part.way == way;
                fits && part.payloads.iter().all(|one| one.bytes != payload.bytes)
            };
            match parts.iter_mut().find(has_room) {
                Some(part) => {
                    part.payloads.push(payload);
                    part.way = part.way.take().or(way);
                }
                None => parts.push(Pooled { way, payloads: vec![payload], idle: Vec::new() }),
            }
        }
    }
    let mut ways: Vec<String> = parts.iter().filter_map(|part| Some(part.way.as_ref()?.words())).collect();
    ways.sort();
    ways.dedup();
    if ways.len() > 1 {
        complaints.add(About::Mixed, || Complaint {
            line: 0,
            field: Some(root.path("records")),
            message: format!(
                "requests were counted in {} ways ({}); they are shown apart and never pooled",
                ways.len(),
                ways.join("; ")
            ),
        });
    }
    if parts.is_empty() {
        parts.push(Pooled::default());
    }
    parts
}

fn record(root: &Object<'_>, part: Pooled, several: bool, complaints: &mut Complaints) -> Record {
    let mut text = |key: &str| root.some_text(key, complaints).map(str::to_owned);
    let mut record = Record {
        tool: "network_interface".to_owned(),
        package: text("package"),
        target: text("version"),
        os: text("os"),
        date: text("started_at"),
        scope: text("scope"),
        ..Record::default()
    };
    let way = part.way.unwrap_or_default();
    // The requests know better than the document where it holds several.
    let own = way.interface.as_deref().filter(|_| several).map(str::to_owned);
    let mut network = Network {
        http_version: text("http_version"),
        interface: own.or_else(|| text("interface")),
        capture_layer: way.capture_layer,
        attribution_scope: way.attribution_scope,
        counter_note: text("counter_note"),
        idle: part.idle,
        payloads: part.payloads,
    };
    if let Some(version) = text("julia_version") {
        record.runtime.insert("language".to_owned(), "julia".into());
        record.runtime.insert("version".to_owned(), version.into());
    }
    if let Some(threads) = root.count("threads", complaints) {
        record.runtime.insert("threads".to_owned(), threads.into());
    }
    for (key, value) in [("http_version", &network.http_version), ("interface", &network.interface)] {
        record.parameters.extend(value.clone().map(|text| (key.to_owned(), text)));
    }
    let words =
        [("capture_layer", &network.capture_layer), ("attribution_scope", &network.attribution_scope)];
    for (key, value) in words.into_iter().filter(|_| several) {
        record.parameters.extend(value.as_deref().map(|text| (key.to_owned(), text.to_owned())));
    }
    record.limitations.extend(network.counter_note.clone());
    let words: Vec<Option<&str>> = network.payloads.iter().map(|one| one.correctness.as_deref()).collect();
    record.correctness = match words.as_slice() {
        [] => None,
        [first, rest @ ..] if rest.iter().all(|word| word == first) => first.map(str::to_owned),
        _ => Some("not all passed".to_owned()),
    };
    let passed = words.iter().all(|word| *word == Some("passed"));
    record.gap = gap(&network.payloads);
    record.status = match (record.gap, passed) {
        (Some(_), _) => Status::Incomplete,
        (None, true) => Status::Complete,
        (None, false) => Status::Invalid,
    };
    network.payloads.sort_by_key(|one| one.bytes);
    record.details = Details::Network(network);
    record
}

/// What is not there of the measurement of a version.
fn gap(payloads: &[Payload]) -> Option<&'static str> {
    let without = payloads.iter().filter(|one| one.samples.is_empty()).count();
    match (payloads.len(), without) {
        (0, _) => Some("no payload is recorded"),
        (_, 0) => None,
        (all, without) if all == without => Some("no samples are recorded"),
        _ => Some("no samples are recorded for some of its payload sizes"),
    }
}

fn payload(item: &Object<'_>, complaints: &mut Complaints) -> Option<Payload> {
    let Some(bytes) = item.count("payload_bytes", complaints) else {
        complaints.add(About::Field, || Complaint {
            line: 0,
            field: Some(item.path("payload_bytes")),
            message: "missing; the payload is left out".to_owned(),
        });
        return None;
    };
    if item.is_array("samples") && item.objects("samples", complaints).is_empty() {
        complaints.add(About::Optional, || Complaint {
            line: 0,
            field: Some(item.path("samples")),
            message: "no samples are recorded".to_owned(),
        });
    }
    Some(Payload {
        bytes,
        request_bytes: item.count("application_request_bytes", complaints),
        response_bytes: item.count("application_response_bytes", complaints),
        correctness: item.some_text("correctness", complaints).map(str::to_owned),
        samples: item.objects("samples", complaints).iter().map(|one| counters(one, complaints)).collect(),
    })
}

/// A counter or a duration; what is below zero was not measured.
fn measured(item: &Object<'_>, key: &str, complaints: &mut Complaints) -> Option<Number> {
    let value = item.number(key, complaints)?;
    let is_measured = value.as_f64() >= 0.0;
    if !is_measured {
        complaints.add(About::Value, || Complaint {
            line: 0,
            field: Some(item.path(key)),
            message: format!(
                "{value} is below zero, which no counter and no clock gives; it is taken as absent"
            ),
        });
    }
    is_measured.then_some(value)
}

fn counters(item: &Object<'_>, complaints: &mut Complaints) -> Counters {
    // A count that was written as a float is still a count.
    let mut count = |key: &str| {
        let value = measured(item, key, complaints)?;
        Some(value.as_whole().and_then(Number::whole).unwrap_or(value))
    };
    let mut found = Counters {
        bytes_sent: count("bytes_sent"),
        bytes_received: count("bytes_received"),
        packets_sent: count("packets_sent"),
        packets_received: count("packets_received"),
        discarded_sent: count("discarded_sent"),
        discarded_received: count("discarded_received"),
        ..Counters::default()
    };
    found.seconds = measured(item, "seconds", complaints);
    found.workload_seconds = measured(item, "workload_seconds", complaints);
    let mut word = |key: &str| item.some_text(key, complaints).map(Into::into);
    found.capture_layer = word("capture_layer");
    found.attribution_scope = word("attribution_scope");
    found.interface = word("interface");
    found.latency_context = word("latency_context");
    found
}

fn isolation(root: &Object<'_>, complaints: &mut Complaints) -> Result<Record, Refusal> {
    let capabilities = root.object("capabilities", complaints);
    let capture = root.object("capture", complaints);
    if let Some(capture) = &capture {
        check(capture, CAPTURE, complaints)?;
    }
    let exits = [
        root.number("exit_code", complaints),
        capture.as_ref().and_then(|one| one.number("exit_code", complaints)),
    ];
    let mut text = |key: &str| root.some_text(key, complaints).map(str::to_owned);
    let mut record =
        Record { tool: "network_isolated".to_owned(), correctness: text("correctness"), ..Record::default() };
    let mut isolation = Isolation { http_version: text("http_version"), ..Isolation::default() };
    // The version that was measured stands under the name of its package: `<package>_version`.
    let mut versions = root.keys().filter_map(|key| {
        let package = key.strip_suffix("_version")?;
        (!["http", "julia", "schema"].contains(&package) && !package.is_empty()).then_some((key, package))
    });
    if let (Some((key, package)), None) = (versions.next(), versions.next()) {
        record.target = root.some_text(key, complaints).map(str::to_owned);
        record.package = Some(package.to_owned());
    }
    if let Some(capabilities) = &capabilities {
        let mut text = |key: &str| capabilities.some_text(key, complaints).map(str::to_owned);
        isolation.provider = text("provider");
        record.message = text("reason");
        isolation.external_connectivity = capabilities.flag("external_connectivity", complaints);
    }
    let executed = root.flag("executed", complaints);
    let supported = capabilities.as_ref().and_then(|one| one.flag("supported", complaints));
    let sample = capture.as_ref().and_then(|one| one.object("sample", complaints));
    record.status = if executed == Some(false) || (supported == Some(false) && sample.is_none()) {
        Status::NotRun
    } else if exits.iter().flatten().any(|code| !code.is_zero()) {
        Status::Failed
    } else if sample.is_none() || exits.iter().all(Option::is_none) {
        let gap = if sample.is_none() { "no counters are recorded" } else { "no exit code is recorded" };
        record.gap = Some(gap);
        Status::Incomplete
    } else if record.correctness.as_deref() == Some("passed") {
        Status::Complete
    } else {
        Status::Invalid
    };
    if let Some(capture) = &capture {
        let mut text = |key: &str| capture.some_text(key, complaints).map(str::to_owned);
        isolation.counter_provider = text("counter_provider");
        isolation.phase = text("measurement_phase");
        isolation.provider = text("provider").or(isolation.provider);
        record.output = text("stderr").or_else(|| text("stdout"));
    }
    if let Some(sample) = &sample {
        isolation.counters = counters(sample, complaints);
        record.scope = isolation.counters.attribution_scope.as_deref().map(str::to_owned);
    }
    let verified = root.number("verified_requests", complaints);
    record.numbers = totals(&isolation.counters, verified);
    record.parameters = parameters(&isolation, capabilities.as_ref());
    record.details = Details::Isolation(isolation);
    Ok(record)
}

/// The recorded totals under the names that are relied upon; both directions, never their sum.
fn totals(counters: &Counters, verified: Option<Number>) -> Vec<Quantity> {
    [
        ("verified_requests", verified, "1"),
        ("bytes_sent", counters.bytes_sent, "By"),
        ("bytes_received", counters.bytes_received, "By"),
        ("packets_sent", counters.packets_sent, "1"),
        ("packets_received", counters.packets_received, "1"),
        ("discarded_sent", counters.discarded_sent, "1"),
        ("discarded_received", counters.discarded_received, "1"),
        ("seconds", counters.seconds, "s"),
        ("workload_seconds", counters.workload_seconds, "s"),
    ]
    .into_iter()
    .filter_map(|(name, value, unit)| Some(Quantity::recorded(name, value?, unit)))
    .collect()
}

fn parameters(isolation: &Isolation, capabilities: Option<&Object<'_>>) -> Vec<(String, String)> {
    let named = [
        ("http_version", isolation.http_version.clone()),
        ("provider", isolation.provider.clone()),
        ("counter_provider", isolation.counter_provider.clone()),
        ("measurement_phase", isolation.phase.clone()),
        ("capture_layer", isolation.counters.capture_layer.as_deref().map(str::to_owned)),
        ("interface", isolation.counters.interface.as_deref().map(str::to_owned)),
        ("latency_context", isolation.counters.latency_context.as_deref().map(str::to_owned)),
    ];
    let mut found: Vec<(String, String)> =
        named.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text?))).collect();
    for key in ["supported", "external_connectivity", "requires_prepared_environment"] {
        found.extend(capabilities.and_then(|one| one.scalar(key)).map(|text| (key.to_owned(), text)));
    }
    found
}
