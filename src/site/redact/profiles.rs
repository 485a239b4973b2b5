//! Masks the files and frames of profiles.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::evidence::Profile;
use crate::evidence::profile::{CallTree, Origin, Site};
use crate::text::file::short;
use crate::text::redact::redact;

use super::Masker;

/// Masks profiles, and notes what was masked. A tree that several of them share is masked once.
pub(super) fn all(profiles: &mut [Profile], mask: &mut Masker<'_>, found: &mut BTreeSet<(String, String)>) {
    let mut trees: Vec<(Arc<CallTree>, Arc<CallTree>)> = Vec::new();
    for one in profiles {
        let Profile {
            path,
            run_id: _,
            package: _,
            feature: _,
            workload: _,
            target: _,
            target_kind,
            tool: _,
            definition: _,
            metric: _,
            unit,
            kind: _,
            origin,
            tree,
            // Positions and weights.
            stacks: _,
            marks: _,
            sites,
            rows: _,
            samples: _,
            total: _,
            // Counts and weights.
            partial: _,
        } = one;
        mask.words(target_kind);
        mask.words(unit);
        match origin {
            // The kind of a plot is a name.
            Origin::Recorded | Origin::Plot(_) => {}
        }
        for one in sites {
            site(one, mask);
        }
        match trees.iter().find(|(old, _)| Arc::ptr_eq(old, tree)) {
            Some((_, masked)) => *tree = masked.clone(),
            None => {
                if let Some(masked) = masked(tree, mask) {
                    let old = std::mem::replace(tree, Arc::new(masked));
                    trees.push((old, tree.clone()));
                }
            }
        }
        mask.note(path, found);
    }
}

/// A file's path is shortened first, which keeps the package that it belongs to.
fn site(one: &mut Site, mask: &mut Masker<'_>) {
    let Site { file, line: _ } = one;
    let mut private = redact(file).kinds;
    if !private.is_empty() {
        mask.kinds.append(&mut private);
        *file = short(file).into();
    }
    mask.text(file);
}

/// The tree with its masks; none when there is nothing to mask.
fn masked(tree: &CallTree, mask: &mut Masker<'_>) -> Option<CallTree> {
    let CallTree { frames, nodes: _, notes: _, type_names, types: _ } = tree;
    let texts = frames.iter().flat_map(|frame| frame.file.iter().chain([&frame.label]));
    let private = texts.chain(type_names).any(|text| mask.masked(text).is_some());
    private.then(|| {
        let mut tree = tree.clone();
        for frame in &mut tree.frames {
            frame.rewrite(|text| mask.masked(text));
        }
        mask.text(&mut tree.type_names);
        tree
    })
}
