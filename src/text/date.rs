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
        Self::of(year, month, day)
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

    /// The day; none when it does not exist.
    pub fn of(year: u16, month: u8, day: u8) -> Option<Self> {
        let found = Self { year, month, day };
        (year <= 9999 && (1..=12).contains(&month)).then_some(())?;
        (1..=found.days_in_month()).contains(&day).then_some(found)
    }

    /// Days since 1 January of the year 0: what differs by 1 for two days that follow each other.
    pub fn day_number(self) -> i32 {
        let before = i32::from(self.year) - 1;
        // Leap days of all years before, the year 0 included.
        let leap = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) + 1;
        let months: i32 =
            (1..self.month).map(|month| i32::from(Self { month, ..self }.days_in_month())).sum();
        i32::from(self.year) * 365 + leap + months + i32::from(self.day) - 1
    }

    /// The day with this number; none beyond the years 0 to 9999.
    pub fn of_day_number(number: i32) -> Option<Self> {
        let start = |year: i32| Self::of(u16::try_from(year).ok()?, 1, 1).map(Self::day_number);
        // 400 years have 146,097 days; the guess is off by one year at most.
        let guess = i32::try_from(i64::from(number) * 400 / 146_097).ok()?;
        let fits = |year: &i32| start(*year).is_some_and(|first| first <= number);
        let year = (guess - 1..=guess + 1).rev().find(fits)?;
        let mut rest = number - start(year)?;
        for month in 1..=12 {
            let first = Self::of(u16::try_from(year).ok()?, month, 1)?;
            let length = i32::from(first.days_in_month());
            if rest < length {
                return Self::of(first.year, month, u8::try_from(rest + 1).ok()?);
            }
            rest -= length;
        }
        None
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

    /// Day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
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

    #[test]
    fn days_follow_each_other() {
        let mut expected = 0;
        for year in [0_u16, 1, 2, 3, 4, 5].into_iter().chain(1895..=1905).chain(1999..=2005) {
            if matches!(year, 1895 | 1999) {
                expected = Date::of(year, 1, 1).unwrap().day_number();
            }
            for month in 1..=12 {
                for day in 1..=31 {
                    let Some(date) = Date::of(year, month, day) else { continue };
                    assert_eq!(date.day_number(), expected, "{date}");
                    expected += 1;
                }
            }
        }
        let number = |text: &str| Date::parse(text).unwrap().day_number();
        assert_eq!(number("1970-01-01") - number("0000-01-01"), 719_528);
        assert_eq!(number("2026-08-28") - number("2022-05-28"), 1553);
        assert_eq!(number("9999-12-31"), 3_652_424);
        assert_eq!(Date::of_day_number(-1), None);
        assert_eq!(Date::of_day_number(3_652_425), None);
    }

    proptest! {
        #[test]
        fn numbers_of_days_read_back(number in 0..=3_652_424_i32) {
            prop_assert_eq!(Date::of_day_number(number).map(Date::day_number), Some(number));
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            if let Some(date) = Date::parse(&text) {
                prop_assert!(text.starts_with(&date.to_string()));
            }
        }
    }
}
