//! What a run said about its cases, by rule and feature, and as CSV.

use std::collections::BTreeMap;

use crate::evidence::{Finding, Record, Run};
use crate::text::list;
use crate::text::number;
use crate::theme::view::{self, FindingFile, FindingRule, Findings, Link, Tone};

use super::super::facts::fact;
use super::super::load::LoadedSource;
use super::runs::{ROWS, targets};
use super::words;

/// What a run said about its cases: the records of its diagnostics.
pub(super) fn said<'a>(source: &'a LoadedSource, run: &'a Run) -> impl Iterator<Item = &'a Record> {
    source.evidence.records.iter().filter(move |record| {
        record.run_id.as_deref() == Some(run.run_id.as_str())
            && record.findings.is_some()
            && super::of_run(&source.evidence, record)
    })
}

/// The same statement about several targets: its rule, feature, finding and the targets.
type Statement<'a> = (&'a Finding, Vec<&'a str>);

/// What the run said, by rule and feature; nothing when it said nothing.
pub(super) fn findings(said: &[&Record], csv: &str) -> Option<Findings> {
    let mut rules: BTreeMap<&str, BTreeMap<&str, Vec<Statement<'_>>>> = BTreeMap::new();
    let mut count = 0_usize;
    for record in said {
        let feature = record.feature.as_deref().unwrap_or_default();
        for one in record.findings.iter().flatten() {
            count += 1;
            let list = rules.entry(&one.rule).or_default().entry(feature).or_default();
            let target = record.target.as_deref().unwrap_or("no target recorded");
            match list
                .iter_mut()
                .find(|(known, _)| known.message == one.message && known.frames == one.frames)
            {
                Some((_, labels)) => labels.push(target),
                None => list.push((one, vec![target])),
            }
        }
    }
    if count == 0 {
        return None;
    }
    let mut left = ROWS;
    let mut shown = 0;
    let rules: Vec<FindingRule> = rules
        .into_iter()
        .map(|(rule, features)| {
            let all: usize = features.values().map(Vec::len).sum();
            let files = features.into_iter().filter_map(|(feature, list)| {
                let items: Vec<view::Finding> = list.iter().take(left).map(statement).collect();
                left -= items.len();
                shown += items.len();
                (!items.is_empty()).then(|| FindingFile {
                    named: !feature.is_empty(),
                    file: if feature.is_empty() {
                        "No feature was recorded".to_owned()
                    } else {
                        feature.to_owned()
                    },
                    count: number::whole(list.len() as i128),
                    items,
                })
            });
            FindingRule {
                rule: rule.to_owned(),
                title: String::new(),
                files: files.collect(),
                count: list::counted(all, "statement", "statements"),
            }
        })
        .filter(|rule| !rule.files.is_empty())
        .collect();
    Some(Findings {
        heading: "What the run said".to_owned(),
        notes: vec![format!(
            "{} in the diagnostics of the run. Equal ones about several targets stand together.",
            list::counted(count, "line", "lines")
        )],
        part: if left == 0 {
            format!("The first {}; the CSV has all.", number::whole(ROWS as i128))
        } else {
            String::new()
        },
        csv: Some(Link { text: "CSV of all lines".to_owned(), href: csv.to_owned() }),
        severities: Vec::new(),
        searchable: shown > super::findings::FEW,
        shown: format!("{shown} of {shown} shown"),
        rules,
        pages: Vec::new(),
    })
}

fn statement((one, labels): &Statement<'_>) -> view::Finding {
    let (severity, grave) = words::severity(&one.severity);
    let (message, all) = words::line(&one.message);
    view::Finding {
        id: String::new(),
        place: targets(labels),
        severity,
        grave,
        message: if message.is_empty() { "no message recorded".to_owned() } else { message },
        whole: if all { String::new() } else { one.message.clone() },
        frames: one.frames.clone(),
        no_frames: "No call path was recorded.".to_owned(),
        facts: one
            .parameters
            .iter()
            .map(|(name, text)| fact(&words::plain(name), text, Tone::Plain))
            .collect(),
    }
}

pub(super) fn csv(said: &[&Record]) -> Vec<u8> {
    let mut out = String::from("feature,target,rule,severity,message,call_path\r\n");
    for record in said {
        for one in record.findings.iter().flatten() {
            let frames = one.frames.join("\n");
            let cells = [
                record.feature.as_deref().unwrap_or_default(),
                record.target.as_deref().unwrap_or_default(),
                &one.rule,
                &one.severity,
                &one.message,
                &frames,
            ];
            let cells: Vec<_> = cells.into_iter().map(crate::text::escape::csv_cell).collect();
            out.push_str(&cells.join(","));
            out.push_str("\r\n");
        }
    }
    out.into_bytes()
}
