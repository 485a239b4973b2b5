//! What changed from one target to another, as data; the words are found elsewhere.

use crate::analyze::{Group, Series, Statistic, quotient, step};
use crate::evidence::{Number, TargetKind};

/// A value at one target and at another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Position of the first target in the group.
    pub from: usize,
    /// Position of the second target in the group.
    pub to: usize,
    /// Value at the first target.
    pub before: Number,
    /// Value at the second target.
    pub after: Number,
    /// after / before; none when before is zero.
    pub factor: Option<f64>,
    /// (after − before) / |before|; none when before is zero.
    pub change: Option<f64>,
    /// How many clock steps lie between the two, with sign; none when no step is known.
    pub steps: Option<f64>,
}

/// Extremes and the largest step of a series, and how many targets have no value.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// Position of the smallest value; the first of equal ones.
    pub lowest: usize,
    /// Position of the largest value; the first of equal ones.
    pub highest: usize,
    /// Whether all values are equal.
    pub constant: bool,
    /// The largest step between neighbouring measured targets, by factor: −47 % outweighs +75 %. The first
    /// of equal ones. A step between zero and another value has no factor and is not considered. None when
    /// nothing changed, or when fewer than two targets have a value.
    pub largest: Option<Change>,
    /// Position of the last measured target.
    pub last: usize,
    /// How many targets have no value.
    pub unavailable: usize,
}

/// The values of a series by one statistic; the sum for site series.
pub fn values(series: &Series, statistic: Statistic) -> Vec<Option<Number>> {
    let statistic = if series.summed { Statistic::Sum } else { statistic };
    series.points.iter().map(|point| point.summary.as_ref().and_then(|sum| sum.get(statistic))).collect()
}

/// Which two targets an overview compares: the newest target that is not a release (working tree,
/// candidate, commit …) with the newest release, else the newest release with the one before it, else the
/// last two targets. Only targets with a value of `series` count. None when there are fewer than two.
pub fn main_pair(group: &Group, series: &Series) -> Option<(usize, usize)> {
    let measured: Vec<usize> = (0..group.targets.len())
        .filter(|&at| series.points.get(at).is_some_and(|point| point.summary.is_some()))
        .collect();
    let is_release = |at: &usize| group.targets[*at].kind == TargetKind::Release;
    let last = *measured.last()?;
    let mut releases = measured.iter().copied().filter(is_release).rev();
    match (releases.next(), releases.next()) {
        (Some(release), _) if !is_release(&last) => Some((release, last)),
        (Some(release), Some(before)) => Some((before, release)),
        _ => Some((*measured.get(measured.len().checked_sub(2)?)?, last)),
    }
}

/// The change of `series` from one target to another; none when one of them has no value.
pub fn change(series: &Series, statistic: Statistic, from: usize, to: usize) -> Option<Change> {
    let values = values(series, statistic);
    let (before, after) = ((*values.get(from)?)?, (*values.get(to)?)?);
    Some(between(series, from, to, before, after))
}

/// Extremes, largest step and gaps of a series; none when no target has a value.
pub fn overview(series: &Series, statistic: Statistic) -> Option<Overview> {
    let values = values(series, statistic);
    let measured: Vec<(usize, Number)> =
        values.iter().enumerate().filter_map(|(at, value)| value.map(|value| (at, value))).collect();
    let lowest = measured.iter().min_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)))?;
    let highest = measured.iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let mut largest: Option<(f64, Change)> = None;
    for pair in measured.windows(2) {
        let change = between(series, pair[0].0, pair[1].0, pair[0].1, pair[1].1);
        let size = change.factor.filter(|factor| *factor > 0.0).map(|factor| factor.ln().abs());
        if let Some(size) = size.filter(|size| *size > largest.as_ref().map_or(0.0, |(size, _)| *size)) {
            largest = Some((size, change));
        }
    }
    Some(Overview {
        lowest: lowest.0,
        highest: highest.0,
        constant: lowest.1 == highest.1,
        largest: largest.map(|(_, change)| change),
        last: measured.last()?.0,
        unavailable: values.len() - measured.len(),
    })
}

fn between(series: &Series, from: usize, to: usize, before: Number, after: Number) -> Change {
    let (a, b) = (before.as_f64(), after.as_f64());
    let has_base = !before.is_zero();
    Change {
        from,
        to,
        before,
        after,
        factor: has_base.then(|| quotient::ratio(after, before)).flatten(),
        change: has_base.then(|| ((b - a) / a.abs()).clamp(f64::MIN, f64::MAX)),
        steps: series.step.map(|step| step::steps_between(before, after, step)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::normalize::tests::group;

    fn some(values: &[f64]) -> Vec<Option<Number>> {
        values.iter().map(|&value| Some(Number::Float(value))).collect()
    }

    #[test]
    fn halving_outweighs_growth_by_three_quarters() {
        let mut row = some(&[4.0, 7.0, 7.0, 3.71, 0.0, 3.71]);
        row.insert(2, None);
        let group = group(&[&row]);
        let found = overview(&group.series[0], Statistic::Minimum).unwrap();
        let largest = found.largest.unwrap();
        assert_eq!((largest.from, largest.to), (3, 4));
        assert!((largest.change.unwrap() + 0.47).abs() < 1e-12);
        assert_eq!(
            (found.lowest, found.highest, found.last, found.unavailable, found.constant),
            (5, 1, 6, 1, false)
        );
    }

    #[test]
    fn extremes_take_the_first_of_equals() {
        let group = group(&[&some(&[2.0, 2.0]), &[None, None]]);
        let found = overview(&group.series[0], Statistic::Minimum).unwrap();
        assert_eq!((found.lowest, found.highest, found.constant, found.largest), (0, 0, true, None));
        assert_eq!(overview(&group.series[1], Statistic::Minimum), None);
    }

    #[test]
    fn pairs() {
        let mut group = group(&[&some(&[1.0, 2.0, 3.0])]);
        assert_eq!(main_pair(&group, &group.series[0]), Some((1, 2)));
        group.targets[2].kind = TargetKind::Dev;
        assert_eq!(main_pair(&group, &group.series[0]), Some((1, 2)));
        group.series[0].points[1].summary = None;
        assert_eq!(main_pair(&group, &group.series[0]), Some((0, 2)));
        group.targets[0].kind = TargetKind::Commit;
        assert_eq!(main_pair(&group, &group.series[0]), Some((0, 2)));
        group.series[0].points[0].summary = None;
        assert_eq!(main_pair(&group, &group.series[0]), None);
    }

    #[test]
    fn changes_count_clock_steps() {
        let mut group = group(&[&some(&[7200.0, 3800.0, 0.0])]);
        group.series[0].step = Some(Number::Unsigned(100));
        let found = change(&group.series[0], Statistic::Minimum, 0, 1).unwrap();
        assert_eq!((found.steps, found.factor), (Some(-34.0), Some(3800.0 / 7200.0)));
        let zero = change(&group.series[0], Statistic::Minimum, 2, 1).unwrap();
        assert_eq!((zero.factor, zero.change), (None, None));
    }
}
