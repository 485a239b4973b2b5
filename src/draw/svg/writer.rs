//! Elements of an SVG (or HTML) tree as text. An element closes when its guard goes out of scope, so a tree
//! cannot be left open; every value is escaped here and nowhere else.

use std::fmt::Write as _;

use crate::evidence::Number;
use crate::text::escape;

/// An open element. Attributes come first, then content; dropping it writes the end tag.
pub(in crate::draw) struct Element<'out> {
    out: &'out mut String,
    name: &'static str,
    /// Whether the start tag still takes attributes.
    starting: bool,
}

impl<'out> Element<'out> {
    /// Opens an element at the end of `out`.
    pub(in crate::draw) fn open(out: &'out mut String, name: &'static str) -> Self {
        out.push('<');
        out.push_str(name);
        Self { out, name, starting: true }
    }

    /// Opens a child element.
    pub(in crate::draw) fn child(&mut self, name: &'static str) -> Element<'_> {
        self.finish_start();
        Element::open(self.out, name)
    }

    /// Adds an attribute.
    pub(in crate::draw) fn attr(self, key: &str, value: &str) -> Self {
        debug_assert!(self.starting, "attribute {key} after content");
        self.out.push(' ');
        self.out.push_str(key);
        self.out.push_str("=\"");
        self.out.push_str(&escape::attribute(value));
        self.out.push('"');
        self
    }

    /// Adds an attribute with a number, exactly as recorded or computed.
    pub(in crate::draw) fn number(self, key: &str, value: Number) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.out, " {key}=\"{value}\"");
        self
    }

    /// Adds an attribute of HTML that is on when it is there.
    pub(in crate::draw) fn flag(self, key: &str) -> Self {
        self.out.push(' ');
        self.out.push_str(key);
        self
    }

    /// Adds the `class` attribute; nothing when there is no class.
    pub(in crate::draw) fn class(self, names: &str) -> Self {
        if names.is_empty() { self } else { self.attr("class", names) }
    }

    /// Makes text strong. Drawing programs know the hundreds only.
    pub(in crate::draw) fn strong(self) -> Self {
        self.attr("font-weight", "600")
    }

    /// Adds a length or a coordinate in px, rounded to 0.1.
    pub(in crate::draw) fn px(self, key: &str, value: f64) -> Self {
        self.out.push(' ');
        self.out.push_str(key);
        self.out.push_str("=\"");
        push_number(self.out, value, 1);
        self.out.push('"');
        self
    }

    /// Adds a coordinate in per cent, rounded to 0.01.
    pub(in crate::draw) fn percent(self, key: &str, value: f64) -> Self {
        self.out.push(' ');
        self.out.push_str(key);
        self.out.push_str("=\"");
        push_number(self.out, value, 2);
        self.out.push_str("%\"");
        self
    }

    /// Adds escaped text.
    pub(in crate::draw) fn text(&mut self, text: &str) {
        self.finish_start();
        self.out.push_str(&escape::markup(text));
    }

    /// Adds markup that this program made itself.
    pub(in crate::draw) fn raw(&mut self, markup: &str) {
        self.finish_start();
        self.out.push_str(markup);
    }

    fn finish_start(&mut self) {
        if self.starting {
            self.out.push('>');
            self.starting = false;
        }
    }
}

impl Drop for Element<'_> {
    fn drop(&mut self) {
        if self.starting {
            self.out.push_str("/>");
        } else {
            self.out.push_str("</");
            self.out.push_str(self.name);
            self.out.push('>');
        }
    }
}

/// Appends `value` rounded to `decimals` (at most 2), without trailing zeros and never as `-0`.
pub(in crate::draw) fn push_number(out: &mut String, value: f64, decimals: u32) {
    let unit = 10_i64.pow(decimals);
    let scaled = (value * unit as f64).round() as i64;
    if scaled < 0 {
        out.push('-');
    }
    let (whole, mut rest) = (scaled.unsigned_abs() / unit as u64, scaled.unsigned_abs() % unit as u64);
    push_whole(out, whole);
    if rest == 0 {
        return;
    }
    out.push('.');
    let mut step = unit as u64 / 10;
    while rest > 0 {
        out.push(char::from(b'0' + (rest / step) as u8));
        rest %= step;
        step = (step / 10).max(1);
    }
}

fn push_whole(out: &mut String, value: u64) {
    if value >= 10 {
        push_whole(out, value / 10);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(value: f64, decimals: u32) -> String {
        let mut out = String::new();
        push_number(&mut out, value, decimals);
        out
    }

    #[test]
    fn numbers_are_short() {
        for (value, decimals, text) in [
            (0.0, 1, "0"),
            (-0.04, 1, "0"),
            (-0.06, 1, "-0.1"),
            (12.0, 1, "12"),
            (12.25, 1, "12.3"),
            (12.05, 2, "12.05"),
            (-100.5, 2, "-100.5"),
            (99.999, 2, "100"),
        ] {
            assert_eq!(number(value, decimals), text);
        }
    }

    #[test]
    fn elements_close_and_escape() {
        let mut out = String::new();
        {
            let mut root = Element::open(&mut out, "g").class("").attr("id", "a\"<\n");
            root.child("line").px("x1", 1.26).percent("x2", 33.333);
            root.child("text").text("</g><script>&");
        }
        assert_eq!(
            out,
            "<g id=\"a&quot;&lt;&#10;\"><line x1=\"1.3\" x2=\"33.33%\"/>\
             <text>&lt;/g&gt;&lt;script&gt;&amp;</text></g>"
        );
    }

    proptest! {
        #[test]
        fn numbers_read_back(value in -1e6..1e6_f64, decimals in 1..=2_u32) {
            let text = number(value, decimals);
            let read: f64 = text.parse().unwrap();
            prop_assert!((read - value).abs() <= 0.5 / 10_f64.powi(decimals.cast_signed()) + 1e-9);
            prop_assert!(!text.ends_with('.') && (!text.contains('.') || !text.ends_with('0')));
        }
    }
}
