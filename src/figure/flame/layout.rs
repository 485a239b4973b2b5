//! Where each frame stands, and which are folded because they would be too narrow to be seen.

use std::cmp::Reverse;

use crate::evidence::Number;
use crate::evidence::flame::FlameRow;

/// Frames of a smaller part of the total than this are folded: they would be narrower than a pixel.
pub(super) const LEAST: f64 = 0.001;
/// Most frames that one drawing has. More would be narrower than their edges, and the page too large.
const MOST: usize = 1500;
/// Fewest frames that all samples share and that stand in one row.
const CHAIN: usize = 3;

/// The drawn frames.
pub(super) struct Layout {
    /// Depth first, siblings by weight, the largest first.
    pub(super) placed: Vec<Placed>,
    /// Positions of rows that stand together in the first row; empty when none do.
    pub(super) chain: Vec<usize>,
    /// How many rows of the document are folded.
    pub(super) folded: usize,
    /// What they weigh.
    pub(super) weight: Number,
    /// The smallest part of 1 that is drawn.
    pub(super) least: f64,
}

/// One drawn frame, or the shared ones as one.
pub(super) struct Placed {
    /// Position of the row; of shared frames the last.
    pub(super) at: usize,
    /// Position of the caller among the drawn frames.
    pub(super) parent: Option<usize>,
    pub(super) row: usize,
    pub(super) start: f64,
    pub(super) width: f64,
}

/// What each row weighs: as recorded, and at least as much as what it calls.
pub(super) fn weights(rows: &[FlameRow]) -> Vec<Number> {
    let mut below = vec![Number::ZERO; rows.len()];
    let mut weights: Vec<Number> = rows.iter().map(|row| row.value).collect();
    for at in (0..rows.len()).rev() {
        let floor = if rows[at].implied { below[at] } else { Number::ZERO };
        weights[at] = weights[at].max(floor);
        if let Some(parent) = rows[at].parent {
            below[parent] = below[parent] + weights[at];
        }
    }
    weights
}

/// The weight of each row's own: as recorded, else what its callees leave.
pub(super) fn own(rows: &[FlameRow], weights: &[Number]) -> Vec<Number> {
    let mut left: Vec<Number> = weights.to_vec();
    for (at, row) in rows.iter().enumerate() {
        if let Some(parent) = row.parent {
            left[parent] = minus(left[parent], weights[at]);
        }
    }
    rows.iter().zip(left).map(|(row, left)| row.own.unwrap_or(left)).collect()
}

/// a − b, never below zero; exact for whole numbers, and nothing where floats differ by rounding only.
pub(super) fn minus(a: Number, b: Number) -> Number {
    if let (Some(a), Some(b)) = (a.as_whole(), b.as_whole()) {
        // Whole floats are exact as well, up to where they have no more digits.
        return a.checked_sub(b).and_then(|rest| Number::whole(rest.max(0))).unwrap_or(Number::ZERO);
    }
    let rest = a.as_f64() - b.as_f64();
    let rounding = a.as_f64().abs().max(b.as_f64().abs()) * 1e-9;
    if rest <= rounding { Number::ZERO } else { Number::finite(rest).unwrap_or(Number::ZERO) }
}

/// Lays out the rows of a document over `total`.
pub(super) fn layout(rows: &[FlameRow], total: Number) -> Layout {
    let weights = weights(rows);
    let whole = total.as_f64();
    let part = |at: usize| if whole > 0.0 { (weights[at].as_f64() / whole).clamp(0.0, 1.0) } else { 0.0 };
    let least = least((0..rows.len()).map(part).collect());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    let mut outermost = Vec::new();
    let mut drawn = vec![false; rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let seen = part(at) >= least && part(at) > 0.0 && row.parent.is_none_or(|parent| drawn[parent]);
        drawn[at] = seen;
        if seen {
            row.parent.map_or(&mut outermost, |parent| &mut children[parent]).push(at);
        }
    }
    let mut weight = Number::ZERO;
    for (at, row) in rows.iter().enumerate() {
        if !drawn[at] && row.parent.is_none_or(|parent| drawn[parent]) {
            weight = weight + weights[at];
        }
    }
    for list in children.iter_mut().chain([&mut outermost]) {
        list.sort_by_key(|at| Reverse(weights[*at]));
    }
    let shared = outermost.first().is_some_and(|first| part(*first) > 1.0 - 1e-9);
    let chain = if shared { chain(&outermost, &children, &weights) } else { Vec::new() };
    let mut placed = Vec::new();
    // Rows to come, the next one last: caller's place, row, left edge.
    let mut open: Vec<(usize, Option<usize>, usize, f64)> = Vec::new();
    let add = |list: &[usize], parent: Option<usize>, row: usize, start: f64, open: &mut Vec<_>| {
        let mut left = start;
        let first = open.len();
        for &at in list {
            open.push((at, parent, row, left));
            left += part(at);
        }
        open[first..].reverse();
    };
    match chain.last() {
        Some(&last) => open.push((last, None, 0, 0.0)),
        None => add(&outermost, None, 0, 0.0, &mut open),
    }
    while let Some((at, parent, row, start)) = open.pop() {
        let here = placed.len();
        placed.push(Placed { at, parent, row, start, width: part(at).min(1.0 - start) });
        add(&children[at], Some(here), row + 1, start, &mut open);
    }
    let folded = rows.len() - drawn.iter().filter(|drawn| **drawn).count();
    Layout { placed, chain, folded, weight, least }
}

/// The smallest part that is drawn, so that not too many frames are.
fn least(mut parts: Vec<f64>) -> f64 {
    parts.retain(|part| *part >= LEAST);
    if parts.len() <= MOST {
        return LEAST;
    }
    parts.sort_by(f64::total_cmp);
    let limit = parts[parts.len() - MOST - 1];
    // Equal frames are all drawn or all folded.
    parts.into_iter().find(|part| *part > limit).unwrap_or(2.0)
}

/// The frames from the outermost that everything passes through, but for the one where everything ends.
fn chain(outermost: &[usize], children: &[Vec<usize>], weights: &[Number]) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    let mut list = outermost;
    while let [only] = list
        && chain.last().is_none_or(|last| weights[*last] == weights[*only])
        && !children[*only].is_empty()
    {
        chain.push(*only);
        list = &children[*only];
    }
    if chain.len() < CHAIN { Vec::new() } else { chain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_more_frames_are_drawn_than_can_be_seen() {
        assert!((least(vec![0.5, 0.0005]) - LEAST).abs() < 1e-12);
        let mut parts: Vec<f64> = (0..3000).map(|at| 0.001 + f64::from(at) * 1e-6).collect();
        parts.push(0.9);
        let limit = least(parts.clone());
        assert_eq!(parts.iter().filter(|part| **part >= limit).count(), MOST);
        assert!(least(vec![0.01; 2000]) > 1.0, "equal frames are folded together");
    }

    #[test]
    fn what_is_left_is_exact_for_whole_numbers() {
        assert_eq!(minus(Number::Unsigned(u64::MAX), Number::Unsigned(1)), Number::Unsigned(u64::MAX - 1));
        assert_eq!(minus(Number::Float(0.3), Number::Float(0.1 + 0.2)), Number::ZERO);
        assert_eq!(minus(Number::Unsigned(1), Number::Unsigned(2)), Number::ZERO);
    }
}
