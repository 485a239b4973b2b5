//! A measured value, exact: integers up to 64 bits stay integers, everything else is a finite float.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// A finite number. Whole numbers of up to 64 bits are kept exactly, also those that a float cannot hold.
/// Equality and order are those of the mathematical values: `30` equals `30.0`.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A whole number of at least zero.
    Unsigned(u64),
    /// A whole number below zero.
    Negative(i64),
    /// A finite float.
    Float(f64),
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self::Unsigned(0);

    /// Takes a float; none when it is not finite.
    pub fn finite(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self::Float(value))
    }

    /// Takes a whole number that fits in 64 bits.
    pub fn whole(value: i128) -> Option<Self> {
        u64::try_from(value).map(Self::Unsigned).or_else(|_| i64::try_from(value).map(Self::Negative)).ok()
    }

    /// The nearest float.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Unsigned(value) => value as f64,
            Self::Negative(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// The exact whole number, when it is one (floats up to 10³⁸).
    pub fn as_whole(self) -> Option<i128> {
        match self {
            Self::Unsigned(value) => Some(value.into()),
            Self::Negative(value) => Some(value.into()),
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 1e38 => Some(value as i128),
            Self::Float(_) => None,
        }
    }

    /// Puts equal numbers of different form (`30`, `30.0`, `-0.0`) in a fixed order.
    pub fn form(self) -> (u8, bool) {
        match self {
            Self::Unsigned(_) => (0, false),
            Self::Negative(_) => (1, false),
            Self::Float(value) => (2, value.is_sign_negative()),
        }
    }

    /// Whether it stands at the end of what a float holds, where a sum that is larger ends as well.
    pub fn is_beyond(self) -> bool {
        self.as_f64().abs() >= f64::MAX
    }

    /// Whether it is zero (either sign).
    pub fn is_zero(self) -> bool {
        match self {
            Self::Unsigned(value) => value == 0,
            Self::Negative(value) => value == 0,
            Self::Float(value) => value == 0.0,
        }
    }
}

impl Add for Number {
    type Output = Self;

    /// The exact sum of whole numbers where 64 bits hold it, otherwise the float sum, kept finite.
    fn add(self, other: Self) -> Self {
        if let (Self::Unsigned(a), Self::Unsigned(b)) = (self, other)
            && let Some(sum) = a.checked_add(b)
        {
            return Self::Unsigned(sum);
        }
        let whole = match (self, other) {
            (Self::Float(_), _) | (_, Self::Float(_)) => None,
            // Two numbers of 64 bits cannot exceed 128 bits.
            (a, b) => a.as_whole().zip(b.as_whole()).and_then(|(a, b)| Self::whole(a + b)),
        };
        whole.unwrap_or_else(|| Self::Float((self.as_f64() + other.as_f64()).clamp(f64::MIN, f64::MAX)))
    }
}

impl Sum for Number {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.reduce(Add::add).unwrap_or(Self::ZERO)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            _ => match (self.as_whole(), other.as_whole()) {
                (Some(a), Some(b)) => a.cmp(&b),
                // At least one side is a float with a fraction or beyond 10³⁸. A float with a fraction
                // is below 2^53 in size, so comparing its floor with the exact whole number is exact.
                (Some(a), None) => compare_whole(a, other.as_f64()),
                (None, Some(b)) => compare_whole(b, self.as_f64()).reverse(),
                (None, None) => self.as_f64().total_cmp(&other.as_f64()),
            },
        }
    }
}

fn compare_whole(whole: i128, float: f64) -> Ordering {
    if float.abs() >= 1e38 {
        return if float > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    let floor = float.floor() as i128;
    whole.cmp(&floor).then(Ordering::Less)
}

impl fmt::Display for Number {
    /// Prints the shortest decimal text that reads back as the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => write!(f, "{value}"),
            Self::Negative(value) => write!(f, "{value}"),
            Self::Float(value) => match serde_json::Number::from_f64(*value) {
                Some(number) => fmt::Display::fmt(&number, f),
                None => f.write_str("0"),
            },
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Negative(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    /// Accepts JSON numbers, and whole numbers beyond 2^53 − 1 written as decimal text
    /// (PerfChecker formats §1.1 rule 4). Any other text is refused: it is not a measured number.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;

        impl Visitor<'_> for Numbers {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite number")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number::Unsigned(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
                Ok(u64::try_from(value).map_or(Number::Negative(value), Number::Unsigned))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
                Number::finite(value).ok_or_else(|| E::custom("the number is not finite"))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                const LARGEST_PLAIN: i128 = (1 << 53) - 1;
                let digits = text.strip_prefix('-').unwrap_or(text);
                let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                plain
                    .then(|| text.parse::<i128>().ok())
                    .flatten()
                    .filter(|value| value.abs() > LARGEST_PLAIN)
                    .and_then(Number::whole)
                    .ok_or_else(|| E::custom("a text is not a measured number"))
            }
        }

        deserializer.deserialize_any(Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_exact_across_forms() {
        let big = Number::Unsigned((1 << 53) + 1);
        assert!(Number::Float(9_007_199_254_740_992.0) < big);
        assert!(Number::Float(2.5) > Number::Unsigned(2) && Number::Float(2.5) < Number::Unsigned(3));
        assert!(Number::Float(-2.5) < Number::Negative(-2) && Number::Float(-2.5) > Number::Negative(-3));
        assert!(Number::Float(1e300) > Number::Unsigned(u64::MAX));
        assert!(Number::Float(-1e300) < Number::Negative(i64::MIN));
        assert_eq!(Number::Unsigned(30), Number::Float(30.0));
        assert_eq!(Number::Float(0.0), Number::Float(-0.0));
    }

    #[test]
    fn sums_are_exact_while_they_can_be() {
        let sum = |a: Number, b: Number| (a + b).to_string();
        assert_eq!(sum(Number::Unsigned(u64::MAX - 1), Number::Unsigned(1)), u64::MAX.to_string());
        assert_eq!(sum(Number::Unsigned(5), Number::Negative(-7)), "-2");
        assert_eq!(sum(Number::Unsigned(u64::MAX), Number::Unsigned(1)), "1.8446744073709552e+19");
        assert_eq!(sum(Number::Unsigned(1), Number::Float(0.5)), "1.5");
        assert_eq!(
            sum(Number::Float(f64::MAX), Number::Float(f64::MAX)),
            Number::Float(f64::MAX).to_string()
        );
        assert_eq!([Number::Unsigned(2); 3].into_iter().sum::<Number>().to_string(), "6");
    }

    #[test]
    fn only_large_whole_numbers_may_be_text() {
        let read = |text: &str| serde_json::from_str::<Number>(text);
        assert_eq!(read("\"18446744073709551615\"").unwrap().to_string(), "18446744073709551615");
        assert_eq!(read("2600.0").unwrap().to_string(), "2600.0");
        assert_eq!(read("2048").unwrap().to_string(), "2048");
        for bad in ["\"12\"", "\"missing\"", "\"1e99\"", "null", "true", "[]", "\"99999999999999999999999\""]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
