//! What was asked before a run and held against it afterwards: probes, resource policies, resource envelopes.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence::Run;
use crate::evidence::run::{Moment, Qualification, ResourcePolicy};
use crate::text::list;
use crate::text::number;
use crate::theme::view::{Section, Table, TableCell, TableRow, Tone};

use super::record::{cell, columns, one_group, row};
use super::runs::{ROWS, feature, targets};
use super::words;

/// A probe of a feature: its id; category, status and message; whether it blocks; the feature.
type Asked<'a> = (&'a str, [&'a str; 3], Option<bool>, &'a str);

/// The state of the sources of every target of which anything is known.
pub(super) fn sources(run: &Run) -> Option<Section> {
    let known = run.sources.iter().filter(|one| one.is_known());
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "not recorded".to_owned());
    let mut lines: Vec<(String, TableRow)> = known
        .map(|one| {
            let target = one.target.clone().unwrap_or_else(|| "no target recorded".to_owned());
            let (state, tone) = match one.dirty {
                Some(true) => ("uncommitted changes", Tone::Problem),
                Some(false) => ("as committed", Tone::Plain),
                None => ("not recorded", Tone::Plain),
            };
            let asked = one.requested_revision.as_ref().filter(|asked| one.revision.as_ref() != Some(asked));
            let line = row(vec![
                cell(target.clone()),
                TableCell {
                    code: one.revision.is_some(),
                    note: asked.map(|asked| format!("asked for {asked}")).unwrap_or_default(),
                    ..cell(text(&one.revision))
                },
                cell(text(&one.branch)),
                TableCell { tone, note: one.error.clone().unwrap_or_default(), ..cell(state) },
                TableCell { code: one.dirty_sha256.is_some(), ..cell(text(&one.dirty_sha256)) },
            ]);
            (target, line)
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    let place = |label: &str| run.planned.iter().position(|planned| &*planned.target == label);
    lines.sort_by_key(|(label, _)| (place(label).is_none(), place(label)));
    let heading = "State of the sources".to_owned();
    Some(Section {
        id: "sources".to_owned(),
        heading: heading.clone(),
        notes: vec!["With uncommitted changes, what was measured is not what the revision holds.".to_owned()],
        table: Some(Table {
            label: heading,
            columns: columns(&[
                ("target", false),
                ("revision", false),
                ("branch", false),
                ("state", false),
                ("SHA-256 of the changes", false),
            ]),
            groups: one_group(lines.into_iter().take(ROWS).map(|line| line.1).collect()),
        }),
        ..Section::default()
    })
}

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
pub(super) fn envelopes(run: &Run) -> Option<Section> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::run::SourceState;

    #[test]
    fn uncommitted_changes_are_told_by_target() {
        let state = |target: &str, dirty: Option<bool>| SourceState {
            target: Some(target.to_owned()),
            branch: dirty.map(|_| "main".to_owned()),
            dirty,
            ..SourceState::default()
        };
        let run = Run {
            sources: vec![state("1.0.0", None), state("1.1.0", Some(true)), state("1.2.0", Some(false))],
            ..Run::default()
        };
        let table = sources(&run).and_then(|section| section.table).unwrap();
        let told: Vec<Vec<&str>> = table.groups[0]
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect())
            .collect();
        let absent = "not recorded";
        assert_eq!(
            told,
            [
                ["1.1.0", absent, "main", "uncommitted changes", absent],
                ["1.2.0", absent, "main", "as committed", absent]
            ]
        );
        assert!(sources(&Run::default()).is_none());
    }
}
