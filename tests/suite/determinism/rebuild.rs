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

/// Changes the bytes of a file behind the back of the program: its time stays.
fn forge(path: &Path) {
    let before = fs::metadata(path).unwrap().modified().unwrap();
    // A file of its own, so that no other link to it changes.
    fs::remove_file(path).unwrap();
    fs::write(path, "forged").unwrap();
    fs::File::options().append(true).open(path).unwrap().set_modified(before).unwrap();
}

#[test]
fn pages_of_unchanged_evidence_are_taken_over() {
    let folder = TempDir::with_prefix("perfolio-kept").unwrap();
    let root = folder.path();
    bundle(&root.join("one/run-1"), 3);
    bundle(&root.join("two/run-1"), 3);
    let config = "title = \"Speed\"\n[[source]]\npath = \"one\"\n[[source]]\npath = \"two\"\n";
    fs::write(root.join("perfolio.toml"), config).unwrap();
    build(root, "site");
    let files = |source: &str| -> Vec<String> {
        let (figures, pages) = (format!("figures/{source}/"), format!("gallery/{source}/workload"));
        // Figures of all features belong to the page of the gallery, which is drawn each time.
        let all = tree(&root.join("site")).into_keys().filter(|path| !path.contains("/feature-overlay"));
        all.filter(|path| path.starts_with(&figures) || path.starts_with(&pages)).collect()
    };
    let (one, two) = (files("one"), files("two"));
    assert!(one.len() > 16 && two.len() == one.len());

    // Only what a change can have touched is drawn again: a forged file of the other source stays as it is.
    for path in one.iter().chain(&two) {
        forge(&root.join("site").join(path));
    }
    bundle(&root.join("two/run-1"), 4);
    build(root, "site");
    let forged = |path: &String| fs::read(root.join("site").join(path)).unwrap() == b"forged";
    assert!(one.iter().all(forged), "taken over without a look");
    assert!(!two.iter().any(forged), "drawn again");

    // A file that was touched is not believed, and neither are those that were made with it.
    let touched = root.join("site").join(&one[0]);
    fs::write(&touched, "touched").unwrap();
    let later = marked(root) + Duration::from_secs(5);
    fs::File::options().append(true).open(&touched).unwrap().set_modified(later).unwrap();
    bundle(&root.join("two/run-1"), 3);
    build(root, "site");
    assert_ne!(fs::read(&touched).unwrap(), b"touched");
    for path in one.iter().chain(&two) {
        if forged(path) {
            fs::remove_file(root.join("site").join(path)).unwrap();
        }
    }

    // Whatever changes, the result is as if built anew.
    let changes: [Change; 6] = [
        ("a bundle", |root| bundle(&root.join("one/run-1"), 5)),
        ("the title", |root| {
            let text = fs::read_to_string(root.join("perfolio.toml")).unwrap();
            fs::write(root.join("perfolio.toml"), text.replace("Speed", "Haste")).unwrap();
        }),
        ("the theme", |root| {
            fs::create_dir_all(root.join("themes/mine")).unwrap();
            fs::write(root.join("themes/mine/page.css"), "p { margin: 1px }").unwrap();
            let text = fs::read_to_string(root.join("perfolio.toml")).unwrap();
            fs::write(root.join("perfolio.toml"), format!("theme = \"mine\"\n{text}")).unwrap();
        }),
        ("a page", |root| {
            fs::create_dir_all(root.join("content")).unwrap();
            fs::write(root.join("content/notes.md"), "# Notes\n\nText.\n").unwrap();
        }),
        ("its title", |root| fs::write(root.join("content/notes.md"), "# Remarks\n\nText.\n").unwrap()),
        ("a source that is gone", |root| {
            let text = fs::read_to_string(root.join("perfolio.toml")).unwrap();
            let kept = text.replace("[[source]]\npath = \"one\"\n", "");
            fs::write(root.join("perfolio.toml"), kept).unwrap();
        }),
    ];
    for (what, change) in changes {
        change(root);
        build(root, "site");
        build(root, "fresh");
        assert!(tree(&root.join("site")) == tree(&root.join("fresh")), "{what}: as if built anew");
        fs::remove_dir_all(root.join("fresh")).unwrap();
    }
}
