//! Identifiers derived from content.

use super::canon::{digest, hex};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Id of a planned run: 20 hexadecimal digits over what was planned.
pub(crate) fn planned_run_id(
    suite: &str,
    package_id: &str,
    feature: &str,
    target: &str,
    key: &str,
) -> String {
    cut(&digest(&json!([suite, package_id, feature, target, key])), 20)
}

/// Id of a plot: its kind, a hyphen and 16 hexadecimal digits over the kind and the parts that name it.
pub(crate) fn plot_id(kind: &str, parts: &[&str]) -> String {
    let named: Vec<&str> = std::iter::once(kind).chain(parts.iter().copied()).collect();
    format!("{}-{}", kind.replace('_', "-"), cut(&digest(&json!(named)), 16))
}

/// Id of a series: 16 hexadecimal digits. `key` is the full comparison key, with its `::definition` part.
pub(crate) fn series_id(names: [&str; 3], key: &str, metric: &str, definition: &str, unit: &str) -> String {
    let [package, feature, workload] = names;
    cut(&digest(&json!([package, feature, workload, key, metric, definition, unit])), 16)
}

/// A UUID in version 5 form made from a name, so that a fixture has the same ids on every machine.
pub(crate) fn uuid(name: &str) -> String {
    let hash = Sha256::digest(name.as_bytes());
    let mut bytes: [u8; 16] = hash[..16].try_into().expect("SHA-256 has 32 bytes");
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = hex(&bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

fn cut(text: &str, length: usize) -> String {
    text[..length].to_owned()
}
