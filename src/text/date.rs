//! Calendar dates. No time zones, no clock.

use std::fmt;

/// A day of the Gregorian calendar, year 0 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    /// Reads `YYYY-MM-DD`, alone or as the first part of a timestamp (`2026-03-01T09:00:00.125`,
    /// `2026-03-01 09:00`). None for anything else and for days that do not exist.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        if !(rest.is_empty() || rest.starts_with(['T', 't', ' '])) {
            return None;
        }
        let bytes = date.as_bytes();
        let shape = bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        if !shape {
            return None;
        }
        let (year, month, day) = (date[..4].parse().ok()?, date[5..7].parse().ok()?, date[8..].parse().ok()?);
        let found = Self { year, month, day };
        (1..=12).contains(&month).then_some(())?;
        (1..=found.days_in_month()).contains(&day).then_some(found)
    }

    fn days_in_month(self) -> u8 {
        let leap =
            self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Month, from 1.
    pub fn month(self) -> u8 {
        self.month
    }

    /// Name of the month: `August`.
    pub fn month_name(self) -> &'static str {
        MONTHS[usize::from(self.month - 1)]
    }

    /// First three letters of the month: `Aug`.
    pub fn short_month(self) -> &'static str {
        &self.month_name()[..3]
    }

    /// `28 August 2026`.
    pub fn long(self) -> String {
        format!("{} {} {}", self.day, self.month_name(), self.year)
    }

    /// `August 2026`.
    pub fn month_year(self) -> String {
        format!("{} {}", self.month_name(), self.year)
    }

    /// `2022-05`.
    pub fn year_month(self) -> String {
        format!("{:04}-{:02}", self.year, self.month)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn real_days_only() {
        let date = Date::parse("2022-05-28").unwrap();
        assert_eq!(
            (date.month_year(), date.year_month(), date.short_month()),
            ("May 2022".into(), "2022-05".into(), "May")
        );
        assert_eq!(Date::parse("2026-03-01T09:00:00.125").unwrap().to_string(), "2026-03-01");
        assert!(Date::parse("2024-02-29").is_some() && Date::parse("2000-02-29").is_some());
        for bad in [
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-1-1",
            "",
            "20260301",
            "2026-03-011",
            "+026-03-01",
            "2026-03-0é",
            "soon, perhaps",
        ] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>()) {
            if let Some(date) = Date::parse(&text) {
                prop_assert!(text.starts_with(&date.to_string()));
            }
        }
    }
}
