//! Zip archives as folders of a source: `report.zip/inner/path`.
//!
//! Comes in: the listing of a source. Goes out: the listing with the files inside its archives in their place,
//! and where each of them lies. Nothing is unpacked to disk; an entry is unpacked while it is read. An archive
//! in an archive is held in memory, within a limit; a third one inside is refused. The directory is read by
//! hand and strictly: libraries drop repeated names, search for another end record where one is odd, and give
//! up on a whole archive for one odd entry.

mod directory;
mod member;
mod unpack;

#[cfg(test)]
mod forge;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use super::Limits;
use super::path::check_relative;
use super::source::{Entry, Held};
use super::store::{Opened, Store};
use super::walk::{DEPTH, Listing};
use crate::error::{Place, Problem, Problems, Result};

pub(super) use member::Member;
pub(super) use unpack::Unpacked;

/// Longest path inside an archive, in bytes.
const PATH: usize = 4096;
/// Refused names of one archive that are told one by one.
const TOLD: usize = 100;

/// Where the bytes of an archive are.
#[derive(Debug)]
pub(super) enum Archive {
    /// In the file of the source with this path.
    File(String),
    /// In memory, since it lies in another archive.
    Held(Arc<[u8]>),
}

impl Archive {
    /// Opens it for one reader.
    ///
    /// # Errors
    /// Its file cannot be opened.
    pub(super) fn open(&self, store: &Store) -> Result<Opened> {
        match self {
            Self::File(path) => store.open(path),
            Self::Held(bytes) => Ok(Opened::Memory(Cursor::new(bytes.clone()))),
        }
    }
}

/// Whether `path` is named as an archive.
pub(super) fn is_named(path: &str) -> bool {
    path.len() > 4 && path.as_bytes()[path.len() - 4..].eq_ignore_ascii_case(b".zip")
}

/// Whether a file begins as an archive, an empty one included.
pub(super) fn is_begun(file: &mut impl Read) -> bool {
    let mut head = [0; 4];
    file.read_exact(&mut head).is_ok() && matches!(&head, b"PK\x03\x04" | b"PK\x05\x06")
}

/// Puts the files inside of archives into the place of the archives. `is_archive` tells from the path which
/// files are looked into. One that cannot be read stays a file, whose reading then fails and says why.
pub(super) fn look_inside(
    listing: Listing,
    is_archive: impl Fn(&str) -> bool,
    store: &Store,
    limits: &Limits,
    problems: &mut Problems,
) -> (Listing, Vec<Archive>) {
    let plain = listing.entries.iter().filter(|entry| !is_archive(&entry.path)).count();
    let mut opener = Opener {
        store,
        limits,
        problems,
        found: Listing { entries: Vec::with_capacity(listing.entries.len()), folders: listing.folders },
        archives: Vec::new(),
        files: limits.files.saturating_sub(plain),
        bytes: limits.zip_bytes,
        held: limits.zip_nested_bytes,
    };
    for entry in listing.entries {
        if is_archive(&entry.path) {
            opener.open(entry.path, entry.bytes, Archive::File, true);
        } else {
            opener.found.entries.push(entry);
        }
    }
    (opener.found.sorted(), opener.archives)
}

/// One of the entries of a name: its size, and where it lies or why it is refused.
type Found = (u64, Result<Member, String>);

struct Opener<'a> {
    store: &'a Store,
    limits: &'a Limits,
    problems: &'a mut Problems,
    found: Listing,
    archives: Vec<Archive>,
    /// What may still be listed, unpacked, and held in memory.
    files: usize,
    bytes: u64,
    held: u64,
}

impl Opener<'_> {
    /// Looks into the archive at `path`; when `outermost`, also into those inside.
    fn open(&mut self, path: String, bytes: u64, archive: impl FnOnce(String) -> Archive, outermost: bool) {
        let archive = archive(path.clone());
        let read = archive.open(self.store).map_err(|error| error.message).and_then(|mut file| {
            let directory = directory::read(&mut file, self.files, self.limits)?;
            let members = member::members(&mut file, &directory, self.limits);
            Ok((directory, members))
        });
        match read {
            Ok((directory, members)) => {
                let at = self.archives.len();
                self.archives.push(archive);
                self.found.folders.push(path.clone());
                self.list(&path, at, directory, members, outermost);
            }
            Err(why) => self.refuse(path, bytes, format!("the zip archive cannot be read: {why}")),
        }
    }

    /// Lists a file whose reading says why it cannot be read.
    fn refuse(&mut self, path: String, bytes: u64, why: String) {
        self.found.entries.push(Entry { path, bytes, held: Held::Refused(why.into()) });
    }

    fn list(
        &mut self,
        archive: &str,
        at: usize,
        directory: directory::Directory,
        members: Vec<Result<Member, String>>,
        outermost: bool,
    ) {
        let mut odd = 0_usize;
        let mut folders = BTreeSet::new();
        let mut files: BTreeMap<String, Vec<Found>> = BTreeMap::new();
        for (header, member) in directory.headers.into_iter().zip(members) {
            match name(&header.name) {
                Ok(name) if name.split('/').any(|part| part.starts_with('.')) => {}
                Ok(name) => match name.strip_suffix('/') {
                    Some(_) if header.bytes > 0 => {
                        odd += 1;
                        self.complain(odd, archive, name, "a folder that has content; it is not read");
                    }
                    Some(folder) => {
                        folders.insert(folder.to_owned());
                    }
                    None => files.entry(name.to_owned()).or_default().push((header.bytes, member)),
                },
                Err(why) => {
                    odd += 1;
                    self.complain(odd, archive, &String::from_utf8_lossy(&header.name), &why);
                }
            }
        }
        let below_a_file: Vec<String> = files
            .keys()
            .filter(|path| path.match_indices('/').any(|(at, _)| files.contains_key(&path[..at])))
            .cloned()
            .collect();
        for path in below_a_file {
            files.remove(&path);
            odd += 1;
            self.complain(odd, archive, &path, "it lies below a file, which is no folder; it is not read");
        }
        if let Some(rest) = odd.checked_sub(TOLD).filter(|rest| *rest > 0) {
            let message = format!("{rest} more entries of it are refused");
            self.problems.push(Problem::error(Place::file(archive), message));
        }
        for path in files.keys() {
            folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
        }
        let folders = folders.into_iter().filter(|folder| !files.contains_key(folder));
        self.found.folders.extend(folders.map(|folder| format!("{archive}/{folder}")));
        for (inner, mut copies) in files {
            let path = format!("{archive}/{inner}");
            self.files = self.files.saturating_sub(1);
            match copies.pop() {
                Some((bytes, member)) if copies.is_empty() => self.file(path, bytes, member, at, outermost),
                _ => {
                    let why =
                        format!("the archive holds {} files of this name; none is read", copies.len() + 1);
                    self.refuse(path, 0, why);
                }
            }
        }
    }

    /// Tells of an entry that cannot be listed; `odd` counts those of the archive.
    fn complain(&mut self, odd: usize, archive: &str, name: &str, why: &str) {
        if odd <= TOLD {
            let shown: String = name.chars().take(200).flat_map(char::escape_debug).collect();
            self.problems.push(Problem::error(Place::file(format!("{archive}/{shown}")), why));
        }
    }

    /// Lists one file of the archive with the number `at`.
    fn file(&mut self, path: String, bytes: u64, member: Result<Member, String>, at: usize, outermost: bool) {
        let member = match member {
            Ok(member) => member,
            Err(why) => return self.refuse(path, bytes, why),
        };
        let Some(left) = self.bytes.checked_sub(bytes) else {
            let why = format!(
                "the archives of the source unpack to more than {} bytes (`zip_bytes` under [limits])",
                self.limits.zip_bytes
            );
            return self.refuse(path, bytes, why);
        };
        self.bytes = left;
        if !is_named(&path) {
            let held = Held::Packed { archive: at, member };
            return self.found.entries.push(Entry { path, bytes, held });
        }
        if !outermost {
            let why = "an archive in an archive in an archive is not read; unpack one of them".to_owned();
            return self.refuse(path, bytes, why);
        }
        match self.hold(at, member) {
            Ok(held) => self.open(path, bytes, |_| Archive::Held(held), false),
            Err(why) => self.refuse(path, bytes, why),
        }
    }

    /// Reads an archive that lies in the archive with the number `at`.
    fn hold(&mut self, at: usize, member: Member) -> Result<Arc<[u8]>, String> {
        self.held = self.held.checked_sub(member.bytes).ok_or_else(|| {
            format!(
                "archives in archives are together larger than {} bytes (`zip_nested_bytes` under [limits])",
                self.limits.zip_nested_bytes
            )
        })?;
        let mut bytes = Vec::new();
        let opened = self.archives[at].open(self.store).map_err(|error| error.message)?;
        let read = Unpacked::new(opened, member).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error: io::Error| error.to_string())?;
        Ok(bytes.into())
    }
}

/// The name of an entry as a path, with a slash at its end when it is a folder.
fn name(raw: &[u8]) -> Result<&str, String> {
    let name = std::str::from_utf8(raw).map_err(|_| "the name is not UTF-8; it is not read".to_owned())?;
    if name.len() > PATH {
        return Err(format!("the path is longer than {PATH} bytes; it is not read"));
    }
    let path = name.strip_suffix('/').unwrap_or(name);
    check_relative(path).map_err(|error| error.message)?;
    if path.matches('/').count() >= DEPTH {
        return Err(format!("nested deeper than {DEPTH} folders"));
    }
    Ok(name)
}
