//! Decides every output path before anything is rendered.
//!
//! Two owners of one path are an error that names both, also where they differ only in letter case, since
//! a site must survive file systems that fold it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::error::{Error, Place, Result};

/// The paths of a site and who asked for them.
#[derive(Debug, Default)]
pub(super) struct Paths {
    owners: BTreeMap<String, String>,
}

impl Paths {
    /// Whether `path` has an owner.
    pub(super) fn is_taken(&self, path: &str) -> bool {
        self.owners.contains_key(&path.to_lowercase())
    }

    /// Reserves `path` for `owner`.
    ///
    /// # Errors
    /// The path is taken.
    pub(super) fn reserve(&mut self, path: &str, owner: &str) -> Result<()> {
        if let Some(other) = self.owners.insert(path.to_lowercase(), owner.to_owned()) {
            return Err(Error::usage(format!("{other} and {owner} would both be written to `{path}`"))
                .at(Place::file(path))
                .hint("rename one of them"));
        }
        Ok(())
    }
}

/// Folder of a page below the site's root, without `index.html`; empty for the front page.
pub(super) fn folder(page: &str) -> &str {
    page.strip_suffix("index.html").unwrap_or(page).trim_end_matches('/')
}

/// The way from `page` up to the site's root: `../` as often as needed.
pub(super) fn root(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

/// A link from `page` to `target`, both paths below the site's root. What means something else in an address, such as
/// `#` in the name of an original file, is percent-encoded.
pub(super) fn link(page: &str, target: &str) -> String {
    let shared = page
        .bytes()
        .zip(target.bytes())
        .take_while(|(a, b)| a == b)
        .enumerate()
        .filter(|(_, (byte, _))| *byte == b'/')
        .map(|(at, _)| at + 1)
        .last()
        .unwrap_or(0);
    format!("{}{}", root(&page[shared..]), address(&target[shared..]))
}

/// A path as an address (RFC 3986, §3.3).
fn address(path: &str) -> Cow<'_, str> {
    use std::fmt::Write as _;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    if path.bytes().all(plain) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 16);
    for byte in path.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            // A String takes every write.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_and_explicit() {
        for (page, target, expected) in [
            ("index.html", "gallery/a/index.html", "gallery/a/index.html"),
            ("gallery/a/b/index.html", "index.html", "../../../index.html"),
            ("gallery/a/b/index.html", "gallery/a/index.html", "../index.html"),
            ("gallery/a/b/index.html", "gallery/a/bc/index.html", "../bc/index.html"),
            ("gallery/a/b/index.html", "figures/a/x.svg", "../../../figures/a/x.svg"),
            ("gallery/a/index.html", "gallery/a/index.html", "index.html"),
            (
                "reports/a/index.html",
                "evidence/a b/ü%20#?&/x.json",
                "../../evidence/a%20b/%C3%BC%2520%23%3F&/x.json",
            ),
        ] {
            assert_eq!(link(page, target), expected, "{page} → {target}");
        }
    }

    #[test]
    fn a_path_has_one_owner() {
        let mut paths = Paths::default();
        paths.reserve("a/index.html", "page a").unwrap();
        let error = paths.reserve("A/index.html", "page A").unwrap_err();
        assert!(error.message.contains("page a and page A"), "{error}");
    }
}
