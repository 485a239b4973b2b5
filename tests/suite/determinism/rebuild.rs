//! A build over an earlier one gives the same bytes as a build of its own, and leaves alone what still stands.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::generate::bundle::write_bundle;
use crate::generate::synthetic::{Size, synthetic};
use crate::program::{run, tree};

/// A change to a site, with its name.
type Change = (&'static str, fn(&Path));

fn bundle(folder: &Path, samples: u64) {
    let _ = fs::remove_dir_all(folder);
    write_bundle(folder, &synthetic(&Size { features: 4, targets: 3, metrics: 2, samples })).unwrap();
}

fn build(root: &Path, output: &str) -> String {
    run(root, &["build", ".", "--output", output]).expect(0).out
}

/// Marks the record with a time of its own, which only a new build takes away.
fn mark(root: &Path) -> SystemTime {
    let record = fs::File::options().append(true).open(root.join("site/perfolio.json")).unwrap();
    let later = record.metadata().unwrap().modified().unwrap() + Duration::from_secs(5);
    record.set_modified(later).unwrap();
    later
}

fn marked(root: &Path) -> SystemTime {
    fs::metadata(root.join("site/perfolio.json")).unwrap().modified().unwrap()
}

#[test]
fn only_what_changed_is_built_again() {
    let folder = TempDir::with_prefix("perfolio-rebuild").unwrap();
    let root = folder.path();
    bundle(&root.join("results/run-1"), 3);
    fs::write(root.join("perfolio.toml"), "title = \"Speed\"\n[[source]]\npath = \"results\"\n").unwrap();
    fs::create_dir(root.join("content")).unwrap();
    fs::write(root.join("content/index.md"), "Speed of things.\n").unwrap();
    let first = build(root, "site");
    let mark_of_first = mark(root);
    assert_eq!(build(root, "site"), first, "the same report");
    assert_eq!(marked(root), mark_of_first, "nothing changed, so nothing was built");

    let changes: [Change; 6] = [
        ("evidence", |root| bundle(&root.join("results/run-1"), 4)),
        ("a new file", |root| fs::write(root.join("results/notes.txt"), "notes").unwrap()),
        ("configuration", |root| {
            let text = "title = \"Other\"\n[[source]]\npath = \"results\"\n";
            fs::write(root.join("perfolio.toml"), text).unwrap();
        }),
        ("content", |root| fs::write(root.join("content/index.md"), "Speed of *things*.\n").unwrap()),
        ("a page that somebody edited", |root| {
            let page = root.join("site/index.html");
            fs::write(&page, fs::read_to_string(&page).unwrap().replace("Speed", "Spied")).unwrap();
            let page = fs::File::options().append(true).open(&page).unwrap();
            page.set_modified(marked(root) + Duration::from_secs(5)).unwrap();
        }),
        ("a page that somebody removed", |root| fs::remove_file(root.join("site/404.html")).unwrap()),
    ];
    for (what, change) in changes {
        let before = mark(root);
        change(root);
        build(root, "site");
        assert_ne!(marked(root), before, "{what}: built again");
        build(root, "fresh");
        assert!(tree(&root.join("site")) == tree(&root.join("fresh")), "{what}: as if built anew");
        fs::remove_dir_all(root.join("fresh")).unwrap();
    }
}
