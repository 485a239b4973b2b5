//! Exchanges an output folder for a new one, and repairs what an interrupted command left.
//!
//! For an output `site`, these names can stand beside it:
//!
//! | name | what it is |
//! | --- | --- |
//! | `.site.perfolio-<pid>` | a new output being written (it then holds a locked marker file), or the previous output after the exchange, about to be removed |
//! | `.site.perfolio-old` | the previous output between the two renames, where the system cannot exchange |
//!
//! So after an interruption: `site` is missing and `.site.perfolio-old` is there: the first rename was done, the
//! second was not; it is undone. Both are there: only the removal is missing; it is done. Any
//! `.site.perfolio-<pid>` whose marker nobody holds is a leftover; it is removed.

#![allow(clippy::disallowed_methods, reason = "this room is the one that touches the disk")]

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// File in an unfinished folder, locked by the command that writes it.
pub(super) const MARKER: &str = ".perfolio-building";

/// The name of something that stands beside `out` for a while.
pub(super) fn beside(out: &Path, suffix: &str) -> PathBuf {
    out.with_file_name(format!("{}{suffix}", prefix(out)))
}

fn prefix(out: &Path) -> String {
    format!(".{}.perfolio-", out.file_name().unwrap_or(OsStr::new("out")).to_string_lossy())
}

/// Repairs an interrupted swap of `out` and removes leftovers.
pub(super) fn repair(out: &Path) -> io::Result<()> {
    let old = beside(out, "old");
    if exists(&old) {
        if exists(out) {
            clear(&old)?;
        } else {
            fs::rename(&old, out)?;
        }
    }
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = prefix(out);
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let name = entry.file_name();
        let numbered = name
            .to_str()
            .and_then(|name| name.strip_prefix(&prefix))
            .is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()));
        if numbered && entry.file_type()?.is_dir() && !is_held(&entry.path()) {
            clear(&entry.path())?;
        }
    }
    Ok(())
}

/// Whether another command is writing into `draft`. In doubt it is.
fn is_held(draft: &Path) -> bool {
    match File::open(draft.join(MARKER)) {
        Ok(marker) => match marker.try_lock() {
            Ok(()) => false,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => true,
        },
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Removes a folder with all it holds, also folders in it that nobody may write into.
pub(super) fn clear(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(folder);
            fs::remove_dir_all(folder)
        }
        result => result,
    }
}

/// Lets the owner write into `folder` and the folders in it. What cannot be changed, the removal tells.
#[cfg(unix)]
fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(not(unix))]
fn open_up(_folder: &Path) {}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Puts `draft` in the place of `out`. Returns where the previous output now is, for the caller to remove.
pub(super) fn swap(draft: &Path, out: &Path) -> io::Result<Option<PathBuf>> {
    if !exists(out) {
        fs::rename(draft, out)?;
        return Ok(None);
    }
    if exchange(draft, out)? {
        return Ok(Some(draft.to_path_buf()));
    }
    let old = beside(out, "old");
    fs::rename(out, &old)?;
    if let Err(error) = fs::rename(draft, out) {
        // Undo; should this fail too, the next command repairs it.
        let _ = fs::rename(&old, out);
        return Err(error);
    }
    Ok(Some(old))
}

/// Exchanges two folders in one step; false where the system cannot.
#[cfg(target_os = "linux")]
fn exchange(draft: &Path, out: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, draft, CWD, out, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_draft: &Path, _out: &Path) -> io::Result<bool> {
    Ok(false)
}
