//! The words of a trade-off, computed from its sheet.

use std::collections::BTreeMap;

use super::caption;
use super::chart::{Axis, Caption, Scale};
use super::names;
use super::sheet::{self, Metric, Sheet};
use super::thin::MARKED;
use super::tradeoff;
use super::words;
use crate::evidence::Number;
use crate::text::list;
use crate::text::number;

/// `wall time against allocated bytes at 14 releases`, or with small counts in words.
pub(super) fn extent(sheet: &Sheet, in_words: bool) -> String {
    let [time, bytes] = tradeoff::both(sheet);
    let (noun, count) = (sheet.noun(), sheet.targets.len());
    let (name, count) = if in_words {
        (&time.name.start, names::count(count, noun))
    } else {
        (&time.name.running, list::counted(count, noun.0, noun.1))
    };
    format!("{name} against {} at {count}", bytes.name.running)
}

/// `Wall time against allocated bytes at 14 releases, median`.
pub(super) fn heading(sheet: &Sheet) -> String {
    format!("{}, median", extent(sheet, true))
}

/// Accessible name.
pub(super) fn title(sheet: &Sheet) -> String {
    match words::subject(sheet) {
        subject if subject.is_empty() => heading(sheet),
        subject => format!("{subject}: {}", extent(sheet, false)),
    }
}

/// Accessible description: what it says, how to read it, and the units.
pub(super) fn description(sheet: &Sheet, caption: &Caption) -> String {
    let units = tradeoff::both(sheet).map(|metric| match metric.scale.symbol() {
        _ if metric.unit.is_empty() => format!("{} in an unspecified unit", metric.name.running),
        "" => format!("{} as a plain number", metric.name.running),
        symbol => format!("{} in {symbol}", metric.name.running),
    });
    format!("{} {} Units: {}.", caption.says, caption.fine, list::and(&units))
}

/// `3.8 µs, 2 512 B`: time and allocated bytes of a target that has both.
pub(super) fn pair(sheet: &Sheet, target: usize) -> Option<String> {
    let [time, bytes] = tradeoff::both(sheet);
    let (t, b) = tradeoff::values(sheet, target)?;
    Some(format!("{}, {}", tradeoff::show(time, t), tradeoff::show(bytes, b)))
}

/// The same as bare as a key beside a plot, whose axes name the units.
pub(super) fn short_pair(sheet: &Sheet, target: usize) -> Option<String> {
    let metrics = tradeoff::both(sheet);
    let values = metrics.map(|metric| Some(sheet::show(metric, sheet.value(metric, target)?)));
    let [Some(time), Some(bytes)] = values else { return None };
    Some(format!("{time}, {bytes}"))
}

/// Why a value of a target is not in the document.
pub(super) fn missing(sheet: &Sheet, metric: &Metric, target: usize) -> String {
    if let Some(noted) = noted(sheet, metric, target) {
        return noted.to_owned();
    }
    let [time, bytes] = tradeoff::both(sheet);
    let other = if metric.id == time.id { bytes } else { time };
    if sheet.value(other, target).is_none() && noted(sheet, other, target).is_some() {
        format!("left out, as there is no value of {}", other.name.running)
    } else {
        "not measured".to_owned()
    }
}

fn noted<'s>(sheet: &'s Sheet, metric: &Metric, target: usize) -> Option<&'s str> {
    let label = &sheet.targets[target].label;
    sheet.details.reasons.get(&metric.id).and_then(|reasons| reasons.get(label)).map(String::as_str)
}

/// Why a target has no mark; none when it has one.
pub(super) fn lack(sheet: &Sheet, target: usize) -> Option<String> {
    if tradeoff::values(sheet, target).is_some() {
        return None;
    }
    let metrics = tradeoff::both(sheet);
    let without: Vec<&Metric> =
        metrics.into_iter().filter(|metric| sheet.value(metric, target).is_none()).collect();
    // In documents made here a target without both has no row: the reasons tell which one is missing.
    let told: Vec<(&Metric, &str)> =
        without.iter().filter_map(|metric| Some((*metric, noted(sheet, metric, target)?))).collect();
    let named = |metric: &Metric, reason: &str| format!("{}: {reason}", metric.name.running);
    Some(match (&told[..], &without[..]) {
        ([(_, a), (_, b)], _) if a == b => (*a).to_owned(),
        ([], [only]) => format!("no value of {}", only.name.running),
        ([], _) => "not measured".to_owned(),
        (told, _) => told.iter().map(|(metric, reason)| named(metric, reason)).collect::<Vec<_>>().join("; "),
    })
}

/// Everything about one mark in one sentence.
pub(super) fn reading(sheet: &Sheet, target: usize) -> String {
    let [time, bytes] = tradeoff::both(sheet);
    let start = words::dated(sheet, target);
    match (tradeoff::values(sheet, target), lack(sheet, target)) {
        (Some((t, b)), _) => format!(
            "{start}: {} {}, {} {}, medians",
            time.name.running,
            tradeoff::show(time, t),
            bytes.name.running,
            tradeoff::show(bytes, b)
        ),
        (None, lack) => format!("{start}: not drawn, {}", lack.unwrap_or_default()),
    }
}

/// What the reading line says before a point is chosen: the newest target.
pub(super) fn rest(sheet: &Sheet) -> String {
    match sheet.targets.len().checked_sub(1) {
        Some(target) => reading(sheet, target),
        None => "No target is recorded.".to_owned(),
    }
}

/// What the figure says and how to read it.
pub(super) fn caption(sheet: &Sheet, upright: &Axis, across: &Axis) -> Caption {
    Caption { says: says(sheet), fine: fine(sheet, upright, across) }
}

/// The targets that have the lowest value of a metric, among those with both.
fn lowest(sheet: &Sheet, pick: fn((Number, Number)) -> Number) -> Option<(Number, Vec<usize>, bool)> {
    let all: Vec<(usize, Number)> = (0..sheet.targets.len())
        .filter_map(|target| Some((target, pick(tradeoff::values(sheet, target)?))))
        .collect();
    let least = all.iter().map(|value| value.1).min()?;
    let moves = all.iter().any(|value| value.1 != least);
    Some((least, all.iter().filter(|value| value.1 == least).map(|value| value.0).collect(), moves))
}

fn says(sheet: &Sheet) -> String {
    let [time, bytes] = tradeoff::both(sheet);
    let noun = sheet.noun();
    let drawn: Vec<usize> =
        (0..sheet.targets.len()).filter(|target| tradeoff::values(sheet, *target).is_some()).collect();
    let (Some(fast), Some(lean)) = (lowest(sheet, |pair| pair.0), lowest(sheet, |pair| pair.1)) else {
        return format!("No {} has both {} and {}.", noun.0, time.name.running, bytes.name.running);
    };
    if let [only] = drawn[..] {
        let pair = pair(sheet, only).unwrap_or_default();
        let label = &sheet.targets[only].label;
        return if sheet.targets.len() == 1 {
            format!("{} and {} at {label}: {pair}.", time.name.start, bytes.name.running)
        } else {
            format!("Only {label} has both {} and {}: {pair}.", time.name.running, bytes.name.running)
        };
    }
    let at_all = caption::at_all(sheet, drawn.len(), noun);
    let shown = [tradeoff::show(time, fast.0), tradeoff::show(bytes, lean.0)];
    let still = |metric: &Metric, shown: &str, start: bool| {
        let name = if start { &metric.name.start } else { &metric.name.running };
        format!("{name} {} not change ({shown})", metric.name.does())
    };
    let least = |metric: &Metric, at: &[usize], shown: &str, start: bool| {
        let name = if start { &metric.name.start } else { &metric.name.running };
        format!("{name} {} lowest at {} ({shown})", metric.name.is(), caption::places(sheet, at))
    };
    let mut text = match (fast.2, lean.2) {
        (false, false) => {
            return format!(
                "Neither {} nor {} change: {} at {at_all}.",
                time.name.running,
                bytes.name.running,
                shown.join(", ")
            );
        }
        (true, false) => {
            format!("{}; {}", least(time, &fast.1, &shown[0], true), still(bytes, &shown[1], false))
        }
        (false, true) => {
            format!("{}; {}", least(bytes, &lean.1, &shown[1], true), still(time, &shown[0], false))
        }
        (true, true) => {
            let best: Vec<usize> = fast.1.iter().copied().filter(|target| lean.1.contains(target)).collect();
            if best.is_empty() {
                format!(
                    "{}, {}; no {} is lowest in both",
                    least(time, &fast.1, &shown[0], true),
                    least(bytes, &lean.1, &shown[1], false),
                    noun.0
                )
            } else {
                format!(
                    "{} {} lowest in both {} and {} ({})",
                    caption::places(sheet, &best),
                    if best.len() == 1 { "is" } else { "are" },
                    time.name.running,
                    bytes.name.running,
                    shown.join(", ")
                )
            }
        }
    };
    if let Some(step) = largest_move(sheet) {
        text = format!("{text}; largest move {step}");
    }
    text + "."
}

/// The largest move between neighbouring targets, by the factors of both values, in words. Zeros have no
/// factor, unless they stay.
fn largest_move(sheet: &Sheet) -> Option<String> {
    let factor = |before: Number, after: Number| {
        let (from, to) = (before.as_f64(), after.as_f64());
        if before == after { Some(0.0) } else { (from > 0.0 && to > 0.0).then(|| to.ln() - from.ln()) }
    };
    let mut found: Option<(f64, usize)> = None;
    for target in 1..sheet.targets.len() {
        let pair = tradeoff::values(sheet, target - 1).zip(tradeoff::values(sheet, target));
        let Some((before, after)) = pair else { continue };
        let Some(size) = factor(before.0, after.0).zip(factor(before.1, after.1)).map(|(t, b)| t.hypot(b))
        else {
            continue;
        };
        if size > 0.0 && found.is_none_or(|best| size > best.0) {
            found = Some((size, target));
        }
    }
    let (_, target) = found?;
    let (before, after) = tradeoff::values(sheet, target - 1).zip(tradeoff::values(sheet, target))?;
    let [time, bytes] = tradeoff::both(sheet);
    let change = |metric: &Metric, before: Number, after: Number| {
        let name = &metric.name.running;
        if before == after {
            format!("{name} unchanged")
        } else {
            format!("{name} {}", words::change(before, after))
        }
    };
    let label = |target: usize| &sheet.targets[target].label;
    Some(format!(
        "{} → {}, {}, {}",
        label(target - 1),
        label(target),
        change(time, before.0, after.0),
        change(bytes, before.1, after.1)
    ))
}

fn fine(sheet: &Sheet, upright: &Axis, across: &Axis) -> String {
    let noun = sheet.noun();
    let [time, bytes] = tradeoff::both(sheet);
    let mut said = vec![format!("Medians per {}, whatever statistic other figures use.", noun.0)];
    said.extend(unspecified(sheet));
    said.push(unavailable(sheet));
    let drawn = (0..sheet.targets.len()).filter(|target| tradeoff::values(sheet, *target).is_some()).count();
    if sheet.targets.len() > MARKED {
        said.push(format!("With so many {} no path joins them.", noun.1));
    } else if drawn > 1 && sheet.targets.iter().all(|target| target.kind != "implementation") {
        said.push(format!(
            "The path joins the {} in their order; its arrows point to the later one.",
            noun.1
        ));
    }
    said.push(scales(time, upright, bytes, across));
    said.extend(zeros(sheet, upright, across));
    said.extend(caption::clocks(sheet));
    said.extend(sheet.details.part.as_ref().map(|part| format!("Shown: {part}.")));
    said.extend(caption::undated(sheet));
    said.extend(
        sheet.details.variant.as_ref().map(|variant| format!("Conditions of this series: {variant}.")),
    );
    said.join(" ")
}

fn unspecified(sheet: &Sheet) -> Option<String> {
    let without: Vec<&str> = tradeoff::both(sheet)
        .into_iter()
        .filter(|metric| metric.unit.is_empty())
        .map(|metric| metric.name.running.as_str())
        .collect();
    (!without.is_empty())
        .then(|| format!("The document does not say in which unit {} is: unspecified.", list::and(&without)))
}

/// `2 of 14 releases unavailable, as they lack one of the two values: 2.2.0 failed.`
fn unavailable(sheet: &Sheet) -> String {
    let noun = sheet.noun();
    let mut reasons: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut missing = 0;
    for target in 0..sheet.targets.len() {
        if let Some(reason) = lack(sheet, target) {
            missing += 1;
            reasons.entry(caption::shortened(&reason)).or_default().push(target);
        }
    }
    let mut text = format!(
        "{} of {} unavailable",
        number::whole(missing as i128),
        list::counted(sheet.targets.len(), noun.0, noun.1)
    );
    if missing == 0 {
        return text + ".";
    }
    text.push_str(", as both values are needed");
    if reasons.len() <= 3 {
        let mut reasons: Vec<(String, Vec<usize>)> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, targets)| targets[0]);
        let parts: Vec<String> = reasons
            .into_iter()
            .map(|(reason, targets)| {
                let labels: Vec<&str> =
                    targets.iter().map(|&target| sheet.targets[target].label.as_str()).collect();
                let at = if labels.len() > caption::LISTED {
                    names::count(labels.len(), noun)
                } else {
                    list::and(&labels)
                };
                format!("{at} {reason}")
            })
            .collect();
        text = format!("{text}: {}", parts.join("; "));
    }
    let gap = if sheet.targets.len() > missing + 1 { " No path bridges a gap." } else { "" };
    format!("{text}.{gap}")
}

fn scales(time: &Metric, upright: &Axis, bytes: &Metric, across: &Axis) -> String {
    let names = [&time.name.running, &bytes.name.running];
    match (upright.scale, across.scale) {
        (Scale::Linear, Scale::Linear) => "Both scales are linear.".to_owned(),
        (Scale::Log, Scale::Log) => {
            "Both scales are logarithmic: equal distances are equal factors.".to_owned()
        }
        (upright, _) => {
            let [log, linear] = if upright == Scale::Log { names } else { [names[1], names[0]] };
            format!(
                "The scale of {log} is logarithmic (equal distances are equal factors), that of {linear} is linear."
            )
        }
    }
}

/// Where zeros are on logarithmic scales.
fn zeros(sheet: &Sheet, upright: &Axis, across: &Axis) -> Option<String> {
    let any = |axis: &Axis, pick: fn((f64, f64)) -> f64| {
        axis.scale == Scale::Log
            && (0..sheet.targets.len())
                .any(|target| tradeoff::place(sheet, target).is_some_and(|place| pick(place) <= 0.0))
    };
    let mut edges = Vec::new();
    edges.extend(any(across, |place| place.0).then_some("left"));
    edges.extend(any(upright, |place| place.1).then_some("bottom"));
    (!edges.is_empty()).then(|| format!("Zeros lie at the {} edge (open marks).", edges.join(" or ")))
}
