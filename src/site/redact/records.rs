//! Masks the texts of records and their findings. Names of tools, packages, features and targets stay as recorded.

use crate::evidence::record::Details;
use crate::evidence::{Finding, Record};
use crate::text::redact::field;

use super::{MASK, Masker};

/// Masks one record.
pub(super) fn record(record: &mut Record, mask: &mut Masker<'_>) {
    mask.map(&mut record.runtime);
    let texts = [&mut record.message, &mut record.scope, &mut record.output, &mut record.status_recorded];
    texts.into_iter().flatten().chain(&mut record.limitations).for_each(|text| mask.text(text));
    let words = [
        &mut record.os,
        &mut record.tool_version,
        &mut record.correctness,
        &mut record.quality,
        &mut record.date,
        &mut record.revision,
        &mut record.manifest_sha256,
    ];
    words.into_iter().flatten().for_each(|text| mask.paths(text));
    for artifact in &mut record.artifacts {
        let texts = [&mut artifact.name, &mut artifact.sha256];
        texts.into_iter().flatten().for_each(|text| mask.text(text));
    }
    parameters(&mut record.parameters, mask);
    record.findings.iter_mut().flatten().for_each(|one| finding(one, mask));
    details(&mut record.details, mask);
}

fn finding(finding: &mut Finding, mask: &mut Masker<'_>) {
    mask.text(&mut finding.message);
    mask.paths(&mut finding.rule);
    mask.paths(&mut finding.severity);
    let texts = [&mut finding.file, &mut finding.rule_title, &mut finding.suppressed, &mut finding.baseline];
    texts.into_iter().flatten().chain(&mut finding.frames).for_each(|text| mask.text(text));
    parameters(&mut finding.parameters, mask);
}

/// A parameter whose name says that it names a person or a machine is masked whole.
fn parameters(parameters: &mut [(String, String)], mask: &mut Masker<'_>) {
    for (name, text) in parameters {
        mask.paths(name);
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
        Details::Samples(samples) => samples.provider.iter_mut().for_each(|text| mask.text(text)),
        Details::HeapTypes(heap) => heap.types.iter_mut().for_each(|one| mask.paths(&mut one.name)),
        Details::Massif(massif) => mask.text(&mut massif.time_unit),
        Details::Network(network) => {
            network.counter_note.iter_mut().chain(&mut network.interface).for_each(|text| mask.text(text));
        }
        Details::Isolation(isolation) => {
            let texts = [&mut isolation.provider, &mut isolation.counter_provider, &mut isolation.phase];
            texts.into_iter().flatten().for_each(|text| mask.text(text));
        }
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
