//! What a distribution says, and how to read it.

use super::Five;
use crate::evidence::Number;
use crate::figure::chart::{Caption, Scale, Spread};
use crate::figure::sheet::{self, Metric, Sheet};
use crate::figure::{caption, names, thin, words};
use crate::text::{list, number};

pub(super) fn heading(sheet: &Sheet) -> String {
    format!("{}, every sample", names::raised(&words::extent(sheet, true)))
}

/// `3.9–4.1 µs`, or one value where both ends are the same.
fn range(metric: &Metric, low: Number, high: Number) -> String {
    if low == high {
        return sheet::show(metric, low);
    }
    // The unit stands once.
    let (low, high) = (sheet::show(metric, low), sheet::show(metric, high));
    let symbol = metric.scale.symbol();
    let bare = low.strip_suffix(symbol).map_or(low.as_str(), |low| low.trim_end_matches(number::NARROW));
    // A minus sign beside an en dash is hard to tell from it.
    if bare.starts_with('−') || high.starts_with('−') {
        format!("{bare} to {high}")
    } else {
        format!("{bare}–{high}")
    }
}

/// Everything about one target's samples in one sentence.
pub(super) fn reading(sheet: &Sheet, boxes: &[Option<Five>], target: usize) -> String {
    let metric = &sheet.metrics[0];
    let start = format!("{} at {}", metric.name.running, words::dated(sheet, target));
    let Some(found) = boxes.get(target).and_then(Option::as_ref) else {
        return format!("{start}: no sample, {}", sheet.reason(metric, target).unwrap_or_default());
    };
    format!("{start}: {}", summed_up(metric, found))
}

fn summed_up(metric: &Metric, found: &Five) -> String {
    let [least, low, median, high, most] = found.five;
    let count = found.samples.len();
    if count == 1 {
        return format!("{}, 1 sample, no spread", sheet::show(metric, median));
    }
    let samples = list::counted(count, "sample", "samples");
    if least == most {
        return format!("{}, all {samples} equal", sheet::show(metric, median));
    }
    format!(
        "median {}, middle half {}, all {samples} {}",
        sheet::show(metric, median),
        range(metric, low, high),
        range(metric, least, most)
    )
}

/// What the reading line says before a point is chosen: the newest target.
pub(super) fn rest(sheet: &Sheet, boxes: &[Option<Five>]) -> String {
    match sheet.targets.len().checked_sub(1) {
        Some(newest) => names::raised(&reading(sheet, boxes, newest)),
        None => "No target is recorded.".to_owned(),
    }
}

pub(super) fn caption(
    sheet: &Sheet,
    boxes: &[Option<Five>],
    spreads: &[Option<Spread>],
    scale: Scale,
) -> Caption {
    Caption { says: says(sheet, boxes), fine: fine(sheet, boxes, spreads, scale) }
}

fn says(sheet: &Sheet, boxes: &[Option<Five>]) -> String {
    let metric = &sheet.metrics[0];
    let name = &metric.name;
    let found: Vec<(usize, &Five)> =
        boxes.iter().enumerate().filter_map(|(at, one)| Some((at, one.as_ref()?))).collect();
    let label = |at: usize| sheet.targets[at].label.as_str();
    let Some((&(first, only), rest)) = found.split_first() else {
        return format!("No sample of {} is recorded.", name.running);
    };
    if rest.is_empty() {
        let said = summed_up(metric, only);
        return if sheet.targets.len() == 1 {
            format!("{} at {}: {said}.", name.start, label(first))
        } else {
            format!("Only {} has samples of {}: {said}.", label(first), name.running)
        };
    }
    let mut said = vec![medians(sheet, &found)];
    said.extend(widest(sheet, &found));
    said.extend(first_samples(sheet, &found));
    said.join(" ")
}

/// Where the median is lowest and highest.
fn medians(sheet: &Sheet, found: &[(usize, &Five)]) -> String {
    let metric = &sheet.metrics[0];
    let name = &metric.name;
    let median = |one: &(usize, &Five)| one.1.five[2];
    // The first of equals in both cases.
    let (mut lowest, mut highest) = (&found[0], &found[0]);
    for one in found {
        lowest = if median(one) < median(lowest) { one } else { lowest };
        highest = if median(one) > median(highest) { one } else { highest };
    }
    let shown = |one: &(usize, &Five)| {
        format!("{} ({})", sheet.targets[one.0].label, sheet::show(metric, median(one)))
    };
    if median(lowest) == median(highest) {
        let constant = found.iter().all(|(_, one)| one.five[0] == one.five[4]);
        let value = sheet::show(metric, median(lowest));
        return if constant {
            format!("{} {} {value} in every sample.", name.start, name.is())
        } else {
            format!("The median of {} does not change: {value}.", name.running)
        };
    }
    format!(
        "The median of {} is lowest at {} and highest at {}.",
        name.running,
        shown(lowest),
        shown(highest)
    )
}

/// Where the middle half of the samples is widest, in parts of its median.
fn widest(sheet: &Sheet, found: &[(usize, &Five)]) -> Option<String> {
    let metric = &sheet.metrics[0];
    let width = |one: &Five| {
        let [_, low, median, high, _] = one.five.map(Number::as_f64);
        (one.samples.len() > 3 && median > 0.0).then(|| (high - low) / median).filter(|width| *width > 0.0)
    };
    let all: Vec<(f64, usize, &Five)> =
        found.iter().filter_map(|&(at, one)| Some((width(one)?, at, one))).collect();
    let (part, at, one) =
        all.iter().copied().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(format!(
        "The middle half of the samples is widest at {}: {}, {} of the median.",
        sheet.targets[at].label,
        range(metric, one.five[1], one.five[3]),
        number::percent_size(part)
    ))
}

/// Whether the first sample stands out: where it is the largest at three quarters of the targets.
fn first_samples(sheet: &Sheet, found: &[(usize, &Five)]) -> Option<String> {
    let several: Vec<&Five> = found.iter().map(|one| one.1).filter(|one| one.samples.len() > 2).collect();
    let above = |one: &Five| {
        let first = one.samples[0];
        let alone = one.samples[1..].iter().all(|other| *other < first) && one.five[2].as_f64() > 0.0;
        alone.then(|| first.as_f64() / one.five[2].as_f64())
    };
    let factors: Vec<f64> = several.iter().filter_map(|one| above(one)).collect();
    if several.len() < 2 || factors.len() * 4 < several.len() * 3 {
        return None;
    }
    let (least, most) = factors
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |ends, &factor| (ends.0.min(factor), ends.1.max(factor)));
    let at = if factors.len() == several.len() && several.len() == sheet.targets.len() {
        format!("every {}", sheet.noun().0)
    } else {
        format!("{} of {}", list::words(factors.len()), names::count(several.len(), sheet.noun()))
    };
    let (least, most) = (number::short(rounded(least)), number::factor(rounded(most)));
    let factors = if most.starts_with(&format!("{least}{}", number::NARROW)) {
        most
    } else {
        format!("{least} to {most}")
    };
    Some(format!("The first sample is the largest at {at}, {factors} its median."))
}

/// Two significant digits are enough to say how far a sample stands out.
fn rounded(factor: f64) -> f64 {
    let places = number::decimals(factor, 2).min(15);
    format!("{factor:.places$}").parse().unwrap_or(factor)
}

fn fine(sheet: &Sheet, boxes: &[Option<Five>], spreads: &[Option<Spread>], scale: Scale) -> String {
    let noun = sheet.noun();
    let counts = || boxes.iter().flatten().map(|one| one.samples.len());
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let number = |count: usize| number::whole(count as i128);
    let mut said = Vec::new();
    let samples = match (least, most) {
        (_, 0) => None,
        (1, 1) => Some(format!("1 sample per {}", noun.0)),
        (least, most) if least == most => Some(format!("{} samples per {}", number(most), noun.0)),
        _ => Some(format!("{}–{} samples per {}", number(least), number(most), noun.0)),
    };
    let dots: usize = spreads.iter().flatten().map(|spread| spread.dots.len()).sum();
    let all: usize = counts().sum();
    if let Some(samples) = samples {
        said.push(if dots == all {
            format!("{samples}, each of them a dot; dots are spread sideways by a fixed rule.")
        } else if dots == 0 {
            format!(
                "{samples}; beyond {} {} there is no room for dots and boxes. Instead every {} neighbours have a pale bar from their smallest to their largest sample{}.",
                number(thin::WHOLE),
                noun.1,
                list::words(thin::neighbours(sheet.targets.len())),
                if most > 1 { ", in it a dark one over their quartiles (type 7), and dots at their lowest and highest median" } else { " and dots at these" }
            )
        } else {
            format!(
                "{samples}; {} of all {} samples have a dot, among them the first, the smallest and the largest of each {}. Boxes and values are made from all.",
                number(dots),
                number(all),
                noun.0
            )
        });
    }
    if most > 1 && dots > 0 {
        said.push(
            "Box: quartiles (type 7) and median; whiskers reach to the last sample within 1.5 times its height."
                .to_owned(),
        );
        said.push("Open dot: the first recorded sample.".to_owned());
    }
    if least == 1 && most > 1 {
        said.push("Where there is 1 sample there is no spread and no box.".to_owned());
    } else if most == 1 {
        said.push("No spread is drawn.".to_owned());
    }
    said.extend(caption::thinned(sheet));
    let missing = caption::unavailable(sheet);
    said.push(missing.trim_end_matches(" No line bridges a gap.").to_owned());
    said.extend(caption::clocks(sheet));
    if scale == Scale::Log {
        said.push("The scale is logarithmic: equal distances are equal factors.".to_owned());
        let zero = spreads.iter().flatten().flat_map(|spread| &spread.samples).any(|&value| value <= 0.0);
        said.extend(zero.then(|| "Zeros lie at the bottom edge.".to_owned()));
    }
    said.extend(caption::extent(sheet));
    said.join(" ")
}
