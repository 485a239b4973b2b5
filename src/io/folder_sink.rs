//! A folder that is written beside the previous one and exchanged for it in one step.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

use super::path::check_relative;
use super::sink::{Sink, Written, twice};
use super::swap::{MARKER, beside, clear, repair, swap};
use crate::error::{Error, Place, Result};

/// The file in which a build says what it made.
pub(super) const RECORD: &str = "perfolio.json";

/// Writes a build into a folder. Until [`Sink::finish`] the previous output stands untouched; a sink that is
/// dropped before leaves nothing behind. Files that did not change are hard-linked from the previous
/// output, files that neither build made are carried over.
#[derive(Debug)]
pub struct FolderSink {
    /// The output folder with links resolved.
    out: PathBuf,
    draft: Draft,
    /// Whether there is a previous output.
    previous: bool,
    /// What the previous build made.
    made_before: BTreeSet<String>,
    /// None when another build of this program made the previous output.
    standing: Option<Standing>,
    put: BTreeSet<String>,
    folders: BTreeSet<PathBuf>,
    /// The folder of the last file: most files follow one beside them.
    last: PathBuf,
    written: Written,
}

/// The unfinished folder; removed when dropped.
#[derive(Debug)]
struct Draft {
    path: PathBuf,
    /// Keeps the marker locked as long as the draft lives.
    marker: Option<File>,
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nobody is left to hear of a failure here; the next command tries again.
        let _ = clear(&self.path);
    }
}

/// What the sink needs of the record of a previous build.
#[derive(Deserialize)]
pub(super) struct Record {
    pub(super) tool: String,
    /// What sort of output it is, such as `perfolio-site/1`.
    #[serde(default)]
    schema_version: String,
    #[serde(default)]
    pub(super) outputs: Vec<String>,
    #[serde(default)]
    made_from: BTreeMap<String, String>,
}

/// What may be taken over from a previous output.
#[derive(Debug)]
struct Standing {
    /// When its record was written, as the last of its files.
    written: SystemTime,
    made_from: BTreeMap<String, String>,
}

impl FolderSink {
    /// Prepares to write into `out`, which need not exist. Repairs an interrupted swap first. `schema` is the
    /// `schema_version` that the record of this build will have; its part before the slash says what sort of
    /// output this is.
    ///
    /// # Errors
    /// Refuses the current folder and those around it. Refuses a folder that is not empty and that perfolio
    /// did not make, or in which it made another sort of output, unless `force` is set; then all its files
    /// are carried over. Fails when the system refuses.
    pub fn create(out: &Path, force: bool, schema: &str) -> Result<Self> {
        let shown = out.to_string_lossy().into_owned();
        let failed = |error| Error::io(&*shown, error);
        let refuse = |message: String| Error::usage(message).at(Place::file(&*shown));
        if let Some(file) = out.ancestors().skip(1).find(|above| above.is_file()) {
            let message = format!("`{}` is a file, so there can be no folder in it", file.to_string_lossy());
            return Err(refuse(message).hint("choose another folder with --output"));
        }
        let out = resolve(out).map_err(failed)?;
        if out.file_name().is_none() {
            return Err(refuse("this cannot be an output folder".to_owned()));
        }
        // The folder is exchanged as a whole: whoever stands in it would be left in the removed one.
        let here = std::env::current_dir().and_then(fs::canonicalize);
        if here.is_ok_and(|here| here.starts_with(&out)) {
            let message = "the output cannot be the current folder or one around it".to_owned();
            return Err(refuse(message).hint("name a folder of its own, such as --output site/"));
        }
        repair(&out).map_err(failed)?;
        let mut standing = None;
        let (previous, made_before) = match fs::metadata(&out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (false, BTreeSet::new()),
            Err(error) => return Err(failed(error)),
            Ok(metadata) if !metadata.is_dir() => {
                return Err(refuse("the output is a file, not a folder".to_owned()));
            }
            Ok(_) => match record(&out) {
                Some(record) if sort(&record.schema_version) == sort(schema) => {
                    let made_from = record.made_from;
                    let written = if force { None } else { written_by_this(&out) };
                    standing = written.map(|written| Standing { written, made_from });
                    (true, record.outputs.into_iter().filter(|path| check_relative(path).is_ok()).collect())
                }
                _ if force || fs::read_dir(&out).map_err(failed)?.next().is_none() => (true, BTreeSet::new()),
                found => {
                    let message = match found {
                        Some(record) => format!(
                            "the output folder holds a {:?}, which a {:?} would replace",
                            sort(&record.schema_version),
                            sort(schema)
                        ),
                        None => "the output folder is not empty, and perfolio did not make it".to_owned(),
                    };
                    return Err(refuse(message).hint("choose another folder with --output").hint(
                        "or give --force: the build is added, and files that are not part of it stay",
                    ));
                }
            },
        };
        let path = beside(&out, &std::process::id().to_string());
        fs::create_dir(&path).map_err(|error| Error::io(path.to_string_lossy(), error))?;
        let mut draft = Draft { path, marker: None };
        let marker = File::create(draft.path.join(MARKER)).map_err(failed)?;
        // Where the system has no locks, a parallel command sees none and takes the draft for its own.
        let _ = marker.try_lock();
        draft.marker = Some(marker);
        Ok(Self {
            out,
            draft,
            previous,
            made_before,
            standing,
            put: BTreeSet::new(),
            folders: BTreeSet::new(),
            last: PathBuf::new(),
            written: Written::default(),
        })
    }

    /// Links `path` from the previous output when it holds the same bytes.
    fn link_unchanged(&self, path: &str, bytes: &[u8], to: &Path) -> bool {
        let from = self.out.join(path);
        self.previous
            && fs::symlink_metadata(&from)
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64)
            && fs::read(&from).is_ok_and(|old| old == bytes)
            && fs::hard_link(&from, to).is_ok()
    }

    fn make_folder_of(&mut self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent()
            && self.last.as_os_str() != folder.as_os_str()
        {
            if !self.folders.contains(folder) {
                fs::create_dir_all(folder)?;
                self.folders.insert(folder.to_path_buf());
            }
            self.last = folder.to_path_buf();
        }
        Ok(())
    }

    /// Carries over every file and folder of the previous output that no build made. Gives the folders of the
    /// previous output, parents first.
    fn carry_over(&mut self) -> Result<BTreeSet<PathBuf>> {
        let made_folders: BTreeSet<PathBuf> = self
            .made_before
            .iter()
            .flat_map(|path| Path::new(path).ancestors().skip(1).map(Path::to_path_buf))
            .collect();
        let mut folders = BTreeSet::new();
        let mut pending = vec![PathBuf::new()];
        while let Some(folder) = pending.pop() {
            let list = self.out.join(&folder);
            let entries = fs::read_dir(&list).map_err(|error| Error::io(list.to_string_lossy(), error))?;
            for entry in entries {
                let relative = entry
                    .and_then(|entry| Ok((folder.join(entry.file_name()), entry.file_type()?)))
                    .map_err(|error| Error::io(list.to_string_lossy(), error));
                let (relative, file_type) = relative?;
                let (from, to) = (self.out.join(&relative), self.draft.path.join(&relative));
                let kept = |result: io::Result<()>| {
                    result.map_err(|error| {
                        Error::io(from.to_string_lossy(), error)
                            .hint("this is not part of the build and cannot be kept beside it")
                    })
                };
                if file_type.is_dir() {
                    // A folder that only builds filled goes with their files.
                    if !made_folders.contains(&relative) {
                        kept(fs::create_dir_all(&to))?;
                    }
                    pending.push(relative);
                    continue;
                }
                let made = slashed(&relative)
                    .is_some_and(|path| self.made_before.contains(&path) || self.put.contains(&path));
                if !made {
                    kept(self.make_folder_of(&to).and_then(|()| carry(&from, &to, file_type.is_symlink())))?;
                    self.written.carried += 1;
                }
            }
            folders.insert(folder);
        }
        Ok(folders)
    }

    /// Gives the folders of the draft the modes that they had. The last step, inner ones first: a folder may
    /// be closed to writing.
    fn keep_modes(&self, folders: &BTreeSet<PathBuf>) -> io::Result<()> {
        if cfg!(unix) {
            for folder in folders.iter().rev() {
                let to = self.draft.path.join(folder);
                let Ok(now) = fs::symlink_metadata(&to) else { continue };
                let before = fs::metadata(self.out.join(folder))?.permissions();
                if now.is_dir() && now.permissions() != before {
                    fs::set_permissions(&to, before)?;
                }
            }
        }
        Ok(())
    }
}

impl Sink for FolderSink {
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        check_relative(path)?;
        if !self.put.insert(path.to_owned()) {
            return Err(twice(path));
        }
        let to = self.draft.path.join(path);
        let failed = |error| Error::io(path, error);
        self.make_folder_of(&to).map_err(failed)?;
        // The record is always new: its time says when the build ended.
        if path != RECORD && self.link_unchanged(path, bytes, &to) {
            self.written.unchanged += 1;
        } else {
            fs::write(&to, bytes).map_err(failed)?;
        }
        self.written.files += 1;
        self.written.bytes += bytes.len() as u64;
        Ok(())
    }

    fn made_from(&self) -> Option<&BTreeMap<String, String>> {
        self.standing.as_ref().map(|standing| &standing.made_from)
    }

    fn keep(&mut self, paths: &[String]) -> Result<bool> {
        let Some(standing) = &self.standing else { return Ok(false) };
        let mut bytes = 0;
        for path in paths {
            check_relative(path)?;
            if self.put.contains(path) {
                return Err(twice(path));
            }
            let untouched = fs::symlink_metadata(self.out.join(path)).ok().filter(|found| {
                found.is_file() && found.modified().is_ok_and(|changed| changed <= standing.written)
            });
            let Some(found) = untouched.filter(|_| self.made_before.contains(path)) else { return Ok(false) };
            bytes += found.len();
        }
        for (at, path) in paths.iter().enumerate() {
            let to = self.draft.path.join(path);
            self.make_folder_of(&to).map_err(|error| Error::io(path, error))?;
            if fs::hard_link(self.out.join(path), &to).is_err() {
                // Where files cannot be linked they are made again; what was linked makes room.
                for done in &paths[..at] {
                    fs::remove_file(self.draft.path.join(done)).map_err(|error| Error::io(done, error))?;
                }
                return Ok(false);
            }
        }
        self.put.extend(paths.iter().cloned());
        self.written.files += paths.len();
        self.written.unchanged += paths.len();
        self.written.bytes += bytes;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        let folders = if self.previous { self.carry_over()? } else { BTreeSet::new() };
        let failed = |error| Error::io(self.out.to_string_lossy(), error);
        fs::remove_file(self.draft.path.join(MARKER)).map_err(failed)?;
        self.draft.marker = None;
        self.keep_modes(&folders).map_err(failed)?;
        let old = swap(&self.draft.path, &self.out).map_err(|error| {
            failed(error).hint("the output folder cannot be replaced; is it a mount point?")
        })?;
        if let Some(old) = old {
            // The new output stands; an old one that cannot be removed is left to the next command.
            let _ = clear(&old);
        }
        Ok(std::mem::take(&mut self.written))
    }
}

/// The absolute path of `out` with links resolved; its parent is made when missing.
fn resolve(out: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(out) {
        return Ok(real);
    }
    let absolute = std::path::absolute(out)?;
    match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => {
            fs::create_dir_all(parent)?;
            Ok(fs::canonicalize(parent)?.join(name))
        }
        _ => Ok(absolute),
    }
}

/// The record of the build that made `out`; none when perfolio did not make it.
fn record(out: &Path) -> Option<Record> {
    let bytes = fs::read(out.join(RECORD)).ok()?;
    serde_json::from_slice::<Record>(&bytes).ok().filter(|record| record.tool == "perfolio")
}

/// When the record of a previous output was written; none when this program has been replaced since: another
/// build of it may draw otherwise under the same version.
fn written_by_this(out: &Path) -> Option<SystemTime> {
    let written = fs::metadata(out.join(RECORD)).ok()?.modified().ok()?;
    let program = fs::metadata(std::env::current_exe().ok()?).ok()?.modified().ok()?;
    (program <= written).then_some(written)
}

/// What sort of output a schema is of: its part before the slash.
fn sort(schema: &str) -> &str {
    schema.split('/').next().unwrap_or_default()
}

fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<_>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

#[cfg(unix)]
fn carry(from: &Path, to: &Path, link: bool) -> io::Result<()> {
    if link {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

#[cfg(not(unix))]
fn carry(from: &Path, to: &Path, _link: bool) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    const SITE: &str = "perfolio-site/1";

    fn build(out: &Path, files: &[(&str, &str)]) -> Written {
        let mut sink = Box::new(FolderSink::create(out, false, SITE).unwrap());
        let mut paths: Vec<_> = files.iter().map(|(path, _)| *path).collect();
        paths.push(RECORD);
        for (path, text) in files {
            sink.put(path, text.as_bytes()).unwrap();
        }
        let record =
            serde_json::json!({"tool": "perfolio", "schema_version": SITE, "outputs": paths}).to_string();
        sink.put(RECORD, record.as_bytes()).unwrap();
        sink.finish().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_build_replaces_links_and_carries_over() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("deep/site");
        build(&out, &[("index.html", "one"), ("old/gone.html", "x"), ("same.css", "same")]);
        fs::write(out.join("CNAME"), "example.org").unwrap();
        let written = build(&out, &[("index.html", "two"), ("same.css", "same")]);
        assert_eq!((written.files, written.unchanged, written.carried), (3, 1, 1));
        assert_eq!(names(&out), ["CNAME", "index.html", "perfolio.json", "same.css"]);
        assert_eq!(fs::read(out.join("index.html")).unwrap(), b"two");
        assert_eq!(names(out.parent().unwrap()), ["site"]);
    }

    #[test]
    fn a_dropped_sink_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        build(&out, &[("index.html", "one")]);
        let mut sink = FolderSink::create(&out, false, SITE).unwrap();
        sink.put("index.html", b"two").unwrap();
        assert!(sink.put("index.html", b"three").is_err());
        assert!(sink.put("../x", b"").is_err() && sink.put("C:\\x", b"").is_err());
        drop(sink);
        assert_eq!(fs::read(out.join("index.html")).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["site"]);
    }

    #[test]
    fn a_foreign_folder_is_refused_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("home");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("thesis.txt"), "mine").unwrap();
        let error = FolderSink::create(&out, false, SITE).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(!error.hints.is_empty());
        let mut sink = Box::new(FolderSink::create(&out, true, SITE).unwrap());
        sink.put("index.html", b"x").unwrap();
        sink.finish().unwrap();
        assert_eq!(names(&out), ["index.html", "thesis.txt"]);
        let file = FolderSink::create(&out.join("thesis.txt"), true, SITE).unwrap_err();
        assert_eq!(file.kind, Kind::Usage);
    }

    #[test]
    fn an_interrupted_swap_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        build(&out, &[("index.html", "one")]);
        // Killed between the two renames.
        fs::rename(&out, folder.path().join(".site.perfolio-old")).unwrap();
        fs::create_dir(folder.path().join(".site.perfolio-1")).unwrap();
        fs::write(folder.path().join(".site.perfolio-1").join(MARKER), "").unwrap();
        drop(FolderSink::create(&out, false, SITE).unwrap());
        assert_eq!(fs::read(out.join("index.html")).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["site"]);
        // Killed before the removal of the previous output.
        fs::create_dir(folder.path().join(".site.perfolio-old")).unwrap();
        drop(FolderSink::create(&out, false, SITE).unwrap());
        assert_eq!(names(folder.path()), ["site"]);
    }

    #[test]
    fn a_draft_that_another_command_writes_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        let busy = folder.path().join(".site.perfolio-1");
        fs::create_dir(&busy).unwrap();
        let marker = File::create(busy.join(MARKER)).unwrap();
        marker.lock().unwrap();
        drop(FolderSink::create(&out, false, SITE).unwrap());
        assert!(busy.exists());
        drop(marker);
        drop(FolderSink::create(&out, false, SITE).unwrap());
        assert!(!busy.exists());
    }

    #[test]
    fn a_foreign_file_in_the_way_stops_the_build_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        build(&out, &[("index.html", "one")]);
        fs::write(out.join("search"), "a file where the build wants a folder").unwrap();
        let mut sink = Box::new(FolderSink::create(&out, false, SITE).unwrap());
        sink.put("search/index.html", b"x").unwrap();
        assert!(sink.finish().is_err());
        assert_eq!(names(&out), ["index.html", "perfolio.json", "search"]);
        assert_eq!(names(folder.path()), ["site"]);
    }

    #[test]
    fn another_sort_of_output_is_refused_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        build(&out, &[("index.html", "one")]);
        let error = FolderSink::create(&out, false, "perfolio-export/1").unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.message.contains("perfolio-site"), "{}", error.message);
        assert!(FolderSink::create(&out, false, "perfolio-site/2").is_ok());
        let mut sink = Box::new(FolderSink::create(&out, true, "perfolio-export/1").unwrap());
        sink.put("a.svg", b"x").unwrap();
        sink.put(RECORD, b"{}").unwrap();
        sink.finish().unwrap();
        assert_eq!(names(&out), ["a.svg", "index.html", "perfolio.json"]);
    }

    #[test]
    fn the_current_folder_and_those_around_it_are_refused() {
        for out in [".", "..", "/"] {
            let error = FolderSink::create(Path::new(out), true, SITE).unwrap_err();
            assert_eq!(error.kind, Kind::Usage, "{out}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "mine").unwrap();
        let error = FolderSink::create(&file.join("sub/site"), false, SITE).unwrap_err();
        assert!(error.message.contains("is a file") && !error.hints.is_empty(), "{}", error.message);
    }

    #[cfg(unix)]
    #[test]
    fn foreign_folders_stay_also_empty_ones_and_modes_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        build(&out, &[("a/index.html", "one"), ("b/index.html", "one")]);
        for path in [".git/refs/heads", ".git/objects", "a/mine"] {
            fs::create_dir_all(out.join(path)).unwrap();
        }
        fs::write(out.join(".git/objects/x"), "x").unwrap();
        let modes = [("", 0o750), (".git/objects", 0o555), (".git", 0o700), ("a/mine", 0o711)];
        for (path, mode) in modes {
            fs::set_permissions(out.join(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        for _ in 0..2 {
            build(&out, &[("a/index.html", "two")]);
            assert_eq!(names(&out), [".git", "a", "perfolio.json"]);
            assert!(out.join(".git/refs/heads").is_dir());
            assert_eq!(fs::read(out.join(".git/objects/x")).unwrap(), b"x");
            for (path, mode) in modes {
                let found = fs::metadata(out.join(path)).unwrap().permissions().mode() & 0o777;
                assert_eq!(found, mode, "{path}");
            }
            assert_eq!(names(folder.path()), ["site"]);
        }
    }
}
