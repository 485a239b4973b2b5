//! Several profiles of one metric as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evidence::Number;
use crate::evidence::profile::{CallTree, Mark, Profile, Site, Stack, TreeBuilder};

/// Adds `tree` to `builder`; for every node of it the node of the builder.
pub(super) fn graft(
    builder: &mut TreeBuilder,
    tree: &CallTree,
    frame: impl Fn(&mut TreeBuilder, &crate::evidence::profile::Frame) -> u32,
    wanted: &[bool],
) -> Vec<u32> {
    let frames: Vec<u32> = tree.frames.iter().map(|own| frame(builder, own)).collect();
    let mut nodes = vec![CallTree::ROOT; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        if wanted[at] {
            nodes[at] = builder.child(nodes[node.parent as usize], frames[node.frame as usize]);
        }
    }
    nodes
}

/// Leaves out what two profiles do not agree on.
fn agree<T: PartialEq>(mine: &mut Option<T>, other: Option<&T>) {
    if mine.as_ref() != other {
        *mine = None;
    }
}

/// The sum of profiles that count the same in the same unit, such as those of several processes or runs. None when
/// there is none, or when they do not count the same. Names that differ are left out.
pub fn merge(profiles: &[&Profile]) -> Option<Profile> {
    let (first, rest) = profiles.split_first()?;
    let same = |profile: &&Profile| (&profile.metric, &profile.unit) == (&first.metric, &first.unit);
    if !rest.iter().all(same) {
        return None;
    }
    let mut merged = Profile::clone(first);
    for other in rest {
        agree(&mut merged.run_id, other.run_id.as_ref());
        agree(&mut merged.package, other.package.as_ref());
        agree(&mut merged.feature, other.feature.as_ref());
        agree(&mut merged.workload, other.workload.as_ref());
        agree(&mut merged.target, other.target.as_ref());
        agree(&mut merged.target_kind, other.target_kind.as_ref());
        agree(&mut merged.definition, other.definition.as_ref());
    }
    let mut builder = TreeBuilder::default();
    let grafts: Vec<Vec<u32>> = profiles
        .iter()
        .map(|profile| {
            let seen = super::Weights::of(profile).seen;
            let nodes = graft(&mut builder, &profile.tree, TreeBuilder::same_frame, &seen);
            for (at, &node) in (0..).zip(&nodes).skip(1).filter(|(at, _)| seen[*at as usize]) {
                if !profile.tree.notes.is_empty() {
                    builder.note(node, profile.tree.notes(at));
                }
                profile.tree.types(at).for_each(|name| builder.returns(node, name));
            }
            nodes
        })
        .collect();
    let (tree, places) = builder.finish();
    let mut sites: Vec<Site> = profiles.iter().flat_map(|profile| profile.sites.iter().cloned()).collect();
    sites.sort();
    sites.dedup();
    let mut marks: BTreeMap<u32, (Number, Number)> = BTreeMap::new();
    merged.stacks.clear();
    for (profile, nodes) in profiles.iter().zip(&grafts) {
        let place = |node: u32| places[nodes.get(node as usize).map_or(0, |node| *node as usize)];
        for stack in &profile.stacks {
            let site = stack.site.and_then(|site| profile.sites.get(site as usize));
            let site = site.and_then(|site| u32::try_from(sites.binary_search(site).ok()?).ok());
            merged.stacks.push(Stack { leaf: place(stack.leaf), site, weight: stack.weight });
        }
        for mark in &profile.marks {
            let sum = marks.entry(place(mark.node)).or_insert((Number::ZERO, Number::ZERO));
            *sum = (sum.0 + mark.dispatch, sum.1 + mark.collector);
        }
    }
    Profile::settle(&mut merged.stacks);
    merged.marks =
        marks.into_iter().map(|(node, (dispatch, collector))| Mark { node, dispatch, collector }).collect();
    merged.tree = Arc::new(tree);
    merged.sites = sites;
    merged.rows = profiles.iter().map(|profile| profile.rows).sum();
    merged.samples = profiles.iter().map(|profile| profile.samples).sum();
    merged.total = profiles.iter().map(|profile| profile.total).sum();
    merged.partial = profiles.iter().flat_map(|profile| profile.partial.iter().cloned()).collect();
    Some(merged)
}
