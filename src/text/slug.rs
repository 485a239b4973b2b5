//! Names as parts of a path and of an address.

use sha2::{Digest, Sha256};

/// Most characters of a slug.
pub const LONGEST: usize = 48;
/// Hex digits of the name's digest that mark a changed name.
const MARK: usize = 8;

/// Lower-case ASCII letters, digits and hyphens, at most [`LONGEST`] characters. When anything had to be
/// altered or cut, a hyphen and 8 hex digits of the name's SHA-256 follow, so that different names stay
/// different. Never empty, never a Windows device name, never with a hyphen or `_` in front.
pub fn slug(name: &str) -> String {
    let mut kept = String::with_capacity(name.len().min(LONGEST + 1));
    for symbol in name.chars() {
        if symbol.is_ascii_alphanumeric() {
            kept.push(symbol.to_ascii_lowercase());
        } else if !kept.is_empty() && !kept.ends_with('-') {
            kept.push('-');
        }
        if kept.len() > LONGEST {
            break;
        }
    }
    if kept == name && kept.len() <= LONGEST && !kept.is_empty() && !kept.ends_with('-') && !device(&kept) {
        return kept;
    }
    kept.truncate(LONGEST - MARK - 1);
    let kept = match kept.trim_end_matches('-') {
        "" => "unnamed",
        kept => kept,
    };
    format!("{kept}-{}", &digest(name.as_bytes())[..MARK])
}

/// The slug of `name` with the digest of all `parts` whether or not it was altered: for names whose slugs
/// would meet although they stand for different things.
pub fn apart(name: &str, parts: &[&str]) -> String {
    let plain = slug(name);
    let kept: String = plain.chars().take(LONGEST - MARK - 1).collect();
    format!("{}-{}", kept.trim_end_matches('-'), &digest(parts.join("\0").as_bytes())[..MARK])
}

/// Lower-case hex SHA-256 of `bytes`.
pub fn digest(bytes: &[u8]) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    Sha256::digest(bytes)
        .iter()
        .flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}

fn device(slug: &str) -> bool {
    match slug {
        "con" | "prn" | "aux" | "nul" => true,
        _ => {
            slug.len() == 4
                && (slug.starts_with("com") || slug.starts_with("lpt"))
                && slug.ends_with(|end: char| end.is_ascii_digit())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unchanged_names_have_no_mark() {
        assert_eq!(slug("plain-http-2"), "plain-http-2");
        assert_eq!(slug(&"a".repeat(48)), "a".repeat(48));
    }

    #[test]
    fn changed_names_carry_their_digest() {
        // printf %s plain_benchmark | sha256sum
        assert!(slug("plain_benchmark").starts_with("plain-benchmark-"));
        assert_eq!(slug(""), "unnamed-e3b0c442");
        assert_eq!(slug("abc"), "abc");
        assert_eq!(slug("ABC"), format!("abc-{}", &digest(b"ABC")[..8]));
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for name in ["_x", "-x", "con", "NUL", "com1", "lpt0", "a--b", "a-", "|>", "γ", &"a".repeat(49)] {
            let text = slug(name);
            assert_eq!(text.rsplit('-').next().unwrap(), &digest(name.as_bytes())[..8], "{name}");
        }
    }

    proptest! {
        #[test]
        fn rules_hold(name in any::<String>()) {
            let text = slug(&name);
            prop_assert!(!text.is_empty() && text.len() <= LONGEST);
            prop_assert!(text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            prop_assert!(!text.starts_with('-') && !text.ends_with('-') && !device(&text));
        }

        #[test]
        fn near_names_stay_apart(a in "[ab_A-]{0,6}", b in "[ab_A-]{0,6}") {
            prop_assert_eq!(slug(&a) == slug(&b), a == b);
        }
    }
}
