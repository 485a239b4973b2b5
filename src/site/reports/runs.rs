//! The page of a run: what was asked before and after, verdicts, resource policies, what the run said, what it used.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::evidence::run::{Probe, Qualification};
use crate::evidence::{Record, Run};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{self, Described, Fact, Link, Section, Span, Table, TableCell, Tone};

use super::super::facts::{self, fact};
use super::super::figures::Files;
use super::super::load::LoadedSource;
use super::super::page::Frame;
use super::super::plan::link;
use super::manifest::Manifests;
use super::record::{cell, columns, one_group, row};
use super::{Home, Reports, diagnostics, manifest, qualified, words};

/// Most rows of a table; its CSV has all.
pub(super) const ROWS: usize = 500;
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
    let said: Vec<&Record> =
        if planned.diagnostics { diagnostics::said(site.source, run).collect() } else { Vec::new() };
    if planned.diagnostics {
        out.push((planned.beside("diagnostics.csv"), diagnostics::csv(&said)));
    }
    let mut sections = Vec::new();
    sections.extend(verdict_section(run, verdicts, &link(path, &planned.beside("verdicts.csv"))));
    sections.extend(qualified::sources(run));
    sections.extend(qualified::probes(run));
    sections.extend(qualified::policies(run));
    sections.extend(qualified::envelopes(run));
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
        findings: diagnostics::findings(&said, &link(path, &planned.beside("diagnostics.csv"))),
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
    if run.sources.iter().any(|one| one.dirty == Some(true)) {
        texts.push("Some of the sources had uncommitted changes when they were measured.".to_owned());
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
pub(super) fn feature<'a>(run: &'a Run, case: &'a str) -> &'a str {
    case.strip_prefix(run.suite.as_str())
        .and_then(|rest| rest.strip_prefix('/'))
        .and_then(|rest| rest.split_once('/'))
        .map_or(case, |(_, feature)| feature)
}

/// Labels in a cell: all of a few, the first and last of many.
pub(super) fn targets(labels: &[&str]) -> String {
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
