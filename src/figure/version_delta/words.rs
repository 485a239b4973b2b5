//! What changes say, and how to read them.

use std::collections::BTreeMap;

use super::Changes;
use crate::evidence::plot::DeltaRow;
use crate::evidence::{Number, Preference};
use crate::figure::chart::{Axis, Caption, Directions};
use crate::figure::sheet::{self, Metric};
use crate::figure::{boundaries, caption, names, words};
use crate::text::{list, number};

/// Most bars beyond the axis that are named one by one.
const NAMED: usize = 4;

/// A change with its sign: `−47 %`, as a factor beyond ten times, `no change` for 0.
pub(super) fn signed(part: f64) -> String {
    if part == 0.0 {
        "no change".to_owned()
    } else if part > 9.0 {
        format!("to {}", number::factor(part + 1.0))
    } else {
        number::percent(part)
    }
}

/// What the changes are measured against, as a noun: `the release before`, `0.1.0`, `their baselines`.
fn baseline(changes: &Changes) -> String {
    let relation = |wanted: &str| changes.rows.iter().all(|row| *row.relation == *wanted);
    let first = changes.rows.first().map_or("", |row| &*row.baseline_version);
    if changes.rows.is_empty() {
        "a baseline".to_owned()
    } else if relation("adjacent-release") {
        "the release before".to_owned()
    } else if changes.rows.iter().all(|row| *row.baseline_version == *first) {
        first.to_owned()
    } else if changes
        .rows
        .iter()
        .all(|row| ["adjacent-release", "dev-vs-latest-release"].contains(&&*row.relation))
    {
        "the release before or, for other targets, the newest release".to_owned()
    } else {
        "its baseline".to_owned()
    }
}

/// The same in few words, for the axis and the reference line.
fn short_baseline(changes: &Changes) -> String {
    match baseline(changes) {
        long if long.len() > 40 => "the release compared with".to_owned(),
        short => short,
    }
}

fn metric<'a>(changes: &'a Changes) -> &'a Metric {
    &changes.sheet.metrics[0]
}

/// Statistics of the values, as nouns: `median`.
fn statistic<'a>(changes: &'a Changes) -> &'a str {
    changes.statistic.get_or_init(|| {
        let found = words::statistics(&changes.sheet);
        let median = found.is_empty() || found == ["value"];
        if median { names::statistic("median").to_owned() } else { found.join(" or ") }
    })
}

fn subject(changes: &Changes) -> String {
    format!("{} of {}", statistic(changes), metric(changes).name.running)
}

/// `Change of wall time over 14 releases`.
pub(super) fn heading(changes: &Changes) -> String {
    let sheet = &changes.sheet;
    format!(
        "Change of {} over {}",
        metric(changes).name.running,
        names::count(sheet.targets.len(), sheet.noun())
    )
}

pub(super) fn title(changes: &Changes) -> String {
    let text = words::title(&changes.sheet);
    format!("{text}, change against {}", short_baseline(changes))
}

pub(super) fn axis_title(changes: &Changes) -> String {
    format!("change of {}, %, against {}, linear", metric(changes).name.running, short_baseline(changes))
}

pub(super) fn reference_label(changes: &Changes) -> String {
    format!("0 = as {}", short_baseline(changes).trim_start_matches("its "))
}

/// `lower is preferred`; none where neither direction is.
pub(super) fn preferred(changes: &Changes) -> Option<&'static str> {
    match changes.sheet.details.preferences.get(&metric(changes).id)? {
        Preference::Lower => Some("lower"),
        Preference::Higher => Some("higher"),
        Preference::Neutral => None,
    }
}

/// What up and down mean, and which of them is preferred.
pub(super) fn directions(changes: &Changes) -> Directions {
    let said = |word: &str| {
        let note = if preferred(changes) == Some(word) { "preferred" } else { "" };
        (word.to_owned(), note.to_owned())
    };
    Directions { up: said("higher"), down: said("lower") }
}

/// A direction by the preference: `lower, as preferred`.
fn direction(changes: &Changes, part: f64) -> String {
    if part == 0.0 {
        return String::new();
    }
    let word = if part < 0.0 { "lower" } else { "higher" };
    match preferred(changes) {
        Some(preferred) if preferred == word => format!(" ({word}, the preferred direction)"),
        Some(preferred) => format!(" ({word}; {preferred} is preferred)"),
        None => format!(" ({word})"),
    }
}

/// Both ends of a change: `from 7.3 µs to 3.9 µs`.
fn ends(changes: &Changes, row: &DeltaRow) -> String {
    let show = |value: Option<Number>| {
        value.map_or_else(|| "no value".to_owned(), |value| sheet::show(metric(changes), value))
    };
    format!("from {} to {}", show(row.baseline_value), show(row.candidate_value))
}

/// `1.10.2 → 1.11.0 (2026-08-28)`.
fn step(changes: &Changes, row: &DeltaRow, target: usize) -> String {
    format!("{} → {}", row.baseline_version, words::dated(&changes.sheet, target))
}

/// Everything about one change in one sentence.
pub(super) fn reading(changes: &Changes, target: usize) -> String {
    let sheet = &changes.sheet;
    let name = &metric(changes).name.running;
    let Some(row) = changes.row(target) else {
        let at = words::dated(sheet, target);
        return match changes.reason(target) {
            Some(reason) => format!("{name} at {at}: not compared, {reason}"),
            None => format!("{name} at {at}: not compared with another target"),
        };
    };
    let start = format!("{name}, {}: ", step(changes, row, target));
    let made = names::made_of(statistic(changes), row.candidate_samples);
    let made = if row.baseline_samples == row.candidate_samples {
        format!("{made} each")
    } else {
        let before =
            list::counted(usize::try_from(row.baseline_samples).unwrap_or(usize::MAX), "sample", "samples");
        format!("{made}, {before} before")
    };
    match (changes.change(target), changes.reason(target)) {
        (Some(part), _) => {
            format!("{start}{}{}, {}, {made}", signed(part), direction(changes, part), ends(changes, row))
        }
        (None, reason) if row.baseline_value.is_some() && row.candidate_value.is_some() => {
            format!("{start}{}, {}, {made}", reason.unwrap_or_default(), ends(changes, row))
        }
        (None, reason) => format!("{start}no change known, {}", reason.unwrap_or_default()),
    }
}

/// What the reading line says before a point is chosen: the newest change.
pub(super) fn rest(changes: &Changes) -> String {
    match (0..changes.sheet.targets.len()).rev().find(|&target| changes.row(target).is_some()) {
        Some(newest) => names::raised(&reading(changes, newest)),
        None => "No change is recorded.".to_owned(),
    }
}

pub(super) fn caption(changes: &Changes, axis: &Axis) -> Caption {
    Caption { says: says(changes), fine: fine(changes, axis) }
}

fn compared(changes: &Changes) -> Vec<usize> {
    (0..changes.sheet.targets.len()).filter(|&target| changes.row(target).is_some()).collect()
}

fn says(changes: &Changes) -> String {
    let all = compared(changes);
    let name = &metric(changes).name;
    let drawn: Vec<(usize, f64)> = changes.drawn().collect();
    let total = list::counted(all.len(), "change", "changes");
    if all.is_empty() {
        return format!("No change of {} is recorded.", name.running);
    }
    if drawn.is_empty() {
        let zeros = all.iter().filter_map(|&target| changes.row(target)).all(|row| {
            [row.baseline_value, row.candidate_value].iter().all(|value| value.is_some_and(Number::is_zero))
        });
        return if zeros {
            format!(
                "{} {} 0 at both ends of every comparison, so there is no relative change.",
                name.start,
                name.is()
            )
        } else {
            format!("None of {total} of {} can be given in per cent.", name.running)
        };
    }
    let most = |sign: f64| {
        let moved = drawn.iter().copied().filter(move |change| change.1 * sign > 0.0);
        moved.reduce(|best, next| if (next.1 * sign) > (best.1 * sign) { next } else { best })
    };
    let told: Vec<String> = [(1.0, "rise"), (-1.0, "fall")]
        .into_iter()
        .filter_map(|(sign, word)| Some((most(sign)?, word)))
        .map(|((target, part), word)| format!("largest {word} {}", extreme(changes, target, part)))
        .collect();
    if told.is_empty() {
        let compared = match drawn.len() {
            1 => "the only comparison".to_owned(),
            many => format!("all {}", names::count(many, ("comparison", "comparisons"))),
        };
        return format!("The {} {} not change in {compared}.", subject(changes), "does");
    }
    format!("{}: {}.{}", name.start, told.join("; "), counts(changes, &drawn))
}

/// `−47 % (1.10.2 → 1.11.0, from 7.3 µs to 3.9 µs), where X went from 1.0 to 2.0`.
fn extreme(changes: &Changes, target: usize, part: f64) -> String {
    let Some(row) = changes.row(target) else { return String::new() };
    let sheet = &changes.sheet;
    let mut text = format!(
        "{} ({} → {}, {})",
        signed(part),
        row.baseline_version,
        row.candidate_version,
        ends(changes, row)
    );
    // What changed in between is known where the baseline stands right before.
    let neighbour =
        target.checked_sub(1).is_some_and(|before| *sheet.targets[before].label == *row.baseline_version);
    let mut moved: Vec<_> = boundaries::changes(&sheet.details.dependencies, target)
        .filter(|(_, before, after)| neighbour && boundaries::major_change(before, after))
        .map(|(name, before, after)| format!("{name} went from {before} to {after}"))
        .collect();
    moved.truncate(2);
    if !moved.is_empty() {
        text = format!("{text}, where {}", list::and(&moved));
    }
    text
}

/// How many changes go which way, and how many are within the clock.
fn counts(changes: &Changes, drawn: &[(usize, f64)]) -> String {
    if drawn.len() < 3 {
        return String::new();
    }
    let count = |wanted: fn(f64) -> bool| drawn.iter().filter(|change| wanted(change.1)).count();
    let (up, down, none) = (count(|part| part > 0.0), count(|part| part < 0.0), count(|part| part == 0.0));
    let parts: Vec<String> = [(up, "up"), (down, "down"), (none, "unchanged")]
        .into_iter()
        .filter(|part| part.0 > 0)
        .map(|(count, word)| format!("{} {word}", list::words(count)))
        .collect();
    let within = drawn
        .iter()
        .filter_map(|change| changes.row(change.0))
        .filter_map(|row| row.baseline_value.zip(row.candidate_value))
        .filter(|(before, after)| before != after && caption::within(metric(changes), *before, *after))
        .count();
    let within = match within {
        0 => String::new(),
        1 => "; one of them within two clock steps".to_owned(),
        many => format!("; {} of them within two clock steps", list::words(many)),
    };
    let all = names::count(drawn.len(), ("change", "changes"));
    format!(" All {all}: {}{within}.", list::and(&parts))
}

fn fine(changes: &Changes, axis: &Axis) -> String {
    let sheet = &changes.sheet;
    let mut said = vec![format!(
        "Each bar is the change of the {} against {}, in per cent of that value.",
        subject(changes),
        baseline(changes)
    )];
    said.extend(preferred(changes).map(|word| format!("{} is preferred.", names::raised(word))));
    said.extend(samples(changes));
    said.extend(caption::thinned(sheet));
    said.push(holes(changes));
    said.extend(beyond(changes, axis));
    said.extend(groups(changes));
    said.extend(caption::clocks(sheet));
    said.extend(caption::extent(sheet));
    said.join(" ")
}

fn samples(changes: &Changes) -> Option<String> {
    let counts = || {
        changes
            .rows
            .iter()
            .flat_map(|row| [row.baseline_samples, row.candidate_samples])
            .filter(|&count| count > 0)
    };
    let (least, most) = (counts().min()?, counts().max()?);
    let whole = |count: u64| number::whole(count.into());
    Some(match (least, most) {
        (1, 1) => "Each value is 1 sample, so its spread is not known.".to_owned(),
        (least, most) if least == most => format!("Each value is made of {} samples.", whole(most)),
        (least, most) => format!("Each value is made of {} to {} samples.", whole(least), whole(most)),
    })
}

/// `2 of 13 changes unavailable or undefined (open marks on the axis): 1.3.0 0 before and after.`
fn holes(changes: &Changes) -> String {
    let all = compared(changes);
    let total = list::counted(all.len(), "change", "changes");
    let mut by_reason: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut missing = 0;
    for &target in &all {
        if let Some(reason) = changes.reason(target) {
            by_reason.entry(caption::shortened(&reason)).or_default().push(target);
            missing += 1;
        }
    }
    if missing == 0 {
        return format!("0 of {total} unavailable.");
    }
    let mut reasons: Vec<(String, Vec<usize>)> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(_, targets)| targets[0]);
    let listed = if reasons.len() > 3 {
        String::new()
    } else {
        let parts: Vec<String> = reasons
            .into_iter()
            .map(|(reason, targets)| {
                let labels: Vec<&str> =
                    targets.iter().map(|&target| changes.sheet.targets[target].label.as_str()).collect();
                let at = if labels.len() > NAMED {
                    names::count(labels.len(), changes.sheet.noun())
                } else {
                    list::and(&labels)
                };
                format!("{at}: {reason}")
            })
            .collect();
        format!(": {}", parts.join("; "))
    };
    format!(
        "{} of {total} unavailable or undefined (open marks on the axis){listed}.",
        number::whole(missing)
    )
}

/// Which bars are cut at the edge of the axis.
fn beyond(changes: &Changes, axis: &Axis) -> Option<String> {
    let cut: Vec<String> = changes
        .drawn()
        .filter(|(_, part)| !(0.0..=1.0).contains(&axis.position(super::percent(*part))))
        .map(|(target, part)| format!("{} ({})", changes.sheet.targets[target].label, signed(part)))
        .collect();
    let listed = match cut.len() {
        0 => return None,
        many if many > NAMED => format!("{} and {} more", cut[0], list::words(many - 1)),
        _ => list::and(&cut),
    };
    let reach = if cut.len() == 1 { "reaches" } else { "reach" };
    Some(format!(
        "So that the others stay readable, the axis ends where {listed} {reach} further: such a bar ends in an arrow."
    ))
}

/// Baselines that are made of several targets, and rows that the figure has no place for.
fn groups(changes: &Changes) -> Vec<String> {
    let mut said = Vec::new();
    let mut groups: Vec<(&str, &[String])> = Vec::new();
    for row in changes.rows.iter().filter(|row| row.baseline_versions.len() > 1) {
        let group = (&*row.baseline_version, row.baseline_versions.as_slice());
        if !groups.contains(&group) && groups.len() < NAMED {
            groups.push(group);
        }
    }
    said.extend(groups.iter().map(|(name, targets)| {
        format!("The baseline {name} is made of {} targets.", list::words(targets.len()))
    }));
    let shown = compared(changes).len();
    if changes.rows.len() > shown {
        said.push(format!(
            "{} of the document about the same targets are not drawn; the CSV holds them.",
            names::raised(&names::count(changes.rows.len() - shown, ("further row", "further rows")))
        ));
    }
    said
}
