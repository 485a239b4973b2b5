//! Each metric divided by its own reference.
//!
//! Source: PerfChecker formats §3.4, extended by more statistics and references (design §8). The reference
//! is chosen once per figure and evaluated per metric; a value that is missing stays missing, and nothing is
//! ever divided by zero.

use crate::analyze::{Cell, Group, Normalized, Point, Series, SourceSeries, Statistic, quotient};
use crate::error::{Error, Result};
use crate::evidence::plot::Status;
use crate::evidence::{Number, Preference};

/// What a metric is divided by.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reference {
    /// The metric's smallest value over the targets. A negative or zero value wins like any other.
    #[default]
    Minimum,
    /// The metric's largest value over the targets.
    Maximum,
    /// Minimum or maximum by the metric's preference; minimum for neutral metrics.
    Best,
    /// The value at the first measured target of the group.
    First,
    /// The value at the last measured target of the group.
    Latest,
    /// The value at the target of this label.
    Label(String),
}

impl Reference {
    /// Reads the word used in the configuration and on the command line; any other text is a label.
    pub fn parse(text: &str) -> Self {
        match text {
            "minimum" => Self::Minimum,
            "maximum" => Self::Maximum,
            "best" => Self::Best,
            "first" => Self::First,
            "latest" => Self::Latest,
            label => Self::Label(label.to_owned()),
        }
    }

    /// The word or label that [`Reference::parse`] reads back.
    pub fn word(&self) -> &str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::Best => "best",
            Self::First => "first",
            Self::Latest => "latest",
            Self::Label(label) => label,
        }
    }

    /// The part of a figure's id that names the reference.
    pub fn slug(&self) -> String {
        crate::text::slug::slug(self.word())
    }
}

/// Why a point with samples has no value: a sum beyond every finite float. No other statistic leaves the range
/// of its samples.
pub const SUM_TOO_LARGE: &str = "the sum exceeds the largest number";
/// Why there is no ratio although value and reference are known and the reference is not zero.
pub const RATIO_TOO_LARGE: &str = "the ratio exceeds the largest number";

/// Why there is no ratio of a value that only a document gives.
pub const NO_RATIO_SAVED: &str = "no ratio of it was saved";

/// Most features that a note lists.
const LISTED: usize = 6;

/// Which cell a reference is.
enum Chosen {
    Smallest,
    Largest,
    /// Position among the group's targets.
    At(usize),
    /// The group has no measured target.
    Nowhere,
}

/// Divides one series of `group` by its own reference.
///
/// Outcomes, first match wins: no value at the target: `missing_measurement`; no reference value:
/// `missing_reference`; both zero: `both_zero` with ratio 1; reference zero: `zero_reference` without a
/// ratio; otherwise `ratio`, see [`divide`]. Site series are always summed. `first` and `latest` mean
/// measured targets: those with a value of any metric of the group; their label is written as the
/// reference. A label that is not a target of the group is a reference without a value; whether anything
/// has it, [`known_reference`] tells.
pub fn normalize(group: &Group, series: &Series, statistic: Statistic, reference: &Reference) -> Normalized {
    if let Some(saved) = &series.saved {
        return of_saved(series, saved, statistic);
    }
    let statistic = if series.summed { Statistic::Sum } else { statistic };
    let value = |point: &Point| point.summary.as_ref().and_then(|sum| sum.get(statistic));
    let values: Vec<Option<Number>> = series.points.iter().map(value).collect();
    let (chosen, reference_target) = choose(group, series, reference);
    let value = match chosen {
        Chosen::Smallest => values.iter().flatten().min().copied(),
        Chosen::Largest => values.iter().flatten().max().copied(),
        Chosen::At(target) => values.get(target).copied().flatten(),
        Chosen::Nowhere => None,
    };
    let cells = values
        .into_iter()
        .zip(&series.points)
        .map(|(cell, point)| {
            let too_large = cell.is_none() && point.summary.is_some();
            let cell = divide(cell, value);
            Cell { reason: too_large.then_some(SUM_TOO_LARGE).or(cell.reason), ..cell }
        })
        .collect();
    Normalized { reference: value, reference_target, statistic: statistic.word().into(), cells }
}

/// What documents say: the values and ratios that were saved, or the values of another statistic that was saved
/// beside them. Nothing is divided.
fn of_saved(series: &Series, saved: &Normalized, statistic: Statistic) -> Normalized {
    let values = || series.points.iter().map(|point| point.summary.as_ref()?.get(statistic));
    if saved.statistic == statistic.word() || series.summed || values().all(|value| value.is_none()) {
        return saved.clone();
    }
    let cell = |value: Option<Number>| Cell {
        value,
        ratio: None,
        status: if value.is_some() { Status::MissingReference } else { Status::MissingMeasurement },
        reason: value.is_some().then_some(NO_RATIO_SAVED),
    };
    Normalized {
        reference: None,
        reference_target: String::new(),
        statistic: statistic.word().into(),
        cells: values().map(cell).collect(),
    }
}

/// Divides every series of `group`; aligned with the group's series.
pub fn normalize_group(group: &Group, statistic: Statistic, reference: &Reference) -> Vec<Normalized> {
    group.series.iter().map(|series| normalize(group, series, statistic, reference)).collect()
}

/// Whether anything has the reference. Without any group there is nothing that could lack it.
///
/// # Errors
/// A label that no group of any source has as a target.
pub fn known_reference<'a>(
    all: impl IntoIterator<Item = &'a SourceSeries>,
    reference: &Reference,
) -> Result<()> {
    let Reference::Label(label) = reference else { return Ok(()) };
    let mut known: Vec<&str> = Vec::new();
    for target in all.into_iter().flat_map(|source| &source.groups).flat_map(|group| &group.targets) {
        if *target.label == **label {
            return Ok(());
        }
        if !known.contains(&&*target.label) {
            known.push(&target.label);
        }
    }
    if known.is_empty() {
        return Ok(());
    }
    let words = "the words are minimum, maximum, best, first and latest";
    Err(Error::usage(format!("the reference `{label}` is not a target of any feature"))
        .hint(format!("the targets are {}; {words}", crate::text::list::and(&known)))
        .hint("it was given with --reference or as `reference` of [normalize] in perfolio.toml"))
}

/// A sentence about the features of a source that do not have the reference target; none when all have it.
pub fn without_reference(source: &SourceSeries, reference: &Reference) -> Option<String> {
    let Reference::Label(label) = reference else { return None };
    let mut features: Vec<&str> = source
        .groups
        .iter()
        .filter(|group| {
            group.normalizable
                && group.saved.is_none()
                && group.targets.iter().all(|target| *target.label != **label)
        })
        .map(|group| &*group.feature)
        .collect();
    features.dedup();
    let (named, have) = match features.as_slice() {
        [] => return None,
        [one] => ((*one).to_owned(), "has"),
        some if some.len() <= LISTED => (crate::text::list::and(some), "have"),
        many => (format!("{} features", many.len()), "have"),
    };
    Some(format!("{named} {have} no target `{label}`, so there are values but no ratios"))
}

fn choose(group: &Group, series: &Series, reference: &Reference) -> (Chosen, String) {
    let measured = |target: &usize| {
        group
            .series
            .iter()
            .any(|series| series.points.get(*target).is_some_and(|point| point.summary.is_some()))
    };
    let at = |target: Option<usize>| match target {
        Some(target) => (Chosen::At(target), group.targets[target].label.to_string()),
        None => (Chosen::Nowhere, reference.word().to_owned()),
    };
    match (reference, series.definition.preference) {
        (Reference::Maximum, _) | (Reference::Best, Preference::Higher) => {
            (Chosen::Largest, "maximum".to_owned())
        }
        (Reference::Minimum | Reference::Best, _) => (Chosen::Smallest, "minimum".to_owned()),
        (Reference::First, _) => at((0..group.targets.len()).find(measured)),
        (Reference::Latest, _) => at((0..group.targets.len()).rev().find(measured)),
        (Reference::Label(label), _) => at(group.targets.iter().position(|target| *target.label == **label)),
    }
}

/// One cell.
///
/// A ratio beyond the largest finite float is none: no number is invented. The five statuses have no word of
/// their own for it; it is `missing_reference`, the one that says "a value, but no ratio" without claiming
/// anything untrue about zero or about the value, and the reason says in words what is the matter.
pub fn divide(value: Option<Number>, reference: Option<Number>) -> Cell {
    let mut reason = None;
    let (ratio, status) = match (value, reference) {
        (None, _) => (None, Status::MissingMeasurement),
        (_, None) => (None, Status::MissingReference),
        (Some(value), Some(reference)) if reference.is_zero() => {
            if value.is_zero() {
                (Some(1.0), Status::BothZero)
            } else {
                (None, Status::ZeroReference)
            }
        }
        (Some(value), Some(reference)) => {
            let ratio = quotient::ratio(value, reference);
            reason = ratio.is_none().then_some(RATIO_TOO_LARGE);
            (ratio, if ratio.is_some() { Status::Ratio } else { Status::MissingReference })
        }
    };
    Cell { value, ratio, status, reason }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analyze::{Point, Summary, Target};
    use crate::evidence::{Definition, TargetKind};

    pub(crate) fn definition(metric: &str, unit: &str) -> Definition {
        Definition {
            id: format!("{metric}/benchmarktools-v1").into(),
            metric: metric.into(),
            unit: unit.into(),
            collector: None,
            sample_semantics: None,
            preference: Preference::Lower,
            warmup_policy: None,
            includes_compilation: None,
            includes_children: None,
            attribution_scope: None,
            extra: serde_json::Map::new(),
        }
    }

    /// A group whose series have one sample (or none) per target; targets are releases 1.0.0, 1.1.0, ….
    pub(crate) fn group(rows: &[&[Option<Number>]]) -> Group {
        let targets = (0..rows[0].len())
            .map(|at| Target {
                label: format!("1.{at}.0").into(),
                kind: TargetKind::Release,
                date: None,
                date_kind: None,
            })
            .collect::<Vec<_>>();
        let series = rows
            .iter()
            .enumerate()
            .map(|(at, row)| Series {
                definition: definition(&format!("m.{at}"), "ns"),
                summed: false,
                points: row
                    .iter()
                    .map(|value| Point {
                        summary: Summary::of(*value),
                        run: None,
                        samples_of: None,
                        reason: None,
                    })
                    .collect(),
                step: None,
                saved: None,
            })
            .collect();
        Group {
            package: None,
            feature: "f".into(),
            workload: "f".into(),
            base_key: "k".into(),
            collector: "benchmarktools-v1".into(),
            variant: None,
            description: String::new(),
            dependencies: vec![None; targets.len()],
            targets,
            series,
            normalizable: true,
            joined: Vec::new(),
            saved: None,
        }
    }

    fn some(values: &[f64]) -> Vec<Option<Number>> {
        values.iter().map(|&value| Some(Number::Float(value))).collect()
    }

    fn statuses(normalized: &Normalized) -> Vec<&'static str> {
        normalized.cells.iter().map(|cell| cell.status.word()).collect()
    }

    fn run(group: &Group, series: usize, reference: &str) -> Normalized {
        normalize(group, &group.series[series], Statistic::Minimum, &Reference::parse(reference))
    }

    #[test]
    fn the_five_outcomes() {
        let mut count = some(&[12.0, 6.0, 0.0]);
        count[2] = None;
        let group =
            group(&[&some(&[8000.0, 5000.0, 6500.0]), &some(&[0.0, 40.0, 0.0]), &count, &[None, None, None]]);
        let time = run(&group, 0, "minimum");
        assert_eq!(time.cells.iter().map(|cell| cell.ratio.unwrap()).collect::<Vec<_>>(), [1.6, 1.0, 1.3]);
        assert_eq!(time.reference_target, "minimum");
        let gc = run(&group, 1, "minimum");
        assert_eq!(statuses(&gc), ["both_zero", "zero_reference", "both_zero"]);
        assert_eq!(gc.cells.iter().map(|cell| cell.ratio).collect::<Vec<_>>(), [Some(1.0), None, Some(1.0)]);
        let count = run(&group, 2, "latest");
        assert_eq!(statuses(&count), ["missing_reference", "missing_reference", "missing_measurement"]);
        assert_eq!((count.reference, count.reference_target.as_str()), (None, "1.2.0"));
        assert_eq!(statuses(&run(&group, 3, "minimum")), ["missing_measurement"; 3]);
        assert_eq!(run(&group, 3, "minimum").reference, None);
    }

    #[test]
    fn references() {
        let mut group = group(&[
            &some(&[3.0, -2.0, 4.0, 0.0]),
            &[None, Some(Number::ZERO), Some(Number::Unsigned(7)), None],
        ]);
        let of = |group: &Group, word: &str| {
            let normalized = run(group, 0, word);
            (normalized.reference.unwrap().as_f64(), normalized.reference_target)
        };
        assert_eq!(of(&group, "minimum"), (-2.0, "minimum".into()));
        assert_eq!(run(&group, 0, "minimum").cells[0].ratio, Some(-1.5));
        assert_eq!(of(&group, "maximum"), (4.0, "maximum".into()));
        assert_eq!(of(&group, "best"), (-2.0, "minimum".into()));
        assert_eq!(of(&group, "first"), (3.0, "1.0.0".into()));
        assert_eq!(of(&group, "1.2.0"), (4.0, "1.2.0".into()));
        group.series[0].definition.preference = Preference::Higher;
        assert_eq!(of(&group, "best"), (4.0, "maximum".into()));
        // A planned target without any value is not the latest.
        group.series[0].points[3].summary = None;
        assert_eq!(of(&group, "latest"), (4.0, "1.2.0".into()));
        assert_eq!(run(&group, 1, "first").reference, None);
        // A target that the group does not have: values, no ratios.
        let unknown = run(&group, 0, "1.0");
        assert_eq!((unknown.reference, unknown.reference_target.as_str()), (None, "1.0"));
        assert_eq!(statuses(&unknown)[..2], ["missing_reference"; 2]);
        assert_eq!(unknown.cells[0].value, Some(Number::Float(3.0)));
        for word in ["minimum", "maximum", "best", "first", "latest", "dev@1.0"] {
            assert_eq!(Reference::parse(word).word(), word);
        }
    }

    #[test]
    fn site_series_are_summed() {
        let mut group = group(&[&some(&[1.0, 1.0])]);
        group.series[0].summed = true;
        group.series[0].points[1].summary = Summary::of(some(&[1.0, 2.0]).into_iter().flatten());
        let normalized = run(&group, 0, "minimum");
        assert_eq!((&*normalized.statistic, normalized.cells[1].ratio), ("sum", Some(3.0)));
    }

    #[test]
    fn an_unknown_reference_is_refused_and_a_rare_one_noted() {
        let has = SourceSeries { groups: vec![group(&[&some(&[1.0, 2.0])])], ..SourceSeries::default() };
        let lacks = SourceSeries { groups: vec![group(&[&some(&[1.0])])], ..SourceSeries::default() };
        let reference = Reference::parse("1.1.0");
        assert!(known_reference([&lacks, &has], &reference).is_ok());
        let error = known_reference([&lacks, &lacks], &reference).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Usage);
        assert!(error.message.contains("`1.1.0`") && error.hints[0].contains("1.0.0"), "{error:?}");
        assert!(known_reference([&lacks], &Reference::Latest).is_ok());
        assert!(known_reference([&SourceSeries::default()], &reference).is_ok());
        assert_eq!(without_reference(&has, &reference), None);
        assert_eq!(
            without_reference(&lacks, &reference).unwrap(),
            "f has no target `1.1.0`, so there are values but no ratios"
        );
    }

    #[test]
    fn a_sum_beyond_all_numbers_is_measured_but_has_no_value() {
        let mut group = group(&[&some(&[1.0, 2.0])]);
        group.series[0].points[1].summary = Summary::of(some(&[1.7e308, 1.7e308]).into_iter().flatten());
        let of = |statistic| normalize(&group, &group.series[0], statistic, &Reference::Minimum);
        let sums = of(Statistic::Sum);
        let cell = sums.cells[1];
        assert_eq!((cell.value, cell.ratio, cell.status), (None, None, Status::MissingMeasurement));
        assert_eq!(cell.reason, Some(SUM_TOO_LARGE));
        assert_eq!((sums.cells[0].ratio, sums.cells[0].reason), (Some(1.0), None));
        assert_eq!(of(Statistic::Mean).cells[1].ratio, Some(1.7e308));
    }

    #[test]
    fn a_ratio_beyond_all_numbers_is_none() {
        let group = group(&[&some(&[1e300, 1e-300])]);
        let cell = run(&group, 0, "minimum").cells[0];
        assert_eq!((cell.value, cell.ratio), (Some(Number::Float(1e300)), None));
        assert_eq!((cell.status, cell.reason), (Status::MissingReference, Some(RATIO_TOO_LARGE)));
    }

    proptest! {
        #[test]
        fn five_outcomes_and_finite_ratios(
            values in prop::collection::vec(prop::option::of(prop_oneof![
                Just(0.0), prop::num::f64::NORMAL, prop::num::f64::SUBNORMAL, 1.0..1e6_f64]), 1..8),
            word in prop::sample::select(vec!["minimum", "maximum", "best", "first", "latest", "1.0.0"]),
        ) {
            let row: Vec<_> = values.iter().map(|value| value.map(Number::Float)).collect();
            let group = group(&[&row]);
            let normalized = run(&group, 0, word);
            for (cell, value) in normalized.cells.iter().zip(values) {
                prop_assert_eq!(cell.value.map(|value| value.as_f64().to_bits()), value.map(f64::to_bits));
                let reference = normalized.reference.map(Number::as_f64);
                let expected = match (value, reference) {
                    (None, _) => (Status::MissingMeasurement, None),
                    (_, None) => (Status::MissingReference, None),
                    (Some(0.0), Some(0.0)) => (Status::BothZero, Some(1.0)),
                    (_, Some(0.0)) => (Status::ZeroReference, None),
                    (Some(value), Some(reference)) if !(value / reference).is_finite() => (Status::MissingReference, None),
                    (Some(value), Some(reference)) => (Status::Ratio, Some(value / reference)),
                };
                prop_assert_eq!((cell.status, cell.ratio.map(f64::to_bits)), (expected.0, expected.1.map(f64::to_bits)));
                prop_assert!(cell.ratio.is_none_or(f64::is_finite));
            }
        }
    }
}
