//! Profiles: weights by call stack and by source line, from whichever file recorded them.
//!
//! A profile is a list of [`Stack`]s over a [`CallTree`]. Each weight is recorded once, where it was spent; what a
//! caller costs with everything it calls is arithmetic (see `analyze::profile`). Profiles of one case and target
//! that were recorded together, such as bytes and counts of the same allocations, share one tree.

mod tree;

use std::sync::Arc;

pub use tree::{CallTree, Frame, Node, TreeBuilder, note};

use super::{Name, Number, TargetKind};

/// One profile: one metric of one feature and target.
#[derive(Debug, Clone)]
pub struct Profile {
    /// File that it was read from, below the source.
    pub path: String,
    /// Run that it comes from, when recorded.
    pub run_id: Option<String>,
    /// Package name, when recorded.
    pub package: Option<Name>,
    /// Feature, when recorded.
    pub feature: Option<Name>,
    /// Workload, when recorded.
    pub workload: Option<Name>,
    /// Target label; none means that no target may be assumed.
    pub target: Option<Name>,
    /// Target kind, when recorded.
    pub target_kind: Option<TargetKind>,
    /// Collector or tool that took it; `unknown` when not recorded.
    pub tool: Name,
    /// Id of the measurement definition, when recorded.
    pub definition: Option<Name>,
    /// What the weights are: a metric id or the tool's own word, such as `Ir`.
    pub metric: Name,
    /// Unit of the weights as recorded.
    pub unit: Name,
    /// What sort of thing the weights count.
    pub kind: ProfileKind,
    /// What it was read from.
    pub origin: Origin,
    /// Every call path; may hold paths that only another profile of the same tree has weights for.
    pub tree: Arc<CallTree>,
    /// The weights, each where it was spent, sorted by leaf, then site. No two share leaf and site.
    pub stacks: Vec<Stack>,
    /// Weights that were spent in dispatch at run time or in the garbage collector, by node, sorted.
    pub marks: Vec<Mark>,
    /// Source lines that stacks name, sorted by file, then line.
    pub sites: Vec<Site>,
    /// How many rows were recorded; equal stacks of several rows are one [`Stack`].
    pub rows: usize,
    /// How many samples were taken, when the weights count samples.
    pub samples: Option<u64>,
    /// Sum of all weights, or the total that the document records.
    pub total: Number,
    /// What is not in it, or not told apart.
    pub partial: Vec<Partial>,
}

/// What the weights of a profile count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProfileKind {
    /// Samples of running tasks.
    Cpu,
    /// Samples of all tasks, waiting ones included.
    Wall,
    /// Allocated bytes or allocations.
    Allocation,
    /// Anything else.
    Other,
}

impl ProfileKind {
    /// Tells the kind from a metric id, such as `julia.cpu.samples`.
    pub fn of_metric(metric: &str) -> Self {
        let mut parts = metric.split('.');
        let samples = metric.ends_with(".samples");
        if parts.any(|part| part == "alloc") {
            Self::Allocation
        } else if samples && metric.contains(".cpu.") {
            Self::Cpu
        } else if samples && metric.contains(".wall.") {
            Self::Wall
        } else {
            Self::Other
        }
    }

    /// The word for ids and classes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
            Self::Allocation => "allocation",
            Self::Other => "other",
        }
    }
}

/// What a profile was read from; says how much of the original it can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Every stack that was recorded: rows of a run, or a tool's own file.
    Recorded,
    /// A saved plot of this kind, which holds what the plot shows.
    Plot(Name),
}

/// A weight and where it was spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stack {
    /// Innermost node of the path in the tree; [`CallTree::ROOT`] when no stack was recorded.
    pub leaf: u32,
    /// Position of the source line in [`Profile::sites`], when recorded.
    pub site: Option<u32>,
    /// The weight in the profile's unit.
    pub weight: Number,
}

/// What part of a node's weight (with everything below it) was marked by the collector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The node.
    pub node: u32,
    /// Weight of stacks in which this frame was a call dispatched at run time.
    pub dispatch: Number,
    /// Weight of stacks in which this frame was the garbage collector.
    pub collector: Number,
}

/// A source line, or a file where no line is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// File as recorded: an absolute path, a shortened one, or `[other]`.
    pub file: Name,
    /// Line from 1; 0 when not known.
    pub line: u32,
}

/// What a collector writes as file and frame of everything beyond its own limit.
pub const OTHER: &str = "[other]";

/// Something that a profile does not hold or does not tell apart.
#[derive(Debug, Clone, PartialEq)]
pub enum Partial {
    /// Stacks beyond the collector's limit are one row of this weight; it is part of the total.
    Other(Number),
    /// Only the heaviest stacks were saved, this many; the total is their sum, so shares are of that.
    HeaviestStacks(usize),
    /// Only the heaviest source lines were saved, this many; the total is their sum.
    HeaviestSites(usize),
    /// Source lines of small share are folded into one of this weight.
    Folded {
        /// How many, when recorded.
        sites: Option<u64>,
        /// Their weight; part of the total.
        weight: Number,
    },
    /// Whether a line without a weight was seen and allocated nothing, or was not seen, is not recorded.
    ZeroOrNotObserved,
    /// Rows whose stacks were more than may be kept; their weight is part of the total.
    Cut {
        /// How many rows.
        rows: u64,
        /// Their weight.
        weight: Number,
    },
}

impl Profile {
    /// Whether it holds call paths.
    pub fn has_stacks(&self) -> bool {
        self.stacks.iter().any(|stack| stack.leaf != CallTree::ROOT)
    }

    /// Whether it holds source lines or files.
    pub fn has_sites(&self) -> bool {
        self.stacks.iter().any(|stack| stack.site.is_some())
    }

    /// Sorts stacks, joins those of one path and site, and sums them. The order of `stacks` changes nothing:
    /// weights that are joined are added from the smallest.
    pub fn settle(stacks: &mut Vec<Stack>) -> Number {
        let key = |stack: &Stack| (stack.leaf, stack.site, stack.weight);
        stacks.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.weight.form().cmp(&b.weight.form())));
        stacks.dedup_by(|next, first| {
            let same = (next.leaf, next.site) == (first.leaf, first.site);
            if same {
                first.weight = first.weight + next.weight;
            }
            same
        });
        stacks.iter().map(|stack| stack.weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_tell_their_kind() {
        for (metric, kind) in [
            ("julia.cpu.samples", ProfileKind::Cpu),
            ("julia.wall.samples", ProfileKind::Wall),
            ("julia.alloc.bytes", ProfileKind::Allocation),
            ("julia.wall.time", ProfileKind::Other),
            ("Ir", ProfileKind::Other),
        ] {
            assert_eq!(ProfileKind::of_metric(metric), kind, "{metric}");
        }
    }

    #[test]
    fn stacks_settle_to_the_same_whatever_their_order() {
        let stack = |leaf, site, weight| Stack { leaf, site, weight };
        let float = Number::Float;
        let rows = [
            stack(2, None, float(1e16)),
            stack(1, Some(0), Number::Unsigned(3)),
            stack(2, None, float(1.0)),
            stack(2, None, float(-1e16)),
            stack(1, Some(1), Number::Unsigned(4)),
            stack(1, Some(0), Number::Unsigned(u64::MAX)),
        ];
        let mut forward = rows.to_vec();
        let mut backward: Vec<_> = rows.iter().rev().copied().collect();
        let totals = [Profile::settle(&mut forward), Profile::settle(&mut backward)];
        assert_eq!(forward, backward);
        assert_eq!(totals[0].to_string(), totals[1].to_string());
        assert_eq!(forward.len(), 3);
        assert_eq!(
            forward[0].weight.to_string(),
            "1.8446744073709552e+19",
            "beyond 64 bits: the nearest float"
        );
    }
}
