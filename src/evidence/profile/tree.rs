//! The prefix tree of call paths.

use std::collections::{BTreeSet, HashMap};

use crate::evidence::Name;

/// All call paths of a profile as one tree. Nodes stand in preorder, siblings by the text of their frames: a parent
/// before its children, everything below a node directly behind it. So equal paths give equal trees, whatever the
/// order in which they were recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallTree {
    /// Every frame once, sorted by label, file and line.
    pub frames: Vec<Frame>,
    /// The nodes; the first is the root, which stands for no frame.
    pub nodes: Vec<Node>,
    /// What was noted about each node, as bits of [`note`]; empty when nothing ever was.
    pub notes: Vec<u16>,
    /// Names of inferred return types, sorted.
    pub type_names: Vec<Name>,
    /// Node and position of an inferred return type, sorted.
    pub types: Vec<(u32, u32)>,
}

/// One node: a frame as called along one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Position in [`CallTree::frames`]; [`Node::NO_FRAME`] for the root.
    pub frame: u32,
    /// The caller's node; the root is its own.
    pub parent: u32,
}

impl Node {
    /// The root's frame.
    pub const NO_FRAME: u32 = u32::MAX;
}

/// A frame: a function at a place, as recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The label as recorded.
    pub label: Name,
    /// How many bytes of the label are the function's name; none when they cannot be told.
    function: Option<u32>,
    /// The file, when it can be told.
    pub file: Option<Name>,
    /// The line from 1; 0 when it cannot be told.
    pub line: u32,
}

/// Bits of what was noted about a frame: what inference knew, and what a saved plot says without a weight.
pub mod note {
    /// A concrete type.
    pub const CONCRETE: u16 = 1;
    /// Any type.
    pub const ANY: u16 = 2;
    /// One of several types.
    pub const UNION: u16 = 4;
    /// An abstract type.
    pub const ABSTRACT: u16 = 8;
    /// Nothing was recorded.
    pub const UNKNOWN: u16 = 16;
    /// A word that is none of these.
    pub const FURTHER: u16 = 32;
    /// The recorded status is an inference warning.
    pub const DOUBTFUL: u16 = 64;
    /// The recorded status is a dispatch at run time.
    pub const DISPATCHED: u16 = 128;
    /// The recorded status is the garbage collector.
    pub const COLLECTED: u16 = 256;
    /// The words of inference, sorted, with their bits.
    pub const WORDS: [(&str, u16); 5] = [
        ("abstract", ABSTRACT),
        ("any", ANY),
        ("concrete", CONCRETE),
        ("union", UNION),
        ("unknown", UNKNOWN),
    ];

    /// The bit of a recorded word of inference.
    pub fn bit(word: &str) -> u16 {
        WORDS.iter().find(|(known, _)| *known == word).map_or(FURTHER, |(_, bit)| *bit)
    }
}

impl Frame {
    /// Takes a label apart where its form leaves no doubt: `function (path:line)`. A label with a second ` (` or
    /// without a line is kept whole: neither a space nor a colon alone separates anything (formats §6, trap 19).
    pub fn recorded(label: Name) -> Self {
        let parts = label.strip_suffix(')').and_then(|rest| {
            let at = rest.find(" (")?;
            let (function, place) = (&rest[..at], &rest[at + 2..]);
            let (file, line) = place.rsplit_once(':')?;
            let plain = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
            let sure = plain && !function.is_empty() && !file.is_empty() && !place.contains(" (");
            Some((u32::try_from(function.len()).ok()?, Name::from(file), line.parse().ok()?)).filter(|_| sure)
        });
        match parts {
            Some((function, file, line)) => Self { label, function: Some(function), file: Some(file), line },
            None => Self { label, function: None, file: None, line: 0 },
        }
    }

    /// A function whose place was recorded apart from its name.
    pub fn placed(function: Name, file: Option<Name>, line: u32) -> Self {
        let whole = u32::try_from(function.len()).ok();
        Self { label: function, function: whole, file, line }
    }

    /// The function's name; none when the label does not tell it apart.
    pub fn function(&self) -> Option<&str> {
        self.label.get(..self.function? as usize)
    }

    /// Changes the label and the file, and takes the label apart anew. Frames that become equal stay two.
    pub fn rewrite(&mut self, mut change: impl FnMut(&str) -> Option<String>) {
        if let Some(label) = change(&self.label) {
            let apart = self.function.is_some_and(|length| length as usize == self.label.len());
            let frame = Self::recorded(label.into());
            if apart {
                self.function = u32::try_from(frame.label.len()).ok();
                self.label = frame.label;
            } else {
                *self = frame;
            }
        }
        if let Some(file) = self.file.as_deref().and_then(&mut change) {
            self.file = Some(file.into());
        }
    }

    /// The function's name, or the whole label.
    pub fn name(&self) -> &str {
        self.function().unwrap_or(&self.label)
    }
}

impl CallTree {
    /// The node of no frame.
    pub const ROOT: u32 = 0;

    /// The frame of a node; none for the root.
    pub fn frame(&self, node: u32) -> Option<&Frame> {
        self.frames.get(self.nodes.get(node as usize)?.frame as usize)
    }

    /// The frames from the outermost to that of `node`.
    pub fn path(&self, node: u32) -> Vec<&Frame> {
        let mut path = Vec::new();
        let mut at = node;
        while at != Self::ROOT
            && let Some(frame) = self.frame(at)
        {
            path.push(frame);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path
    }

    /// Bits of what was noted about a node; none when nothing was.
    pub fn notes(&self, node: u32) -> u16 {
        self.notes.get(node as usize).copied().unwrap_or_default()
    }

    /// Inferred return types of a node, sorted.
    pub fn types(&self, node: u32) -> impl Iterator<Item = &Name> {
        let start = self.types.partition_point(|entry| entry.0 < node);
        self.types[start..]
            .iter()
            .take_while(move |entry| entry.0 == node)
            .filter_map(|entry| self.type_names.get(entry.1 as usize))
    }
}

const NONE: u32 = u32::MAX;

/// Makes a [`CallTree`] path by path.
#[derive(Debug)]
pub struct TreeBuilder {
    names: HashMap<Name, u32>,
    frames: Vec<Frame>,
    nodes: Vec<Node>,
    children: HashMap<u64, u32>,
    notes: Vec<u16>,
    type_ids: HashMap<Name, u32>,
    type_names: Vec<Name>,
    /// The first type of each node; further ones are rare.
    first_type: Vec<u32>,
    more_types: BTreeSet<(u32, u32)>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self {
            names: HashMap::new(),
            frames: Vec::new(),
            nodes: vec![Node { frame: Node::NO_FRAME, parent: CallTree::ROOT }],
            children: HashMap::new(),
            notes: Vec::new(),
            type_ids: HashMap::new(),
            type_names: Vec::new(),
            first_type: Vec::new(),
            more_types: BTreeSet::new(),
        }
    }
}

impl TreeBuilder {
    /// The frame with a recorded label.
    pub fn frame(&mut self, label: &str) -> u32 {
        if let Some(&at) = self.names.get(label) {
            return at;
        }
        let label = Name::from(label);
        self.add(label.clone(), Frame::recorded(label))
    }

    /// The frame of a function whose place was recorded apart from its name.
    pub fn placed_frame(&mut self, function: &str, file: Option<&Name>, line: u32) -> u32 {
        let file_text = file.map_or("", |file| file);
        // A label of its own would have to hold these very characters.
        let key = format!("{function}\u{0}{file_text}\u{0}{line}");
        if let Some(&at) = self.names.get(&*key) {
            return at;
        }
        self.add(key.into(), Frame::placed(function.into(), file.cloned(), line))
    }

    /// A frame of another tree.
    pub fn same_frame(&mut self, frame: &Frame) -> u32 {
        if *frame == Frame::recorded(frame.label.clone()) {
            self.frame(&frame.label)
        } else {
            self.placed_frame(frame.name(), frame.file.as_ref(), frame.line)
        }
    }

    fn add(&mut self, key: Name, frame: Frame) -> u32 {
        let at = index(self.frames.len());
        self.frames.push(frame);
        self.names.insert(key, at);
        at
    }

    /// The node below `parent` with `frame`.
    pub fn child(&mut self, parent: u32, frame: u32) -> u32 {
        let next = index(self.nodes.len());
        let node = *self.children.entry(u64::from(parent) << 32 | u64::from(frame)).or_insert(next);
        if node == next {
            self.nodes.push(Node { frame, parent });
        }
        node
    }

    /// How many nodes there are, the root included.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Notes bits of [`note`] about a node.
    pub fn note(&mut self, node: u32, bits: u16) {
        if self.notes.len() < self.nodes.len() {
            self.notes.resize(self.nodes.len(), 0);
        }
        self.notes[node as usize] |= bits;
    }

    /// Notes an inferred return type of a node; an empty name is none.
    pub fn returns(&mut self, node: u32, name: &str) {
        if !name.is_empty() {
            let id = self.type_id(name);
            self.returns_id(node, id);
        }
    }

    /// The position of a type's name, for [`Self::returns_id`].
    pub fn type_id(&mut self, name: &str) -> u32 {
        if let Some(&at) = self.type_ids.get(name) {
            return at;
        }
        let name = Name::from(name);
        let at = index(self.type_names.len());
        self.type_names.push(name.clone());
        self.type_ids.insert(name, at);
        at
    }

    /// Notes an inferred return type of a node.
    pub fn returns_id(&mut self, node: u32, id: u32) {
        if self.first_type.len() < self.nodes.len() {
            self.first_type.resize(self.nodes.len(), NONE);
        }
        let first = &mut self.first_type[node as usize];
        if *first == NONE {
            *first = id;
        } else if *first != id {
            self.more_types.insert((node, id));
        }
    }

    /// The finished tree, and for every node of the builder its position in it.
    pub fn finish(self) -> (CallTree, Vec<u32>) {
        let Self { names, frames, nodes, children, notes, type_ids, type_names, first_type, more_types } =
            self;
        drop((names, children, type_ids));
        let (frames, frame_rank) = ranked(frames, |a, b| {
            (&a.label, &a.file, a.line, a.function).cmp(&(&b.label, &b.file, b.line, b.function))
        });
        let rank = |node: &Node| frame_rank.get(node.frame as usize).copied().unwrap_or(Node::NO_FRAME);
        let place = preorder(&nodes, frames.len(), rank);
        let mut sorted = vec![Node { frame: Node::NO_FRAME, parent: CallTree::ROOT }; nodes.len()];
        for (node, &at) in nodes.iter().zip(&place) {
            sorted[at as usize] = Node { frame: rank(node), parent: place[node.parent as usize] };
        }
        let (type_names, type_rank) = ranked(type_names, Ord::cmp);
        let first = (0..).zip(first_type).filter(|(_, id)| *id != NONE);
        let mut types: Vec<(u32, u32)> = first
            .chain(more_types)
            .map(|(node, id)| (place[node as usize], type_rank[id as usize]))
            .collect();
        types.sort_unstable();
        let mut bits = if notes.is_empty() { Vec::new() } else { vec![0; sorted.len()] };
        for (&at, own) in place.iter().zip(notes) {
            bits[at as usize] = own;
        }
        (CallTree { frames, nodes: sorted, notes: bits, type_names, types }, place)
    }
}

/// A position; trees are kept far below 2³² nodes, and beyond it all would be the last.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE - 1)
}

/// Sorts a list and gives each old position its new one.
fn ranked<T>(list: Vec<T>, compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> (Vec<T>, Vec<u32>) {
    let mut order: Vec<(u32, T)> = (0..).zip(list).collect();
    order.sort_by(|a, b| compare(&a.1, &b.1));
    let mut rank = vec![0; order.len()];
    for (at, (old, _)) in order.iter().enumerate() {
        rank[*old as usize] = index(at);
    }
    (order.into_iter().map(|(_, item)| item).collect(), rank)
}

/// For every node its place in preorder with siblings by the rank of their frames.
fn preorder(nodes: &[Node], frames: usize, rank: impl Fn(&Node) -> u32) -> Vec<u32> {
    // By frame, then by parent, both by counting: afterwards the children of a node stand together, sorted.
    let by_frame = counted(1..nodes.len(), frames, |at| rank(&nodes[at]) as usize).0;
    let (children, starts) =
        counted(by_frame.into_iter().map(|at| at as usize), nodes.len(), |at| nodes[at].parent as usize);
    let mut place = vec![CallTree::ROOT; nodes.len()];
    let mut next = 0;
    let mut open = vec![CallTree::ROOT];
    while let Some(node) = open.pop() {
        place[node as usize] = next;
        next += 1;
        let at = node as usize;
        open.extend(children[starts[at] as usize..starts[at + 1] as usize].iter().rev());
    }
    place
}

/// Sorts positions by a small key, keeping the order of equal ones; gives where each key starts as well.
fn counted(
    items: impl Iterator<Item = usize> + Clone,
    keys: usize,
    key: impl Fn(usize) -> usize,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; keys + 1];
    for item in items.clone() {
        starts[key(item) + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0; starts[keys] as usize];
    for item in items {
        let slot = &mut next[key(item)];
        sorted[*slot as usize] = index(item);
        *slot += 1;
    }
    (sorted, starts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(label: &str) -> Option<(String, String, u32)> {
        let frame = Frame::recorded(label.into());
        frame
            .function()
            .map(|function| (function.to_owned(), frame.file.as_deref().unwrap().to_owned(), frame.line))
    }

    #[test]
    fn labels_are_taken_apart_only_where_their_form_is_sure() {
        let told = |function: &str, file: &str, line| Some((function.to_owned(), file.to_owned(), line));
        assert_eq!(parts("sort! (Widget/src/sort.jl:12)"), told("sort!", "Widget/src/sort.jl", 12));
        assert_eq!(parts("#3 (a b/ü.jl:7)"), told("#3", "a b/ü.jl", 7));
        assert_eq!(parts("|> (operators.jl:983)"), told("|>", "operators.jl", 983));
        assert_eq!(parts("f (C:\\x.jl:7)"), told("f", "C:\\x.jl", 7));
        for whole in [
            "#30 (f (x)) (core.jl:475)",
            "f (My Files (x86)/core.jl:475)",
            "[other]",
            "f",
            "f ()",
            "f (a)",
            "f (a:)",
            "f (:1)",
            "f (a:-1)",
            "f (a:99999999999)",
            " (a:1)",
            "",
            ")",
        ] {
            assert_eq!(parts(whole), None, "{whole}");
            assert_eq!(Frame::recorded(whole.into()).name(), whole);
        }
    }

    fn build(paths: &[Vec<u8>]) -> (CallTree, Vec<u32>) {
        let mut builder = TreeBuilder::default();
        let mut leaves = Vec::new();
        for path in paths {
            let mut node = CallTree::ROOT;
            for step in path {
                let frame = builder.frame(&format!("f{step}"));
                node = builder.child(node, frame);
                builder.note(node, 1 << (step % 5));
                builder.returns(node, &format!("T{}", step % 3));
            }
            leaves.push(node);
        }
        let (tree, place) = builder.finish();
        (tree, leaves.iter().map(|leaf| place[*leaf as usize]).collect())
    }

    proptest! {
        #[test]
        fn the_order_of_paths_changes_nothing(
            paths in proptest::collection::vec(proptest::collection::vec(0_u8..6, 0..8), 0..30),
        ) {
            let (tree, leaves) = build(&paths);
            for (path, leaf) in paths.iter().zip(&leaves) {
                let labels: Vec<String> = tree.path(*leaf).iter().map(|frame| frame.label.to_string()).collect();
                prop_assert_eq!(labels, path.iter().map(|step| format!("f{step}")).collect::<Vec<_>>());
            }
            for (at, node) in tree.nodes.iter().enumerate().skip(1) {
                prop_assert!((node.parent as usize) < at);
            }
            let mut backward = paths.clone();
            backward.reverse();
            prop_assert_eq!(build(&backward).0, tree);
        }
    }

    #[test]
    fn frames_of_one_name_in_two_files_stay_apart() {
        let mut builder = TreeBuilder::default();
        let file = Name::from("a.c");
        let frames = [
            builder.placed_frame("f", Some(&file), 0),
            builder.placed_frame("f", None, 0),
            builder.placed_frame("f", Some(&file), 0),
            builder.frame("f (a.c:3)"),
        ];
        assert_eq!(frames, [0, 1, 0, 2]);
        for frame in frames {
            builder.child(CallTree::ROOT, frame);
        }
        let (tree, _) = builder.finish();
        let mut other = TreeBuilder::default();
        for frame in tree.frames.iter().rev() {
            let frame = other.same_frame(frame);
            other.child(CallTree::ROOT, frame);
        }
        assert_eq!(other.finish().0, tree);
    }
}
