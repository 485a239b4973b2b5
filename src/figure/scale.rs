//! From drawn values to an axis: linear or log, where it starts and where it ends.

use super::chart::{Axis, Scale};
use super::ticks;

/// Above this quotient of the largest and the smallest positive value the axis is logarithmic.
const LOG_ABOVE: f64 = 10.0;
/// Free space above and below the values, as a part of their span.
const MARGIN: f64 = 0.08;

/// Linear or log, from every value of a complete history. Negative values cannot be on a log axis; zeros can,
/// as marks at the bottom.
pub fn decide(values: impl IntoIterator<Item = f64>) -> Scale {
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0_f64);
    for value in values {
        if value < 0.0 {
            return Scale::Linear;
        }
        if value > 0.0 && value.is_finite() {
            smallest = smallest.min(value);
            largest = largest.max(value);
        }
    }
    if largest / LOG_ABOVE > smallest { Scale::Log } else { Scale::Linear }
}

/// The word of a document.
pub fn word(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Log => "log",
    }
}

/// The scale that a document's word names.
pub fn parse(word: &str) -> Option<Scale> {
    match word {
        "linear" => Some(Scale::Linear),
        "log" => Some(Scale::Log),
        _ => None,
    }
}

/// An axis that shows all `values` (finite) with some free space. `wanted` is used unless negative values
/// forbid a log axis. `from_zero` lets a linear axis of values of similar size start at zero.
pub fn axis(title: String, values: &[f64], wanted: Scale, from_zero: bool) -> Axis {
    let negative = values.iter().any(|&value| value < 0.0);
    let scale = if negative { Scale::Linear } else { wanted };
    let (low, high) = match scale {
        Scale::Linear => linear(values, from_zero),
        Scale::Log => log(values),
    };
    let ticks = ticks::ticks(low, high, scale);
    Axis { title, scale, low, high, ticks }
}

fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |found, value| {
        Some(found.map_or((value, value), |(low, high): (f64, f64)| (low.min(value), high.max(value))))
    })
}

fn linear(values: &[f64], from_zero: bool) -> (f64, f64) {
    let Some((low, high)) = bounds(values.iter().copied()) else { return (0.0, 1.0) };
    let (from, to) = if low >= high {
        if low == 0.0 { (0.0, 1.0) } else { (low - low.abs() / 2.0, low + low.abs() / 2.0) }
    } else {
        // Halves first: the difference of two finite numbers need not be finite.
        let margin = (high / 2.0 - low / 2.0) * (2.0 * MARGIN);
        let from = if from_zero && low >= 0.0 && low <= high / 2.0 { 0.0 } else { low - margin };
        // Values that are nowhere negative need no room below zero.
        (if low >= 0.0 { from.max(0.0) } else { from }, high + margin)
    };
    ordered(from, to)
}

fn log(values: &[f64]) -> (f64, f64) {
    let zeros = values.iter().any(|&value| value <= 0.0);
    let Some((low, high)) = bounds(values.iter().copied().filter(|&value| value > 0.0)) else {
        return (0.1, 1.0);
    };
    let margin = ((high.ln() - low.ln()) * MARGIN).max(0.1);
    // Zeros sit at the bottom edge and must not look like the smallest value.
    let below = if zeros { margin * 2.0 } else { margin };
    let (low, high) = ((low.ln() - below).exp(), (high.ln() + margin).exp());
    ordered(low.max(f64::from_bits(1)), high)
}

fn ordered(low: f64, high: f64) -> (f64, f64) {
    let low = low.clamp(f64::MIN, f64::MAX);
    let high = high.clamp(f64::MIN, f64::MAX);
    if low < high {
        (low, high)
    } else if low < f64::MAX {
        (low, low.next_up())
    } else {
        (low.next_down(), low)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn log_only_above_ten_and_without_negatives() {
        assert_eq!(decide([1.0, 10.0]), Scale::Linear);
        assert_eq!(decide([1.0, 10.1]), Scale::Log);
        assert_eq!(decide([0.0, 1.0, 10.1]), Scale::Log);
        assert_eq!(decide([-1.0, 1.0, 100.0]), Scale::Linear);
        assert_eq!(decide([]), Scale::Linear);
        assert_eq!(decide([0.0, 0.0]), Scale::Linear);
        assert_eq!(decide([1e-300, f64::MAX]), Scale::Log);
    }

    #[test]
    fn degenerate_values_have_an_axis() {
        for values in [&[][..], &[0.0], &[5.0], &[-5.0], &[f64::MAX], &[f64::MIN, f64::MAX], &[5e-324]] {
            for scale in [Scale::Linear, Scale::Log] {
                let axis = axis(String::new(), values, scale, true);
                assert!(axis.low < axis.high && axis.low.is_finite() && axis.high.is_finite(), "{axis:?}");
            }
        }
        assert!(axis(String::new(), &[0.0, 1.0, 100.0], Scale::Log, false).low > 0.0);
    }

    #[test]
    fn negative_values_force_a_linear_axis() {
        assert_eq!(axis(String::new(), &[-1.0, 1.0], Scale::Log, false).scale, Scale::Linear);
    }

    proptest! {
        #[test]
        fn every_value_is_inside(values in prop::collection::vec(any::<f64>(), 0..20), is_log in any::<bool>()) {
            let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
            let wanted = if is_log { Scale::Log } else { Scale::Linear };
            let axis = axis(String::new(), &values, wanted, false);
            prop_assert!(axis.low < axis.high);
            prop_assert!(axis.low.is_finite() && axis.high.is_finite());
            for &value in &values {
                let at = axis.position(value);
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&at), "{value} at {at} on {axis:?}");
            }
        }
    }
}
