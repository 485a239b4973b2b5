//! The figures of a group that was read from saved documents: the documents themselves.

use super::kinds::{self, FigureSet, Further};
use crate::analyze::Saved;
use crate::evidence::SavedPlot;

/// Which documents of a group are drawn where, as positions in the plots of the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The normalized figure of the complete history.
    pub main: Option<usize>,
    /// Its patch windows: minor series and document.
    pub windows: Vec<(String, usize)>,
    /// Trajectories.
    pub series: Vec<usize>,
    /// Further figures: kind, heading, documents.
    pub more: Vec<(&'static str, &'static str, Vec<usize>)>,
    /// Documents that cannot be drawn, with the reason.
    pub listed: Vec<(usize, String)>,
}

/// Sorts the documents of a group. What is of a kind that is not drawn yet, or cannot be drawn as it is, is
/// listed with the reason.
pub fn shown(plots: &[SavedPlot], saved: &Saved) -> Shown {
    let mut shown = Shown::default();
    let draws = |at: usize, listed: &mut Vec<(usize, String)>| match plots.get(at) {
        None => false,
        Some(plot) => match kinds::chart(&plot.document) {
            Ok(_) => true,
            Err(error) => {
                listed.push((at, error.message));
                false
            }
        },
    };
    shown.main = saved.main.filter(|&at| draws(at, &mut shown.listed));
    for (name, at) in &saved.windows {
        if draws(*at, &mut shown.listed) {
            shown.windows.push((name.clone(), *at));
        }
    }
    shown.series.extend(saved.series.iter().filter(|&&at| draws(at, &mut shown.listed)));
    for &at in &saved.more {
        if !draws(at, &mut shown.listed) {
            continue;
        }
        let Some((kind, heading)) = kinds::heading(&plots[at].document.plot.kind) else { continue };
        match shown.more.iter_mut().find(|sort| sort.0 == kind) {
            Some(sort) => sort.2.push(at),
            None => shown.more.push((kind, heading, vec![at])),
        }
    }
    shown.more.sort_by_key(|sort| kinds::place(sort.0));
    shown
}

/// The figures of the group at `group`.
pub(super) fn set(plots: &[SavedPlot], saved: &Saved, group: usize) -> FigureSet {
    let shown = shown(plots, saved);
    let document = |at: usize| plots[at].document.clone();
    let more = shown.more.into_iter().map(|(kind, heading, all)| Further {
        kind,
        heading,
        documents: all.into_iter().map(document).collect(),
    });
    FigureSet {
        group,
        main: shown.main.map(document),
        windows: shown.windows.into_iter().map(|(name, at)| (name, document(at))).collect(),
        series: shown.series.into_iter().map(document).collect(),
        more: more.collect(),
    }
}
