//! Units: from the recorded word to one that people read, chosen once for a column, an axis or a series.

use super::number::{self, Column, NARROW};

/// What a unit measures, as far as its word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A duration.
    Time,
    /// An amount of memory or data.
    Bytes,
    /// A plain number: a count or a fraction (`1`).
    Number,
    /// Per cent.
    Percent,
    /// Anything else; shown as recorded.
    Other,
}

/// A recorded unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    recorded: String,
    dimension: Dimension,
    /// Picoseconds or bytes in one recorded unit; 1 elsewhere.
    size: u64,
    /// What stands behind the symbol: `/s` for amounts per second.
    per: &'static str,
}

/// A unit for display: how to convert a recorded value, and the symbol to print behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    multiply: f64,
    divide: f64,
    symbol: String,
}

/// Time symbols and their size in picoseconds, small to large.
const TIMES: [(&str, u64); 5] = [
    ("ns", 1_000),
    ("µs", 1_000_000),
    ("ms", 1_000_000_000),
    ("s", 1_000_000_000_000),
    ("min", 60_000_000_000_000),
];
/// Byte symbols and their size, small to large.
const BYTES: [(&str, u64); 5] =
    [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];
/// Below this many bytes, a column stays in plain bytes.
const PLAIN_BYTES: f64 = (1_u64 << 20) as f64;

/// What a recorded word measures, and how many picoseconds or bytes it is.
fn dimension(word: &str) -> (Dimension, u64) {
    match word {
        "ps" => (Dimension::Time, 1),
        "ns" | "nanoseconds" => (Dimension::Time, 1_000),
        // Both code points of micro, and the letter that stands for it.
        "us" | "\u{b5}s" | "\u{3bc}s" | "microseconds" => (Dimension::Time, 1_000_000),
        "ms" | "milliseconds" => (Dimension::Time, 1_000_000_000),
        "s" | "sec" | "second" | "seconds" => (Dimension::Time, 1_000_000_000_000),
        "min" | "minutes" => (Dimension::Time, 60_000_000_000_000),
        "h" | "hours" => (Dimension::Time, 3_600_000_000_000_000),
        "By" | "B" | "byte" | "bytes" => (Dimension::Bytes, 1),
        "kB" => (Dimension::Bytes, 1_000),
        "KiB" => (Dimension::Bytes, 1 << 10),
        "MiB" => (Dimension::Bytes, 1 << 20),
        "GiB" => (Dimension::Bytes, 1 << 30),
        "1" | "" => (Dimension::Number, 1),
        "%" | "percent" => (Dimension::Percent, 1),
        _ => (Dimension::Other, 1),
    }
}

impl Unit {
    /// Reads a recorded unit; never fails, because unknown words are shown as they are.
    pub fn parse(recorded: &str) -> Self {
        let rate = recorded
            .strip_suffix("/s")
            .map(dimension)
            .filter(|(dimension, _)| *dimension == Dimension::Bytes);
        let ((dimension, size), per) = rate.map_or_else(|| (dimension(recorded), ""), |found| (found, "/s"));
        Self { recorded: recorded.to_owned(), dimension, size, per }
    }

    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The scale that suits all of `values` (in the recorded unit; not-finite ones are ignored).
    ///
    /// Times: the unit in which the middle between the smallest and the largest size that is not zero, on a
    /// logarithmic axis, is at least 1 (minutes: 2); so a single far value does not push the others to many zeros.
    /// Bytes: the same, but plain bytes while the largest stays below 1 MiB, because small amounts are
    /// compared exactly. All others: as recorded.
    pub fn scale(&self, values: impl IntoIterator<Item = f64>) -> Scale {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for size in values.into_iter().map(f64::abs).filter(|size| size.is_finite() && *size > 0.0) {
            least = least.min(size);
            most = most.max(size);
        }
        let steps = match self.dimension {
            Dimension::Time => &TIMES,
            Dimension::Bytes => &BYTES,
            Dimension::Number => return Scale::plain(""),
            Dimension::Percent => return Scale::plain("%"),
            Dimension::Other => return Scale::plain(&self.recorded),
        };
        let size = self.size as f64;
        if most == 0.0 {
            // Nothing but zeros: the recorded unit, in its usual spelling.
            let usual = steps.iter().rev().find(|step| step.1 <= self.size).unwrap_or(&steps[0]);
            return self.to(usual);
        }
        // The product of the roots cannot overflow, the root of the product could.
        let middle = if self.dimension == Dimension::Bytes && most * size < PLAIN_BYTES {
            1.0
        } else {
            least.sqrt() * most.sqrt() * size
        };
        // Room for rounding in the roots: 1000 ns is 1 µs.
        let fits = |step: &&(&str, u64)| {
            middle * (1.0 + 1e-12) >= step.1 as f64 * if step.0 == "min" { 2.0 } else { 1.0 }
        };
        self.to(steps.iter().rev().find(fits).unwrap_or(&steps[0]))
    }

    /// Prints one value on its own: `3.8 µs`, `2 512 B`, `53`.
    pub fn show(&self, value: f64) -> String {
        self.scale([value]).show(value)
    }

    fn to(&self, step: &(&str, u64)) -> Scale {
        // One of the two is 1 wherever a unit is a whole multiple of the other, so a conversion rounds once.
        let (multiply, divide) = if self.size.is_multiple_of(step.1) {
            (self.size / step.1, 1)
        } else if step.1.is_multiple_of(self.size) {
            (1, step.1 / self.size)
        } else {
            (self.size, step.1)
        };
        Scale { multiply: multiply as f64, divide: divide as f64, symbol: format!("{}{}", step.0, self.per) }
    }
}

impl Scale {
    fn plain(symbol: &str) -> Self {
        Self { multiply: 1.0, divide: 1.0, symbol: symbol.to_owned() }
    }

    /// Converts a recorded value to this scale.
    pub fn convert(&self, value: f64) -> f64 {
        value * self.multiply / self.divide
    }

    /// Converts a value of this scale back to the recorded unit; for axis ticks.
    pub fn recorded(&self, value: f64) -> f64 {
        value * self.divide / self.multiply
    }

    /// How many of this scale's units one recorded unit is.
    pub fn factor(&self) -> f64 {
        self.multiply / self.divide
    }

    /// The symbol; empty for plain numbers.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// Whether values keep their recorded size, so that exact whole numbers can be printed as they are.
    pub fn keeps_values(&self) -> bool {
        self.factor().to_bits() == 1.0_f64.to_bits()
    }

    /// Prints the number of a recorded value, without the symbol.
    pub fn number(&self, value: f64) -> String {
        let shown = self.convert(value);
        if self.keeps_values() && shown.fract() == 0.0 && shown.abs() < 9e15 {
            // Whole amounts in their own unit are exact, however many digits they have.
            return number::whole(shown as i128);
        }
        number::short(shown)
    }

    /// Prints a recorded value with its symbol.
    pub fn show(&self, value: f64) -> String {
        self.with_symbol(&self.number(value))
    }

    /// Prints an exact whole number with its symbol, also beyond what a float holds.
    pub fn show_whole(&self, value: i128) -> String {
        if self.keeps_values() { self.with_symbol(&number::whole(value)) } else { self.show(value as f64) }
    }

    /// Puts the symbol behind text that is already printed.
    pub fn with_symbol(&self, text: &str) -> String {
        if self.symbol.is_empty() { text.to_owned() } else { format!("{text}{NARROW}{}", self.symbol) }
    }

    /// The shared places of a table column of recorded values.
    pub fn column(&self, values: impl IntoIterator<Item = f64>) -> Column {
        Column::of(values.into_iter().map(|value| self.convert(value)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(unit: &str, value: f64) -> String {
        Unit::parse(unit).show(value).replace(NARROW, "_")
    }

    /// PerfChecker formats §6, trap 2: the same unit has several words; trap 20: both code points of micro occur.
    #[test]
    fn single_values() {
        for (unit, value, text) in [
            ("ns", 3800.0, "3.8_µs"),
            ("ns", 0.0, "0_ns"),
            ("s", 0.0, "0_s"),
            ("s", 0.001_511_3, "1.511_ms"),
            ("s", 119.0, "119_s"),
            ("s", 150.0, "2.5_min"),
            ("seconds", 1e-6, "1_µs"),
            ("\u{3bc}s", 1000.0, "1_ms"),
            ("us", 999.0, "999_µs"),
            ("ms", 0.25, "250_µs"),
            ("ns", -2_000_000.0, "\u{2212}2_ms"),
            ("ns", 0.3, "0.3_ns"),
            ("By", 2512.0, "2_512_B"),
            ("bytes", 1_048_575.0, "1_048_575_B"),
            ("B", 1_048_576.0, "1_MiB"),
            ("By", 3_000_001.0, "2.861_MiB"),
            ("1", 53.0, "53"),
            ("1", 0.125, "0.125"),
            ("1", 123_456.0, "123_456"),
            ("%", 12.5, "12.5_%"),
            ("instructions", 1_200_345.0, "1_200_345_instructions"),
            ("By/s", 12.0, "12_B/s"),
            ("By/s", 3_000_001.0, "2.861_MiB/s"),
            ("1/s", 12.0, "12_1/s"),
            ("By/s/s", 12.0, "12_By/s/s"),
        ] {
            assert_eq!(show(unit, value), text, "{value} {unit}");
        }
    }

    #[test]
    fn one_scale_for_a_column() {
        let unit = Unit::parse("ns");
        let values = [5600.0, 9800.0, 7000.0, 11_600.0];
        let scale = unit.scale(values);
        let column = scale.column(values);
        assert_eq!(scale.symbol(), "µs");
        assert_eq!(values.map(|value| column.print(scale.convert(value))), ["5.6", "9.8", "7.0", "11.6"]);
        assert_eq!(unit.scale([300.0, 5000.0]).symbol(), "µs");
        assert_eq!(Unit::parse("By").scale([512.0, 3.0 * 1_048_576.0]).symbol(), "KiB");
        assert_eq!(Unit::parse("kB").scale([2.0, 2000.0]).convert(2000.0).to_bits(), 1953.125_f64.to_bits());
        assert_eq!(Unit::parse("By").scale([]).symbol(), "B");
        assert_eq!(unit.scale([1.0]).show_whole(1 << 60).replace(NARROW, ""), format!("{}ns", 1_u64 << 60));
    }

    proptest! {
        #[test]
        fn conversion_keeps_the_value(value in 1e-12..1e12_f64, at in 0..4_usize) {
            let unit = Unit::parse(["ns", "us", "ms", "s"][at]);
            let scale = unit.scale([value]);
            prop_assert!((scale.recorded(scale.convert(value)) - value).abs() <= value * 1e-15);
            prop_assert!(scale.convert(value) >= 1.0 - 1e-9 || scale.symbol() == "ns");
        }
    }
}
