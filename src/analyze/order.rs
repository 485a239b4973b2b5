//! The order of targets: Julia versions, and everything that is not a version.
//!
//! Source: PerfChecker formats §1.4, and Julia's `VersionNumber`: major, minor and patch by value; a
//! pre-release before the plain version; identifiers one by one, numbers before text and by value, a shorter
//! list before a longer one; build metadata last, none before some (unlike semantic versioning, where it has no order).

use std::cmp::Ordering;

use crate::analyze::Target;
use crate::evidence::TargetKind;

/// A version as Julia reads it. Equal versions may have different texts (`1.2` and `v1.2.0`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Major number.
    pub major: u64,
    /// Minor number; 0 when not written.
    pub minor: u64,
    /// Patch number; 0 when not written.
    pub patch: u64,
    pre: Vec<Identifier>,
    build: Vec<Identifier>,
}

/// One identifier; the variants are in Julia's order, an empty text (from `1.0.0-`) first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Empty,
    /// Length and digits without leading zeros: compares by value, of any size.
    Number(usize, String),
    Text(String),
}

impl Version {
    /// What a label that is not a version counts as.
    const ZERO: Self = Self { major: 0, minor: 0, patch: 0, pre: Vec::new(), build: Vec::new() };

    /// Reads a version: one to three numbers, an optional `v` in front, an optional pre-release (with a
    /// hyphen, or directly when it begins with a letter: `1.0rc1`) and optional build metadata. None for
    /// anything else (`dev@1.2.0`, `1.2.3.4`) and for numbers beyond 64 bits.
    pub fn parse(label: &str) -> Option<Self> {
        let mut rest = label.strip_prefix(['v', 'V']).unwrap_or(label);
        let mut numbers = [0; 3];
        for (at, number) in numbers.iter_mut().enumerate() {
            if at > 0 {
                let Some(next) = rest.strip_prefix('.') else { break };
                rest = next;
            }
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            *number = rest[..end].parse().ok()?;
            rest = &rest[end..];
        }
        let (pre, build) = match rest.split_once('+') {
            Some((pre, build)) => (pre, Some(build)),
            None => (rest, None),
        };
        let pre = if pre == "-" && build.is_some() {
            return None;
        } else if pre.is_empty() {
            Vec::new()
        } else if pre == "-" {
            vec![Identifier::Empty]
        } else if let Some(list) = pre.strip_prefix('-') {
            identifiers(list)?
        } else if pre.starts_with(|c: char| c.is_ascii_alphabetic()) {
            identifiers(pre)?
        } else {
            return None;
        };
        let build = match build {
            None => Vec::new(),
            Some("") => vec![Identifier::Empty],
            Some(list) => identifiers(list)?,
        };
        let [major, minor, patch] = numbers;
        Some(Self { major, minor, patch, pre, build })
    }

    /// Whether it is a pre-release.
    pub fn is_pre(&self) -> bool {
        !self.pre.is_empty()
    }
}

fn identifiers(list: &str) -> Option<Vec<Identifier>> {
    list.split('.')
        .map(|text| {
            let allowed =
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            allowed.then(|| {
                if text.bytes().all(|byte| byte.is_ascii_digit()) {
                    let digits = text.trim_start_matches('0');
                    Identifier::Number(digits.len(), digits.to_owned())
                } else {
                    Identifier::Text(text.to_owned())
                }
            })
        })
        .collect()
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self)
            .cmp(&numbers(other))
            // A version with a pre-release comes first: `false` (is a pre-release) before `true`.
            .then_with(|| self.pre.is_empty().cmp(&other.pre.is_empty()))
            .then_with(|| self.pre.cmp(&other.pre))
            .then_with(|| self.build.cmp(&other.build))
    }
}

/// The place of a target among others of its source; compares by (rank, version, label).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key<'a> {
    rank: u8,
    version: Version,
    label: &'a str,
}

/// The sort key of PerfChecker formats §1.4: releases by version, then all others; a label that does not
/// parse counts as `0.0.0`.
pub fn key<'a>(label: &'a str, kind: &TargetKind) -> Key<'a> {
    Key {
        rank: u8::from(*kind != TargetKind::Release),
        version: Version::parse(label).unwrap_or(Version::ZERO),
        label,
    }
}

/// Puts targets in order: releases, then working trees, candidates and unknown kinds, both by [`key`]; then
/// commits and branches by date, undated ones last in the given order; then implementations in the given
/// order. Targets of one kind that are equal by these rules keep the given order.
pub fn arrange(targets: &mut [Target]) {
    targets.sort_by(|a, b| {
        let band = |target: &Target| match target.kind {
            TargetKind::Commit | TargetKind::Branch => 1_u8,
            TargetKind::Implementation => 2,
            _ => 0,
        };
        band(a).cmp(&band(b)).then_with(|| match band(a) {
            0 => key(&a.label, &a.kind).cmp(&key(&b.label, &b.kind)),
            1 => (a.date.is_none(), &a.date).cmp(&(b.date.is_none(), &b.date)),
            _ => Ordering::Equal,
        })
    });
}

/// Commits and branches without a date: their place is the order in which they were given.
pub fn undated(targets: &[Target]) -> impl Iterator<Item = &Target> {
    targets.iter().filter(|target| {
        target.date.is_none() && matches!(target.kind, TargetKind::Commit | TargetKind::Branch)
    })
}

/// The minor series of a release label: `1.10` for `1.10.2`; none when the label is not a version.
pub fn minor_series(label: &str) -> Option<String> {
    Version::parse(label).map(|version| format!("{}.{}", version.major, version.minor))
}

/// The minor series with two or more releases, in order, each with the positions of its releases in
/// `targets`. Pre-releases and build variants of a version count as releases of their own.
pub fn patch_windows(targets: &[Target]) -> Vec<(String, Vec<usize>)> {
    let mut windows: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, target) in targets.iter().enumerate() {
        let series = (target.kind == TargetKind::Release).then(|| minor_series(&target.label)).flatten();
        let Some(series) = series else { continue };
        match windows.iter_mut().find(|window| window.0 == series) {
            Some(window) => window.1.push(at),
            None => windows.push((series, vec![at])),
        }
    }
    windows.retain(|window| window.1.len() >= 2);
    windows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn target(label: &str, kind: TargetKind, date: Option<&str>) -> Target {
        Target { label: label.into(), kind, date: date.map(Into::into), date_kind: None }
    }

    #[test]
    fn versions_in_julia_order() {
        // Every version is below the next one.
        let ladder = [
            "0.9.17",
            "1.0.0-",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc1",
            "1.0.0",
            "1.0.0+",
            "1.0.0+1",
            "1.0.0+2",
            "1.0.0+10",
            "1.0.0+a",
            "1.0.1",
            "1.2.0",
            "1.9.0",
            "1.10.0",
            "2026.8.13",
        ];
        for pair in ladder.windows(2) {
            assert!(Version::parse(pair[0]).unwrap() < Version::parse(pair[1]).unwrap(), "{pair:?}");
        }
    }

    #[test]
    fn what_parses() {
        for label in
            ["1", "1.2", "v1.2.0", "1.0rc1", "1.5.5+2", "1.0.0-rc.1+build.5", "1.0.0-99999999999999999999999"]
        {
            assert!(Version::parse(label).is_some(), "{label}");
        }
        for label in [
            "",
            "v",
            "dev@1.2.0",
            "1.2.3.4",
            "1..2",
            "1.2.",
            "main",
            "1.0.0-a_b",
            "1.0.0-a..b",
            "1.0.0-+1",
            " 1.0",
            "99999999999999999999999.0.0",
            "1.0.0+a+b",
            "1.é",
        ] {
            assert!(Version::parse(label).is_none(), "{label}");
        }
        assert_eq!(Version::parse("1.2"), Version::parse("v1.2.0"));
        assert!(Version::parse("1.0rc1").unwrap().is_pre());
    }

    #[test]
    fn targets_of_all_kinds() {
        use TargetKind::{Branch, Candidate, Commit, Dev, Implementation, Release};
        let mut targets = [
            target("ours", Implementation, None),
            target("fast", Implementation, None),
            target("bbb", Commit, None),
            target("aaa", Commit, None),
            target("main", Branch, Some("2026-02-01")),
            target("fff", Commit, Some("2026-01-01")),
            target("9.9.9", Candidate, None),
            target("dev@1.11.0", Dev, None),
            target("my-branch", Candidate, None),
            target("nightly", Release, None),
            target("1.10.0", Release, Some("2020-01-01")),
            target("1.9.0", Release, None),
        ];
        arrange(&mut targets);
        let labels: Vec<_> = targets.iter().map(|target| &*target.label).collect();
        assert_eq!(
            labels,
            [
                "nightly",
                "1.9.0",
                "1.10.0",
                "dev@1.11.0",
                "my-branch",
                "9.9.9",
                "fff",
                "main",
                "bbb",
                "aaa",
                "ours",
                "fast"
            ]
        );
        assert_eq!(undated(&targets).map(|target| &*target.label).collect::<Vec<_>>(), ["bbb", "aaa"]);
    }

    #[test]
    fn windows_need_two_releases() {
        use TargetKind::{Candidate, Release};
        let targets: Vec<_> = [
            ("1.9.0", Release),
            ("1.10.0", Release),
            ("1.10.1", Release),
            ("main", Release),
            ("1.9.1", Candidate),
        ]
        .map(|(label, kind)| target(label, kind, None))
        .into();
        assert_eq!(patch_windows(&targets), [("1.10".to_owned(), vec![1, 2])]);
    }

    fn label() -> impl Strategy<Value = String> {
        prop_oneof![
            "v?[0-2](\\.[0-2]){0,3}(-?(rc|a)?[0-9]{0,2}(\\.[0-9a]{1,2})?)?(\\+[0-9a]{0,2})?",
            "(dev@|main|x/y)[0-9.]{0,3}",
        ]
    }

    proptest! {
        #[test]
        fn keys_are_a_total_order(labels in prop::array::uniform3(label()), kinds in prop::array::uniform3(0..3_usize)) {
            let kind = |at: usize| [TargetKind::Release, TargetKind::Dev, TargetKind::Candidate][kinds[at]].clone();
            let keys: Vec<_> = (0..3).map(|at| key(&labels[at], &kind(at))).collect();
            let (a, b, c) = (&keys[0], &keys[1], &keys[2]);
            prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
            prop_assert_eq!(a.cmp(b) == Ordering::Equal, labels[0] == labels[1] && a.rank == b.rank);
            if a <= b && b <= c {
                prop_assert!(a <= c);
            }
        }

        #[test]
        fn numbers_go_by_value(a in any::<[u64; 3]>(), b in any::<[u64; 3]>()) {
            let version = |[x, y, z]: [u64; 3]| Version::parse(&format!("{x}.{y}.{z}")).unwrap();
            prop_assert_eq!(version(a).cmp(&version(b)), a.cmp(&b));
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = Version::parse(&text);
        }
    }
}
