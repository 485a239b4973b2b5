//! Paths with wildcards, as `[[source]] path` may hold them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Folders nested deeper than this are not searched by `**`.
const DEPTH: usize = 32;

/// Finds what `pattern` names, relative to `root`, sorted. `*` and `?` stand for parts of one name, `[…]` for
/// one character of a set, a part `**` for any number of folders. Hidden names are found only when the
/// pattern's part begins with a dot; links to folders are not searched by `**`. A pattern without
/// matches gives an empty list.
///
/// # Errors
/// Fails when a folder on the way cannot be listed.
pub fn expand(root: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let pattern = if cfg!(windows) { pattern.replace('\\', "/") } else { pattern.to_owned() };
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { root.to_path_buf() };
    let parts: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let mut found = vec![start];
    for part in parts {
        let mut next = Vec::new();
        for folder in found {
            if part == "**" {
                deeper(&folder, DEPTH, &mut next)?;
            } else if part.contains(['*', '?', '[']) {
                next.extend(
                    names(&folder)?
                        .into_iter()
                        .filter(|name| part.starts_with('.') || !name.starts_with('.'))
                        .filter(|name| matches(part, name))
                        .map(|name| folder.join(name)),
                );
            } else if fs::symlink_metadata(folder.join(part)).is_ok() {
                next.push(folder.join(part));
            }
        }
        next.sort();
        next.dedup();
        found = next;
    }
    Ok(found)
}

fn deeper(folder: &Path, left: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    found.push(folder.to_path_buf());
    if left == 0 {
        return Ok(());
    }
    for name in names(folder)?.into_iter().filter(|name| !name.starts_with('.')) {
        let path = folder.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
            deeper(&path, left - 1, found)?;
        }
    }
    Ok(())
}

/// The UTF-8 names in `folder`; none when it is a file.
fn names(folder: &Path) -> Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let list = fs::read_dir(folder).map_err(|error| Error::io(folder.to_string_lossy(), error))?;
    Ok(list.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

/// Tells whether `name` matches `pattern`: `*` any text, `?` one character, `[abc]`, `[a-z]`, `[!a]` one
/// character of a set. A `[` that is never closed stands for itself.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Where to take up again after the last `*`: one character more of the name goes to the star.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut n) = (0, 0);
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p + 1, n));
            p += 1;
        } else if let Some(next) = one(&pattern, p, name[n]) {
            p = next;
            n += 1;
        } else if let Some((after, taken)) = retry {
            retry = Some((after, taken + 1));
            p = after;
            n = taken + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|char| *char == '*')
}

/// Matches one character at `at` of the pattern; the position after it, or none.
fn one(pattern: &[char], at: usize, char: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => {
            let negated = pattern.get(at + 1) == Some(&'!');
            let start = at + 1 + usize::from(negated);
            // A `]` that comes first belongs to the set.
            let Some(end) = (start + 1..pattern.len()).find(|end| pattern[*end] == ']') else {
                return (char == '[').then_some(at + 1);
            };
            let set = &pattern[start..end];
            let mut inside = false;
            let mut i = 0;
            while i < set.len() {
                if i + 2 < set.len() && set[i + 1] == '-' {
                    inside |= (set[i]..=set[i + 2]).contains(&char);
                    i += 3;
                } else {
                    inside |= set[i] == char;
                    i += 1;
                }
            }
            (inside != negated).then_some(end + 1)
        }
        literal => (literal == char).then_some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (pattern, name, expected) in [
            ("*", "anything", true),
            ("plain_*", "plain_benchmark", true),
            ("*_benchmark", "plain_chairmark", false),
            ("a*b*c", "aXbYbZc", true),
            ("a?c", "aµc", true),
            ("a?c", "ac", false),
            ("v[0-9]", "v7", true),
            ("v[!0-9]", "v7", false),
            ("v[]x]", "v]", true),
            ("[", "[", true),
            ("", "", true),
            ("", "a", false),
            ("**", "x", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests make their own files")]
    fn patterns_find_sorted_paths() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["r/b/x.json", "r/a/x.json", "r/a/deep/y.json", "r/.hid/z.json", "top.json"] {
            let full = folder.path().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, "").unwrap();
        }
        let find = |pattern: &str| -> Vec<String> {
            expand(folder.path(), pattern)
                .unwrap()
                .iter()
                .map(|path| path.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(find("r/*"), ["r/a", "r/b"]);
        assert_eq!(find("r/*/x.json"), ["r/a/x.json", "r/b/x.json"]);
        assert_eq!(find("**/*.json"), ["r/a/deep/y.json", "r/a/x.json", "r/b/x.json", "top.json"]);
        assert_eq!(find("./top.json"), ["top.json"]);
        assert!(find("none/*.json").is_empty() && find("none").is_empty());
    }
}
