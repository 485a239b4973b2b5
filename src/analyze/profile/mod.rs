//! What profiles say in sum: cost by function, file and line, shares, heat maps, flame graphs, differences.
//!
//! Pure functions over [`Profile`]s. Weights are added exactly while they are whole numbers, and in a fixed order
//! always, so the same evidence gives the same sums.

mod cost;
mod difference;
mod flame;
mod heat;
mod merge;
mod share;
#[cfg(test)]
mod tests;

pub use cost::{FunctionCost, LineCost, Lines, functions, sites_by_file, sites_by_line};
pub use difference::{Change, Difference, Matching, NodeChange, difference};
pub use flame::{Bar, Flame, FrameStatus, flame, node_status};
pub use heat::{Heat, heat};
pub use merge::merge;
pub use share::{Folded, Shares, Slice, shares};

use crate::evidence::Number;
use crate::evidence::profile::{CallTree, Profile};

/// Fewer samples than this give coarse shares: one sample more or less is a percent or more.
pub const COARSE: u64 = 100;

/// Whether the profile counts so few samples that its shares are coarse. None says that it counts none.
pub fn is_coarse(profile: &Profile) -> bool {
    profile.samples.is_some_and(|samples| samples < COARSE)
}

/// The weight of every node of a profile's tree.
#[derive(Debug, Clone)]
pub struct Weights {
    /// What was spent in the node itself.
    pub own: Vec<Number>,
    /// What was spent in it and in everything that it called.
    pub inclusive: Vec<Number>,
    /// Whether a stack of this profile passes through the node. A tree may be shared with another metric.
    pub seen: Vec<bool>,
}

impl Weights {
    /// Adds up a profile.
    pub fn of(profile: &Profile) -> Self {
        let nodes = &profile.tree.nodes;
        let mut own = vec![Number::ZERO; nodes.len().max(1)];
        let mut seen = vec![false; own.len()];
        for stack in &profile.stacks {
            let at = stack.leaf as usize;
            own[at] = if seen[at] { own[at] + stack.weight } else { stack.weight };
            seen[at] = true;
        }
        let mut inclusive = own.clone();
        for (at, node) in nodes.iter().enumerate().skip(1).rev() {
            if seen[at] {
                let parent = node.parent as usize;
                inclusive[parent] =
                    if seen[parent] { inclusive[parent] + inclusive[at] } else { inclusive[at] };
                seen[parent] = true;
            }
        }
        Self { own, inclusive, seen }
    }

    /// The sum of all stacks.
    pub fn sum(&self) -> Number {
        self.inclusive[CallTree::ROOT as usize]
    }
}

/// 100 · part / whole; 0 where the whole is 0.
pub fn percentage(part: Number, whole: Number) -> f64 {
    if whole.is_zero() {
        return 0.0;
    }
    let per_cent = 100.0 * part.as_f64() / whole.as_f64();
    // A hundred times the part may be more than a float holds.
    if per_cent.is_finite() { per_cent } else { 100.0 * (part.as_f64() / whole.as_f64()) }
}
