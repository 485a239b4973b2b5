//! A source: files that are listed once and read with limits.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::Limits;
use super::path::check_relative;
use super::store::Store;
use super::walk::{Listing, walk};
use super::zip::{self, Archive, Member, Unpacked};
use crate::error::{Error, Place, Problem, Problems, Result};

/// One file of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path below the source, with forward slashes; safe to join to any root. A file inside an archive has
    /// the path of the archive before its own: `report.zip/inner/path`.
    pub path: String,
    /// Size when it was listed, in bytes, unpacked; it may have changed since, and an archive may lie.
    pub bytes: u64,
    pub(super) held: Held,
}

/// Where the bytes of an entry are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// As a file of its own.
    Plain,
    /// In the archive with this number.
    Packed { archive: usize, member: Member },
    /// Nowhere that could be read, and why.
    Refused(Box<str>),
}

/// A folder, a zip archive, a single file, or memory. Listed once when opened; every read checks limits again.
#[derive(Debug)]
pub struct Source {
    entries: Vec<Entry>,
    /// Paths of the folders, sorted; memory has none of its own.
    folders: Vec<String>,
    problems: Problems,
    limits: Limits,
    store: Store,
    archives: Vec<Archive>,
}

impl Source {
    /// Opens the folder or file at `path` and lists it, the files inside of zip archives in place of the
    /// archives: a file that begins as one, files named `.zip` in a folder, and those in another archive. A
    /// source that is an archive shows its own name before the paths inside, as any single file shows it. An
    /// archive or entry that is refused stays listed, and reading it says why; one without a safe name is a
    /// problem.
    ///
    /// # Errors
    /// Fails when `path` does not exist, cannot be listed, or is neither a folder nor a regular file.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        let mut source = Self::open_closed(path, limits)?;
        let single = matches!(source.store, Store::File(_))
            && source.entries.first().is_some_and(|entry| {
                source.store.open(&entry.path).is_ok_and(|mut file| zip::is_begun(&mut file))
            });
        source.look_inside(|path| single || zip::is_named(path));
        Ok(source)
    }

    /// As [`Source::open`], but archives are files like others.
    ///
    /// # Errors
    /// As there.
    pub fn open_closed(path: &Path, limits: &Limits) -> Result<Self> {
        let shown = path.to_string_lossy();
        let full = fs::canonicalize(path).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let error = Error::io(&*shown, error);
            if missing { error.hint("name a folder, a zip or a file that exists") } else { error }
        })?;
        let metadata = fs::metadata(&full).map_err(|error| Error::io(&*shown, error))?;
        let mut problems = Problems::default();
        let (listing, store) = if metadata.is_dir() {
            (walk(&full, limits, &mut problems)?, Store::Folder(full))
        } else if metadata.is_file() {
            let name = full.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            check_relative(&name).map_err(|error| error.at(Place::file(&*shown)))?;
            let entries = vec![Entry { path: name, bytes: metadata.len(), held: Held::Plain }];
            (Listing { entries, ..Listing::default() }, Store::File(full))
        } else {
            return Err(Error::evidence("neither a folder nor a file").at(Place::file(&*shown)));
        };
        Ok(Self::new(listing, problems, limits, store))
    }

    /// Makes a source of files in memory, archives opened as in [`Source::open`]. Paths that are not safe become
    /// problems and are left out.
    pub fn memory(files: BTreeMap<String, Vec<u8>>, limits: &Limits) -> Self {
        let mut problems = Problems::default();
        let mut store = BTreeMap::<String, Arc<[u8]>>::new();
        for (path, bytes) in files {
            match check_relative(&path) {
                Ok(()) => {
                    store.insert(path, bytes.into());
                }
                Err(error) => problems.push(Problem::error(Place::file(path), error.message)),
            }
        }
        let entries = store
            .iter()
            .map(|(path, bytes)| Entry { path: path.clone(), bytes: size(bytes), held: Held::Plain })
            .collect();
        let listing = Listing { entries, ..Listing::default() };
        let mut source = Self::new(listing, problems, limits, Store::Memory(store));
        source.look_inside(zip::is_named);
        source
    }

    fn new(listing: Listing, problems: Problems, limits: &Limits, store: Store) -> Self {
        let Listing { entries, folders } = listing;
        Self { entries, folders, problems, limits: limits.clone(), store, archives: Vec::new() }
    }

    fn look_inside(&mut self, is_archive: impl Fn(&str) -> bool) {
        if !self.entries.iter().any(|entry| is_archive(&entry.path)) {
            return;
        }
        let listing = Listing {
            entries: std::mem::take(&mut self.entries),
            folders: std::mem::take(&mut self.folders),
        };
        let (listing, archives) =
            zip::look_inside(listing, is_archive, &self.store, &self.limits, &mut self.problems);
        (self.entries, self.folders, self.archives) = (listing.entries, listing.folders, archives);
    }

    /// The files, sorted by path in byte order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The file at `path`, when it is listed.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// Whether a folder stands at `path`, be it an empty one.
    pub fn is_folder(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let first = self.entries.partition_point(|entry| entry.path < below);
        self.folders.binary_search_by(|folder| folder.as_str().cmp(path)).is_ok()
            || self.entries.get(first).is_some_and(|entry| entry.path.starts_with(&below))
    }

    /// What could not be listed: links that lead out, names that are not UTF-8 or not safe, unreadable folders,
    /// more files than the limit.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Reads a document as a whole. The size is counted while reading, never taken from the listing.
    ///
    /// # Errors
    /// Fails when the file is not listed, cannot be read, is larger than `document_bytes`, or lies damaged or
    /// refused in an archive.
    pub fn read(&self, path: &str) -> Result<Vec<u8>> {
        let limit = self.limits.document_bytes;
        let expected = self.entry(path).map_or(0, |entry| entry.bytes.min(limit));
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
        let reader = self.reader(path)?;
        reader.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Error::evidence(error.to_string()).at(Place::file(path)),
            _ => Error::io(path, error),
        })?;
        if size(&bytes) > limit {
            return Err(Error::evidence(format!("larger than {limit} bytes, the limit of a document"))
                .at(Place::file(path))
                .hint("raise `document_bytes` under [limits]"));
        }
        Ok(bytes)
    }

    /// Opens a file to be read bit by bit, with a handle of its own. Reading fails once `file_bytes` are
    /// exceeded, and at the end of a file that lies damaged in an archive.
    ///
    /// # Errors
    /// Fails when the file is not listed, cannot be opened, or is refused.
    pub fn stream(&self, path: &str) -> Result<Box<dyn Read + Send>> {
        let left = self.limits.file_bytes;
        Ok(Box::new(Limited { inner: self.reader(path)?, left, limit: left }))
    }

    fn reader(&self, path: &str) -> Result<Box<dyn Read + Send>> {
        let Some(entry) = self.entry(path) else {
            return Err(Error::io(
                path,
                io::Error::new(io::ErrorKind::NotFound, "no such file in the source"),
            ));
        };
        match &entry.held {
            Held::Plain => Ok(Box::new(self.store.open(path)?)),
            Held::Packed { archive, member } => {
                let opened = self.archives[*archive].open(&self.store)?;
                Ok(Box::new(Unpacked::new(opened, *member).map_err(|error| Error::io(path, error))?))
            }
            Held::Refused(why) => Err(Error::evidence(&**why).at(Place::file(path))),
        }
    }
}

fn size(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}

/// A reader that fails after `limit` bytes, so that a file which grows or lies about its size cannot
/// be read without end.
struct Limited {
    inner: Box<dyn Read + Send>,
    left: u64,
    limit: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "larger than {} bytes, the limit of a file (`file_bytes` under [limits])",
                    self.limit
                ),
            )
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn paths(source: &Source) -> Vec<&str> {
        source.entries().iter().map(|entry| entry.path.as_str()).collect()
    }

    fn complaints(source: &Source) -> Vec<String> {
        let sorted = source.problems().sorted();
        sorted.iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect()
    }

    #[test]
    fn a_folder_lists_its_visible_files_in_byte_order() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["b.json", "a/z", "a/.hidden", ".git/config", "a.json"] {
            let full = folder.path().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, path).unwrap();
        }
        let source = Source::open(folder.path(), &Limits::default()).unwrap();
        assert_eq!(paths(&source), ["a.json", "a/z", "b.json"]);
        assert_eq!(source.read("a/z").unwrap(), b"a/z");
        assert!(source.problems().is_empty());
        assert!(source.read("../x").is_err() && source.read("a/.hidden").is_err());
    }

    #[test]
    fn a_single_file_is_a_source_of_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plot.json"), "{}").unwrap();
        fs::write(folder.path().join("other.json"), "{}").unwrap();
        let source = Source::open(&folder.path().join("plot.json"), &Limits::default()).unwrap();
        assert_eq!(paths(&source), ["plot.json"]);
        assert_eq!(source.read("plot.json").unwrap(), b"{}");
        let missing = Source::open(&folder.path().join("none"), &Limits::default()).unwrap_err();
        assert_eq!(missing.kind, Kind::Io);
    }

    #[cfg(unix)]
    #[test]
    fn links_never_lead_out_and_loops_end() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("inner/real"), "real").unwrap();
        symlink("inner/real", at("good")).unwrap();
        symlink(outside.path().join("secret"), at("out")).unwrap();
        symlink("../inner", at("inner/loop")).unwrap();
        symlink("circle", at("circle")).unwrap();
        let source = Source::open(folder.path(), &Limits::default()).unwrap();
        assert_eq!(paths(&source), ["good", "inner/real"]);
        assert_eq!(source.read("good").unwrap(), b"real");
        let complaints = complaints(&source);
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints[2].contains("leaves the source"), "{complaints:?}");
        // A link that is turned outside after the listing is not followed either.
        fs::remove_file(at("good")).unwrap();
        symlink(outside.path().join("secret"), at("good")).unwrap();
        assert!(source.read("good").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn odd_names_and_pipes_become_problems() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("C:\\x"), "").unwrap();
        fs::write(folder.path().join(OsStr::from_bytes(b"a\xff")), "").unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        let source = Source::open(folder.path(), &Limits::default()).unwrap();
        assert!(source.entries().is_empty());
        assert_eq!(complaints(&source).len(), 3);
    }

    #[test]
    fn limits_are_counted_while_reading() {
        let limits = Limits { document_bytes: 3, file_bytes: 5, files: 2, ..Limits::default() };
        let files = [("a", 3), ("b", 4), ("c", 6)].map(|(path, size)| (path.to_owned(), vec![b'x'; size]));
        let source = Source::memory(files.into(), &limits);
        assert!(source.read("a").is_ok());
        assert_eq!(source.read("b").unwrap_err().kind, Kind::Evidence);
        let mut sink = Vec::new();
        assert!(source.stream("b").unwrap().read_to_end(&mut sink).is_ok());
        assert!(source.stream("c").unwrap().read_to_end(&mut sink).is_err());
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let source = Source::open(folder.path(), &limits).unwrap();
        assert_eq!(paths(&source), ["a", "b"]);
        assert_eq!(complaints(&source).len(), 1);
    }

    #[test]
    fn memory_refuses_unsafe_paths() {
        let files = ["../a", "C:/b", "ok"].map(|path| (path.to_owned(), Vec::new()));
        let source = Source::memory(files.into(), &Limits::default());
        assert_eq!(paths(&source), ["ok"]);
        assert_eq!(complaints(&source).len(), 2);
    }
}
