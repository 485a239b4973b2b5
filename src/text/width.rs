//! How wide a label is when it is drawn, by a fixed table.
//!
//! The table follows a wide system font (about that of `DejaVu` Sans), so text measured here fits in all common ones.
//! It is fixed, because a figure must not change with the machine that draws it.

use std::borrow::Cow;

/// Text size of figures, in px.
pub const SIZE: f64 = 13.0;

/// Width of `text` at [`SIZE`], in px.
pub fn width(text: &str) -> f64 {
    // Hundredths of an em are summed as whole numbers: the result does not depend on grouping.
    f64::from(text.chars().map(hundredths).sum::<u32>()) * SIZE / 100.0
}

/// Width of `text` at another text size, in px.
pub fn width_at(text: &str, size: f64) -> f64 {
    width(text) / SIZE * size
}

/// Cuts `text` to at most `room` px at [`SIZE`] and ends it with `…` when something was cut. Marks stay with
/// their letter. Empty when not even `…` fits.
pub fn cut(text: &str, room: f64) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let room = room - width("…");
    if room < 0.0 {
        return Cow::Borrowed("");
    }
    let (mut used, mut end, mut joined) = (0, 0, false);
    for (at, symbol) in text.char_indices() {
        let wide = hundredths(symbol);
        if wide > 0 && !joined {
            end = at;
        }
        used += wide;
        joined = symbol == '\u{200d}';
        if f64::from(used) * SIZE / 100.0 > room {
            break;
        }
    }
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// Width of one character in hundredths of an em; 0 for marks that sit on the letter before.
fn hundredths(symbol: char) -> u32 {
    ASCII.get(symbol as usize).map_or_else(|| measured(symbol), |wide| u32::from(*wide))
}

/// The widths of the characters that most labels consist of.
const ASCII: [u8; 128] = {
    let mut widths = [0; 128];
    let mut symbol = 0_u8;
    while symbol < 128 {
        widths[symbol as usize] = measured(symbol as char) as u8;
        symbol += 1;
    }
    widths
};

const fn measured(symbol: char) -> u32 {
    match symbol {
        'i' | 'l' | 'j' | 'I' | 't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' => 41,
        ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '·' | '\u{a0}' => 34,
        '\u{202f}' | '\u{2009}' | '\u{200a}' => 20,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 100,
        '×'
        | '−'
        | '±'
        | '+'
        | '='
        | '<'
        | '>'
        | '≈'
        | '≤'
        | '≥'
        | '→'
        | '←'
        | '~'
        | '#'
        | 'O'
        | 'Q'
        | 'G'
        | 'D'
        | 'H'
        | 'N'
        | 'U'
        | '\u{370}'..='\u{52f}' => 84,
        'A'..='Z' => 70,
        '\u{300}'..='\u{36f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2060}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => 0,
        '\0'..='\u{24f}' => 64,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}' => 104,
        _ if symbol as u32 >= 0x1_f000 => 130,
        _ => 100,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wide_letters_are_wider() {
        assert!(width("mmm") > width("aaa") && width("aaa") > width("iii"));
        assert_eq!(width("e\u{301}").to_bits(), width("e").to_bits());
        assert_eq!(width("").to_bits(), 0.0_f64.to_bits());
        assert!((width_at("a", 20.0) - 12.8).abs() < 1e-9);
    }

    #[test]
    fn cuts_on_boundaries() {
        assert_eq!(cut("heap_benchmark", 1000.0), "heap_benchmark");
        assert_eq!(cut("heap_benchmark", 60.0), "heap_…");
        assert_eq!(cut("heap", 5.0), "");
        assert_eq!(cut("ae\u{301}ééééé", 32.0), "ae\u{301}…");
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in any::<String>(), room in 0.0..200.0_f64) {
            let cut = cut(&text, room);
            prop_assert!(width(&cut) <= room + 1e-9);
            prop_assert!(cut.ends_with('…') || cut == text || cut.is_empty());
        }
    }
}
