//! The findings of a report by rule and file, on as many pages as they need, and as CSV.

use std::ops::Range;

use crate::analyze::finding::{RuleGroup, groups};
use crate::evidence::record::Status;
use crate::evidence::{Finding, Record};
use crate::text::escape;
use crate::text::list;
use crate::text::number;
use crate::theme::view::{self, Fact, FindingFile, FindingRule, Link};

use super::super::facts::fact;
use super::super::plan::link;
use super::super::values::numbered;
use super::words;
use super::{Entry, words::NOT_MEASURED};
use crate::theme::view::Tone;

/// Most findings of one page.
const PAGE: usize = 500;
/// Most bytes of text of the findings of one page, unless a single one is larger.
const WEIGHT: usize = 400_000;

/// Up to this many findings are seen at a glance, without a search.
pub(super) const FEW: usize = 4;

/// How the findings of a report are cut into pages.
#[derive(Debug, Clone, Default)]
pub(in crate::site) struct Parts {
    /// Ends of the pages in the order of the groups; empty without findings.
    ends: Vec<usize>,
}

impl Parts {
    /// The pages of a report's findings.
    pub(super) fn of(record: &Record) -> Self {
        let findings = record.findings.as_deref().unwrap_or_default();
        let mut ends = Vec::new();
        let (mut count, mut weight) = (0, 0);
        for (at, place) in order(&groups(findings)).into_iter().enumerate() {
            let own = size(&findings[place]);
            if count > 0 && (count == PAGE || weight + own > WEIGHT) {
                ends.push(at);
                (count, weight) = (0, 0);
            }
            count += 1;
            weight += own;
        }
        if count > 0 {
            ends.push(findings.len());
        }
        Self { ends }
    }

    /// How many pages, the page of the report included.
    pub(super) fn count(&self) -> usize {
        self.ends.len().max(1)
    }

    /// The findings of a page, counted from 1, in the order of the groups.
    fn range(&self, number: usize) -> Range<usize> {
        let end = |number: usize| number.checked_sub(1).and_then(|at| self.ends.get(at)).copied();
        end(number.saturating_sub(1)).unwrap_or(0)..end(number).unwrap_or(0)
    }
}

/// Bytes of text of a finding.
fn size(finding: &Finding) -> usize {
    let frames: usize = finding.frames.iter().map(|frame| frame.len() + 24).sum();
    let parameters: usize = finding.parameters.iter().map(|(name, text)| name.len() + text.len() + 48).sum();
    // A message stands twice: its first line, and all of it.
    240 + 2 * finding.message.len() + frames + parameters
}

/// Positions of the findings in the order of their groups.
fn order(groups: &[RuleGroup]) -> Vec<usize> {
    groups.iter().flat_map(|rule| &rule.files).flat_map(|file| file.findings.iter().copied()).collect()
}

/// Fragment of a finding; `at` is its position in the report.
pub(super) fn anchor(at: usize) -> String {
    format!("finding-{}", at + 1)
}

/// The page of a report's findings that has the finding at a position.
pub(super) fn page_of(record: &Record, parts: &Parts) -> Vec<usize> {
    let findings = record.findings.as_deref().unwrap_or_default();
    let mut pages = vec![1; findings.len()];
    for (at, place) in order(&groups(findings)).into_iter().enumerate() {
        pages[place] = 1 + parts.ends.partition_point(|end| *end <= at);
    }
    pages
}

/// What stands on page `number` of the findings of a report; none when the tool keeps no list.
pub(super) fn view(record: &Record, entry: &Entry, number: usize) -> Option<view::Findings> {
    let findings = record.findings.as_deref()?;
    let complete = record.status == Status::Complete;
    // A tool that has never any findings, such as one that times things, is not praised for having none.
    if findings.is_empty() && !(complete && words::Sort::of(record) == words::Sort::Analyzer) {
        return None;
    }
    let path = entry.part(number);
    let groups = groups(findings);
    let range = entry.parts.range(number);
    let mut severities: Vec<String> =
        findings.iter().map(|one| words::severity(&one.severity).0).filter(|word| !word.is_empty()).collect();
    severities.sort_by(|a, b| words::gravity(a).cmp(&words::gravity(b)).then_with(|| a.cmp(b)));
    severities.dedup();
    let all = entry.parts.count();
    let shown = range.len();
    let part = match all {
        1 => String::new(),
        all => format!(
            "{} to {} of {} in the order below, on page {number} of {all}. Search and filter look at this page; the CSV has all.",
            number::whole(range.start as i128 + 1),
            number::whole(range.end as i128),
            number::whole(findings.len() as i128)
        ),
    };
    let parts = |other: usize| {
        let range = entry.parts.range(other);
        format!("{} to {}", number::whole(range.start as i128 + 1), number::whole(range.end as i128))
    };
    let to = |other: usize| format!("{}#findings", link(&path, &entry.part(other)));
    Some(view::Findings {
        heading: heading(record, findings.len()),
        notes: notes(record, findings),
        part,
        csv: (!findings.is_empty())
            .then(|| Link { text: "CSV of all findings".to_owned(), href: link(&path, &entry.csv()) }),
        severities,
        searchable: shown > FEW,
        shown: format!("{} of {} shown", number::whole(shown as i128), number::whole(shown as i128)),
        rules: rules(findings, &groups, range, true),
        pages: if all > 1 { numbered(all, number, parts, to) } else { Vec::new() },
    })
}

/// How many findings, in words that say what their number is good for.
pub(super) fn heading(record: &Record, count: usize) -> String {
    match (record.status, count) {
        (Status::Complete, 0) => "No findings".to_owned(),
        (Status::Complete, count) => list::counted(count, "finding", "findings"),
        (_, count) => format!("{} before the tool ended", list::counted(count, "finding", "findings")),
    }
}

/// What findings are and are not.
pub(super) fn notes(record: &Record, findings: &[Finding]) -> Vec<String> {
    let mut notes = Vec::new();
    if findings.is_empty() {
        let scope = match &record.scope {
            Some(scope) => format!(" (“{scope}”)"),
            None => String::new(),
        };
        notes.push(format!(
            "The tool reported nothing in what it looked at{scope}. That says nothing about any other code."
        ));
        return notes;
    }
    if record.status != Status::Complete {
        notes.push(
            "The tool did not complete, so nobody knows how many findings there are; these are the ones it had written."
                .to_owned(),
        );
    }
    notes.push(NOT_MEASURED.to_owned());
    let with = findings.iter().filter(|one| !one.frames.is_empty()).count();
    notes.push(match with {
        0 if findings.len() == 1 => "No call path was recorded.".to_owned(),
        0 => "No call path was recorded for any of them.".to_owned(),
        1 if findings.len() == 1 => "It opens to its recorded call path.".to_owned(),
        with if with == findings.len() => "Each opens to its recorded call path.".to_owned(),
        with => format!(
            "{} of {} have a recorded call path; each opens to it, or says that none was recorded.",
            number::whole(with as i128),
            number::whole(findings.len() as i128)
        ),
    });
    if let Some(word) = only_severity(findings) {
        notes.push(match word.as_str() {
            "" => "The report gives no severity.".to_owned(),
            word => format!("Severity of all: {word}."),
        });
    }
    let suppressed = findings.iter().filter(|one| one.suppressed.is_some()).count();
    if suppressed > 0 {
        notes.push(format!("{} suppressed, as the report says.", list::counted(suppressed, "is", "are")));
    }
    notes
}

/// The severity of all findings in words, when they have the same and are several.
fn only_severity(findings: &[Finding]) -> Option<String> {
    let mut words = findings.iter().map(|one| words::severity(&one.severity).0);
    let first = words.next()?;
    (findings.len() > 1 && words.all(|word| word == first)).then_some(first)
}

/// The groups, cut to the findings of a range in their order.
pub(super) fn rules(
    findings: &[Finding],
    groups: &[RuleGroup],
    range: Range<usize>,
    anchors: bool,
) -> Vec<FindingRule> {
    let told = only_severity(findings).is_some();
    let mut next = 0;
    let mut rules = Vec::new();
    for group in groups {
        let mut files = Vec::new();
        for file in &group.files {
            let first = next;
            next += file.findings.len();
            let from = range.start.clamp(first, next) - first;
            let to = range.end.clamp(first, next) - first;
            if from >= to {
                continue;
            }
            files.push(FindingFile {
                named: file.file.is_some(),
                file: file.file.clone().unwrap_or_else(|| "No file was recorded".to_owned()),
                count: number::whole(file.findings.len() as i128),
                items: file.findings[from..to]
                    .iter()
                    .map(|&at| item(&findings[at], at, anchors, told))
                    .collect(),
            });
        }
        if files.is_empty() {
            continue;
        }
        let title = group
            .files
            .iter()
            .flat_map(|file| &file.findings)
            .find_map(|&at| findings.get(at)?.rule_title.clone().filter(|title| *title != group.rule));
        let count = usize::try_from(group.count).unwrap_or(usize::MAX);
        rules.push(FindingRule {
            rule: group.rule.clone(),
            title: title.unwrap_or_default(),
            count: format!(
                "{} in {}",
                list::counted(count, "finding", "findings"),
                list::counted(group.files.len(), "file", "files")
            ),
            files,
        });
    }
    rules
}

fn item(finding: &Finding, at: usize, anchor: bool, told: bool) -> view::Finding {
    let (mut severity, grave) = words::severity(&finding.severity);
    if told && !grave {
        severity.clear();
    }
    let (message, all) = words::line(&finding.message);
    let mut facts: Vec<Fact> = Vec::new();
    let mut say = |label: &str, value: &str| facts.push(fact(label, value, Tone::Plain));
    if let Some(column) = finding.column {
        say("Column", &column.to_string());
    }
    if let Some(why) = &finding.suppressed {
        say("Suppressed", why);
    }
    if let Some(word) = &finding.baseline {
        say("Baseline", word);
    }
    finding.parameters.iter().for_each(|(name, text)| say(&words::plain(name), text));
    view::Finding {
        id: if anchor { self::anchor(at) } else { String::new() },
        place: finding.line.map(|line| format!("line {line}")).unwrap_or_default(),
        severity,
        grave,
        message: if message.is_empty() { "no message recorded".to_owned() } else { message },
        whole: if all { String::new() } else { finding.message.clone() },
        frames: finding.frames.clone(),
        no_frames: "No call path was recorded for this finding.".to_owned(),
        facts,
    }
}

/// All findings as CSV, in recorded order; the call path stands in one cell, a frame a line.
pub(super) fn csv(findings: &[Finding]) -> Vec<u8> {
    let mut out =
        String::from("number,rule,severity,file,line,column,message,call_path,suppressed,baseline\r\n");
    for (at, one) in findings.iter().enumerate() {
        let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let frames = one.frames.join("\n");
        let cells = [
            &(at + 1).to_string(),
            &one.rule,
            &one.severity,
            one.file.as_deref().unwrap_or_default(),
            &number(one.line),
            &number(one.column),
            &one.message,
            &frames,
            one.suppressed.as_deref().unwrap_or_default(),
            one.baseline.as_deref().unwrap_or_default(),
        ];
        let cells: Vec<_> = cells.into_iter().map(escape::csv_cell).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(count: usize, message: &str) -> Record {
        let finding = |at: usize| Finding {
            rule: format!("r{}", at % 2),
            severity: "warning".to_owned(),
            message: message.to_owned(),
            file: Some(format!("f{}.jl", at % 3)),
            line: Some(at as u64 + 1),
            ..Finding::default()
        };
        Record {
            tool: "jet".to_owned(),
            status: Status::Complete,
            findings: Some((0..count).map(finding).collect()),
            ..Record::default()
        }
    }

    fn entry(record: &Record) -> Entry {
        Entry {
            record: 0,
            page: "reports/s/jet/index.html".to_owned(),
            title: "JET".to_owned(),
            parts: Parts::of(record),
        }
    }

    #[test]
    fn thousands_of_findings_stand_on_numbered_pages_each_once() {
        let record = record(1201, "m");
        let entry = entry(&record);
        assert_eq!(entry.parts.count(), 3);
        let mut ids = Vec::new();
        let pages = page_of(&record, &entry.parts);
        for number in 1..=3 {
            let view = view(&record, &entry, number).unwrap();
            assert_eq!(view.pages.len(), 3);
            let items = view.rules.iter().flat_map(|rule| &rule.files).flat_map(|file| &file.items);
            for item in items {
                let at: usize = item.id.strip_prefix("finding-").unwrap().parse().unwrap();
                assert_eq!(pages[at - 1], number);
                ids.push(at);
            }
        }
        ids.sort_unstable();
        assert_eq!(ids, (1..=1201).collect::<Vec<_>>());
    }

    #[test]
    fn long_messages_fill_a_page_sooner() {
        let record = record(100, &"x".repeat(20_000));
        let parts = Parts::of(&record);
        assert!(parts.count() > 8, "{}", parts.count());
        let huge = self::record(3, &"x".repeat(1_000_000));
        assert_eq!(Parts::of(&huge).count(), 3, "one that is too large has a page of its own");
        assert_eq!(Parts::of(&Record::default()).count(), 1);
    }

    #[test]
    fn an_empty_result_is_limited_to_what_was_looked_at() {
        let mut record = record(0, "");
        record.scope = Some("one specialization".to_owned());
        let empty = view(&record, &entry(&record), 1).unwrap();
        assert_eq!(empty.heading, "No findings");
        assert!(empty.notes[0].contains("“one specialization”") && empty.notes[0].contains("any other code"));
        record.status = Status::Timeout;
        assert!(view(&record, &entry(&record), 1).is_none(), "a stopped tool has not found nothing");
        record.status = Status::Complete;
        record.tool = "latency".to_owned();
        assert!(view(&record, &entry(&record), 1).is_none());
        record.findings = None;
        assert!(view(&record, &entry(&record), 1).is_none());
    }
}
