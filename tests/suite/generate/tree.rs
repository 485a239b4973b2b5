//! The generated files, as one tree in memory that is compared with or written to `fixtures/`.

use super::bundle::Files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders and files below `fixtures/` that belong to the generator alone.
const OWNED: [&str; 8] =
    ["accepted", "awkward", "catalogs", "corrupt", "expectations.json", "invented", "oxygen", "profiles"];

/// The folder of all fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Bytes by path below `fixtures/`, with `/` between parts.
#[derive(Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// Adds one file; a path can be given only once.
    pub(crate) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let owned = path.split('/').next().is_some_and(|first| OWNED.contains(&first));
        assert!(owned, "{path} lies outside the generated folders");
        assert!(self.files.insert(path.to_owned(), bytes.into()).is_none(), "{path} twice");
    }

    /// Adds the files of a bundle below `folder`.
    pub(crate) fn add_bundle(&mut self, folder: &str, files: Files) {
        for (name, bytes) in files {
            self.add(&format!("{folder}/{name}"), bytes);
        }
    }

    /// Writes the tree in place of what the generated folders hold now.
    pub(crate) fn write(&self) {
        let root = fixtures();
        for owned in OWNED {
            let path = root.join(owned);
            if path.is_dir() {
                std::fs::remove_dir_all(&path).expect("an old folder goes away");
            } else if path.exists() {
                std::fs::remove_file(&path).expect("an old file goes away");
            }
        }
        for (name, bytes) in &self.files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
            std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    /// Every way in which the folders on disk differ from this tree; empty when they are equal.
    pub(crate) fn differences(&self) -> Vec<String> {
        let root = fixtures();
        let mut found: Vec<String> = Vec::new();
        for (name, bytes) in &self.files {
            match std::fs::read(root.join(name)) {
                Ok(present) if present == *bytes => {}
                Ok(_) => found.push(format!("{name}: other bytes")),
                Err(error) => found.push(format!("{name}: {error}")),
            }
        }
        for entry in
            OWNED.iter().flat_map(|owned| walkdir::WalkDir::new(root.join(owned)).sort_by_file_name())
        {
            let Ok(entry) = entry else { continue };
            if entry.file_type().is_dir() {
                continue;
            }
            let below = entry.path().strip_prefix(&root).expect("below the root");
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            let name = parts.join("/");
            if !self.files.contains_key(&name) {
                found.push(format!("{name}: nothing generates it"));
            }
        }
        found
    }
}
