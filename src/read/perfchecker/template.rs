//! Lines that differ from an accepted line in two numbers only.
//!
//! A suite writes thousands of lines in a row whose bytes agree except for `sample_index` and `value`. Once
//! one of them was taken apart and accepted, a line with the same bytes around those two numbers says the
//! same about everything else, so comparing the bytes replaces parsing them.

use super::line::text_end;
use crate::evidence::Number;

/// The fixed bytes of an accepted line, and what it belongs to.
#[derive(Debug)]
pub(super) struct Template<'a> {
    prefix: &'a [u8],
    /// Bytes between the two numbers, and whether the index comes first; none when only the value varies.
    middle: Option<(&'a [u8], bool)>,
    suffix: &'a [u8],
    /// Position of the group in its chunk.
    pub(super) group: usize,
    /// Table index of every line of this form.
    pub(super) table: u32,
    /// Sample index of every line of this form, where the index does not vary.
    index: u32,
}

impl<'a> Template<'a> {
    /// Makes a template of an accepted line; none when its numbers are not found at the top level.
    pub(super) fn learn(line: &'a [u8], group: usize, table: u32, index: u32) -> Option<Self> {
        let [at_index, at_value] = find_numbers(line);
        let value = at_value?;
        Some(match at_index {
            None => Self {
                prefix: &line[..value.start],
                middle: None,
                suffix: &line[value.end..],
                group,
                table,
                index,
            },
            Some(number) => {
                let index_first = number.start < value.start;
                let (first, second) = if index_first { (number, value) } else { (value, number) };
                Self {
                    prefix: &line[..first.start],
                    middle: Some((&line[first.end..second.start], index_first)),
                    suffix: &line[second.end..],
                    group,
                    table,
                    index,
                }
            }
        })
    }

    /// Sample index and value of a line of this form; none when it has another form or numbers that need
    /// the full reader.
    pub(super) fn read(&self, line: &[u8]) -> Option<(u32, Number)> {
        let rest = line.strip_prefix(self.prefix)?.strip_suffix(self.suffix)?;
        let Some((middle, index_first)) = self.middle else {
            return Some((self.index, number(rest)?));
        };
        let first = rest.iter().position(|byte| !is_number(*byte))?;
        let (first, rest) = rest.split_at(first);
        let second = rest.strip_prefix(middle)?;
        let (at_index, value) = if index_first { (first, second) } else { (second, first) };
        Some((small(at_index)?, number(value)?))
    }
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || b"+-.eE".contains(&byte)
}

/// Where the numbers `sample_index` and `value` of a valid JSON object stand.
fn find_numbers(line: &[u8]) -> [Option<std::ops::Range<usize>>; 2] {
    let mut found = [None, None];
    let (mut depth, mut at, mut key_next) = (0_usize, 0, false);
    while let Some(&byte) = line.get(at) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                key_next = depth == 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => key_next = depth == 1,
            b'"' => {
                let end = text_end(line, at + 1);
                let slot = match &line[at + 1..end.min(line.len())] {
                    b"sample_index" => Some(0),
                    b"value" => Some(1),
                    _ => None,
                };
                at = end;
                if depth == 1 && key_next {
                    key_next = false;
                    if let Some(slot) = slot {
                        let space = |at: usize| {
                            line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
                        };
                        let colon = at + 1 + space((at + 1).min(line.len()));
                        let start = colon + 1 + space((colon + 1).min(line.len()));
                        let length = line.iter().skip(start).take_while(|byte| is_number(**byte)).count();
                        if length > 0 {
                            found[slot] = Some(start..start + length);
                        }
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// A plain index; other forms, such as `1.0`, are left to the full reader.
fn small(digits: &[u8]) -> Option<u32> {
    let plain = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 9;
    plain.then(|| {
        digits
            .iter()
            .try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
    })?
}

/// A number by the grammar of JSON, read as the full reader would.
fn number(bytes: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = count(digits);
    if whole == 0 || (whole > 1 && digits.starts_with('0')) {
        return None;
    }
    let mut rest = &digits[whole..];
    if rest.is_empty() {
        // `-0` and numbers beyond 64 bits are floats; the full reader decides.
        return if negative {
            text.parse().ok().filter(|value| *value < 0).map(Number::Negative)
        } else {
            text.parse().ok().map(Number::Unsigned)
        };
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = count(fraction);
        if length == 0 {
            return None;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = count(exponent);
        if length == 0 {
            return None;
        }
        rest = &exponent[length..];
    }
    if !rest.is_empty() {
        return None;
    }
    text.parse().ok().and_then(Number::finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] =
        br#"{"attributes":{"sample_index":7,"value":8},"a":"\"value\":3","sample_index":1,"x":[1,2],"value":2.5}"#;

    #[test]
    fn only_the_numbers_of_the_top_level_vary() {
        let template = Template::learn(LINE, 0, 1, 1).unwrap();
        assert_eq!(template.read(LINE), Some((1, Number::Float(2.5))));
        let text = std::str::from_utf8(LINE).unwrap();
        let with = |from: &str, to: &str| template.read(text.replace(from, to).as_bytes());
        assert_eq!(with(":1,\"x\"", ":12,\"x\""), Some((12, Number::Float(2.5))));
        assert_eq!(with("2.5}", "7}"), Some((1, Number::Unsigned(7))));
        assert_eq!(with("2.5}", "-7}"), Some((1, Number::Negative(-7))));
        assert_eq!(with("2.5}", "1e3}"), Some((1, Number::Float(1000.0))));
        for other in [
            "\"9007199254740993\"}",
            "NaN}",
            "01}",
            "1.}",
            ".5}",
            "1e}",
            "-0}",
            "1e999}",
            "+1}",
            "}",
            "true}",
        ] {
            assert_eq!(with("2.5}", other), None, "{other}");
        }
        assert_eq!(with(":1,\"x\"", ":-1,\"x\""), None);
        assert_eq!(with(":1,\"x\"", ":1.0,\"x\""), None);
        assert_eq!(with("\"sample_index\":7", "\"sample_index\":9"), None);
    }

    #[test]
    fn a_line_without_index_varies_in_its_value() {
        let template = Template::learn(br#"{"value" : 1, "b":2}"#, 0, 0, 0).unwrap();
        assert_eq!(template.read(br#"{"value" : 44, "b":2}"#), Some((0, Number::Unsigned(44))));
        assert_eq!(template.read(br#"{"value" : 44, "b":3}"#), None);
        assert!(Template::learn(br#"{"value":"9007199254740993"}"#, 0, 0, 0).is_none());
    }
}
