//! Reports and findings that name a workload: those of its newest target that has any.

use std::collections::BTreeSet;

use crate::analyze::finding::groups;
use crate::analyze::order;
use crate::evidence::{Record, TargetKind};
use crate::text::list;
use crate::theme::view::{Link, ReportList, ShortFindings};

use super::super::load::LoadedSource;
use super::super::plan::link;
use super::{Entry, Reports, findings, index, words};

/// Most findings of one report on the page of a workload.
const LISTED: usize = 60;

/// The reports of the newest target that has any, of those that name one of `features` and a target. None when no
/// report does. The caller places it on the page at `page`, under its heading at level 2.
pub(in crate::site) fn of_workload(
    reports: &Reports,
    source: &LoadedSource,
    features: &BTreeSet<&str>,
    page: &str,
) -> Option<ReportList> {
    let fits = |record: &Record| record.feature.as_deref().is_some_and(|name| features.contains(name));
    let named: Vec<(&Entry, &Record, &str)> = reports
        .entries
        .iter()
        .map(|entry| (entry, &source.evidence.records[entry.record]))
        .filter(|(_, record)| fits(record))
        .filter_map(|(entry, record)| Some((entry, record, record.target.as_deref()?)))
        .collect();
    let newest = newest(source, named.iter().map(|(_, _, target)| *target))?;
    let of_newest: Vec<(&Entry, &Record)> = named
        .into_iter()
        .filter(|(_, _, target)| *target == newest)
        .map(|(entry, record, _)| (entry, record))
        .collect();
    let heading = format!("Reports at {newest}");
    Some(ReportList { heading, ..list(reports, &of_newest, page, "h3") })
}

/// The last of some targets in the order of the source; one that the source does not know comes by its label.
fn newest<'a>(source: &LoadedSource, targets: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let place = |label: &str| source.series.targets.iter().position(|target| &*target.label == label);
    targets.max_by(|a, b| {
        let kind = TargetKind::Release;
        place(a).cmp(&place(b)).then_with(|| order::key(a, &kind).cmp(&order::key(b, &kind)))
    })
}

/// Some reports in one table, and the findings of each in short.
fn list(reports: &Reports, chosen: &[(&Entry, &Record)], page: &str, level: &str) -> ReportList {
    let table = index::table_of(chosen, page);
    ReportList {
        heading: String::new(),
        notes: Vec::new(),
        table: Some(table),
        findings: chosen.iter().filter_map(|(entry, record)| short(entry, record, page, level)).collect(),
        links: vec![all(reports, page)],
    }
}

/// The link to all reports.
pub(super) fn all(reports: &Reports, page: &str) -> Link {
    Link { text: format!("All reports of {}", reports.title), href: link(page, &reports.page) }
}

/// The findings of a report in short; none when it has none.
fn short(entry: &Entry, record: &Record, page: &str, level: &str) -> Option<ShortFindings> {
    let list = record.findings.as_deref().filter(|list| !list.is_empty())?;
    let more = list.len().saturating_sub(LISTED);
    Some(ShortFindings {
        heading: format!("{}: {}", words::tool_and_version(record), findings::heading(record, list.len())),
        level: level.to_owned(),
        href: link(page, &entry.page),
        notes: findings::notes(record, list),
        rules: findings::rules(list, &groups(list), 0..LISTED.min(list.len()), false),
        more: match more {
            0 => String::new(),
            more => {
                format!("{} on the page of the report.", list::counted(more, "more finding", "more findings"))
            }
        },
    })
}
