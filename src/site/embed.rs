//! Blocks of content pages: a gallery, a workload, a figure.

use crate::error::Result;
use crate::text::escape;
use crate::theme::view::Cards;

use super::gallery;
use super::plan::link;
use super::resolve::Shelf;
use super::workloads::{Gallery, Workload};

/// A figure under its heading.
pub(super) fn figure(anchor: &str, heading: &str, body: &str) -> String {
    format!(
        "<section class=\"embedded\" id=\"{anchor}\"><h3>{}</h3>{body}</section>\n",
        escape::markup(heading)
    )
}

/// The overview of a source.
pub(super) fn gallery(shelf: &Shelf<'_>, gallery: &Gallery, page: &str) -> Result<String> {
    match gallery::overview(gallery, page) {
        Some(overview) => shelf.theme.render(&Cards { overview, single: false }),
        None => Ok(nothing(&gallery.title)),
    }
}

/// The card of one workload.
pub(super) fn workload(
    shelf: &Shelf<'_>,
    gallery: &Gallery,
    workload: &Workload,
    page: &str,
) -> Result<String> {
    let Some(mut overview) = gallery::overview(gallery, page) else {
        return Ok(nothing(&workload.title));
    };
    let href = link(page, &workload.page);
    overview.cards.retain(|card| card.href == href);
    overview.how_to_read.clear();
    shelf.theme.render(&Cards { overview, single: true })
}

/// What stands where nothing can be shown.
fn nothing(title: &str) -> String {
    format!("<p class=\"empty\">{} holds no series.</p>\n", escape::markup(title))
}
