//! Exact decimal numbers, so that "does 0.15 round to 0.2" has one answer on every machine.

use std::cmp::Ordering;

use crate::evidence::Number;

/// A number `mantissa × 10^exponent`. The exponent of a number that was read from text is its last shown
/// place, so `7.20` and `7.2` are different here although they compare as equal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal {
    /// All shown digits as one whole number, with the sign.
    pub(super) mantissa: i128,
    /// The power of ten of the last digit.
    pub(super) exponent: i32,
}

/// Most digits that a number may have, so that scaling by a unit stays within 128 bits.
pub(super) const MOST_DIGITS: usize = 20;

impl Decimal {
    /// Builds `mantissa × 10^exponent`.
    pub(super) const fn new(mantissa: i128, exponent: i32) -> Self {
        Self { mantissa, exponent }
    }

    /// Takes evidence: whole numbers as they are, floats as the shortest decimal text that reads back as
    /// the same float, which is the number that tables and exports show.
    pub(super) fn of(number: Number) -> Self {
        if let Some(whole) = number.as_whole().filter(|whole| whole.unsigned_abs() < 10_u128.pow(20)) {
            return Self::new(whole, 0);
        }
        let text = format!("{:e}", number.as_f64());
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa = format!("{whole}{fraction}").parse().unwrap_or(0);
        let places = i32::try_from(fraction.len()).unwrap_or(0);
        Self::new(mantissa, exponent.parse::<i32>().unwrap_or(0) - places)
    }

    /// The product. Factors are unit factors and have few digits, so the result is exact.
    #[must_use]
    pub(super) fn times(self, factor: Self) -> Self {
        Self::new(
            self.mantissa.saturating_mul(factor.mantissa),
            self.exponent.saturating_add(factor.exponent),
        )
    }

    /// Moves the last shown place up or down by `tenths` tenths of its unit: the edges of what rounds here.
    #[must_use]
    pub(super) fn nudge(self, tenths: i128) -> Self {
        Self::new(self.mantissa.saturating_mul(10).saturating_add(tenths), self.exponent.saturating_sub(1))
    }

    /// The power of ten of the first digit, plus one.
    fn magnitude(self) -> i64 {
        i64::from(digits(self.mantissa)) + i64::from(self.exponent)
    }
}

/// The number of decimal digits; zero has none.
fn digits(mantissa: i128) -> u32 {
    mantissa.unsigned_abs().checked_ilog10().map_or(0, |log| log + 1)
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.mantissa.signum().cmp(&other.mantissa.signum());
        if signs != Ordering::Equal || self.mantissa == 0 {
            return signs;
        }
        let sizes = self.magnitude().cmp(&other.magnitude()).then_with(|| {
            // Equal magnitudes: the exponents differ by no more than the digits do, so bringing both to
            // the smaller exponent cannot need more digits than the longer number has.
            let common = self.exponent.min(other.exponent);
            let scaled = |number: &Self| {
                let shift = u32::try_from(number.exponent - common).unwrap_or(0).min(38);
                number.mantissa.unsigned_abs().saturating_mul(10_u128.pow(shift))
            };
            scaled(self).cmp(&scaled(other))
        });
        if self.mantissa < 0 { sizes.reverse() } else { sizes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_taken_as_it_is_shown() {
        let of = |value: f64| Decimal::of(Number::Float(value));
        assert_eq!((of(0.15).mantissa, of(0.15).exponent), (15, -2));
        assert_eq!(of(7200.0), Decimal::new(72, 2));
        assert_eq!(of(1e300), Decimal::new(1, 300));
        assert_eq!(of(-2.5e-9), Decimal::new(-25, -10));
        assert_eq!(of(0.0), Decimal::new(0, 7));
        assert_eq!(Decimal::of(Number::Unsigned(u64::MAX)).mantissa, i128::from(u64::MAX));
    }

    #[test]
    fn order_is_that_of_the_values() {
        let rising =
            [(-3, 5), (-3, 0), (-29, -1), (0, 9), (1, -300), (15, -2), (2, -1), (1, 0), (99, 0), (1, 300)];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(Decimal::new(a.0, a.1).cmp(&Decimal::new(b.0, b.1)), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }
}
