//! The axis of changes: linear, through 0, and not longer than most bars need.

use crate::figure::chart::{Axis, Scale};
use crate::figure::scale;

/// The largest change must be this many times as large as the largest of those that are shown whole before the
/// axis ends short of it: then they would be no more than hairs. What is cut is often what matters most.
const WORTH: f64 = 60.0;
/// Fewer changes than this are all shown whole: there is no telling which of them is the odd one.
const LEAST: usize = 4;
/// Room for a bar that reaches beyond the axis, as a part of its length.
const BEYOND: f64 = 0.12;

/// The largest size of a change that the axis must show whole. Far out are changes beyond the third quartile
/// of the sizes by more than three times the distance of the quartiles; at most a quarter of all can be so.
pub(super) fn inside(changes: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = changes.iter().map(|change| change.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let largest = sizes.last().copied().unwrap_or(0.0);
    if sizes.len() < LEAST {
        return largest;
    }
    let at = |part: f64| {
        let place = (sizes.len() - 1) as f64 * part;
        let (low, high) = (sizes[place.floor() as usize], sizes[place.ceil() as usize]);
        low + (high - low) * place.fract()
    };
    let (low, high) = (at(0.25), at(0.75));
    let fence = high + 3.0 * (high - low);
    let kept = sizes.iter().rev().copied().find(|&size| size <= fence).unwrap_or(largest);
    if kept > 0.0 && largest > kept * WORTH { kept } else { largest }
}

/// The axis of `changes` that shows those of at most `shown` whole.
pub(super) fn axis(changes: &[f64], shown: f64) -> Axis {
    let kept = changes.iter().copied().filter(|change| change.abs() <= shown);
    let values: Vec<f64> = kept.chain([0.0]).collect();
    let axis = scale::axis(String::new(), &values, Scale::Linear, true);
    let room = (axis.high / 2.0 - axis.low / 2.0) * 2.0 * BEYOND;
    let beyond = |sign: f64| changes.iter().any(|change| change * sign > shown);
    let (down, up) = (beyond(-1.0), beyond(1.0));
    let ends = [if down { axis.low - room } else { axis.low }, if up { axis.high + room } else { axis.high }];
    if !(down || up) || ends.iter().any(|end| !end.is_finite()) {
        return axis;
    }
    let ticks = crate::figure::ticks::ticks(ends[0], ends[1], Scale::Linear);
    Axis { low: ends[0], high: ends[1], ticks, ..axis }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_far_change_does_not_flatten_the_others() {
        for (changes, shown) in [
            (&[1.0, -2.0, 3.0, 900.0, 2.0][..], 3.0),
            // Too few to tell which is the odd one.
            (&[1.0, -2.0, 900.0], 900.0),
            (&[1.0, -2.0, 3.0, 4.0, 6.0], 6.0),
            // A single change among none is what the figure shows.
            (&[0.0, 0.0, 0.0, 0.0, 5.0], 5.0),
            (&[], 0.0),
        ] {
            assert!((inside(changes) - shown).abs() < 1e-12, "{changes:?}");
        }
        let axis = axis(&[1.0, -2.0, 3.0, 900.0, 2.0], 3.0);
        assert!(axis.high > 3.5 && axis.high < 6.0 && axis.low < -2.0, "{axis:?}");
    }

    proptest! {
        #[test]
        fn most_changes_and_zero_are_inside(changes in prop::collection::vec(-1e300..1e300_f64, 0..40)) {
            let axis = axis(&changes, inside(&changes));
            prop_assert!(axis.low < axis.high && axis.low.is_finite() && axis.high.is_finite());
            prop_assert!((0.0..=1.0).contains(&axis.position(0.0)));
            let out = changes.iter().filter(|&&change| !(0.0..=1.0).contains(&axis.position(change))).count();
            prop_assert!(out * 4 <= changes.len(), "{out} of {}", changes.len());
        }
    }
}
