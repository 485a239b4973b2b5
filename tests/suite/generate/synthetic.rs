//! Bundles of any size for tests of scale and for benchmarks.

use super::definition::{Definition, of_backend};
use super::spec::{BundleSpec, Column, RunSpec, Samples, Target};

/// How large a synthetic bundle is: it has the product of the four as observations.
pub(crate) struct Size {
    pub(crate) features: u64,
    pub(crate) targets: u64,
    pub(crate) metrics: u64,
    pub(crate) samples: u64,
}

/// A bundle of package `Synthetic` with releases `1.0.0`, `1.1.0`, …, ten minors to a major. Its samples are made
/// while writing. The first four metrics are those of the `benchmark` backend, further ones are invented.
pub(crate) fn synthetic(size: &Size) -> BundleSpec {
    let name = format!("synthetic {} {} {} {}", size.features, size.targets, size.metrics, size.samples);
    let mut spec = BundleSpec::new(&name, "synthetic_suite");
    spec.warnings = vec!["synthetic data: no program was measured".to_owned()];
    let definitions: Vec<Definition> = (0..size.metrics).map(definition).collect();
    for target in 0..size.targets {
        for feature in 0..size.features {
            let label = format!("{}.{}.0", 1 + target / 10, target % 10);
            let names = (format!("feature_{feature:04}"), format!("workload_{:04}", feature / 4));
            let mut run =
                RunSpec::new("Synthetic", &names.0, &names.1, "benchmark", Target::new(&label, "release"));
            run.comparison_key = format!("synthetic/{feature:04}/v1");
            let columns = (0..).zip(&definitions).map(|(metric, definition): (u64, _)| Column {
                definition: definition.clone(),
                samples: Samples::Made {
                    seed: (target << 40) ^ (feature << 16) ^ metric,
                    count: size.samples,
                    base: (1000 + (target * 37 + feature * 11 + metric * 501) % 900) as f64,
                },
            });
            spec.runs.push(run.table(columns.collect()));
        }
    }
    spec
}

fn definition(place: u64) -> Definition {
    let known = of_backend("benchmark", true);
    usize::try_from(place).ok().and_then(|place| known.get(place)).cloned().unwrap_or_else(|| {
        Definition::new("benchmark", &format!("synthetic.metric_{place:03}"), "synthetic-v1", "1")
    })
}
