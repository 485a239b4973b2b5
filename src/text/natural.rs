//! The order in which people expect names: `run-2` before `run-10`.

use std::cmp::Ordering;

/// Compares two names; runs of ASCII digits count by their value, of any length. A total order: names that
/// differ only in leading zeros are told apart last, by their plain text.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        match (next(&mut left), next(&mut right)) {
            (None, None) => return a.cmp(b),
            (x, y) if x == y => {}
            (x, y) => return x.cmp(&y),
        }
    }
}

/// A piece of a name. Digits stay between the characters that are below and above them in Unicode, so the
/// order is the plain one wherever no numbers meet.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    Below(char),
    /// Length and digits of a number without leading zeros: compares by value.
    Number(usize, &'a str),
    Above(char),
}

fn next<'a>(rest: &mut &'a str) -> Option<Piece<'a>> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() {
        let end = rest.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[..end].trim_start_matches('0');
        *rest = &rest[end..];
        return Some(Piece::Number(digits.len(), digits));
    }
    *rest = &rest[first.len_utf8()..];
    Some(if first < '0' { Piece::Below(first) } else { Piece::Above(first) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn examples() {
        let mut names = vec![
            "run-10",
            "run-2",
            "run",
            "1",
            "0001",
            "a1b",
            "a01b",
            "a1a",
            "é",
            "99999999999999999999",
            "100",
        ];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            ["0001", "1", "100", "99999999999999999999", "a1a", "a01b", "a1b", "run", "run-2", "run-10", "é"]
        );
    }

    proptest! {
        #[test]
        fn is_a_total_order(names in prop::array::uniform3("[a0-2/:-]{0,5}")) {
            let [a, b, c] = &names;
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            prop_assert_eq!(compare(a, b) == Ordering::Equal, a == b);
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le());
            }
        }

        #[test]
        fn numbers_go_by_value(a in any::<u64>(), b in any::<u64>(), zeros in 0..4_usize) {
            prop_assume!(a != b);
            let (left, right) = (format!("x{}{a}", "0".repeat(zeros)), format!("x{b}"));
            prop_assert_eq!(compare(&left, &right), a.cmp(&b));
        }
    }
}
