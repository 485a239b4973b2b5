//! Bundles from the published Oxygen figures: nothing in them was measured here, nothing is made up but ids.

use super::bundle::Bundle;
use super::csv::Table;
use super::definition::{Definition, of_backend};
use super::spec::{BundleSpec, Column, RunSpec, Target};
use super::tree::Tree;
use serde_json::{Map, Value, json};

/// The smallest sample of every metric, release and feature is the value that was published.
#[test]
fn minima_are_the_published_ones() {
    let published = Published::read();
    let mut smallest = std::collections::BTreeMap::new();
    for feature in published.features() {
        for line in Bundle::build(&bundle(&published, &feature)).observations.split(|byte| *byte == b'\n') {
            if line.is_empty() {
                continue;
            }
            let row: Value = serde_json::from_slice(line).expect("the builder writes JSON");
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            let key = [text(&row["attributes"]["feature"]), text(&row["target_id"]), text(&row["metric"])];
            let value = row["value"].as_f64().expect("a number");
            smallest.entry(key).and_modify(|least: &mut f64| *least = least.min(value)).or_insert(value);
        }
    }
    assert_eq!(smallest.len(), published.summaries.rows().count());
    for row in published.summaries.rows() {
        let key = [row["feature"], row["version"], row["metric"]].map(str::to_owned);
        assert_eq!(
            smallest[&key].to_string(),
            row["value"].parse::<f64>().expect("a number").to_string(),
            "{key:?}"
        );
    }
}

/// One bundle per feature below `oxygen/bundles/`.
pub(crate) fn add(tree: &mut Tree) {
    let published = Published::read();
    for feature in published.features() {
        let spec = bundle(&published, &feature);
        tree.add_bundle(&format!("oxygen/bundles/run-{}", spec.run_id), Bundle::build(&spec).files());
    }
}

struct Published {
    summaries: Table,
    distributions: Table,
    constants: Table,
    environments: Table,
    releases: Table,
}

impl Published {
    fn read() -> Self {
        let mut summaries = Table::published("features");
        summaries.append(Table::published("routes"));
        let mut distributions = Table::published("distributions");
        distributions.append(Table::published("distributions-routes"));
        Self {
            summaries,
            distributions,
            constants: Table::published("constant-samples"),
            environments: Table::published("environments"),
            releases: Table::published("releases"),
        }
    }

    /// Feature names in published order.
    fn features(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for row in self.summaries.rows() {
            if !names.iter().any(|name| name == row["feature"]) {
                names.push(row["feature"].to_owned());
            }
        }
        names
    }

    /// The published samples of a metric, and whether they are all of them (else only the minimum).
    fn samples(&self, feature: &str, version: &str, definition: &Definition) -> (Column, bool) {
        let whole = definition.backend == "benchmark" && definition.metric.starts_with("julia.alloc");
        let number = |text: &str| -> Value {
            let value: f64 = text.parse().expect("a published number");
            // BenchmarkTools counts bytes and allocations in integers.
            if whole && value.fract() == 0.0 { (value as u64).into() } else { value.into() }
        };
        let key = [("feature", feature), ("version", version), ("metric", definition.metric.as_str())];
        let summary = self.summaries.find(&key).next().expect("every metric has a summary");
        assert_eq!(summary["unit"], definition.unit, "{key:?}");
        let promised: usize = summary["samples"].parse().expect("a sample count");
        if definition.backend == "benchmark" {
            let listed: Vec<(u64, Value)> = self
                .distributions
                .find(&key)
                .map(|row| (row["sample_index"].parse().expect("an index"), number(row["value"])))
                .collect();
            if !listed.is_empty() {
                assert_eq!(listed.len(), promised, "{key:?}");
                return (Column::numbered(definition, listed), true);
            }
            if let Some(row) = self.constants.find(&key).next() {
                assert_eq!(row["samples"], summary["samples"], "{key:?}");
                return (Column::of(definition, vec![number(row["value"]); promised]), true);
            }
        }
        (Column::of(definition, [number(summary["value"])]), false)
    }
}

fn bundle(published: &Published, feature: &str) -> BundleSpec {
    let backend = if feature.ends_with("_chairmark") { "chairmark" } else { "benchmark" };
    let suite = if published.constants.find(&[("feature", feature)]).next().is_some() {
        "oxygen_http_features"
    } else {
        "oxygen_routes"
    };
    let mut spec = BundleSpec::new(&format!("oxygen {feature}"), suite);
    let mut reduced: Vec<String> = Vec::new();
    let mut known = Vec::new();
    for release in published.releases.rows() {
        let version = release["version"];
        let row = published
            .summaries
            .find(&[("feature", feature), ("version", version)])
            .next()
            .expect("every feature was measured at every release");
        let mut run = RunSpec::new(
            "Oxygen",
            feature,
            row["workload"],
            backend,
            Target::new(version, row["target_kind"]),
        );
        run.comparison_key = format!("oxygen/{}/v1", row["workload"]);
        run.correctness = json!({
            "status": "not_checked",
            "message": "The published figures carry a constant here; no oracle result of this run was published.",
        });
        run.state_policy = Some("fresh".into());
        let environment = environment(published, version);
        known.push(format!(
            "{version}: 3 of {} packages",
            environment["resolved_package_count"].as_u64().expect("a count")
        ));
        run.environment_provenance = Some(environment);
        let mut columns = Vec::new();
        for definition in of_backend(backend, true) {
            assert!(definition.id.ends_with(row["collector"]), "{}", definition.id);
            let (column, all) = published.samples(feature, version, &definition);
            if !all && !reduced.contains(&definition.metric) {
                reduced.push(definition.metric.clone());
            }
            columns.push(column);
        }
        spec.runs.push(run.table(columns));
    }
    spec.warnings = warnings(&reduced, &known);
    spec.extra = dates(published);
    spec
}

fn environment(published: &Published, version: &str) -> Value {
    let row = published.environments.find(&[("version", version)]).next().expect("an environment");
    let count: u64 = row["package_count"].parse().expect("a package count");
    json!({
        "path": "", "project_sha256": null, "preferences_sha256": null, "manifest_file": "Manifest.toml",
        "manifest_sha256": row["manifest_sha256"], "development_sources": [], "resolved_package_count": count,
        "resolved_packages": [
            {"name": "DataStructures", "version": row["datastructures_version"]},
            {"name": "HTTP", "version": row["http_version"]},
            {"name": "Oxygen", "version": version},
        ],
    })
}

fn dates(published: &Published) -> Map<String, Value> {
    let column = |name: &str| -> Value {
        let fields = published.releases.rows().map(|row| (row["version"].to_owned(), row[name].into()));
        Value::Object(fields.collect())
    };
    [("release_dates", column("date")), ("release_date_kinds", column("date_kind"))]
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
}

fn warnings(reduced: &[String], known: &[String]) -> Vec<String> {
    let mut warnings = vec![
        "Rebuilt from published figures: the values are the published ones; run ids, suite name and comparison \
         keys were made for this bundle."
            .to_owned(),
        "The start and end of the run and its hardware were not published and are left empty.".to_owned(),
        "The published page says that an oracle verifies every response outside the timing; no result of it was \
         published per run, so correctness stands as not_checked."
            .to_owned(),
        format!(
            "Resolved packages are incomplete: only the versions of DataStructures, HTTP and Oxygen were \
             published ({}).",
            known.join(", ")
        ),
    ];
    if !reduced.is_empty() {
        warnings.push(format!(
            "Of {} only the minimum of 30 samples was published: that one value stands as a single sample with \
             sample_index 1.",
            reduced.join(", ")
        ));
    }
    warnings
}
