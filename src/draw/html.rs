//! A figure as HTML: the block that stands in a page, and a file of its own with everything in it.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::svg::{self, writer::Element};
use super::{Style, table};
use crate::figure::chart::Chart;
use crate::text::escape;

/// What a block needs besides its chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockOptions<'a> {
    /// Id of the block, unique in its page; the URL fragment names it (`#fig=<id>`).
    pub id: &'a str,
    /// Links under the figure, in order.
    pub links: &'a [FigureLink<'a>],
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
    write_block(&mut out, chart, svg, options);
    out
}

fn write_block(out: &mut String, chart: &Chart, svg: &str, options: BlockOptions) {
    let mut root = Element::open(out, "div").class("block");
    if !options.id.is_empty() {
        root = root.attr("id", options.id);
    }
    toggles(&mut root, chart);
    {
        let mut figure = root.child("figure");
        figure.child("div").class("plot").raw(svg);
        figure.child("p").class("reading").attr("aria-live", "polite").text(&chart.rest);
        let mut caption = figure.child("figcaption");
        caption.child("p").class("says").text(&chart.caption.says);
        caption.child("p").class("fine").text(&chart.caption.fine);
    }
    {
        let mut details = root.child("details");
        details.child("summary").text(&chart.table.summary);
        // Browsers give a region that scrolls no key access unless it takes the focus.
        let mut scroll = details
            .child("div")
            .class("scroll")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", &format!("{}: {}", chart.table.summary, chart.title));
        let mut cells = String::with_capacity(700 * chart.table.rows.len() + 512);
        table::write(&mut cells, chart);
        scroll.raw(&cells);
    }
    links(&mut root, options.links);
}

fn toggles(root: &mut Element, chart: &Chart) {
    let single = chart.lines.len() == 1;
    let mut set = root.child(if single { "div" } else { "fieldset" }).class("toggles");
    if !single {
        set.child("legend").text(&crate::figure::names::raised(chart.lines_are()));
    }
    for (at, line) in chart.lines.iter().enumerate() {
        let mut label = set.child(if single { "span" } else { "label" });
        if single {
            label = label.class("entry");
        } else {
            let input = label
                .child("input")
                .attr("type", "checkbox")
                .class(&format!("t{}", at + 1))
                .attr("autocomplete", "off");
            drop(if line.shown { input.attr("checked", "") } else { input });
        }
        svg::key(&mut label, line);
        // Names may be written from right to left; the value after them must not move.
        label.child("bdi").class("name").text(&line.name);
        label.child("span").class("last").text(&line.last);
    }
}

fn links(root: &mut Element, links: &[FigureLink]) {
    if links.is_empty() {
        return;
    }
    let mut list = root.child("p").class("links");
    for link in links {
        let mut anchor = list.child("a").attr("href", link.href);
        if link.download {
            anchor = anchor.attr("download", "");
        }
        anchor.text(link.label);
    }
}

/// What an export says besides its figure.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// File name under which the plot document is saved, such as `plain-wall.json`.
    pub document_name: &'a str,
    /// Last line of the file, such as the program and its version.
    pub footer: &'a str,
}

/// The figure as one HTML file without any request: drawing, toggles, readings, values, provenance, and the
/// plot document `document` (JSON text) to save. Its policy names the inline style and script by digest.
pub fn export(chart: &Chart, document: &str, style: &Style, options: ExportOptions) -> String {
    let drawing = svg::page(chart, "f");
    let mut out = String::with_capacity(
        drawing.len()
            + document.len()
            + style.css.len()
            + style.js.len()
            + 800 * chart.table.rows.len()
            + 4096,
    );
    let (css, js) = (lean(&style.css), lean(&style.js));
    debug_assert!(!style.css.contains("</style") && !style.js.contains("</script"), "ends its own element");
    out.push_str("<!doctype html>\n");
    let mut root = Element::open(&mut out, "html").attr("lang", "en");
    {
        let mut head = root.child("head");
        void(&mut head, "<meta charset=\"utf-8\">");
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
             form-action 'none'",
            digest(&js),
            digest(&css)
        );
        void(&mut head, &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"));
        void(&mut head, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        void(&mut head, "<meta name=\"color-scheme\" content=\"light dark\">");
        head.child("title").text(&chart.title);
        head.child("style").raw(&css);
    }
    let mut body = root.child("body").class("export");
    {
        let mut main = body.child("main");
        main.child("h1").text(&chart.title);
        let mut block = String::with_capacity(drawing.len() + 800 * chart.table.rows.len() + 4096);
        write_block(&mut block, chart, &drawing, BlockOptions { id: "figure", links: &[] });
        main.raw(&block);
        let mut line = main.child("p").class("links");
        let save = line.child("button").attr("type", "button").class("save").attr("hidden", "");
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
    let data = body.child("script").attr("type", "application/json");
    data.attr("id", "plot-document").raw(&escape::script_json(document));
    body.child("script").raw(&js);
    drop(body);
    drop(root);
    out.push('\n');
    out
}

/// Style sheet or script without indentation and without lines that are comments. Left alone when it has
/// template literals, in which spaces count.
fn lean(text: &str) -> Cow<'_, str> {
    if text.contains('`') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        let comment = line.starts_with("//")
            || (line.starts_with("/*") && line.find("*/") == line.len().checked_sub(2));
        if !line.is_empty() && !comment {
            out.push_str(line);
            out.push('\n');
        }
    }
    Cow::Owned(out)
}

/// Writes an element that has no end tag.
fn void(parent: &mut Element, markup: &str) {
    parent.raw(markup);
}

/// SHA-256 of `text` in base64, as content policies want it.
fn digest(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let joined =
            part.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for place in 0..4 {
            if place > part.len() {
                out.push('=');
            } else {
                out.push(char::from(LETTERS[(joined >> (18 - 6 * place) & 63) as usize]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_by_the_examples_of_its_standard() {
        for (text, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }
}
