//! Keys of groups as numbers. Lines that follow each other say nearly the same, so most texts of a line are held
//! against those of the line before, and the numbers are looked up instead of all texts.

use std::borrow::Cow;
use std::collections::HashMap;

use super::line::Key;
use crate::evidence::{GroupKey, Name, TargetKind};

/// How many texts a key has.
const TEXTS: usize = 9;
/// The number of a text that is not recorded.
const NONE: u32 = u32::MAX;

/// A key whose texts are numbers of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Numbered {
    texts: [u32; TEXTS],
    definition: u32,
}

/// The distinct texts of the keys of one piece of lines, borrowed from it.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    numbers: HashMap<Cow<'a, str>, u32>,
    list: Vec<Cow<'a, str>>,
    /// The number of each text of the last key.
    last: [u32; TEXTS],
}

impl<'a> Texts<'a> {
    pub(super) fn number(&mut self, key: Key<'a>) -> Numbered {
        let texts = [
            Some(key.case_id),
            key.package,
            Some(key.feature),
            key.workload,
            Some(key.target),
            key.kind,
            Some(key.comparison),
            Some(key.aggregation),
            Some(key.scope),
        ];
        for (text, last) in texts.into_iter().zip(&mut self.last) {
            let Some(text) = text else {
                *last = NONE;
                continue;
            };
            if self.list.get(*last as usize).is_some_and(|last| *last == text) {
                continue;
            }
            *last = self.numbers.get(&text).copied().unwrap_or_else(|| {
                let number = self.list.len() as u32;
                self.list.push(text.clone());
                self.numbers.insert(text, number);
                number
            });
        }
        Numbered { texts: self.last, definition: key.definition }
    }
}

/// The distinct texts of the keys of a whole file.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Name, u32>,
    list: Vec<Name>,
}

impl Names {
    /// The numbers, here, of the texts of a piece.
    pub(super) fn adopt(&mut self, texts: &Texts<'_>) -> Adopted {
        let number = |text: &Cow<'_, str>| {
            if let Some(number) = self.numbers.get(&**text) {
                return *number;
            }
            let (name, number) = (Name::from(&**text), self.list.len() as u32);
            self.list.push(name.clone());
            self.numbers.insert(name, number);
            number
        };
        Adopted(texts.list.iter().map(number).collect())
    }

    /// The key that `numbered` stands for.
    pub(super) fn key(&self, numbered: Numbered) -> GroupKey {
        let name = |number: u32| self.list.get(number as usize).cloned();
        let [case_id, package, feature, workload, target, kind, base_key, aggregation, scope] =
            numbered.texts.map(name);
        GroupKey {
            case_id: case_id.unwrap_or_default(),
            package,
            feature: feature.unwrap_or_default(),
            workload,
            target: target.unwrap_or_default(),
            kind: kind.as_deref().map(TargetKind::parse),
            definition: numbered.definition,
            base_key: base_key.unwrap_or_default(),
            aggregation: aggregation.unwrap_or_default(),
            scope: scope.unwrap_or_default(),
        }
    }
}

/// For each text of a piece its number in the whole file.
#[derive(Debug)]
pub(super) struct Adopted(Vec<u32>);

impl Adopted {
    /// A key of the piece with numbers of the whole file.
    pub(super) fn key(&self, numbered: Numbered) -> Numbered {
        let number = |text: u32| self.0.get(text as usize).copied().unwrap_or(NONE);
        Numbered { texts: numbered.texts.map(number), ..numbered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<'a>(target: &'a str, kind: Option<&'a str>, definition: u32) -> Key<'a> {
        let text = Cow::Borrowed;
        Key {
            case_id: text("case"),
            package: None,
            feature: text("feature"),
            workload: Some(text("case")),
            target: text(target),
            kind: kind.map(text),
            definition,
            comparison: text(""),
            aggregation: text("sample"),
            scope: text("workload"),
        }
    }

    #[test]
    fn equal_keys_have_equal_numbers_in_every_piece() {
        let keys = [
            key("1.0.0", Some("release"), 0),
            key("1.0.0", None, 0),
            key("1.1.0", None, 0),
            key("1.1.0", None, 1),
            key("1.0.0", Some("release"), 0),
        ];
        let mut names = Names::default();
        let mut number = |keys: &[Key<'static>]| -> Vec<Numbered> {
            let mut texts = Texts::default();
            let numbered: Vec<_> = keys.iter().map(|key| texts.number(key.clone())).collect();
            let adopted = names.adopt(&texts);
            numbered.into_iter().map(|key| adopted.key(key)).collect()
        };
        let forward = number(&keys);
        let mut backward = number(&keys.iter().rev().cloned().collect::<Vec<_>>());
        backward.reverse();
        assert_eq!(forward, backward);
        assert_eq!(forward[0], forward[4]);
        for (at, one) in forward.iter().take(4).enumerate() {
            assert!(!forward[..at].contains(one));
        }
        let group = names.key(forward[0]);
        assert_eq!((&*group.target, &group.kind), ("1.0.0", &Some(TargetKind::Release)));
        assert_eq!((&group.package, group.workload.as_deref()), (&None, Some("case")));
        assert_eq!((&*group.base_key, &*group.scope), ("", "workload"));
        assert_eq!(names.key(forward[1]).kind, None);
    }
}
