//! Several runs of one target: which one gives the point, and which must stand apart.
//!
//! | folder | runs, in order of `finished_at` | wall time |
//! | --- | --- | --- |
//! | `state` | complete, partial, failed suite (with its own sample) | 500, 400, 300: the complete one counts |
//! | `tie` | two complete ones that ended at the same unknown time | 601 and 602: the greater run id counts |
//! | `definition` | two whose definition differs in its sample semantics | 700 and 7: two series |

use super::super::bundle::Bundle;
use super::super::spec::{BundleSpec, Status};
use super::super::tree::Tree;
use super::{add_run, benchmark, invented, release};

pub(super) fn add(tree: &mut Tree) {
    let states = [("complete", "01", 500.0), ("partial", "02", 400.0), ("failed", "03", 300.0)];
    for (state, day, time) in states {
        let mut spec = run(&format!("rerun {state}"), &format!("2026-03-{day}T10:00:00"), time);
        spec.state = Some(state.to_owned());
        if state == "failed" {
            let broken = benchmark("rerun_bench", "rerun", release("1.1.0"), [&[1.0], &[], &[], &[]]);
            spec.runs.push(broken.ended(Status::Error, "it broke"));
        }
        add_run(tree, "awkward/reruns/state/bundles", &spec);
    }
    // The greater id is the one of 602, whatever the names give.
    let mut ids = ["rerun tie a", "rerun tie b"].map(|name| run(name, "", 0.0).run_id);
    ids.sort();
    for (id, time) in ids.into_iter().zip([601.0, 602.0]) {
        let mut spec = run(&format!("rerun tie {time}"), "", time);
        spec.run_id = id;
        add_run(tree, "awkward/reruns/tie/bundles", &spec);
    }
    for (semantics, day, time) in
        [("one backend sample", "01", 700.0), ("mean of a hundred calls", "02", 7.0)]
    {
        let spec = run(&format!("rerun {semantics}"), &format!("2026-03-{day}T10:00:00"), time);
        let mut bundle = Bundle::build(&spec);
        bundle.definitions[0]["sample_semantics"] = semantics.into();
        let folder = format!("awkward/reruns/definition/bundles/run-{}", spec.run_id);
        tree.add_bundle(&folder, bundle.files());
    }
}

fn run(name: &str, finished: &str, time: f64) -> BundleSpec {
    let mut spec = invented(name, "reruns");
    spec.finished_at = finished.to_owned();
    spec.runs.push(benchmark("rerun_bench", "rerun", release("1.0.0"), [&[time], &[], &[], &[]]));
    spec
}
