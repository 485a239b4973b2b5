//! The clock's step: the smallest difference that the recorded times can show.
//!
//! All samples of a coarse clock are multiples of one step. The step is found as the greatest common divisor
//! of all samples of a series, which needs no assumption about the clock. It is told only when it means
//! something; see [`of`].

use crate::evidence::Number;
use crate::text::unit::{Dimension, Unit};

/// Fewest samples that can show a step.
const SAMPLES: usize = 20;
/// Significant digits at which float times are read: enough for any clock, few enough to drop the noise of
/// binary fractions (`0.0015113000000000001`).
const DIGITS: i32 = 12;
/// A step below this part of the median is too fine to matter to a reader.
const SMALLEST_PART: f64 = 1e-5;

/// The step of a series, in its recorded unit.
///
/// None unless all of this holds: the unit is a time; there are at least 20 samples, not all equal, and at
/// least 3 different ones; the step is larger than the unit's own granularity (1 for whole numbers; for
/// floats, larger than the last of the 12 digits that are looked at, by a factor of 100); and it is at least
/// a hundred-thousandth of the median, because a finer step does not limit what the numbers can show.
pub fn of(unit: &str, samples: impl IntoIterator<Item = Number>) -> Option<Number> {
    if Unit::parse(unit).dimension() != Dimension::Time {
        return None;
    }
    let mut samples: Vec<Number> = samples.into_iter().collect();
    if samples.len() < SAMPLES {
        return None;
    }
    samples.sort_unstable();
    let different = 1 + samples.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if different < 3 {
        return None;
    }
    let median = samples[samples.len() / 2].as_f64().abs();
    let step = match samples.iter().map(|number| number.as_whole()).collect::<Option<Vec<_>>>() {
        Some(whole) => {
            let step = divisor(whole)?;
            (step > 1).then(|| Number::whole(step)).flatten()?
        }
        None => decimal_step(&samples)?,
    };
    (step.as_f64() >= median * SMALLEST_PART).then_some(step)
}

/// The step of float times: all samples as whole numbers of one power of ten.
fn decimal_step(samples: &[Number]) -> Option<Number> {
    let largest = samples.iter().map(|number| number.as_f64().abs()).fold(0.0, f64::max);
    let (_, top) = digits(largest)?;
    // The exponent of the last digit that the largest sample shows.
    let unit = top - (DIGITS - 1);
    let scaled = samples.iter().map(|number| in_units(number.as_f64(), unit)).collect::<Option<Vec<_>>>()?;
    let step = divisor(scaled)?;
    // A divisor of a few last digits is noise, not a clock.
    if step < 100 {
        return None;
    }
    format!("{step}e{unit}").parse().ok().and_then(Number::finite)
}

/// `value` as a whole number of 10^unit, read from its text with twelve digits.
fn in_units(value: f64, unit: i32) -> Option<i128> {
    if value == 0.0 {
        return Some(0);
    }
    let (text, exponent) = digits(value.abs())?;
    let shift = exponent - (DIGITS - 1) - unit;
    let size = if shift >= 0 {
        text.checked_mul(10_i128.checked_pow(shift.unsigned_abs())?)?
    } else {
        // Digits below the unit: rounded, they are finer than the largest sample can show.
        let by = 10_i128.checked_pow(shift.unsigned_abs()).unwrap_or(i128::MAX);
        (text + by / 2) / by
    };
    Some(if value < 0.0 { -size } else { size })
}

/// Twelve significant digits and the exponent of the first.
fn digits(value: f64) -> Option<(i128, i32)> {
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    let text = format!("{value:.*e}", DIGITS as usize - 1);
    let (mantissa, exponent) = text.split_once('e')?;
    Some((mantissa.replace('.', "").parse().ok()?, exponent.parse().ok()?))
}

/// The greatest common divisor; none when all are zero.
fn divisor(values: impl IntoIterator<Item = i128>) -> Option<i128> {
    let mut found = 0_u128;
    for value in values {
        let (mut a, mut b) = (found, value.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        found = a;
        if found == 1 {
            break;
        }
    }
    i128::try_from(found).ok().filter(|&found| found > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn step(unit: &str, samples: impl IntoIterator<Item = f64>) -> Option<f64> {
        of(unit, samples.into_iter().map(Number::Float)).map(Number::as_f64)
    }

    #[test]
    fn whole_steps() {
        let times = |by: f64| (30..60).map(move |k| f64::from(k) * by);
        assert_eq!(step("ns", times(100.0)), Some(100.0));
        assert_eq!(step("ns", times(1.0)), None);
        assert_eq!(step("By", times(16.0)), None);
        assert_eq!(step("ns", times(100.0).take(19)), None);
        assert_eq!(step("ns", (0..30).map(|_| 700.0)), None);
        // Steps of 3 ns in values of a second say nothing.
        assert_eq!(step("ns", (0..30).map(|k| 3e8 + 3.0 * f64::from(k))), None);
    }

    #[test]
    fn decimal_steps_survive_binary_fractions() {
        // Products such as 15113 · 1e-7 = 0.0015113000000000001.
        assert_eq!(step("s", (15_113..15_150).map(|k| f64::from(k) * 1e-7)), Some(1e-7));
        assert_eq!(step("seconds", (1..40).map(|k| f64::from(k) * 0.001)), Some(0.001));
        assert_eq!(step("s", (1..40).map(|k| 0.1 + f64::from(k).sqrt() / 7.0)), None);
    }

    proptest! {
        #[test]
        fn every_sample_is_a_multiple(
            counts in prop::collection::vec(1..100_000_i64, 20..40),
            by in prop::sample::select(vec![1e-7, 1e-6, 4e-9, 0.25, 100.0]),
        ) {
            let samples: Vec<f64> = counts.iter().map(|&count| count as f64 * by).collect();
            if let Some(step) = step("s", samples.clone()) {
                for sample in samples {
                    let times = sample / step;
                    prop_assert!((times - times.round()).abs() < 1e-4, "{sample} {step}");
                }
                prop_assert!(step >= by * 0.999_999);
            }
        }
    }
}
