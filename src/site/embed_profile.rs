//! The block of a content page that shows a profile.

use std::collections::BTreeSet;

use crate::config::nearest;
use crate::content::block::ProfileBlock;
use crate::figure;

use super::captures::{Capture, Shown};
use super::load::LoadedSource;
use super::workloads::Gallery;

/// The only figure that fits a block.
///
/// # Errors
/// None fits, or several do: in words, with what there is to choose from.
pub(super) fn find<'g>(
    block: &ProfileBlock,
    source: &LoadedSource,
    gallery: &'g Gallery,
) -> Result<&'g Shown, String> {
    let of_feature: Vec<&Capture> =
        gallery.captures.iter().filter(|capture| *capture.feature == *block.feature).collect();
    if of_feature.is_empty() {
        let known: BTreeSet<&str> = gallery.captures.iter().map(|capture| &*capture.feature).collect();
        return Err(nearest::unknown(
            ("feature", "features with profiles"),
            &block.feature,
            known.iter().copied(),
        ));
    }
    let target = |capture: &&&Capture| match &block.target {
        Some(target) => capture.target.as_deref() == Some(target),
        None => true,
    };
    // Captures stand in the order of their targets.
    let Some(capture) = of_feature.iter().rev().find(target) else {
        let known = of_feature.iter().filter_map(|capture| capture.target.as_deref());
        let asked = block.target.as_deref().unwrap_or_default();
        return Err(nearest::unknown(("target", "targets with profiles of the feature"), asked, known));
    };
    let metric = |shown: &Shown| source.evidence.profiles.get(shown.profile?).map(|profile| &*profile.metric);
    let fits = |shown: &&Shown| {
        block.kind.as_deref().is_none_or(|kind| shown.figure.kind == kind)
            && block.metric.as_deref().is_none_or(|wanted| metric(shown) == Some(wanted))
    };
    let found: Vec<&Shown> = capture.shown.iter().filter(fits).collect();
    match found.as_slice() {
        [only] => Ok(only),
        [] => {
            let kinds: BTreeSet<&str> =
                capture.shown.iter().map(|shown| shown.figure.kind.as_str()).collect();
            match &block.kind {
                Some(kind) if !kinds.contains(kind.as_str()) => {
                    Err(nearest::unknown(("kind", "kinds of the profile"), kind, kinds.iter().copied()))
                }
                _ => {
                    let known: BTreeSet<&str> = capture.shown.iter().filter_map(metric).collect();
                    let asked = block.metric.as_deref().unwrap_or_default();
                    Err(nearest::unknown(("metric", "metrics of the profile"), asked, known.iter().copied()))
                }
            }
        }
        several => {
            let choices: Vec<String> = several
                .iter()
                .map(|shown| {
                    format!("kind {} with metric {}", shown.figure.kind, metric(shown).unwrap_or("unknown"))
                })
                .collect();
            Err(format!("several figures show this profile; add one of: {}", choices.join("; ")))
        }
    }
}

/// The chart of a figure.
///
/// # Errors
/// None for figures that were planned.
pub(super) fn chart(shown: &Shown) -> crate::error::Result<figure::Chart> {
    figure::chart(&shown.figure.open()?)
}
