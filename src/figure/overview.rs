//! A page of features at one glance: a card with a small curve per feature, the ratio matrix, and what
//! changed at the newest target in one sentence.
//!
//! Made from documents alone, so that a site's saved figures give the same page as its evidence.

use super::chart::{Axis, Scale, Spark};
use super::kinds;
use super::matrix::{Matrix, matrix};
use super::sheet::{self, Drawn, Metric, Sheet};
use super::{boundaries, caption, names, scale, words};
use crate::error::Result;
use crate::evidence::Number;
use crate::evidence::plot::PlotDocument;
use crate::text::list;
use crate::text::number;
use crate::text::unit::Unit;

/// Changes below this part are not stressed, however fine the clock is.
const STRESSED: f64 = 0.05;
/// Most features named one by one in the sentence.
const NAMED: usize = 3;

/// An overview of features.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// `Wall time by feature`.
    pub heading: String,
    /// What changed between the two targets that most features are compared at.
    pub says: Vec<Piece>,
    /// One card per document, in their order.
    pub cards: Vec<Card>,
    /// How to read the small curves.
    pub how: String,
    /// Ratio per feature and target; without rows when no document has ratios.
    pub matrix: Matrix,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it is stressed.
    pub strong: bool,
}

/// One feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Position of the document that it is made from.
    pub document: usize,
    /// Name for people; features of one name are told apart by conditions or collector.
    pub title: String,
    /// Metric id.
    pub metric: String,
    /// Metric for people.
    pub metric_name: String,
    /// Last value with unit, such as `3.8 µs`.
    pub value: String,
    /// Label of the last measured target.
    pub at: String,
    /// Last value for sorting: times in nanoseconds, data in bytes, others as recorded; none without a value.
    pub order: Option<f64>,
    /// The curve; none when the document has no ratios.
    pub spark: Option<Spark>,
    /// Change in words: `47 % lower than 1.10.2`.
    pub change: String,
    /// Its size: `−3.4 µs, 34 clock steps`.
    pub detail: String,
    /// Size of the change by factor for sorting (0 when nothing changed).
    pub size: f64,
    /// Whether it is stressed: at least a twentieth, and beyond two clock steps where they are known.
    pub strong: bool,
}

/// One document with its main metric and what its two newest targets are.
struct Entry {
    sheet: Sheet<'static>,
    metric: usize,
    title: String,
    pair: Option<Change>,
}

/// A change between two targets.
struct Change {
    from: usize,
    to: usize,
    before: Number,
    after: Number,
    /// Whether the clock can tell the two apart; none when no clock step is known.
    within_clock: Option<bool>,
    /// |ln(after / before)|; infinite from or to zero.
    size: f64,
}

impl Entry {
    fn metric(&self) -> &Metric {
        &self.sheet.metrics[self.metric]
    }

    fn label(&self, target: usize) -> &str {
        &self.sheet.targets[target].label
    }
}

/// Makes the overview of `documents` (normalized figures or trajectories, one per card). `main` is the metric
/// that cards are about; documents without it show their own main metric.
///
/// # Errors
/// A document that is not a figure over targets.
pub fn overview(documents: &[&PlotDocument], main: Option<&str>) -> Result<Overview> {
    let briefs = documents.iter().map(|document| Brief::of(document, main)).collect::<Result<Vec<_>>>()?;
    Ok(of_briefs(briefs))
}

/// What an overview needs of one document, without its rows: thousands of them fit into memory.
#[derive(Debug)]
pub struct Brief(Sheet<'static>);

impl Brief {
    /// What an overview needs of `document`; `main` as for [`overview`].
    ///
    /// # Errors
    /// A document that is not a figure over targets.
    pub fn of(document: &PlotDocument, main: Option<&str>) -> Result<Self> {
        let sheet = kinds::sheet(document)?;
        let wanted = main.and_then(|id| sheet.metrics.iter().position(|metric| metric.id == id));
        let metric = wanted.or_else(|| sheet.main());
        Ok(Self(sheet.reduced(metric)))
    }
}

/// Makes the overview of documents of which only the briefs are kept.
pub fn of_briefs(briefs: Vec<Brief>) -> Overview {
    let sheets: Vec<Sheet<'static>> = briefs.into_iter().map(|brief| brief.0).collect();
    let titles = titles(&sheets);
    let mut positions = Vec::new();
    let mut entries = Vec::new();
    for (position, (sheet, title)) in sheets.into_iter().zip(titles).enumerate() {
        // A brief has its main metric alone.
        let Some(metric) = sheet.metrics.first() else { continue };
        let pair = pair(&sheet, metric);
        positions.push(position);
        entries.push(Entry { sheet, metric: 0, title, pair });
    }
    let axis = shared_axis(&entries);
    let cards = entries.iter().zip(positions).map(|(entry, position)| card(entry, position, &axis)).collect();
    Overview {
        heading: format!("{} by feature", metric_name(&entries).1),
        says: says(&entries),
        cards,
        how: how(&entries, &axis),
        matrix: matrix(entries.iter().map(|entry| (entry.title.as_str(), &entry.sheet, entry.metric))),
    }
}

/// Name of the one metric that all entries show, running and at the start; `main metric` when they differ.
fn metric_name(entries: &[Entry]) -> (String, String) {
    match entries {
        [first, rest @ ..] if rest.iter().all(|entry| entry.metric().id == first.metric().id) => {
            (first.metric().name.running.clone(), first.metric().name.start.clone())
        }
        _ => ("main metric".to_owned(), "Main metric".to_owned()),
    }
}

fn titles(sheets: &[Sheet]) -> Vec<String> {
    let option = |sheet: &Sheet, name: &str| {
        sheet.document.plot.options.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
    };
    let plain: Vec<String> = sheets
        .iter()
        .map(|sheet| sheet.details.feature_title.clone().unwrap_or_else(|| option(sheet, "feature")))
        .collect();
    let more = |sheet: &Sheet, title: &str, mark: Option<String>| match mark {
        Some(mark) if !mark.is_empty() => format!("{title} ({mark})"),
        _ => format!("{title} ({})", sheet.document.plot.id),
    };
    let told = |at: usize| {
        let (sheet, title) = (&sheets[at], &plain[at]);
        let same: Vec<usize> = (0..sheets.len()).filter(|&other| plain[other] == *title).collect();
        if same.len() < 2 {
            return title.clone();
        }
        // What differs among those of one name: package, then collector, then conditions.
        for name in ["package", "collector"] {
            let differ =
                same.iter().all(|&other| other == at || option(&sheets[other], name) != option(sheet, name));
            if differ {
                return more(sheet, title, Some(option(sheet, name)));
            }
        }
        more(sheet, title, sheet.details.variant.clone())
    };
    (0..sheets.len()).map(told).collect()
}

/// The newest target that is not a release against the newest release; else the newest release against the
/// one before it; else the two newest targets. Only targets with a value count.
fn pair(sheet: &Sheet, metric: &Metric) -> Option<Change> {
    let measured: Vec<usize> =
        (0..sheet.targets.len()).filter(|&target| sheet.value(metric, target).is_some()).collect();
    let release = |target: usize| sheet.targets[target].kind == "release";
    let last = *measured.last()?;
    let mut releases = measured.iter().rev().copied().filter(|&target| release(target));
    let (from, to) = match (releases.next(), releases.next()) {
        (Some(newest), _) if !release(last) => (newest, last),
        (Some(newest), Some(before)) => (before, newest),
        _ => (*measured.get(measured.len().checked_sub(2)?)?, last),
    };
    let (before, after) = (sheet.value(metric, from)?, sheet.value(metric, to)?);
    let size = if before == after {
        0.0
    } else if before.as_f64() > 0.0 && after.as_f64() > 0.0 {
        (after.as_f64().ln() - before.as_f64().ln()).abs()
    } else {
        f64::INFINITY
    };
    let within_clock = caption::clock(metric).map(|_| caption::within(metric, before, after));
    Some(Change { from, to, before, after, within_clock, size })
}

/// One logarithmic axis for all curves.
fn shared_axis(entries: &[Entry]) -> Axis {
    let mut values: Vec<f64> = entries
        .iter()
        .filter(|entry| entry.sheet.drawn == Drawn::Ratio)
        .flat_map(|entry| {
            (0..entry.sheet.targets.len()).filter_map(|target| entry.sheet.drawn(entry.metric(), target))
        })
        .filter(|&ratio| ratio >= 0.0)
        .collect();
    values.push(1.0);
    let title = match entries.first() {
        Some(entry) => format!("ratio to own {}, logarithmic", words::reference(&entry.sheet)),
        None => "ratio, logarithmic".to_owned(),
    };
    scale::axis(title, &values, Scale::Log, false)
}

fn card(entry: &Entry, document: usize, axis: &Axis) -> Card {
    let (sheet, metric) = (&entry.sheet, entry.metric());
    let at = (0..sheet.targets.len()).rev().find(|&target| sheet.value(metric, target).is_some());
    let last = at.and_then(|target| sheet.value(metric, target));
    let (change, detail) = match &entry.pair {
        Some(pair) => (compared(entry, pair), difference(metric, pair)),
        None if last.is_some() => ("only one value".to_owned(), String::new()),
        None => ("no value".to_owned(), String::new()),
    };
    Card {
        document,
        title: entry.title.clone(),
        metric: metric.id.clone(),
        metric_name: metric.name.running.clone(),
        at: at.map_or_else(String::new, |target| entry.label(target).to_owned()),
        value: last.map_or_else(|| "—".to_owned(), |value| sheet::show(metric, value)),
        order: last.map(|value| base(&metric.unit, value.as_f64())),
        spark: (sheet.drawn == Drawn::Ratio).then(|| spark(entry, axis)),
        change,
        detail,
        size: entry.pair.as_ref().map_or(0.0, |pair| pair.size.min(f64::MAX)),
        strong: entry.pair.as_ref().is_some_and(notable_enough),
    }
}

/// A value in the smallest unit of its sort, so that features recorded in `ns` and in `s` can be sorted.
fn base(unit: &str, value: f64) -> f64 {
    const SIZES: [(&str, f64); 9] = [
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
        ("min", 6e10),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
        ("ns", 1.0),
    ];
    let scale = Unit::parse(unit).scale([value]);
    let size = SIZES.iter().find(|size| size.0 == scale.symbol() && !scale.symbol().is_empty());
    size.map_or(value, |size| scale.convert(value) * size.1).clamp(f64::MIN, f64::MAX)
}

fn notable_enough(pair: &Change) -> bool {
    pair.within_clock != Some(true) && pair.size >= STRESSED.ln_1p()
}

fn spark(entry: &Entry, axis: &Axis) -> Spark {
    let (sheet, metric) = (&entry.sheet, entry.metric());
    let values: Vec<Option<f64>> = (0..sheet.targets.len())
        .map(|target| sheet.drawn(metric, target).filter(|&ratio| ratio >= 0.0))
        .collect();
    let known = || values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
    let lowest = known().min_by(|a, b| a.1.total_cmp(&b.1));
    let highest = known().max_by(|a, b| a.1.total_cmp(&b.1));
    let last = known().next_back();
    let count = names::count(sheet.targets.len(), sheet.noun());
    let said = match (highest, last) {
        (Some((_, highest)), Some((at, last))) => {
            format!("{} at most, {} at {}", number::factor(highest), number::factor(last), entry.label(at))
        }
        _ => "no ratios".to_owned(),
    };
    let end = |at: Option<usize>| at.map_or_else(String::new, |at| entry.label(at).to_owned());
    Spark {
        title: format!(
            "{}: {}, ratio to own {} over {count}, {said}",
            entry.title,
            metric.name.running,
            words::reference(sheet)
        ),
        axis: axis.clone(),
        lowest: lowest.map(|lowest| lowest.0),
        boundary: entry.pair.as_ref().map(|pair| pair.to).filter(|&to| to > 0),
        ends: (end((!values.is_empty()).then_some(0)), end(values.len().checked_sub(1))),
        last: last.map_or_else(|| "no ratio".to_owned(), |(_, ratio)| number::factor(ratio)),
        slot: metric.slot,
        values,
    }
}

/// `47 % lower than 1.10.2`.
fn compared(entry: &Entry, pair: &Change) -> String {
    let before = entry.label(pair.from);
    if pair.before == pair.after {
        return format!("same as {before}");
    }
    match size_in_words(pair) {
        Size::Percent(text) => {
            let direction = if pair.after > pair.before { "higher" } else { "lower" };
            format!("{text} {direction} than {before}")
        }
        Size::Factor(text) => format!("{text} {before}"),
        Size::None => format!("{} at {before}", sheet::show(entry.metric(), pair.before)),
    }
}

/// `−3.4 µs, 34 clock steps`.
fn difference(metric: &Metric, pair: &Change) -> String {
    if pair.before == pair.after {
        return "no difference".to_owned();
    }
    let difference = pair.after.as_f64() - pair.before.as_f64();
    if !difference.is_finite() {
        return String::new();
    }
    // In the unit of the card's value, unless that leaves only zeros to read.
    let unit = &metric.scale;
    let text = if unit.convert(difference).abs() >= 0.1 {
        unit.show(difference)
    } else {
        Unit::parse(&metric.unit).show(difference)
    };
    let text = if difference > 0.0 { format!("+{text}") } else { text };
    match caption::clock(metric) {
        Some(step) => {
            let steps = (difference.abs() / step).round().min(1e15) as usize;
            format!("{text}, {}", list::counted(steps, "clock step", "clock steps"))
        }
        None => text,
    }
}

enum Size {
    /// Without sign.
    Percent(String),
    /// Where per cent would mislead.
    Factor(String),
    /// From or to zero, or across it.
    None,
}

fn size_in_words(pair: &Change) -> Size {
    let (before, after) = (pair.before.as_f64(), pair.after.as_f64());
    if before <= 0.0 || after < 0.0 {
        return Size::None;
    }
    let text = words::change(pair.before, pair.after);
    if text.ends_with('×') {
        Size::Factor(text)
    } else {
        Size::Percent(number::percent_size(after / before - 1.0))
    }
}

/// `fell by 47 %`, `rose to 12 ×`, `rose from 0 ns to 40 ns`.
fn moved(entry: &Entry, pair: &Change) -> String {
    let verb = if pair.after > pair.before { "rose" } else { "fell" };
    match size_in_words(pair) {
        Size::Percent(text) => format!("{verb} by {text}"),
        Size::Factor(text) => format!("{verb} to {text}"),
        Size::None => {
            let show = |value| sheet::show(entry.metric(), value);
            format!("{verb} from {} to {}", show(pair.before), show(pair.after))
        }
    }
}

/// What changed at the two targets that most features are compared at.
fn says(entries: &[Entry]) -> Vec<Piece> {
    let plain = |text: String| Piece { text, strong: false };
    let label =
        |entry: &Entry, pair: &Change| (entry.label(pair.from).to_owned(), entry.label(pair.to).to_owned());
    let mut pairs: Vec<((String, String), usize)> = Vec::new();
    for (entry, pair) in entries.iter().filter_map(|entry| Some((entry, entry.pair.as_ref()?))) {
        let labels = label(entry, pair);
        match pairs.iter_mut().find(|known| known.0 == labels) {
            Some(known) => known.1 += 1,
            None => pairs.push((labels, 1)),
        }
    }
    // The first of equals, so that the order of the documents decides.
    let Some((labels, _)) = pairs.iter().rev().max_by_key(|known| known.1).cloned() else {
        return vec![plain(if entries.is_empty() {
            "No feature has a figure over targets.".to_owned()
        } else {
            "No feature has values at two targets to compare.".to_owned()
        })];
    };
    let mut loud: Vec<(&Entry, &Change)> = Vec::new();
    let mut quiet: Vec<(&Entry, &Change)> = Vec::new();
    let mut elsewhere = 0;
    for entry in entries {
        match &entry.pair {
            Some(pair) if label(entry, pair) == labels => {
                let is_quiet = pair.before == pair.after || pair.within_clock == Some(true);
                if is_quiet { quiet.push((entry, pair)) } else { loud.push((entry, pair)) }
            }
            _ => elsewhere += 1,
        }
    }
    loud.sort_by(|a, b| b.1.size.total_cmp(&a.1.size));
    let mut pieces = vec![plain(format!("{} → {}: ", labels.0, labels.1))];
    let separate = |pieces: &mut Vec<Piece>| {
        if pieces.len() > 1 {
            pieces.push(plain(", ".to_owned()));
        }
    };
    for (at, (entry, pair)) in loud.iter().take(NAMED).enumerate() {
        separate(&mut pieces);
        let strong = at == 0 && notable_enough(pair);
        pieces.push(Piece { text: format!("{} {}", entry.title, moved(entry, pair)), strong });
    }
    if let Some((_, pair)) = loud.get(NAMED) {
        separate(&mut pieces);
        let less = match size_in_words(pair) {
            Size::Percent(text) => format!("by at most {text}"),
            Size::Factor(_) | Size::None => "less".to_owned(),
        };
        pieces.push(plain(format!("{} more changed {less}", list::words(loud.len() - NAMED))));
    }
    if !quiet.is_empty() {
        separate(&mut pieces);
        pieces.push(plain(stayed(&quiet, loud.is_empty())));
    }
    if elsewhere > 0 {
        separate(&mut pieces);
        let has = if elsewhere == 1 { "has" } else { "have" };
        pieces.push(plain(format!("{} {has} no values at these two targets", list::words(elsewhere))));
    }
    pieces.push(plain(".".to_owned()));
    pieces
}

/// `the other five stayed within two clock steps of 100 ns`.
fn stayed(quiet: &[(&Entry, &Change)], all: bool) -> String {
    let subject = match (quiet, all) {
        ([(only, _)], _) => only.title.clone(),
        (many, true) => format!("all {}", list::words(many.len())),
        (many, false) => format!("the other {}", list::words(many.len())),
    };
    if quiet.iter().all(|(_, pair)| pair.before == pair.after) {
        return format!("{subject} did not change");
    }
    let mut steps: Vec<String> = quiet
        .iter()
        .filter_map(|(entry, _)| {
            Some(Unit::parse(&entry.metric().unit).show(caption::clock(entry.metric())?))
        })
        .collect();
    steps.dedup();
    match &steps[..] {
        [step] => format!("{subject} stayed within two clock steps of {step}"),
        _ => format!("{subject} stayed within two clock steps"),
    }
}

fn how(entries: &[Entry], axis: &Axis) -> String {
    let ratios = || entries.iter().filter(|entry| entry.sheet.drawn == Drawn::Ratio);
    let Some(first) = ratios().next() else { return String::new() };
    let all = ratios().flat_map(|entry| {
        (0..entry.sheet.targets.len()).filter_map(|target| entry.sheet.drawn(entry.metric(), target))
    });
    let (low, high) = all
        .filter(|&ratio| ratio > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));
    let span = if high > 0.0 && low <= high {
        format!(", {} to {}", number::significant(low, 3), number::significant(high, 3))
    } else {
        String::new()
    };
    let mut text = format!("All curves share one axis: {}{span}. Open mark: the lowest.", axis.title);
    let to: Vec<&str> = ratios().filter_map(|entry| Some(entry.label(entry.pair.as_ref()?.to))).collect();
    if let Some(label) = to.first().filter(|label| to.iter().all(|other| other == *label)) {
        let at = first.sheet.targets.iter().position(|target| target.label == **label);
        let changes: Vec<String> = boundaries::changes(&first.sheet.details.dependencies, at.unwrap_or(0))
            .filter(|(_, before, after)| boundaries::major_change(before, after))
            .take(2)
            .map(|(name, before, after)| format!("{name} went from {before} to {after}"))
            .collect();
        let changes =
            if changes.is_empty() { String::new() } else { format!(", where {}", list::and(&changes)) };
        text = format!("{text} Upright rule: the step to {label}{changes}.");
    }
    if entries.iter().any(|entry| caption::clock(entry.metric()).is_some()) {
        text.push_str(" Differences of one or two clock steps are within the resolution of the clock.");
    }
    text
}
