//! Zip archives as sources, through the program: what a folder gives, its archive gives.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::generate::bundle::write_bundle;
use crate::generate::synthetic::{Size, synthetic};
use crate::program::{fixture, run, tree};

type Files = BTreeMap<String, Vec<u8>>;

/// Packs files by a program that is not ours; every third is stored as it is.
pub(crate) fn pack(path: &Path, below: &str, files: &Files) {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    for (at, (name, bytes)) in files.iter().enumerate() {
        let method = if at % 3 == 2 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer
            .start_file(format!("{below}{name}"), SimpleFileOptions::default().compression_method(method))
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

fn bundle(seed: u64) -> Files {
    let folder = TempDir::new().unwrap();
    write_bundle(folder.path(), &synthetic(&Size { features: 2, targets: 3, metrics: 2, samples: seed }))
        .unwrap();
    tree(folder.path())
}

/// The text with the archive's paths turned into those of the folder.
fn as_folder(text: &str, below: &str) -> String {
    text.replace(&format!("oxygen.zip/{below}"), "").replace("oxygen.zip", "oxygen")
}

#[test]
fn an_archive_tells_what_its_folder_tells() {
    let folder = TempDir::new().unwrap();
    let files = tree(&fixture("oxygen"));
    pack(&folder.path().join("oxygen.zip"), "top folder/", &files);
    let source = fixture("oxygen");
    fs::create_dir(folder.path().join("oxygen")).unwrap();
    for (path, bytes) in &files {
        let path = folder.path().join("oxygen").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let inspect = |path: &str| run(folder.path(), &["inspect", path, "--json"]).expect(0);
    let (of_folder, of_archive) = (inspect("oxygen").out, inspect("oxygen.zip").out);
    let report: Value = serde_json::from_str(&of_archive).unwrap();
    let file = &report["sources"][0]["files"][0];
    assert!(file["path"].as_str().unwrap().starts_with("oxygen.zip/top folder/bundles/run-"), "{file}");
    assert_eq!(report["sources"][0]["id"], "oxygen");
    assert_eq!(report["sources"][0]["path"], "oxygen.zip");
    // The saved profiles name runs of which nothing else is there.
    let of_bundle = |run: &&Value| run["path"].as_str().unwrap().contains("/bundles/");
    let runs: Vec<&Value> = report["runs"].as_array().unwrap().iter().filter(of_bundle).collect();
    assert!(runs.len() == 11 && runs.iter().all(|run| run["integrity"] == "verified"));
    assert_eq!(as_folder(&of_archive, "top folder/"), of_folder);
    let _ = run(folder.path(), &["verify", "oxygen.zip"]).expect(0);

    let export = |path: &str, output: &str| {
        let _ = run(folder.path(), &["export", path, "-o", output, "--format", "svg,csv,json"]).expect(0);
        tree(&folder.path().join(output))
    };
    same(&export(&source.to_string_lossy(), "a"), &export("oxygen.zip", "b"));
}

/// Holds two outputs against each other, apart from paths.
#[track_caller]
fn same(folder: &Files, archive: &Files) {
    assert_eq!(folder.keys().collect::<Vec<_>>(), archive.keys().collect::<Vec<_>>());
    for (path, bytes) in folder {
        let text = as_folder(&String::from_utf8_lossy(&archive[path]), "top folder/");
        let of_folder = String::from_utf8_lossy(bytes);
        if path == "perfolio.json" {
            assert_eq!(without_digests(&text), without_digests(&of_folder), "{path}");
        } else {
            assert_eq!(text, of_folder, "{path}");
        }
    }
}

/// A record without the digests of what pages were made from: paths are among it.
fn without_digests(record: &str) -> Value {
    let mut record: Value = serde_json::from_str(record).unwrap();
    record.as_object_mut().unwrap().remove("made_from");
    record
}

#[test]
fn an_archive_gives_the_site_of_its_folder() {
    let folder = TempDir::new().unwrap();
    let (a, b) = (bundle(3), bundle(4));
    let mut files = Files::new();
    for (name, bundle) in [("run-a", &a), ("in/run-b", &b)] {
        files.extend(bundle.iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes.clone())));
    }
    files.insert("notes.txt".to_owned(), b"notes".to_vec());
    for (path, bytes) in &files {
        let path = folder.path().join("oxygen").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    pack(&folder.path().join("oxygen.zip"), "top folder/", &files);
    let build = |source: &str, output: &str, jobs: &str| {
        let arguments = ["build", "--source", source, "--output", output, "--jobs", jobs];
        let _ = run(folder.path(), &arguments).expect(0);
        tree(&folder.path().join(output))
    };
    let (one, eight) = (build("oxygen.zip", "one", "1"), build("oxygen.zip", "eight", "8"));
    assert!(one == eight, "the number of threads changes the site");
    same(&build("oxygen", "folder", "2"), &one);
}

#[test]
fn what_is_wrong_in_an_archive_is_told_and_the_rest_is_shown() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("results");
    fs::create_dir(&results).unwrap();
    let below = |name: &'static str, bundle: Files| {
        bundle.into_iter().map(move |(path, bytes)| (format!("{name}/{path}"), bytes))
    };
    let mut files: Files = below("run-good", bundle(3)).chain(below("run-bad", bundle(4))).collect();
    pack(&results.join("whole.zip"), "", &files);
    let inner = fs::read(results.join("whole.zip")).unwrap();
    let observations = files.get_mut("run-bad/observations.jsonl").unwrap();
    observations[20] ^= 1;
    files.insert("../escape.json".to_owned(), b"{}".to_vec());
    files.insert("nested/more.zip".to_owned(), inner.clone());
    pack(&results.join("report.zip"), "", &files);
    fs::write(results.join("torn.zip"), &inner[..inner.len() / 2]).unwrap();

    // One damaged byte in what is packed.
    let mut damaged = inner;
    let name = b"run-good/observations.jsonl";
    let at = damaged.windows(name.len()).position(|part| part == name).unwrap() + name.len() + 50;
    damaged[at] ^= 0x55;
    fs::write(results.join("damaged.zip"), damaged).unwrap();

    let verified = run(folder.path(), &["verify", "results"]).expect(1);
    for place in [
        "error: damaged.zip/run-good/observations.jsonl: cannot be read to its end: its ",
        "error: report.zip/../escape.json",
        "error: report.zip/run-bad/",
        "error: torn.zip: the zip archive cannot",
    ] {
        assert!(verified.out.lines().any(|line| line.starts_with(place)), "{place}\n{}", verified.out);
    }
    let report = run(folder.path(), &["inspect", "results", "--json"]).expect(0).json();
    let runs: Vec<_> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["path"].as_str().unwrap(), run["integrity"].as_str().unwrap()))
        .collect();
    let expected = [
        ("damaged.zip/run-bad", "verified"),
        ("damaged.zip/run-good", "failed"),
        ("report.zip/nested/more.zip/run-bad", "verified"),
        ("report.zip/nested/more.zip/run-good", "verified"),
        ("report.zip/run-bad", "failed"),
        ("report.zip/run-good", "verified"),
        ("whole.zip/run-bad", "verified"),
        ("whole.zip/run-good", "verified"),
    ];
    assert_eq!(runs, expected);
    let files = report["sources"][0]["files"].as_array().unwrap();
    let torn = files.iter().find(|file| file["path"] == "torn.zip").unwrap();
    assert_eq!(torn["status"], "refused");

    let ended = run(folder.path(), &["build", "--source", "results", "--output", "site"]).expect(0);
    let page = fs::read_to_string(folder.path().join("site/problems/index.html")).unwrap();
    for told in ["torn.zip", "report.zip/../escape.json", "report.zip/run-bad/observations.jsonl"] {
        assert!(page.contains(told) && ended.err.contains(told), "{told}\n{}", ended.err);
    }
    assert!(!folder.path().join("escape.json").exists() && !folder.path().join("site/escape.json").exists());
}

#[test]
fn archives_are_found_by_a_pattern_and_named_without_their_ending() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    for (name, samples) in [("May Report.zip", 3), ("june.zip", 4)] {
        pack(&folder.path().join("results").join(name), "", &bundle(samples));
    }
    fs::write(folder.path().join("perfolio.toml"), "[[source]]\npath = \"results/*.zip\"\n").unwrap();
    let build = || run(folder.path(), &["build"]).expect(0).out;
    let first = build();
    let record: Value =
        serde_json::from_slice(&fs::read(folder.path().join("public/perfolio.json")).unwrap()).unwrap();
    let sources = record["sources"].as_array().unwrap();
    assert!(sources[0]["id"].as_str().unwrap().starts_with("may-report-"), "{}", sources[0]["id"]);
    assert_eq!(sources[0]["path"], "results/May Report.zip");
    assert_eq!(sources[0]["files"][0]["path"], "May Report.zip/artifacts.json");
    assert_eq!(sources[1]["id"], "june");
    // Nothing changed: the site stands. Something did: it is built again.
    let written = || fs::metadata(folder.path().join("public/perfolio.json")).unwrap().modified().unwrap();
    let before = written();
    assert_eq!(build(), first);
    assert_eq!(written(), before);
    pack(&folder.path().join("results/june.zip"), "", &bundle(5));
    let _ = build();
    assert_ne!(written(), before);
}

#[test]
fn saved_plots_are_found_in_an_archive() {
    let folder = TempDir::new().unwrap();
    pack(&folder.path().join("run.zip"), "", &bundle(3));
    let _ = run(folder.path(), &["export", "run.zip", "-o", "plots", "--format", "json"]).expect(0);
    let plots: Files = tree(&folder.path().join("plots"))
        .into_iter()
        .filter(|(path, _)| path.ends_with(".json") && path != "perfolio.json")
        .collect();
    pack(&folder.path().join("plots.zip"), "saved/", &plots);
    let told = run(folder.path(), &["inspect", "plots.zip"]).expect(0).out;
    for path in plots.keys() {
        assert!(told.contains(&format!("plots.zip/saved/{path}")), "{path}\n{told}");
    }
    let again = run(folder.path(), &["export", "plots.zip", "-o", "again", "--format", "json"]).expect(0);
    let again_plots = tree(&folder.path().join("again"));
    assert_eq!(
        again_plots.keys().filter(|path| path.ends_with(".json")).count(),
        plots.len() + 1,
        "{}",
        again.out
    );
    // A single plot in an archive is drawn as itself.
    let one: Files = plots.into_iter().take(1).collect();
    pack(&folder.path().join("one.zip"), "", &one);
    let _ = run(folder.path(), &["render", "one.zip", "-o", "one.json"]).expect(0);
    assert_eq!(&fs::read(folder.path().join("one.json")).unwrap(), one.values().next().unwrap());
    let _ = run(folder.path(), &["render", "plots.zip", "-o", "one.json"]).expect(2);
}
