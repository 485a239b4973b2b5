//! The published tables: comma-separated text; a field with commas or quotes stands in quotes, one row a line.

use super::tree::fixtures;
use std::collections::BTreeMap;

/// A table with named columns.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The fields of one line.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut symbols = line.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let field = fields.last_mut().expect("there is always one");
        match symbol {
            '"' if quoted && symbols.peek() == Some(&'"') => field.extend(symbols.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(symbol),
        }
    }
    assert!(!quoted, "a quote is left open: {line}");
    fields
}

/// One row by column name.
pub(crate) type Row<'a> = BTreeMap<&'a str, &'a str>;

impl Table {
    /// Reads `published/oxygen/<name>.csv`.
    pub(crate) fn published(name: &str) -> Self {
        let path = fixtures().join("published/oxygen").join(format!("{name}.csv"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = text.lines().map(fields);
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
