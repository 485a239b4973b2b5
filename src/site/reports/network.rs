//! The network measurements of a source on one page: payload sizes as tabs, targets as rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Statistic;
use crate::analyze::network::{Measured, latency, versions};
use crate::error::Result;
use crate::evidence::record::{Details, Network, Payload, Status};
use crate::evidence::{Number, Record};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{
    self, Described, Link, Notice, Section, SectionTab, Span, Table, TableCell, TableRow, Tone,
};

use super::super::page::Frame;
use super::super::plan::link;
use super::details::{
    DISCARDED, IDLE, ISOLATED, PAYLOAD, discarded, idle_cells, network_notes, payload_cells,
};
use super::record::{cell, columns, one_group, row};
use super::{Home, Reports, words};

/// The requests of one payload size at a target.
type Requests<'a> = (Measured<'a>, &'a Payload);

/// Measurements that may stand in one table: of one package on one system, counted in one way.
struct Group<'a> {
    /// Such as "Oxygen on Linux".
    title: String,
    /// Fragment of the page.
    id: String,
    /// The versions in order.
    rows: Vec<Measured<'a>>,
}

/// What a watched interface gave for one package on one system, in a line.
pub(super) struct Short {
    /// Such as "Oxygen on Linux".
    pub(super) title: String,
    /// Which targets.
    pub(super) span: String,
    /// What became of the tool, in words.
    pub(super) status: &'static str,
    /// What the oracles said.
    pub(super) oracle: String,
    /// The largest step of the smallest payload, or its median.
    pub(super) says: String,
    /// What was looked at.
    pub(super) scope: String,
}

/// Every package and system in a line.
pub(super) fn in_short<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Short> {
    groups(records)
        .into_iter()
        .map(|group| {
            let distinct = |texts: BTreeSet<String>| list::and(&texts.into_iter().collect::<Vec<_>>());
            let oracles = payloads(&group).iter().filter_map(|(_, one)| one.correctness.clone()).collect();
            let smallest = payloads(&group).iter().map(|(_, payload)| payload.bytes).min();
            let rows = smallest.map(|bytes| of_size(&group, bytes)).unwrap_or_default();
            let step: String = step(&rows).iter().map(|span| span.text.as_str()).collect();
            let size = smallest.map(words::payload).unwrap_or_default();
            Short {
                span: span(&group),
                status: words::status(Status::Complete),
                oracle: match distinct(oracles) {
                    empty if empty.is_empty() => "not recorded".to_owned(),
                    words => format!("oracle {}", words::plain(&words)),
                },
                says: if step.is_empty() {
                    format!("{size} payload")
                } else {
                    format!("{size} payload. {step}")
                },
                scope: distinct(group.rows.iter().filter_map(|one| one.record.scope.clone()).collect()),
                title: group.title,
            }
        })
        .collect()
}

/// The requests of one payload size of a group, target by target.
fn of_size<'a>(group: &Group<'a>, bytes: u64) -> Vec<Requests<'a>> {
    payloads(group).into_iter().filter(|(_, payload)| payload.bytes == bytes).collect()
}

/// First and last target of a group, and how many.
fn span(group: &Group<'_>) -> String {
    let targets: Vec<&str> = group.rows.iter().filter_map(|one| one.record.target.as_deref()).collect();
    match targets.as_slice() {
        [] => "no target recorded".to_owned(),
        [only] => (*only).to_owned(),
        [first, .., last] => {
            format!("{first} to {last}, {}", list::counted(targets.len(), "target", "targets"))
        }
    }
}

/// The page at `path`.
pub(super) fn page(
    reports: &Reports,
    path: &str,
    frame: &Frame<'_>,
    theme: &Theme,
    site: &Home<'_>,
) -> Result<Vec<u8>> {
    let records = &site.source.evidence.records;
    let groups = groups(records.iter());
    let pages: BTreeMap<usize, &str> =
        reports.entries.iter().map(|entry| (entry.record, entry.page.as_str())).collect();
    // A record that stands in two documents leads to its first one.
    let href = |at: usize| pages.get(&at).map(|page| link(path, page));
    let title = format!("Network measurements: {}", reports.title);
    let lede = lede(&groups);
    let description: String = lede.iter().map(|span| span.text.as_str()).collect();
    let mut sections: Vec<Section> = groups.iter().filter_map(|group| idle(group, &href)).collect();
    sections.extend(isolated(records, &href));
    sections.extend(without(records, &href));
    let view = view::SectionsPage {
        page: frame.page(path, &title, &description, &reports.crumbs(site, true)),
        title,
        lede,
        notices: notices(&groups),
        warnings: Vec::new(),
        facts: Vec::new(),
        tabs: with_figures(tabs(&groups, &href), &groups, reports, path, site)?,
        sections,
        findings: None,
        links: vec![Described {
            link: Link { text: "All reports".to_owned(), href: link(path, &reports.page) },
            text: String::new(),
        }],
        pages: Vec::new(),
    };
    Ok(theme.render(&view)?.into_bytes())
}

/// Puts the figures of each payload size and group at the head of its section.
fn with_figures(
    mut tabs: Vec<SectionTab>,
    groups: &[Group<'_>],
    reports: &Reports,
    path: &str,
    site: &Home<'_>,
) -> Result<Vec<SectionTab>> {
    let evidence = &site.source.evidence;
    let mut drawn = 0;
    for tab in &mut tabs {
        for section in &mut tab.sections {
            let Some((group, bytes)) = section.id.rsplit_once('-') else { continue };
            let Some(group) = groups.iter().find(|one| one.id == group) else { continue };
            let Ok(bytes) = bytes.parse() else { continue };
            let of_group = |at: usize| group.rows.iter().any(|row| row.at == at);
            section.figures = reports.figures.of_requests(bytes, of_group, path, &evidence.id, &mut drawn)?;
        }
    }
    Ok(tabs)
}

fn groups<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Group<'a>> {
    type System<'a> = (Option<&'a str>, Option<&'a str>);
    let mut groups: BTreeMap<(System<'_>, [Option<&str>; 3]), Vec<Measured<'_>>> = BTreeMap::new();
    for one in versions(records) {
        let Measured { record, network, .. } = one;
        if record.status == Status::Complete {
            let key = ((record.package.as_deref(), record.os.as_deref()), network.way());
            groups.entry(key).or_default().push(one);
        }
    }
    let title = |package: Option<&str>, os: Option<&str>| match (package, os) {
        (Some(package), Some(os)) => format!("{package} on {os}"),
        (Some(package), None) => format!("{package}, system not recorded"),
        (None, Some(os)) => format!("On {os}"),
        (None, None) => "Package and system not recorded".to_owned(),
    };
    let mut systems: BTreeMap<System<'_>, usize> = BTreeMap::new();
    for (system, _) in groups.keys() {
        *systems.entry(*system).or_default() += 1;
    }
    groups
        .into_iter()
        .enumerate()
        .map(|(at, ((system, way), rows))| Group {
            title: match systems.get(&system) {
                Some(1) => title(system.0, system.1),
                _ => format!("{}, {}", title(system.0, system.1), counted(way)),
            },
            id: format!("group-{}", at + 1),
            rows,
        })
        .collect()
}

/// Where and whose traffic was counted, in words.
fn counted([layer, scope, interface]: [Option<&str>; 3]) -> String {
    let layer = layer.filter(|layer| scope.is_none_or(|scope| !scope.contains(*layer)));
    let words: Vec<String> = [scope.map(words::plain), layer.map(words::plain), interface.map(str::to_owned)]
        .into_iter()
        .flatten()
        .collect();
    if words.is_empty() { "interface not recorded".to_owned() } else { words.join(", ") }
}

fn lede(groups: &[Group<'_>]) -> Vec<Span> {
    if groups.is_empty() {
        return vec![Span::plain("No network interface was watched; only what stands below was measured.")];
    }
    let mut spans = Vec::new();
    for group in groups {
        let span = span(group);
        let requests: BTreeSet<usize> = payloads(group).iter().map(|one| one.1.samples.len()).collect();
        let requests = match (requests.first(), requests.last()) {
            (Some(one), Some(other)) if one == other => list::counted(*one, "request", "requests"),
            (Some(one), Some(other)) => format!("{one} to {other} requests"),
            _ => "no request".to_owned(),
        };
        spans.push(Span::strong(group.title.clone()));
        spans.push(Span::plain(format!(": {span}, {requests} at each payload size. ")));
    }
    spans
}

/// All requests of a group, target by target.
fn payloads<'a>(group: &Group<'a>) -> Vec<Requests<'a>> {
    group.rows.iter().flat_map(|one| one.network.payloads.iter().map(|payload| (*one, payload))).collect()
}

fn notices(groups: &[Group<'_>]) -> Vec<Notice> {
    let rows = groups.iter().flat_map(|group| &group.rows);
    let names: BTreeSet<&str> = rows.filter_map(|one| one.network.interface.as_deref()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let over = match names.as_slice() {
        [] => "a network interface".to_owned(),
        [only] => format!("the network interface {only}"),
        several => format!("the network interfaces {}", list::and(several)),
    };
    let local =
        if names.contains(&"lo") { "; lo is the loopback, so they did not leave the machine" } else { "" };
    let mut notices = vec![Notice {
        text: format!(
            "These requests went over {over}{local}. They are an experiment of their own: no figure and no table sets them beside timings that were taken in process."
        ),
        link: None,
        tone: Tone::Plain,
    }];
    if groups.len() > 1 {
        notices.push(Notice {
            text: "Measurements of different systems, packages or interfaces stand in tables of their own and are not compared."
                .to_owned(),
            link: None,
            tone: Tone::Plain,
        });
    }
    notices
}

fn tabs(groups: &[Group<'_>], href: &impl Fn(usize) -> Option<String>) -> Vec<SectionTab> {
    let sizes: BTreeSet<u64> = groups.iter().flat_map(payloads).map(|(_, payload)| payload.bytes).collect();
    sizes
        .into_iter()
        .map(|bytes| {
            let of_size: Vec<(&Group<'_>, Vec<Requests<'_>>)> = groups
                .iter()
                .map(|group| (group, of_size(group, bytes)))
                .filter(|(_, rows)| !rows.is_empty())
                .collect();
            SectionTab {
                id: format!("payload-{bytes}"),
                label: words::payload(bytes),
                says: Vec::new(),
                sections: of_size.iter().map(|(group, rows)| section(group, bytes, rows, href)).collect(),
            }
        })
        .collect()
}

fn section(
    group: &Group<'_>,
    bytes: u64,
    rows: &[Requests<'_>],
    href: &impl Fn(usize) -> Option<String>,
) -> Section {
    let mut heads = vec![("target", false), ("HTTP library", false)];
    heads.extend(PAYLOAD);
    let runtimes: BTreeSet<Option<String>> = rows.iter().map(|(one, _)| words::runtime(one.record)).collect();
    let same = if runtimes.len() == 1 { runtimes.into_iter().next().flatten() } else { None };
    let lines = rows.iter().map(|(one, payload)| {
        let mut cells = vec![
            name(one.record, same.is_none(), href(one.at)),
            cell(one.network.http_version.clone().unwrap_or_else(|| "not recorded".to_owned())),
        ];
        cells.extend(payload_cells(payload));
        row(cells)
    });
    let mut notes: Vec<String> = same.iter().map(|runtime| format!("All under {runtime}.")).collect();
    for (one, _) in rows {
        for note in network_notes(one.network) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    Section {
        id: format!("{}-{bytes}", group.id),
        heading: format!("{}, {} payload", group.title, words::payload(bytes)),
        says: step(rows),
        notes,
        table: Some(Table {
            label: format!("Round trips of {} by target", words::payload(bytes)),
            columns: columns(&heads),
            groups: one_group(lines.collect()),
        }),
        ..Section::default()
    }
}

fn name(record: &Record, runtime: bool, href: Option<String>) -> TableCell {
    let runtime = if runtime { words::runtime(record).unwrap_or_default() } else { String::new() };
    TableCell {
        href,
        note: runtime,
        ..cell(record.target.clone().unwrap_or_else(|| "no target recorded".to_owned()))
    }
}

/// The largest step of the median from one target to the next, in words; nothing with fewer than two medians.
fn step(rows: &[Requests<'_>]) -> Vec<Span> {
    let medians: Vec<(&Record, &Network, Number)> = rows
        .iter()
        .filter_map(|(one, payload)| {
            let median = latency(payload).and_then(|summary| summary.get(Statistic::Median))?;
            let counts = one.record.target.is_some() && median.as_f64() > 0.0;
            counts.then_some((one.record, one.network, median))
        })
        .collect();
    let size = |pair: &[(&Record, &Network, Number)]| {
        let ratio = pair[1].2.as_f64() / pair[0].2.as_f64();
        ratio.max(ratio.recip())
    };
    let mut sizes: Vec<(f64, usize)> =
        medians.windows(2).enumerate().map(|(at, pair)| (size(pair), at)).collect();
    sizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let Some((largest, at)) = sizes.first() else { return Vec::new() };
    if *largest <= 1.0 {
        return vec![Span::plain("The median round trip is the same at every target.")];
    }
    let (before, after) = (&medians[*at], &medians[at + 1]);
    let label = |record: &Record| record.target.clone().unwrap_or_default();
    let mut spans = vec![
        Span::plain("Largest step of the median round trip: "),
        Span::strong(format!("{} → {}", label(before.0), label(after.0))),
        Span::plain(format!(", {} → {}, ", words::value(before.2, "s"), words::value(after.2, "s"))),
        Span::strong(number::factor(after.2.as_f64() / before.2.as_f64())),
    ];
    spans.push(Span::plain(match sizes.get(1) {
        Some((next, _)) => format!(
            ". {} within {}.",
            match sizes.len() {
                2 => "The other step stays".to_owned(),
                count => format!("The other {} steps stay", count - 1),
            },
            number::factor(*next)
        ),
        None => ".".to_owned(),
    }));
    if let (Some(old), Some(new)) = (&before.1.http_version, &after.1.http_version)
        && old != new
    {
        spans.push(Span::plain(format!(
            " The HTTP library changed in the same step, {old} → {new}, so the step is not that of the program alone."
        )));
    }
    spans
}

fn idle(group: &Group<'_>, href: &impl Fn(usize) -> Option<String>) -> Option<Section> {
    let rows: Vec<TableRow> = group
        .rows
        .iter()
        .filter(|one| !one.network.idle.is_empty())
        .map(|one| {
            let idle = &one.network.idle;
            let mut cells =
                vec![name(one.record, false, href(one.at)), cell(number::whole(idle.len() as i128))];
            cells.extend(idle_cells(idle));
            row(cells)
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut heads = vec![("target", false), ("windows", true)];
    heads.extend(IDLE);
    Some(Section {
        id: format!("{}-idle", group.id),
        heading: format!("Idle control windows, {}", group.title),
        notes: vec![
            "Windows without requests, before the experiment: they show whether traffic of others was counted too."
                .to_owned(),
        ],
        summary: format!("Windows of {}", list::counted(rows.len(), "target", "targets")),
        table: Some(Table {
            label: format!("Idle control windows, {}", group.title),
            columns: columns(&heads),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

/// The totals of isolated process trees: apart from everything else.
fn isolated(records: &[Record], href: &impl Fn(usize) -> Option<String>) -> Option<Section> {
    let get = |record: &Record, name: &str| {
        let found = record.numbers.iter().find(|one| one.name == name);
        cell(found.map_or("not recorded".to_owned(), |one| words::exact(one.value, &one.unit)))
    };
    let mut phases = BTreeSet::new();
    let rows: Vec<TableRow> = records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.status == Status::Complete)
        .filter_map(|(at, record)| match &record.details {
            Details::Isolation(isolation) => Some((at, record, isolation)),
            _ => None,
        })
        .map(|(at, record, isolation)| {
            phases.extend(isolation.phase.as_deref().map(words::plain));
            row(vec![
                name(record, false, href(at)),
                cell(isolation.http_version.clone().unwrap_or_else(|| "not recorded".to_owned())),
                cell(record.correctness.as_deref().map_or("not recorded".to_owned(), words::plain)),
                get(record, "verified_requests"),
                get(record, "packets_sent"),
                get(record, "packets_received"),
                get(record, "bytes_sent"),
                get(record, "bytes_received"),
                cell(discarded(std::slice::from_ref(&isolation.counters))),
            ])
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let phase = if phases.is_empty() {
        "The phase that they cover is not recorded.".to_owned()
    } else {
        format!("Recorded phase: {}.", list::and(&phases.into_iter().collect::<Vec<_>>()))
    };
    Some(Section {
        id: "isolated".to_owned(),
        heading: "Traffic of an isolated process tree".to_owned(),
        notes: vec![
            format!("{ISOLATED} {phase}"),
            "Sent and received are two directions and are never added.".to_owned(),
        ],
        table: Some(Table {
            label: "Totals of isolated process trees".to_owned(),
            columns: columns(&[
                ("target", false),
                ("HTTP library", false),
                ("oracle", false),
                ("verified requests", true),
                ("packets sent", true),
                ("packets received", true),
                ("bytes sent", true),
                ("bytes received", true),
                (DISCARDED, true),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

/// Network tools that have no result.
fn without(records: &[Record], href: &impl Fn(usize) -> Option<String>) -> Option<Section> {
    let rows: Vec<TableRow> = records
        .iter()
        .enumerate()
        .filter(|(_, record)| {
            words::Sort::of(record) == words::Sort::Network && record.status != Status::Complete
        })
        .map(|(at, record)| {
            row(vec![
                name(record, false, href(at)),
                cell(words::tool(record)),
                TableCell { tone: words::tone(record.status), ..cell(words::status_of(record)) },
                cell(record.message.clone().unwrap_or_default()),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Section {
        id: "without".to_owned(),
        heading: "Without a result".to_owned(),
        table: Some(Table {
            label: "Network measurements without a result".to_owned(),
            columns: columns(&[("target", false), ("tool", false), ("status", false), ("why", false)]),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::record::Counters;

    fn row(target: &str, http: &str, seconds: f64) -> (Record, Network, Payload) {
        let sample = Counters { workload_seconds: Number::finite(seconds), ..Counters::default() };
        let payload = Payload { bytes: 64, samples: vec![sample], ..Payload::default() };
        let record = Record { target: Some(target.to_owned()), ..Record::default() };
        (record, Network { http_version: Some(http.to_owned()), ..Network::default() }, payload)
    }

    #[test]
    fn the_largest_step_is_said_with_what_changed_beside_it() {
        let rows = [row("1.0", "1", 1.0), row("1.1", "1", 1.25), row("1.2", "2", 12.5)];
        let told = |rows: &[(Record, Network, Payload)]| {
            let measured = |(record, network, payload)| (Measured { at: 0, record, network }, payload);
            let rows: Vec<_> = rows.iter().map(|(a, b, c)| measured((a, b, c))).collect();
            step(&rows).iter().map(|span| span.text.as_str()).collect::<String>()
        };
        let text = told(&rows);
        assert!(text.contains("1.1 → 1.2") && text.contains("10\u{202f}×"), "{text}");
        assert!(text.contains("The other step stays within 1.25"), "{text}");
        assert!(text.contains("HTTP library changed in the same step, 1 → 2"), "{text}");
        assert_eq!(told(&rows[..1]), "");
    }

    #[test]
    fn systems_never_share_a_table() {
        let record = |os: &str| {
            let (mut record, network, payload) = row("1.0", "1", 1.0);
            record.os = Some(os.to_owned());
            record.status = Status::Complete;
            record.details = Details::Network(Network { payloads: vec![payload], ..network });
            record
        };
        let records = [record("Linux"), record("NT")];
        let groups = groups(records.iter());
        let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles, ["On Linux", "On NT"]);
        let tabs = tabs(&groups, &|_| None);
        assert_eq!((tabs.len(), tabs[0].sections.len()), (1, 2));
    }

    #[test]
    fn what_was_counted_in_different_ways_never_shares_a_table() {
        let record = |scope: &str| {
            let (mut record, network, payload) = row("1.0", "1", 1.0);
            record.status = Status::Complete;
            let attribution_scope = Some(scope.into());
            record.details =
                Details::Network(Network { payloads: vec![payload], attribution_scope, ..network });
            record
        };
        let records = [record("host_interface"), record("isolated_process_tree")];
        let groups = groups(records.iter());
        let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "Package and system not recorded, host interface",
                "Package and system not recorded, isolated process tree"
            ]
        );
    }
}
