//! The value table of a figure as HTML.

use std::ops::Range;

use super::svg::writer::Element;
use crate::figure::chart::{Body, Chart, Mark, TableCell, TableRow};

/// What a table carries besides its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carry {
    /// Metric, target and exact numbers, for scripts and checks of pages.
    Numbers,
    /// Only what the reading line needs: the plot document stands in the same file.
    Readings,
    /// Metric, target and exact numbers, without the sentences of the reading line: a table without a figure.
    Values,
}

/// Writes the table. A value cell names its metric, its target and the exact number (`data-series`,
/// `data-target`, `data-value`); a ratio cell has `data-ratio` and follows its value.
///
/// The sentence of the reading line is in `data-say` of the value cell. Most sentences of a metric differ
/// only in what stands in their row, so the head of the column has the sentence as a pattern, in which `{0}`
/// is the target, `{1}` the cell before the first value (the date), `{2}` the value and `{3}` the ratio without
/// zeros at its end; cells
/// that follow it exactly have no sentence of their own. A cell that differs in one part has that part (none when it
/// is empty) and, in `data-cut`, how much of the pattern stands before and after it (in UTF-16 units). The head names the line (`data-line`).
pub fn table(chart: &Chart) -> String {
    let mut out = String::with_capacity(chart.table.rows.len() * 640 + 512);
    write(&mut out, chart, Carry::Numbers, 0..chart.table.rows.len(), &patterns(chart));
    out
}

/// Some rows of the table, for a page of its own.
pub fn part(chart: &Chart, rows: Range<usize>) -> String {
    let mut out = String::with_capacity(rows.len() * 480 + 512);
    write(&mut out, chart, Carry::Values, rows, &[]);
    out
}

/// Appends the given rows of the table, whose sentences follow `patterns`.
pub(super) fn write(
    out: &mut String,
    chart: &Chart,
    carry: Carry,
    rows: Range<usize>,
    patterns: &[Option<String>],
) {
    let table = &chart.table;
    let mut maker = Maker::default();
    let mut root = Element::open(out, "table").class("values");
    if !table.caption.is_empty() {
        root.child("caption").text(&table.caption);
    }
    {
        let mut head = root.child("thead");
        let mut row = head.child("tr");
        for (at, name) in table.head.iter().enumerate() {
            let mut cell = row.child("th");
            let first = at.checked_sub(1).and_then(|at| table.rows.first()?.cells.get(at));
            if let Some(line) = first.filter(|cell| !cell.is_ratio).and_then(|cell| cell.line) {
                cell = cell.attr("data-line", &line.to_string());
            }
            if let Some(Some(pattern)) = at.checked_sub(1).and_then(|at| patterns.get(at)) {
                cell = cell.attr("data-say", pattern);
            }
            cell.text(name);
        }
    }
    let mut body = root.child("tbody");
    for (at, data) in table.rows.iter().enumerate().take(rows.end).skip(rows.start) {
        let mut row = body.child("tr").class(if data.boundary { "edge" } else { "" });
        row.child("th").attr("scope", "row").text(&data.target);
        for (column, cell) in data.cells.iter().enumerate() {
            let mut element = row.child("td").class(if cell.strong { "strong" } else { "" });
            if let (None, Some(exact), Body::Cloud(cloud)) = (cell.line, cell.exact, &chart.body) {
                if carry != Carry::Readings {
                    element = element.number("data-value", exact).attr("data-series", &cloud.key);
                    element = element.attr("data-target", &data.target);
                }
            } else if let Some(line) = cell.line.and_then(|line| chart.lines.get(line)) {
                if carry != Carry::Readings {
                    element = numbers(element, cell, &line.key, &data.target);
                }
                let pattern = patterns.get(column).and_then(Option::as_deref);
                let mark = line.marks.get(at).filter(|_| !cell.is_ratio && carry != Carry::Values);
                if let Some(mark) = mark {
                    let own = maker.own(pattern, &mark.reading, data, column);
                    element = sentence(element, own.as_ref());
                }
            }
            element.text(&cell.text);
        }
    }
}

fn numbers<'out>(element: Element<'out>, cell: &TableCell, series: &str, target: &str) -> Element<'out> {
    let name = if cell.is_ratio { "data-ratio" } else { "data-value" };
    let element = match cell.exact {
        Some(exact) => element.number(name, exact),
        None => element,
    };
    if cell.is_ratio { element } else { element.attr("data-series", series).attr("data-target", target) }
}

/// Adds what a cell says that the pattern of its column does not give.
fn sentence<'out>(element: Element<'out>, own: Option<&Own>) -> Element<'out> {
    let Some(own) = own else { return element };
    let element = match &own.cut {
        Some(cut) => element.attr("data-cut", cut),
        None => element,
    };
    match &own.say {
        Some(say) => element.attr("data-say", say),
        None => element,
    }
}

/// What a cell says that the pattern of its column does not give.
pub(super) struct Own {
    /// The sentence, or the part in which it differs; none when that part is empty.
    pub(super) say: Option<String>,
    /// How much of the pattern stands before and after the part; none for a whole sentence.
    pub(super) cut: Option<String>,
}

/// How many bytes two texts share at their start, and at their end beyond that.
fn shared(a: &str, b: &str) -> (usize, usize) {
    let start: usize =
        a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(symbol, _)| symbol.len_utf8()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b);
    (start, end.map(|(symbol, _)| symbol.len_utf8()).sum())
}

/// What the places of a pattern stand for.
fn places(row: &TableRow, column: usize) -> [&str; 4] {
    let text = |at: usize| row.cells.get(at).map_or("", |cell| cell.text.as_str());
    let ratio = row.cells.get(column + 1).filter(|cell| cell.is_ratio).map_or("", |cell| cell.text.as_str());
    // Sentences say "2 ×" where the column says "2.00".
    let short = if ratio.contains('.') { ratio.trim_end_matches('0').trim_end_matches('.') } else { ratio };
    [&row.target, text(0), text(column), short]
}

/// A column with more forms of sentences than this has no common one worth looking for.
const FORMS: usize = 16;

/// The pattern that most sentences of a column follow, for every column; none where there is no such pattern.
pub(super) fn patterns(chart: &Chart) -> Vec<Option<String>> {
    let mut maker = Maker::default();
    let columns = chart.table.rows.first().map_or(0, |row| row.cells.len());
    (0..columns).map(|column| pattern(chart, column, &mut maker)).collect()
}

fn pattern(chart: &Chart, column: usize, maker: &mut Maker) -> Option<String> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for (at, row) in chart.table.rows.iter().enumerate() {
        let reading = &mark(chart, at, column)?.reading;
        let Some(pattern) = maker.pattern(reading, row, column) else { continue };
        if let Some(other) = found.iter_mut().find(|other| other.0 == pattern) {
            other.1 += 1;
            // No other can have as many any more.
            if other.1 * 2 > chart.table.rows.len() {
                return Some(pattern.to_owned());
            }
        } else if found.len() < FORMS {
            found.push((pattern.to_owned(), 1));
        }
    }
    // The first of equals, so that the choice is always the same.
    let most = found.iter().map(|other| other.1).max().filter(|most| *most > 1)?;
    found.into_iter().find(|other| other.1 == most).map(|other| other.0)
}

/// The mark whose sentence a cell of the table has.
pub(super) fn mark(chart: &Chart, row: usize, column: usize) -> Option<&Mark> {
    let cell = chart.table.rows[row].cells.get(column).filter(|cell| !cell.is_ratio)?;
    chart.lines.get(cell.line?)?.marks.get(row)
}

/// Makes patterns of sentences, thousands in the same memory.
#[derive(Default)]
pub(super) struct Maker {
    /// Where the texts of places stand in the sentence, in order, with their places.
    found: Vec<(Range<usize>, char)>,
    pattern: String,
}

impl Maker {
    /// The own sentence of a cell; none when it follows the pattern of its column exactly.
    pub(super) fn own(
        &mut self,
        pattern: Option<&str>,
        reading: &str,
        row: &TableRow,
        column: usize,
    ) -> Option<Own> {
        let whole = || Some(Own { say: Some(reading.to_owned()), cut: None });
        let Some(pattern) = pattern else { return whole() };
        if gives(pattern, row, column, reading) {
            return None;
        }
        let Some(own) = self.pattern(reading, row, column) else { return whole() };
        let (start, end) = shared(pattern, own);
        let part = &own[start..own.len() - end];
        let length = |text: &str| text.encode_utf16().count();
        let cut = format!("{},{}", length(&pattern[..start]), length(&pattern[pattern.len() - end..]));
        Some(Own { say: (!part.is_empty()).then(|| part.to_owned()), cut: Some(cut) })
    }

    /// A sentence as a pattern: the texts of its row replaced by their places, each where it stands first outside
    /// of those before. None when that would not give the sentence back.
    fn pattern(&mut self, reading: &str, row: &TableRow, column: usize) -> Option<&str> {
        if memchr::memchr2(b'{', b'}', reading.as_bytes()).is_some() {
            return None;
        }
        self.found.clear();
        for (text, place) in places(row, column).into_iter().zip('0'..) {
            if !text.is_empty() {
                self.find(reading, text, place);
            }
        }
        self.pattern.clear();
        let mut copied = 0;
        for (range, place) in &self.found {
            self.pattern.push_str(&reading[copied..range.start]);
            self.pattern.extend(['{', *place, '}']);
            copied = range.end;
        }
        self.pattern.push_str(&reading[copied..]);
        Some(&self.pattern)
    }

    /// Notes where the text of a place, which is not empty, first stands beside those that were found.
    fn find(&mut self, reading: &str, text: &str, place: char) {
        let mut from = 0;
        for at in 0..=self.found.len() {
            let next = self.found.get(at).map(|(range, _)| range.clone());
            let to = next.as_ref().map_or(reading.len(), |next| next.start);
            if let Some(start) = find(&reading[from..to], text) {
                let start = from + start;
                self.found.insert(at, (start..start + text.len(), place));
                return;
            }
            from = next.map_or(to, |next| next.end);
        }
    }
}

/// Where a short text, which is not empty, first stands in a short one: most are not worth preparing a search.
fn find(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    memchr::memchr_iter(wanted[0], text).find(|&at| text[at..].starts_with(wanted))
}

/// Whether a pattern with the texts of a row is this sentence.
fn gives(pattern: &str, row: &TableRow, column: usize, reading: &str) -> bool {
    let places = places(row, column);
    let (mut rest, mut left) = (pattern, reading);
    while let Some(start) = memchr::memchr(b'{', rest.as_bytes()) {
        let place = rest[start + 1..].chars().next().and_then(|digit| digit.to_digit(10));
        let text = place.and_then(|place| places.get(place as usize)).copied().unwrap_or_default();
        match left.strip_prefix(&rest[..start]).and_then(|left| left.strip_prefix(text)) {
            Some(more) => left = more,
            None => return false,
        }
        rest = rest.get(start + 3..).unwrap_or_default();
    }
    left == rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A pattern with the texts of a row, as the script fills it.
    fn filled(pattern: &str, row: &TableRow, column: usize) -> String {
        let places = places(row, column);
        let mut out = String::new();
        let mut rest = pattern;
        while let Some(start) = rest.find('{') {
            out.push_str(&rest[..start]);
            let place = rest[start + 1..].chars().next().and_then(|digit| digit.to_digit(10));
            out.push_str(place.and_then(|place| places.get(place as usize)).copied().unwrap_or_default());
            rest = rest.get(start + 3..).unwrap_or_default();
        }
        out + rest
    }

    /// The value of an attribute of an element written by [`sentence`], with escapes resolved.
    fn attribute(element: &str, name: &str) -> Option<String> {
        let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
        let value = &element[start..start + element[start..].find('"')?];
        let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        Some(plain.iter().fold(value.to_owned(), |text, (code, symbol)| text.replace(code, symbol)))
    }

    /// What the script makes of it.
    fn said(element: &str, pattern: &str, row: &TableRow) -> String {
        let own = attribute(element, "data-say");
        let Some(cut) = attribute(element, "data-cut") else {
            return own.unwrap_or_else(|| filled(pattern, row, 1));
        };
        let (before, after) = cut.split_once(',').unwrap();
        let units: Vec<u16> = pattern.encode_utf16().collect();
        let text = |units: &[u16]| String::from_utf16(units).unwrap();
        let before = text(&units[..before.parse::<usize>().unwrap()]);
        let after = text(&units[units.len() - after.parse::<usize>().unwrap()..]);
        filled(&format!("{before}{}{after}", own.unwrap_or_default()), row, 1)
    }

    proptest! {
        #[test]
        fn every_sentence_comes_back(
            words in prop::collection::vec("[a1 é𝄞<{]{0,3}", 5),
            others in prop::collection::vec("[a1 é𝄞<{]{0,3}", 5),
            value in "[0-9]{1,2}\\.[05]",
        ) {
            let cell = |text: &str, is_ratio| TableCell { text: text.to_owned(), is_ratio, ..TableCell::default() };
            let row = |words: &[String]| TableRow {
                target: words[0].clone(),
                boundary: false,
                cells: vec![cell(&words[1], false), cell(&value, false), cell(&words[2], true)],
            };
            let reading = |words: &[String]| {
                format!("time at {} ({}): {value} µs, {} × {}", words[0], words[1], words[2], words[3])
            };
            let mut maker = Maker::default();
            let pattern = maker.pattern(&reading(&others), &row(&others), 1).map(str::to_owned);
            let own = maker.own(pattern.as_deref(), &reading(&words), &row(&words), 1);
            let mut out = String::new();
            let element = Element::open(&mut out, "td");
            drop(sentence(element, own.as_ref()));
            prop_assert_eq!(said(&out, pattern.as_deref().unwrap_or_default(), &row(&words)), reading(&words));
        }
    }
}
