//! Headings, readings and axis titles, computed from a sheet.

use super::chart::{Caption, Scale};
use super::names;
use super::sheet::{self, Drawn, Metric, Sheet};
use crate::evidence::Number;
use crate::evidence::plot::{Details, PlotDocument, Status};
use crate::text::list;
use crate::text::number;
use crate::text::unit::{Dimension, Unit};

pub(super) use super::caption::{caption, largest_step, statistic_sentence};

/// `Four metrics at 14 releases`, `Wall time at one release`.
pub(super) fn heading(sheet: &Sheet) -> String {
    let extent = names::raised(&extent(sheet, true));
    match sheet.drawn {
        Drawn::Ratio => extent,
        Drawn::Value => {
            let statistics = statistics(sheet);
            format!("{extent}, {}", statistics.join(" or "))
        }
    }
}

/// How much a figure holds: `4 metrics at 14 releases`, or with small counts in words.
pub(super) fn extent(sheet: &Sheet, in_words: bool) -> String {
    let noun = sheet.noun();
    let count = |count: usize, one: &str, many: &str| {
        if in_words { names::count(count, (one, many)) } else { list::counted(count, one, many) }
    };
    let metrics = match (&sheet.overlaid, &sheet.metrics[..]) {
        (Some(overlaid), all) => {
            let name = if in_words { &overlaid.name.start } else { &overlaid.name.running };
            format!("{name} of {}", count(all.len(), "feature", "features"))
        }
        (None, [only]) if in_words => only.name.start.clone(),
        (None, [only]) => only.name.running.clone(),
        (None, all) => count(all.len(), "metric", "metrics"),
    };
    format!("{metrics} at {}", count(sheet.targets.len(), noun.0, noun.1))
}

/// The statistics of all values, as nouns, in the order of the document.
pub(super) fn statistics(sheet: &Sheet) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for row in sheet.rows.iter().filter(|row| row.value.is_some()) {
        let noun = names::statistic(&row.statistic);
        if !found.iter().any(|known| known == noun) {
            found.push(noun.to_owned());
        }
    }
    if found.is_empty() {
        let option = |name: &str| sheet.document.plot.options.get(name).and_then(|value| value.as_str());
        let word = option("statistic").unwrap_or(match sheet.drawn {
            Drawn::Ratio => "",
            Drawn::Value => "median",
        });
        found.push(names::statistic(word).to_owned());
    }
    found
}

/// Accessible name.
pub(super) fn title(sheet: &Sheet) -> String {
    match subject(sheet) {
        subject if subject.is_empty() => heading(sheet),
        subject => format!("{subject}: {}", extent(sheet, false)),
    }
}

/// Package and feature; empty when neither is recorded.
pub(super) fn subject(sheet: &Sheet) -> String {
    let option = |name: &str| sheet.document.plot.options.get(name).and_then(|value| value.as_str());
    let feature = sheet.details.feature_title.as_deref().or_else(|| option("feature")).unwrap_or_default();
    let package = option("package").unwrap_or_default();
    let subject: Vec<&str> = [package, feature].into_iter().filter(|text| !text.is_empty()).collect();
    subject.join(" ")
}

/// Accessible description: what it says, how to read it, and the units.
pub(super) fn description(sheet: &Sheet, caption: &Caption) -> String {
    // Features in the same unit are named once, by what they show.
    let lines = match (&sheet.overlaid, &sheet.metrics[..]) {
        (Some(_), [first, rest @ ..])
            if rest.iter().all(|line| line.scale.symbol() == first.scale.symbol()) =>
        {
            &sheet.metrics[..1]
        }
        (_, all) => all,
    };
    let named = |line: &Metric| match &sheet.overlaid {
        Some(overlaid) if lines.len() == 1 => overlaid.name.running.clone(),
        _ => line.name.running.clone(),
    };
    let units: Vec<String> = lines
        .iter()
        .map(|metric| match Unit::parse(&metric.unit).dimension() {
            _ if metric.unit.is_empty() => format!("{} unspecified", named(metric)),
            Dimension::Number => format!("{} as a plain number", named(metric)),
            _ => format!("{} in {}", named(metric), metric.scale.symbol()),
        })
        .collect();
    let units = if units.is_empty() { String::new() } else { format!(" Units: {}.", list::and(&units)) };
    format!("{} {}{units}", caption.says, caption.fine).trim().to_owned()
}

/// What the metrics are divided by, after "own": `minimum`, `value at 1.10.0`.
pub(super) fn reference(sheet: &Sheet) -> String {
    let mut words: Vec<String> = Vec::new();
    for row in &sheet.rows {
        let word = match &*row.reference_version {
            "minimum" => "minimum".to_owned(),
            "maximum" => "maximum".to_owned(),
            "" => "reference".to_owned(),
            label => format!("value at {label}"),
        };
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() > 2 {
            return "reference".to_owned();
        }
    }
    if words.is_empty() { "reference".to_owned() } else { words.join(" or ") }
}

/// What a reference without a value means; `word` is a label, or `first` or `latest` where nothing is measured.
pub(super) fn no_reference(word: &str) -> String {
    match word {
        "first" | "latest" => "no target has a value, so there are no ratios".to_owned(),
        label => format!("{label} has no value, so there are no ratios"),
    }
}

/// Axis title: quantity, unit, scale.
pub(super) fn axis_title(sheet: &Sheet, scale: Scale) -> String {
    let scale = match scale {
        Scale::Linear => "linear",
        Scale::Log => "logarithmic",
    };
    match (sheet.drawn, &sheet.metrics[..]) {
        (Drawn::Value, [metric, ..]) => {
            let symbol = metric.scale.symbol();
            let unit = match symbol {
                _ if metric.unit.is_empty() => ", unit unspecified".to_owned(),
                "" => String::new(),
                symbol => format!(", {symbol}"),
            };
            format!("{}{unit}, {scale}", metric.name.running)
        }
        _ => format!("ratio to own {}, {scale}", reference(sheet)),
    }
}

/// What the reference line means.
pub(super) fn reference_label(sheet: &Sheet) -> String {
    match &sheet.metrics[..] {
        [only] => format!("1 = own {} of {}", reference(sheet), sheet.full_name(only).running),
        _ => format!("1 = each {}’s own {}", sheet.line_noun().0, reference(sheet)),
    }
}

/// `1.4.0 (2024-01-13)`.
pub(super) fn dated(sheet: &Sheet, target: usize) -> String {
    let mut text = String::new();
    push_dated(&mut text, sheet, target);
    text
}

fn push_dated(text: &mut String, sheet: &Sheet, target: usize) {
    let column = &sheet.targets[target];
    text.push_str(&column.label);
    if let Some(date) = &column.date {
        text.extend([" (", date, ")"]);
    }
}

/// Says everything about each point of a line in one sentence.
pub(super) struct Readings<'s> {
    sheet: &'s Sheet<'s>,
    metric: &'s Metric,
    /// The last reference in words: mostly all points of a line have the same.
    reference: Option<(Number, String)>,
}

impl<'s> Readings<'s> {
    pub(super) fn new(sheet: &'s Sheet<'s>, metric: &'s Metric) -> Self {
        Self { sheet, metric, reference: None }
    }

    /// The sentence of a target.
    pub(super) fn at(&mut self, target: usize) -> String {
        let (sheet, metric) = (self.sheet, self.metric);
        let mut text = String::with_capacity(96);
        text.push_str(&metric.name.running);
        if let Some(overlaid) = &sheet.overlaid {
            text.extend([", ", &overlaid.name.running]);
        }
        text.push_str(" at ");
        push_dated(&mut text, sheet, target);
        text.push_str(": ");
        let Some((row, value)) = sheet.row(metric, target).and_then(|row| Some((row, row.value?))) else {
            text.extend(["no value, ", &sheet.reason(metric, target).unwrap_or_default()]);
            return text;
        };
        let made = names::made_of(&row.statistic, row.samples);
        text.extend([&sheet::show(metric, value), ", ", &made]);
        if sheet.drawn == Drawn::Value {
            return text;
        }
        let of = match &*row.reference_version {
            "" | "minimum" | "maximum" => ["", ""],
            label => [" of ", label],
        };
        match (row.normalization_status, row.ratio, row.reference_value) {
            (Status::BothZero, Some(ratio), _) => {
                let shown = number::short(ratio.as_f64());
                text.push_str(", the reference");
                text.extend(of);
                text.extend([" is 0 too, shown at ", &shown, " by convention"]);
            }
            (Status::Ratio, Some(ratio), Some(reference)) => {
                let factor = number::factor(ratio.as_f64());
                text.extend([", ", &factor, " the reference ", self.reference(reference)]);
                text.extend(of);
            }
            (Status::Ratio, Some(ratio), None) => text.extend([", ", &number::factor(ratio.as_f64())]),
            _ => {
                let reason = sheet.reason(metric, target);
                text.extend([", ", reason.as_deref().unwrap_or("no ratio")]);
            }
        }
        text
    }

    fn reference(&mut self, value: Number) -> &str {
        if self.reference.as_ref().is_none_or(|last| last.0 != value) {
            self.reference = None;
        }
        &self.reference.get_or_insert_with(|| (value, sheet::show(self.metric, value))).1
    }
}

/// What the reading line says before a point is chosen: the newest target.
pub(super) fn rest(sheet: &Sheet) -> String {
    let Some(target) = sheet.targets.len().checked_sub(1) else {
        return "No target is recorded.".to_owned();
    };
    let values: Vec<String> = sheet
        .metrics
        .iter()
        .take(super::lines::SHOWN)
        .map(|metric| match sheet.value(metric, target) {
            Some(value) => format!("{} {}", metric.name.running, sheet::show(metric, value)),
            None => format!(
                "{}: no value, {}",
                metric.name.running,
                sheet.reason(metric, target).unwrap_or_default()
            ),
        })
        .collect();
    let of = sheet.overlaid.as_ref().map_or_else(String::new, |one| format!(", {}", one.name.running));
    format!("{}{of}: {}", dated(sheet, target), values.join(", "))
}

/// Where the numbers come from, as label and text.
pub(super) fn provenance(sheet: &Sheet) -> Vec<(String, String)> {
    let details = &sheet.details;
    let described = |id: &str, unit: &str| {
        let preference = details.preferences.get(id).map(|preference| preference.word());
        let preference = preference.map_or_else(String::new, |word| format!(", {word} preferred"));
        format!("{id} ({}{preference})", if unit.is_empty() { "unit unspecified" } else { unit })
    };
    let (features, metrics) = if let Some(overlaid) = &sheet.overlaid {
        let unit = sheet.metrics.first().map_or("", |line| &line.unit);
        let features: Vec<&str> = sheet.metrics.iter().map(|line| line.id.as_str()).collect();
        (features.join(", "), described(&overlaid.id, unit))
    } else {
        let all = sheet.metrics.iter().map(|metric| described(&metric.id, &metric.unit));
        (String::new(), all.collect::<Vec<_>>().join("; "))
    };
    let what = if sheet.overlaid.is_some() { "Metric" } else { "Metrics" };
    facts(&sheet.document, details, [("Features", features), (what, metrics)])
}

/// What a wrapper says of its numbers, as label and text; `shown` is what the figure shows.
pub(super) fn facts(
    document: &PlotDocument,
    details: &Details,
    shown: [(&str, String); 2],
) -> Vec<(String, String)> {
    let option = |name: &str| {
        document.plot.options.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
    };
    let runtime = |name: &str| match document.runtime.get(name) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(serde_json::Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let threads = match runtime("threads").as_str() {
        "" => String::new(),
        "1" => ", 1 thread".to_owned(),
        many => format!(", {many} threads"),
    };
    let mut runs: Vec<&str> = document.run_id.iter().map(String::as_str).collect();
    let all = details.runs.values().chain(details.metric_runs.values().flat_map(|runs| runs.values()));
    for run in all {
        if !runs.contains(&run.as_str()) && runs.len() < 20 {
            runs.push(run);
        }
    }
    let language = names::raised(&runtime("language"));
    let [first, second] = shown;
    [
        ("Source", details.source_title.clone().unwrap_or_default()),
        ("Package", option("package")),
        ("Feature", option("feature")),
        first,
        ("Workload", option("workload")),
        ("Collector", option("collector")),
        second,
        (
            "Runtime",
            format!("{language} {}{threads}", runtime("version")).trim().trim_matches(',').to_owned(),
        ),
        ("OS", document.os.clone().unwrap_or_default()),
        ("Conditions", details.variant.clone().unwrap_or_default()),
        (if runs.len() == 1 { "Run" } else { "Runs" }, runs.join(", ")),
        ("Run started", document.started_at.clone().unwrap_or_default()),
        ("Integrity", details.integrity.clone().unwrap_or_default()),
        ("Correctness", document.correctness.clone().unwrap_or_default().replace('_', " ")),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(label, text)| (label.to_owned(), text))
    .collect()
}

/// A change from one value to another: `−47 %`, or a factor where per cent would mislead.
pub(super) fn change(before: Number, after: Number) -> String {
    let (before, after) = (before.as_f64(), after.as_f64());
    let factor = after / before;
    if before > 0.0 && after > 0.0 && !(0.01..=10.0).contains(&factor) {
        return if factor.is_finite() && factor > 0.0 {
            number::factor(factor)
        } else if after > before {
            "beyond 10³⁰⁸ ×".to_owned()
        } else {
            "below 10⁻³⁰⁸ ×".to_owned()
        };
    }
    number::percent(factor - 1.0)
}
