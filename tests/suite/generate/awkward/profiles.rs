//! Profiling rows: call stacks, outermost first, with weights to be summed.

use super::super::definition::{Definition, of_backend};
use super::super::spec::{BundleSpec, Column, RunSpec, Sample, Samples, Target};
use super::super::tree::Tree;
use super::{add_run, invented, release};
use serde_json::{Map, Value, json};

/// Weight, file, line and stack of one row.
type Row<'a> = (f64, &'a str, u64, &'a [&'a str]);

const SORT: &str = "C:\\Users\\Zoë\\.julia\\packages\\Widget\\AbCdE\\src\\sort.jl";
const SIZE: &str = "C:\\Users\\Zoë\\.julia\\packages\\Widget\\AbCdE\\src\\größe.jl";

/// Allocation sites of 1.10.0: total 1000; 600, 300 and exactly 50 (5 %) stand alone, 30 and 20 are small.
const SITES: [Row; 5] = [
    (600.0, SORT, 12, &["main (demo.jl:1)", "sort! (Widget/src/sort.jl:12)"]),
    (300.0, SORT, 40, &["main (demo.jl:1)", "sort! (Widget/src/sort.jl:12)", "#3 (Widget/src/sort.jl:40)"]),
    (50.0, SIZE, 7, &["main (demo.jl:1)", "größe (Widget/src/größe.jl:7)"]),
    (30.0, ".\\array.jl", 350, &["main (demo.jl:1)", "copy (array.jl:350)"]),
    (20.0, "[other]", 0, &["[other]"]),
];

pub(super) fn add(tree: &mut Tree) {
    let mut spec = invented("profiles", "profiles");
    spec.started_at = "2026-03-01T03:00:00".to_owned();
    spec.finished_at = "2026-03-01T03:30:00".to_owned();
    allocations(&mut spec);
    stacks(&mut spec, "sort_cpu", "profile", true);
    earlier(&mut spec);
    stacks(&mut spec, "sort_wall", "wall_profile", false);
    add_run(tree, "awkward/profiles/bundles", &spec);
}

fn allocations(spec: &mut BundleSpec) {
    let halved = |row: &Row<'static>| (row.0 / 2.0, row.1, row.2, row.3);
    let targets: [(Target, Vec<Row>); 4] = [
        // Every site small against one, and a total of 0 at the development target.
        (release("1.9.0"), vec![SITES[0], (0.25, SORT, 41, SITES[1].3)]),
        (release("1.10.0"), SITES.to_vec()),
        (Target::new("dev@1.11.0", "dev"), vec![(0.0, SORT, 12, SITES[0].3)]),
        (Target::new("feature/faster-sort", "candidate"), SITES.iter().map(halved).collect()),
    ];
    for (target, rows) in targets {
        let definitions = of_backend("profile_alloc", false);
        let mut run = RunSpec::new("Widget", "sort_alloc", "sort_small", "profile_alloc", target);
        run.comparison_key = "widget/sort_small/v1".to_owned();
        let bytes = column(&definitions[0], &rows);
        let counts: Vec<Row> = rows.iter().map(|row| (row.0 / 16.0, row.1, row.2, row.3)).collect();
        spec.runs.push(run.table(vec![bytes, column(&definitions[1], &counts)]));
    }
}

/// A profile of 8 samples: one ends in the root itself, one row's side arrays have the wrong length.
fn stacks(spec: &mut BundleSpec, feature: &str, backend: &str, fresh: bool) {
    let root = "sort! (Widget/src/sort.jl:12)";
    let rows: [Row; 5] = [
        (1.0, SORT, 12, &[root]),
        (4.0, SORT, 40, &[root, "#3 (Widget/src/sort.jl:40)"]),
        (1.0, ".\\array.jl", 350, &[root, "copy (array.jl:350)"]),
        (1.0, SORT, 12, &[root, root, root]),
        (1.0, "[other]", 0, &["[other]"]),
    ];
    let definition = &of_backend(backend, fresh)[0];
    let mut filled = column(definition, &rows);
    if let Samples::Given(samples) = &mut filled.samples {
        for (place, sample) in samples.iter_mut().enumerate() {
            side_arrays(place, &mut sample.extra);
        }
    }
    let mut run = RunSpec::new("Widget", feature, "sort_small", backend, release("1.10.0"));
    run.comparison_key = "widget/sort_small/v1".to_owned();
    spec.runs.push(run.table(vec![filled]));
}

/// The release before: 10 samples, the same root at another line, one frame that is gone later; `#3` is not there yet.
fn earlier(spec: &mut BundleSpec) {
    let root = "sort! (Widget/src/sort.jl:11)";
    let rows: [Row; 3] = [
        (2.0, SORT, 11, &[root]),
        (5.0, ".\\array.jl", 350, &[root, "copy (array.jl:350)"]),
        (3.0, SORT, 44, &[root, "merge! (Widget/src/sort.jl:44)"]),
    ];
    let definition = &of_backend("profile", true)[0];
    let mut run = RunSpec::new("Widget", "sort_cpu", "sort_small", "profile", release("1.9.0"));
    run.comparison_key = "widget/sort_small/v1".to_owned();
    spec.runs.push(run.table(vec![column(definition, &rows)]));
}

fn side_arrays(place: usize, extra: &mut Map<String, Value>) {
    let depth = extra["stack"].as_array().map_or(0, Vec::len);
    // The third row has arrays that are too short or too long: they are to be ignored.
    let (short, long) = if place == 2 { (depth - 1, depth + 2) } else { (depth, depth) };
    let last =
        |length: usize, flag: bool| (1..=length).map(|level| flag && level == length).collect::<Vec<_>>();
    let words = ["concrete", "any", "union", "abstract", "unknown"];
    extra.insert("runtime_dispatch".to_owned(), last(short, place == 1).into());
    extra.insert("gc_event".to_owned(), last(long, place == 2).into());
    let status: Vec<_> = (0..short).map(|level| words[(place + level) % words.len()]).collect();
    extra.insert("inference_status".to_owned(), status.into());
    let types: Vec<_> = (0..long).map(|level| if level == 0 { "Vector{Größe}" } else { "" }).collect();
    extra.insert("inferred_return_type".to_owned(), types.into());
}

fn column(definition: &Definition, rows: &[Row]) -> Column {
    let samples = (1..)
        .zip(rows)
        .map(|(index, (weight, file, line, stack))| Sample {
            index,
            value: (*weight).into(),
            extra: json!({"source_file": file, "source_line": line, "stack": stack})
                .as_object()
                .expect("an object")
                .clone(),
        })
        .collect();
    Column { definition: definition.clone(), samples: Samples::Given(samples) }
}
