//! Properties that every profile must keep, and the published figures.
#![allow(clippy::float_cmp, reason = "sums of small whole numbers and their quotients are exact")]

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::evidence::Name;
use crate::evidence::profile::{Mark, Origin, Profile, ProfileKind, Site, Stack, TreeBuilder, note};

/// A profile of paths (`a;b`), each with a source line named after its number.
fn profile(paths: &[(&str, u64)]) -> Profile {
    let mut builder = TreeBuilder::default();
    let leaves: Vec<u32> = paths
        .iter()
        .map(|(path, _)| {
            path.split(';').filter(|label| !label.is_empty()).fold(CallTree::ROOT, |node, label| {
                let frame = builder.frame(label);
                builder.child(node, frame)
            })
        })
        .collect();
    let (tree, places) = builder.finish();
    let mut stacks: Vec<Stack> = leaves
        .iter()
        .zip(paths)
        .map(|(leaf, (_, weight))| Stack {
            leaf: places[*leaf as usize],
            site: None,
            weight: Number::Unsigned(*weight),
        })
        .collect();
    let total = Profile::settle(&mut stacks);
    Profile {
        path: "p".to_owned(),
        run_id: None,
        package: None,
        feature: Some("f".into()),
        workload: None,
        target: None,
        target_kind: None,
        tool: "t".into(),
        definition: None,
        metric: "t.cpu.samples".into(),
        unit: "1".into(),
        kind: ProfileKind::Cpu,
        origin: Origin::Recorded,
        tree: Arc::new(tree),
        stacks,
        marks: Vec::new(),
        sites: Vec::new(),
        rows: paths.len(),
        samples: total.as_whole().and_then(|total| u64::try_from(total).ok()),
        total,
        partial: Vec::new(),
    }
}

fn lines(weights: &[f64]) -> Vec<LineCost> {
    let mut weights = weights.to_vec();
    weights.sort_by(|a, b| b.total_cmp(a));
    let cost =
        |(line, weight): (u32, &f64)| LineCost { file: "f.jl".into(), line, weight: Number::Float(*weight) };
    (1..).zip(&weights).map(cost).collect()
}

fn whole(number: Number) -> i128 {
    number.as_whole().unwrap()
}

#[test]
fn the_published_sites_give_five_slices_and_the_rest() {
    let published = include_str!("../../../fixtures/published/oxygen/profiles.csv");
    let weights: Vec<f64> = published
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|row| row[0] == "allocation_lines")
        .map(|row| row[10].parse().unwrap())
        .collect();
    assert_eq!(weights.len(), 31);
    let found = shares(&lines(&weights), 40, 5.0);
    let folded = found.folded.unwrap();
    assert_eq!((found.slices.len(), folded.sites), (5, 26));
    assert_eq!(format!("{:.4}", folded.percentage), "6.2378");
}

/// PerfChecker formats §6, trap 26: a recorded percentage is rounded and that of nothing is no number, so shares are
/// computed from weights.
#[test]
fn exactly_the_least_share_stays_and_a_total_of_zero_folds_all() {
    let found = shares(&lines(&[600.0, 300.0, 50.0, 30.0, 20.0]), 40, 5.0);
    assert_eq!((found.slices.len(), found.folded.unwrap().sites), (3, 2));
    let none = shares(&lines(&[0.0, 0.0]), 40, 5.0);
    assert_eq!((none.slices.len(), none.folded.as_ref().unwrap().sites), (0, 2));
    assert!(none.folded.unwrap().percentage == 0.0);
    assert_eq!(shares(&[], 40, 5.0).folded, None);
    // With no least share lines fold only for want of room, and one slot is the rest's.
    assert_eq!(shares(&lines(&[3.0, 2.0, 1.0]), 3, 0.0).folded, None);
    assert_eq!(shares(&lines(&[3.0, 2.0, 1.0]), 2, 0.0).slices.len(), 1);
    assert_eq!(shares(&lines(&[3.0, 2.0, 1.0]), 0, 0.0).slices.len(), 1);
}

#[test]
fn recursion_counts_once() {
    let costs =
        functions(&profile(&[("a (x.jl:1);b (x.jl:2);a (x.jl:9)", 3), ("a (x.jl:1);c", 4), ("c", 2)]));
    let told: Vec<_> =
        costs.iter().map(|cost| (cost.function.as_str(), whole(cost.own), whole(cost.inclusive))).collect();
    assert_eq!(told, [("c", 6, 6), ("a", 3, 7), ("b", 0, 3)]);
    assert_eq!(costs[1].file.as_deref(), Some("x.jl"));
}

#[test]
fn lines_come_from_sites_and_else_from_the_innermost_frame() {
    let mut one = profile(&[("a (x.jl:1);b (y.jl:2)", 3), ("a (x.jl:1)", 4), ("c", 2)]);
    let found = sites_by_line(&one);
    let told = |lines: &Lines| -> Vec<String> {
        lines.costs.iter().map(|cost| format!("{} {}", cost.label(), cost.weight)).collect()
    };
    assert_eq!(
        (told(&found), whole(found.unplaced)),
        (vec!["x.jl:1 4".to_owned(), "y.jl:2 3".to_owned()], 2)
    );
    one.sites = vec![Site { file: "C:\\p\\packages\\W\\AbCdE\\src\\w.jl".into(), line: 7 }];
    one.stacks.iter_mut().for_each(|stack| stack.site = Some(0));
    assert_eq!(told(&sites_by_line(&one)), ["W/src/w.jl:7 9"]);
    assert_eq!(told(&sites_by_file(&one)), ["W/src/w.jl 9"]);
}

#[test]
fn not_observed_is_not_zero() {
    let (old, new) =
        (profile(&[("a (x.jl:1)", 0), ("b (x.jl:2)", 5)]), profile(&[("b (x.jl:2)", 1), ("c (x.jl:3)", 1)]));
    let map = heat(&[&old, &new], 2);
    let number = |value| Some(Number::Unsigned(value));
    assert_eq!(map.labels, ["x.jl:2", "x.jl:3"]);
    assert_eq!(map.cells, [[number(5), number(1)], [None, number(1)]]);
    assert_eq!((map.left_out, map.left_out_weight), (1, vec![Number::ZERO, Number::ZERO]));
    assert_eq!(heat(&[&old, &new], 9).cells[2], [number(0), None], "seen with nothing is seen");
}

#[test]
fn the_first_status_that_applies_counts() {
    let mut builder = TreeBuilder::default();
    let mut add = |label: &str, bits: u16| {
        let frame = builder.frame(label);
        let node = builder.child(CallTree::ROOT, frame);
        builder.note(node, bits);
    };
    add("a", note::UNION);
    add("b", note::UNION);
    add("c", note::CONCRETE);
    add("d", note::UNKNOWN);
    add("e", note::DISPATCHED);
    add("f", note::COLLECTED | note::DOUBTFUL);
    let mut one = profile(&[("a", 1)]);
    one.tree = Arc::new(builder.finish().0);
    let (none, some) = (Number::ZERO, Number::Unsigned(1));
    one.marks = vec![
        Mark { node: 1, dispatch: some, collector: some },
        Mark { node: 2, dispatch: none, collector: some },
        Mark { node: 3, dispatch: none, collector: some },
    ];
    let words: Vec<_> = (1..7).map(|node| node_status(&one, node).word()).collect();
    let expected = [
        "runtime_dispatch",
        "inference_warning",
        "gc_event",
        "normal",
        "runtime_dispatch",
        "inference_warning",
    ];
    assert_eq!(words, expected);
}

#[test]
fn a_difference_keeps_both_totals_and_sees_moved_lines_as_the_same() {
    let before = profile(&[("a (AbCdE/src/x.jl:1);b (AbCdE/src/x.jl:2)", 3), ("a (AbCdE/src/x.jl:1)", 1)]);
    let after = profile(&[("a (VwXyZ/src/x.jl:5);b (VwXyZ/src/x.jl:9)", 3), ("c", 5)]);
    let (moved, changes) = difference(&before, &after, Matching::Moved).unwrap();
    assert_eq!(moved.totals.map(whole), [4, 8]);
    let told: Vec<_> = changes
        .iter()
        .map(|change| (change.function.as_str(), change.own.map(|own| own.map(whole)), change.own_delta()))
        .collect();
    assert_eq!(
        told,
        [("c", [None, Some(5)], 5.0), ("a", [Some(1), Some(0)], -1.0), ("b", [Some(3), Some(3)], 0.0)]
    );
    assert_eq!(changes[2].own_shares(moved.totals), [0.75, 0.375]);
    assert_eq!(moved.shares(1), [1.0, 0.375]);
    let (exact, _) = difference(&before, &after, Matching::Exact).unwrap();
    assert_eq!((moved.tree.nodes.len(), exact.tree.nodes.len()), (4, 6));
    let bytes = Profile { unit: "By".into(), ..after };
    assert!(difference(&before, &bytes, Matching::Moved).is_none());
    assert!(merge(&[&before, &bytes]).is_none() && merge(&[]).is_none());
}

#[test]
fn few_samples_are_coarse() {
    assert!(is_coarse(&profile(&[("a", 99)])) && !is_coarse(&profile(&[("a", 100)])));
    assert!(!is_coarse(&Profile { samples: None, ..profile(&[("a", 1)]) }));
}

fn some_profile() -> impl Strategy<Value = Profile> {
    let path = proptest::collection::vec(0_u8..4, 0..6);
    proptest::collection::vec((path, 0_u64..1000), 1..25).prop_map(|paths| {
        let named: Vec<(String, u64)> = paths
            .iter()
            .map(|(path, weight)| {
                let labels: Vec<String> = path.iter().map(|step| format!("f{step} (x.jl:{step})")).collect();
                (labels.join(";"), *weight)
            })
            .collect();
        profile(&named.iter().map(|(path, weight)| (path.as_str(), *weight)).collect::<Vec<_>>())
    })
}

fn paths(profile: &Profile) -> Vec<(Vec<Name>, i128)> {
    let path = |leaf| profile.tree.path(leaf).iter().map(|frame| frame.label.clone()).collect();
    profile.stacks.iter().map(|stack| (path(stack.leaf), whole(stack.weight))).collect()
}

proptest! {
    #[test]
    fn costs_add_up(one in some_profile()) {
        let costs = functions(&one);
        let own: i128 = costs.iter().map(|cost| whole(cost.own)).sum();
        let without: i128 = one.stacks.iter().filter(|stack| stack.leaf == CallTree::ROOT).map(|stack| whole(stack.weight)).sum();
        prop_assert_eq!(own + without, whole(one.total));
        for cost in &costs {
            prop_assert!(cost.own <= cost.inclusive && cost.inclusive <= one.total);
            // By its meaning: the weight of every stack that passes through the function.
            let through = one.stacks.iter().filter(|stack| {
                one.tree.path(stack.leaf).iter().any(|frame| frame.name() == cost.function)
            });
            prop_assert_eq!(through.map(|stack| whole(stack.weight)).sum::<i128>(), whole(cost.inclusive));
        }
    }

    #[test]
    fn a_flame_graph_loses_no_weight(one in some_profile(), least in 0.0..0.3_f64) {
        let graph = flame(&one, least);
        let own: i128 = graph.bars.iter().map(|bar| whole(bar.own)).sum();
        prop_assert_eq!(own + whole(graph.folded) + whole(graph.without_stack), whole(graph.total));
        let seen = Weights::of(&one).seen.iter().skip(1).filter(|seen| **seen).count();
        prop_assert_eq!(graph.bars.len() + graph.folded_frames, seen);
        for bar in &graph.bars {
            prop_assert!(bar.width >= least && bar.start >= 0.0 && bar.start + bar.width <= 1.0 + 1e-9);
            if let Some(parent) = bar.parent.map(|parent| &graph.bars[parent as usize]) {
                prop_assert!(bar.start >= parent.start - 1e-12 && bar.depth == parent.depth + 1);
                prop_assert!(bar.start + bar.width <= parent.start + parent.width + 1e-9);
            }
        }
    }

    #[test]
    fn merging_adds(one in some_profile(), other in some_profile()) {
        let both = merge(&[&one, &other]).unwrap();
        prop_assert_eq!(whole(both.total), whole(one.total) + whole(other.total));
        prop_assert_eq!(paths(&both), paths(&merge(&[&other, &one]).unwrap()));
        let twice = merge(&[&one, &one]).unwrap();
        let doubled: Vec<_> = paths(&one).into_iter().map(|(path, weight)| (path, 2 * weight)).collect();
        prop_assert_eq!(paths(&twice), doubled);
        let (same, changes) = difference(&one, &one, Matching::Exact).unwrap();
        prop_assert!(same.nodes.iter().all(|node| node.own[0] == node.own[1] && node.inclusive[0] == node.inclusive[1]));
        prop_assert!(changes.iter().all(|change| change.own_delta() == 0.0));
    }

    #[test]
    fn shares_fold_and_lose_nothing(
        weights in proptest::collection::vec(0_u32..1000, 0..60),
        top in 0_usize..50,
        least in prop_oneof![Just(0.0), Just(5.0), 0.0..60.0],
    ) {
        let costs = lines(&weights.iter().map(|weight| f64::from(*weight)).collect::<Vec<_>>());
        let found = shares(&costs, top, least);
        let rest = found.folded.as_ref().map_or(0, |folded| folded.sites);
        prop_assert_eq!(found.slices.len() + rest, costs.len());
        let sum: f64 = found.slices.iter().map(|slice| slice.cost.weight.as_f64()).sum();
        prop_assert_eq!(sum + found.folded.as_ref().map_or(0.0, |folded| folded.weight.as_f64()), found.total.as_f64());
        prop_assert!(found.slices.iter().all(|slice| slice.percentage >= least));
        prop_assert!(found.slices.len() + usize::from(rest > 0) <= top.max(2));
        let large = costs.iter().filter(|cost| !found.total.is_zero() && percentage(cost.weight, found.total) >= least).count();
        // A large line folds only where there is no room.
        prop_assert!(found.slices.len() == large || large > top.max(2) - usize::from(large < costs.len()));
    }
}
