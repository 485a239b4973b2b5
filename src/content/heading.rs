//! Ids of headings: readable, and different from each other within a page.

use std::collections::BTreeSet;

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Level, 1 to 6.
    pub level: u8,
    /// Id within the page.
    pub id: String,
    /// Its words, without markup.
    pub text: String,
}

/// Hands out ids that are different from each other.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    taken: BTreeSet<String>,
}

impl Anchors {
    /// The id of a heading: the author's own when `wanted`, else made from its words. A repeated one gets
    /// `-2`, `-3` and so on.
    pub(super) fn give(&mut self, wanted: Option<&str>, words: &str) -> String {
        let base = wanted.filter(|id| !id.is_empty()).map_or_else(|| from_words(words), str::to_owned);
        let mut id = base.clone();
        let mut count = 2_u64;
        while !self.taken.insert(id.clone()) {
            id = format!("{base}-{count}");
            count += 1;
        }
        id
    }

    /// Takes an id that something else on the page has.
    pub(super) fn reserve(&mut self, id: &str) {
        self.taken.insert(id.to_owned());
    }

    /// Whether the page has this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.taken.contains(id)
    }
}

/// Letters and digits of any script in lower case, hyphens between. Footnote ids are kept free.
fn from_words(words: &str) -> String {
    let mut id = String::new();
    for symbol in words.chars() {
        if symbol.is_alphanumeric() {
            id.extend(symbol.to_lowercase());
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let id = id.trim_end_matches('-');
    match id {
        "" => "section".to_owned(),
        _ if id.starts_with("fn-") || id.starts_with("fnref-") => format!("section-{id}"),
        _ => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ() {
        let mut anchors = Anchors::default();
        for (wanted, words, id) in [
            (None, "What changed?", "what-changed"),
            (None, "What  changed", "what-changed-2"),
            (Some("own"), "What changed", "own"),
            (None, "Größe von `x`", "größe-von-x"),
            (None, "***", "section"),
            (None, "fn 1", "section-fn-1"),
            (None, "own", "own-2"),
        ] {
            assert_eq!(anchors.give(wanted, words), id);
        }
        assert!(anchors.has("own-2") && !anchors.has("own-3"));
    }
}
