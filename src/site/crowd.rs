//! Galleries of very many workloads. Their page shows a part, says which, and leads to everything: a list of all
//! workloads on numbered pages, and tables of all ratios and checks as CSV.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::error::Result;
use crate::figure::matrix::Matrix;
use crate::figure::overview::Card;
use crate::text::{escape, number};
use crate::theme::Theme;
use crate::theme::view::{self, Html, Link};

use super::availability;
use super::figures::Files;
use super::gallery::Made;
use super::load::LoadedSource;
use super::page::Frame;
use super::plan::link;
use super::values;
use super::workloads::Gallery;

/// Most workloads that have a card with a curve, and most rows of a table.
const SHOWN: usize = 150;
/// Most cells of a table, unless it has very many columns.
const CELLS: usize = 6000;
/// Fewest rows of a table of very many columns.
const FEW: usize = 20;
/// Workloads of one page of the list.
const PAGE: usize = 500;

/// How many rows a table of so many columns shows.
pub(super) fn rows(columns: usize) -> usize {
    (CELLS / columns.max(1)).clamp(FEW, SHOWN)
}

/// Positions of the cards that are shown, in their order: all, or those that changed most.
pub(super) fn shown(cards: &[Card]) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..cards.len()).collect();
    if cards.len() > SHOWN {
        // Positive floats sort as their bits do.
        chosen.sort_by_key(|&at| Reverse((cards[at].strong, cards[at].size.max(0.0).to_bits())));
        chosen.truncate(SHOWN);
        chosen.sort_unstable();
    }
    chosen
}

/// `The 150 of 2,500 that changed most.`
pub(super) fn part(shown: usize, all: usize) -> String {
    format!("The {shown} of {} that changed most.", number::whole(all as i128))
}

/// The way from `page` to the list of all workloads; none where the gallery shows all.
pub(super) fn all(gallery: &Gallery, page: &str) -> Option<Link> {
    let pages = pages(gallery);
    let count = gallery.overview.as_ref()?.overview.cards.len();
    let whole = |count: usize| number::whole(count as i128);
    (pages > 0).then(|| Link {
        text: format!("All {}, on {} pages", whole(count), whole(pages)),
        href: link(page, &path(gallery, 1)),
    })
}

/// How many pages the list of all workloads fills; none where the gallery shows all.
pub(super) fn pages(gallery: &Gallery) -> usize {
    let cards = gallery.overview.as_ref().map_or(0, |made| made.overview.cards.len());
    if cards > SHOWN { cards.div_ceil(PAGE) } else { 0 }
}

/// Whether the table of ratios shows a part of its rows.
pub(super) fn cuts(matrix: &Matrix) -> bool {
    matrix.rows.len() > rows(matrix.columns.len())
}

fn path(gallery: &Gallery, number: usize) -> String {
    beside(gallery, &format!("all/{number}/index.html"))
}

/// Path of the table of all ratios.
pub(super) fn ratios(gallery: &Gallery) -> String {
    beside(gallery, "ratios.csv")
}

/// Path of the table of all checks.
pub(super) fn checks(gallery: &Gallery) -> String {
    beside(gallery, "checks.csv")
}

fn beside(gallery: &Gallery, file: &str) -> String {
    format!("{}{file}", gallery.page.trim_end_matches("index.html"))
}

/// Paths of all that stands beside the page of a gallery.
pub(super) fn outputs(source: &LoadedSource, gallery: &Gallery) -> Vec<String> {
    let ratios =
        gallery.overview.as_ref().filter(|made| cuts(&made.overview.matrix)).map(|_| ratios(gallery));
    let checks = availability::is_cut(source, gallery).then(|| checks(gallery));
    (1..=pages(gallery)).map(|number| path(gallery, number)).chain(ratios).chain(checks).collect()
}

/// All that stands beside the page of a gallery.
///
/// # Errors
/// A template that fails.
pub(super) fn files(
    frame: &Frame<'_>,
    theme: &Theme,
    source: &LoadedSource,
    gallery: &Gallery,
) -> Result<Files> {
    let mut files = Files::new();
    if let Some(made) = &gallery.overview {
        for number in 1..=pages(gallery) {
            files.push(list(frame, theme, gallery, made, number)?);
        }
        if cuts(&made.overview.matrix) {
            files.push((ratios(gallery), csv_of_ratios(&made.overview.matrix).into_bytes()));
        }
    }
    if availability::is_cut(source, gallery) {
        files.push((checks(gallery), availability::csv(source, gallery).into_bytes()));
    }
    Ok(files)
}

/// One page of the list of all workloads.
fn list(
    frame: &Frame<'_>,
    theme: &Theme,
    gallery: &Gallery,
    made: &Made,
    number: usize,
) -> Result<(String, Vec<u8>)> {
    let cards = &made.overview.cards;
    let all = pages(gallery);
    let own = path(gallery, number);
    let to = |other: usize| link(&own, &path(gallery, other));
    let part = |number: usize| (number - 1) * PAGE..(number * PAGE).min(cards.len());
    let name = |card: usize| gallery.workloads[made.workloads[card]].title.as_str();
    let range = |number: usize| format!("{} to {}", name(part(number).start), name(part(number).end - 1));
    let mut table = String::with_capacity(PAGE * 260);
    table.push_str(
        "<table class=\"values\"><thead><tr><th>workload<th>metric<th>newest value<th>at<th>change<th>difference<tbody>",
    );
    for at in part(number) {
        let card = &cards[at];
        let page = link(&own, &gallery.workloads[made.workloads[at]].page);
        // Writing to a string cannot fail.
        let _ = write!(
            table,
            "<tr><th scope=\"row\"><a href=\"{}\">{}</a>",
            escape::attribute(&page),
            escape::markup(name(at))
        );
        for text in [&card.metric_name, &card.value, &card.at, &card.change, &card.detail] {
            let _ = write!(table, "<td>{}", escape::markup(text));
        }
    }
    table.push_str("</table>");
    let whole = |count: usize| number::whole(count as i128);
    let title = format!("{}, workloads {number} of {all}", gallery.title);
    let rows = part(number);
    let lede =
        format!("Workloads {} to {} of {}.", whole(rows.start + 1), whole(rows.end), whole(cards.len()));
    let mut links = vec![Link { text: "The gallery".to_owned(), href: link(&own, &gallery.page) }];
    if cuts(&made.overview.matrix) {
        links.push(Link { text: "CSV of all ratios".to_owned(), href: link(&own, &ratios(gallery)) });
    }
    let crumbs = [(gallery.title.as_str(), gallery.page.as_str())];
    let view = view::Values {
        page: frame.page(&own, &title, &lede, &crumbs),
        title,
        lede,
        links,
        summary: format!("Workloads, {}", range(number)),
        table_html: Html(table),
        pages: values::numbered(all, number, range, to),
        previous: number.checked_sub(1).filter(|&before| before > 0).map(to),
        next: Some(number + 1).filter(|&after| after <= all).map(to),
    };
    Ok((own.clone(), theme.render(&view)?.into_bytes()))
}

/// Exact ratios, a row per feature and a column per target.
fn csv_of_ratios(matrix: &Matrix) -> String {
    let mut out = String::from("feature");
    for column in &matrix.columns {
        out.push(',');
        out.push_str(&escape::csv_cell(&column.label));
    }
    out.push_str("\r\n");
    for row in &matrix.rows {
        out.push_str(&escape::csv_cell(&row.title));
        for cell in &row.cells {
            out.push(',');
            out.push_str(cell.exact.as_deref().unwrap_or_default());
        }
        out.push_str("\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(at: usize) -> Card {
        Card {
            document: at,
            title: String::new(),
            metric: String::new(),
            metric_name: String::new(),
            value: String::new(),
            at: String::new(),
            order: None,
            spark: None,
            change: String::new(),
            detail: String::new(),
            size: (at % 7) as f64,
            strong: at.is_multiple_of(2),
        }
    }

    #[test]
    fn what_changed_most_is_shown_in_its_order() {
        let few: Vec<Card> = (0..SHOWN).map(card).collect();
        assert_eq!(shown(&few), (0..SHOWN).collect::<Vec<_>>());
        let many: Vec<Card> = (0..10 * SHOWN).map(card).collect();
        let found = shown(&many);
        assert_eq!(found.len(), SHOWN);
        assert!(found.is_sorted());
        assert!(found.iter().all(|&at| many[at].strong && many[at].size >= 5.0));
    }

    #[test]
    fn wide_tables_have_few_rows() {
        assert_eq!([rows(0), rows(14), rows(200), rows(100_000)], [SHOWN, SHOWN, 30, FEW]);
    }
}
