//! Source lines against targets.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{LineCost, sites_by_line};
use crate::evidence::Number;
use crate::evidence::profile::Profile;

/// A heat map: what each source line weighs at each target.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// Source lines by their sum over all targets, the largest first, then by label.
    pub labels: Vec<String>,
    /// One row per label, one cell per target. None means that the line was not observed there, which is not 0.
    pub cells: Vec<Vec<Option<Number>>>,
    /// Lines beyond the limit: how many.
    pub left_out: usize,
    /// Weight of those lines at each target.
    pub left_out_weight: Vec<Number>,
}

/// Crosses profiles of one metric, one per target in the order of columns. At most `top` lines are kept.
pub fn heat(profiles: &[&Profile], top: usize) -> Heat {
    let mut rows: BTreeMap<String, Vec<Option<Number>>> = BTreeMap::new();
    for (at, profile) in profiles.iter().enumerate() {
        for cost in sites_by_line(profile).costs {
            let row = rows.entry(LineCost::label(&cost)).or_insert_with(|| vec![None; profiles.len()]);
            row[at] = Some(row[at].map_or(cost.weight, |before| before + cost.weight));
        }
    }
    let sum = |cells: &[Option<Number>]| cells.iter().flatten().copied().sum::<Number>();
    let mut rows: Vec<(String, Vec<Option<Number>>)> = rows.into_iter().collect();
    rows.sort_by_cached_key(|(label, cells)| (Reverse(sum(cells)), label.clone()));
    let rest = rows.split_off(top.min(rows.len()));
    let left_out_weight =
        (0..profiles.len()).map(|at| rest.iter().filter_map(|(_, cells)| cells[at]).sum()).collect();
    let (labels, cells) = rows.into_iter().unzip();
    Heat { labels, cells, left_out: rest.len(), left_out_weight }
}
