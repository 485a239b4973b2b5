//! The published tables: plain comma-separated text without quotes.

use super::tree::fixtures;
use std::collections::BTreeMap;

/// A table with named columns.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One row by column name.
pub(crate) type Row<'a> = BTreeMap<&'a str, &'a str>;

impl Table {
    /// Reads `published/oxygen/<name>.csv`.
    pub(crate) fn published(name: &str) -> Self {
        let path = fixtures().join("published/oxygen").join(format!("{name}.csv"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!text.contains('"'), "{name}: this reader knows no quotes");
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().expect("a header line");
        let rows: Vec<_> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "{name}: rows of different length");
        Self { header, rows }
    }

    /// Adds the rows of a table with the same columns.
    pub(crate) fn append(&mut self, other: Self) {
        assert_eq!(self.header, other.header);
        self.rows.extend(other.rows);
    }

    /// All rows in file order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| self.named(row))
    }

    /// The rows whose columns have the given values, in file order.
    pub(crate) fn find<'a>(&'a self, key: &[(&str, &str)]) -> impl Iterator<Item = Row<'a>> {
        let wanted: Vec<(usize, String)> = key
            .iter()
            .map(|(column, value)| {
                let place = self.header.iter().position(|name| name == column).expect("a known column");
                (place, (*value).to_owned())
            })
            .collect();
        self.rows
            .iter()
            .filter(move |row| wanted.iter().all(|(place, value)| row[*place] == *value))
            .map(|row| self.named(row))
    }

    fn named<'a>(&'a self, row: &'a [String]) -> Row<'a> {
        self.header.iter().map(String::as_str).zip(row.iter().map(String::as_str)).collect()
    }
}
