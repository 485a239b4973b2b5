//! What content pages embed of reports: findings, records, manifests, files to download.

use std::collections::BTreeSet;

use crate::analyze::finding::groups;
use crate::config::nearest;
use crate::content::block::{DownloadsBlock, FindingsBlock, ManifestBlock, RecordsBlock};
use crate::evidence::Record;
use crate::text::list;
use crate::theme::view::{ReportList, ShortFindings, Table, TableCell};

use super::super::figures;
use super::super::load::LoadedSource;
use super::super::originals::Published;
use super::super::plan::link;
use super::super::workloads::{Gallery, Set};
use super::manifest::Manifests;
use super::record::{cell, columns, one_group, row};
use super::{Entry, Reports, findings, index, of_workload, words};

/// Most findings that a block shows.
const LISTED: usize = 200;
/// Most manifests that a block sets side by side.
const ABREAST: usize = 8;

/// The name of a report in a block: that of its folder.
pub(in crate::site) fn name(entry: &Entry) -> &str {
    entry.page.rsplit('/').nth(1).unwrap_or_default()
}

/// The findings of one report, or of one rule of it.
///
/// # Errors
/// Says in words what does not fit, with the nearest name.
pub(in crate::site) fn findings(
    block: &FindingsBlock,
    (reports, source): (Option<&Reports>, &LoadedSource),
    page: &str,
    level: &str,
) -> Result<ReportList, String> {
    let with: Vec<(&Entry, &Record)> = chosen(reports, source, |record| {
        record
            .findings
            .as_ref()
            .is_some_and(|list| !list.is_empty() || words::Sort::of(record) == words::Sort::Analyzer)
    });
    let mut found = with.clone();
    if let Some(wanted) = &block.tool {
        found.retain(|(_, record)| record.tool == *wanted);
        if found.is_empty() {
            return Err(nearest::unknown(
                ("tool", "tools with findings"),
                wanted,
                tools(&with).iter().copied(),
            ));
        }
    }
    if let Some(wanted) = &block.target {
        let known: BTreeSet<&str> = found.iter().filter_map(|(_, record)| record.target.as_deref()).collect();
        found.retain(|(_, record)| record.target.as_ref() == Some(wanted));
        if found.is_empty() && known.is_empty() {
            return Err(format!("no report with findings names a target, so none is of {wanted}"));
        }
        if found.is_empty() {
            return Err(nearest::unknown(("target", "targets with findings"), wanted, known.iter().copied()));
        }
    }
    if let Some(wanted) = &block.record {
        found.retain(|(entry, _)| name(entry) == wanted || entry.title == *wanted);
        if found.is_empty() {
            return Err(nearest::unknown(
                ("record", "records"),
                wanted,
                with.iter().map(|(entry, _)| name(entry)),
            ));
        }
    }
    let [(entry, record)] = found.as_slice() else {
        let known: Vec<&str> = found.iter().map(|(entry, _)| name(entry)).collect();
        return Err(match known.len() {
            0 => "the source has no report with findings".to_owned(),
            _ => format!("several reports fit; name one as `record`: {}", list::or(&known)),
        });
    };
    let all = record.findings.as_deref().unwrap_or_default();
    let mut list = all.to_vec();
    if let Some(wanted) = &block.rule {
        list.retain(|one| one.rule == *wanted);
        if list.is_empty() {
            let known: BTreeSet<&str> = all.iter().map(|one| one.rule.as_str()).collect();
            return Err(nearest::unknown(("rule", "rules of the report"), wanted, known.iter().copied()));
        }
    }
    let shown = LISTED.min(list.len());
    let short = ShortFindings {
        heading: format!("{}: {}", words::tool_and_version(record), findings::heading(record, list.len())),
        level: level.to_owned(),
        href: link(page, &entry.page),
        notes: findings::notes(record, &list),
        rules: findings::rules(&list, &groups(&list), 0..shown, false),
        more: match list.len() - shown {
            0 => String::new(),
            more => {
                format!("{} on the page of the report.", list::counted(more, "more finding", "more findings"))
            }
        },
    };
    Ok(ReportList { findings: vec![short], ..ReportList::default() })
}

/// What the tools of a source said, or one of them.
///
/// # Errors
/// Says in words what does not fit, with the nearest name.
pub(in crate::site) fn records(
    block: &RecordsBlock,
    (reports, source): (Option<&Reports>, &LoadedSource),
    page: &str,
) -> Result<ReportList, String> {
    let all = chosen(reports, source, |_| true);
    let mut found = all.clone();
    if let Some(wanted) = &block.tool {
        found.retain(|(_, record)| record.tool == *wanted);
        if found.is_empty() {
            return Err(nearest::unknown(("tool", "tools"), wanted, tools(&all).iter().copied()));
        }
    }
    let Some(reports) = reports.filter(|_| !found.is_empty()) else {
        return Err("the source has no report".to_owned());
    };
    Ok(ReportList {
        table: Some(index::overview(&found, reports, page)),
        links: vec![of_workload::all(reports, page)],
        ..ReportList::default()
    })
}

/// The resolved dependencies of a source, or of one target of it.
///
/// # Errors
/// Says in words what does not fit, with the nearest name.
pub(in crate::site) fn manifest(block: &ManifestBlock, source: &LoadedSource) -> Result<ReportList, String> {
    let all = Manifests::of_source(source);
    if all.is_empty() {
        return Err("the source has no dependency manifest".to_owned());
    }
    let found = match &block.target {
        None => all,
        Some(wanted) => {
            let known: Vec<String> = all.labels().map(str::to_owned).collect();
            let only = all.only(wanted);
            if only.is_empty() {
                let known = known.iter().map(String::as_str);
                return Err(nearest::unknown(("target", "targets with a manifest"), wanted, known));
            }
            only
        }
    };
    let table = found.packages(ABREAST);
    let named = table.groups.iter().any(|group| !group.rows.is_empty());
    let mut notes = vec![found.known()];
    if found.len() > ABREAST {
        notes.push(format!("The last {ABREAST} of {}.", found.len()));
    }
    Ok(ReportList {
        notes,
        table: Some(if named { table } else { found.digests() }),
        ..ReportList::default()
    })
}

/// Files of one figure, of the figures of one feature, or of a whole source.
///
/// # Errors
/// Says in words what does not fit, with the nearest name.
pub(in crate::site) fn downloads(
    block: &DownloadsBlock,
    (source, gallery): (&LoadedSource, &Gallery),
    originals: Option<&Published>,
    page: &str,
) -> Result<ReportList, String> {
    let id = &source.evidence.id;
    let feature = |set: &Set| &*source.series.groups[set.group].feature;
    let mut sets: Vec<&Set> = gallery.sets.iter().collect();
    if let Some(wanted) = &block.feature {
        sets.retain(|set| feature(set) == wanted);
        if sets.is_empty() {
            let known: BTreeSet<&str> = gallery.sets.iter().map(feature).collect();
            return Err(nearest::unknown(("feature", "features"), wanted, known.iter().copied()));
        }
    }
    let whole = block.feature.is_none() && block.figure.is_none();
    let mut shown: Vec<(&str, &str)> = Vec::new();
    for set in &sets {
        // Of a whole source only the figures that stand for their features; all of one feature.
        let all = set.figures().map(|figure| (feature(set), figure.id.as_str()));
        if whole { shown.extend(all.take(1)) } else { shown.extend(all) }
    }
    let loose = gallery.loose_figures().chain(&gallery.overlays).map(|figure| ("", figure.id.as_str()));
    if block.feature.is_none() {
        shown.extend(loose);
    }
    if let Some(wanted) = &block.figure {
        let known: Vec<&str> = shown.iter().map(|(_, id)| *id).collect();
        shown.retain(|(_, id)| id == wanted);
        if shown.is_empty() {
            return Err(nearest::unknown(("figure", "figures"), wanted, known));
        }
    }
    let mut rows = Vec::new();
    for (feature, figure) in shown {
        let base = figures::base(id, figure);
        let to = |ending: &str, text: &str| TableCell {
            href: Some(link(page, &format!("{base}.{ending}"))),
            ..cell(text)
        };
        let name = if feature.is_empty() { figure } else { feature };
        rows.push(row(vec![
            TableCell {
                code: true,
                note: if feature.is_empty() { String::new() } else { figure.to_owned() },
                ..cell(name)
            },
            to("json", "serialized plot"),
            to("csv", "CSV"),
            to("svg", "SVG"),
            to("html", "interactive"),
        ]));
    }
    let mut notes = Vec::new();
    let mut table = Table {
        label: "Files to download".to_owned(),
        columns: columns(&[
            ("figure", false),
            ("document", false),
            ("values", false),
            ("picture", false),
            ("page", false),
        ]),
        groups: one_group(rows),
    };
    if whole {
        if originals.is_none_or(Published::is_empty) {
            notes.push("The original files of the evidence are not published with this site.".to_owned());
        } else {
            let rows = originals.into_iter().flatten().map(|(shown, path)| {
                let mut cells =
                    vec![TableCell { href: Some(link(page, path)), code: true, ..cell(shown.clone()) }];
                cells.resize(5, TableCell::default());
                row(cells)
            });
            table.groups.insert(
                0,
                crate::theme::view::TableGroup {
                    heading: "Original files".to_owned(),
                    rows: rows.collect(),
                    ..crate::theme::view::TableGroup::default()
                },
            );
        }
    }
    table.groups.retain(|group| !group.rows.is_empty());
    if table.groups.is_empty() {
        return Err("there is no file to download".to_owned());
    }
    Ok(ReportList { notes, table: Some(table), ..ReportList::default() })
}

/// The reports that fit.
fn chosen<'a>(
    reports: Option<&'a Reports>,
    source: &'a LoadedSource,
    fits: impl Fn(&Record) -> bool,
) -> Vec<(&'a Entry, &'a Record)> {
    let entries = reports.iter().flat_map(|reports| &reports.entries);
    let all = entries.map(|entry| (entry, &source.evidence.records[entry.record]));
    all.filter(|(_, record)| fits(record)).collect()
}

fn tools<'a>(found: &[(&Entry, &'a Record)]) -> BTreeSet<&'a str> {
    found.iter().map(|(_, record)| record.tool.as_str()).collect()
}
