//! The page of a run: what was asked before and after, verdicts, resource policies, what the run said, what it used.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::evidence::run::{Moment, Probe, Qualification, ResourcePolicy};
use crate::evidence::{Finding, Record, Run};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{
    self, Described, Fact, FindingFile, FindingRule, Findings, Link, Section, Span, Table, TableCell,
    TableRow, Tone,
};

use super::super::facts::{self, fact};
use super::super::figures::Files;
use super::super::load::LoadedSource;
use super::super::page::Frame;
use super::super::plan::link;
use super::manifest::Manifests;
use super::record::{cell, columns, one_group, row};
use super::{Home, Reports, manifest, words};

/// Most rows of a table; its CSV has all.
const ROWS: usize = 500;
/// Most targets that one cell names.
const TARGETS: usize = 20;

/// The pages of one run.
#[derive(Debug)]
pub(in crate::site) struct RunPage {
    /// Position of the run in the source.
    pub(super) run: usize,
    /// Path of its page.
    pub(super) page: String,
    /// Whether it has a page of dependency manifests.
    pub(super) manifests: bool,
    /// Whether it qualified anything.
    pub(super) verdicts: bool,
    /// Whether it said anything.
    pub(super) diagnostics: bool,
}

impl RunPage {
    /// Path of its page.
    pub(in crate::site) fn page(&self) -> &str {
        &self.page
    }

    /// Path of its dependency manifests.
    pub(super) fn manifest(&self) -> String {
        self.page.replace("/index.html", "/manifest/index.html")
    }

    /// A file beside the page.
    fn beside(&self, file: &str) -> String {
        self.page.replace("/index.html", &format!("/{file}"))
    }

    /// Every path below the page.
    pub(super) fn outputs(&self) -> Vec<String> {
        let mut paths = vec![self.page.clone()];
        if self.verdicts {
            paths.push(self.beside("verdicts.csv"));
        }
        if self.diagnostics {
            paths.push(self.beside("diagnostics.csv"));
        }
        if self.manifests {
            paths.push(self.manifest());
            paths.push(manifest::csv_path(&self.manifest()));
        }
        paths
    }
}

/// The table of all runs of a source, for the list of reports.
pub(super) fn table(reports: &Reports, source: &LoadedSource, page: &str) -> Option<Section> {
    if reports.runs.is_empty() {
        return None;
    }
    let rows = reports.runs.iter().take(ROWS).map(|one| {
        let run = &source.evidence.runs[one.run];
        let state = facts::run_state(run);
        row(vec![
            TableCell {
                href: Some(link(page, &one.page)),
                code: true,
                note: run.suite.clone(),
                ..cell(run.run_id.clone())
            },
            TableCell { tone: state.tone, ..cell(state.text) },
            cell(run.verdict.as_deref().map_or("not recorded".to_owned(), words::plain)),
            cell(counted(&run.qualifications)),
            cell(run.integrity.word()),
            cell(facts::date(run).unwrap_or("not recorded")),
        ])
    });
    Some(Section {
        id: "runs".to_owned(),
        heading: list::counted(reports.runs.len(), "run", "runs"),
        notes: vec![VALIDATED.to_owned()],
        table: Some(Table {
            label: "Runs with their verdicts".to_owned(),
            columns: columns(&[
                ("run, suite", false),
                ("state, evidence", false),
                ("verdict as recorded", false),
                ("checks", false),
                ("integrity", false),
                ("finished", false),
            ]),
            groups: one_group(rows.collect()),
        }),
        ..Section::default()
    })
}

/// What the words of verdicts are worth.
const VALIDATED: &str = "“validated” says that an oracle confirmed the result. A check that was merely executed ran to its end, and nothing says that its result is right; “not compared” is no verdict about speed.";

/// How many checks have which verdict: `14 validated, 2 executed`.
pub(super) fn counted(qualifications: &[Qualification]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in qualifications {
        *counts.entry(one.verdict.as_deref().unwrap_or("without a verdict")).or_default() += 1;
    }
    if counts.is_empty() {
        return "no qualification recorded".to_owned();
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let words: Vec<String> = counts
        .into_iter()
        .map(|(word, count)| format!("{} {}", number::whole(count as i128), words::plain(word)))
        .collect();
    words.join(", ")
}

/// The page of a run and its files.
pub(super) fn files(
    reports: &Reports,
    at: usize,
    frame: &Frame<'_>,
    theme: &Theme,
    site: &Home<'_>,
) -> Result<Files> {
    let planned = &reports.runs[at];
    let run = &site.source.evidence.runs[planned.run];
    let path = &planned.page;
    let crumbs = reports.crumbs(site, true);
    let title = format!("Run {}", run.run_id);
    let mut out = Files::new();
    let verdicts = verdicts(run);
    if planned.verdicts {
        out.push((planned.beside("verdicts.csv"), csv(&verdicts).into_bytes()));
    }
    let said: Vec<&Record> = if planned.diagnostics { said(site.source, run).collect() } else { Vec::new() };
    if planned.diagnostics {
        out.push((planned.beside("diagnostics.csv"), diagnostics_csv(&said)));
    }
    let mut sections = Vec::new();
    sections.extend(verdict_section(run, verdicts, &link(path, &planned.beside("verdicts.csv"))));
    sections.extend(probes(run));
    sections.extend(policies(run));
    sections.extend(envelopes(run));
    let mut links = Vec::new();
    if planned.manifests {
        let found = Manifests::of_run(run, site.source);
        links.push(Described {
            link: Link { text: "Dependency manifests".to_owned(), href: link(path, &planned.manifest()) },
            text: found.says(),
        });
        let crumbs: Vec<(&str, &str)> =
            crumbs.iter().copied().chain([(title.as_str(), path.as_str())]).collect();
        out.extend(found.files(
            &planned.manifest(),
            &format!("Dependencies of run {}", run.run_id),
            &crumbs,
            frame,
            theme,
        )?);
    }
    links.push(Described {
        link: Link { text: "All reports".to_owned(), href: link(path, &reports.page) },
        text: String::new(),
    });
    let lede = lede(run);
    let description: String = lede.iter().map(|span| span.text.as_str()).collect();
    let view = view::SectionsPage {
        page: frame.page(path, &title, &description, &crumbs),
        title,
        lede,
        notices: notices(run),
        warnings: run.warnings.clone(),
        facts: facts(run, site.source),
        tabs: Vec::new(),
        sections,
        findings: findings(&said, &link(path, &planned.beside("diagnostics.csv"))),
        links,
        pages: Vec::new(),
    };
    out.push((path.clone(), theme.render(&view)?.into_bytes()));
    Ok(out)
}

fn lede(run: &Run) -> Vec<Span> {
    let state = format!("{}, {}", run.state.word(), run.evidence);
    vec![Span::strong(state), Span::plain(format!(". Checks: {}.", counted(&run.qualifications)))]
}

fn notices(run: &Run) -> Vec<view::Notice> {
    let mut texts = Vec::new();
    if run.evidence != "fresh" {
        texts.push(format!(
            "The writer calls this evidence “{}”: it was not measured afresh. That word is the writer's own and proves nothing by itself.",
            run.evidence
        ));
    }
    match run.state {
        crate::evidence::RunState::Failed => {
            texts.push("The run failed. What it had measured before is still evidence.".to_owned());
        }
        crate::evidence::RunState::Partial => {
            texts.push("The run is partial: some of it is missing.".to_owned());
        }
        _ => {}
    }
    if run.integrity == crate::evidence::Integrity::Failed {
        texts.push("Its integrity check failed, so nothing of it is believed.".to_owned());
    }
    let notice = |text| view::Notice { text, link: None, tone: Tone::Problem };
    texts.into_iter().map(notice).collect()
}

fn facts(run: &Run, source: &LoadedSource) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut say = |label: &str, value: Option<&str>, code: bool| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            found.push(Fact { code, ..fact(label, value, Tone::Plain) });
        }
    };
    say("Suite", Some(&run.suite), true);
    say("Profile", run.profile.as_deref(), false);
    say("Verdict", run.verdict.as_deref().map(words::plain).as_deref(), false);
    say("Attempt", Some(&run.attempt_id), true);
    say("Started", run.started_at.as_deref(), false);
    say("Finished", run.finished_at.as_deref(), false);
    say("Runtime", facts::runtime(run).as_deref(), false);
    say("OS", facts::os(run).as_deref(), false);
    say("Integrity", Some(run.integrity.word()), false);
    say("Folder", Some(&format!("{}/{}", source.evidence.path, run.path)), true);
    say("Tags", Some(&run.tags.join(", ")), false);
    found
}

/// What a reader calls a case: its feature.
fn feature<'a>(run: &'a Run, case: &'a str) -> &'a str {
    case.strip_prefix(run.suite.as_str())
        .and_then(|rest| rest.strip_prefix('/'))
        .and_then(|rest| rest.split_once('/'))
        .map_or(case, |(_, feature)| feature)
}

/// Labels in a cell: all of a few, the first and last of many.
fn targets(labels: &[&str]) -> String {
    if labels.len() <= TARGETS {
        return labels.join(", ");
    }
    let (first, last) = (&labels[..3], labels.last().copied().unwrap_or_default());
    format!("{} … {last} ({} targets)", first.join(", "), number::whole(labels.len() as i128))
}

/// One line per case and result, with the targets that have it.
pub(super) fn verdicts(run: &Run) -> Table {
    let mut lines: Vec<(&Qualification, Vec<&str>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for one in &run.qualifications {
        let same = format!(
            "{:?}",
            (
                &one.case_id,
                &one.verdict,
                &one.correctness,
                &one.correctness_message,
                &one.performance,
                &one.performance_message,
                &one.state_policy,
                one.probes.iter().map(|probe| (&probe.id, &probe.status)).collect::<Vec<_>>(),
                one.resources.as_ref().map(|policy| (&policy.status, &policy.violations)),
            )
        );
        let at = *places.entry(same).or_insert_with(|| {
            lines.push((one, Vec::new()));
            lines.len() - 1
        });
        lines[at].1.push(&one.target);
    }
    let word = |word: &Option<String>| word.as_deref().map_or("not recorded".to_owned(), words::plain);
    let rows = lines.into_iter().map(|(one, labels)| {
        let verdict = one.verdict.as_deref().unwrap_or_default();
        let bad = matches!(verdict, "blocked" | "invalid") || one.correctness.as_deref() == Some("failed");
        row(vec![
            TableCell { code: true, ..cell(feature(run, &one.case_id)) },
            cell(targets(&labels)),
            TableCell { tone: if bad { Tone::Problem } else { Tone::Plain }, ..cell(word(&one.verdict)) },
            TableCell {
                note: one.correctness_message.clone().unwrap_or_default(),
                ..cell(word(&one.correctness))
            },
            TableCell {
                note: one
                    .performance_message
                    .clone()
                    .filter(|text| text != "not compared")
                    .unwrap_or_default(),
                ..cell(word(&one.performance))
            },
            cell(one.state_policy.clone().unwrap_or_default()),
            cell(probes_in_short(&one.probes)),
            cell(one.resources.as_ref().map(|policy| word(&policy.status)).unwrap_or_default()),
        ])
    });
    Table {
        label: "Verdicts by check".to_owned(),
        columns: columns(&[
            ("feature", false),
            ("targets", false),
            ("verdict", false),
            ("oracle", false),
            ("comparison", false),
            ("state of samples", false),
            ("probes", false),
            ("resource policy", false),
        ]),
        groups: one_group(rows.collect()),
    }
}

fn probes_in_short(probes: &[Probe]) -> String {
    let words: Vec<String> = probes
        .iter()
        .map(|probe| {
            format!(
                "{} {}",
                probe.id,
                probe.status.as_deref().map_or("not recorded".to_owned(), words::plain)
            )
        })
        .collect();
    words.join(", ")
}

fn verdict_section(run: &Run, mut table: Table, csv: &str) -> Option<Section> {
    let rows = &mut table.groups[0].rows;
    if rows.is_empty() {
        return None;
    }
    // Columns that nobody filled say nothing.
    let all = rows.len();
    rows.truncate(ROWS);
    for column in (5..table.columns.len()).rev() {
        if table.groups[0].rows.iter().all(|row| row.cells[column].text.is_empty()) {
            table.columns.remove(column);
            table.groups[0].rows.iter_mut().for_each(|row| drop(row.cells.remove(column)));
        }
    }
    let mut notes = vec![VALIDATED.to_owned()];
    if all > ROWS {
        notes.push(format!(
            "The first {} of {} lines; the CSV has all.",
            number::whole(ROWS as i128),
            number::whole(all as i128)
        ));
    }
    Some(Section {
        id: "verdicts".to_owned(),
        heading: "Verdicts".to_owned(),
        says: vec![Span::plain(format!("{}.", counted(&run.qualifications)))],
        notes,
        table: Some(table),
        links: vec![Link { text: "CSV of all verdicts".to_owned(), href: csv.to_owned() }],
        ..Section::default()
    })
}

/// A probe of a feature: its id; category, status and message; whether it blocks; the feature.
type Asked<'a> = (&'a str, [&'a str; 3], Option<bool>, &'a str);

/// Every probe with how it ended, the targets together that had the same.
pub(super) fn probes(run: &Run) -> Option<Section> {
    let mut lines: BTreeMap<Asked<'_>, BTreeSet<&str>> = BTreeMap::new();
    for one in &run.qualifications {
        for probe in &one.probes {
            let words = [
                probe.category.as_deref().unwrap_or_default(),
                probe.status.as_deref().unwrap_or_default(),
                probe.message.as_deref().unwrap_or_default(),
            ];
            let key = (probe.id.as_str(), words, probe.blocking, feature(run, &one.case_id));
            lines.entry(key).or_default().insert(&one.target);
        }
    }
    if lines.is_empty() {
        return None;
    }
    let rows: Vec<TableRow> = lines
        .into_iter()
        .take(ROWS)
        .map(|((id, [category, status, message], blocking, feature), labels)| {
            let failed = matches!(status, "failed" | "unavailable");
            row(vec![
                TableCell { code: true, ..cell(id) },
                cell(words::plain(category)),
                cell(match blocking {
                    Some(true) => "stops the check when it fails",
                    Some(false) => "does not stop the check",
                    None => "not recorded",
                }),
                TableCell {
                    tone: if failed { Tone::Problem } else { Tone::Plain },
                    note: message.to_owned(),
                    ..cell(if status.is_empty() { "not recorded".to_owned() } else { words::plain(status) })
                },
                TableCell { code: true, ..cell(feature) },
                cell(targets(&labels.into_iter().collect::<Vec<_>>())),
            ])
        })
        .collect();
    Some(Section {
        id: "probes".to_owned(),
        heading: "Probes".to_owned(),
        notes: vec!["What was asked of the machine before a check was run.".to_owned()],
        table: Some(Table {
            label: "Probes".to_owned(),
            columns: columns(&[
                ("probe", false),
                ("sort", false),
                ("blocking", false),
                ("ended", false),
                ("feature", false),
                ("targets", false),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

/// Limits on resources and what was observed against them, metric by metric.
pub(super) fn policies(run: &Run) -> Option<Section> {
    let with: Vec<(&Qualification, &ResourcePolicy)> =
        run.qualifications.iter().filter_map(|one| Some((one, one.resources.as_ref()?))).collect();
    if with.is_empty() {
        return None;
    }
    let unit = |name: &str| if name.contains("time") || name.ends_with("seconds") { "s" } else { "By" };
    let mut rows = Vec::new();
    for (one, policy) in with.iter().take(ROWS) {
        let metrics: BTreeSet<&str> = policy
            .limits
            .iter()
            .map(|(name, _)| name.as_str())
            .chain(policy.observed.iter().map(|(name, _)| name.as_str()))
            .collect();
        let limit =
            |name: &str| policy.limits.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let observed = |name: &str| {
            policy.observed.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
        };
        let said: Vec<String> = metrics
            .iter()
            .map(|name| {
                let seen =
                    observed(name).map_or("not observed".to_owned(), |value| words::value(value, unit(name)));
                match limit(name) {
                    Some(limit) => format!("{name} {seen}, limit {}", words::value(limit, unit(name))),
                    None => format!("{name} {seen}"),
                }
            })
            .collect();
        let status = policy.status.as_deref().unwrap_or_default();
        let broken: Vec<String> = policy
            .violations
            .iter()
            .cloned()
            .chain(policy.unavailable.iter().map(|name| format!("not to be had: {name}")))
            .collect();
        rows.push(row(vec![
            TableCell { code: true, ..cell(feature(run, &one.case_id)) },
            cell(one.target.clone()),
            TableCell {
                tone: if status == "failed" { Tone::Problem } else { Tone::Plain },
                note: policy.message.clone().unwrap_or_default(),
                ..cell(if status.is_empty() { "not recorded".to_owned() } else { words::plain(status) })
            },
            cell(said.join("; ")),
            cell(broken.join("; ")),
        ]));
    }
    Some(Section {
        id: "policies".to_owned(),
        heading: "Resource policies".to_owned(),
        notes: vec!["Limits that a check must keep to besides being right. A metric that could not be observed is not zero.".to_owned()],
        table: Some(Table {
            label: "Resource policies".to_owned(),
            columns: columns(&[
                ("feature", false),
                ("target", false),
                ("ended", false),
                ("observed, and limits", false),
                ("broken", false),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

/// What processes used around the collection of samples.
fn envelopes(run: &Run) -> Option<Section> {
    let mut rows = Vec::new();
    for diagnostic in &run.diagnostics {
        let Some(envelope) = &diagnostic.envelope else { continue };
        let moment = |name: &str| {
            let found = envelope.moments.iter().find(|moment| moment.name == name);
            found.map_or_else(TableCell::default, counters)
        };
        let elapsed = envelope.elapsed_seconds.map(|value| words::value(value, "s"));
        rows.push(row(vec![
            TableCell { code: true, ..cell(feature(run, &diagnostic.case_id)) },
            cell(diagnostic.target.clone().unwrap_or_default()),
            cell(elapsed.unwrap_or_else(|| "not recorded".to_owned())),
            moment("process_before"),
            moment("process_after"),
            moment("external_before"),
            moment("external_after"),
        ]));
    }
    if rows.is_empty() {
        return None;
    }
    let all = rows.len();
    rows.truncate(ROWS);
    let mut notes = vec![
        "Taken around a whole collection of samples, compilation included: no measurement of one operation. An envelope says nothing about whether its check passed."
            .to_owned(),
    ];
    if all > ROWS {
        notes.push(format!("The first {} of {}.", number::whole(ROWS as i128), number::whole(all as i128)));
    }
    Some(Section {
        id: "envelopes".to_owned(),
        heading: list::counted(all, "resource envelope", "resource envelopes"),
        notes,
        table: Some(Table {
            label: "Resource envelopes".to_owned(),
            columns: columns(&[
                ("feature", false),
                ("target", false),
                ("collection", true),
                ("process before", false),
                ("process after", false),
                ("outside before", false),
                ("outside after", false),
            ]),
            groups: one_group(rows),
        }),
        ..Section::default()
    })
}

fn counters(moment: &Moment) -> TableCell {
    if moment.status.as_deref() != Some("observed") {
        return TableCell { note: moment.message.clone().unwrap_or_default(), ..cell("not observed") };
    }
    let said: Vec<String> = moment
        .bytes
        .iter()
        .map(|(name, value)| format!("{} {}", words::name(name), words::value(*value, "By")))
        .collect();
    TableCell { note: moment.provider.clone().unwrap_or_default(), ..cell(said.join("; ")) }
}

/// What a run said about its cases: the records of its diagnostics.
fn said<'a>(source: &'a LoadedSource, run: &'a Run) -> impl Iterator<Item = &'a Record> {
    source.evidence.records.iter().filter(move |record| {
        record.run_id.as_deref() == Some(run.run_id.as_str())
            && record.findings.is_some()
            && super::of_run(&source.evidence, record)
    })
}

/// The same statement about several targets: its rule, feature, finding and the targets.
type Statement<'a> = (&'a Finding, Vec<&'a str>);

/// What the run said, by rule and feature; nothing when it said nothing.
fn findings(said: &[&Record], csv: &str) -> Option<Findings> {
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

fn diagnostics_csv(said: &[&Record]) -> Vec<u8> {
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

/// A table as CSV; the note of a cell stands behind its text.
pub(super) fn csv(table: &Table) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<_> =
            cells.iter().map(|cell| crate::text::escape::csv_cell(cell).into_owned()).collect();
        format!("{}\r\n", cells.join(","))
    };
    let mut out = line(table.columns.iter().map(|column| column.text.clone()).collect());
    for row in table.groups.iter().flat_map(|group| &group.rows) {
        let cells = row.cells.iter().map(|cell| match (cell.text.as_str(), cell.note.as_str()) {
            (text, "") => text.to_owned(),
            ("", note) => note.to_owned(),
            (text, note) => format!("{text} ({note})"),
        });
        out.push_str(&line(cells.collect()));
    }
    out
}
