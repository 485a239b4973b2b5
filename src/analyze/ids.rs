//! Identifiers derived from content (PerfChecker formats §1.5).

use serde_json::Value;

use crate::analyze::{Group, Series};
use crate::text::slug::digest;

/// Hex digits of an id.
const ID: usize = 16;

/// Id of a plot: the kind with hyphens and the digest of kind and parts.
pub fn id(kind: &str, parts: &[&str]) -> String {
    let all: Vec<&str> = std::iter::once(kind).chain(parts.iter().copied()).collect();
    format!("{}-{}", kind.replace('_', "-"), short_digest(&all))
}

/// Id of a series, from the full comparison key.
pub fn series_id(group: &Group, series: &Series) -> String {
    let definition = &series.definition;
    let package = group.package.as_deref().unwrap_or_default();
    let (metric, id, unit) = (&definition.metric, &definition.id, &definition.unit);
    series_id_of([package, &group.feature, &group.workload, metric, id, unit], &group.base_key)
}

/// Id of a series, from package, feature, workload, metric, definition and unit, and its base comparison key.
pub fn series_id_of(parts: [&str; 6], base_key: &str) -> String {
    let [package, feature, workload, metric, definition, unit] = parts;
    let key = if base_key.is_empty() { String::new() } else { format!("{base_key}::{definition}") };
    short_digest(&[package, feature, workload, &key, metric, definition, unit])
}

fn short_digest(texts: &[&str]) -> String {
    // The canonical form of an array of texts is what serde_json prints (formats §1.1).
    let mut text = digest(Value::from(texts).to_string().as_bytes());
    text.truncate(ID);
    text
}
