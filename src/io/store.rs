//! Where the bytes of a source lie.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Place, Result};

#[derive(Debug)]
pub(super) enum Store {
    /// A folder, as canonical path.
    Folder(PathBuf),
    /// One file, as canonical path.
    File(PathBuf),
    Memory(BTreeMap<String, Arc<[u8]>>),
}

/// A file that is open: a handle of its own, or shared memory.
#[derive(Debug)]
pub(super) enum Opened {
    File(File),
    Memory(Cursor<Arc<[u8]>>),
}

impl Store {
    /// Opens the listed file at `path`.
    ///
    /// # Errors
    /// It cannot be opened, or a link to it now leads elsewhere.
    pub(super) fn open(&self, path: &str) -> Result<Opened> {
        let open = |full: &Path| File::open(full).map_err(|error| Error::io(path, error));
        Ok(match self {
            Self::Memory(files) => Opened::Memory(Cursor::new(files.get(path).cloned().unwrap_or_default())),
            Self::File(full) => Opened::File(open(&still_a_file(full, full, path)?)?),
            // Looked at again: a link may have been turned since the listing.
            Self::Folder(root) => Opened::File(open(&still_a_file(&root.join(path), root, path)?)?),
        })
    }
}

fn still_a_file(full: &Path, root: &Path, shown: &str) -> Result<PathBuf> {
    let real = fs::canonicalize(full).map_err(|error| Error::io(shown, error))?;
    let metadata = fs::symlink_metadata(&real).map_err(|error| Error::io(shown, error))?;
    if !real.starts_with(root) || !metadata.is_file() {
        return Err(Error::evidence("no longer a file of the source").at(Place::file(shown)));
    }
    Ok(real)
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Opened {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Memory(bytes) => bytes.seek(to),
        }
    }
}
