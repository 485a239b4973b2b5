//! The figures of profiles.

use super::document::Context;
use super::{allocation, flame, heat};
use crate::evidence::Profile;
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::Origin;

/// Kinds of figures that show profiles, in the order of a page.
pub const KINDS: [&str; 8] = [
    "cpu_flamegraph",
    "wall_flamegraph",
    "allocation_flamegraph",
    flame::change::KIND,
    "allocation_pie",
    "allocation_files",
    "allocation_lines",
    "allocation_heatmap",
];

/// The documents of one recorded profile, in the order of a page. `history` are the profiles of its case in the order of
/// their targets, itself the last; figures that show several targets have these. None for profiles that saved plots
/// hold: there the plots themselves are the documents.
pub fn documents(context: &Context, profile: &Profile, history: &[&Profile]) -> Vec<PlotDocument> {
    if profile.origin != Origin::Recorded {
        return Vec::new();
    }
    let mut documents: Vec<PlotDocument> = flame::document(context, profile).into_iter().collect();
    documents.extend(allocation::documents(profile));
    if history.len() > 1 && history.iter().all(|one| allocation::has(one)) {
        documents.extend(heat::document(history));
    }
    documents
}

/// What changed from one profile to a later one of the same case; none where they cannot be set against each other.
pub fn change(context: &Context, before: &Profile, after: &Profile) -> Option<PlotDocument> {
    flame::change::document(context, before, after)
}

/// Place of a kind among the figures of a profile.
pub fn place(kind: &str) -> usize {
    KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len())
}
