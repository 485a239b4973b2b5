//! Value ranges, numbers of points, units and kinds of metric that a figure must cope with.

use super::super::bundle::Bundle;
use super::super::canon::{digest, document};
use super::super::definition::{Definition, of_backend};
use super::super::spec::{BundleSpec, Column, RunSpec};
use super::super::tree::Tree;
use super::{benchmark, invented, release};
use serde_json::{Value, json};

pub(super) fn add(tree: &mut Tree) {
    let mut spec = invented("shapes", "shapes");
    spec.started_at = "2026-03-01T04:00:00".to_owned();
    spec.finished_at = "2026-03-01T04:20:00".to_owned();
    wide(&mut spec);
    few(&mut spec);
    rates(&mut spec);
    unknown(&mut spec);
    envelopes(&mut spec);
    let mut bundle = Bundle::build(&spec);
    bundle.diagnostics.extend(document(&no_counters(&spec)));
    tree.add_bundle(&format!("awkward/shapes/bundles/run-{}", spec.run_id), bundle.files());
}

/// Values over five powers of ten, zeros among them, and the ends of the float range.
fn wide(spec: &mut BundleSpec) {
    let times = [120.0, 95.0, 4_800.0, 96_000.0, 5_200_000.0, 0.0];
    let bytes = [16.0, 0.0, 0.0, 65_536.0, 1_048_576.0, 0.0];
    for ((place, time), bytes) in (0_u32..).zip(times).zip(bytes) {
        let target = release(&format!("1.{place}.0"));
        spec.runs.push(benchmark("wide_range", "wide", target, [&[time], &[0.0], &[bytes], &[1.0]]));
    }
    let ends = [f64::MAX, 5e-324, 1e-9, 0.1 + 0.2];
    for (place, value) in (0_u32..).zip(ends) {
        let target = release(&format!("1.{place}.0"));
        spec.runs.push(benchmark("float_ends", "ends", target, [&[value], &[], &[], &[]]));
    }
}

fn few(spec: &mut BundleSpec) {
    for (label, time) in [("1.0.0", 300.0), ("1.1.0", 280.0)] {
        spec.runs.push(benchmark(
            "two_targets",
            "two",
            release(label),
            [&[time, time], &[0.0, 0.0], &[64.0, 64.0], &[1.0, 1.0]],
        ));
    }
    spec.runs.push(benchmark("single_point", "single", release("1.1.0"), [&[150.0], &[], &[], &[]]));
}

/// Metrics of which more is better.
fn rates(spec: &mut BundleSpec) {
    for (label, bytes_per_second) in [("1.0.0", 5.0e6), ("1.1.0", 7.5e6), ("1.2.0", 6.0e6)] {
        let mut run = RunSpec::new("Widget", "send_network", "send", "network", release(label));
        run.comparison_key = "widget/send/v1".to_owned();
        let values = [1.0e6 / bytes_per_second, bytes_per_second, bytes_per_second / 4096.0];
        let columns = of_backend("network", false);
        run = run
            .table(columns.iter().zip(values).map(|(column, value)| Column::of(column, [value])).collect());
        for column in run.tables.iter_mut().flatten() {
            if let super::super::spec::Samples::Given(samples) = &mut column.samples {
                for sample in samples {
                    sample.extra = json!({
                        "capture_layer": "application", "attribution_scope": "workload", "interface": "",
                        "latency_context": "end_to_end_informative",
                    })
                    .as_object()
                    .expect("an object")
                    .clone();
                }
            }
        }
        spec.runs.push(run);
    }
}

/// A backend, metrics and units that no table knows; counters above 2^53 as text; negative values.
fn unknown(spec: &mut BundleSpec) {
    let teeth = Definition::new("sprocketeer", "widget.teeth.worn", "odd-v3", "tooth²");
    let mut quality = Definition::new("sprocketeer", "widget.quality", "odd-v3", "%");
    quality.preference = "higher".to_owned();
    let clock = Definition::new("sprocketeer", "widget.clock", "odd-v3", "µs");
    let drift = Definition::new("sprocketeer", "widget.drift", "odd-v3", "\u{3bc}s");
    for (place, label) in (0_u64..).zip(["1.0.0", "1.1.0", "1.2.0"]) {
        let mut run = RunSpec::new("Widget", "odd_units", "odd", "sprocketeer", release(label));
        run.comparison_key = "widget/odd/v1".to_owned();
        let big: Value = (9_007_199_254_740_993 + 2 * place).into();
        spec.runs.push(run.table(vec![
            Column::of(&teeth, [0.5, 1.5 + place as f64]),
            Column::of(&quality, [97.5 - place as f64]),
            Column::of(&clock, [big, u64::MAX.into()]),
            Column::of(&drift, [-1.5, 1.0 - place as f64]),
        ]));
    }
}

fn envelopes(spec: &mut BundleSpec) {
    for (place, label) in (0_i64..).zip(["1.0.0", "1.1.0"]) {
        let mut run = benchmark("with_envelope", "envelope", release(label), [&[510.0], &[], &[], &[]]);
        let before = 180_000_000_i64;
        let after = before + 400_000 * (1 - 2 * place);
        let values: [Value; 4] = [1.25.into(), before.into(), after.into(), (after - before).into()];
        let columns = of_backend("process_resources", false);
        run.envelopes =
            columns.iter().zip(values).map(|(column, value)| Column::of(column, [value])).collect();
        spec.runs.push(run);
    }
}

/// A diagnostic about counters that the system lacks: it has no status and does not mean that the run failed.
fn no_counters(spec: &BundleSpec) -> Value {
    let case = format!("{}/Widget/with_envelope", spec.suite);
    let message = "no external memory provider";
    let memory = |schema: &str, status: &str| {
        json!({
            "schema_version": schema, "provider": "unavailable", "status": status, "message": message,
            "timestamp_ns": "9007199254740993",
        })
    };
    json!({
        "record_type": "diagnostic", "run_id": spec.run_id, "attempt_id": spec.attempt_id, "case_id": case,
        "target_id": "1.1.0", "rule_id": "resource.external.unavailable", "severity": "info", "message": message,
        "fingerprint": digest(&json!(["resource.external.unavailable", case, "1.1.0", message])),
        "evidence": {
            "schema_version": "perfchecker-resource-envelope/1", "elapsed_seconds": 1.25, "external_requested": true,
            "process_before": memory("perfchecker-process-memory/1", "observed"),
            "process_after": memory("perfchecker-process-memory/1", "observed"),
            "external_before": memory("perfchecker-external-memory/1", "unavailable"),
            "external_after": memory("perfchecker-external-memory/1", "unavailable"),
        },
    })
}
