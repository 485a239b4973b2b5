//! What masks texts: the host and user names to be looked for, and the ways in which a text is masked.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::evidence::plot;
use crate::evidence::row::Row;
use crate::evidence::{Name, TargetKind};
use crate::text::redact::{Kind, field, redact};

/// What stands in place of a host or user name.
pub(super) const MASK: &str = "<redacted>";
/// Shorter values of host and user fields are not looked for elsewhere: they would fit anywhere.
const SHORTEST: usize = 3;

/// Fields of a plot that hold names, which must stay as recorded; so must targets.
const NAMES: [&str; 7] =
    ["features", "metric", "feature", "workload", "package", "collector", "comparison_key"];
/// Fields of a plot that hold targets, besides those of [`plot::TARGETS`].
const TARGETS: [&str; 4] = ["versions", "reference_version", "baseline_versions", "candidate_versions"];
/// Fields of a plot that hold words of the form: a user called `release` must not blot them out.
const FORM: [&str; 7] =
    ["target_kind", "unit", "statistic", "aggregation", "normalization_status", "kind", "status"];
/// Fields that say what a machine is: a user called `linux` or `julia` must not blot them out.
const WORDS: [&str; 6] = ["language", "version", "os", "kernel", "arch", "architecture"];

/// Host and user names that fields held, in lower case.
#[derive(Debug, Clone, Default)]
pub(in crate::site) struct Secrets {
    list: BTreeSet<(String, Kind)>,
}

impl Secrets {
    pub(super) fn extend(&mut self, others: Self) {
        self.list.extend(others.list);
    }

    pub(super) fn of_map(&mut self, map: &Map<String, Value>) {
        self.of_fields(map.iter().map(|(key, value)| (key.as_str(), value)));
    }

    pub(super) fn of_fields<'f>(&mut self, fields: impl Iterator<Item = (&'f str, &'f Value)>) {
        for (key, value) in fields {
            match (field(key), value) {
                (Some(kind), Value::String(text)) if text.trim().chars().count() >= SHORTEST => {
                    if text != MASK {
                        self.list.insert((text.trim().to_ascii_lowercase(), kind));
                    }
                }
                (_, value) => self.of_value(value),
            }
        }
    }

    pub(super) fn of_value(&mut self, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.of_value(value)),
            Value::Object(map) => self.of_map(map),
            _ => {}
        }
    }
}

/// Texts that stand in a field of evidence.
pub(super) trait Texts {
    /// Puts another text wherever `change` gives one.
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>);
}

impl Texts for String {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        if let Some(text) = change(self) {
            *self = text;
        }
    }
}

impl Texts for Name {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        if let Some(text) = change(self) {
            *self = text.into();
        }
    }
}

impl Texts for TargetKind {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        if let Self::Other(word) = self {
            word.rewrite(change);
        }
    }
}

impl<T: Texts> Texts for Option<T> {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        if let Some(one) = self {
            one.rewrite(change);
        }
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        for one in self {
            one.rewrite(change);
        }
    }
}

/// The keys are names of evidence and stay.
impl<T: Texts> Texts for BTreeMap<String, T> {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        for one in self.values_mut() {
            one.rewrite(change);
        }
    }
}

impl Texts for Value {
    fn rewrite(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        match self {
            Self::String(text) => text.rewrite(change),
            Self::Array(list) => list.rewrite(change),
            Self::Object(map) => map.values_mut().for_each(|value| value.rewrite(change)),
            _ => {}
        }
    }
}

/// Masks texts. Every text of the evidence goes through one of its ways, or is a name that stays as it was recorded.
pub(super) struct Masker<'a> {
    secrets: &'a Secrets,
    /// What was masked so far.
    pub(super) kinds: BTreeSet<Kind>,
    /// Whether names and targets that fields hold stay as they are.
    pub(super) keep_names: bool,
}

impl<'a> Masker<'a> {
    pub(super) fn new(secrets: &'a Secrets) -> Self {
        Self { secrets, kinds: BTreeSet::new(), keep_names: false }
    }

    /// Hands over what was masked since the last call, all of it in one file.
    pub(super) fn note(&mut self, file: &str, found: &mut BTreeSet<(String, String)>) {
        let kinds = std::mem::take(&mut self.kinds);
        found.extend(kinds.into_iter().map(|kind| (file.to_owned(), kind.word().to_owned())));
    }

    /// Masks words of the form, moments, versions and digests, which may be any text: only paths in them, for a host
    /// or user name may be such a word.
    pub(super) fn words(&mut self, words: &mut impl Texts) {
        words.rewrite(&mut |text| self.without_paths(text));
    }

    /// Masks free texts: paths, and the names of hosts and users.
    pub(super) fn text(&mut self, texts: &mut impl Texts) {
        texts.rewrite(&mut |text| self.masked(text));
    }

    /// A free text with its masks; none when there is nothing to mask.
    pub(super) fn masked(&mut self, text: &str) -> Option<String> {
        let secrets = self.secrets;
        let mut masked = self.without_paths(text);
        for (secret, kind) in &secrets.list {
            if let Some(text) = without(masked.as_deref().unwrap_or(text), secret) {
                self.kinds.insert(*kind);
                masked = Some(text);
            }
        }
        masked
    }

    fn without_paths(&mut self, text: &str) -> Option<String> {
        let masked = redact(text);
        if masked.kinds.is_empty() {
            return None;
        }
        self.kinds.extend(&masked.kinds);
        Some(masked.text.into_owned())
    }

    /// Masks a text but for the `names` in it, which stand as they were recorded.
    pub(super) fn around(&mut self, text: &mut String, names: &[String]) {
        // Most of many names are in none of many titles.
        let inside = names.iter().position(|name| text.contains(name.as_str()));
        let Some((name, others)) = inside.and_then(|at| names[at..].split_first()) else {
            return self.text(text);
        };
        let mut parts: Vec<String> = text.split(name.as_str()).map(str::to_owned).collect();
        for part in &mut parts {
            self.around(part, others);
        }
        *text = parts.join(name);
    }

    /// Masks the fields of an object, and their names.
    pub(super) fn map(&mut self, map: &mut Map<String, Value>) {
        self.keys(map);
        self.fields(map.iter_mut().map(|(key, value)| (key.as_str(), value)));
    }

    /// Masks paths in the names of an object's fields.
    pub(super) fn keys(&mut self, map: &mut Map<String, Value>) {
        if map.keys().any(|key| !redact(key).kinds.is_empty()) {
            let fields = std::mem::take(map).into_iter();
            *map = fields.map(|(key, value)| (self.without_paths(&key).unwrap_or(key), value)).collect();
        }
    }

    /// Masks a row of a plot, and paths in the names of its fields.
    pub(super) fn row(&mut self, row: &mut Row) {
        let private = |name: &str| !redact(name).kinds.is_empty();
        let names: Vec<String> =
            row.iter().map(|(name, _)| name).filter(|name| private(name)).map(str::to_owned).collect();
        for mut name in names {
            if let Some(value) = row.remove(&name) {
                self.words(&mut name);
                row.insert(name, value);
            }
        }
        self.fields(row.iter_mut());
    }

    /// Masks the values of fields by what their names say of them.
    fn fields<'f>(&mut self, fields: impl Iterator<Item = (&'f str, &'f mut Value)>) {
        for (key, value) in fields {
            match (field(key), value) {
                (Some(kind), Value::String(text)) => {
                    if text != MASK {
                        self.kinds.insert(kind);
                        MASK.clone_into(text);
                    }
                }
                (None, value) if self.keep_names && is_name(key) && is_plain(value) => {}
                (None, Value::String(text)) if self.is_word(key) => self.words(text),
                (_, value) => self.value(value),
            }
        }
    }

    fn is_word(&self, key: &str) -> bool {
        WORDS.contains(&key) || (self.keep_names && FORM.contains(&key))
    }

    /// Masks whatever a value holds.
    pub(super) fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value)),
            Value::Object(map) => self.map(map),
            _ => {}
        }
    }
}

/// Whether a field of a plot holds names that must stay as recorded.
fn is_name(key: &str) -> bool {
    NAMES.contains(&key) || TARGETS.contains(&key) || plot::TARGETS.contains(&key)
}

/// Whether a value is a text, or nothing but texts.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().all(Value::is_string),
        value => value.is_string(),
    }
}

/// The names among the options of a plot that are published as recorded, the longest first.
pub(super) fn recorded_names(options: &Map<String, Value>) -> Vec<String> {
    let values = options.iter().filter(|(key, value)| {
        let word = || value.as_str().is_some_and(|word| redact(word).kinds.is_empty());
        is_name(key) || (FORM.contains(&key.as_str()) && word())
    });
    let mut names: Vec<String> = values
        .flat_map(|(_, value)| match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<_>>(),
        })
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

/// The text with every `secret` (in lower case) that stands alone masked; none when there is none.
fn without(text: &str, secret: &str) -> Option<String> {
    // Lower case of ASCII keeps every byte in its place.
    let lower = text.to_ascii_lowercase();
    let (mut out, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(step) = lower[from..].find(secret) {
        let (start, end) = (from + step, from + step + secret.len());
        from = end;
        let inside = lower[..start].ends_with(char::is_alphanumeric)
            || lower[end..].starts_with(char::is_alphanumeric);
        if !inside {
            out.push_str(&text[copied..start]);
            out.push_str(MASK);
            copied = end;
        }
    }
    (copied > 0).then(|| out + &text[copied..])
}
