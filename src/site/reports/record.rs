//! The page of one report: what became of the tool, its numbers, findings, output and provenance.

use crate::analyze::record::numbers;
use crate::error::Result;
use crate::evidence::Record;
use crate::evidence::record::{Artifact, Details, Quantity, Status};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{
    self, Fact, Link, Notice, Pager, Span, Table, TableCell, TableColumn, TableGroup, TableRow, Tone,
};

use super::super::facts::fact;
use super::super::figures::Files;
use super::super::page::Frame;
use super::super::plan::link;
use super::{Entry, Home, Reports, changes, details, findings, index, words};

/// Every page of the report at a place of the list, and its findings as CSV.
pub(super) fn files(
    reports: &Reports,
    at: usize,
    frame: &Frame<'_>,
    theme: &Theme,
    site: &Home<'_>,
) -> Result<Files> {
    let entry = &reports.entries[at];
    let record = &site.source.evidence.records[entry.record];
    let mut files = Files::new();
    for number in 1..=entry.parts.count() {
        let path = entry.part(number);
        let title = match number {
            1 => entry.title.clone(),
            number => format!("{}, findings {number} of {}", entry.title, entry.parts.count()),
        };
        let lede = lede(record);
        let description: String = lede.iter().map(|span| span.text.as_str()).collect();
        let mut crumbs = reports.crumbs(site, true);
        if number > 1 {
            crumbs.push((&entry.title, &entry.page));
        }
        let mut view = view::Report {
            page: frame.page(&path, &title, &description, &crumbs),
            title,
            lede,
            findings: findings::view(record, entry, number),
            pager: pager(reports, at, &path),
            ..view::Report::default()
        };
        if number == 1 {
            fill(&mut view, reports, at, site);
            view.figures = reports.figures.of_record(entry.record, &path, &site.source.evidence.id)?;
        }
        files.push((path, theme.render(&view)?.into_bytes()));
    }
    if let Some(list) = record.findings.as_ref().filter(|list| !list.is_empty()) {
        files.push((entry.csv(), findings::csv(list)));
    }
    Ok(files)
}

/// Everything that stands on the first page only.
fn fill(view: &mut view::Report, reports: &Reports, at: usize, site: &Home<'_>) {
    let entry = &reports.entries[at];
    let record = &site.source.evidence.records[entry.record];
    view.notices = notices(record);
    view.facts = facts(record, site);
    let original = site.originals.and_then(|files| files.get(&record.path));
    if let Some((fact, path)) = view.facts.iter_mut().find(|fact| fact.label == "File").zip(original) {
        fact.href = Some(link(&entry.page, path));
    }
    view.numbers = numbers_table(record);
    view.sections = details::sections(record);
    if let Some(network) = reports.network.as_ref().filter(|_| matches!(record.details, Details::Network(_)))
    {
        let text = "All targets side by side, by payload size".to_owned();
        view.notices.push(Notice {
            text: "One target alone says little about a change.".to_owned(),
            link: Some(Link { text, href: link(&entry.page, network) }),
            tone: Tone::Plain,
        });
    }
    view.changes = changes::of(reports, at, site.source);
    view.limitations.clone_from(&record.limitations);
    view.parameters =
        record.parameters.iter().map(|(name, text)| fact(&words::plain(name), text, Tone::Plain)).collect();
    view.artifacts = artifacts(&record.artifacts);
    view.output = record.output.clone().unwrap_or_default();
    view.missing = missing(record);
}

/// What became of the tool and what it said, in one or two sentences.
fn lede(record: &Record) -> Vec<Span> {
    let mut spans = vec![Span::strong(words::tool_and_version(record))];
    let said = index::headline(record);
    match record.status {
        Status::Complete if said.is_empty() => spans.push(Span::plain(" completed")),
        Status::Complete => spans.push(Span::plain(format!(" completed: {}", said.join(", ")))),
        Status::Timeout => spans.push(Span::plain(" ran out of time and has no result")),
        Status::Incomplete => spans.push(Span::plain(match record.gap {
            Some(gap) => format!(" has no result: {gap}"),
            None => " was stopped and has no result".to_owned(),
        })),
        Status::Failed => spans.push(Span::plain(" failed and has no result")),
        Status::Invalid => spans.push(Span::plain(" ended, but its result does not count")),
        Status::NotRun => spans.push(Span::plain(" was not run")),
        Status::Unknown => {
            spans.push(Span::plain(" has a status that is not known, so nothing is taken for a result"));
        }
    }
    spans.push(Span::plain("."));
    if record.status == Status::Complete
        && let Some(word) = record.correctness.as_deref()
    {
        spans.push(Span::plain(match word {
            "passed" => " The oracle passed.".to_owned(),
            "failed" => " The oracle failed.".to_owned(),
            "not_checked" => " No oracle was asked.".to_owned(),
            word => format!(" Oracle: {}.", words::plain(word)),
        }));
    }
    match record.quality.as_deref() {
        Some("failed") => spans.push(Span::plain(
            " Its quality check failed: that is about the package, not about the tool, and no measurement.",
        )),
        Some("passed") => spans.push(Span::plain(" Its quality check passed.")),
        _ => {}
    }
    match &record.target {
        Some(target) => spans.push(Span::plain(format!(" It is about {target}."))),
        None => spans.push(Span::plain(" It names no target, so it is attributed to no release.")),
    }
    spans
}

/// Why a result does not count.
fn notices(record: &Record) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut notice = |text: String| notices.push(Notice { text, link: None, tone: Tone::Problem });
    let recorded = words::recorded(record).map(|word| format!(" (recorded as “{word}”)")).unwrap_or_default();
    let out = match record.withheld {
        0 => String::new(),
        count => format!(
            " {} kept out.",
            list::counted(
                usize::try_from(count).unwrap_or(usize::MAX),
                "recorded value is",
                "recorded values are"
            )
        ),
    };
    let why = record.message.as_deref().map(|text| format!(" {}", sentence(text))).unwrap_or_default();
    match record.status {
        Status::Complete => {}
        Status::Timeout => notice(format!(
            "The tool ran out of time{recorded}. What it had counted by then is no result, whatever its exit code.{out}{why}"
        )),
        Status::Incomplete => notice(match record.gap {
            Some(gap) => format!("There is no result{recorded}: {gap}.{out}{why}"),
            None => format!("The tool did not reach its end{recorded}.{out}{why}"),
        }),
        Status::Failed => notice(format!("The tool failed{recorded}.{out}{why}")),
        Status::Invalid => notice(format!(
            "The result does not count: the oracle did not confirm it, or something changed meanwhile{recorded}.{out}{why}"
        )),
        Status::Unknown => notice(format!(
            "The recorded status is not one that is known{recorded}, so no number of it is shown.{out}{why}"
        )),
        Status::NotRun => notices.push(Notice {
            text: format!("The tool was not run{recorded}, so there is no result.{why}"),
            link: None,
            tone: Tone::Plain,
        }),
    }
    notices
}

/// A recorded text as a sentence.
fn sentence(text: &str) -> String {
    let (line, _) = words::line(text);
    if line.is_empty() || line.ends_with(['.', '!', '?', '…']) { line } else { format!("{line}.") }
}

/// Identity and circumstances.
fn facts(record: &Record, site: &Home<'_>) -> Vec<Fact> {
    let evidence = &site.source.evidence;
    let mut facts = Vec::new();
    let mut say = |label: &str, value: Option<String>, code: bool| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            facts.push(Fact { code, ..fact(label, &value, Tone::Plain) });
        }
    };
    say("Tool", Some(record.tool.clone()), true);
    say("Version", record.tool_version.clone(), false);
    let own = words::status_of(record);
    let status = match record.status_recorded.as_ref().filter(|word| *word != own) {
        Some(word) => format!("{}, recorded as “{word}”", words::status_of(record)),
        None => words::status_of(record).to_owned(),
    };
    say("Status", Some(status), false);
    say("Oracle", Some(record.correctness.as_deref().map_or("not recorded".to_owned(), words::plain)), false);
    say("Quality", record.quality.as_deref().map(words::plain), false);
    say("Said in sum", record.message.clone(), false);
    say("Looked at", record.scope.clone(), record.scope.as_deref().is_some_and(|text| !text.contains(' ')));
    say("Package", record.package.clone(), false);
    say("Feature", record.feature.clone(), true);
    say("Target", record.target.clone(), false);
    say("Run", record.run_id.clone(), true);
    say("Runtime", words::runtime(record), false);
    say("OS", record.os.clone(), false);
    say("Date", record.date.clone(), false);
    say("Revision", record.revision.clone(), true);
    say("Manifest", record.manifest_sha256.as_ref().map(|digest| format!("SHA-256 {digest}")), true);
    say("File", Some(format!("{}/{}", evidence.path, record.path)), true);
    let file = evidence.files.iter().find(|file| file.path == record.path);
    if let Some(file) = file {
        say("Format", Some(file.format.id().to_owned()), true);
        say("File SHA-256", file.sha256.clone(), true);
    }
    facts
}

/// What is not recorded, and what follows from that.
fn missing(record: &Record) -> Vec<String> {
    let absent = record.absent();
    let mut said = Vec::new();
    if !absent.is_empty() {
        said.push(format!("Not recorded: {}.", list::and(&absent)));
    }
    if ["revision of the sources", "dependency manifest"].iter().any(|word| absent.contains(word)) {
        said.push(
            "Without them the report cannot be tied to one state of the program; run the tool again with its sources identified before drawing a conclusion about a release."
                .to_owned(),
        );
    }
    said
}

/// A table of columns with or without numbers.
pub(super) fn columns(names: &[(&str, bool)]) -> Vec<TableColumn> {
    names.iter().map(|(text, right)| TableColumn { text: (*text).to_owned(), right: *right }).collect()
}

/// A cell with text only.
pub(super) fn cell(text: impl Into<String>) -> TableCell {
    TableCell { text: text.into(), ..TableCell::default() }
}

/// A row without a fragment.
pub(super) fn row(cells: Vec<TableCell>) -> TableRow {
    TableRow { id: String::new(), cells }
}

/// Rows in one group.
pub(super) fn one_group(rows: Vec<TableRow>) -> Vec<TableGroup> {
    vec![TableGroup { rows, ..TableGroup::default() }]
}

/// Every number, recorded before derived; those that a table of details has as well are left to it.
fn numbers_table(record: &Record) -> Option<Table> {
    let in_details = |one: &Quantity| match record.details {
        Details::HeapTypes(_) => one.name.starts_with("shallow_bytes/"),
        Details::Network(_) => one.name.contains('/'),
        Details::Samples(_) => {
            one.name == "samples" || one.name.ends_with("_min") || one.name.ends_with("_max")
        }
        _ => false,
    };
    let rows: Vec<TableRow> = words::ordered(numbers(record))
        .iter()
        .filter(|one| !in_details(one))
        .map(|one| {
            row(vec![
                TableCell { note: words::recorded_name(&one.name), ..cell(words::name(&one.name)) },
                cell(words::value(one.value, &one.unit)),
                cell(words::exact(one.value, &one.unit)),
                cell(one.origin.word()),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        label: "Numbers of the report".to_owned(),
        columns: columns(&[
            ("number", false),
            ("value", true),
            ("exactly", true),
            ("recorded or derived", false),
        ]),
        groups: one_group(rows),
    })
}

fn artifacts(list: &[Artifact]) -> Option<Table> {
    let rows: Vec<TableRow> = list
        .iter()
        .map(|one| {
            row(vec![
                cell(one.name.clone().unwrap_or_else(|| "no name recorded".to_owned())),
                cell(one.kind.as_deref().map(words::plain).unwrap_or_default()),
                cell(one.bytes.map(|bytes| format!("{} B", number::whole(bytes.into()))).unwrap_or_default()),
                TableCell {
                    code: true,
                    ..cell(one.sha256.clone().unwrap_or_else(|| "not recorded".to_owned()))
                },
                cell(match one.redacted {
                    Some(true) => "redacted",
                    Some(false) => "not redacted",
                    None => "",
                }),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        label: "Files that the tool wrote, as recorded".to_owned(),
        columns: columns(&[
            ("file", false),
            ("kind", false),
            ("size", true),
            ("SHA-256 as recorded", false),
            ("contents", false),
        ]),
        groups: one_group(rows),
    })
}

fn pager(reports: &Reports, at: usize, path: &str) -> Pager {
    let to = |other: Option<&Entry>| {
        other.map(|other| Link { text: other.title.clone(), href: link(path, &other.page) })
    };
    Pager {
        all: Link { text: "All reports".to_owned(), href: link(path, &reports.page) },
        previous: to(at.checked_sub(1).and_then(|before| reports.entries.get(before))),
        next: to(reports.entries.get(at + 1)),
    }
}
