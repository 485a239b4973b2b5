//! The list of all reports of a source: what each tool said, in one table.

use crate::analyze::record::{heap_top, massif_peak, numbers};
use crate::analyze::{Statistic, network as measured};
use crate::error::Result;
use crate::evidence::record::{Details, Status};
use crate::evidence::{Number, Record};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{self, Described, Link, Table, TableCell, TableColumn, TableGroup, TableRow, Tone};

use super::super::figures::Files;
use super::super::load::LoadedSource;
use super::super::page::Frame;
use super::super::plan::link;
use super::super::values::numbered;
use super::manifest::Manifests;
use super::words::{self, Sort};
use super::{Entry, Home, Reports, network, runs};

/// Reports of one page of the list.
const PAGE: usize = 500;

/// Most headline numbers of a row.
const HEADLINE: usize = 4;

/// How many pages the list of so many reports has.
pub(super) fn pages(count: usize) -> usize {
    count.div_ceil(PAGE).max(1)
}

/// Path of a page of the list; the first one is the list itself.
pub(super) fn path(page: &str, number: usize) -> String {
    match number {
        0 | 1 => page.to_owned(),
        number => page.replace("/index.html", &format!("/{number}/index.html")),
    }
}

/// Whether a name could be that of a page of the list, or of another page beside the reports.
pub(super) fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit()) || matches!(name, "network" | "runs" | "manifests")
}

/// What is there, in one sentence: `19 reports of 16 tools, 2 of which ran out of time and 2 were not run.`
pub(super) fn counts(reports: &Reports, source: &LoadedSource) -> String {
    let records = || reports.entries.iter().map(|entry| &source.evidence.records[entry.record]);
    if reports.entries.is_empty() {
        return match reports.runs.len() {
            0 => "No report of a tool; the dependency manifests are there.".to_owned(),
            count => format!("No report of a tool; the verdicts of {}.", list::counted(count, "run", "runs")),
        };
    }
    let mut text = format!(
        "{} of {}",
        list::counted(reports.entries.len(), "report", "reports"),
        list::counted(reports.tools(source).len(), "tool", "tools")
    );
    let mut other = Vec::new();
    for status in [
        Status::Timeout,
        Status::Incomplete,
        Status::Failed,
        Status::Invalid,
        Status::NotRun,
        Status::Unknown,
    ] {
        let gaps = records().filter(|record| record.status == status && record.gap.is_some()).count();
        let count = records().filter(|record| record.status == status).count() - gaps;
        if gaps > 0 {
            let are = if gaps == 1 { "is" } else { "are" };
            other.push(format!("{} {are} incomplete", number::whole(gaps as i128)));
        }
        if count > 0 {
            let words = match (status, count) {
                (Status::NotRun, 1) => "was not run".to_owned(),
                (Status::NotRun, _) => "were not run".to_owned(),
                (Status::Incomplete, 1) => "was stopped".to_owned(),
                (Status::Incomplete, _) => "were stopped".to_owned(),
                (Status::Invalid, 1) => "does not count".to_owned(),
                (Status::Invalid, _) => "do not count".to_owned(),
                (Status::Unknown, 1) => "has a status that is not known".to_owned(),
                (Status::Unknown, _) => "have a status that is not known".to_owned(),
                (status, _) => words::status(status).to_owned(),
            };
            other.push(format!("{} {words}", number::whole(count as i128)));
        }
    }
    if !other.is_empty() {
        text = format!("{text}; {}", list::and(&other));
    }
    let findings: u64 = records().filter_map(Record::finding_count).sum();
    if findings > 0 {
        let findings = list::counted(usize::try_from(findings).unwrap_or(usize::MAX), "finding", "findings");
        text = format!("{text}. {findings} in all");
    }
    format!("{text}.")
}

/// The pages of the list.
pub(super) fn files(reports: &Reports, frame: &Frame<'_>, theme: &Theme, site: &Home<'_>) -> Result<Files> {
    let all = pages(reports.entries.len());
    (1..=all)
        .map(|number| {
            let path = self::path(&reports.page, number);
            let from = (number - 1) * PAGE;
            let entries = &reports.entries[from..(from + PAGE).min(reports.entries.len())];
            let range = |other: usize| {
                let end = (other * PAGE).min(reports.entries.len());
                format!(
                    "{} to {}",
                    number::whole(((other - 1) * PAGE + 1) as i128),
                    number::whole(end as i128)
                )
            };
            let to = |other: usize| link(&path, &self::path(&reports.page, other));
            let title = format!("Reports: {}", reports.title);
            let lede = counts(reports, site.source);
            let chosen: Vec<_> =
                entries.iter().map(|entry| (entry, &site.source.evidence.records[entry.record])).collect();
            let joined = joined(&chosen, reports);
            let table = overview(&chosen, reports, &path);
            let view = view::Reports {
                page: frame.page(&path, &title, &lede, &reports.crumbs(site, number > 1)),
                title,
                lede,
                notices: Vec::new(),
                table: (!table.groups.is_empty()).then_some(table),
                more_summary: format!("Each of the {} network reports", joined.len()),
                more: (!joined.is_empty()).then(|| table_of(&joined, &path)),
                runs: if number == 1 { runs::table(reports, site.source, &path) } else { None },
                links: links(reports, site.source, &path),
                pages: if all > 1 { numbered(all, number, range, to) } else { Vec::new() },
            };
            Ok((path.clone(), theme.render(&view)?.into_bytes()))
        })
        .collect()
}

/// The reports that stand in the list together: what a watched interface gave at many targets.
fn joined<'a>(chosen: &[(&'a Entry, &'a Record)], reports: &Reports) -> Vec<(&'a Entry, &'a Record)> {
    let apart = |(_, record): &&(&Entry, &Record)| matches!(record.details, Details::Network(_));
    if reports.network.is_some() { chosen.iter().filter(apart).copied().collect() } else { Vec::new() }
}

/// The table of some reports as the page at `page` shows it, those of a watched interface in one line that leads to
/// their own page.
pub(super) fn overview(chosen: &[(&Entry, &Record)], reports: &Reports, page: &str) -> Table {
    let joined = joined(chosen, reports);
    let Some(network) = reports.network.as_ref().filter(|_| !joined.is_empty()) else {
        return table_of(chosen, page);
    };
    let alone = chosen.iter().filter(|(_, record)| !matches!(record.details, Details::Network(_)));
    let mut table = table_of(&alone.copied().collect::<Vec<_>>(), page);
    join(&mut table, &joined, &link(page, network));
    table
}

/// Adds one row per package and system for reports of a watched interface.
fn join(table: &mut Table, joined: &[(&Entry, &Record)], href: &str) {
    let heading = Sort::Network.heading();
    let rows = network::in_short(joined.iter().map(|(_, record)| *record)).into_iter().map(|one| {
        let mut cells = vec![
            TableCell { href: Some(href.to_owned()), note: one.title, ..cell("Network interface") },
            TableCell { note: one.span, ..cell(one.status) },
            cell(one.oracle),
            cell(one.says),
            cell(one.scope),
        ];
        cells.resize(table.columns.len(), TableCell::default());
        TableRow { id: String::new(), cells }
    });
    let rows: Vec<TableRow> = rows.collect();
    match table.groups.iter_mut().find(|group| group.heading == heading) {
        Some(group) => {
            // What the others lack is not what these lack.
            group.note.clear();
            group.rows.splice(0..0, rows);
        }
        None => table.groups.push(TableGroup { heading: heading.to_owned(), rows, ..TableGroup::default() }),
    }
}

fn links(reports: &Reports, source: &LoadedSource, path: &str) -> Vec<Described> {
    let network = reports.network.iter().map(|page| Described {
        link: Link { text: "Network measurements".to_owned(), href: link(path, page) },
        text: "Latency, throughput, packets and bytes by payload size and target.".to_owned(),
    });
    let manifests = reports.manifests.iter().map(|(at, page)| {
        let catalog = &source.evidence.catalogs[*at];
        Described {
            link: Link { text: format!("Dependency manifests of {}", catalog.path), href: link(path, page) },
            text: Manifests::of_catalog(catalog, source).says(),
        }
    });
    network.chain(manifests).collect()
}

/// The table of some reports as the page at `page` shows it.
pub(super) fn table_of(chosen: &[(&Entry, &Record)], page: &str) -> Table {
    let mut groups: Vec<TableGroup> = Vec::new();
    let mut missing = false;
    for sort in [Sort::Analyzer, Sort::Runtime, Sort::Native, Sort::Network] {
        let of_sort: Vec<(&Entry, &Record)> =
            chosen.iter().filter(|(_, record)| Sort::of(record) == sort).copied().collect();
        if of_sort.is_empty() {
            continue;
        }
        // What is missing everywhere is said once.
        let absent = of_sort.iter().map(|(_, record)| record.absent());
        let common: Vec<&str> = absent
            .reduce(|mut a, b| {
                a.retain(|word| b.contains(word));
                a
            })
            .unwrap_or_default();
        let note = if common.is_empty() {
            String::new()
        } else {
            let who = if of_sort.len() == 1 { "The report does not record" } else { "None of them records" };
            let whose = match (common.contains(&"target"), of_sort.len()) {
                (false, _) => "",
                (true, 1) => ", so it is attributed to no release",
                (true, _) => ", so none is attributed to a release",
            };
            format!("{who} {}{whose}.", list::or(&common))
        };
        missing |= of_sort.iter().any(|(_, record)| record.absent().len() > common.len());
        let row = |(entry, record): &(&Entry, &Record)| row(entry, record, &common, page);
        groups.push(TableGroup {
            heading: sort.heading().to_owned(),
            note,
            rows: of_sort.iter().map(row).collect(),
        });
    }
    let column = |text: &str| TableColumn { text: text.to_owned(), right: false };
    let mut columns = ["report", "status", "oracle, quality", "says", "looked at", "also not recorded"]
        .map(column)
        .to_vec();
    if !missing {
        columns.pop();
        groups.iter_mut().flat_map(|group| &mut group.rows).for_each(|row| drop(row.cells.pop()));
    }
    Table { label: "What each tool said".to_owned(), columns, groups }
}

fn cell(text: impl Into<String>) -> TableCell {
    TableCell { text: text.into(), ..TableCell::default() }
}

fn row(entry: &Entry, record: &Record, common: &[&str], page: &str) -> TableRow {
    let name = TableCell {
        href: Some(link(page, &entry.page)),
        note: record.tool_version.clone().unwrap_or_default(),
        ..cell(entry.title.clone())
    };
    let status = TableCell {
        tone: words::tone(record.status),
        note: words::recorded(record)
            .map(|word| format!("recorded as {}", words::plain(&word)))
            .unwrap_or_default(),
        ..cell(words::status_of(record))
    };
    let absent: Vec<&str> = record.absent().into_iter().filter(|word| !common.contains(word)).collect();
    TableRow {
        id: String::new(),
        cells: vec![
            name,
            status,
            checked(record),
            says(record),
            cell(record.scope.as_deref().map(words::text).unwrap_or_default()),
            cell(list::and(&absent)),
        ],
    }
}

/// What the oracle and a quality check said.
pub(super) fn checked(record: &Record) -> TableCell {
    let mut said = Vec::new();
    if let Some(word) = &record.correctness {
        said.push(format!("oracle {}", words::plain(word)));
    }
    if let Some(word) = record.quality.as_deref().filter(|word| *word != "not_checked") {
        said.push(format!("quality {}", words::plain(word)));
    }
    let bad = [&record.correctness, &record.quality].into_iter().flatten().any(|word| word == "failed");
    TableCell {
        tone: if bad { Tone::Problem } else { Tone::Plain },
        ..cell(if said.is_empty() { "not recorded".to_owned() } else { said.join(", ") })
    }
}

/// What a tool said in its most important numbers, or why it says nothing.
pub(super) fn says(record: &Record) -> TableCell {
    let mut said = headline(record);
    if record.status != Status::Complete {
        let why = record.message.as_deref().map(words::line).map(|(line, _)| line).unwrap_or_default();
        return TableCell { note: why, ..cell(withheld(record).unwrap_or_else(|| "no result".to_owned())) };
    }
    if said.is_empty() {
        let message = record.message.as_deref().filter(|text| !text.is_empty());
        said.push(
            message.map_or_else(|| "completed, no number recorded".to_owned(), |text| words::line(text).0),
        );
    }
    cell(said.join("; "))
}

/// How many recorded values are kept out; none when there are none.
pub(super) fn withheld(record: &Record) -> Option<String> {
    (record.withheld > 0).then(|| {
        let count = usize::try_from(record.withheld).unwrap_or(usize::MAX);
        format!("no result; {} not shown", list::counted(count, "recorded value", "recorded values"))
    })
}

/// The most important numbers of a report, in words. Empty unless the tool completed.
pub(in crate::site) fn headline(record: &Record) -> Vec<String> {
    if record.status != Status::Complete {
        return Vec::new();
    }
    let mut said = Vec::new();
    if let Some(count) = record.finding_count()
        && (count > 0 || Sort::of(record) == Sort::Analyzer)
    {
        said.push(list::counted(usize::try_from(count).unwrap_or(usize::MAX), "finding", "findings"));
    }
    let own = |names: &[&str]| {
        let all = numbers(record);
        let found = names.iter().filter_map(|name| all.iter().find(|one| one.name == *name));
        found.map(words::said).collect::<Vec<_>>()
    };
    match &record.details {
        Details::Samples(samples) => {
            let count = samples.columns.iter().map(|column| column.values.len()).max().unwrap_or(0);
            said.push(list::counted(count, "sample", "samples"));
            let wanted: &[&str] = match record.tool.as_str() {
                "gc" => &["operation_seconds", "allocated_bytes", "gc_seconds"],
                "locks" => &["lock_conflicts", "operation_seconds"],
                "memory" => &["state_before_bytes", "state_after_bytes", "rss_after_bytes"],
                _ => &[],
            };
            let named = samples.columns.iter().filter(|column| wanted.contains(&column.name.as_str()));
            let mut columns: Vec<_> = named.collect();
            columns.sort_by_key(|column| wanted.iter().position(|name| *name == column.name));
            if columns.is_empty() {
                columns = samples.columns.iter().take(2).collect();
            }
            for column in columns {
                let values: Vec<Number> = column.values.iter().flatten().copied().collect();
                let range = words::range(&values, column.unit);
                said.extend(range.map(|range| format!("{} {range}", words::name(&column.name))));
            }
        }
        Details::HeapTypes(heap) => {
            let (_, all) = heap_top(heap, 0);
            let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
            said.push(list::counted(count(all.types), "type", "types"));
            said.push(list::counted(count(all.objects), "object", "objects"));
            said.push(format!("{} in sum", words::value(Number::Unsigned(all.bytes), "By")));
        }
        Details::Massif(massif) => {
            said.push(list::counted(massif.snapshots.len(), "snapshot", "snapshots"));
            let peak = massif_peak(massif).and_then(|(_, peak)| peak.heap_bytes);
            said.extend(
                peak.map(|bytes| format!("peak heap {}", words::value(Number::Unsigned(bytes), "By"))),
            );
        }
        Details::Network(network) => {
            for one in network.payloads.iter().take(HEADLINE) {
                let median = measured::latency(one).and_then(|summary| summary.get(Statistic::Median));
                said.extend(median.map(|value| {
                    format!("{}: median {}", words::payload(one.bytes), words::value(value, "s"))
                }));
            }
        }
        Details::Isolation(_) => {
            said.extend(own(&["verified_requests", "packets_sent", "packets_received"]));
        }
        Details::None => {
            let numbers = words::ordered(record.numbers.clone());
            said.extend(numbers.iter().take(HEADLINE).map(words::said));
        }
    }
    said
}
