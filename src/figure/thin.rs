//! Which marks of a very large figure are drawn: where a pixel would hold several, the lowest and the highest
//! of every few neighbours stand for all of them.
//!
//! Nothing is averaged and nothing is moved: every drawn mark is a recorded one at its own place, and no gap
//! is lost. Table, CSV, readings and document keep every value.

/// Most columns at which a point has a mark of its own. With more, marks would cover the line that joins them.
pub const MARKED: usize = 400;

/// Most columns whose points are all drawn.
pub const WHOLE: usize = 1000;

/// Most rows of a table that stands whole under its figure.
pub const ROWS: usize = 1000;

/// How many of the newest rows stand under a figure whose table is longer.
pub const NEWEST: usize = 50;

/// Groups of neighbours in a drawing of usual width that does not.
const GROUPS: usize = 500;

/// How many neighbouring columns of a figure share their lowest and highest mark; 1 where every mark is drawn.
pub fn neighbours(columns: usize) -> usize {
    if columns <= WHOLE { 1 } else { columns.div_ceil(GROUPS) }
}

/// The columns whose marks are drawn, in order. `value` gives what is drawn at a column, none for a gap. Of
/// every `neighbours` columns the lowest and the highest value stay, and the first and the last that stand
/// beside a gap or an end; so do those of `always` that have a value.
pub fn kept(
    columns: usize,
    neighbours: usize,
    always: &[usize],
    value: impl Fn(usize) -> Option<f64>,
) -> Vec<usize> {
    let value = |column: usize| value(column).filter(|value| value.is_finite());
    if neighbours <= 1 {
        return (0..columns).filter(|&column| value(column).is_some()).collect();
    }
    let beside_gap = |column: usize| {
        column == 0 || column + 1 == columns || value(column - 1).is_none() || value(column + 1).is_none()
    };
    let mut kept: Vec<usize> = Vec::with_capacity(columns / neighbours * 2 + always.len() + 2);
    for start in (0..columns).step_by(neighbours) {
        let own = start..(start + neighbours).min(columns);
        let mut lowest: Option<(usize, f64)> = None;
        let mut highest: Option<(usize, f64)> = None;
        let mut edges: Option<(usize, usize)> = None;
        for column in own {
            let Some(value) = value(column) else { continue };
            if lowest.is_none_or(|lowest| value < lowest.1) {
                lowest = Some((column, value));
            }
            if highest.is_none_or(|highest| value > highest.1) {
                highest = Some((column, value));
            }
            if beside_gap(column) {
                edges = Some((edges.map_or(column, |edges| edges.0), column));
            }
        }
        kept.extend(lowest.into_iter().chain(highest).map(|found| found.0));
        kept.extend(edges.into_iter().flat_map(|edges| [edges.0, edges.1]));
    }
    kept.extend(always.iter().copied().filter(|&column| column < columns && value(column).is_some()));
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_large_figures_are_thinned() {
        for (columns, expected) in [(0, 1), (200, 1), (1000, 1), (1001, 3), (5000, 10)] {
            assert_eq!(neighbours(columns), expected, "{columns} columns");
        }
    }

    proptest! {
        #[test]
        fn lowest_highest_first_last_and_gaps_stay(
            values in prop::collection::vec(prop::option::weighted(0.8, -1e3..1e3_f64), 1..200),
            neighbours in 1..20_usize,
            asked in 0..200_usize,
        ) {
            let kept = kept(values.len(), neighbours, &[asked], |column| values[column]);
            prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(kept.iter().all(|&column| values[column].is_some()));
            let present: Vec<usize> = (0..values.len()).filter(|&column| values[column].is_some()).collect();
            prop_assert_eq!(kept.first(), present.first());
            prop_assert_eq!(kept.last(), present.last());
            if values.get(asked).is_some_and(Option::is_some) {
                prop_assert!(kept.contains(&asked));
            }
            for start in (0..values.len()).step_by(neighbours) {
                let own = start..(start + neighbours).min(values.len());
                let all = || own.clone().filter_map(|column| values[column]);
                let drawn = || kept.iter().filter(|column| own.contains(column)).filter_map(|&column| values[column]);
                prop_assert_eq!(all().reduce(f64::min), drawn().reduce(f64::min));
                prop_assert_eq!(all().reduce(f64::max), drawn().reduce(f64::max));
                prop_assert!(drawn().count() <= 4 + usize::from(own.contains(&asked)));
            }
        }
    }
}
