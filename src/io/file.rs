//! Single files: read as text, written in one step.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::fs;
use std::path::Path;

use crate::error::{Error, Place, Result};

/// Reads a text file of the user (configuration or content, not evidence).
///
/// # Errors
/// Fails when it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let shown = path.to_string_lossy();
    let bytes = fs::read(path).map_err(|error| Error::io(&*shown, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
        Error::usage("the file is not UTF-8").at(Place::file(&*shown).line(line))
    })
}

/// Writes a file in one step: readers see the old bytes or the new ones, never a part. Missing folders are
/// made; a link is written through.
///
/// # Errors
/// Fails when the system refuses; then the old file stands untouched.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |error| Error::io(path.to_string_lossy(), error);
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        // A pipe or a terminal cannot be replaced; a folder fails here with the system's own words.
        return fs::write(&target, bytes).map_err(failed);
    }
    let name = target
        .file_name()
        .ok_or_else(|| Error::usage("not a file name").at(Place::file(path.to_string_lossy())))?;
    let folder = target.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let draft = folder.join(format!(".{}.perfolio-{}", name.to_string_lossy(), std::process::id()));
    let result = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, &target));
    if result.is_err() {
        // The first failure is the one to tell; a draft that cannot be removed changes nothing about it.
        let _ = fs::remove_file(&draft);
    }
    result.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/figure.svg");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(write_file(folder.path(), b"x").unwrap_err().kind, Kind::Io);
    }

    #[test]
    fn text_that_is_not_utf8_names_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, b"one\ntwo \xff").unwrap();
        assert_eq!(read_text(&path).unwrap_err().place.line, Some(2));
        assert_eq!(read_text(&folder.path().join("none")).unwrap_err().kind, Kind::Io);
    }
}
