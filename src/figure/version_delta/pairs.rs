//! Which targets are compared with which (PerfChecker formats §2.12).

use crate::evidence::TargetKind;

/// Two targets to compare, by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The rule, as PerfChecker names it.
    pub(super) relation: &'static str,
    /// Position of the target that is compared with.
    pub(super) baseline: usize,
    /// Position of the target that is compared.
    pub(super) candidate: usize,
}

/// The pairs of targets of these kinds, which stand in their order: each release with the one before it, then
/// every other target with the newest release; without a release every later target with the first.
pub(super) fn pairs(kinds: &[&TargetKind]) -> Vec<Pair> {
    let (releases, others): (Vec<usize>, Vec<usize>) =
        (0..kinds.len()).partition(|&at| *kinds[at] == TargetKind::Release);
    let mut found: Vec<Pair> = releases
        .windows(2)
        .map(|pair| Pair { relation: "adjacent-release", baseline: pair[0], candidate: pair[1] })
        .collect();
    let (relation, baseline, candidates) = match (releases.last(), others.split_first()) {
        (Some(&newest), _) => ("dev-vs-latest-release", newest, &others[..]),
        (None, Some((&first, rest))) => ("candidate-vs-reference", first, rest),
        (None, None) => return found,
    };
    found.extend(candidates.iter().map(|&candidate| Pair { relation, baseline, candidate }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_of_the_pairs() {
        let (release, dev, commit) = (&TargetKind::Release, &TargetKind::Dev, &TargetKind::Commit);
        let told = |kinds: &[&TargetKind]| -> Vec<(&str, usize, usize)> {
            pairs(kinds).iter().map(|pair| (pair.relation, pair.baseline, pair.candidate)).collect()
        };
        assert_eq!(
            told(&[release, release, release, dev, commit]),
            [
                ("adjacent-release", 0, 1),
                ("adjacent-release", 1, 2),
                ("dev-vs-latest-release", 2, 3),
                ("dev-vs-latest-release", 2, 4),
            ]
        );
        assert_eq!(
            told(&[commit, commit, commit]),
            [("candidate-vs-reference", 0, 1), ("candidate-vs-reference", 0, 2)]
        );
        assert_eq!(told(&[release]), []);
        assert_eq!(told(&[dev]), []);
        assert_eq!(told(&[]), []);
    }
}
