//! The rows of a figure as CSV (RFC 4180): for machines, so every number is written exactly as recorded.

use std::fmt::Write as _;

use crate::figure::chart::{DataTable, Datum};
use crate::text::escape;

/// Writes `data`. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are
/// untouched.
pub fn csv(data: &DataTable) -> String {
    let mut out = String::with_capacity(64 * (data.rows.len() + 1));
    for (at, name) in data.head.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(&escape::csv_cell(name));
    }
    out.push_str("\r\n");
    for row in &data.rows {
        for (at, field) in row.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            match field {
                Datum::Empty => {}
                Datum::Text(text) => out.push_str(&escape::csv_cell(text)),
                // Writing to a string cannot fail.
                Datum::Number(number) => drop(write!(out, "{number}")),
            }
        }
        out.push_str("\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evidence::Number;

    /// Reads records by RFC 4180.
    fn records(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
        let mut symbols = text.chars().peekable();
        while let Some(symbol) = symbols.next() {
            match symbol {
                '"' if quoted && symbols.peek() == Some(&'"') => {
                    symbols.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\r' if !quoted && symbols.peek() == Some(&'\n') => {
                    symbols.next();
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                _ => cell.push(symbol),
            }
        }
        assert!(row.is_empty() && cell.is_empty() && !quoted, "the last record is complete");
        rows
    }

    fn datum() -> impl Strategy<Value = Datum> {
        prop_oneof![
            Just(Datum::Empty),
            "[a=+'\"\\-@,\t\r\n é]{1,6}|\\PC{1,6}".prop_map(|text| Datum::Text(text.into())),
            any::<f64>()
                .prop_filter("finite", |value| value.is_finite())
                .prop_map(|value| Datum::number(Number::finite(value))),
            any::<i64>().prop_map(|value| Datum::number(Number::whole(value.into()))),
        ]
    }

    proptest! {
        #[test]
        fn reads_back_equal(rows in prop::collection::vec(prop::collection::vec(datum(), 3), 0..6)) {
            let head = vec!["target".to_owned(), "=value".to_owned(), "a \"b\"".to_owned()];
            let text = csv(&DataTable { head: head.clone(), rows: rows.clone() });
            let read = records(&text);
            prop_assert_eq!(read.len(), rows.len() + 1);
            prop_assert_eq!(read[0].iter().map(|cell| escape::csv_text(cell)).collect::<Vec<_>>(), head);
            for (cells, row) in read[1..].iter().zip(&rows) {
                for (cell, datum) in cells.iter().zip(row) {
                    match datum {
                        Datum::Empty => prop_assert_eq!(cell, ""),
                        Datum::Number(number) => prop_assert_eq!(cell, &number.to_string()),
                        Datum::Text(text) => {
                            prop_assert_eq!(escape::csv_text(cell), &**text);
                            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
                        }
                    }
                }
            }
        }
    }
}
