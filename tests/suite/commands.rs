//! The command line as a user meets it: exit codes, messages, files.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Ended, fixture, repository, run, tree};

fn perfolio(folder: &Path, line: &str) -> Ended {
    run(folder, &line.split_whitespace().collect::<Vec<_>>())
}

fn inspect(path: &str, more: &[&str]) -> Value {
    let path = fixture(path);
    let mut arguments = vec!["inspect".as_ref(), path.as_os_str(), "--json".as_ref()];
    arguments.extend(more.iter().map(|one| std::ffi::OsStr::new(*one)));
    run(repository(), &arguments).expect(0).json()
}

#[test]
fn without_arguments_the_program_explains_itself() {
    let folder = TempDir::new().unwrap();
    let ended = perfolio(folder.path(), "").expect(0);
    for word in ["build", "inspect", "verify", "export", "render"] {
        assert!(ended.out.contains(word), "{}", ended.out);
    }
    let ended = perfolio(folder.path(), "biuld").expect(2);
    assert!(ended.err.contains("build"), "{}", ended.err);
}

#[test]
fn exit_codes_tell_usage_from_disk() {
    let folder = TempDir::new().unwrap();
    let _ = perfolio(folder.path(), "build").expect(2);
    let _ = perfolio(folder.path(), "inspect no-such-folder").expect(3);
    fs::write(folder.path().join("perfolio.toml"), "titel = \"x\"\n").unwrap();
    let ended = perfolio(folder.path(), "build").expect(2);
    assert!(ended.err.contains("perfolio.toml:1") && ended.err.contains("`title`"), "{}", ended.err);
    fs::write(folder.path().join("plot.json"), "{\"schema_version\": \"perfchecker-plot/2\"}").unwrap();
    let ended = perfolio(folder.path(), "render plot.json -o plot.svg").expect(1);
    assert!(ended.err.contains("plot.json") && ended.err.contains("schema_version"), "{}", ended.err);
}

#[test]
fn verify_finds_nothing_in_the_published_evidence() {
    let ended = perfolio(repository(), "verify fixtures/oxygen").expect(0);
    assert!(!ended.out.contains("error:") && !ended.out.contains("warning:"), "{}", ended.out);
    let ended = perfolio(repository(), "verify fixtures/corrupt/integrity-byte-changed").expect(1);
    assert!(ended.out.contains("error:") && ended.out.contains("run-bad/"), "{}", ended.out);
}

#[test]
fn inspect_gives_one_point_per_target_of_a_group() {
    let report = inspect("oxygen", &[]);
    assert_eq!(report["schema_version"], "perfolio-inspect/1");
    let series = report["series"].as_array().unwrap();
    assert_eq!(series.len(), 7 * 4 + 4 * 4);
    assert!(series.iter().all(|one| one["points"].as_array().unwrap().len() == 14));
    // The saved profiles name runs of their own, of which nothing but the plots is there.
    let (bundles, named): (Vec<_>, Vec<_>) = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .partition(|run| run["path"].as_str().unwrap().starts_with("bundles/"));
    assert_eq!((bundles.len(), named.len()), (11, 3));
    assert!(bundles.iter().all(|run| run["integrity"] == "verified"));
    assert!(named.iter().all(|run| run["integrity"] == "unverified"));
    let dates: Vec<_> = report["targets"].as_array().unwrap().iter().map(|target| &target["date"]).collect();
    assert_eq!((dates[0], dates[13]), (&Value::from("2022-05-28"), &Value::from("2026-08-28")));
}

#[test]
fn statistic_and_reference_can_be_chosen() {
    let wall = |report: &Value| {
        report["series"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["feature"] == "plain_benchmark" && one["metric"] == "julia.wall.time")
            .unwrap()
            .clone()
    };
    let median = wall(&inspect("oxygen", &["--statistic", "median", "--reference", "1.10.2"]));
    let point = &median["points"][13];
    assert_eq!(point["statistic"], "median");
    assert_eq!(point["reference_target"], "1.10.2");
    assert_eq!(point["value"].as_f64(), Some(3950.0));
    assert_eq!(point["reference_value"].as_f64(), Some(7500.0));
    assert_eq!(point["ratio"].as_f64(), Some(3950.0 / 7500.0));
    let folder = TempDir::new().unwrap();
    let path = fixture("oxygen").to_string_lossy().into_owned();
    let ended = run(folder.path(), &["inspect", &path, "--json", "--statistic", "mode"]).expect(2);
    assert!(ended.err.contains("median"), "{}", ended.err);
    let ended = run(folder.path(), &["inspect", &path, "--json", "--reference", "9.9.9"]).expect(2);
    assert!(ended.err.contains("9.9.9"), "{}", ended.err);
    let ended =
        run(folder.path(), &["export", &path, "--reference", "9.9.9", "--output", "figures"]).expect(2);
    assert!(ended.err.contains("9.9.9"), "{}", ended.err);
    let config = format!("[[source]]\npath = {path:?}\n\n[normalize]\nreference = \"9.9.9\"\n");
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    let ended = run(folder.path(), &["build", "--output", "site"]).expect(2);
    assert!(ended.err.contains("9.9.9"), "{}", ended.err);
}

#[test]
fn blocks_can_be_pasted_into_a_page() {
    let blocks = perfolio(repository(), "inspect fixtures/oxygen --blocks").expect(0).out;
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("content")).unwrap();
    let page = format!("# All blocks\n\n{blocks}");
    fs::write(folder.path().join("content/index.md"), page).unwrap();
    let evidence = fixture("oxygen");
    fs::write(
        folder.path().join("perfolio.toml"),
        format!("[[source]]\npath = {:?}\nid = \"oxygen\"\n", evidence.to_string_lossy()),
    )
    .unwrap();
    let _ = perfolio(folder.path(), "build --strict").expect(0);
}

#[test]
fn export_writes_what_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen").to_string_lossy().into_owned();
    let listed = run(folder.path(), &["export", &source, "--list"]).expect(0).out;
    assert!(listed.lines().count() > 50, "{listed}");
    let _ = run(
        folder.path(),
        &[
            "export",
            &source,
            "-o",
            "out",
            "--feature",
            "plain_*",
            "--kind",
            "normalized_metrics",
            "--from",
            "1.10.0",
            "--to",
            "1.11.0",
            "--format",
            "csv,json",
            "--metric",
            "julia.wall.time",
        ],
    )
    .expect(0);
    let written = tree(&folder.path().join("out"));
    let csv = written.iter().find(|(path, _)| path.ends_with(".csv")).unwrap().1;
    let text = String::from_utf8_lossy(csv);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 4, "{text}");
    assert!(lines[4].contains("1.11.0") && lines[4].contains("3800.0"), "{text}");
    assert!(!written.keys().any(|path| path.ends_with(".svg")));
    let ended = run(folder.path(), &["export", &source, "-o", "out2", "--feature", "nothing"]).expect(2);
    assert!(ended.err.contains("nothing"), "{}", ended.err);
}

#[test]
fn export_names_the_nearest_of_a_mistyped_name() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen").to_string_lossy().into_owned();
    for (flag, wrong, right) in [
        ("--feature", "plain_benchmrk", "plain_benchmark"),
        ("--workload", "plain_htp", "plain_http"),
        ("--metric", "julia.wall.tme", "julia.wall.time"),
        ("--target", "1.10.22", "1.10.2"),
        ("--from", "1.00.0", "1.0.0"),
        ("--to", "v1.11.0", "1.11.0"),
        ("--kind", "distributon", "distribution"),
    ] {
        let ended =
            run(folder.path(), &["export", &source, "-o", "out", "--metric", "julia.gc.time", flag, wrong])
                .expect(2);
        let said = format!("`{wrong}`; did you mean `{right}`?");
        assert!(ended.err.contains(&said), "{flag}: {}", ended.err);
    }
    assert!(!folder.path().join("out").exists());
    // Every name is known, and yet nothing has all of them.
    let both = ["export", &source, "-o", "out", "--feature", "plain_*", "--workload", "path_http"];
    let ended = run(folder.path(), &both).expect(2);
    assert!(ended.err.contains("no figure fits --feature plain_* --workload path_http"), "{}", ended.err);
}

#[test]
fn samples_and_changes_are_drawn_by_date() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen").to_string_lossy().into_owned();
    for kind in ["distribution", "version_delta", "time_allocation_tradeoff"] {
        let export =
            ["export", &source, "--feature", "plain_*", "--kind", kind, "--format", "svg,json", "--force"];
        let written = |more: &[&str]| {
            let _ = run(folder.path(), &[&export[..], more, &["-o", "out"]].concat()).expect(0);
            let mut files = tree(&folder.path().join("out"));
            files.retain(|path, _| path.contains('/'));
            files
        };
        let (by_order, by_date) = (written(&[]), written(&["--x", "date"]));
        let (svg, drawn) = by_date.iter().find(|(path, _)| path.ends_with(".svg")).unwrap();
        let text = String::from_utf8(drawn.clone()).unwrap();
        let json = format!("out/{}", svg.replace(".svg", ".json"));
        let render = ["render", &json, "-o", "again.svg", "--x", "date"];
        if kind == "time_allocation_tradeoff" {
            assert_eq!(&by_order[svg], drawn, "it has no axis of targets");
            let ended = run(folder.path(), &render).expect(2);
            assert!(ended.err.contains("no axis of targets"), "{}", ended.err);
            continue;
        }
        assert!(&by_order[svg] != drawn && text.contains(">2024-01<"), "days are labelled");
        let _ = run(folder.path(), &render).expect(0);
        assert_eq!(&fs::read(folder.path().join("again.svg")).unwrap(), drawn, "{kind}");
        assert!(text.contains("By date, "), "what is moved is said");
    }
}

#[test]
fn pictures_are_exported_and_rendered() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen").to_string_lossy().into_owned();
    let export = ["export", &source, "--feature", "plain_*", "--kind", "normalized_metrics", "-o", "out"];
    let _ =
        run(folder.path(), &[&export[..], &["--format", "png,json", "--width", "400"]].concat()).expect(0);
    let written = tree(&folder.path().join("out"));
    let (json, _) = written.iter().find(|(path, _)| path.ends_with(".json") && path.contains('/')).unwrap();
    let exported = &written[&json.replace(".json", ".png")];
    // Signature, and the width in the header.
    assert_eq!((&exported[..8], &exported[16..20]), (&b"\x89PNG\r\n\x1a\n"[..], &400_u32.to_be_bytes()[..]));
    let render = ["render", &format!("out/{json}"), "-o", "again.png", "--width", "400"];
    let _ = run(folder.path(), &render).expect(0);
    assert_eq!(&fs::read(folder.path().join("again.png")).unwrap(), exported);
    let _ = run(folder.path(), &[&render[..], &["--scheme", "dark"]].concat()).expect(0);
    assert_ne!(&fs::read(folder.path().join("again.png")).unwrap(), exported);
    let ended = run(folder.path(), &[&render[..5], &["100000"]].concat()).expect(2);
    assert!(ended.err.contains("8000"), "{}", ended.err);
}

#[test]
fn a_folder_that_perfolio_did_not_make_is_refused() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen").to_string_lossy().into_owned();
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(folder.path().join("site/notes.txt"), "mine").unwrap();
    let build = ["build", "--source", &source, "--output", "site"];
    let ended = run(folder.path(), &build).expect(2);
    assert!(ended.err.contains("--force"), "{}", ended.err);
    assert_eq!(tree(&folder.path().join("site")).len(), 1);
    let _ = run(folder.path(), &[&build[..], &["--force"]].concat()).expect(0);
    let first = tree(&folder.path().join("site"));
    assert_eq!(first["notes.txt"], b"mine");
    // A failing build leaves the site as it was.
    let _ = run(folder.path(), &["build", "--source", "missing", "--output", "site"]).expect(3);
    assert_eq!(tree(&folder.path().join("site")), first);
    let _ = run(folder.path(), &build).expect(0);
    assert_eq!(tree(&folder.path().join("site")), first);
}

#[test]
fn strict_refuses_what_is_doubtful() {
    let folder = TempDir::new().unwrap();
    let source = fixture("corrupt/value-null").to_string_lossy().into_owned();
    let build = ["build", "--source", &source, "--output", "site"];
    let ended = run(folder.path(), &build).expect(0);
    assert!(ended.err.contains("error:"), "{}", ended.err);
    let before = tree(&folder.path().join("site"));
    let _ = run(folder.path(), &[&build[..], &["--strict"]].concat()).expect(1);
    assert_eq!(tree(&folder.path().join("site")), before);
}
