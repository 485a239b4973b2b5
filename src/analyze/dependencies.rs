//! What changed between the resolved dependencies of two targets.
//!
//! Lists may be incomplete: a package that is missing from an incomplete list is unknown, not removed.

use std::collections::BTreeMap;

use crate::analyze::order::Version;
use crate::evidence::Dependencies;

/// The difference of two manifests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Packages with another version, by name.
    pub changed: Vec<Change>,
    /// Packages that are new, by name, with their version. Only when the first list is complete.
    pub added: Vec<(String, String)>,
    /// Packages that are gone, by name, with their version. Only when the second list is complete.
    pub removed: Vec<(String, String)>,
    /// How many packages each manifest holds, when recorded.
    pub counts: (Option<u64>, Option<u64>),
    /// How many packages are known by name on each side.
    pub known: (u64, u64),
    /// Whether both manifests are the same file, by digest: then nothing changed, listed or not.
    pub same_manifest: bool,
}

/// A package whose version changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Name.
    pub name: String,
    /// Version before; empty for packages without one.
    pub from: String,
    /// Version after.
    pub to: String,
    /// Whether it is a change of the major version; see [`is_major`].
    pub major: bool,
}

impl Difference {
    /// Whether both lists name every package of their manifests.
    pub fn is_complete(&self) -> bool {
        self.counts.0 == Some(self.known.0) && self.counts.1 == Some(self.known.1)
    }

    /// Whether nothing is known to have changed, the number of packages included.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && (self.counts.0.is_none() || self.counts.1.is_none() || self.counts.0 == self.counts.1)
    }
}

/// Compares the manifests of two neighbouring targets.
pub fn difference(from: &Dependencies, to: &Dependencies) -> Difference {
    let same_manifest = from.manifest_sha256.is_some() && from.manifest_sha256 == to.manifest_sha256;
    let (before, after) = (versions(from), versions(to));
    let mut found = Difference {
        counts: (from.total, to.total),
        known: (before.len() as u64, after.len() as u64),
        same_manifest,
        ..Difference::default()
    };
    if same_manifest {
        return found;
    }
    for (&name, &version) in &before {
        match after.get(name) {
            Some(&now) if now != version => found.changed.push(Change {
                name: name.to_owned(),
                from: version.to_owned(),
                to: now.to_owned(),
                major: is_major(version, now),
            }),
            None if is_complete(to, after.len()) => found.removed.push((name.to_owned(), version.to_owned())),
            _ => {}
        }
    }
    if is_complete(from, before.len()) {
        let new = after.iter().filter(|(name, _)| !before.contains_key(*name));
        found.added = new.map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect();
    }
    found
}

/// Name → version. A name that occurs twice keeps its last entry of the list.
fn versions(list: &Dependencies) -> BTreeMap<&str, &str> {
    list.packages.iter().map(|package| (package.name.as_str(), package.version.as_str())).collect()
}

fn is_complete(list: &Dependencies, known: usize) -> bool {
    list.total == Some(known as u64)
}

/// Whether a change breaks compatibility by its number: another major version, or another minor one while
/// the major is 0. False when either text is not a version.
pub fn is_major(from: &str, to: &str) -> bool {
    let (Some(from), Some(to)) = (Version::parse(from), Version::parse(to)) else { return false };
    from.major != to.major || (from.major == 0 && from.minor != to.minor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Package;

    fn list(packages: &[(&str, &str)], total: Option<u64>) -> Dependencies {
        let packages = packages.iter().map(|(name, version)| Package {
            name: (*name).into(),
            version: (*version).into(),
            tree: None,
        });
        Dependencies { manifest_sha256: None, packages: packages.collect(), total }
    }

    #[test]
    fn incomplete_lists_hide_what_is_not_known() {
        let from = list(&[("HTTP", "1.11.0"), ("Old", "1.0.0"), ("Same", "1.0.0")], Some(58));
        let to = list(&[("HTTP", "2.6.7"), ("New", "1.0.0"), ("Same", "1.0.0")], Some(45));
        let found = difference(&from, &to);
        assert_eq!(
            found.changed,
            [Change { name: "HTTP".into(), from: "1.11.0".into(), to: "2.6.7".into(), major: true }]
        );
        assert!(
            found.added.is_empty() && found.removed.is_empty() && !found.is_complete() && !found.is_empty()
        );
        assert_eq!((found.counts, found.known), ((Some(58), Some(45)), (3, 3)));

        let complete = difference(&list(&[("Old", "1.0.0")], Some(1)), &list(&[("New", "1.0.0")], Some(1)));
        assert_eq!(complete.added, [("New".to_owned(), "1.0.0".to_owned())]);
        assert_eq!(complete.removed, [("Old".to_owned(), "1.0.0".to_owned())]);
        assert!(complete.is_complete());
        // Only the side whose list is complete can say that something is not there.
        let half = difference(&list(&[("Old", "1.0.0")], Some(1)), &list(&[("New", "1.0.0")], Some(9)));
        assert_eq!((half.added.len(), half.removed.len()), (1, 0));
    }

    #[test]
    fn the_same_manifest_did_not_change() {
        let mut from = list(&[("A", "1.0.0")], None);
        from.manifest_sha256 = Some("ab".into());
        let found = difference(&from, &from.clone());
        assert!(found.same_manifest && found.is_empty());
    }

    #[test]
    fn majors() {
        for (from, to, major) in [
            ("1.11.0", "2.6.7", true),
            ("1.0.0", "1.9.0", false),
            ("0.18.22", "0.19.6", true),
            ("0.9.17", "0.9.18", false),
            ("", "1.0.0", false),
        ] {
            assert_eq!(is_major(from, to), major, "{from} {to}");
        }
    }
}
