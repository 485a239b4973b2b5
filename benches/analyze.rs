//! Normalization of a large site: 1,000 groups, 4 metrics, 14 targets.

use perfolio::analyze::{Group, Point, Reference, Series, Statistic, Summary, Target, normalize_group};
use perfolio::evidence::{Definition, Number, Preference, TargetKind};

fn main() {
    divan::main();
}

fn group(at: u64) -> Group {
    let targets: Vec<Target> = (0..14)
        .map(|minor| Target {
            label: format!("1.{minor}.0").into(),
            kind: TargetKind::Release,
            date: None,
            date_kind: None,
        })
        .collect();
    let series = (0..4)
        .map(|metric: u64| Series {
            definition: Definition {
                id: format!("m.{metric}/x").into(),
                metric: format!("m.{metric}").into(),
                unit: "ns".into(),
                collector: None,
                sample_semantics: None,
                preference: Preference::Lower,
                warmup_policy: None,
                includes_compilation: None,
                includes_children: None,
                attribution_scope: None,
                extra: serde_json::Map::new(),
            },
            summed: false,
            points: (0..14)
                .map(|target: u64| {
                    // A fixed mix of whole and broken values, some of them zero.
                    let value = (at * 31 + metric * 17 + target * 7) % 97 * 100;
                    let value =
                        if metric == 1 { Number::Float(value as f64 / 7.0) } else { Number::Unsigned(value) };
                    Point {
                        summary: Summary::of([value, Number::Unsigned(100_000)]),
                        run: None,
                        samples_of: None,
                        reason: None,
                    }
                })
                .collect(),
            step: None,
            saved: None,
        })
        .collect();
    Group {
        package: Some("P".into()),
        feature: format!("f{at}").into(),
        workload: "w".into(),
        base_key: "k".into(),
        collector: "x".into(),
        variant: None,
        description: String::new(),
        dependencies: vec![None; targets.len()],
        targets,
        series,
        normalizable: true,
        joined: Vec::new(),
        saved: None,
    }
}

#[divan::bench(args = ["minimum", "latest"])]
fn normalize(bencher: divan::Bencher<'_, '_>, reference: &str) {
    let groups: Vec<Group> = (0..1_000).map(group).collect();
    let reference = Reference::parse(reference);
    bencher.bench_local(|| {
        groups.iter().map(|group| normalize_group(group, Statistic::Minimum, &reference)).collect::<Vec<_>>()
    });
}

#[divan::bench(args = [30, 1_000])]
fn sum_up(bencher: divan::Bencher<'_, '_>, samples: u64) {
    let values: Vec<Number> = (0..samples).map(|at| Number::Unsigned(at * 7919 % 1009)).collect();
    bencher.bench_local(|| Summary::of(divan::black_box(values.iter().copied())));
}
