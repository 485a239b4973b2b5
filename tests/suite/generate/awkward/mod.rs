//! An invented source that holds the awkward cases a reader meets: nothing in it was ever measured.
//!
//! | folder | holds |
//! | --- | --- |
//! | `versions` | a report folder: version order, absent targets, zero metrics, several runs and machines |
//! | `names` | hostile and merely unusual names |
//! | `shapes` | value ranges, few points, unknown units, envelopes, big integers |
//! | `profiles` | call stacks of allocation, CPU and wall-time profiles |
//! | `reruns` | several runs of one target |
//! | `foreign` | a nested tree of other producers and generations, with an unfinished write |
//! | `sixty` | sixty targets |

mod foreign;
mod names;
mod profiles;
mod reruns;
mod shapes;
mod versions;

use super::bundle::Bundle;
use super::definition::of_backend;
use super::spec::{BundleSpec, Column, RunSpec, Target};
use super::tree::Tree;
use serde_json::{Value, json};

/// Adds everything below `awkward/`.
pub(crate) fn add(tree: &mut Tree) {
    versions::add(tree);
    names::add(tree);
    shapes::add(tree);
    profiles::add(tree);
    reruns::add(tree);
    foreign::add(tree);
    sixty(tree);
}

/// A bundle spec with the warning that nothing was measured.
fn invented(name: &str, suite: &str) -> BundleSpec {
    let mut spec = BundleSpec::new(&format!("awkward {name}"), &format!("invented_{suite}"));
    spec.warnings = vec!["Invented data: no program was measured.".to_owned()];
    windows(&mut spec);
    spec
}

/// The first invented machine.
fn windows(spec: &mut BundleSpec) {
    spec.runtime = json!({
        "language": "julia", "version": "1.12.1", "threads": 1,
        "executable": "C:\\Users\\Zoë\\.julia\\juliaup\\julia-1.12.1\\bin\\julia.exe",
    });
    spec.environment = machine("NT", "44444444-5555-4666-8777-888888888888", "znver4");
}

/// The second invented machine: other system, other hardware, other language version.
fn linux(spec: &mut BundleSpec) {
    spec.runtime = json!({
        "language": "julia", "version": "1.12.2", "executable": "/home/zoë/julia-1.12.2/bin/julia", "threads": 4,
    });
    spec.environment = machine("Linux", "55555555-6666-4777-8888-999999999999", "skylake");
}

fn machine(os: &str, id: &str, cpu: &str) -> Value {
    json!({
        "os": os, "architecture": "x86_64", "word_size": 64, "hardware_ids": [id],
        "hardware": [{
            "id": id, "cpu_name": cpu, "word_size": 64, "simd_bytes": 32, "physical_cores": 8,
            "logical_threads": 16, "threads_per_core": 2,
        }],
    })
}

fn release(label: &str) -> Target {
    Target::new(label, "release")
}

/// A run of the `benchmark` backend with samples for its four columns; an empty list leaves a column out.
fn benchmark(feature: &str, workload: &str, target: Target, columns: [&[f64]; 4]) -> RunSpec {
    let mut run = RunSpec::new("Widget", feature, workload, "benchmark", target);
    run.comparison_key = format!("widget/{workload}/v1");
    let filled =
        of_backend("benchmark", true).into_iter().zip(columns).filter(|(_, values)| !values.is_empty()).map(
            |(definition, values)| {
                let whole = definition.metric.starts_with("julia.alloc");
                Column::of(&definition, values.iter().map(|value| number(*value, whole)))
            },
        );
    let columns = filled.collect();
    run.table(columns)
}

/// A float, or an integer where the collector counts.
fn number(value: f64, whole: bool) -> Value {
    if whole { (value as u64).into() } else { value.into() }
}

/// Sixty releases of one feature: five minors of twelve patches.
fn sixty(tree: &mut Tree) {
    let mut spec = invented("sixty", "sixty");
    spec.started_at = "2026-03-01T06:00:00".to_owned();
    spec.finished_at = "2026-03-01T07:30:00.5".to_owned();
    for place in 0..60_u32 {
        let label = format!("2.{}.{}", place / 12, place % 12);
        let time = 9000.0 - f64::from(place) * 60.0 + f64::from(place * 37 % 11) * 90.0;
        let bytes = f64::from(4096 - (place / 12) * 512);
        let columns: [&[f64]; 4] = [&[time, time + 150.0], &[0.0], &[bytes], &[f64::from(20 - place / 6)]];
        spec.runs.push(benchmark("sixty_bench", "sixty_small", release(&label), columns));
    }
    add_run(tree, "awkward/sixty/bundles", &spec);
}

/// Adds the bundle of `spec` as `<folder>/run-<run id>`.
fn add_run(tree: &mut Tree, folder: &str, spec: &BundleSpec) {
    tree.add_bundle(&format!("{folder}/run-{}", spec.run_id), Bundle::build(spec).files());
}
