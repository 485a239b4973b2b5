//! Whether an output folder still is what its build left there.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;

use super::folder_sink::{RECORD, Record};
use super::path::check_relative;

/// The record of the build that made `out`; none unless every file of that build is there, untouched since the
/// record was written as the last of them, by a program that has not been replaced since.
pub fn standing(out: &Path) -> Option<Vec<u8>> {
    let record = out.join(RECORD);
    let written = modified(&record)?;
    // Another build of the program may draw otherwise under the same version.
    if modified(&std::env::current_exe().ok()?)? > written {
        return None;
    }
    let bytes = fs::read(&record).ok()?;
    let Record { tool, outputs, .. } = serde_json::from_slice(&bytes).ok()?;
    let untouched = |path: &String| {
        check_relative(path).is_ok() && modified(&out.join(path)).is_some_and(|changed| changed <= written)
    };
    (tool == "perfolio" && outputs.par_iter().all(untouched)).then_some(bytes)
}

/// When a plain file was changed last.
fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if metadata.is_file() { metadata.modified().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{FolderSink, Sink};
    use super::*;

    #[test]
    fn stands_until_a_file_is_touched_or_missing() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        let build = || {
            let mut sink = Box::new(FolderSink::create(&out, false, "perfolio-site/1").unwrap());
            sink.put("a/index.html", b"one").unwrap();
            let record = br#"{"tool": "perfolio", "schema_version": "perfolio-site/1", "outputs": ["a/index.html", "perfolio.json"]}"#;
            sink.put(RECORD, record).unwrap();
            sink.finish().unwrap();
        };
        assert!(standing(&out).is_none());
        build();
        assert!(standing(&out).is_some());
        let page = fs::File::options().append(true).open(out.join("a/index.html")).unwrap();
        let later = fs::metadata(out.join(RECORD)).unwrap().modified().unwrap() + Duration::from_secs(1);
        page.set_modified(later).unwrap();
        assert!(standing(&out).is_none());
        fs::remove_file(out.join("a/index.html")).unwrap();
        assert!(standing(&out).is_none());
        build();
        fs::write(out.join("CNAME"), "example.org").unwrap();
        assert!(standing(&out).is_some(), "files of others do not matter");
    }
}
