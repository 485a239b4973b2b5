//! The files of a figure, and the figure as a block of a page.

use crate::draw::html::{BlockOptions, ExportOptions, FigureLink};
use crate::draw::{self, Style};
use crate::error::Result;
use crate::evidence::plot::PlotDocument;
use crate::figure::{self, Chart};
use crate::text::slug;

use super::plan::link;

/// Files by path below the site's root.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// Endings of the files that every figure has.
pub(super) const ENDINGS: [&str; 4] = ["svg", "html", "json", "csv"];

/// Path of a figure's files without their ending.
pub(super) fn base(source: &str, document: &PlotDocument) -> String {
    format!("figures/{source}/{}", slug::slug(&document.plot.id))
}

/// The files of a figure: path and bytes.
///
/// # Errors
/// The document cannot be drawn.
pub(super) fn files(source: &str, document: &PlotDocument, style: &Style) -> Result<Files> {
    let base = base(source, document);
    let chart = figure::chart(document)?;
    let json = draw::json::document(document)?;
    let html = export(&chart, document, &json, style);
    Ok(vec![
        (format!("{base}.svg"), draw::svg::file(&chart, style).into_bytes()),
        (format!("{base}.html"), html.into_bytes()),
        (format!("{base}.json"), json.into_bytes()),
        (format!("{base}.csv"), draw::csv::csv(&chart.data).into_bytes()),
    ])
}

/// The figure as one HTML file; the same bytes from the site, from `export` and from `render`.
pub fn export(chart: &Chart, document: &PlotDocument, json: &str, style: &Style) -> String {
    let options = ExportOptions {
        document_name: &format!("{}.json", slug::slug(&document.plot.id)),
        footer: concat!("Drawn from saved evidence by perfolio ", env!("CARGO_PKG_VERSION"), "."),
    };
    draw::html::export(chart, json, style, options)
}

/// The figure as a block of `page`; `prefix` keeps its ids apart from those of other figures there.
pub(super) fn block(
    page: &str,
    source: &str,
    document: &PlotDocument,
    chart: &Chart,
    prefix: &str,
) -> String {
    let base = base(source, document);
    let to = |ending: &str| link(page, &format!("{base}.{ending}"));
    let hrefs = [to("html"), to("json"), to("svg"), to("csv")];
    let link = |label, at: usize, download| FigureLink { label, href: &hrefs[at], download };
    let links = [
        link("Open the interactive export", 0, false),
        link("Download the serialized plot", 1, true),
        link("Open the static SVG", 2, false),
        link("CSV", 3, true),
    ];
    let options = BlockOptions { id: &document.plot.id, links: &links };
    draw::html::block(chart, &draw::svg::page(chart, prefix), options)
}

/// Fragment of a figure on its page.
pub(super) fn anchor(document: &PlotDocument) -> String {
    format!("fig-{}", slug::slug(&document.plot.id))
}
