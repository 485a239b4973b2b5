//! What is new, fixed and the same between two reports of one tool.

use crate::analyze::finding;
use crate::analyze::order;
use crate::evidence::record::Status;
use crate::evidence::{Finding, Record, TargetKind};
use crate::text::list;
use crate::theme::view::{self, ChangeList, ChangedFinding, Link, Span};

use super::super::load::LoadedSource;
use super::super::plan::link;
use super::findings::{anchor, page_of};
use super::{Entry, Reports, words};

/// Most findings of one list.
const LISTED: usize = 200;

/// What tells two states of a program apart, and whether it also says which was first.
#[derive(Debug, PartialEq, Eq)]
enum Apart {
    /// Two targets.
    Targets,
    /// Two dates.
    Dates,
    /// Two revisions of the sources, or two files: which was first is not recorded.
    Unordered,
}

/// What became of the findings of a report since the report before it; nothing when there is none.
pub(super) fn of(reports: &Reports, at: usize, source: &LoadedSource) -> Vec<view::Changes> {
    let entry = &reports.entries[at];
    let record = &source.evidence.records[entry.record];
    if !comparable(record) {
        return Vec::new();
    }
    let others: Vec<(&Entry, &Record)> = reports
        .entries
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != at)
        .map(|(_, other)| (other, &source.evidence.records[other.record]))
        .filter(|(_, other)| comparable(other) && alike(record, other))
        .collect();
    let Some((other, apart)) = before(record, &others) else { return Vec::new() };
    let Ok(found) = finding::compare(other.1, record) else { return Vec::new() };
    vec![view((entry, record), other, &apart, &found)]
}

/// Whether a report has findings that can be compared: an empty list can.
fn comparable(record: &Record) -> bool {
    record.status == Status::Complete
        && record.findings.is_some()
        && words::Sort::of(record) == words::Sort::Analyzer
}

/// Whether two reports are about the same thing.
fn alike(a: &Record, b: &Record) -> bool {
    a.tool == b.tool && a.package == b.package && a.feature == b.feature
}

/// The report that a report is compared with: the nearest one before it.
fn before<'a>(
    record: &Record,
    others: &[(&'a Entry, &'a Record)],
) -> Option<((&'a Entry, &'a Record), Apart)> {
    if let Some(target) = &record.target {
        let own = order::key(target, &TargetKind::Release);
        let earlier = others.iter().filter_map(|other| Some((other, other.1.target.as_ref()?)));
        let earlier = earlier.filter(|(_, label)| order::key(label, &TargetKind::Release) < own);
        let nearest = earlier.max_by(|(_, a), (_, b)| {
            order::key(a, &TargetKind::Release).cmp(&order::key(b, &TargetKind::Release))
        });
        return nearest.map(|(other, _)| (*other, Apart::Targets));
    }
    // Reports that name no target are compared only where nobody can mistake which ones.
    let [other] = others else { return None };
    if other.1.target.is_some() {
        return None;
    }
    match (&record.date, &other.1.date) {
        (Some(own), Some(date)) if date < own => Some((*other, Apart::Dates)),
        (Some(own), Some(date)) if date > own => None,
        // Once for the two of them: on the later one of the list.
        _ => (other.1.path < record.path).then_some((*other, Apart::Unordered)),
    }
}

fn view(
    (entry, record): (&Entry, &Record),
    (other, earlier): (&Entry, &Record),
    apart: &Apart,
    found: &finding::Changes,
) -> view::Changes {
    let state = |record: &Record| match apart {
        Apart::Targets => record.target.clone().unwrap_or_default(),
        Apart::Dates => record.date.clone().unwrap_or_default(),
        Apart::Unordered => format!("the report in {}", record.path),
    };
    let known = *apart != Apart::Unordered;
    let words = if known {
        ["new", "fixed", "the same"]
    } else {
        ["only in this report", "only in the other", "in both"]
    };
    let mut notes = vec![
        "Findings are known again by tool, rule, file and message without line numbers, so moved lines do not make them new. Two that differ in nothing else can be taken for each other; their number is right."
            .to_owned(),
    ];
    if !known {
        notes.push(
            "Neither report names a target and no order of the two is recorded, so nothing is called new or fixed."
                .to_owned(),
        );
    }
    notes.extend(found.cautions.iter().map(|text| format!("They are less comparable: {text}.")));
    let (own, old) =
        (record.findings.as_deref().unwrap_or_default(), earlier.findings.as_deref().unwrap_or_default());
    let pages = page_of(record, &entry.parts);
    let here = |at: usize| {
        let page = pages.get(at).copied().unwrap_or(1);
        let on = if page == 1 { String::new() } else { link(&entry.page, &entry.part(page)) };
        line(&own[at], Some(format!("{on}#{}", anchor(at))))
    };
    let old_pages = page_of(earlier, &other.parts);
    let there = |at: usize| {
        let page = link(&entry.page, &other.part(old_pages.get(at).copied().unwrap_or(1)));
        line(&old[at], Some(format!("{page}#{}", anchor(at))))
    };
    let list =
        |positions: &[usize], word: &str, line: &dyn Fn(usize) -> ChangedFinding, open: bool| ChangeList {
            heading: format!("{} {word}", list::counted(positions.len(), "finding is", "findings are")),
            items: positions.iter().take(LISTED).map(|&at| line(at)).collect(),
            more: match positions.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!("{} more.", crate::text::number::whole(more as i128)),
            },
            open,
        };
    let same: Vec<usize> = found.same.iter().map(|(_, at)| *at).collect();
    let lists: Vec<ChangeList> = [
        list(&found.new, words[0], &here, true),
        list(&found.fixed, words[1], &there, true),
        list(&same, words[2], &here, false),
    ]
    .into_iter()
    .filter(|list| !list.items.is_empty())
    .collect();
    let count = |count: usize| crate::text::number::whole(count as i128);
    view::Changes {
        id: "changes".to_owned(),
        heading: if known {
            format!("Since {}", state(earlier))
        } else {
            format!("Against {}", state(earlier))
        },
        says: vec![
            Span::strong(format!("{} {}", count(found.new.len()), words[0])),
            Span::plain(", "),
            Span::strong(format!("{} {}", count(found.fixed.len()), words[1])),
            Span::plain(format!(", {} {}.", count(same.len()), words[2])),
        ],
        notes,
        other: Link {
            text: format!("The other report: {}", other.title),
            href: link(&entry.page, &other.page),
        },
        lists,
    }
}

fn line(finding: &Finding, href: Option<String>) -> ChangedFinding {
    let place = match (&finding.file, finding.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => String::new(),
    };
    let (message, _) = words::line(&finding.message);
    ChangedFinding { place, rule: finding.rule.clone(), message, href }
}
