//! The table of a figure that is too long to stand under it, on numbered pages of its own:
//! `figures/<source>/<figure>/<number>/index.html`, oldest rows first.

use crate::draw::table;
use crate::error::Result;
use crate::figure::Chart;
use crate::figure::thin::ROWS;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{self, Html, Link, NumberedPage};

use super::figures::{self, Files};
use super::page::Frame;
use super::plan::link;

/// Rows of one page.
const PAGE: usize = 500;

/// How many pages the table of a figure with so many targets fills; none when it stands under its figure.
pub(super) fn count(targets: usize) -> usize {
    if targets > ROWS { targets.div_ceil(PAGE) } else { 0 }
}

/// Path of a page of the table of figure `id`; `number` counts from 1.
pub(super) fn path(source: &str, id: &str, number: usize) -> String {
    format!("{}/{number}/index.html", figures::base(source, id))
}

/// Text of the link to the first page.
pub(super) fn label(targets: usize) -> String {
    let (rows, pages) = (number::whole(targets as i128), count(targets));
    format!("All {rows} rows, on {pages} pages")
}

/// What the pages of a table are part of.
pub(super) struct Home<'a> {
    /// Page that shows the figure, as title and path; none when no one page does.
    pub(super) page: Option<(&'a str, &'a str)>,
    /// The way down to it: title and path.
    pub(super) crumbs: &'a [(&'a str, &'a str)],
}

/// The list of `all` pages of a cut table, as page `number` shows it.
pub(super) fn numbered(
    all: usize,
    number: usize,
    range: impl Fn(usize) -> String,
    to: impl Fn(usize) -> String,
) -> Vec<NumberedPage> {
    let page = |other: usize| NumberedPage {
        number: number::whole(other as i128),
        range: range(other),
        href: to(other),
        current: other == number,
    };
    (1..=all).map(page).collect()
}

/// All pages of the table of a figure; none when it stands under its figure.
///
/// # Errors
/// A template that fails.
pub(super) fn pages(
    frame: &Frame<'_>,
    theme: &Theme,
    source: &str,
    chart: &Chart,
    home: &Home<'_>,
) -> Result<Files> {
    let rows = chart.table.rows.len();
    let all = count(rows);
    let parts = |number: usize| (number - 1) * PAGE..(number * PAGE).min(rows);
    let range = |number: usize| {
        let part = parts(number);
        let label = |at: usize| chart.table.rows.get(at).map_or("", |row| row.target.as_str());
        format!("{} to {}", label(part.start), label(part.end - 1))
    };
    let whole = |count: usize| number::whole(count as i128);
    (1..=all)
        .map(|number| {
            let path = path(source, &chart.id, number);
            let to = |other: usize| link(&path, &self::path(source, &chart.id, other));
            let base = figures::base(source, &chart.id);
            let mut links = Vec::new();
            if let Some((title, page)) = home.page {
                let anchor = figures::anchor(&chart.id);
                links.push(Link {
                    text: format!("The figure on the page {title}"),
                    href: format!("{}#{anchor}", link(&path, page)),
                });
            }
            links
                .push(Link { text: "CSV of all rows".to_owned(), href: link(&path, &format!("{base}.csv")) });
            let title = format!("{}, values {number} of {all}", chart.title);
            let description = format!("{}: {}.", chart.table.summary, range(number));
            let view = view::Values {
                page: frame.page(&path, &title, &description, home.crumbs),
                title,
                lede: format!(
                    "{}. Rows {} to {}.",
                    chart.table.summary,
                    whole(parts(number).start + 1),
                    whole(parts(number).end)
                ),
                links,
                summary: format!("Values, {}", range(number)),
                table_html: Html(table::part(chart, parts(number))),
                pages: numbered(all, number, range, to),
                previous: number.checked_sub(1).filter(|&before| before > 0).map(to),
                next: Some(number + 1).filter(|&after| after <= all).map(to),
            };
            Ok((path.clone(), theme.render(&view)?.into_bytes()))
        })
        .collect()
}
