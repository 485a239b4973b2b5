//! How the samples of one target become one value.
//!
//! Sources: quantiles are type 7 of Hyndman and Fan (1996), the default of R, numpy and Julia: position
//! 1 + (n − 1)p, linear between neighbours. The median is the middle sample, or half the sum of the middle
//! two, which is the same quantile. Everything runs over sorted values, so the order of samples never
//! matters, not even in the last bit.

use std::cmp::Ordering;

use crate::analyze::quotient;
use crate::evidence::Number;

/// A way to sum up samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The smallest sample. The default: noise of timers and other processes only ever adds.
    #[default]
    Minimum,
    /// Type 7 quantile at 1/2.
    Median,
    /// Arithmetic mean.
    Mean,
    /// The largest sample.
    Maximum,
    /// Type 7 quantile at 9/10.
    P90,
    /// Type 7 quantile at 19/20.
    P95,
    /// Type 7 quantile at 99/100.
    P99,
    /// Sum of all samples: the total over sites or stacks.
    Sum,
}

impl Statistic {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 8] =
        [Self::Minimum, Self::Median, Self::Mean, Self::Maximum, Self::P90, Self::P95, Self::P99, Self::Sum];

    /// Reads the word used in the configuration, on the command line and in documents.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|statistic| statistic.word() == word)
    }

    /// The word used in the configuration, on the command line and in documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Median => "median",
            Self::Mean => "mean",
            Self::Maximum => "maximum",
            Self::P90 => "p90",
            Self::P95 => "p95",
            Self::P99 => "p99",
            Self::Sum => "sum",
        }
    }
}

/// Samples in sum, or what a document says of them. With one sample, all values are that sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many samples; at least 1 when they are known themselves.
    pub n: u64,
    /// The value of every statistic that is known, in the order of [`Statistic::ALL`].
    values: [Option<Number>; Statistic::ALL.len()],
}

impl Summary {
    /// Sums up `values`, in any order; none when there are none.
    ///
    /// Minimum and maximum are samples exactly as recorded. The mean is the exact sum divided by n and rounded
    /// once while all samples are whole numbers, otherwise the float sum over sorted values divided by n. With
    /// fewer than 100 samples the 99th percentile lies between the largest two. The sum is exact while all
    /// samples are whole and it fits in 64 bits, and unknown when it exceeds every finite float, because there
    /// is no number to show then.
    pub fn of(values: impl IntoIterator<Item = Number>) -> Option<Self> {
        let mut sorted: Vec<Number> = values.into_iter().collect();
        sorted.sort_unstable_by(exact_order);
        let (&minimum, &maximum) = (sorted.first()?, sorted.last()?);
        let (sum, mean) = sum_and_mean(&sorted);
        let quantile = |percent| Some(quantile(&sorted, percent));
        let values = Statistic::ALL.map(|statistic| match statistic {
            Statistic::Minimum => Some(minimum),
            Statistic::Median => quantile(50),
            Statistic::Mean => Some(mean),
            Statistic::Maximum => Some(maximum),
            Statistic::P90 => quantile(90),
            Statistic::P95 => quantile(95),
            Statistic::P99 => quantile(99),
            Statistic::Sum => sum,
        });
        Some(Self { n: sorted.len() as u64, values })
    }

    /// What a document says of `n` samples that are not known themselves: nothing yet.
    pub fn saved(n: u64) -> Self {
        Self { n, values: [None; Statistic::ALL.len()] }
    }

    /// Adds what a document says of one statistic, unless it is known.
    #[must_use]
    pub fn with(mut self, statistic: Statistic, value: Number) -> Self {
        self.values[statistic as usize].get_or_insert(value);
        self
    }

    /// The value of one statistic; none for a sum that exceeds every finite float, and for what a document
    /// does not say.
    pub fn get(&self, statistic: Statistic) -> Option<Number> {
        self.values[statistic as usize]
    }
}

/// Order by value, then by form (`30` before `30.0`, `-0.0` before `0.0`): equal multisets of samples sort to
/// equal bits.
pub fn exact_order(a: &Number, b: &Number) -> Ordering {
    let form = |number: &Number| match number {
        Number::Unsigned(_) => (0, false),
        Number::Negative(_) => (1, false),
        Number::Float(value) => (2, value.is_sign_positive()),
    };
    a.cmp(b).then_with(|| form(a).cmp(&form(b)))
}

/// Type 7 quantile of sorted, non-empty values at `percent` per cent. The position is a whole number of
/// hundredths, so it carries no rounding error of its own.
///
/// Edge cases: a position on a sample gives that sample; neighbours that are equal give that value; whole
/// numbers beyond 2⁵³ are interpolated exactly and rounded once.
pub fn quantile(sorted: &[Number], percent: u8) -> Number {
    let last = sorted.len().saturating_sub(1);
    let hundredths = last as u128 * u128::from(percent.min(100));
    let (below, part) = ((hundredths / 100) as usize, (hundredths % 100).cast_signed());
    let a = sorted.get(below).copied().unwrap_or(Number::ZERO);
    let b = sorted.get(below + 1).copied().unwrap_or(a);
    if part == 0 || a == b {
        return a;
    }
    if let (Some(x), Some(y)) = (a.as_whole(), b.as_whole()) {
        if part == 50 {
            return divided(x.checked_add(y), 2, [a, b]).unwrap_or_else(|| middle(a.as_f64(), b.as_f64()));
        }
        if !(fits_float(x) && fits_float(y)) {
            let weighted = x
                .checked_mul(100 - part)
                .and_then(|left| y.checked_mul(part).and_then(|right| left.checked_add(right)));
            if let Some(value) = divided(weighted, 100, [a, b]) {
                return value;
            }
        }
    }
    let (x, y) = (a.as_f64(), b.as_f64());
    if part == 50 {
        return middle(x, y);
    }
    let part = part as f64 / 100.0;
    let value = x + part * (y - x);
    // The distance of two finite values may overflow; the weighted sum does not.
    Number::Float(if value.is_finite() { value } else { x * (1.0 - part) + y * part })
}

fn middle(a: f64, b: f64) -> Number {
    let sum = a + b;
    Number::Float(if sum.is_finite() { sum / 2.0 } else { a / 2.0 + b / 2.0 })
}

fn fits_float(whole: i128) -> bool {
    whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// `sum / by`, rounded once; in the form of `like`.
fn divided(sum: Option<i128>, by: u64, like: [Number; 2]) -> Option<Number> {
    let sum = sum?;
    if sum % i128::from(by) == 0 {
        return Some(in_form(sum / i128::from(by), like.iter()));
    }
    Some(Number::Float(quotient::whole(sum, by)))
}

/// A whole result: as a float when one of the samples was written as one and it stays exact.
fn in_form<'a>(whole: i128, mut like: impl Iterator<Item = &'a Number>) -> Number {
    let float = like.any(|number| matches!(number, Number::Float(_))) && fits_float(whole);
    match Number::whole(whole) {
        Some(number) if !float => number,
        _ => Number::Float(whole as f64),
    }
}

fn sum_and_mean(sorted: &[Number]) -> (Option<Number>, Number) {
    let count = sorted.len() as u64;
    let exact = sorted.iter().try_fold(0_i128, |sum, number| sum.checked_add(number.as_whole()?));
    if let Some(sum) = exact {
        let mean = if sum % i128::from(count) == 0 {
            in_form(sum / i128::from(count), sorted.iter())
        } else {
            Number::Float(quotient::whole(sum, count))
        };
        return (Some(in_form(sum, sorted.iter())), mean);
    }
    let sum: f64 = sorted.iter().map(|number| number.as_f64()).sum();
    if sum.is_finite() {
        return (Some(Number::Float(sum)), Number::Float(sum / count as f64));
    }
    // A power of two moves the values away from the limit without changing their digits.
    let small = 2.0_f64.powi(-64);
    let sum: f64 = sorted.iter().map(|number| number.as_f64() * small).sum();
    // Only the way there may have left the range: a sum of both signs can lie well within it.
    let whole = Number::finite(sum / small);
    // The mean lies between the extremes; rounding close to the limit must not push it beyond.
    let (low, high) = (sorted[0].as_f64(), sorted[sorted.len() - 1].as_f64());
    (whole, Number::Float((sum / count as f64 / small).clamp(low, high)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn floats(values: &[f64]) -> Vec<Number> {
        values.iter().map(|&value| Number::Float(value)).collect()
    }

    fn bits(number: Number) -> (u8, u64) {
        match number {
            Number::Unsigned(value) => (0, value),
            Number::Negative(value) => (1, value.cast_unsigned()),
            Number::Float(value) => (2, value.to_bits()),
        }
    }

    #[test]
    fn words() {
        for statistic in Statistic::ALL {
            assert_eq!(Statistic::parse(statistic.word()), Some(statistic));
        }
        assert_eq!(Statistic::parse("Minimum"), None);
    }

    #[test]
    fn quartiles_of_four() {
        // R: quantile(1:4, c(.25, .9)) is 1.75 and 3.7; median(1:4) is 2.5.
        let values: Vec<_> = (1..=4).map(Number::Unsigned).collect();
        assert_eq!(quantile(&values, 25).as_f64().to_bits(), 1.75_f64.to_bits());
        assert!((quantile(&values, 90).as_f64() - 3.7).abs() < 1e-12);
        assert_eq!(quantile(&values, 50), Number::Float(2.5));
        assert_eq!(quantile(&values, 0), Number::Unsigned(1));
        assert_eq!(quantile(&values, 100), Number::Unsigned(4));
    }

    #[test]
    fn one_sample_is_everything() {
        let summary = Summary::of([Number::Unsigned(u64::MAX)]).unwrap();
        for statistic in Statistic::ALL {
            assert_eq!(bits(summary.get(statistic).unwrap()), (0, u64::MAX));
        }
        assert!(Summary::of([]).is_none());
    }

    #[test]
    fn large_whole_numbers_stay_exact() {
        let big = u64::MAX - 1;
        let summary = Summary::of([Number::Unsigned(big), Number::Unsigned(big - 2)]).unwrap();
        assert_eq!(bits(summary.get(Statistic::Median).unwrap()), (0, big - 1));
        assert_eq!(bits(summary.get(Statistic::Mean).unwrap()), (0, big - 1));
        // The sum does not fit in 64 bits: the nearest float.
        assert_eq!(summary.get(Statistic::Sum), Some(Number::Float(36_893_488_147_419_103_232.0)));
        let odd = Summary::of([Number::Unsigned((1 << 53) + 1), Number::Unsigned((1 << 53) + 2)]).unwrap();
        assert_eq!(
            odd.get(Statistic::Median).unwrap().as_f64().to_bits(),
            9_007_199_254_740_994.0_f64.to_bits()
        );
    }

    #[test]
    fn the_limits_of_floats() {
        let summary = Summary::of(floats(&[1.5e308, 1.7e308, 1.6e308, 1.6e308])).unwrap();
        assert_eq!(summary.get(Statistic::Sum), None);
        assert!((summary.get(Statistic::Mean).unwrap().as_f64() / 1.6e308 - 1.0).abs() < 1e-15);
        let all = Summary::of(floats(&[f64::MAX; 3])).unwrap();
        assert_eq!(
            (all.get(Statistic::Sum), all.get(Statistic::Mean).unwrap()),
            (None, Number::Float(f64::MAX))
        );
        let both = Summary::of(floats(&[1.7e308, -1.7e308, 1.7e308, -1.7e308, 0.5])).unwrap();
        assert!(
            both.get(Statistic::Sum).is_some_and(|sum| sum.as_f64().is_finite())
                && both.get(Statistic::Mean).unwrap().as_f64().is_finite()
        );
        let far = Summary::of(floats(&[-1.7e308, 1.7e308])).unwrap();
        assert_eq!(far.get(Statistic::Median).unwrap(), Number::Float(0.0));
        assert!(
            far.get(Statistic::P90).unwrap().as_f64().is_finite()
                && far.get(Statistic::P90).unwrap().as_f64() > 1.3e308
        );
    }

    #[test]
    fn form_is_that_of_the_samples() {
        assert_eq!(
            bits(Summary::of(floats(&[2600.0, 2600.0])).unwrap().get(Statistic::Sum).unwrap()),
            (2, 5200.0_f64.to_bits())
        );
        let whole = Summary::of([Number::Unsigned(2), Number::Unsigned(4)]).unwrap();
        assert_eq!(
            (bits(whole.get(Statistic::Sum).unwrap()), bits(whole.get(Statistic::Median).unwrap())),
            ((0, 6), (0, 3))
        );
        let negative = Summary::of([Number::Negative(-3), Number::Unsigned(1)]).unwrap();
        assert_eq!(bits(negative.get(Statistic::Mean).unwrap()), (1, (-1_i64).cast_unsigned()));
    }

    fn number() -> impl Strategy<Value = Number> {
        prop_oneof![
            any::<u64>().prop_map(Number::Unsigned),
            (0..50_u64).prop_map(Number::Unsigned),
            (i64::MIN..0).prop_map(Number::Negative),
            prop::num::f64::NORMAL.prop_map(Number::Float),
            (-30..30_i32).prop_map(|value| Number::Float(f64::from(value) / 4.0)),
            Just(Number::Float(-0.0)),
        ]
    }

    proptest! {
        #[test]
        fn order_of_samples_changes_nothing(mut values in prop::collection::vec(number(), 1..30), seed in any::<u64>()) {
            let first = Summary::of(values.clone()).unwrap();
            let mut state = seed;
            for at in (1..values.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                values.swap(at, (state >> 33) as usize % (at + 1));
            }
            let second = Summary::of(values).unwrap();
            for statistic in Statistic::ALL {
                prop_assert_eq!(first.get(statistic).map(bits), second.get(statistic).map(bits));
            }
        }

        #[test]
        fn values_lie_between_the_extremes(values in prop::collection::vec(number(), 1..30)) {
            let summary = Summary::of(values).unwrap();
            let (low, high) = (summary.get(Statistic::Minimum).unwrap().as_f64(), summary.get(Statistic::Maximum).unwrap().as_f64());
            let slack = (low.abs().max(high.abs())) * 1e-14;
            for value in [summary.get(Statistic::Median).unwrap(), summary.get(Statistic::Mean).unwrap(), summary.get(Statistic::P90).unwrap(), summary.get(Statistic::P95).unwrap(), summary.get(Statistic::P99).unwrap()] {
                prop_assert!(value.as_f64() >= low - slack && value.as_f64() <= high + slack);
            }
        }

        #[test]
        fn whole_means_are_rounded_once(values in prop::collection::vec(0..1_u64 << 50, 1..9)) {
            // Both operands are exact floats here, so the division of the processor rounds once, too.
            let sum: u64 = values.iter().sum();
            let expected = sum as f64 / values.len() as f64;
            let summary = Summary::of(values.into_iter().map(Number::Unsigned)).unwrap();
            prop_assert_eq!(summary.get(Statistic::Mean).unwrap().as_f64().to_bits(), expected.to_bits());
        }
    }
}
