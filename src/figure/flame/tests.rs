use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::config::Config;
use crate::evidence::SourceEvidence;
use crate::evidence::flame::{FRAMES, FUNCTIONS};
use crate::evidence::profile::{
    CallTree, Mark, Origin, Partial, Profile, ProfileKind, Stack, TreeBuilder, note,
};
use crate::figure::document::Context;

/// A CPU profile of paths and weights; the third of each says whether its last frame was dispatched at run time.
fn profile(target: &str, paths: &[(&[&str], u64, bool)]) -> Profile {
    let mut builder = TreeBuilder::default();
    let mut leaves = Vec::new();
    for (path, weight, dispatched) in paths {
        let mut node = CallTree::ROOT;
        for label in *path {
            let frame = builder.frame(label);
            node = builder.child(node, frame);
        }
        builder.note(node, note::CONCRETE);
        leaves.push((node, Number::Unsigned(*weight), *dispatched));
    }
    let (tree, places) = builder.finish();
    let place = |node: u32| places[node as usize];
    let mut stacks: Vec<Stack> = leaves
        .iter()
        .map(|(node, weight, _)| Stack { leaf: place(*node), site: None, weight: *weight })
        .collect();
    let total = Profile::settle(&mut stacks);
    let mut marks: Vec<Mark> = leaves
        .iter()
        .filter(|(_, _, dispatched)| *dispatched)
        .map(|(node, weight, _)| Mark { node: place(*node), dispatch: *weight, collector: Number::ZERO })
        .collect();
    marks.sort_by_key(|mark| mark.node);
    Profile {
        path: "run/observations.jsonl".to_owned(),
        run_id: Some("r".to_owned()),
        package: Some("Widget".into()),
        feature: Some("sort_cpu".into()),
        workload: None,
        target: Some(target.into()),
        target_kind: None,
        tool: "profile".into(),
        definition: Some("julia.cpu.samples/profile-v1".into()),
        metric: "julia.cpu.samples".into(),
        unit: "1".into(),
        kind: ProfileKind::Cpu,
        origin: Origin::Recorded,
        tree: Arc::new(tree),
        rows: stacks.len(),
        samples: total.as_whole().and_then(|total| u64::try_from(total).ok()),
        stacks,
        marks,
        sites: Vec::new(),
        total,
        partial: Vec::new(),
    }
}

fn made(profile: &Profile) -> PlotDocument {
    let (source, config) = (SourceEvidence::default(), Config::default());
    document(&Context::new(&source, &config), profile).unwrap()
}

fn drawn(document: &PlotDocument) -> (Chart, Flame) {
    let chart = chart(document).unwrap();
    let Body::Flame(flame) = chart.body.clone() else { panic!("no flame") };
    (chart, *flame)
}

const MAIN: &str = "main (demo.jl:1)";
const SORT: &str = "sort! (Widget/src/sort.jl:12)";
const COPY: &str = "copy (array.jl:350)";

#[test]
fn a_profile_becomes_a_document_of_frames_and_callers() {
    let profile =
        profile("1.0.0", &[(&[MAIN, SORT], 3, false), (&[MAIN, COPY], 4, true), (&[MAIN], 1, false)]);
    let document = made(&profile);
    assert_eq!(document.plot.schema_version, "perfolio-plot/1");
    assert_eq!(document.plot.options[FRAMES], json!([MAIN, COPY, SORT]));
    assert_eq!(document.plot.data[0].get("parent"), None);
    let row =
        |at: usize| (document.plot.data[at]["parent"].as_u64(), document.plot.data[at]["value"].as_u64());
    assert_eq!((row(1), row(2)), ((Some(0), Some(4)), (Some(0), Some(3))), "the heavier callee first");
    let (chart, flame) = drawn(&document);
    let bars: Vec<_> =
        flame.bars.iter().map(|bar| (bar.name.as_str(), bar.row, bar.start, bar.width, bar.paint)).collect();
    let expected = [
        ("main", 0, 0.0, 1.0, Paint::Plain),
        ("copy", 1, 0.0, 0.5, Paint::Dispatch),
        ("sort!", 1, 0.5, 0.375, Paint::Plain),
    ];
    assert_eq!(bars, expected);
    assert!(flame.bars[0].say.contains("of its own 1 (12.5\u{202f}%)"), "{}", flame.bars[0].say);
    assert!(
        flame.bars[1].say.contains("Dispatched at run time in 4 (100\u{202f}% of it)"),
        "{}",
        flame.bars[1].say
    );
    assert!(
        chart.caption.fine.starts_with("8 samples, 12.5\u{202f}% each: shares are coarse."),
        "{}",
        chart.caption.fine
    );
    assert_eq!(
        chart.caption.says,
        "copy (array.jl) has the largest cost of its own: 4 of 8 CPU samples, 50\u{202f}%."
    );
    assert_eq!(flame.legend, [(Paint::Plain, 2), (Paint::Dispatch, 1)]);
}

#[test]
fn a_hundred_samples_are_not_coarse() {
    let (chart, _) = drawn(&made(&profile("1.0.0", &[(&[MAIN], 100, false)])));
    assert!(!chart.caption.fine.contains("coarse") && chart.caption.fine.contains("1\u{202f}% each"));
}

#[test]
fn what_is_folded_is_stated_and_lost_nowhere() {
    let small: Vec<String> = (0..5).map(|at| format!("small{at} (a.jl:{at})")).collect();
    let mut paths: Vec<(&[&str], u64, bool)> = vec![(&[MAIN, SORT], 99_990, false)];
    let small: Vec<[&str; 2]> = small.iter().map(|label| [MAIN, label.as_str()]).collect();
    paths.extend(small.iter().map(|path| (&path[..], 2, false)));
    let document = made(&profile("1.0.0", &paths));
    assert_eq!(document.plot.options["folded"]["frames"], 5);
    assert_eq!(document.plot.options["folded"]["value"], 10);
    assert_eq!((&document.plot.data[0]["folded"], &document.plot.data[0]["self"]), (&json!(10), &json!(0)));
    let (chart, flame) = drawn(&document);
    assert_eq!(flame.bars.len(), 2);
    assert!(
        flame.foot.contains("5 frames under 0.1\u{202f}%") && flame.foot.contains("together 10"),
        "{}",
        flame.foot
    );
    assert_eq!(chart.data.rows.len(), 7, "the CSV has every function, folded ones too");
    assert!(flame.bars[0].say.contains("of its own 0"), "{}", flame.bars[0].say);
}

#[test]
fn frames_that_all_samples_share_stand_in_one_row() {
    let path = ["a", "b", "c", SORT];
    let other = ["a", "b", "c", COPY];
    let (_, flame) = drawn(&made(&profile("1.0.0", &[(&path, 1, true), (&other, 1, false)])));
    assert_eq!((flame.bars[0].name.as_str(), flame.bars.len()), ("3 frames that all samples share", 3));
    assert_eq!(flame.bars[0].place, "a … c");
    assert_eq!((flame.rows, flame.legend.iter().map(|one| one.1).sum::<usize>()), (2, 5));
}

/// Formats §6, trap 8: a document of PerfChecker keeps the heaviest stacks, and shares are of their sum.
#[test]
fn trap_8_shares_are_of_the_kept_stacks() {
    let row =
        |path: &[&str], value: f64| json!({"label": path[path.len() - 1], "path": path, "value": value});
    let document = |top: u64| -> PlotDocument {
        serde_json::from_value(json!({"plot": {"schema_version": "perfchecker-plot/1", "id": "x",
            "kind": "cpu_flamegraph", "title": "", "description": "", "encoding": {}, "data": [
                row(&[MAIN], 8.0), row(&[MAIN, SORT], 6.0), row(&[MAIN, COPY], 2.0)],
            "options": {"unit": "samples", "total": 8.0, "top": top, "feature": "f"}}}))
        .unwrap()
    };
    let (chart, flame) = drawn(&document(2));
    assert!(
        chart.caption.fine.contains("keeps the 2 heaviest stacks; shares are of their sum"),
        "{}",
        chart.caption.fine
    );
    assert_eq!(flame.bars[1].share, "75\u{202f}%");
    assert!(!drawn(&document(40)).0.caption.fine.contains("heaviest stacks"));
}

/// Formats §6, trap 19: names with spaces, brackets, operators and steering characters, and of any length.
#[test]
fn trap_19_hostile_names_are_shown_and_cut() {
    let long = format!("{} (a.jl:1)", "é".repeat(5000));
    let odd = "var\"##Shared Case#142\" \u{202e}<b> |> (operators.jl:983)";
    let (chart, flame) = drawn(&made(&profile(
        "1.0.0",
        &[(&[&long], 1, false), (&[odd, "#30 (f (x)) (core.jl:475)"], 1, false)],
    )));
    assert!(flame.bars.iter().all(|bar| bar.name.chars().count() <= 121 && !bar.name.contains('\u{202e}')));
    assert!(flame.bars.iter().any(|bar| bar.name == "#30 (f (x)) (core.jl:475)"), "never split at a guess");
    assert!(chart.table.rows.iter().all(|row| row.target.chars().count() <= 121));
}

#[test]
fn weights_without_a_path_and_beyond_limits_are_told() {
    let mut one = profile("1.0.0", &[(&[MAIN], 6, false)]);
    one.stacks.push(Stack { leaf: CallTree::ROOT, site: None, weight: Number::Unsigned(2) });
    one.total = Profile::settle(&mut one.stacks);
    one.partial =
        vec![Partial::Other(Number::Unsigned(1)), Partial::Cut { rows: 3, weight: Number::Unsigned(2) }];
    let (chart, flame) = drawn(&made(&one));
    assert!((flame.bars[0].width - 0.75).abs() < 1e-9);
    for words in
        ["2 (25\u{202f}%) were recorded without a call path", "[other]", "beyond the limit of what is kept"]
    {
        assert!(chart.caption.fine.contains(words), "{words}: {}", chart.caption.fine);
    }
}

#[test]
fn two_targets_are_compared_by_share_and_new_and_gone_frames_are_named() {
    let before = profile(
        "1.0.0",
        &[(&[MAIN, "old (a.jl:3)"], 4, false), (&[MAIN, SORT], 4, false), (&[MAIN], 2, false)],
    );
    let moved = "sort! (Widget/src/sort.jl:99)";
    let after = profile("1.1.0", &[(&[MAIN, "new (a.jl:9)"], 1, false), (&[MAIN, moved], 4, false)]);
    let (source, config) = (SourceEvidence::default(), Config::default());
    let context = Context::new(&source, &config);
    let document = change::document(&context, &before, &after).unwrap();
    let chart = change::chart(&document).unwrap();
    let Body::Flame(flame) = &chart.body else { panic!("no flame") };
    let told: Vec<_> =
        flame.bars.iter().map(|bar| (bar.name.as_str(), bar.share.as_str(), bar.paint)).collect();
    let expected = [
        ("main", "0\u{202f}points", Paint::Same),
        ("sort!", "+40\u{202f}points", Paint::More(3)),
        ("new", "new", Paint::New),
    ];
    assert_eq!(told, expected, "widths are of the candidate; a moved line is the same function");
    assert!((flame.bars[1].width - 0.8).abs() < 1e-9);
    for words in [
        "Totals: 10 CPU samples at 1.0.0, 5 at 1.1.0",
        "1 function is new (not observed at 1.0.0): new.",
        "1 function is gone (not observed at 1.1.0): old.",
        "one sample is 10\u{202f}% at 1.0.0 and 20\u{202f}% at 1.1.0",
        "no width: 1 frame with 4 (40\u{202f}%)",
    ] {
        assert!(chart.caption.fine.contains(words), "{words}: {}", chart.caption.fine);
    }
    let gone = chart.table.rows.iter().find(|row| row.target == "old").unwrap();
    assert_eq!((gone.cells[1].text.as_str(), gone.cells[2].text.as_str()), ("40\u{202f}%", "not observed"));
    let mut bytes = after.clone();
    bytes.unit = "By".into();
    assert!(
        change::document(&context, &before, &bytes).is_none(),
        "other units are never set against each other"
    );
}

#[test]
fn a_broken_document_is_named() {
    let document = made(&profile("1.0.0", &[(&[MAIN, SORT], 3, false)]));
    let field = |change: &dyn Fn(&mut PlotDocument)| {
        let mut broken = document.clone();
        change(&mut broken);
        chart(&broken).unwrap_err().place.field.unwrap()
    };
    assert_eq!(field(&|one| one.plot.data[1]["parent"] = json!(7)), "plot.data[1].parent");
    assert_eq!(field(&|one| one.plot.data[1]["parent"] = json!(1)), "plot.data[1].parent", "no circles");
    assert_eq!(field(&|one| one.plot.data[0]["frame"] = json!("x")), "plot.data[0].frame");
    assert_eq!(field(&|one| one.plot.data[0]["value"] = json!(null)), "plot.data[0].value");
    assert_eq!(
        field(&|one| drop(one.plot.options.insert(FRAMES.to_owned(), json!([1])))),
        format!("plot.options.{FRAMES}")
    );
    let mut other = document.clone();
    other.plot.options.insert(FUNCTIONS.to_owned(), json!("x"));
    assert_eq!(drawn(&other).0.data.rows.len(), 2, "costs are those of the rows");
}
