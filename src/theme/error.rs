//! Failures of templates in words: which file, which line, what stands there.

use std::collections::BTreeMap;
use std::error::Error as _;

use crate::error::{Error, Place};

/// The templates with their text and where they come from.
#[derive(Debug, Default)]
pub(super) struct Sources(BTreeMap<String, Source>);

#[derive(Debug)]
struct Source {
    place: String,
    text: String,
}

impl Sources {
    /// Adds the template `name` that messages call `place`.
    pub(super) fn add(&mut self, name: String, place: String, text: String) {
        self.0.insert(name, Source { place, text });
    }

    /// Name and text of all templates in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, source)| (name.as_str(), source.text.as_str()))
    }

    /// Turns a failure into an error with file, line and the line's text. Where templates include one another,
    /// the innermost is meant: that is where the mistake stands.
    pub(super) fn explain(&self, failure: &minijinja::Error) -> Error {
        let mut inner = failure;
        while let Some(next) = inner.source().and_then(|next| next.downcast_ref::<minijinja::Error>()) {
            inner = next;
        }
        let message = match inner.detail() {
            Some(detail) => format!("{}: {detail}", inner.kind()),
            None => inner.kind().to_string(),
        };
        let error = Error::usage(message);
        let Some(name) = inner.name() else { return error };
        let source = self.0.get(name);
        let mut place = Place::file(source.map_or(name, |source| source.place.as_str()));
        let mut error = error;
        if let Some(line) = inner.line() {
            place = place.line(line as u64);
            let text = source.and_then(|source| source.text.lines().nth(line.checked_sub(1)?));
            if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
                error = error.hint(format!("{line} | {text}"));
            }
        }
        if inner.kind() == minijinja::ErrorKind::UndefinedError {
            error =
                error.hint("the view has no such field; `{{ debug() }}` in the template lists what it has");
        }
        if inner.kind() == minijinja::ErrorKind::OutOfFuel {
            error = error.hint("the template takes too many steps; does a loop run over too much?");
        }
        error.at(place)
    }
}
