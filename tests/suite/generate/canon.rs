//! The canonical JSON text of `PerfChecker` bundles, and digests over it.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Integers above this magnitude are written as decimal strings.
const LARGEST_PLAIN_INTEGER: u64 = (1 << 53) - 1;

/// Canonical text of `value`, without a final newline.
pub(crate) fn canonical(value: &Value) -> String {
    let mut text = String::new();
    put(value, &mut text);
    text
}

/// Canonical text and its newline: the bytes of a whole document.
pub(crate) fn document(value: &Value) -> Vec<u8> {
    let mut text = canonical(value);
    text.push('\n');
    text.into_bytes()
}

/// The content digest of a value: lower-case SHA-256 of its canonical text without the newline.
pub(crate) fn digest(value: &Value) -> String {
    sha256_hex(canonical(value).as_bytes())
}

/// Lower-case hexadecimal SHA-256 of `bytes`.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal form of `bytes`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Shortest round-trip text of a finite float, the way Julia prints it: `2600.0`, `1.4204e6`, `9.4835e-5`.
/// Plain notation holds from 1e-4 up to (not including) 1e6.
pub(crate) fn float_text(x: f64) -> String {
    assert!(x.is_finite(), "the writer refuses {x}");
    let scientific = format!("{x:e}");
    let (mantissa, exponent) = scientific.split_once('e').expect("LowerExp always writes an e");
    let point = exponent.parse::<i32>().expect("LowerExp writes an integer exponent") + 1;
    if -4 < point && point <= 6 {
        return format!("{x:?}");
    }
    let zero = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{zero}e{exponent}")
}

/// Appends the canonical text of `value` to `text`.
pub(crate) fn put(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => put_number(number, text),
        Value::String(words) => put_string(words, text),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                put(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            // Sorted here as well, so that a `preserve_order` switched on elsewhere changes nothing.
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
            text.push('{');
            for (place, (key, field)) in sorted.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                put_string(key, text);
                text.push(':');
                put(field, text);
            }
            text.push('}');
        }
    }
}

fn put_number(number: &serde_json::Number, text: &mut String) {
    if let Some(whole) = number.as_u64() {
        if whole <= LARGEST_PLAIN_INTEGER {
            let _ = write!(text, "{whole}");
        } else {
            let _ = write!(text, "\"{whole}\"");
        }
    } else if let Some(whole) = number.as_i64() {
        if whole.unsigned_abs() <= LARGEST_PLAIN_INTEGER {
            let _ = write!(text, "{whole}");
        } else {
            let _ = write!(text, "\"{whole}\"");
        }
    } else {
        text.push_str(&float_text(
            number.as_f64().expect("a number without arbitrary precision has a float form"),
        ));
    }
}

fn put_string(words: &str, text: &mut String) {
    text.push_str(&serde_json::to_string(words).expect("a string always serializes"));
}
