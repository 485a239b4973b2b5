//! The words under a figure: what it says, and how to read it.

use std::collections::{BTreeMap, BTreeSet};

use super::boundaries;
use super::chart::{Caption, Scale};
use super::names;
use super::sheet::{self, Drawn, Metric, Sheet};
use super::thin;
use super::words;
use crate::evidence::Number;
use crate::evidence::plot::Status;
use crate::text::list;
use crate::text::number;
use crate::text::unit::{Dimension, Unit};

/// Longest reason quoted in a caption; the reading line has all of it.
const REASON: usize = 80;
/// Most labels listed one by one.
pub(super) const LISTED: usize = 6;

/// A change between neighbouring targets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// The target that the step leads to.
    pub target: usize,
    /// Change as a part of the value before: −0.47.
    pub change: f64,
    /// Whether it is at most two steps of the clock.
    pub within_clock: bool,
    /// In words: `−47 %`.
    pub text: String,
}

/// The step of a metric's clock, when its samples show one and it measures time.
pub(super) fn clock(metric: &Metric) -> Option<f64> {
    metric.step.filter(|_| Unit::parse(&metric.unit).dimension() == Dimension::Time)
}

/// The largest step by factor between neighbouring targets with values above zero; the first of equals.
pub(super) fn largest_step(sheet: &Sheet, metric: &Metric) -> Option<Step> {
    let mut found: Option<(f64, usize, Number, Number)> = None;
    for target in 1..sheet.targets.len() {
        let pair = sheet.value(metric, target - 1).zip(sheet.value(metric, target));
        let Some((before, after)) =
            pair.filter(|(before, after)| before.as_f64() > 0.0 && after.as_f64() > 0.0)
        else {
            continue;
        };
        let size = (after.as_f64().ln() - before.as_f64().ln()).abs();
        if before != after && found.is_none_or(|best| size > best.0) {
            found = Some((size, target, before, after));
        }
    }
    let (_, target, before, after) = found?;
    Some(Step {
        target,
        change: (after.as_f64() / before.as_f64() - 1.0).clamp(-1.0, f64::MAX),
        within_clock: within(metric, before, after),
        text: words::change(before, after),
    })
}

/// Whether two values differ by at most two steps of the clock.
pub(super) fn within(metric: &Metric, before: Number, after: Number) -> bool {
    clock(metric).is_some_and(|step| (after.as_f64() - before.as_f64()).abs() <= step * (2.0 + 1e-6))
}

/// What the figure says and how to read it.
pub(super) fn caption(sheet: &Sheet, scale: Scale) -> Caption {
    Caption { says: says(sheet), fine: fine(sheet, scale) }
}

/// Lowest and highest value of a metric with the targets that have them.
pub(super) struct Range {
    /// The value and its targets.
    pub lowest: (Number, Vec<usize>),
    /// The value and its targets.
    pub highest: (Number, Vec<usize>),
    /// How many targets have a value.
    pub count: usize,
}

/// Lowest and highest value of a line; none when it has no value.
pub(super) fn range(sheet: &Sheet, metric: &Metric) -> Option<Range> {
    let values: Vec<(usize, Number)> =
        (0..sheet.targets.len()).filter_map(|target| Some((target, sheet.value(metric, target)?))).collect();
    let lowest = values.iter().map(|value| value.1).min()?;
    let highest = values.iter().map(|value| value.1).max()?;
    let at = |wanted: Number| {
        values.iter().filter(|value| value.1 == wanted).map(|value| value.0).collect::<Vec<_>>()
    };
    Some(Range { lowest: (lowest, at(lowest)), highest: (highest, at(highest)), count: values.len() })
}

fn says(sheet: &Sheet) -> String {
    if let Some(overlaid) = &sheet.overlaid {
        return super::overlay::says(sheet, overlaid);
    }
    let Some(main) = sheet.main() else { return "The document holds no values.".to_owned() };
    let metric = &sheet.metrics[main];
    let name = &metric.name;
    let noun = sheet.noun();
    let Some(found) = range(sheet, metric) else {
        return format!("No value of {} is available.", name.running);
    };
    let (lowest, at_lowest) = &found.lowest;
    if found.count == 1 {
        let label = &sheet.targets[at_lowest[0]].label;
        let value = sheet::show(metric, *lowest);
        return if sheet.targets.len() == 1 {
            format!("{} at {label}: {value}.", name.start)
        } else {
            format!("Only {label} has a value of {}: {value}.", name.running)
        };
    }
    let mut text = if *lowest == found.highest.0 {
        let at = at_all(sheet, found.count, noun);
        format!("{} {} not change: {} at {at}.", name.start, name.does(), sheet::show(metric, *lowest))
    } else {
        moving(sheet, metric, &found)
    };
    let mut too: Vec<&Metric> = Vec::new();
    let mut constant: Vec<String> = Vec::new();
    let mut first_constant = None;
    for (at, other) in sheet.metrics.iter().enumerate().filter(|(at, _)| *at != main) {
        let Some(range) = range(sheet, other).filter(|range| range.count > 1) else { continue };
        if range.lowest.0 == range.highest.0 {
            if !range.lowest.0.is_zero() || sheet.drawn == Drawn::Value {
                constant.push(format!("{} ({})", other.name.running, sheet::show(other, range.lowest.0)));
                first_constant = first_constant.or(Some(other));
            }
        } else if at < super::lines::SHOWN
            && *lowest != found.highest.0
            && range.lowest.1.contains(&at_lowest[0])
        {
            too.push(other);
        }
    }
    if !too.is_empty() {
        let names: Vec<&str> = too.iter().map(|metric| metric.name.running.as_str()).collect();
        let is = if too.len() > 1 { "are" } else { too[0].name.is() };
        let label = &sheet.targets[at_lowest[0]].label;
        text = format!("{text} {} {is} lowest at {label} too.", start(&list::and(&names), too[0]));
    }
    if constant.len() > 3 {
        let count = names::raised(&list::words(constant.len()));
        text = format!("{text} {count} other metrics do not change.");
    } else if let Some(first) = first_constant {
        let does = if constant.len() > 1 { "do" } else { first.name.does() };
        text = format!("{text} {} {does} not change.", start(&list::and(&constant), first));
    }
    text
}

/// A list of metric names at the start of a sentence; ids stay as recorded.
fn start(listed: &str, first: &Metric) -> String {
    match listed.strip_prefix(first.name.running.as_str()) {
        Some(rest) => format!("{}{rest}", first.name.start),
        None => listed.to_owned(),
    }
}

pub(super) fn at_all(sheet: &Sheet, count: usize, noun: (&str, &str)) -> String {
    if count == sheet.targets.len() {
        match count {
            2 => format!("both {}", noun.1),
            _ => format!("all {}", names::count(count, noun)),
        }
    } else {
        format!("the {} with a value", names::count(count, noun))
    }
}

/// Lowest, highest and largest step of a metric whose values differ.
fn moving(sheet: &Sheet, metric: &Metric, found: &Range) -> String {
    let noted = |(value, targets): &(Number, Vec<usize>)| {
        let ratio = match sheet.drawn {
            Drawn::Ratio => {
                sheet.drawn(metric, targets[0]).filter(|ratio| ratio.to_bits() != 1.0_f64.to_bits())
            }
            Drawn::Value => None,
        };
        let ratio = ratio.map_or_else(String::new, |ratio| format!(", {}", number::factor(ratio)));
        format!("{} ({}{ratio})", places(sheet, targets), sheet::show(metric, *value))
    };
    let name = &metric.name;
    let mut text = format!(
        "{} {} lowest at {} and highest at {}",
        name.start,
        name.is(),
        noted(&found.lowest),
        noted(&found.highest)
    );
    let clock = clock(metric).map(|step| Unit::parse(&metric.unit).show(step));
    if let Some(clock) = &clock
        && within(metric, found.lowest.0, found.highest.0)
    {
        return format!("{text}; all values are within two clock steps of {clock}.");
    }
    if let Some(step) = largest_step(sheet, metric) {
        text = format!("{text}; largest step {}", step_words(sheet, metric, &step));
    }
    text + "."
}

/// `1.10.2 → 1.11.0, −47 %, where HTTP went from 1.11.0 to 2.6.7`.
pub(super) fn step_words(sheet: &Sheet, metric: &Metric, step: &Step) -> String {
    let label = |target: usize| &sheet.targets[target].label;
    let mut text = format!("{} → {}, {}", label(step.target - 1), label(step.target), step.text);
    if step.within_clock
        && let Some(clock) = clock(metric).map(|step| Unit::parse(&metric.unit).show(step))
    {
        text = format!("{text}, within two clock steps of {clock}");
    }
    let mut changes: Vec<_> = boundaries::changes(&sheet.details.dependencies, step.target).collect();
    changes.sort_by_key(|(_, before, after)| !boundaries::major_change(before, after));
    changes.truncate(2);
    let changes: Vec<String> = changes
        .into_iter()
        .map(|(name, before, after)| format!("{name} went from {before} to {after}"))
        .collect();
    if !changes.is_empty() {
        text = format!("{text}, where {}", list::and(&changes));
    }
    text
}

/// One or two labels, or the first and a count.
pub(super) fn places(sheet: &Sheet, targets: &[usize]) -> String {
    let labels: Vec<&str> =
        targets.iter().take(2).map(|&target| sheet.targets[target].label.as_str()).collect();
    match targets.len() {
        0..=2 => list::and(&labels),
        many => format!("{} and {} more", labels[0], list::words(many - 1)),
    }
}

/// `Minimum of 30 samples per release.`
pub(super) fn statistic_sentence(sheet: &Sheet) -> String {
    let noun = sheet.noun().0;
    let rows = || sheet.rows.iter().filter(|row| row.value.is_some());
    let nouns = words::statistics(sheet);
    let statistic = names::raised(&nouns.join(" or "));
    if nouns.len() == 1 && nouns[0] == names::statistic("recorded") {
        return "Values as the tool recorded them, without samples.".to_owned();
    }
    let least = rows().map(|row| row.samples).min().unwrap_or(0);
    let most = rows().map(|row| row.samples).max().unwrap_or(0);
    let sample =
        if rows().all(|row| *row.statistic == *"sum") { ("value", "values") } else { ("sample", "samples") };
    let shown = |count: u64| number::whole(count.into());
    match (least, most) {
        (_, 0) => format!("{statistic} per {noun}."),
        (1, 1) => format!("1 {} per {noun}, no spread.", sample.0),
        (least, most) if least == most => format!("{statistic} of {} {} per {noun}.", shown(most), sample.1),
        (least, most) => by_metric(sheet, &statistic, sample).unwrap_or_else(|| {
            format!("{statistic} of {}–{} {} per {noun}.", shown(least), shown(most), sample.1)
        }),
    }
}

/// `Minimum per release of 30 samples (wall time) or 1 sample (GC time and allocations).`: where every metric
/// has one number of samples throughout, but not all the same.
fn by_metric(sheet: &Sheet, statistic: &str, sample: (&str, &str)) -> Option<String> {
    let mut counts: Vec<(u64, Vec<&str>)> = Vec::new();
    for metric in &sheet.metrics {
        let mut of_metric = (0..sheet.targets.len())
            .filter_map(|target| sheet.row(metric, target))
            .filter(|row| row.value.is_some())
            .map(|row| row.samples);
        let Some(first) = of_metric.next() else { continue };
        if of_metric.any(|count| count != first) {
            return None;
        }
        match counts.iter_mut().find(|(count, _)| *count == first) {
            Some((_, names)) => names.push(&metric.name.running),
            None => counts.push((first, vec![&metric.name.running])),
        }
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(count, names)| {
            let noun = if *count == 1 { sample.0 } else { sample.1 };
            format!("{} {noun} ({})", number::whole((*count).into()), list::and(names))
        })
        .collect();
    Some(format!("{statistic} per {} of {}.", sheet.noun().0, parts.join(" or ")))
}

fn fine(sheet: &Sheet, scale: Scale) -> String {
    let mut said = vec![statistic_sentence(sheet)];
    match sheet.drawn {
        Drawn::Ratio => said.extend(division(sheet)),
        Drawn::Value => said.push(fixed_statistic(sheet)),
    }
    said.extend(zeros(sheet));
    said.extend(thinned(sheet));
    said.push(unavailable(sheet));
    said.extend(clocks(sheet));
    if scale == Scale::Log {
        said.push("The scale is logarithmic: equal distances are equal factors.".to_owned());
        let zero = sheet.all_drawn().iter().any(|&value| value <= 0.0);
        said.extend(zero.then(|| format!("Zeros lie at the bottom edge{}.", open_marks(sheet))));
    }
    let drawable = super::chart::drawable(sheet.metrics.len(), sheet.targets.len());
    if drawable < sheet.metrics.len() {
        let of = names::count(sheet.metrics.len(), sheet.line_noun());
        said.push(format!(
            "{} of {of} can be drawn, the first ones; all values are in the CSV.",
            names::raised(&list::words(drawable))
        ));
    }
    said.extend(extent(sheet));
    if words::statistics(sheet).iter().any(|noun| noun == "minimum") {
        said.push("A minimum is not a verdict.".to_owned());
    }
    said.join(" ")
}

/// Which part of a history is shown, which targets have no date, and under which conditions it was measured.
pub(super) fn extent(sheet: &Sheet) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(sheet.details.part.as_ref().map(|part| format!("Shown: {part}.")));
    said.extend(undated(sheet));
    said.extend(
        sheet.details.variant.as_ref().map(|variant| format!("Conditions of this series: {variant}.")),
    );
    said
}

/// What the ratios are relative to.
fn division(sheet: &Sheet) -> Option<String> {
    let labels: BTreeSet<&str> = sheet.rows.iter().map(|row| &*row.reference_version).collect();
    let label = labels
        .first()
        .copied()
        .filter(|label| labels.len() == 1 && !matches!(*label, "" | "minimum" | "maximum"));
    let referred = |metric: &&Metric| {
        let mut rows = (0..sheet.targets.len()).filter_map(|target| sheet.row(metric, target));
        rows.any(|row| row.reference_value.is_some())
    };
    let (with, without): (Vec<&Metric>, Vec<&Metric>) = sheet.metrics.iter().partition(referred);
    if let Some(label) = label.filter(|_| with.is_empty()) {
        return Some(format!("{}.", names::raised(&words::no_reference(label))));
    }
    let missing = label.filter(|_| !without.is_empty()).map_or_else(String::new, |label| {
        let names: Vec<&str> = without.iter().map(|metric| metric.name.running.as_str()).collect();
        format!(" {label} has no value of {}, so there are no ratios of it.", list::and(&names))
    });
    let subject = match &sheet.metrics[..] {
        [] => return None,
        [only] => {
            let name = sheet.full_name(only);
            format!("{} {} divided by", name.start, name.is())
        }
        _ => format!("Each {} is divided by", sheet.line_noun().0),
    };
    let subject = format!("{subject} its own {}", words::reference(sheet));
    Some(match &sheet.document.reference_scope {
        Some(scope) => format!("{subject}. {}", sentence(scope)),
        None if words::reference(sheet).starts_with("value at") => format!("{subject}.{missing}"),
        None => format!("{subject} over the {}.", names::count(sheet.targets.len(), sheet.noun())),
    })
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn fixed_statistic(sheet: &Sheet) -> String {
    if sheet.rows.iter().any(|row| *row.statistic == *"sum") {
        "This kind of figure shows the sum over all sites, whatever statistic other figures use.".to_owned()
    } else {
        "This kind of figure shows the median, whatever statistic other figures use.".to_owned()
    }
}

/// What zeros mean, metric by metric.
/// How values by convention look, where points have marks.
fn open_marks(sheet: &Sheet) -> &'static str {
    if sheet.targets.len() > thin::MARKED { "" } else { " (open marks)" }
}

/// What a drawing of very many targets leaves out.
pub(super) fn thinned(sheet: &Sheet) -> Option<String> {
    let neighbours = thin::neighbours(sheet.targets.len());
    (neighbours > 1).then(|| {
        format!(
            "{}: the drawing keeps the lowest and highest of every {} neighbours and every gap; \
             all values are in the table and the CSV.",
            list::counted(sheet.targets.len(), sheet.noun().0, sheet.noun().1),
            list::words(neighbours)
        )
    })
}

fn zeros(sheet: &Sheet) -> Vec<String> {
    if sheet.drawn == Drawn::Value {
        return Vec::new();
    }
    let noun = sheet.noun();
    let mut said = Vec::new();
    for metric in &sheet.metrics {
        let with = |status: Status| {
            let rows = (0..sheet.targets.len()).filter_map(|target| sheet.row(metric, target));
            rows.filter(|row| row.normalization_status == status).count()
        };
        let (both, none, measured) = (
            with(Status::BothZero),
            with(Status::ZeroReference),
            sheet.targets.len() - with(Status::MissingMeasurement),
        );
        let name = sheet.full_name(metric);
        if both > 0 && none == 0 && both == measured {
            let at = if both == sheet.targets.len() {
                format!("every {}", noun.0)
            } else {
                format!("every {} with a value", noun.0)
            };
            said.push(format!(
                "{} {} 0 at {at} and shown at 1 by convention{}.",
                name.start,
                name.is(),
                open_marks(sheet)
            ));
        } else if both > 0 {
            said.push(format!(
                "The reference of {} is 0: zeros are shown at 1 by convention{}, other values have no ratio.",
                name.running,
                open_marks(sheet)
            ));
        } else if none > 0 {
            said.push(format!("The reference of {} is 0: its values have no ratio.", name.running));
        }
    }
    said
}

/// `3 of 9 values unavailable: 2.2.0 failed; 2.5.0 and 2.6.0 not run. No line bridges a gap.`
pub(super) fn unavailable(sheet: &Sheet) -> String {
    let total = sheet.metrics.len() * sheet.targets.len();
    let mut missing = 0;
    let mut reasons: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for metric in &sheet.metrics {
        for target in 0..sheet.targets.len() {
            if sheet.value(metric, target).is_none() {
                missing += 1;
                let mut reason = shortened(&sheet.reason(metric, target).unwrap_or_default());
                let alone = || sheet.metrics.iter().any(|other| sheet.value(other, target).is_some());
                if sheet.overlaid.is_some() && alone() {
                    reason = format!("{reason} ({})", metric.name.running);
                }
                reasons.entry(reason).or_default().insert(target);
            }
        }
    }
    let mut text =
        format!("{} of {} unavailable", number::whole(missing), list::counted(total, "value", "values"));
    if missing > 0 && reasons.len() <= 3 {
        let mut reasons: Vec<(String, BTreeSet<usize>)> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, targets)| targets.first().copied());
        let parts: Vec<String> = reasons
            .into_iter()
            .map(|(reason, targets)| {
                let labels: Vec<&str> =
                    targets.iter().map(|&target| sheet.targets[target].label.as_str()).collect();
                let at = if labels.len() > LISTED {
                    names::count(labels.len(), sheet.noun())
                } else {
                    list::and(&labels)
                };
                format!("{at} {reason}")
            })
            .collect();
        text = format!("{text}: {}", parts.join("; "));
    }
    let gap = if missing > 0 { " No line bridges a gap." } else { "" };
    format!("{text}.{gap}")
}

/// A reason in one line of bounded length.
pub(super) fn shortened(reason: &str) -> String {
    let line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches('.');
    if line.chars().count() <= REASON {
        return line.to_owned();
    }
    let cut: String = line.chars().take(REASON).collect();
    format!("{}…", cut.trim_end())
}

/// What the resolution of the clock means for the steps.
pub(super) fn clocks(sheet: &Sheet) -> Vec<String> {
    let mut by_step: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for metric in &sheet.metrics {
        let values = || (0..sheet.targets.len()).filter_map(|target| sheet.value(metric, target));
        if let Some(step) = clock(metric).filter(|_| values().any(|value| !value.is_zero())) {
            let step = Unit::parse(&metric.unit).show(step);
            by_step.entry(step).or_default().push(&metric.name.running);
        }
    }
    by_step
        .into_iter()
        .map(|(step, names)| {
            format!(
                "Samples of {} are multiples of a clock step of {step}; changes of up to two steps are within the clock’s resolution.",
                list::and(&names)
            )
        })
        .collect()
}

pub(super) fn undated(sheet: &Sheet) -> Option<String> {
    let missing: Vec<&str> = sheet
        .targets
        .iter()
        .filter(|target| target.date.is_none())
        .map(|target| target.label.as_str())
        .collect();
    match missing.len() {
        0 => None,
        all if all == sheet.targets.len() => Some("No date is recorded.".to_owned()),
        1..=LISTED => Some(format!("No date is recorded for {}.", list::and(&missing))),
        many => Some(format!("No date is recorded for {}.", names::count(many, sheet.noun()))),
    }
}
