//! What was measured and what was not: features × targets with the reason for every hole, and the same in one
//! line. A check is a feature at a target that was planned for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::analyze::Group;
use crate::evidence::Integrity;
use crate::figure::names;
use crate::text::escape;
use crate::text::list;
use crate::text::number;
use crate::theme::view::{Availability, AvailabilityCell, AvailabilityReason, AvailabilityRow, Link};

use super::crowd;
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::Gallery;

/// Most reasons that have a mark of their own; what is beyond shares one.
const REASONS: usize = 40;
/// Most reasons that the line names.
const NAMED: usize = 3;
/// Longest reason in the line, in characters.
const LONGEST: usize = 48;
/// Most letters in the table that lead to their reasons: each is a stop for the keyboard.
const LINKED: usize = 200;
/// Most targets of the table.
const NEWEST: usize = 200;
/// A table of at most so many cells stands open when it has a hole.
const OPEN: usize = 600;

/// One feature at one target.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Check {
    /// Not planned.
    None,
    /// Samples of the metric that has most, and what is missing beside it.
    Measured { samples: u64, without: Option<String> },
    /// Nothing was recorded, for this reason.
    Missing(String),
}

impl Check {
    /// Whether there is a profile and no sample of a measurement.
    fn is_profile(&self) -> bool {
        matches!(self, Self::Measured { samples: 0, .. })
    }
}

/// A feature of a source.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    page: Option<String>,
    checks: Vec<Check>,
}

fn rows<'g>(source: &LoadedSource, gallery: &'g Gallery) -> &'g [Row] {
    gallery.checks.get_or_init(|| find(source, gallery))
}

fn find(source: &LoadedSource, gallery: &Gallery) -> Vec<Row> {
    let targets = &source.series.targets;
    let columns: BTreeMap<&str, usize> =
        targets.iter().enumerate().map(|(at, target)| (&*target.label, at)).collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut former: BTreeSet<&str> = BTreeSet::new();
    for workload in &gallery.workloads {
        for set in workload.all_sets() {
            let group = &source.series.groups[gallery.sets[set].group];
            former.extend(group.joined.iter().map(|(name, _)| &**name));
            let key = (group.package.as_deref().unwrap_or_default(), &*group.feature);
            let row = *places.entry(key).or_insert_with(|| {
                rows.push(Row {
                    name: group.feature.to_string(),
                    page: Some(workload.page.clone()),
                    checks: vec![Check::None; targets.len()],
                });
                rows.len() - 1
            });
            for (at, target) in group.targets.iter().enumerate() {
                if let Some(&column) = columns.get(&*target.label) {
                    better(&mut rows[row].checks[column], check(group, at));
                }
            }
        }
    }
    for capture in &gallery.captures {
        let Some(&column) = capture.target.as_ref().and_then(|target| columns.get(&**target)) else {
            continue;
        };
        let key = (capture.package.as_deref().unwrap_or_default(), &*capture.feature);
        let row = *places.entry(key).or_insert_with(|| {
            rows.push(Row {
                name: capture.feature.to_string(),
                page: Some(capture.page(gallery).0),
                checks: vec![Check::None; targets.len()],
            });
            rows.len() - 1
        });
        better(&mut rows[row].checks[column], Check::Measured { samples: 0, without: None });
    }
    let counted = source.evidence.runs.iter().zip(&source.series.superseded_by);
    for (run, _) in counted.filter(|(_, newer)| newer.is_none()) {
        for planned in run.planned.iter().filter(|planned| !former.contains(&*planned.feature)) {
            let Some(&column) = columns.get(&*planned.target) else { continue };
            let row = *places.entry((&*planned.package, &*planned.feature)).or_insert_with(|| {
                rows.push(Row {
                    name: planned.feature.to_string(),
                    page: None,
                    checks: vec![Check::None; targets.len()],
                });
                rows.len() - 1
            });
            let kept = &mut rows[row].checks[column];
            // Nearly all that is planned is measured.
            if *kept == Check::None {
                *kept = Check::Missing("planned, nothing recorded".to_owned());
            }
        }
    }
    let known: BTreeSet<String> = rows
        .iter()
        .map(|row| row.name.clone())
        .chain(source.series.groups.iter().map(|group| group.workload.to_string()))
        .chain(former.iter().map(|name| (*name).to_owned()))
        .collect();
    let checks = source.evidence.catalogs.iter().flat_map(|catalog| &catalog.checks);
    for check in checks.filter(|check| check.status != "pass") {
        // Features that have a figure have the reasons of their holes already.
        let name = check.feature.as_ref().or(check.workload.as_ref()).filter(|name| !known.contains(*name));
        let (Some(name), Some(&column)) = (name, columns.get(check.target.as_str())) else { continue };
        let key = (check.package.as_deref().unwrap_or_default(), name.as_str());
        let row = *places.entry(key).or_insert_with(|| {
            rows.push(Row { name: name.clone(), page: None, checks: vec![Check::None; targets.len()] });
            rows.len() - 1
        });
        let status = if check.status.is_empty() { "status not recorded" } else { &check.status };
        let reason = check.reason.as_deref().map_or(status.to_owned(), |why| format!("{status}: {why}"));
        better(&mut rows[row].checks[column], Check::Missing(line(&reason)));
    }
    rows
}

/// Keeps the check that says more.
fn better(kept: &mut Check, other: Check) {
    let rank = |check: &Check| match check {
        Check::None => (0, 0),
        Check::Missing(_) => (1, 0),
        Check::Measured { samples, without } => (2 + u64::from(without.is_none()), *samples),
    };
    if rank(&other) > rank(kept) {
        *kept = other;
    }
}

fn check(group: &Group, target: usize) -> Check {
    let points = || {
        let series = group.series.iter();
        series.filter_map(move |one| Some((&*one.definition.metric, one.points.get(target)?)))
    };
    let samples = points().filter_map(|(_, point)| point.summary.as_ref().map(|summary| summary.n)).max();
    let missing: Vec<(&str, String)> = points()
        .filter(|(_, point)| point.summary.is_none())
        .map(|(metric, point)| (metric, line(point.reason.as_deref().unwrap_or("not measured"))))
        .collect();
    let Some(samples) = samples else {
        let reason = missing.into_iter().next().map_or_else(|| "not measured".to_owned(), |one| one.1);
        return Check::Missing(reason);
    };
    let without = missing.first().map(|(_, reason)| {
        let names: Vec<&str> = missing.iter().map(|(metric, _)| *metric).collect();
        let shown = if names.len() > NAMED {
            list::counted(names.len(), "metric", "metrics")
        } else {
            list::and(&names)
        };
        format!("without {shown}: {reason}")
    });
    Check::Measured { samples, without }
}

/// A reason in one line.
fn line(reason: &str) -> String {
    reason.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// What was measured, in one line: `98 checks, 30 samples each, 14 releases, none failed.` Empty when nothing
/// was planned.
pub(super) fn line_of(source: &LoadedSource, gallery: &Gallery) -> String {
    sentence(source, rows(source, gallery))
}

fn sentence(source: &LoadedSource, rows: &[Row]) -> String {
    let all = || rows.iter().flat_map(|row| &row.checks).filter(|check| **check != Check::None);
    // What was profiled and not measured is no check.
    let checks = || all().filter(|check| !check.is_profile());
    let count = checks().count();
    let profiles = all().count() - count;
    if count + profiles == 0 {
        return String::new();
    }
    if count == 0 {
        return format!("{}, nothing measured.", list::counted(profiles, "profile", "profiles"));
    }
    let mut said = vec![list::counted(count, "check", "checks")];
    let samples: BTreeSet<u64> = checks()
        .filter_map(|check| match check {
            Check::Measured { samples, .. } if *samples > 0 => Some(*samples),
            _ => None,
        })
        .collect();
    let whole = |count: u64| number::whole(count.into());
    match (samples.first(), samples.last()) {
        (Some(1), Some(1)) => said.push("1 sample each".to_owned()),
        (Some(least), Some(most)) if least == most => said.push(format!("{} samples each", whole(*most))),
        (Some(least), Some(most)) => said.push(format!("{}–{} samples each", whole(*least), whole(*most))),
        _ => {}
    }
    let kinds = source.series.targets.iter().map(|target| target.kind.word());
    let noun = names::targets(kinds);
    said.push(list::counted(source.series.targets.len(), noun.0, noun.1));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for check in checks() {
        if let Check::Missing(reason) = check {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let missing: usize = reasons.values().sum();
    let mut beside = String::new();
    if profiles > 0 {
        beside = format!(" Beside them {}.", list::counted(profiles, "profile", "profiles"));
    }
    let refused = source.evidence.runs.iter().filter(|run| run.integrity == Integrity::Failed).count();
    if refused > 0 {
        let runs = list::counted(refused, "run", "runs");
        let (was, it) = if refused == 1 { ("was", "it") } else { ("were", "they") };
        beside = format!(" {runs} {was} refused: what {it} measured is not counted.{beside}");
    }
    if missing == 0 {
        let verdict = if refused > 0 { "none of them failed" } else { "none failed" };
        return format!("{}, {verdict}.{beside}", said.join(", "));
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut named: Vec<String> = reasons
        .iter()
        .take(NAMED)
        .map(|(reason, count)| format!("{} {}", number::whole(*count as i128), cut(reason)))
        .collect();
    if reasons.len() > NAMED {
        let rest: usize = reasons[NAMED..].iter().map(|(_, count)| count).sum();
        named.push(format!("{} for other reasons", number::whole(rest as i128)));
    }
    let missing = number::whole(missing as i128);
    format!("{}; {missing} without a value: {}.{beside}", said.join(", "), named.join(", "))
}

fn cut(reason: &str) -> String {
    if reason.chars().count() <= LONGEST {
        return reason.to_owned();
    }
    format!("{}…", reason.chars().take(LONGEST).collect::<String>().trim_end())
}

/// The table; none when nothing was planned.
pub(super) fn of(source: &LoadedSource, gallery: &Gallery) -> Option<(String, Availability)> {
    let rows = rows(source, gallery);
    let summary = sentence(source, rows);
    if summary.is_empty() {
        return None;
    }
    let mut marks = Marks::default();
    let targets = source.series.targets.len();
    let first = targets.saturating_sub(NEWEST);
    let most = crowd::rows(targets - first);
    let chosen = chosen(rows, most);
    let mut shown: Vec<AvailabilityRow> = Vec::new();
    for (row, chosen) in rows.iter().zip(chosen) {
        // Letters are counted over all rows.
        let cells: Vec<_> = row.checks.iter().map(|check| marks.cell(check)).skip(first).collect();
        if chosen {
            let href = row.page.as_ref().map(|page| link(&gallery.page, page));
            shown.push(AvailabilityRow { label: row.name.clone(), href, cells });
        }
    }
    let mut part = Vec::new();
    let whole = |count: usize| number::whole(count as i128);
    if shown.len() < rows.len() {
        let all = whole(rows.len());
        part.push(format!("Shown: {} of {all} features, those with something missing first.", shown.len()));
    }
    if first > 0 {
        part.push(format!("The newest {NEWEST} of {} targets.", whole(targets)));
    }
    let csv = (!part.is_empty()).then(|| Link {
        text: "CSV of all checks".to_owned(),
        href: link(&gallery.page, &crowd::checks(gallery)),
    });
    let cells = rows.len() * source.series.targets.len();
    let availability = Availability {
        heading: "What was measured".to_owned(),
        caption: "Number of samples per feature and target; a letter stands for what is missing and why."
            .to_owned(),
        summary: format!(
            "{} at {}",
            list::counted(rows.len(), "feature", "features"),
            list::counted(source.series.targets.len(), "target", "targets")
        ),
        open: !marks.found.is_empty() && cells <= OPEN,
        linked: shown_marks(&shown) <= LINKED,
        columns: source.series.targets[first..].iter().map(|target| target.label.to_string()).collect(),
        rows: shown,
        part: part.join(" "),
        csv,
        unplanned: rows.iter().any(|row| row.checks.contains(&Check::None)),
        reasons: marks.found,
    };
    Some((summary, availability))
}

fn shown_marks(rows: &[AvailabilityRow]) -> usize {
    rows.iter().flat_map(|row| &row.cells).filter(|cell| !cell.mark.is_empty()).count()
}

/// Which rows are shown: all, or so many, those with something missing before others.
fn chosen(rows: &[Row], most: usize) -> Vec<bool> {
    let lacks = |check: &Check| !matches!(check, Check::Measured { without: None, .. });
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| !rows[row].checks.iter().any(lacks));
    let mut chosen = vec![false; rows.len()];
    order.into_iter().take(most).for_each(|row| chosen[row] = true);
    chosen
}

/// Whether the page shows a part of the table only.
pub(super) fn is_cut(source: &LoadedSource, gallery: &Gallery) -> bool {
    let targets = source.series.targets.len();
    let rows = rows(source, gallery).len();
    (targets > NEWEST && rows > 0) || rows > crowd::rows(targets.min(NEWEST))
}

/// All checks: feature, target, number of samples, and what is missing and why.
pub(super) fn csv(source: &LoadedSource, gallery: &Gallery) -> String {
    let mut out = String::from("feature,target,samples,missing\r\n");
    for row in rows(source, gallery) {
        let name = escape::csv_cell(&row.name).into_owned();
        for (check, target) in row.checks.iter().zip(&source.series.targets) {
            let (samples, missing) = match check {
                Check::None => continue,
                Check::Measured { samples, without } => (samples.to_string(), without.as_deref()),
                Check::Missing(reason) => ("0".to_owned(), Some(reason.as_str())),
            };
            let (target, missing) =
                (escape::csv_cell(&target.label), escape::csv_cell(missing.unwrap_or_default()));
            // Writing to a string cannot fail.
            let _ = write!(out, "{name},{target},{samples},{missing}\r\n");
        }
    }
    out
}

/// Reasons and their letters, in the order in which they are met.
#[derive(Default)]
struct Marks {
    found: Vec<AvailabilityReason>,
    places: BTreeMap<String, usize>,
}

impl Marks {
    fn cell(&mut self, check: &Check) -> AvailabilityCell {
        match check {
            Check::None => AvailabilityCell { text: "·".to_owned(), ..AvailabilityCell::default() },
            Check::Missing(reason) => {
                AvailabilityCell { text: String::new(), mark: self.mark(reason), hole: true }
            }
            Check::Measured { samples, without } => AvailabilityCell {
                // Series have samples; without any there is a profile.
                text: if *samples == 0 { "profile".to_owned() } else { number::whole((*samples).into()) },
                mark: without.as_deref().map(|reason| self.mark(reason)).unwrap_or_default(),
                hole: false,
            },
        }
    }

    fn mark(&mut self, reason: &str) -> String {
        let text = if self.places.len() < REASONS || self.places.contains_key(reason) {
            reason
        } else {
            "another reason, which the feature’s page gives"
        };
        let next = self.found.len();
        let at = *self.places.entry(text.to_owned()).or_insert(next);
        if at == next {
            self.found.push(AvailabilityReason {
                mark: letters(at),
                text: text.to_owned(),
                count: String::new(),
            });
        }
        let one = &mut self.found[at];
        let count = one.count.parse::<usize>().unwrap_or(0) + 1;
        one.count = count.to_string();
        one.mark.clone()
    }
}

/// `a` to `z`, then `aa`, `ab` and so on.
fn letters(at: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    if at < 26 { letter.to_string() } else { format!("{}{letter}", letters(at / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_on() {
        assert_eq!([letters(0), letters(25), letters(26), letters(53)], ["a", "z", "aa", "bb"]);
    }

    #[test]
    fn reasons_share_letters_and_are_bounded() {
        let mut marks = Marks::default();
        for at in 0..200 {
            let cell = marks.cell(&Check::Missing(format!("reason {at}")));
            assert!(cell.hole && cell.text.is_empty() && !cell.mark.is_empty());
        }
        let again = marks.cell(&Check::Measured { samples: 30, without: Some("reason 1".to_owned()) });
        assert_eq!((again.text.as_str(), again.mark.as_str(), again.hole), ("30", "b", false));
        assert_eq!(marks.found.len(), REASONS + 1);
        assert_eq!(marks.found[1].count, "2");
        assert_eq!(marks.found[REASONS].count, (200 - REASONS).to_string());
    }

    #[test]
    fn the_fuller_check_is_kept() {
        let measured =
            |samples, without: Option<&str>| Check::Measured { samples, without: without.map(str::to_owned) };
        let mut kept = Check::None;
        for (other, wanted) in [
            (Check::Missing("failed".to_owned()), Check::Missing("failed".to_owned())),
            (measured(3, Some("x")), measured(3, Some("x"))),
            (Check::Missing("later".to_owned()), measured(3, Some("x"))),
            (measured(1, None), measured(1, None)),
        ] {
            better(&mut kept, other);
            assert_eq!(kept, wanted);
        }
    }
}
