//! Units as prose and evidence write them, and exact factors between those of one dimension.

use super::decimal::Decimal;

/// What a unit measures. Only units of one dimension can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dimension {
    /// Time; the base is the second.
    Time,
    /// Amount of data; the base is the byte.
    Data,
    /// Amount of data per second; the base is the byte per second.
    DataRate,
    /// Counts, ratios and percentages; the base is 1.
    Pure,
    /// Any other recorded unit, compared by its name.
    Other(String),
}

/// A unit with its factor to the base of its dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// What it measures.
    pub(super) dimension: Dimension,
    /// How many base units one of it is.
    pub(super) factor: Decimal,
}

/// Spellings with dimension and factor (mantissa, exponent). `µ` is looked up after both code points became
/// one. Upper and lower case matter: `ms` is not `Ms`, `kB` is not `Kb`.
const TIME: &[(&[&str], i128, i32)] = &[
    (&["ps", "picosecond", "picoseconds"], 1, -12),
    (&["ns", "nanosecond", "nanoseconds"], 1, -9),
    (&["µs", "us", "microsecond", "microseconds"], 1, -6),
    (&["ms", "millisecond", "milliseconds"], 1, -3),
    (&["s", "sec", "secs", "second", "seconds"], 1, 0),
    (&["min", "minute", "minutes"], 60, 0),
    (&["h", "hour", "hours"], 3600, 0),
];
const DATA: &[(&[&str], i128, i32)] = &[
    (&["B", "By", "byte", "bytes"], 1, 0),
    (&["kB", "KB", "kilobyte", "kilobytes"], 1, 3),
    (&["MB", "megabyte", "megabytes"], 1, 6),
    (&["GB", "gigabyte", "gigabytes"], 1, 9),
    (&["TB"], 1, 12),
    (&["KiB", "kibibyte", "kibibytes"], 1 << 10, 0),
    (&["MiB", "mebibyte", "mebibytes"], 1 << 20, 0),
    (&["GiB", "gibibyte", "gibibytes"], 1 << 30, 0),
    (&["TiB"], 1 << 40, 0),
];
const PURE: &[(&[&str], i128, i32)] =
    &[(&["×", "x", "times", "ratio", "1", "count"], 1, 0), (&["%", "percent"], 1, -2)];

impl Unit {
    /// The unit that a word of prose names, when it names one.
    pub(super) fn of_prose(word: &str) -> Option<Self> {
        let word = word.replace('\u{3bc}', "\u{b5}");
        if let Some(amount) = word.strip_suffix("/s").and_then(Self::of_prose) {
            return (amount.dimension == Dimension::Data)
                .then_some(Self { dimension: Dimension::DataRate, ..amount });
        }
        let find = |dimension: Dimension, table: &[(&[&str], i128, i32)]| {
            table
                .iter()
                .find(|(spellings, ..)| spellings.contains(&word.as_str()))
                .map(|&(_, mantissa, exponent)| Self { dimension, factor: Decimal::new(mantissa, exponent) })
        };
        find(Dimension::Time, TIME)
            .or_else(|| find(Dimension::Data, DATA))
            .or_else(|| find(Dimension::Pure, PURE))
    }

    /// The unit that evidence recorded. Curly annotations such as `{allocation}` and an empty unit are
    /// counts; a unit that is not known stays itself.
    pub(super) fn of_evidence(recorded: &str) -> Self {
        let pure = Self { dimension: Dimension::Pure, factor: Decimal::new(1, 0) };
        if recorded.is_empty() || recorded.starts_with('{') {
            return pure;
        }
        Self::of_prose(recorded)
            .unwrap_or_else(|| Self { dimension: Dimension::Other(recorded.to_owned()), ..pure })
    }
}
