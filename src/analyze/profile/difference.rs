//! What changed between two profiles, path by path and function by function.
//!
//! Both totals are kept: a path can weigh more and still be a smaller share. Nothing is scaled.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::merge::graft;
use super::{Weights, functions};
use crate::evidence::profile::{CallTree, Frame, Profile, TreeBuilder};
use crate::evidence::{Name, Number};

/// When frames of two profiles are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// When their labels are the same.
    Exact,
    /// When function and the last two parts of the file are the same: lines move between versions, and so do the
    /// folders that packages are installed in. Labels that do not tell a function apart must be the same.
    Moved,
}

/// Two profiles over one tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The paths of both.
    pub tree: Arc<CallTree>,
    /// Aligned with the tree's nodes.
    pub nodes: Vec<NodeChange>,
    /// Totals before and after.
    pub totals: [Number; 2],
}

/// One path before and after; none where it was not observed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NodeChange {
    /// Weight with everything below.
    pub inclusive: [Option<Number>; 2],
    /// Weight of its own.
    pub own: [Option<Number>; 2],
}

/// A function before and after; none where it was not observed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The function's name, or the whole label.
    pub function: String,
    /// The last two parts of its file, when known.
    pub file: Option<String>,
    /// Weight of its own.
    pub own: [Option<Number>; 2],
    /// Weight with everything that it called.
    pub inclusive: [Option<Number>; 2],
}

/// A part of 1 of each total; 0 where not observed.
fn shares(weights: [Option<Number>; 2], totals: [Number; 2]) -> [f64; 2] {
    let share = |at: usize| match weights[at] {
        Some(weight) if !totals[at].is_zero() => weight.as_f64() / totals[at].as_f64(),
        _ => 0.0,
    };
    [share(0), share(1)]
}

impl Difference {
    /// The inclusive share of a node before and after, as parts of 1.
    pub fn shares(&self, node: u32) -> [f64; 2] {
        shares(self.nodes.get(node as usize).copied().unwrap_or_default().inclusive, self.totals)
    }
}

impl Change {
    /// The own share before and after, as parts of 1 of these totals.
    pub fn own_shares(&self, totals: [Number; 2]) -> [f64; 2] {
        shares(self.own, totals)
    }

    /// The inclusive share before and after.
    pub fn inclusive_shares(&self, totals: [Number; 2]) -> [f64; 2] {
        shares(self.inclusive, totals)
    }

    /// After − before, own; what was not observed counts as nothing here.
    pub fn own_delta(&self) -> f64 {
        let value = |at: usize| self.own[at].map_or(0.0, Number::as_f64);
        value(1) - value(0)
    }
}

/// The last two parts of a file's path.
fn tail(file: &str) -> String {
    let slashed = file.replace('\\', "/");
    let parts: Vec<&str> = slashed.split('/').collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// The two profiles over one tree, and the functions by the size of the change of their own weight. None when they
/// do not count the same in the same unit.
pub fn difference(
    before: &Profile,
    after: &Profile,
    matching: Matching,
) -> Option<(Difference, Vec<Change>)> {
    if (&before.metric, &before.unit) != (&after.metric, &after.unit) {
        return None;
    }
    let frame = |builder: &mut TreeBuilder, frame: &Frame| match (matching, frame.function(), &frame.file) {
        (Matching::Moved, Some(function), Some(file)) => {
            builder.placed_frame(function, Some(&Name::from(tail(file))), 0)
        }
        (Matching::Moved, Some(function), None) => builder.placed_frame(function, None, 0),
        _ => builder.same_frame(frame),
    };
    let both = [before, after];
    let weights = both.map(Weights::of);
    let mut builder = TreeBuilder::default();
    let grafts: Vec<Vec<u32>> = both
        .iter()
        .zip(&weights)
        .map(|(profile, weights)| graft(&mut builder, &profile.tree, frame, &weights.seen))
        .collect();
    let (tree, places) = builder.finish();
    let tree = Arc::new(tree);
    let mut nodes = vec![NodeChange::default(); tree.nodes.len()];
    for (side, (weights, graft)) in weights.iter().zip(&grafts).enumerate() {
        for (at, node) in graft.iter().enumerate().filter(|(at, _)| weights.seen[*at]) {
            let change = &mut nodes[places[*node as usize] as usize];
            for (sum, weight) in [
                (&mut change.inclusive[side], weights.inclusive[at]),
                (&mut change.own[side], weights.own[at]),
            ] {
                *sum = Some(sum.map_or(weight, |sum| sum + weight));
            }
        }
    }
    let mut changes: BTreeMap<(String, Option<String>), Change> = BTreeMap::new();
    for (side, profile) in both.into_iter().enumerate() {
        for cost in functions(&regrown(profile, &tree, &places, &grafts[side])) {
            let file = cost.file.as_deref().map(str::to_owned);
            let change = changes.entry((cost.function.clone(), file.clone())).or_insert_with(|| Change {
                function: cost.function,
                file,
                own: [None; 2],
                inclusive: [None; 2],
            });
            change.own[side] = Some(cost.own);
            change.inclusive[side] = Some(cost.inclusive);
        }
    }
    let mut changes: Vec<Change> = changes.into_values().collect();
    let size = |change: &Change| Reverse(Number::Float(change.own_delta().abs()));
    changes.sort_by_key(size);
    Some((Difference { tree, nodes, totals: [before.total, after.total] }, changes))
}

/// A profile over the tree of both, for the cost of functions as they were matched.
fn regrown(profile: &Profile, tree: &Arc<CallTree>, places: &[u32], graft: &[u32]) -> Profile {
    let mut own = profile.clone();
    for stack in &mut own.stacks {
        stack.leaf = places[graft.get(stack.leaf as usize).map_or(0, |node| *node as usize)];
    }
    Profile::settle(&mut own.stacks);
    own.tree = tree.clone();
    own
}
