//! Shares of a total, the small ones folded (PerfChecker formats §3.5).

use super::{LineCost, percentage};
use crate::evidence::Number;

/// Shares of source lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// Lines that stand alone, the largest first.
    pub slices: Vec<Slice>,
    /// The rest, as one.
    pub folded: Option<Folded>,
    /// Sum of all lines.
    pub total: Number,
}

/// A line and its share.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The line.
    pub cost: LineCost,
    /// 100 · weight / total; 0 where the total is 0.
    pub percentage: f64,
}

/// Several lines as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Folded {
    /// How many.
    pub sites: usize,
    /// Their sum.
    pub weight: Number,
    /// 100 · weight / total.
    pub percentage: f64,
}

/// Keeps lines of at least `least` percent, at most `top` of them and always at least one slot for the rest; folds
/// all others into one. A line of exactly `least` percent stays; a total of 0 has no shares, so all is folded.
/// `costs` come largest first. The steps are those of §3.5, so a saved plot and this agree.
pub fn shares(costs: &[LineCost], top: usize, least: f64) -> Shares {
    let total: Number = costs.iter().map(|cost| cost.weight).sum();
    let large = |cost: &&LineCost| !total.is_zero() && percentage(cost.weight, total) >= least;
    let mut kept = costs.iter().filter(large).count();
    let limit = top.max(2);
    if kept < costs.len() || kept > limit {
        kept = kept.min(limit - 1);
    }
    let (alone, rest) = costs.split_at(kept);
    let slice = |cost: &LineCost| Slice { cost: cost.clone(), percentage: percentage(cost.weight, total) };
    let weight: Number = rest.iter().map(|cost| cost.weight).sum();
    let folded = Folded { sites: rest.len(), weight, percentage: percentage(weight, total) };
    Shares {
        slices: alone.iter().map(slice).collect(),
        folded: Some(folded).filter(|folded| folded.sites > 0),
        total,
    }
}
