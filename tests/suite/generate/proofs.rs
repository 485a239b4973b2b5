//! The builder against the worked example and the published ids of the format description.

use super::bundle::{Bundle, DOCUMENTS, write_bundle};
use super::canon::{canonical, float_text, sha256_hex};
use super::definition::of_backend;
use super::ids::{plot_id, series_id, uuid};
use super::spec::{BundleSpec, Column, RunSpec, Status, Target};
use super::synthetic::{Size, synthetic};
use serde_json::{Value, json};

/// The small bundle of the format description: one release without the feature, two with one sample each.
fn widget() -> BundleSpec {
    let mut spec = BundleSpec::new("widget", "demo_suite");
    spec.run_id = "6f0c7d0e-5b1a-4d53-9c39-0f6c2f1b7a10".into();
    spec.attempt_id = "0d3f6a4e-2d2b-4f0c-8a55-7b9e1c2d3e4f".into();
    spec.started_at = "2026-03-01T09:00:00.125".into();
    spec.finished_at = "2026-03-01T09:02:11.004".into();
    spec.runtime = json!({"language": "julia", "version": "1.12.1", "executable": "C:\\demo\\bin\\julia.exe", "threads": 1});
    let hardware = "33333333-4444-5555-8666-777777777777";
    spec.environment = json!({
        "os": "NT", "architecture": "x86_64", "word_size": 64, "hardware_ids": [hardware],
        "hardware": [{
            "id": hardware, "cpu_name": "znver4", "word_size": 64, "simd_bytes": 64, "physical_cores": 8,
            "logical_threads": 16, "threads_per_core": 2,
        }],
    });
    spec.warnings = vec!["example warning".into()];
    // The exact members that the writer digests are not documented, so the example's own key is taken over.
    spec.extra.insert(
        "reuse_key".into(),
        "0ec1b26a0764d8cb667fa7a2314e4a736d97405c0725c24c28bfa41622516593".into(),
    );
    let run = |version: &str| {
        let mut run =
            RunSpec::new("Widget", "sort_bench", "sort_small", "benchmark", Target::new(version, "release"));
        run.entrypoint = "C:\\demo\\sort.jl".into();
        run.oracle = json!({"function": "perf_oracle", "required": true});
        run.comparison_key = "widget/sort/v1".into();
        run
    };
    let measured = |version: &str, manifest: &str, tree: &str, time: f64, bytes: u64, count: u64| {
        let mut run = run(version);
        run.correctness = json!({"status": "passed", "message": ""});
        run.verdict = "validated".into();
        run.state_policy = Some("fresh".into());
        run.environment_provenance = Some(json!({
            "path": "C:\\demo\\worker", "preferences_sha256": null, "manifest_file": "Manifest.toml",
            "project_sha256": "148de9c5a7a44d19e56cd9ae1a554bf67847afb0c58f6e12fa29ac7ddfca9940",
            "manifest_sha256": manifest, "development_sources": [],
            "resolved_packages": [{
                "name": "Widget", "uuid": "11111111-2222-4333-8444-555555555555", "version": version,
                "git-tree-sha1": tree,
            }],
        }));
        let values: [Value; 4] = [time.into(), 0.0.into(), bytes.into(), count.into()];
        let columns = of_backend("benchmark", true);
        run.table(columns.iter().zip(values).map(|(column, value)| Column::of(column, [value])).collect())
    };
    let mut absent = run("1.0.0").ended(Status::Unavailable, "not defined for 1.0.0");
    absent.correctness = json!({"status": "not_checked", "message": "no oracle"});
    spec.runs = vec![
        absent,
        measured(
            "1.2.0",
            "9f77034b1eb57d24f21ac7deb65c9cc99f63b72775e311f1f280ab2b6c2e06a2",
            "4acc7d8ff2a07c5724b61e524ae1a2782dc80e96",
            8100.0,
            2048,
            12,
        ),
        measured(
            "1.10.0",
            "e91dee3b412922e56d788d757cd30eaaae92b0846323abdb99eeb58b9cfe30c1",
            "e9e533b0da8e5546eff821a40fbf7ca20ab9cf7e",
            5400.0,
            1024,
            6,
        ),
    ];
    spec
}

#[test]
fn worked_example_has_its_published_digests() {
    let bundle = Bundle::build(&widget());
    assert_eq!(
        bundle.manifest["plan"]["plan_revision"],
        "9bb86209f48f980279679c789f2e22c5498f3abfda022ff69be4dce8cf23efea"
    );
    let runs = bundle.manifest["plan"]["runs"].as_array().expect("runs");
    let ids: Vec<_> = runs.iter().map(|run| run["id"].as_str().expect("id")).collect();
    assert_eq!(ids, ["e87e97563c165e3f8f6f", "be63fb8ad4f2ef5602c5", "f8ed8853b489e47e14c8"]);
    let published = [
        ("4a8dc280308e95774a223c738d6f174578e1be6ac9bdd3f6b10e03bf5a9e21a0", 6676),
        ("6846e37f1f1a7446f74f9406604583a30b8faafd0df2e3f4431f89f454b30481", 1337),
        ("57059cd0778d6564e56d160de1c44b3640414e8f71d54e7cf6492a3efe978f67", 4935),
        ("83d16e4813e7e08aee584a5880ebc29329581d7c85d3d28f69173681bbad390f", 846),
        ("37517e5f3dc66819f61f5a7bb8ace1921282415f10551d2defa5c3eb0985b570", 3),
    ];
    let files = bundle.files();
    for (name, (sha256, bytes)) in DOCUMENTS.iter().zip(published) {
        let text = &files[*name];
        assert_eq!((sha256_hex(text).as_str(), text.len()), (sha256, bytes), "{name}");
    }
}

#[test]
fn plot_ids_agree_with_published_ones() {
    let names = ["Widget", "sort_bench", "sort_small", "widget/sort/v1", "benchmarktools-v1"];
    assert_eq!(plot_id("normalized_metrics", &names), "normalized-metrics-2e395f9a32d889c7");
    assert_eq!(
        plot_id("allocation_pie", &["demo_suite/Widget/sort_alloc"]),
        "allocation-pie-b559269b8ded20c9"
    );
    assert_eq!(plot_id("cpu_flamegraph", &["demo_suite/Widget/sort_cpu"]), "cpu-flamegraph-be195878a4ab2b31");
}

#[test]
fn a_series_id_is_the_digest_of_seven_names() {
    let text = r#"["Widget","sort_bench","sort_small","widget/sort/v1::d/m","d","d/m","ns"]"#;
    let id = series_id(["Widget", "sort_bench", "sort_small"], "widget/sort/v1::d/m", "d", "d/m", "ns");
    assert_eq!(id, sha256_hex(text.as_bytes())[..16]);
}

#[test]
fn floats_have_the_form_of_the_writer() {
    let cases = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (2600.0, "2600.0"),
        (999_999.5, "999999.5"),
        (1_000_000.0, "1.0e6"),
        (1_420_400.0, "1.4204e6"),
        (69_466_045.0, "6.9466045e7"),
        (0.0001, "0.0001"),
        (0.000_094_835, "9.4835e-5"),
        (0.001_511_300_000_000_000_1, "0.0015113000000000001"),
        (5e-324, "5.0e-324"),
        (f64::MAX, "1.7976931348623157e308"),
    ];
    for (number, text) in cases {
        assert_eq!(float_text(number), text);
    }
}

#[test]
fn canonical_text_sorts_keys_and_quotes_big_integers() {
    let value = json!({"b": [1, 9_007_199_254_740_991_u64, 9_007_199_254_740_992_u64], "a\u{e9}": "é\n\"", "a": null});
    assert_eq!(canonical(&value), r#"{"a":null,"aé":"é\n\"","b":[1,9007199254740991,"9007199254740992"]}"#);
    assert_eq!(canonical(&json!(-9_007_199_254_740_992_i64)), r#""-9007199254740992""#);
}

#[test]
fn derived_uuids_have_version_and_variant() {
    let id = uuid("any name");
    assert_eq!(id.len(), 36);
    assert_eq!(&id[14..15], "5");
    assert!("89ab".contains(&id[19..20]));
    assert_ne!(id, uuid("another name"));
}

#[test]
fn a_streamed_bundle_equals_one_made_in_memory() {
    let spec = synthetic(&Size { features: 2, targets: 3, metrics: 4, samples: 5 });
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("run-x");
    write_bundle(&folder, &spec).expect("the bundle is written");
    let files = Bundle::build(&spec).files();
    assert_eq!(files["observations.jsonl"].split_inclusive(|byte| *byte == b'\n').count(), 2 * 3 * 4 * 5);
    for (name, bytes) in &files {
        assert_eq!(&std::fs::read(folder.join(name)).expect("the file exists"), bytes, "{name}");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder exists").count(), files.len());
}
