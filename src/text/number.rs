//! Numbers as people read them: U+2212 for minus, U+202F between groups of three digits and before a unit.
//!
//! Rounding is that of the exact binary value, half to even, done once and by the standard library.
//! Digits of a whole number are never replaced by zeros, and a value that is not zero never prints as zero.

use std::fmt::Write as _;

/// The minus sign.
pub const MINUS: char = '\u{2212}';
/// The narrow no-break space: between groups of digits and between a number and its unit.
pub const NARROW: char = '\u{202f}';
/// Most significant digits that are shown.
pub const DIGITS: usize = 4;

/// Prints a whole number exactly: `2 512`.
pub fn whole(value: i128) -> String {
    grouped(value.to_string())
}

/// Turns plain decimal text (`-4352.25`) into text for people, keeping every digit: `−4 352.25`.
/// Exponents (`9.4e-5`) become a power of ten.
pub fn exact(decimal: &str) -> String {
    match decimal.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => power_of_ten(mantissa, exponent),
        None => grouped(decimal.to_owned()),
    }
}

/// Prints with at most four significant digits and without trailing zeros: `3.8`, `0.0625`, `12 346`.
/// Sizes below 10⁻⁴ and from 10¹⁵ on are written as a power of ten.
pub fn short(value: f64) -> String {
    significant(value, DIGITS)
}

/// Prints with at most `digits` significant digits; see [`short`].
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    if value.abs() >= 1e15 || value.abs() < 1e-4 {
        let text = format!("{value:.*e}", digits.max(1) - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return power_of_ten(trimmed(mantissa), exponent);
    }
    let mut text = format!("{value:.*}", decimals(value, digits));
    text.truncate(trimmed(&text).len());
    grouped(text)
}

/// Prints with exactly `decimals` places: `7.0`. Zero has no sign. Not-finite values print as `–`, because
/// there is no number to show.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() { grouped(format!("{value:.decimals$}")) } else { "–".to_owned() }
}

/// Places after the point that show `digits` significant digits of `value`; 0 for zero.
pub fn decimals(value: f64, digits: usize) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let exponent = exponent(value, digits).unwrap_or_else(|| {
        // The exponent is taken after rounding: 9.9996 with four digits is 10.00.
        let text = format!("{value:.*e}", digits.max(1) - 1);
        text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
    });
    (digits.max(1) - 1).checked_add_signed(-exponent).unwrap_or(0)
}

/// The decimal exponent of a value rounded to a few digits, without printing it; none where that would be in doubt.
fn exponent(value: f64, digits: usize) -> Option<isize> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    /// Far more than the error of one division.
    const DOUBT: f64 = 1e-9;
    let size = value.abs();
    if !(1e-6..1e15).contains(&size) || !(1..=6).contains(&digits) {
        return None;
    }
    let exponent = if size >= 1.0 {
        POWERS.iter().position(|power| size < *power)?.cast_signed() - 1
    } else {
        -POWERS.iter().position(|power| size * power >= 1.0)?.cast_signed()
    };
    let power = POWERS[exponent.unsigned_abs()];
    let mantissa = if exponent < 0 { size * power } else { size / power };
    // From here on the mantissa is rounded up to 10.
    let up = 10.0 - 5.0 / POWERS[digits];
    let sure = |edge: f64| (mantissa - edge).abs() > DOUBT;
    // Powers from 1 on are exact, so there the exponent before rounding is not in doubt.
    if !sure(up) || (exponent < 0 && !(sure(1.0) && sure(10.0))) {
        return None;
    }
    Some(if mantissa >= up { exponent + 1 } else { exponent })
}

/// Adds a plus sign to positive numbers: `+0.2`, `−3.4`, `0`.
pub fn signed(value: f64) -> String {
    let text = short(value);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// A change as a signed percentage with two significant digits: 0.64 is `+64 %`, 0 is `0 %`.
pub fn percent(change: f64) -> String {
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{}{NARROW}%", significant(change * 100.0, 2))
}

/// The size of a change without its sign, for sentences that say the direction in words: `47 %`.
pub fn percent_size(change: f64) -> String {
    format!("{}{NARROW}%", significant(change.abs() * 100.0, 2))
}

/// A ratio with three significant digits: `1.46 ×`. A ratio that is not 1 never prints as a bare 1: it gets
/// a fourth digit, and beyond that `≈ 1 ×`.
pub fn factor(ratio: f64) -> String {
    format!("{}{NARROW}×", self::ratio(ratio))
}

/// The same without the sign: `1.46`, `≈ 1`.
pub fn ratio(ratio: f64) -> String {
    let text = ratio_digits(ratio);
    if text == "1" && is_not_one(ratio) { format!("≈{NARROW}1") } else { text }
}

/// The text of a ratio in a column; one that would read as 1 and is not gets as many digits as [`ratio`] gives it.
pub fn told_from_one(text: String, ratio: f64) -> String {
    let reads_as_one = text.strip_prefix('1').is_some_and(|rest| rest.is_empty() || trimmed(&text) == "1");
    if reads_as_one && is_not_one(ratio) { self::ratio(ratio) } else { text }
}

fn is_not_one(ratio: f64) -> bool {
    (ratio - 1.0).abs() > 0.0
}

fn ratio_digits(ratio: f64) -> String {
    let text = significant(ratio, 3);
    if text == "1" && is_not_one(ratio) {
        // 0.9996 and 1.0004 both need a place that three digits do not reach.
        return trimmed(&fixed(ratio, 4)).to_owned();
    }
    text
}

/// The places after the point that a column of numbers shares, so that its points stand below each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    decimals: usize,
}

impl Column {
    /// As many places as any value needs for four significant digits, but not more than give the largest
    /// value four.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        Self::rounded(values, |value| value)
    }

    /// The same for values that are rounded first; rounding keeps their order.
    pub fn rounded(values: impl IntoIterator<Item = f64>, round: impl Fn(f64) -> f64) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let most = decimals(round(largest), DIGITS);
        let mut needed = 0;
        for value in values {
            // Most columns of thousands need all places that they may have at one of their first values.
            if needed >= most {
                break;
            }
            let value = round(value);
            let text = format!("{value:.*}", decimals(value, DIGITS).min(17));
            needed = needed.max(trimmed(&text).split_once('.').map_or(0, |(_, places)| places.len()));
        }
        Self { decimals: needed.min(most) }
    }

    /// Prints one value of the column. A value too small for the column's places is printed on its own
    /// terms, so that it does not read as zero.
    pub fn print(self, value: f64) -> String {
        let text = fixed(value, self.decimals);
        let reads_as_zero = !text.contains(|symbol| matches!(symbol, '1'..='9'));
        if reads_as_zero && value != 0.0 && value.is_finite() { significant(value, 1) } else { text }
    }

    /// Places after the point.
    pub fn decimals(self) -> usize {
        self.decimals
    }
}

fn power_of_ten(mantissa: &str, exponent: &str) -> String {
    let raised: String = exponent
        .chars()
        .filter_map(|symbol| match symbol {
            '-' => Some('⁻'),
            '0'..='9' => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(symbol as usize - '0' as usize),
            _ => None,
        })
        .collect();
    format!("{}{NARROW}×{NARROW}10{raised}", grouped(trimmed(mantissa).to_owned()))
}

/// Cuts zeros at the end of the places, and the point with them.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn grouped(decimal: String) -> String {
    let whole = decimal.find('.').unwrap_or(decimal.len());
    if whole <= 3 && !decimal.starts_with('-') {
        return decimal;
    }
    let decimal = decimal.as_str();
    let (negative, digits) = match decimal.strip_prefix('-') {
        Some(digits) => (digits.contains(|symbol| matches!(symbol, '1'..='9')), digits),
        None => (false, decimal),
    };
    let (integer, places) =
        digits.split_once('.').map_or((digits, None), |(left, right)| (left, Some(right)));
    let mut text = String::with_capacity(decimal.len() + integer.len());
    if negative {
        text.push(MINUS);
    }
    for (at, symbol) in integer.chars().enumerate() {
        if at > 0 && (integer.len() - at).is_multiple_of(3) {
            text.push(NARROW);
        }
        text.push(symbol);
    }
    if let Some(places) = places {
        let _ = write!(text, ".{places}");
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn back(text: &str) -> f64 {
        let plain: String = text
            .chars()
            .filter(|&symbol| symbol != NARROW)
            .map(|symbol| if symbol == MINUS { '-' } else { symbol })
            .collect();
        let (mantissa, exponent) = plain.split_once("×10").unwrap_or((&plain, ""));
        let exponent: String = exponent
            .chars()
            .map(|symbol| match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|raised| raised == symbol) {
                Some(digit) => char::from(b'0' + digit as u8),
                None => '-',
            })
            .collect();
        format!("{mantissa}e{}", if exponent.is_empty() { "0" } else { &exponent }).parse().unwrap()
    }

    #[test]
    fn examples() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (3.8, "3.8"),
            (2512.0, "2\u{202f}512"),
            (12345.6, "12\u{202f}346"),
            (1234.56, "1\u{202f}235"),
            (9.9996, "10"),
            (-0.04, "\u{2212}0.04"),
            (0.000_123_46, "0.0001235"),
            (9.4836e-5, "9.484\u{202f}×\u{202f}10⁻⁵"),
            (2e15, "2\u{202f}×\u{202f}10¹⁵"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(whole(-1_048_575), "\u{2212}1\u{202f}048\u{202f}575");
        assert_eq!(exact("-4352.2500001"), "\u{2212}4\u{202f}352.2500001");
        assert_eq!(exact("9.4835e-5"), "9.4835\u{202f}×\u{202f}10⁻⁵");
        assert_eq!(fixed(7.0, 1), "7.0");
        assert_eq!(fixed(-0.01, 1), "0.0");
    }

    #[test]
    fn changes_and_ratios() {
        assert_eq!(percent(-0.472), "\u{2212}47\u{202f}%");
        assert_eq!(percent(0.058_8), "+5.9\u{202f}%");
        assert_eq!(percent(1.754), "+175\u{202f}%");
        assert_eq!(percent(0.0), "0\u{202f}%");
        assert_eq!(percent_size(-0.64), "64\u{202f}%");
        assert_eq!(factor(1.0), "1\u{202f}×");
        assert_eq!(factor(3.0), "3\u{202f}×");
        assert_eq!(factor(1.473_684), "1.47\u{202f}×");
        assert_eq!(factor(1.0004), "1.0004\u{202f}×");
        assert_eq!(factor(0.9996), "0.9996\u{202f}×");
        assert_eq!(factor(1.000_000_1), "≈\u{202f}1\u{202f}×");
        assert_eq!(signed(0.2), "+0.2");
        let told = |text: &str, ratio: f64| told_from_one(text.to_owned(), ratio);
        for (text, ratio) in [("1", 1.0), ("1.00", 1.0), ("10.0", 10.0), ("1.01", 1.01), ("10", 9.99)] {
            assert_eq!(told(text, ratio), text);
        }
        assert_eq!(told("1.00", 1.0004), "1.0004");
        assert_eq!(told("1", 0.999_999_9), "≈\u{202f}1");
    }

    #[test]
    fn columns_share_their_places() {
        let column = Column::of([5.6, 7.0, 11.6]);
        assert_eq!((column.print(7.0), column.print(11.6)), ("7.0".into(), "11.6".into()));
        let wide = Column::of([0.0012, 1234.5]);
        assert_eq!((wide.decimals(), wide.print(0.0012)), (0, "0.001".into()));
        assert_eq!(Column::of([]).decimals(), 0);
    }

    proptest! {
        #[test]
        fn four_digits_are_within_half_a_unit_of_the_last_one(value in -1e18_f64..1e18) {
            let text = short(value);
            prop_assert!((back(&text) - value).abs() <= value.abs() * 0.5001e-3, "{value} {text}");
        }

        #[test]
        fn exponents_are_those_of_the_printed_number(
            mantissa in prop_oneof![1.0..10.0_f64, Just(1.0), Just(9.9995), Just(9.995), Just(9.95), 9.99949..9.99951_f64],
            power in -7..17_i32,
            whole in any::<bool>(),
            digits in 1..8_usize,
        ) {
            let value = mantissa * 10_f64.powi(power);
            let value = if whole { value.round() } else { value };
            let text = format!("{value:.*e}", digits - 1);
            let printed: isize = text.split_once('e').unwrap().1.parse().unwrap();
            prop_assert!(exponent(value, digits).is_none_or(|found| found == printed), "{value} {digits}");
            prop_assert_eq!(exponent(-value, digits), exponent(value, digits));
        }

        #[test]
        fn small_sizes_too(exponent in -300..300, mantissa in 1.0..10.0_f64) {
            let value = mantissa * 10_f64.powi(exponent);
            prop_assert!((back(&short(value)) - value).abs() <= value * 0.5001e-3);
        }

        #[test]
        fn only_zero_reads_as_zero(value in any::<f64>(), others in prop::collection::vec(any::<f64>(), 0..4)) {
            prop_assume!(value.is_finite());
            let column = Column::of(others.into_iter().chain([value]));
            for text in [short(value), column.print(value)] {
                prop_assert_eq!(text.contains(|c: char| ('1'..='9').contains(&c)), value != 0.0, "{}", text);
            }
        }

        #[test]
        fn whole_numbers_keep_every_digit(value in any::<i64>()) {
            let plain: String = whole(value.into()).chars().filter(|&c| c != NARROW).collect();
            prop_assert_eq!(plain.replace(MINUS, "-").parse::<i64>().unwrap(), value);
        }
    }
}
