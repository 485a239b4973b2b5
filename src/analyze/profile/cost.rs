//! Cost by function, by file and by source line.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::Weights;
use crate::evidence::profile::{CallTree, OTHER, Profile};
use crate::evidence::{Name, Number};
use crate::text::file::short;

/// What a function costs.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCost {
    /// The function's name, or the whole label where it does not tell the name apart.
    pub function: String,
    /// Its file, when known.
    pub file: Option<Name>,
    /// What was spent in it itself.
    pub own: Number,
    /// What was spent in it and in everything that it called. A function that calls itself counts once.
    pub inclusive: Number,
}

/// The cost of every function of a profile that holds stacks, by own cost, then inclusive cost, the largest first.
/// Functions of one name in one file are one, whatever the line.
pub fn functions(profile: &Profile) -> Vec<FunctionCost> {
    let weights = Weights::of(profile);
    let tree = &profile.tree;
    let mut ids: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    let mut costs: Vec<(FunctionCost, bool)> = Vec::new();
    let of_frame: Vec<usize> = tree
        .frames
        .iter()
        .map(|frame| {
            *ids.entry((frame.name(), frame.file.as_deref())).or_insert_with(|| {
                let cost = FunctionCost {
                    function: frame.name().to_owned(),
                    file: frame.file.clone(),
                    own: Number::ZERO,
                    inclusive: Number::ZERO,
                };
                costs.push((cost, false));
                costs.len() - 1
            })
        })
        .collect();
    // The nodes from the outermost to the present one, and how often each function is among them.
    let mut open: Vec<u32> = Vec::new();
    let mut depth = vec![0_u32; costs.len()];
    for (at, node) in (0..).zip(&tree.nodes).skip(1) {
        while open.last().is_some_and(|last| *last != node.parent) {
            if let Some(closed) = open.pop() {
                depth[of_frame[tree.nodes[closed as usize].frame as usize]] -= 1;
            }
        }
        let function = of_frame[node.frame as usize];
        if weights.seen[at as usize] {
            let (cost, seen) = &mut costs[function];
            cost.own = cost.own + weights.own[at as usize];
            if depth[function] == 0 {
                cost.inclusive = cost.inclusive + weights.inclusive[at as usize];
            }
            *seen = true;
        }
        depth[function] += 1;
        open.push(at);
    }
    let mut costs: Vec<FunctionCost> =
        costs.into_iter().filter(|(_, seen)| *seen).map(|(cost, _)| cost).collect();
    costs.sort_by(|a, b| {
        let key = |cost: &FunctionCost| (Reverse(cost.own), Reverse(cost.inclusive));
        key(a).cmp(&key(b)).then_with(|| (&a.function, &a.file).cmp(&(&b.function, &b.file)))
    });
    costs
}

/// What a source line or a file costs.
#[derive(Debug, Clone, PartialEq)]
pub struct LineCost {
    /// The file, shortened.
    pub file: String,
    /// The line from 1; 0 for a whole file, and where the line is not known.
    pub line: u32,
    /// What was spent there itself.
    pub weight: Number,
}

impl LineCost {
    /// `file:line`, or the file alone.
    pub fn label(&self) -> String {
        if self.line == 0 { self.file.clone() } else { format!("{}:{}", self.file, self.line) }
    }

    /// Whether it stands for everything beyond the collector's limit.
    pub fn is_other(&self) -> bool {
        self.file == OTHER
    }
}

/// Cost by source line or by file.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// By weight, the largest first, then by label.
    pub costs: Vec<LineCost>,
    /// Weight of stacks whose place is not known; not part of `costs`.
    pub unplaced: Number,
}

/// Cost by source line. Where no source line was recorded, the innermost frame tells it.
pub fn sites_by_line(profile: &Profile) -> Lines {
    by(profile, |line| line)
}

/// Cost by file.
pub fn sites_by_file(profile: &Profile) -> Lines {
    by(profile, |_| 0)
}

fn by(profile: &Profile, keep: impl Fn(u32) -> u32) -> Lines {
    let files: Vec<String> = profile.sites.iter().map(|site| short(&site.file)).collect();
    let mut sums: BTreeMap<(&str, u32), Number> = BTreeMap::new();
    let mut unplaced = Number::ZERO;
    let mut frames: BTreeMap<u32, String> = BTreeMap::new();
    for stack in profile.stacks.iter().filter(|stack| stack.site.is_none() && stack.leaf != CallTree::ROOT) {
        if let Some(file) = profile.tree.frame(stack.leaf).and_then(|frame| frame.file.as_deref()) {
            frames.entry(profile.tree.nodes[stack.leaf as usize].frame).or_insert_with(|| short(file));
        }
    }
    for stack in &profile.stacks {
        let key = match stack
            .site
            .and_then(|site| Some((files.get(site as usize)?, profile.sites.get(site as usize)?)))
        {
            Some((file, site)) => Some((file.as_str(), site.line)),
            None => profile.tree.nodes.get(stack.leaf as usize).and_then(|node| {
                let frame = profile.tree.frames.get(node.frame as usize)?;
                Some((frames.get(&node.frame)?.as_str(), frame.line))
            }),
        };
        match key {
            Some((file, line)) => {
                let sum = sums.entry((file, keep(line))).or_insert(Number::ZERO);
                *sum = *sum + stack.weight;
            }
            None => unplaced = unplaced + stack.weight,
        }
    }
    let cost =
        |((file, line), weight): ((&str, u32), Number)| LineCost { file: file.to_owned(), line, weight };
    let mut costs: Vec<LineCost> = sums.into_iter().map(cost).collect();
    costs.sort_by_cached_key(|cost| (Reverse(cost.weight), cost.label()));
    Lines { costs, unplaced }
}
