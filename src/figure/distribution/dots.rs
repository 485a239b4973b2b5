//! Which samples have a dot of their own where there are too many for all.

use crate::figure::chart::{Axis, Spread};
use crate::figure::thin::WHOLE;

/// Most dots of a figure: beyond that they hide each other and pages grow heavy.
pub(super) const MOST: usize = 4_000;
/// Heights that dots are sorted by: about 2 px each.
const BINS: usize = 132;

/// Chooses the dots of every target. The first, the smallest and the largest sample always have one. Where
/// samples are too many, each height of the figure keeps equally many dots, as far as it has them: single
/// samples far from the others stay.
pub(super) fn choose(spreads: &mut [Option<Spread>], axis: &Axis) {
    let room = if spreads.len() > WHOLE { 0 } else { (MOST / spreads.len().max(1)).max(3) };
    let total: usize = spreads.iter().flatten().map(|spread| spread.samples.len()).sum();
    for spread in spreads.iter_mut().flatten() {
        let count = spread.samples.len();
        spread.dots = match room {
            0 => Vec::new(),
            _ if total <= MOST || count <= room => (0..count).collect(),
            _ => chosen(&spread.samples, axis, room),
        };
    }
}

fn chosen(samples: &[f64], axis: &Axis, room: usize) -> Vec<usize> {
    let bin = |value: f64| (axis.position(value).clamp(0.0, 1.0) * (BINS - 1) as f64).round() as usize;
    let mut bins: Vec<Vec<usize>> = vec![Vec::new(); BINS];
    for (at, value) in samples.iter().enumerate() {
        bins[bin(*value)].push(at);
    }
    let end = |wanted: fn(f64, f64) -> bool| {
        samples.iter().enumerate().fold(
            0,
            |best, (at, value)| {
                if wanted(*value, samples[best]) { at } else { best }
            },
        )
    };
    let mut kept = vec![0, end(|a, b| a < b), end(|a, b| a > b)];
    // Round by round one more from each height, in the recorded order.
    let mut round = 0;
    while kept.len() < room {
        let before = kept.len();
        let next: Vec<usize> = bins.iter().filter_map(|bin| bin.get(round).copied()).collect();
        let free = room - kept.len();
        // What does not fit any more is thinned evenly over the heights.
        let step = next.len().div_ceil(free).max(1);
        kept.extend(next.into_iter().step_by(step));
        round += 1;
        if kept.len() == before {
            break;
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::figure::chart::Scale;
    use crate::figure::scale;

    fn spreads(columns: usize, samples: &[f64]) -> Vec<Option<Spread>> {
        vec![Some(Spread { samples: samples.to_vec(), ..Spread::default() }); columns]
    }

    #[test]
    fn few_samples_keep_all_dots_and_outliers_stay() {
        let axis = |samples: &[f64]| scale::axis(String::new(), samples, Scale::Linear, true);
        let mut all = spreads(3, &[1.0, 2.0, 3.0]);
        choose(&mut all, &axis(&[1.0, 3.0]));
        assert!(all.iter().flatten().all(|spread| spread.dots == [0, 1, 2]));
        let mut many: Vec<f64> = (0..20_000).map(|at| 50.0 + f64::from(at % 7)).collect();
        many[19_000] = 99.0;
        many[19_001] = 3.0;
        many[19_002] = 70.0;
        let mut one = spreads(1, &many);
        choose(&mut one, &axis(&many));
        let dots = &one[0].as_ref().unwrap().dots;
        assert!(dots.len() <= MOST && dots.len() > 1000, "{}", dots.len());
        assert!([0, 19_000, 19_001, 19_002].iter().all(|at| dots.contains(at)));
        let mut wide = spreads(WHOLE + 1, &[1.0, 2.0]);
        choose(&mut wide, &axis(&[1.0, 2.0]));
        assert!(wide.iter().flatten().all(|spread| spread.dots.is_empty()));
    }

    proptest! {
        #[test]
        fn ends_are_kept_and_the_number_is_bounded(
            samples in prop::collection::vec(-1e3..1e3_f64, 3..400), room in 3_usize..50,
        ) {
            let axis = scale::axis(String::new(), &samples, Scale::Linear, true);
            let dots = chosen(&samples, &axis, room);
            prop_assert!(dots.len() <= room);
            prop_assert!(dots.windows(2).all(|pair| pair[0] < pair[1]));
            let drawn = || dots.iter().map(|&at| samples[at]);
            let bounds = |values: &mut dyn Iterator<Item = f64>| {
                values.fold((f64::MAX, f64::MIN), |ends, value| (ends.0.min(value), ends.1.max(value)))
            };
            prop_assert_eq!(bounds(&mut drawn()), bounds(&mut samples.iter().copied()));
            prop_assert_eq!(dots[0], 0);
        }
    }
}
