//! Blocks of content pages: a gallery, a workload, a figure.

use std::fmt::Write as _;

use crate::error::Result;
use crate::text::escape;
use crate::text::list;
use crate::theme::view::Cards;

use super::gallery;
use super::load::LoadedSource;
use super::plan::link;
use super::resolve::Shelf;
use super::workloads::Gallery;

/// A figure under its heading.
pub(super) fn figure(anchor: &str, heading: &str, body: &str, level: u8) -> String {
    format!(
        "<section class=\"embedded\" id=\"{anchor}\"><h{level}>{}</h{level}>{body}</section>\n",
        escape::markup(heading)
    )
}

/// The name of a heading of a level.
pub(super) fn level(level: u8) -> String {
    format!("h{level}")
}

/// What a block shows of a gallery.
#[derive(Debug, Default)]
pub(super) struct Shown<'a> {
    /// Only these targets, as labels; none for all.
    pub(super) targets: Option<Vec<String>>,
    /// A set of cards for each of these metrics; the main one when empty.
    pub(super) metrics: &'a [String],
    /// The targets in words: `1.10.0 to 1.11.0, 4 of 14 releases`.
    pub(super) words: String,
}

impl Shown<'_> {
    fn everything(&self) -> bool {
        self.targets.is_none() && self.metrics.is_empty()
    }
}

/// The overview of a source.
pub(super) fn gallery(
    shelf: &Shelf<'_>,
    (source, gallery): (&LoadedSource, &Gallery),
    shown: &Shown,
    (page, level): (&str, u8),
) -> Result<String> {
    if !shown.everything() {
        return parts(shelf, (source, gallery), None, shown, (page, level));
    }
    match gallery::overview(gallery, page) {
        Some(overview) => {
            shelf.theme.render(&Cards { overview, level: self::level(level), ..Cards::default() })
        }
        None => Ok(nothing(&gallery.title)),
    }
}

/// The card of one workload.
pub(super) fn workload(
    shelf: &Shelf<'_>,
    (source, gallery): (&LoadedSource, &Gallery),
    at: usize,
    shown: &Shown,
    (page, level): (&str, u8),
) -> Result<String> {
    let workload = &gallery.workloads[at];
    if !shown.everything() {
        return parts(shelf, (source, gallery), Some(at), shown, (page, level));
    }
    let Some(mut overview) = gallery::overview(gallery, page) else {
        return Ok(nothing(&workload.title));
    };
    let href = link(page, &workload.page);
    overview.cards.retain(|card| card.href == href);
    overview.how_to_read.clear();
    shelf.theme.render(&Cards { overview, single: true, level: self::level(level), ..Cards::default() })
}

/// A part of an overview: a set of cards per metric, each with what it is a part of.
fn parts(
    shelf: &Shelf<'_>,
    (source, gallery): (&LoadedSource, &Gallery),
    only: Option<usize>,
    shown: &Shown,
    (page, level): (&str, u8),
) -> Result<String> {
    let named: Vec<Option<&str>> = match shown.metrics {
        [] => vec![None],
        metrics => metrics.iter().map(|metric| Some(metric.as_str())).collect(),
    };
    let mut out = String::new();
    for metric in named {
        let asked = (shown.targets.as_deref(), metric);
        let Some(part) = gallery::part(source, gallery, only, asked, shelf.config, page)? else {
            let what = metric.map_or_else(|| "a value".to_owned(), |metric| format!("a value of {metric}"));
            let title = only.map_or(&gallery.title, |at| &gallery.workloads[at].title);
            let text = format!("{title} has no figure with {what} among these targets.");
            let _ = writeln!(out, "<p class=\"empty\">{}</p>", escape::markup(&text));
            continue;
        };
        let mut said = Vec::new();
        if shown.targets.is_some() {
            said.push(format!("{}. Ratios keep the reference of the complete history.", shown.words));
        }
        if !part.without.is_empty() {
            let titles: Vec<&str> = part.without.iter().map(String::as_str).collect();
            said.push(format!("Nothing of it in {}.", list::and(&titles)));
        }
        let mut overview = part.overview;
        if only.is_some() {
            overview.how_to_read.clear();
        }
        let heading = if metric.is_some() { part.heading } else { String::new() };
        let level = self::level(level);
        let cards = Cards { overview, single: only.is_some(), heading, part: said.join(" "), level };
        out.push_str(&shelf.theme.render(&cards)?);
    }
    Ok(out)
}

/// What stands where nothing can be shown.
fn nothing(title: &str) -> String {
    format!("<p class=\"empty\">{} holds no series.</p>\n", escape::markup(title))
}
