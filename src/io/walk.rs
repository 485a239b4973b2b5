//! Lists the files of a folder without ever leaving it.

use std::fs;
use std::path::Path;

use super::Limits;
use super::path::check_relative;
use super::source::{Entry, Held};
use crate::error::{Error, Place, Problem, Problems, Result};

/// Folders nested deeper than this are not entered.
pub(super) const DEPTH: usize = 64;

/// What stands below a root, sorted by path.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Vec<Entry>,
    pub(super) folders: Vec<String>,
}

impl Listing {
    pub(super) fn sorted(mut self) -> Self {
        self.entries.sort_by(|a, b| a.path.cmp(&b.path));
        self.folders.sort_unstable();
        self.folders.dedup();
        self
    }
}

/// Lists every regular file and folder below `root` (a canonical path). Hidden names are skipped.
/// A link is followed only when it leads to a file inside `root`, so a loop of links cannot arise.
/// What cannot be listed becomes a problem.
///
/// # Errors
/// Fails when `root` itself cannot be listed.
pub(super) fn walk(root: &Path, limits: &Limits, problems: &mut Problems) -> Result<Listing> {
    let mut found = Listing::default();
    // Folders still to list, the next one last; sorted, so that the same files survive a limit every time.
    let mut pending = vec![(String::new(), 0_usize)];
    while let Some((folder, depth)) = pending.pop() {
        let names = match names_in(&root.join(&folder), &folder, problems) {
            Ok(names) => names,
            Err(error) if folder.is_empty() => return Err(Error::io(root.to_string_lossy(), error)),
            Err(error) => {
                problems
                    .push(Problem::error(Place::file(folder), format!("cannot list the folder: {error}")));
                continue;
            }
        };
        let mut folders = Vec::new();
        for name in names {
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let place = || Place::file(path.clone());
            if let Err(error) = check_relative(&path) {
                problems.push(Problem::warning(Place::file(path.escape_debug().to_string()), error.message));
                continue;
            }
            match kind(root, &path) {
                Ok(Kind::Folder) if depth < DEPTH => folders.push((path, depth + 1)),
                Ok(Kind::Folder) => {
                    problems.push(Problem::error(place(), format!("nested deeper than {DEPTH} folders")));
                }
                Ok(Kind::File(bytes)) if found.entries.len() < limits.files => {
                    found.entries.push(Entry { path, bytes, held: Held::Plain });
                }
                Ok(Kind::File(_)) => {
                    let message =
                        format!("the source holds more than {} files; the rest is not read", limits.files);
                    problems.push(Problem::error(place(), message).remedy("raise `files` under [limits]"));
                    return Ok(found.sorted());
                }
                Ok(Kind::Other(why)) => problems.push(Problem::warning(place(), why)),
                Err(error) => problems.push(Problem::error(place(), format!("cannot look at it: {error}"))),
            }
        }
        found.folders.extend(folders.iter().map(|(path, _)| path.clone()));
        pending.extend(folders.into_iter().rev());
    }
    Ok(found.sorted())
}

/// The visible names in `folder`, sorted by their bytes.
fn names_in(folder: &Path, shown: &str, problems: &mut Problems) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        match entry?.file_name().into_string() {
            Ok(name) if name.starts_with('.') => {}
            Ok(name) => names.push(name),
            Err(name) => {
                let lossy = name.to_string_lossy();
                let path = if shown.is_empty() { lossy.into_owned() } else { format!("{shown}/{lossy}") };
                problems.push(Problem::warning(Place::file(path), "the name is not UTF-8; it is not read"));
            }
        }
    }
    names.sort_unstable();
    Ok(names)
}

enum Kind {
    Folder,
    File(u64),
    Other(&'static str),
}

fn kind(root: &Path, path: &str) -> std::io::Result<Kind> {
    let full = root.join(path);
    let metadata = fs::symlink_metadata(&full)?;
    Ok(if metadata.is_dir() {
        Kind::Folder
    } else if metadata.is_file() {
        Kind::File(metadata.len())
    } else if metadata.is_symlink() {
        match fs::canonicalize(&full) {
            Ok(target) if !target.starts_with(root) => {
                Kind::Other("a link that leaves the source; not followed")
            }
            Ok(target) => match fs::symlink_metadata(target)? {
                target if target.is_file() => Kind::File(target.len()),
                target if target.is_dir() => Kind::Other("a link to a folder; not followed"),
                _ => Kind::Other("a link to something that is not a file; not followed"),
            },
            Err(_) => Kind::Other("a link that leads nowhere or in a circle; not followed"),
        }
    } else {
        Kind::Other("neither a file nor a folder; not read")
    })
}
