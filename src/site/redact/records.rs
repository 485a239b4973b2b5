//! Masks the texts of records and their findings. Names of tools, packages, features and targets stay as recorded.

use std::collections::BTreeSet;

use crate::evidence::record::{
    Artifact, Column, Counters, Details, HeapRest, HeapType, HeapTypes, Isolation, Massif, Network, Payload,
    Quantity, Samples,
};
use crate::evidence::{Finding, Record};
use crate::text::redact::field;

use super::{MASK, Masker, Secrets};

/// Masks one record, and notes what was masked. `known` are the host and user names of its source.
pub(super) fn record(one: &mut Record, known: &Secrets, found: &mut BTreeSet<(String, String)>) {
    let Record {
        path,
        run_id: _,
        package: _,
        feature: _,
        target: _,
        tool: _,
        tool_version,
        status: _,
        status_recorded,
        gap: _,
        correctness,
        quality,
        message,
        scope,
        limitations,
        runtime,
        os,
        date,
        revision,
        manifest_sha256,
        numbers,
        withheld: _,
        artifacts,
        parameters: own,
        output,
        details: more,
        findings,
    } = one;
    let mut secrets = known.clone();
    secrets.of_map(runtime);
    let mut mask = Masker::new(&secrets);

    mask.map(runtime);
    for text in [message, scope, output, status_recorded] {
        mask.text(text);
    }
    mask.text(limitations);
    for word in [os, tool_version, correctness, quality, date, revision, manifest_sha256] {
        mask.words(word);
    }
    for Quantity { name, value: _, unit, origin: _ } in numbers {
        mask.words(name);
        mask.words(unit);
    }
    for Artifact { kind, name, sha256, bytes: _, redacted: _ } in artifacts {
        mask.words(kind);
        mask.text(name);
        mask.text(sha256);
    }
    parameters(own, &mut mask);
    findings.iter_mut().flatten().for_each(|one| finding(one, &mut mask));
    details(more, &mut mask);
    mask.note(path, found);
}

fn finding(one: &mut Finding, mask: &mut Masker<'_>) {
    let Finding {
        rule,
        rule_title,
        severity,
        message,
        file,
        line: _,
        column: _,
        frames,
        suppressed,
        baseline,
        parameters: own,
    } = one;
    mask.text(message);
    mask.words(rule);
    mask.words(severity);
    for text in [file, rule_title, suppressed, baseline] {
        mask.text(text);
    }
    mask.text(frames);
    parameters(own, mask);
}

/// A parameter whose name says that it names a person or a machine is masked whole.
fn parameters(parameters: &mut [(String, String)], mask: &mut Masker<'_>) {
    for (name, text) in parameters {
        mask.words(name);
        match field(name.rsplit('.').next().unwrap_or(name)) {
            Some(kind) if text != MASK => {
                mask.kinds.insert(kind);
                MASK.clone_into(text);
            }
            Some(_) => {}
            None => mask.text(text),
        }
    }
}

fn details(details: &mut Details, mask: &mut Masker<'_>) {
    match details {
        Details::None => {}
        Details::Samples(Samples { columns, provider }) => {
            mask.text(provider);
            for Column { name, unit: _, values: _ } in columns {
                mask.words(name);
            }
        }
        Details::HeapTypes(HeapTypes { artifact_sha256, types, rest }) => {
            let HeapRest { types: _, objects: _, bytes: _ } = rest;
            mask.words(artifact_sha256);
            for HeapType { name, objects: _, bytes: _ } in types {
                mask.words(name);
            }
        }
        // Its snapshots are numbers.
        Details::Massif(Massif { time_unit, snapshots: _ }) => mask.text(time_unit),
        Details::Network(one) => network(one, mask),
        Details::Isolation(one) => isolation(one, mask),
    }
}

fn network(network: &mut Network, mask: &mut Masker<'_>) {
    let Network { http_version, interface, capture_layer, attribution_scope, counter_note, idle, payloads } =
        network;
    mask.words(http_version);
    mask.text(interface);
    mask.words(capture_layer);
    mask.words(attribution_scope);
    mask.text(counter_note);
    for one in idle {
        counters(one, mask);
    }
    for Payload { bytes: _, request_bytes: _, response_bytes: _, correctness, samples } in payloads {
        mask.words(correctness);
        for one in samples {
            counters(one, mask);
        }
    }
}

fn isolation(isolation: &mut Isolation, mask: &mut Masker<'_>) {
    let Isolation {
        http_version,
        provider,
        counter_provider,
        phase,
        external_connectivity: _,
        counters: own,
    } = isolation;
    mask.words(http_version);
    for text in [provider, counter_provider, phase] {
        mask.text(text);
    }
    counters(own, mask);
}

fn counters(counters: &mut Counters, mask: &mut Masker<'_>) {
    let Counters {
        seconds: _,
        workload_seconds: _,
        bytes_sent: _,
        bytes_received: _,
        packets_sent: _,
        packets_received: _,
        discarded_sent: _,
        discarded_received: _,
        capture_layer,
        attribution_scope,
        interface,
        latency_context,
    } = counters;
    mask.text(interface);
    for word in [capture_layer, attribution_scope, latency_context] {
        mask.words(word);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::evidence;
    use super::*;
    use crate::evidence::SourceEvidence;
    use crate::evidence::record::{Artifact, HeapType, HeapTypes};

    #[test]
    fn nothing_of_a_record_gives_a_folder_or_a_person_away() {
        let path = || "/home/zoe/widget/src/deep/a.jl".to_owned();
        let finding = Finding {
            message: format!("in {}:12", path()),
            file: Some(path()),
            frames: vec![format!("f @ {}:3", path())],
            suppressed: Some(format!("inSource: {}", path())),
            parameters: vec![("user".to_owned(), "zoe".to_owned())],
            ..Finding::default()
        };
        let heap = HeapTypes {
            types: vec![HeapType { name: format!("typeof({})", path()), ..HeapType::default() }],
            ..HeapTypes::default()
        };
        let record = Record {
            path: "report.json".to_owned(),
            message: Some(path()),
            scope: Some(path()),
            output: Some(format!("log of {}", path())),
            tool_version: Some(path()),
            quality: Some(format!("failed, see vscode://file{}", path())),
            limitations: vec![path()],
            artifacts: vec![Artifact { name: Some(path()), ..Artifact::default() }],
            parameters: vec![
                ("host".to_owned(), "zoes-laptop".to_owned()),
                ("cwd".to_owned(), path()),
                (path(), format!("cc -I{0} -L{0}", path())),
            ],
            findings: Some(vec![finding]),
            details: Details::HeapTypes(heap),
            ..Record::default()
        };
        let mut source = SourceEvidence { records: vec![record], ..SourceEvidence::default() };
        let mut found = BTreeSet::new();
        evidence(&mut source, &mut found);
        let shown = format!("{:?}", source.records);
        assert!(!shown.contains("zoe") && !shown.contains("/home"), "{shown}");
        assert!(shown.contains("<path>/…/src/deep/a.jl"), "the end of a path stays: {shown}");
        assert!(found.iter().all(|(file, _)| file == "report.json") && found.len() >= 2, "{found:?}");
    }
}
