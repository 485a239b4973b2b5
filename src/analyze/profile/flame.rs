//! A flame graph as plain bars: where each node stands, and what was too small to be drawn.

use std::cmp::Reverse;

use super::Weights;
use crate::evidence::Number;
use crate::evidence::profile::{CallTree, Mark, Profile, note};

/// What is remarkable about a frame (PerfChecker formats §3.6). The first that applies counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameStatus {
    /// Some of its weight was a call dispatched at run time.
    RuntimeDispatch,
    /// Inference knew no concrete type.
    InferenceWarning,
    /// Some of its weight was the garbage collector.
    GarbageCollector,
    /// Nothing.
    Normal,
}

impl FrameStatus {
    /// The recorded word.
    pub fn word(self) -> &'static str {
        match self {
            Self::RuntimeDispatch => "runtime_dispatch",
            Self::InferenceWarning => "inference_warning",
            Self::GarbageCollector => "gc_event",
            Self::Normal => "normal",
        }
    }
}

/// The status of a node of a profile.
pub fn node_status(profile: &Profile, node: u32) -> FrameStatus {
    status(&profile.tree, node, mark(profile, node))
}

fn mark(profile: &Profile, node: u32) -> Option<Mark> {
    let at = profile.marks.binary_search_by_key(&node, |mark| mark.node).ok()?;
    profile.marks.get(at).copied()
}

fn status(tree: &CallTree, node: u32, mark: Option<Mark>) -> FrameStatus {
    const DOUBTFUL: u16 = note::ANY | note::UNION | note::ABSTRACT | note::DOUBTFUL;
    let weighs = |number: Number| number > Number::ZERO;
    let notes = tree.notes(node);
    if notes & note::DISPATCHED != 0 || mark.is_some_and(|mark| weighs(mark.dispatch)) {
        FrameStatus::RuntimeDispatch
    } else if notes & DOUBTFUL != 0 {
        FrameStatus::InferenceWarning
    } else if notes & note::COLLECTED != 0 || mark.is_some_and(|mark| weighs(mark.collector)) {
        FrameStatus::GarbageCollector
    } else {
        FrameStatus::Normal
    }
}

/// A flame graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Flame {
    /// What the whole width stands for.
    pub total: Number,
    /// The bars, depth first, siblings by weight, the largest first.
    pub bars: Vec<Bar>,
    /// Depth of the deepest bar.
    pub depth: u32,
    /// Weight of frames that were too narrow to be drawn.
    pub folded: Number,
    /// How many they are.
    pub folded_frames: usize,
    /// Weight that was recorded without a stack.
    pub without_stack: Number,
}

/// One frame as called along one path.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Node in the profile's tree.
    pub node: u32,
    /// Position of the caller's bar; none for the outermost frames.
    pub parent: Option<u32>,
    /// From 1 for the outermost frames.
    pub depth: u32,
    /// Left edge, as a part of 1.
    pub start: f64,
    /// Width, as a part of 1.
    pub width: f64,
    /// Weight with everything that it called.
    pub weight: Number,
    /// Weight of its own.
    pub own: Number,
    /// Weight of callees that are folded.
    pub folded: Number,
    /// What is remarkable about it.
    pub status: FrameStatus,
    /// Weight of stacks in which it was dispatched at run time.
    pub dispatch: Number,
    /// Weight of stacks in which it was the garbage collector.
    pub collector: Number,
}

/// Lays a profile out. Frames of less than `least` (a part of 1) of the total are folded with everything that they
/// called; their weight is stated where they were called.
pub fn flame(profile: &Profile, least: f64) -> Flame {
    let weights = Weights::of(profile);
    let tree = &profile.tree;
    let ends = ends(tree);
    let total = profile.total.max(weights.sum());
    let part = |weight: Number| {
        if total.is_zero() { 0.0 } else { (weight.as_f64() / total.as_f64()).clamp(0.0, 1.0) }
    };
    let mut flame = Flame {
        total,
        bars: Vec::new(),
        depth: 0,
        folded: Number::ZERO,
        folded_frames: 0,
        without_stack: weights.own[CallTree::ROOT as usize],
    };
    // Nodes whose bars are still to come: caller's bar, left edge; the next one last.
    let mut open: Vec<(u32, Option<u32>, f64)> = Vec::new();
    let add_children = |node: u32, bar: Option<u32>, start: f64, open: &mut Vec<_>| -> (Number, usize) {
        let mut children: Vec<u32> =
            children(&ends, node).filter(|child| weights.seen[*child as usize]).collect();
        children.sort_by_key(|child| Reverse(weights.inclusive[*child as usize]));
        let (mut left, mut folded, mut frames) = (start, Number::ZERO, 0);
        let mut drawn = Vec::new();
        for child in children {
            let weight = weights.inclusive[child as usize];
            let width = part(weight);
            if width < least || width <= 0.0 {
                folded = folded + weight;
                let inside = child as usize..ends[child as usize] as usize;
                frames += weights.seen[inside].iter().filter(|seen| **seen).count();
            } else {
                drawn.push((child, bar, left));
                left += width;
            }
        }
        open.extend(drawn.into_iter().rev());
        (folded, frames)
    };
    let (folded, frames) = add_children(CallTree::ROOT, None, 0.0, &mut open);
    flame.folded = folded;
    flame.folded_frames = frames;
    while let Some((node, parent, start)) = open.pop() {
        let at = u32::try_from(flame.bars.len()).unwrap_or(u32::MAX);
        let depth = parent.map_or(1, |parent| flame.bars[parent as usize].depth + 1);
        let (folded, frames) = add_children(node, Some(at), start, &mut open);
        flame.folded = flame.folded + folded;
        flame.folded_frames += frames;
        flame.depth = flame.depth.max(depth);
        let mark = mark(profile, node);
        let weight = weights.inclusive[node as usize];
        flame.bars.push(Bar {
            node,
            parent,
            depth,
            start,
            width: part(weight),
            weight,
            own: weights.own[node as usize],
            folded,
            status: status(tree, node, mark),
            dispatch: mark.map_or(Number::ZERO, |mark| mark.dispatch),
            collector: mark.map_or(Number::ZERO, |mark| mark.collector),
        });
    }
    flame
}

/// For every node the position behind the last one below it.
fn ends(tree: &CallTree) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..).take(tree.nodes.len()).collect();
    for (at, node) in tree.nodes.iter().enumerate().skip(1).rev() {
        ends[node.parent as usize] = ends[node.parent as usize].max(ends[at]);
    }
    ends
}

fn children(ends: &[u32], node: u32) -> impl Iterator<Item = u32> {
    let end = ends.get(node as usize).copied().unwrap_or_default();
    let mut next = node + 1;
    std::iter::from_fn(move || {
        let child = next;
        (child < end).then(|| {
            next = ends[child as usize];
            child
        })
    })
}
