//! Labelled values of an axis: 1, 2 and 5 × 10ⁿ, few of them.
//!
//! Every tick is made from its decimal text, so that 0.3 is 0.3 and not 3 × 0.1, at any magnitude.

use super::chart::{Scale, Tick};
use crate::text::number;

/// Most ticks of an axis. Six are wanted; the seventh is for ranges where the next coarser step gives two.
pub const MOST: usize = 7;
/// Wanted ticks at most.
const WANTED: usize = 6;
/// Fewest ticks that a step is chosen for.
const FEWEST: usize = 4;

/// Ticks between `low` and `high` (finite, `low` below `high`), rising, at most [`MOST`].
pub fn ticks(low: f64, high: f64, scale: Scale) -> Vec<Tick> {
    match scale {
        Scale::Linear => linear(low, high),
        Scale::Log => {
            let found = log(low, high);
            // Within less than a decade there may be no two of 1, 2 and 5: equal steps say more there.
            if found.len() < 2 { linear(low, high) } else { found }
        }
    }
}

fn linear(low: f64, high: f64) -> Vec<Tick> {
    // Halves first: the difference of two finite numbers need not be finite.
    let span = high / 2.0 - low / 2.0;
    let mut exponent = if span > 0.0 { span.log10().floor() as i32 + 1 } else { -320 };
    let mut best = Vec::new();
    // From coarse to fine; the first step that gives enough ticks wins.
    for _ in 0..4 {
        for mantissa in [5, 2, 1] {
            let found = multiples(low, high, mantissa, exponent);
            if found.len() > MOST || (found.len() > WANTED && best.len() > 2) {
                return best;
            }
            let enough = found.len() >= FEWEST;
            if found.len() >= best.len() {
                best = found;
            }
            if enough {
                return best;
            }
        }
        exponent -= 1;
    }
    best
}

/// Multiples of `mantissa` × 10^`exponent` in the range; one more than [`MOST`] at most.
fn multiples(low: f64, high: f64, mantissa: i128, exponent: i32) -> Vec<Tick> {
    let step = decimal(mantissa, exponent);
    if step <= 0.0 || !step.is_finite() {
        return Vec::new();
    }
    let first = (low / step).ceil();
    if first.abs() > 1e18 {
        return Vec::new();
    }
    let mut found: Vec<Tick> = Vec::new();
    for index in 0..=MOST as i128 + 2 {
        let count = first as i128 - 1 + index;
        let value = decimal(count * mantissa, exponent);
        if value > high || found.len() > MOST {
            break;
        }
        if value >= low && found.last().is_none_or(|last| last.value < value) {
            found.push(Tick { value, label: label(value, exponent) });
        }
    }
    found
}

fn log(low: f64, high: f64) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32 - 1, high.log10().ceil() as i32 + 1);
    for mantissas in [&[1, 2, 5][..], &[1, 3], &[1]] {
        for every in 1..=(if mantissas.len() == 1 { 120 } else { 1 }) {
            let mut found = Vec::new();
            for exponent in (first..=last).filter(|exponent| exponent.rem_euclid(every) == 0) {
                for &mantissa in mantissas {
                    let value = decimal(mantissa, exponent);
                    if value >= low && value <= high && found.len() <= WANTED {
                        found.push(Tick { value, label: label(value, exponent) });
                    }
                }
            }
            if found.len() <= WANTED {
                return found;
            }
        }
    }
    Vec::new()
}

/// The float nearest to `mantissa` × 10^`exponent`; infinite beyond the range of floats.
fn decimal(mantissa: i128, exponent: i32) -> f64 {
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::INFINITY)
}

/// Enough digits to tell this tick from its neighbours, which differ in the place of `exponent`.
fn label(value: f64, exponent: i32) -> String {
    if value == 0.0 {
        return number::short(0.0);
    }
    let digits = value.abs().log10().floor() as i32 - exponent + 1;
    number::significant(value, usize::try_from(digits).unwrap_or(1).clamp(1, 17))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(low: f64, high: f64, scale: Scale) -> Vec<String> {
        ticks(low, high, scale).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn round_steps() {
        assert_eq!(labels(0.8, 3.2, Scale::Linear), ["1", "1.5", "2", "2.5", "3"]);
        assert_eq!(labels(0.0, 11.6, Scale::Linear), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-12.0, 31.0, Scale::Linear), ["\u{2212}10", "0", "10", "20", "30"]);
        assert_eq!(labels(1.0, 1.000_04, Scale::Linear), ["1", "1.00001", "1.00002", "1.00003", "1.00004"]);
    }

    #[test]
    fn log_steps_thin_out() {
        assert_eq!(labels(0.9, 60.0, Scale::Log), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(0.9, 2000.0, Scale::Log), ["1", "10", "100", "1\u{202f}000"]);
        assert!((2..=MOST).contains(&labels(1e-300, 1e300, Scale::Log).len()));
        assert!(labels(1.2, 1.9, Scale::Log).len() >= FEWEST, "a window within one decade");
    }

    proptest! {
        #[test]
        fn few_rising_and_inside(a in any::<f64>(), b in any::<f64>(), is_log in any::<bool>()) {
            prop_assume!(a.is_finite() && b.is_finite() && (a < b || b < a));
            let (mut low, high) = (a.min(b), a.max(b));
            if is_log {
                prop_assume!(high > 0.0);
                if low <= 0.0 { low = high / 20.0; }
                prop_assume!(low > 0.0 && low < high);
            }
            let found = ticks(low, high, if is_log { Scale::Log } else { Scale::Linear });
            prop_assert!(found.len() <= MOST);
            prop_assert!(found.windows(2).all(|pair| pair[0].value < pair[1].value), "{found:?}");
            prop_assert!(found.windows(2).all(|pair| pair[0].label != pair[1].label), "{found:?}");
            prop_assert!(found.iter().all(|tick| tick.value >= low && tick.value <= high), "{found:?}");
        }

        #[test]
        fn usual_ranges_have_four_to_six(low in -1e6_f64..1e6, span in 1e-3_f64..1e6) {
            let found = ticks(low, low + span, Scale::Linear);
            prop_assert!((3..=MOST).contains(&found.len()), "{found:?}");
        }
    }
}
