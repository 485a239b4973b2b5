//! When a run ended, as a point in time that can be compared.
//!
//! PerfChecker formats §1.3: `YYYY-MM-DDThh:mm:ss` with an optional fraction, UTC, without a zone. Other
//! writers add one, so `Z` and `±hh:mm` are read too; texts of different zones do not sort by themselves.

use crate::text::date::Date;

/// Digits of a fraction that count: nanoseconds.
const DIGITS: usize = 9;

/// Seconds and nanoseconds since an arbitrary fixed day, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant(i64, u32);

impl Instant {
    /// Reads a timestamp; none for anything else and for days and times that do not exist.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let date_parsed = Date::parse(date)?;
        let day: i64 = date[8..].parse().ok()?;
        let (clock, rest) = rest.strip_prefix(['T', 't', ' '])?.split_at_checked(8)?;
        let [hour, minute, second] = parts(clock)?;
        // A leap second is a second of its own.
        (hour < 24 && minute < 60 && second <= 60).then_some(())?;
        let (fraction, zone) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
            None => ("0", rest),
        };
        (!fraction.is_empty()).then_some(())?;
        let nanoseconds: String = fraction.chars().chain(std::iter::repeat('0')).take(DIGITS).collect();
        let days = days(i64::from(date_parsed.year()), i64::from(date_parsed.month()), day);
        let local = days * 86_400 + hour * 3600 + minute * 60 + second;
        Some(Self(local - offset(zone)?, nanoseconds.parse().ok()?))
    }
}

/// `hh:mm:ss` as numbers.
fn parts(clock: &str) -> Option<[i64; 3]> {
    let mut all = clock.split(':').map(two_digits);
    let found = [all.next()??, all.next()??, all.next()??];
    all.next().is_none().then_some(found)
}

fn two_digits(text: &str) -> Option<i64> {
    (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Seconds that a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.split_at_checked(1) {
        None | Some(("Z" | "z", "")) => return Some(0),
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        Some(_) => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Days since the first of March of the year 0; years begin in March here, so that a leap day is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (month * 153 + 2) / 5
        + day
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Instant::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn zones_and_fractions_are_one_time() {
        assert_eq!(at("2026-01-01T00:30:00+01:00"), at("2025-12-31T23:30:00Z"));
        assert_eq!(at("2026-01-01T00:00:00"), at("2026-01-01T00:00:00.000"));
        assert_eq!(at("2024-02-28T20:00:00-05:00"), at("2024-02-29T01:00:00"));
        assert!(at("2026-01-01T12:00:00.5") > at("2026-01-01T12:00:00.25"));
        assert!(at("2026-01-01T10:00:00-02:00") > at("2026-01-01T11:59:59.999"));
    }

    #[test]
    fn days_follow_each_other() {
        for pair in [
            ["2023-02-28", "2023-03-01"],
            ["2024-02-29", "2024-03-01"],
            ["1999-12-31", "2000-01-01"],
            ["0000-02-29", "0000-03-01"],
            ["2100-02-28", "2100-03-01"],
        ] {
            let [before, after] = pair.map(|day| at(&format!("{day}T00:00:00")).0);
            assert_eq!(after - before, 86_400, "{pair:?}");
        }
    }

    #[test]
    fn other_texts_are_no_time() {
        for text in [
            "",
            "yesterday",
            "2026-02-30T00:00:00",
            "2026-13-01T00:00:00",
            "2026-01-01",
            "2026-01-01T24:00:00",
            "2026-01-01T1:00:00",
            "2026-01-01T00:00:00.",
            "2026-01-01T00:00:00+1",
            "2026-01-01T00:00:00 UTC",
            "2026-01-01T00:00:00Zé",
            "2026-01-0éT00:00:00",
            "99999-01-01T00:00:00",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
