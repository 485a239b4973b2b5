//! The same input gives the same bytes: whatever the number of threads, the folder, the locale, the zone.

mod rebuild;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::generate::bundle::write_bundle;
use crate::generate::synthetic::{Size, synthetic};
use crate::program::{fixture, run, run_with, tree};

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (path, bytes) in tree(from) {
        let target = to.join(path);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}

#[test]
fn a_thousand_figures_are_the_same_bytes_everywhere() {
    let first = TempDir::with_prefix("perfolio-a").unwrap();
    let second = TempDir::with_prefix("perfolio other folder with spaces").unwrap();
    let size = Size { features: 210, targets: 12, metrics: 4, samples: 3 };
    write_bundle(&first.path().join("results/run-1"), &synthetic(&size)).unwrap();
    copy(&fixture("awkward"), &first.path().join("results/awkward"));
    copy(&first.path().join("results"), &second.path().join("results"));

    let arguments = |jobs| ["build", "--source", "results", "--output", "site", "--jobs", jobs];
    let one = run_with(first.path(), &arguments("1"), &[("LC_ALL", "C"), ("TZ", "UTC")]).expect(0);
    let _ = run_with(
        second.path(),
        &arguments("8"),
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "de_DE.UTF-8"), ("TZ", "Asia/Kathmandu")],
    )
    .expect(0);
    let (a, b) = (tree(&first.path().join("site")), tree(&second.path().join("site")));
    assert!(a.keys().filter(|path| path.ends_with(".svg")).count() >= 1_000, "{}", one.out);
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (path, bytes) in &a {
        assert!(bytes == &b[path], "{path} differs");
    }
}

#[test]
fn a_source_is_the_same_however_its_path_is_written() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("home/alice-of-here/results");
    copy(&fixture("awkward/shapes"), &source);
    fs::create_dir_all(folder.path().join("work")).unwrap();
    let build = |from: &Path, way: &str| {
        let site = folder.path().join("site");
        let _ = run(
            from,
            &["build".as_ref(), "--source".as_ref(), way.as_ref(), "--output".as_ref(), site.as_os_str()],
        )
        .expect(0);
        tree(&site)
    };
    let first = build(source.parent().unwrap(), "results");
    let alice = b"alice-of-here";
    for (path, bytes) in &first {
        assert!(!bytes.windows(alice.len()).any(|part| part == alice), "{path} names a folder above");
    }
    let inner = fs::read_dir(&source).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir());
    for (from, way) in [
        (folder.path().join("work"), "../home/alice-of-here/results"),
        (folder.path().to_path_buf(), "./home/alice-of-here/results/"),
        (folder.path().to_path_buf(), "home/alice-of-here/results/../results"),
        (source.clone(), "."),
        (inner.unwrap(), ".."),
    ] {
        assert!(build(&from, way) == first, "{way}");
    }
}

#[test]
fn no_output_names_a_place_of_this_machine() {
    let folder = TempDir::with_prefix("perfolio-place").unwrap();
    let source = fixture("awkward");
    let output = folder.path().join("site");
    let _ = run(
        folder.path(),
        &["build".as_ref(), "--source".as_ref(), source.as_os_str(), "--output".as_ref(), output.as_os_str()],
    )
    .expect(0);
    let places: Vec<String> =
        [folder.path(), source.as_path()].iter().map(|path| path.to_string_lossy().into_owned()).collect();
    for (path, bytes) in tree(&output) {
        let text = String::from_utf8_lossy(&bytes);
        for place in &places {
            assert!(!text.contains(place.as_str()), "{path} names {place}");
        }
    }
}
