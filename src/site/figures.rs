//! The files of a figure, and the figure as a block of a page.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::draw::html::{BlockOptions, Explore, ExportOptions, FigureLink, Values};
use crate::draw::points::Points;
use crate::draw::{self, Style};
use crate::error::Result;
use crate::evidence::plot::PlotDocument;
use crate::figure::{self, Chart};
use crate::text::slug;
use crate::theme::Asset;

pub(super) use super::packed::Packed;
use super::plan::link;
use super::values;

/// Files by path below the site's root.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// Endings of the files that every figure has.
pub(super) const ENDINGS: [&str; 4] = ["svg", "html", "json", "csv"];

/// Ending of the data of a figure that can be explored in Plotly.
pub(super) const EXPLORE: &str = "explore.js";

/// Ending of the values of a figure whose table is cut.
pub(super) const POINTS: &str = "points.js";

/// A figure made ready for its files and its pages.
#[derive(Debug)]
pub(super) struct Ready<'a> {
    /// Its document as text.
    pub(super) packed: &'a Packed,
    /// The document.
    pub(super) document: PlotDocument,
    /// What is drawn.
    pub(super) chart: Chart,
    /// The document as it is published.
    json: Cow<'a, str>,
}

impl<'a> Ready<'a> {
    /// # Errors
    /// The document cannot be drawn.
    pub(super) fn new(packed: &'a Packed) -> Result<Self> {
        let json = packed.text()?;
        let document = packed.parse(&json)?;
        let mut chart = figure::chart(&document)?;
        // Where several figures had one id, its files are named apart.
        chart.id.clone_from(&packed.id);
        Ok(Self { packed, document, chart, json })
    }

    /// The files, path and bytes, once: the text of the document goes with them. Those for pages that draw the
    /// figure are made where there is one.
    pub(super) fn files(&mut self, source: &str, style: &Style) -> Files {
        let base = base(source, &self.packed.id);
        let long = values::count(self.chart.table.rows.len()) > 0;
        let points = long.then(|| Points::new(&self.chart));
        let html = file(
            &self.chart,
            &self.document,
            &self.json,
            style,
            DRAWN,
            Beside { points: points.as_ref(), packed: self.packed.deflated(), library: None },
        );
        let mut files = vec![
            (format!("{base}.svg"), draw::svg::file(&self.chart, style).into_bytes()),
            (format!("{base}.html"), html.into_bytes()),
            (format!("{base}.json"), std::mem::take(&mut self.json).into_owned().into_bytes()),
            (format!("{base}.csv"), draw::csv::csv(&self.chart.data).into_bytes()),
        ];
        if self.packed.only_linked {
            return files;
        }
        if figure::explorable(&self.chart.kind) {
            let explored = draw::plotly::script(&self.chart, &self.packed.id);
            files.push((format!("{base}.{EXPLORE}"), explored.into_bytes()));
        }
        if let Some(points) = points {
            files.push((format!("{base}.{POINTS}"), points.script(&self.packed.id).into_bytes()));
        }
        files
    }
}

/// plotly.js, for pages with figures: one file for the whole site.
pub(super) fn library() -> &'static Asset {
    static LIBRARY: OnceLock<Asset> = OnceLock::new();
    LIBRARY.get_or_init(|| Asset::new("plotly.js", draw::plotly::library().into_bytes()))
}

/// Path of plotly.js below the site's root.
pub(super) fn library_path() -> String {
    format!("assets/{}", library().name)
}

/// Path of a figure's files without their ending.
pub(super) fn base(source: &str, id: &str) -> String {
    format!("figures/{source}/{}", slug::slug(id))
}

/// The figure as one HTML file; the same bytes from the site, from `export` and from `render`.
pub fn export(chart: &Chart, document: &PlotDocument, json: &str, style: &Style) -> String {
    file(chart, document, json, style, DRAWN, Beside::default())
}

/// The figure as one HTML file that carries plotly.js and opens explored; without it where a script of ours explores.
pub fn export_explored(chart: &Chart, document: &PlotDocument, json: &str, style: &Style) -> String {
    if !figure::explorable(&chart.kind) {
        return export(chart, document, json, style);
    }
    // The `plotly` crate carries text.
    let library = std::str::from_utf8(&library().bytes).unwrap_or_default();
    let named = library.split_once("plotly.js v").map_or("", |(_, rest)| rest);
    let version = named.split_whitespace().next().unwrap_or_default();
    let footer = format!(
        "{DRAWN} The file carries plotly.js {version} (MIT licence) to explore the figure; it needs no network."
    );
    file(chart, document, json, style, &footer, Beside { library: Some(library), ..Beside::default() })
}

/// Last line of every file.
const DRAWN: &str = concat!("Drawn from saved evidence by perfolio ", env!("CARGO_PKG_VERSION"), ".");

/// What is at hand for a file, or stands in it besides the figure.
#[derive(Default)]
struct Beside<'a> {
    library: Option<&'a str>,
    points: Option<&'a Points>,
    packed: Option<&'a [u8]>,
}

fn file(
    chart: &Chart,
    document: &PlotDocument,
    json: &str,
    style: &Style,
    footer: &str,
    Beside { library, points, packed }: Beside<'_>,
) -> String {
    let document_name = &format!("{}.json", slug::slug(&document.plot.id));
    draw::html::export(chart, json, style, ExportOptions { document_name, footer, library, points, packed })
}

/// The links of a figure from `page`.
fn hrefs(page: &str, base: &str) -> [String; 4] {
    ["html", "json", "svg", "csv"].map(|ending| link(page, &format!("{base}.{ending}")))
}

fn links(hrefs: &[String; 4]) -> [FigureLink<'_>; 4] {
    let link = |label, at: usize, download| FigureLink { label, href: &hrefs[at], download };
    [
        link("Open the interactive export", 0, false),
        link("Download the serialized plot", 1, true),
        link("Open the static SVG", 2, false),
        link("CSV", 3, true),
    ]
}

/// The figure as words and links, for a `page` that would get too heavy if it drew it.
pub(super) fn linked(page: &str, source: &str, table: &str, chart: &Chart) -> String {
    let hrefs = hrefs(page, &base(source, &chart.id));
    let rows = chart.table.rows.len();
    let (label, first) = (values::label(rows), link(page, &values::path(source, table, 1)));
    let pages = FigureLink { label: &label, href: &first, download: false };
    let cut = (values::count(rows) > 0).then_some(pages);
    let links: Vec<FigureLink<'_>> = links(&hrefs).into_iter().chain(cut).collect();
    draw::html::linked(chart, &links)
}

/// The figure as a block of `page`; `prefix` keeps its ids apart from those of other figures there. `table` is
/// the figure that has the pages of values, where there are some.
pub(super) fn block(page: &str, source: &str, table: &str, chart: &Chart, prefix: &str) -> String {
    block_with(page, source, table, chart, prefix, &[])
}

/// The same with links to further files: text and path.
pub(super) fn block_with(
    page: &str,
    source: &str,
    table: &str,
    chart: &Chart,
    prefix: &str,
    more: &[(&str, String)],
) -> String {
    let id = chart.id.as_str();
    let base = base(source, id);
    let to = |ending: &str| link(page, &format!("{base}.{ending}"));
    let hrefs = hrefs(page, &base);
    let explore = (to(EXPLORE), link(page, &library_path()));
    let further: Vec<String> = more.iter().map(|(_, path)| link(page, path)).collect();
    let mut links = links(&hrefs).to_vec();
    let more = more.iter().zip(&further);
    links.extend(more.map(|((label, _), href)| FigureLink { label, href, download: true }));
    let rows = chart.table.rows.len();
    let label = values::label(rows);
    let (first, points) = (self::link(page, &values::path(source, table, 1)), to(POINTS));
    let pages = FigureLink { label: &label, href: &first, download: false };
    let values = (values::count(rows) > 0).then_some(Values { points: &points, pages });
    let explore =
        figure::explorable(&chart.kind).then_some(Explore { data: &explore.0, library: &explore.1 });
    let options = BlockOptions { id, links: &links, prefix, values, explore };
    draw::html::block(chart, &draw::svg::page(chart, prefix), options)
}

/// Fragment of a figure on its page.
pub(super) fn anchor(id: &str) -> String {
    format!("fig-{}", slug::slug(id))
}
