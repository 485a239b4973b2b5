//! Texts as Plotly takes them: it reads tags and character references in every text that it draws.

use std::collections::HashSet;

use crate::text::escape;

/// Colours of the style sheet for the colours of series, from 1.
const SERIES: [&str; 6] = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)", "var(--s6)"];

/// A text that Plotly shows exactly as it is: steering characters are made visible, what it would take for
/// markup or for a place to fill in is escaped.
pub(super) fn text(text: &str) -> String {
    let shown = escape::visible(text);
    let bytes = shown.as_bytes();
    if memchr::memchr3(b'&', b'<', b'>', bytes).or_else(|| memchr::memchr(b'%', bytes)).is_none() {
        return shown.into_owned();
    }
    let escaped = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace("%{", "&#37;{")
}

/// Labels of columns that all differ, as Plotly joins columns of one name: one that occurs again gets a
/// character without width.
pub(super) fn unique(labels: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken = HashSet::new();
    labels
        .map(|mut label| {
            while !taken.insert(label.clone()) {
                label.push('\u{200b}');
            }
            label
        })
        .collect()
}

/// The colour of a series, from 1.
pub(super) fn series(colour: usize) -> &'static str {
    SERIES[(colour.max(1) - 1) % SERIES.len()]
}
