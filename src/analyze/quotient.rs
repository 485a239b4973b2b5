//! The correctly rounded quotient: the float nearest to the exact result, ties to even.
//!
//! Two floats divide correctly by themselves (IEEE 754). Whole numbers beyond 2⁵³ do not fit a float, and
//! rounding them first would round twice; they are divided as integers.

use crate::evidence::Number;

/// `value / reference` for a reference that is not zero; none when it exceeds the largest number that a
/// document can hold.
pub fn ratio(value: Number, reference: Number) -> Option<f64> {
    let (a, b) = (exact_float(value), exact_float(reference));
    let quotient = if let (Some(a), Some(b)) = (a, b) {
        a / b
    } else {
        let (negative, top, scale_top) = parts(value);
        let (other, bottom, scale_bottom) = parts(reference);
        let size = divide(top, bottom, scale_top - scale_bottom);
        if negative == other { size } else { -size }
    };
    quotient.is_finite().then_some(quotient)
}

/// `sum / count` for a count that is not zero.
pub fn whole(sum: i128, count: u64) -> f64 {
    let size = divide_wide(sum.unsigned_abs(), count, 0);
    if sum < 0 { -size } else { size }
}

/// The number as a float, when that is exact.
fn exact_float(number: Number) -> Option<f64> {
    match number {
        Number::Float(value) => Some(value),
        Number::Unsigned(value) => {
            (value.leading_zeros() + value.trailing_zeros() >= 11).then_some(value as f64)
        }
        Number::Negative(value) => {
            let size = value.unsigned_abs();
            (size.leading_zeros() + size.trailing_zeros() >= 11).then_some(value as f64)
        }
    }
}

/// Sign, size and exponent: ± size · 2^exponent.
fn parts(number: Number) -> (bool, u64, i32) {
    match number {
        Number::Unsigned(value) => (false, value, 0),
        Number::Negative(value) => (true, value.unsigned_abs(), 0),
        Number::Float(value) => {
            let bits = value.to_bits();
            let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
            let negative = value.is_sign_negative();
            if exponent == 0 {
                (negative, fraction, -1074)
            } else {
                (negative, fraction | 1 << 52, exponent - 1075)
            }
        }
    }
}

fn divide(top: u64, bottom: u64, exponent: i32) -> f64 {
    divide_wide(u128::from(top), bottom, exponent)
}

/// `top / bottom · 2^exponent`, rounded once.
fn divide_wide(top: u128, bottom: u64, exponent: i32) -> f64 {
    if top == 0 || bottom == 0 {
        return 0.0;
    }
    // With the highest bit of `top` set, the quotient has at least 64 bits: enough for 53 and a rest.
    let shift = top.leading_zeros();
    let top = top << shift;
    let (quotient, rest) = (top / u128::from(bottom), top % u128::from(bottom));
    rounded(quotient, rest != 0, exponent - shift.cast_signed())
}

/// The float nearest to (`size` and something smaller than 1 when `more`) · 2^exponent; ties go to even.
fn rounded(size: u128, more: bool, exponent: i32) -> f64 {
    let bits = 128 - size.leading_zeros().cast_signed();
    // The exponent of the last bit that the result can hold: 53 bits, but not below the subnormal limit.
    let last = (exponent + bits - 53).max(-1074);
    let drop = last - exponent;
    if drop > 128 {
        return 0.0;
    }
    let drop = drop.max(0) as u32;
    let kept = size.checked_shr(drop).unwrap_or(0);
    let lost = if drop == 128 { size } else { size & ((1 << drop) - 1) };
    let half = if drop == 0 { 0 } else { 1_u128 << (drop - 1) };
    let up = drop > 0 && (lost > half || (lost == half && (more || kept & 1 == 1)));
    (kept + u128::from(up)) as f64 * power_of_two(last.max(exponent))
}

fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1022 => f64::from_bits(1 << (exponent + 1074).max(0)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bits(ratio: Option<f64>) -> u64 {
        ratio.unwrap().to_bits()
    }

    #[test]
    fn published_ratios() {
        assert_eq!(
            bits(ratio(Number::Float(5600.0), Number::Float(3800.0))),
            1.473_684_210_526_315_7_f64.to_bits()
        );
        assert_eq!(
            bits(ratio(Number::Unsigned(9800), Number::Float(3800.0))),
            2.578_947_368_421_052_7_f64.to_bits()
        );
    }

    #[test]
    fn limits() {
        let float = |value: f64| Number::Float(value);
        // Beyond the largest number there is none, not the largest.
        assert_eq!(ratio(float(1e300), float(1e-300)), None);
        assert_eq!(ratio(float(-1e300), float(1e-300)), None);
        assert_eq!(ratio(Number::Unsigned(u64::MAX), float(5e-324)), None);
        assert_eq!(bits(ratio(float(f64::MAX), float(1.0))), f64::MAX.to_bits());
        assert_eq!(bits(ratio(float(5e-324), Number::Unsigned(u64::MAX))), 0.0_f64.to_bits());
        assert_eq!(bits(ratio(Number::Negative(i64::MIN), Number::Negative(i64::MIN))), 1.0_f64.to_bits());
        assert_eq!(bits(ratio(Number::Unsigned(0), Number::Unsigned(u64::MAX))), 0.0_f64.to_bits());
    }

    /// Whether `result` is the float nearest to `top / bottom`, ties to even: exact comparison of the
    /// distances to the result and to its neighbours, with no division and no shared code.
    /// Needs 2⁻¹⁰ ≤ top / bottom ≤ 2⁷⁰ and `top`, `bottom` below 2⁶⁴.
    fn is_nearest(top: u64, bottom: u64, result: f64) -> bool {
        // Compares top / bottom with the middle of two neighbouring floats: both sides times 2 · 2^k · bottom.
        let middle_is = |low: f64, high: f64| -> std::cmp::Ordering {
            let scale = |value: f64| {
                let bits = value.to_bits();
                ((bits & ((1 << 52) - 1) | 1 << 52), (bits >> 52) as i32 - 1075)
            };
            let ((low, low_exponent), (high, high_exponent)) = (scale(low), scale(high));
            let exponent = low_exponent.min(high_exponent);
            let sum = (u128::from(low) << (low_exponent - exponent))
                + (u128::from(high) << (high_exponent - exponent));
            // middle = sum · 2^(exponent − 1); compare sum · bottom · 2^(exponent − 1) with top.
            let left = Wide::product(sum, bottom);
            let right = Wide::product(u128::from(top), 1);
            let shift = exponent - 1;
            if shift >= 0 { left.shifted(shift).cmp(&right) } else { left.cmp(&right.shifted(-shift)) }
        };
        let even = result.to_bits() & 1 == 0;
        let below = middle_is(f64::from_bits(result.to_bits() - 1), result);
        let above = middle_is(result, f64::from_bits(result.to_bits() + 1));
        (below.is_lt() || (below.is_eq() && even)) && (above.is_gt() || (above.is_eq() && even))
    }

    /// A 320-bit number in 32-bit digits, most significant first.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Wide([u32; 10]);

    impl Wide {
        fn product(a: u128, b: u64) -> Self {
            let mut digits = [0_u32; 10];
            for bit in (0..64).filter(|bit| b >> bit & 1 == 1) {
                let mut carry = 0_u64;
                let shifted = Self::from(a).shifted(bit);
                for at in (0..10).rev() {
                    let sum = u64::from(digits[at]) + u64::from(shifted.0[at]) + carry;
                    digits[at] = sum as u32;
                    carry = sum >> 32;
                }
            }
            Self(digits)
        }

        fn from(a: u128) -> Self {
            let mut digits = [0; 10];
            for at in 0..4 {
                digits[9 - at] = (a >> (32 * at)) as u32;
            }
            Self(digits)
        }

        fn shifted(self, by: i32) -> Self {
            let mut digits = self.0;
            for _ in 0..by {
                let mut carry = 0;
                for digit in digits.iter_mut().rev() {
                    (*digit, carry) = (*digit << 1 | carry, *digit >> 31);
                }
                assert_eq!(carry, 0, "the test's own limit");
            }
            Self(digits)
        }
    }

    proptest! {
        #[test]
        fn whole_numbers_round_once(top in 1_u64.., bottom in 1_u64..) {
            prop_assume!(bottom / 1000 <= top);
            let result = ratio(Number::Unsigned(top), Number::Unsigned(bottom)).unwrap();
            prop_assert!(is_nearest(top, bottom, result), "{top} / {bottom} = {result:e}");
        }

        #[test]
        fn near_ties_too(bottom in 1..1_u64 << 11, quotient in 1_u64 << 53..1 << 54, rest in 0..2_u64) {
            let Some(top) = quotient.checked_mul(bottom).and_then(|top| top.checked_add(rest)) else { return Ok(()) };
            prop_assert!(is_nearest(top, bottom, ratio(Number::Unsigned(top), Number::Unsigned(bottom)).unwrap()));
        }

        #[test]
        fn means_round_once(top in 1_u64.., count in 1..1000_u64) {
            prop_assert!(is_nearest(top, count, whole(top.into(), count)));
        }

        #[test]
        fn integers_agree_with_the_processor(a in any::<f64>(), b in any::<f64>()) {
            // The integer way and the division of the processor must give the same bits, subnormals included.
            prop_assume!(a.is_finite() && b.is_finite() && b != 0.0);
            let ((_, top, scale_top), (_, bottom, scale_bottom)) = (parts(Number::Float(a)), parts(Number::Float(b)));
            let size = divide(top, bottom, scale_top - scale_bottom);
            prop_assert_eq!(size.to_bits(), (a / b).abs().to_bits());
        }
    }
}
