//! A figure as HTML: the block that stands in a page, and a file of its own with everything in it.

use std::borrow::Cow;

use super::points::Points;
use super::svg::{self, writer::Element};
use super::table::{self, Carry};
use super::{Style, json, plotly, rules};
use crate::figure::chart::{Body, Chart};
use crate::figure::dates;
use crate::figure::panels::Panel;
use crate::figure::thin;
use crate::io::sha256_base64;
use crate::text::{escape, number};

/// What a block needs besides its chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockOptions<'a> {
    /// Id of the block, unique in its page; the URL fragment names it (`#fig=<id>`).
    pub id: &'a str,
    /// Links under the figure, in order.
    pub links: &'a [FigureLink<'a>],
    /// Start of names that must differ from those of other figures in the page; the same as of [`svg::page`].
    pub prefix: &'a str,
    /// Where the whole table is, when it is too long to stand under the figure.
    pub values: Option<Values<'a>>,
    /// Where the scripts for exploring lie; without them there is no button.
    pub explore: Option<Explore<'a>>,
}

/// Where the values of a figure are whose table is cut.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// Link of the script that [`Points::script`] wrote.
    pub points: &'a str,
    /// The whole table, on pages of its own.
    pub pages: FigureLink<'a>,
}

/// What exploring a figure needs, as links from its page. Loaded only when the reader asks for it; empty where
/// the page itself carries it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Explore<'a> {
    /// The figure's data, a script by [`super::plotly::script`].
    pub data: &'a str,
    /// plotly.js, by [`super::plotly::library`].
    pub library: &'a str,
}

/// A link under a figure.
#[derive(Debug, Clone, Copy)]
pub struct FigureLink<'a> {
    /// Text.
    pub label: &'a str,
    /// Where it leads.
    pub href: &'a str,
    /// Whether the browser saves the file instead of showing it.
    pub download: bool,
}

/// The figure with toggles, reading line, caption and value table. `svg` is the drawing by
/// [`svg::page`]. Complete without a script; `figure.js` adds readings and keys.
pub fn block(chart: &Chart, svg: &str, options: BlockOptions) -> String {
    let mut out = String::with_capacity(svg.len() + 700 * chart.table.rows.len() + 4096);
    write_block(&mut out, chart, svg, options, (Carry::Numbers, &table::patterns(chart)));
    out
}

fn write_block(
    out: &mut String,
    chart: &Chart,
    svg: &str,
    options: BlockOptions,
    (carry, patterns): (Carry, &[Option<String>]),
) {
    let mut root = Element::open(out, "div").class("block");
    if !options.id.is_empty() {
        root = root.attr("id", options.id);
    }
    let rows = chart.table.rows.len();
    let cut = rows > thin::ROWS;
    if cut {
        root = root.attr("data-points", options.values.map_or("", |values| values.points));
    }
    toggles(&mut root, chart);
    if let Body::Flame(flame) = &chart.body {
        tools(&mut root);
        svg::flame::key(&mut root, flame, options.prefix);
    }
    let by_date = dates::note(chart);
    if by_date.is_some() {
        places(&mut root, options.prefix);
    }
    {
        let mut figure = root.child("figure");
        figure.child("div").class("plot").raw(svg);
        figure.child("p").class("reading").attr("aria-live", "polite").text(&chart.rest);
        let mut caption = figure.child("figcaption");
        caption.child("p").class("says").text(&chart.caption.says);
        let mut fine = caption.child("p").class("fine");
        fine.text(&chart.caption.fine);
        if let Some(note) = by_date.filter(|note| !note.is_empty()) {
            fine.text(" ");
            fine.text(&note);
        }
    }
    {
        let mut details = root.child("details");
        details.child("summary").text(&chart.table.summary);
        if cut {
            let mut words = details.child("p").class("cut");
            let (newest, all) = (number::whole(thin::NEWEST as i128), number::whole(rows as i128));
            words.text(&format!("The newest {newest} of {all} rows. "));
            match options.values {
                Some(values) => words.child("a").attr("href", values.pages.href).text(values.pages.label),
                None => words.text(
                    "The reading line reaches all of them, and the plot document in this file holds every value.",
                ),
            }
        }
        // Browsers give a box that scrolls no key access unless it takes the focus. A group, not a region:
        // a page has many of them, and landmarks must have names of their own.
        let mut scroll = details
            .child("div")
            .class("scroll")
            .attr("tabindex", "0")
            .attr("role", "group")
            .attr("aria-label", &chart.table.summary);
        let mut cells = String::with_capacity(700 * rows.min(thin::ROWS) + 512);
        let from = if cut { rows - thin::NEWEST } else { 0 };
        table::write(&mut cells, chart, carry, from..rows, patterns);
        scroll.raw(&cells);
    }
    links(&mut root, options.links, options.explore);
}

/// What a figure says, and where it is: for pages that would get too heavy if they drew it.
pub fn linked(chart: &Chart, links: &[FigureLink]) -> String {
    let mut out = String::new();
    let mut root = Element::open(&mut out, "div").class("apart");
    root.child("p").class("says").text(&chart.caption.says);
    root.child("p").class("fine").text(
        "Not drawn on this page, which has several figures of so many values: the interactive export shows it with \
         every reading.",
    );
    self::links(&mut root, links, None);
    drop(root);
    out
}

fn toggles(root: &mut Element, chart: &Chart) {
    match &chart.body {
        Body::Panels(panels) => return panel_toggles(root, panels),
        // One line or none, and the heading says the same.
        Body::Cloud(_) | Body::Heat(_) | Body::Flame(_) => return,
        _ => {}
    }
    let single = chart.lines.len() == 1;
    let mut set = root.child(if single { "div" } else { "fieldset" }).class("toggles");
    if !single {
        set.child("legend").text(&crate::figure::names::raised(chart.lines_are()));
    }
    for (at, line) in chart.lines.iter().take(chart.drawable()).enumerate() {
        let mut label = set.child(if single { "span" } else { "label" });
        if single {
            label = label.class("entry");
        } else {
            let input = label
                .child("input")
                .attr("type", "checkbox")
                .class(&format!("t{}", at + 1))
                .attr("autocomplete", "off");
            drop(if line.shown { input.flag("checked") } else { input });
        }
        svg::key(&mut label, chart, line);
        // Names may be written from right to left; the value after them must not move.
        label.child("bdi").text(&line.name);
        label.child("span").text(&line.last);
    }
}

/// Switches for panels; none for a single one, which its heading names.
fn panel_toggles(root: &mut Element, panels: &[Panel]) {
    if panels.len() < 2 {
        return;
    }
    let mut set = root.child("fieldset").class("toggles");
    set.child("legend").text("Panels");
    for (at, panel) in panels.iter().enumerate() {
        let mut label = set.child("label");
        let input = label.child("input").attr("type", "checkbox").class(&format!("t{}", at + 1));
        let input = input.attr("autocomplete", "off");
        drop(if panel.shown { input.flag("checked") } else { input });
        label.child("bdi").text(&panel.title);
        label.child("span").text(&panel.note);
    }
}

/// The search of a flame graph. The script shows it; its place is kept, so that nothing moves.
fn tools(root: &mut Element) {
    let mut tools = root.child("div").class("flame-tools").flag("hidden");
    let mut label = tools.child("label");
    label.text("Find frames ");
    drop(label.child("input").attr("type", "search").attr("autocomplete", "off").attr("spellcheck", "false"));
    drop(label);
    // With its own end tag: without, HTML would take what follows for its content.
    tools.child("output").text("");
    tools.child("button").attr("type", "button").flag("disabled").text("Show all");
}

/// The switch between the drawing by order and that by date. It works without a script.
fn places(root: &mut Element, prefix: &str) {
    let mut set = root.child("fieldset").class("places");
    set.child("legend").text("Horizontal axis");
    let name = format!("{prefix}x");
    for (class, text) in [("xo", "by order"), ("xd", "by date")] {
        let mut label = set.child("label");
        let input = label.child("input").attr("type", "radio").class(class).attr("name", &name);
        let input = input.attr("autocomplete", "off");
        drop(if class == "xo" { input.flag("checked") } else { input });
        label.text(text);
    }
}

fn links(root: &mut Element, links: &[FigureLink], explore: Option<Explore>) {
    if links.is_empty() && explore.is_none() {
        return;
    }
    let mut list = root.child("p").class("links");
    for link in links {
        let mut anchor = list.child("a").attr("href", link.href);
        if link.download {
            anchor = anchor.flag("download");
        }
        anchor.text(link.label);
    }
    if let Some(Explore { data, library }) = explore {
        let button =
            list.child("button").attr("type", "button").class("explore").attr("aria-pressed", "false");
        let button = if library.is_empty() {
            button
        } else {
            button.attr("data-explore", data).attr("data-plotly", library)
        };
        // The script shows it.
        button.flag("hidden").text("Explore");
    }
}

/// What an export says besides its figure.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// File name under which the plot document is saved, such as `plain-wall.json`.
    pub document_name: &'a str,
    /// Last line of the file, such as the program and its version.
    pub footer: &'a str,
    /// plotly.js, by [`super::plotly::library`]: the file carries it and opens explored.
    pub library: Option<&'a str>,
    /// The values of a figure whose table is cut, where they are at hand.
    pub points: Option<&'a Points>,
    /// The document's text as [`json::deflated`] gives it, where it is at hand.
    pub packed: Option<&'a [u8]>,
}

/// The figure as one HTML file without any request: drawing, toggles, readings, values, provenance, and the
/// plot document `document` (JSON text) to save, without the spaces between its tokens. Its policy names the inline style and script by digest.
pub fn export(chart: &Chart, document: &str, style: &Style, options: ExportOptions) -> String {
    let drawing = svg::page(chart, "");
    let mut block = String::with_capacity(drawing.len() + 400 * chart.table.rows.len() + 4096);
    let explore = options.library.map(|_| Explore::default());
    let inside = BlockOptions { id: "figure", links: &[], explore, ..BlockOptions::default() };
    // Where the table is cut, the values lie beside it in the file.
    let cut = chart.table.rows.len() > thin::ROWS;
    let made = (cut && options.points.is_none()).then(|| Points::new(chart));
    let points = options.points.or(made.as_ref());
    let patterns =
        points.map_or_else(|| Cow::Owned(table::patterns(chart)), |points| (&points.patterns).into());
    write_block(&mut block, chart, &drawing, inside, (Carry::Readings, &patterns));
    let large = match &chart.body {
        Body::Panels(_) | Body::Heat(_) => style.panels_js.as_str(),
        _ if cut => style.large_js.as_str(),
        _ => "",
    };
    let script = match chart.body {
        // Their tables are never cut.
        Body::Flame(_) => [&*style.js, &style.flame_js],
        _ => [large, &style.js],
    };
    let rules = style.made.sheets.rules(&style.css, script, FRAME);
    let mut seen = rules.seen();
    let mut lean = String::with_capacity(block.len());
    rules::write_markup(&mut lean, &block, &mut seen);
    let block = lean;
    let smaller = seen.smaller();
    let explored = options.library.map(|_| {
        let css = [style.css.as_str(), &style.explore_css].concat();
        let js = [rules.script.as_str(), &style.explore_js].concat();
        let digests = [css.as_bytes(), js.as_bytes()].map(sha256_base64);
        (css, js, digests)
    });
    let (css, js, [css_sha256, js_sha256]) = match &explored {
        None => (&smaller.css, &rules.script, [&smaller.sha256, &rules.script_sha256]),
        Some((css, js, [css_sha256, js_sha256])) => (css, js, [css_sha256, js_sha256]),
    };
    // What stands in an element of its own must not end it.
    let library = options.library.filter(|library| !library.contains("</script"));
    debug_assert!(!css.contains("</style") && !js.contains("</script"), "ends its own element");
    let values = points.map_or(0, |points| points.json.len());
    let mut out = String::with_capacity(block.len() + document.len() + values + css.len() + js.len() + 4096);
    out.push_str("<!doctype html>\n");
    let mut root = Element::open(&mut out, "html").attr("lang", "en");
    {
        let mut head = root.child("head");
        head.raw("<meta charset=\"utf-8\">");
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'{}; style-src 'sha256-{}'; img-src data:{}; \
             base-uri 'none'; form-action 'none'",
            js_sha256,
            library
                .map(|library| format!(" 'sha256-{}'", sha256_base64(library.as_bytes())))
                .unwrap_or_default(),
            css_sha256,
            if library.is_some() { " blob:" } else { "" }
        );
        head.raw(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"));
        head.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        head.child("title").text(&chart.title);
        head.child("style").raw(css);
        if library.is_some() {
            // Where this element stands, plotly.js adds no sheet of its own.
            head.raw("<template id=\"plotly.js-style-global\" class=\"no-inline-styles\"></template>");
        }
    }
    let mut body = root.child("body").class("export");
    {
        let mut main = body.child("main");
        main.child("h1").text(&chart.title);
        main.raw(&block);
        let mut line = main.child("p").class("links");
        let save = line.child("button").attr("type", "button").class("save").flag("hidden");
        save.attr("data-name", options.document_name).text("Save the plot document");
        drop(line);
        if !chart.provenance.is_empty() {
            main.child("h2").text("Provenance");
            let mut list = main.child("dl");
            for (label, text) in &chart.provenance {
                list.child("dt").text(label);
                list.child("dd").text(text);
            }
        }
    }
    if !options.footer.is_empty() {
        body.child("footer").text(options.footer);
    }
    // Only the script of large figures can open one that is packed.
    json::write(&mut body, document, options.packed, large == style.large_js);
    if let Some(points) = points {
        let mut data = body.child("script").attr("type", "application/json").attr("id", "points");
        data.raw(&escape::script_json(&points.json));
    }
    if let Some(library) = library {
        let data = body.child("script").attr("type", "application/json");
        data.attr("id", "explored-data").raw(&escape::script_json(&plotly::figure(chart)));
        body.child("script").raw(library);
    }
    body.child("script").raw(js);
    drop(body);
    drop(root);
    out.push('\n');
    out
}

/// Classes, attributes and elements of the file around the block.
const FRAME: &str =
    "<html><body class=\"export\"><main><h1><h2><p class=\"links save\"><button hidden=><dl><dt><dd><footer>";
