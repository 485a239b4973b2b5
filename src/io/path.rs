//! Relative paths that stay where they belong, on every system.

use crate::error::{Error, Result};

/// Checks that `path` names a file below a root and nothing else: parts separated by `/`, none of them
/// empty, `.` or `..`, no backslash, no colon, no control character, no name of a Windows device. So it cannot
/// be absolute, and it can carry neither a drive letter nor a Windows stream.
///
/// # Errors
/// Says which rule is broken.
pub fn check_relative(path: &str) -> Result<()> {
    let refuse = |why: &str| Err(Error::evidence(format!("the path {path:?} {why}")));
    if path.is_empty() {
        return refuse("is empty");
    }
    if path.starts_with('/') {
        return refuse("is absolute");
    }
    if path.contains('\\') || path.contains(':') {
        return refuse("holds a backslash or a colon, which mean another place on Windows");
    }
    if path.chars().any(char::is_control) {
        return refuse("holds a control character");
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return refuse("has a part that is empty, `.` or `..`");
    }
    if path.split('/').any(is_device) {
        return refuse("has a part that names a device on Windows");
    }
    Ok(())
}

/// Whether Windows takes `part` for a device, whatever its ending.
fn is_device(part: &str) -> bool {
    const NAMES: [&str; 4] = ["con", "prn", "aux", "nul"];
    let stem = part.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let numbered = |name: &str| {
        stem.len() == 4
            && stem.is_char_boundary(3)
            && stem[..3].eq_ignore_ascii_case(name)
            && stem.ends_with(|last: char| last.is_ascii_digit())
    };
    NAMES.iter().any(|name| stem.eq_ignore_ascii_case(name)) || numbered("com") || numbered("lpt")
}

/// Joins `path`, as written in the file `file`, to the folder of that file; none when it is not safe. Parts `.` mean
/// nothing and are left out.
pub fn relative_to_file(file: &str, path: &str) -> Option<String> {
    let path: String = path.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/");
    check_relative(&path).ok()?;
    Some(file.rsplit_once('/').map_or_else(|| path.clone(), |(folder, _)| format!("{folder}/{path}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_pass() {
        for good in ["a", "a/b.json", "…/µ", "a b/c", ".nojekyll", "console", "com10", "x.con", "coµ"] {
            assert!(check_relative(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/",
            "/a",
            "a//b",
            "a/",
            "..",
            "a/../b",
            "./a",
            "a\\b",
            "..\\a",
            "C:",
            "C:/a",
            "C:\\a",
            "a/b:c",
            "\\\\host\\share",
            "//host/share",
            "a\0b",
            "a\nb",
            "con",
            "a/Nul.tar.gz",
            "COM1 .txt/x",
            "lpt9",
        ] {
            assert!(check_relative(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_path_is_joined_to_the_folder_of_its_file() {
        assert_eq!(relative_to_file("x/y.toml", "a/b").as_deref(), Some("x/a/b"));
        assert_eq!(relative_to_file("y.toml", "a").as_deref(), Some("a"));
        assert_eq!(relative_to_file("x/y.toml", "./a/./b").as_deref(), Some("x/a/b"));
        for bad in ["../a", "./../a", "/a", ".//a", "."] {
            assert_eq!(relative_to_file("x/y.toml", bad), None, "{bad}");
        }
    }
}
