//! What the exports of profiles have in common.

use crate::analyze::profile::LineCost;
use crate::evidence::Number;
use crate::evidence::profile::{CallTree, Profile};
use crate::text::file::short;

/// Where a weight was spent.
pub(super) enum Path {
    /// A call path, outermost frame first, as positions in the tree's frames.
    Frames(Vec<u32>),
    /// A source line or file, where no call path was recorded.
    Line(String),
}

/// What is called a weight whose place was not recorded.
const UNPLACED: &str = "place not recorded";

/// Hands out every path with its weight, in the order of the tree; those without frames first, by source line.
pub(super) fn each_path<E>(
    profile: &Profile,
    mut take: impl FnMut(Path, Number) -> Result<(), E>,
) -> Result<(), E> {
    for same in
        profile.stacks.chunk_by(|a, b| a.leaf == b.leaf && (a.leaf != CallTree::ROOT || a.site == b.site))
    {
        let sum: Number = same.iter().map(|stack| stack.weight).sum();
        let leaf = same[0].leaf;
        if leaf != CallTree::ROOT {
            take(Path::Frames(frames(&profile.tree, leaf)), sum)?;
            continue;
        }
        let site = same[0].site.and_then(|site| profile.sites.get(site as usize));
        let label = site.map_or(UNPLACED.to_owned(), |site| {
            LineCost { file: short(&site.file), line: site.line, weight: sum }.label()
        });
        take(Path::Line(label), sum)?;
    }
    Ok(())
}

fn frames(tree: &CallTree, leaf: u32) -> Vec<u32> {
    let mut frames = Vec::new();
    let mut at = leaf;
    while at != CallTree::ROOT {
        let node = tree.nodes[at as usize];
        frames.push(node.frame);
        at = node.parent;
    }
    frames.reverse();
    frames
}

/// A weight as a whole number where it is one, which is all that some readers take.
pub(super) fn weight(number: Number) -> Number {
    number.as_whole().and_then(Number::whole).unwrap_or(number)
}
