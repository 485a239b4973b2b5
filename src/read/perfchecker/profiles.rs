//! The profiles of a run, made of the observations that name a stack or a source line.
//!
//! Rows of one case and target share one tree, whatever their metric: bytes and counts of the same allocations
//! are recorded stack by stack, twice. Trees are finished in a fixed order of their own, so neither the order of
//! lines nor the number of threads changes a profile.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::spot::PackedSpot;
use crate::evidence::profile::{
    CallTree, Mark, OTHER, Origin, Partial, Profile, ProfileKind, Site, Stack, TreeBuilder,
};
use crate::evidence::{GroupKey, Name, Number, Run, Sample};

/// Most nodes of all call trees of one run; a node takes about 30 bytes while it is read.
const NODES: usize = 1 << 24;

const NONE: u32 = u32::MAX;

/// Where a row was taken, in the tree of its case.
#[derive(Debug)]
struct Placed {
    leaf: u32,
    site: Option<u32>,
    dispatch: Box<[u32]>,
    collector: Box<[u32]>,
    /// Whether its stack was more than may be kept.
    cut: bool,
}

/// A tree while its rows are read.
#[derive(Default)]
struct Growing {
    builder: TreeBuilder,
    site_ids: HashMap<Site, u32>,
    sites: Vec<Site>,
    files: HashSet<Name>,
    /// Frame and node of each level of the stack before: the next one mostly begins alike.
    last: Vec<(u32, u32)>,
}

/// The trees of a run while it is read.
pub(super) struct Forest {
    index: HashMap<GroupKey, usize>,
    trees: Vec<Growing>,
    placed: Vec<Placed>,
    /// How many nodes all trees have, and the most that they may have.
    nodes: usize,
    limit: usize,
}

/// What the texts of a piece are called in a tree.
pub(super) struct Known {
    frames: Vec<u32>,
    types: Vec<u32>,
}

impl Known {
    /// For a piece with so many texts.
    pub(super) fn new(texts: usize) -> Self {
        Self { frames: vec![NONE; texts], types: vec![NONE; texts] }
    }
}

impl Default for Forest {
    fn default() -> Self {
        Self { index: HashMap::new(), trees: Vec::new(), placed: Vec::new(), nodes: 0, limit: NODES }
    }
}

impl Forest {
    /// The tree of a group: that of its case and target, whatever its metric.
    pub(super) fn tree(&mut self, key: &GroupKey) -> usize {
        let key = GroupKey { definition: NONE, ..key.clone() };
        let next = self.trees.len();
        let at = *self.index.entry(key).or_insert(next);
        if at == next {
            self.trees.push(Growing::default());
        }
        at
    }

    /// Adds a row's spot to a tree. Gives its number, from 1, and whether its stack was kept.
    pub(super) fn place(
        &mut self,
        tree: usize,
        spot: &PackedSpot,
        texts: &[Cow<'_, str>],
        known: &mut Known,
    ) -> (u32, bool) {
        let kept = self.nodes + spot.stack.len() <= self.limit;
        let growing = &mut self.trees[tree];
        let before = growing.builder.size();
        let site = growing.site(spot, texts);
        let leaf = if kept { growing.path(spot, texts, known) } else { CallTree::ROOT };
        self.nodes += growing.builder.size() - before;
        let levels = |levels: &[u32]| if kept { levels.into() } else { Box::default() };
        self.placed.push(Placed {
            leaf,
            site,
            dispatch: levels(&spot.dispatch),
            collector: levels(&spot.collector),
            cut: !kept,
        });
        (u32::try_from(self.placed.len()).unwrap_or(NONE), kept)
    }

    /// Whether two rows were taken at the same place.
    pub(super) fn same(&self, a: u32, b: u32) -> bool {
        let at =
            |spot: u32| self.placed.get(spot.wrapping_sub(1) as usize).map(|spot| (spot.leaf, spot.site));
        a == b || at(a) == at(b)
    }

    /// The finished trees, to make profiles of.
    pub(super) fn finish(self) -> Grown {
        let trees = self.trees.into_iter().map(|growing| {
            let (tree, places) = growing.builder.finish();
            let mut order: Vec<u32> = (0..).take(growing.sites.len()).collect();
            order.sort_by(|a, b| growing.sites[*a as usize].cmp(&growing.sites[*b as usize]));
            let mut site_places = vec![0; order.len()];
            for (place, site) in (0..).zip(&order) {
                site_places[*site as usize] = place;
            }
            let sites = order.iter().map(|site| growing.sites[*site as usize].clone()).collect();
            GrownTree { tree: Arc::new(tree), places, sites, site_places }
        });
        Grown { trees: trees.collect(), placed: self.placed }
    }
}

impl Growing {
    fn site(&mut self, spot: &PackedSpot, texts: &[Cow<'_, str>]) -> Option<u32> {
        let text = &*texts[spot.file? as usize];
        let file = self.files.get(text).cloned().unwrap_or_else(|| {
            let file = Name::from(text);
            self.files.insert(file.clone());
            file
        });
        let site = Site { file, line: spot.line };
        let next = u32::try_from(self.sites.len()).unwrap_or(NONE);
        let at = *self.site_ids.entry(site.clone()).or_insert(next);
        if at == next {
            self.sites.push(site);
        }
        Some(at)
    }

    /// Adds a path; its leaf.
    fn path(&mut self, spot: &PackedSpot, texts: &[Cow<'_, str>], known: &mut Known) -> u32 {
        let mut node = CallTree::ROOT;
        let mut alike = true;
        for (level, &text) in spot.stack.iter().enumerate() {
            let frame = &mut known.frames[text as usize];
            if *frame == NONE {
                *frame = self.builder.frame(&texts[text as usize]);
            }
            let frame = *frame;
            match self.last.get(level) {
                Some(&(same, there)) if alike && same == frame => node = there,
                _ => {
                    if alike {
                        self.last.truncate(level);
                        alike = false;
                    }
                    node = self.builder.child(node, frame);
                    self.last.push((frame, node));
                }
            }
            if let Some(bits) = spot.inference.as_ref().and_then(|bits| bits.get(level)) {
                self.builder.note(node, *bits);
            }
            let kind = spot.types.get(level).map_or(NONE, |kind| *kind);
            if kind != NONE && !texts[kind as usize].is_empty() {
                let id = &mut known.types[kind as usize];
                if *id == NONE {
                    *id = self.builder.type_id(&texts[kind as usize]);
                }
                self.builder.returns_id(node, *id);
            }
        }
        node
    }
}

/// The finished trees of a run.
pub(super) struct Grown {
    trees: Vec<GrownTree>,
    placed: Vec<Placed>,
}

struct GrownTree {
    tree: Arc<CallTree>,
    /// For every node of a row its place in the tree.
    places: Vec<u32>,
    sites: Vec<Site>,
    site_places: Vec<u32>,
}

impl Grown {
    /// The profile of a group, whose samples have these spots (0 for none). Shares of a line give none: their
    /// sum means nothing.
    pub(super) fn profile(
        &self,
        tree: usize,
        key: &GroupKey,
        rows: &[(Sample, u32)],
        run: &Run,
        path: &str,
    ) -> Option<Profile> {
        let grown = &self.trees[tree];
        let definition = run.definitions.get(key.definition as usize).filter(|one| &*one.unit != "%")?;
        let mut stacks = Vec::with_capacity(rows.len());
        let mut marks: BTreeMap<u32, (Number, Number)> = BTreeMap::new();
        let (mut other, mut cut) = (Number::ZERO, (0, Number::ZERO));
        for &(sample, spot) in rows {
            let placed = self.placed.get(spot.wrapping_sub(1) as usize);
            let leaf = placed.map_or(CallTree::ROOT, |placed| grown.places[placed.leaf as usize]);
            let site = placed.and_then(|placed| placed.site).map(|site| grown.site_places[site as usize]);
            let weight = sample.value;
            stacks.push(Stack { leaf, site, weight });
            let Some(placed) = placed else { continue };
            if site.is_some_and(|site| &*grown.sites[site as usize].file == OTHER) {
                other = other + weight;
            }
            if placed.cut {
                cut = (cut.0 + 1, cut.1 + weight);
            }
            if placed.dispatch.is_empty() && placed.collector.is_empty() {
                continue;
            }
            let nodes = grown.nodes(leaf);
            for &level in &placed.dispatch {
                let mark = marks.entry(nodes[level as usize]).or_insert((Number::ZERO, Number::ZERO));
                mark.0 = mark.0 + weight;
            }
            for &level in &placed.collector {
                let mark = marks.entry(nodes[level as usize]).or_insert((Number::ZERO, Number::ZERO));
                mark.1 = mark.1 + weight;
            }
        }
        let total = Profile::settle(&mut stacks);
        let mut partial = Vec::new();
        if rows.iter().any(|(_, spot)| self.is_other(grown, *spot)) {
            partial.push(Partial::Other(other));
        }
        if cut.0 > 0 {
            partial.push(Partial::Cut { rows: cut.0, weight: cut.1 });
        }
        let kind = ProfileKind::of_metric(&definition.metric);
        let counts = matches!(kind, ProfileKind::Cpu | ProfileKind::Wall);
        Some(Profile {
            path: path.to_owned(),
            run_id: Some(run.run_id.clone()),
            package: key.package.clone(),
            feature: Some(key.feature.clone()),
            workload: key.workload.clone(),
            target: Some(key.target.clone()),
            target_kind: key.kind.clone(),
            tool: definition.collector.as_deref().unwrap_or(definition.method()).into(),
            definition: Some(definition.id.clone()),
            metric: definition.metric.clone(),
            unit: definition.unit.clone(),
            kind,
            origin: Origin::Recorded,
            tree: grown.tree.clone(),
            stacks,
            marks: marks
                .into_iter()
                .map(|(node, (dispatch, collector))| Mark { node, dispatch, collector })
                .collect(),
            sites: grown.sites.clone(),
            rows: rows.len(),
            samples: total.as_whole().filter(|_| counts).and_then(|total| u64::try_from(total).ok()),
            total,
            partial,
        })
    }

    fn is_other(&self, grown: &GrownTree, spot: u32) -> bool {
        let site = self.placed.get(spot.wrapping_sub(1) as usize).and_then(|placed| placed.site);
        site.is_some_and(|site| &*grown.sites[grown.site_places[site as usize] as usize].file == OTHER)
    }
}

impl GrownTree {
    /// The nodes from the outermost to `leaf`.
    fn nodes(&self, leaf: u32) -> Vec<u32> {
        let mut nodes = Vec::new();
        let mut at = leaf;
        while at != CallTree::ROOT {
            nodes.push(at);
            at = self.tree.nodes[at as usize].parent;
        }
        nodes.reverse();
        nodes
    }
}
