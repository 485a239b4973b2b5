//! Drawings that have no targets on an axis: panels and heat maps, in a page and in a file.
//!
//! In a page they are as wide as their box, so places across are per cent; in a file they are px. Text that would not
//! fit everywhere is written once per width class, as in all figures.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::layout::Classes;
use super::look::{Painter, Tone};
use super::plan::write_cut;
use super::writer::Element;
use super::{file, heat, panels};
use crate::draw::{Palette, Style};
use crate::figure::chart::{Body, Chart};
use crate::figure::panels::Form;
use crate::text::width;

/// Width of the drawing in a file.
const WIDE: f64 = 720.0;
/// Space around it.
const SIDE: f64 = 16.0;
/// Text size of a file that is shown at less than [`SMALL`] px.
const SMALL_TEXT: f64 = 22.0;
/// Widest px of small files.
const SMALL: u32 = 440;

/// Where something is drawn.
pub(super) struct Space<'a> {
    /// Gives parts their colours.
    pub(super) painter: Painter<'a>,
    /// Start of every id.
    pub(super) prefix: &'a str,
}

/// The room of one width class.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Least width of the drawing, in its own units.
    pub(super) width: f64,
    /// Size of its text by the normal size.
    pub(super) zoom: f64,
}

impl Space<'_> {
    /// Whether a file is drawn.
    pub(super) fn in_file(&self) -> bool {
        self.painter.palette.is_some()
    }

    /// Sets a place or a length across, in per cent of the width.
    pub(super) fn x<'out>(&self, element: Element<'out>, key: &str, percent: f64) -> Element<'out> {
        if self.in_file() { element.px(key, percent * WIDE / 100.0) } else { element.percent(key, percent) }
    }

    /// A place in per cent in the units of [`Self::stretched`].
    pub(super) fn along(&self, percent: f64) -> f64 {
        percent * if self.in_file() { WIDE / 100.0 } else { 10.0 }
    }

    /// Starts a nested drawing of full width whose places across are those of [`Self::along`].
    pub(super) fn stretched<'out>(&self, parent: &'out mut Element, top: f64, height: f64) -> Element<'out> {
        let svg = parent.child("svg").px("y", top).px("height", height);
        if self.in_file() {
            return svg.px("width", WIDE).attr("overflow", "visible");
        }
        svg.attr("width", "100%")
            .attr("viewBox", &format!("0 0 1000 {height}"))
            .attr("preserveAspectRatio", "none")
    }

    /// The width classes.
    pub(super) fn rooms(&self) -> [Room; 3] {
        let room = |width, zoom| Room { width, zoom };
        if self.in_file() {
            let small = SMALL_TEXT / width::SIZE;
            [room(WIDE, 1.0), room(WIDE, 1.0), room(WIDE, small)]
        } else {
            [room(944.0, 1.0), room(424.0, 1.0), room(272.0, 1.0)]
        }
    }

    /// Makes a text visible in some width classes only.
    pub(super) fn visible<'out>(&self, text: Element<'out>, classes: Classes, more: &str) -> Element<'out> {
        let names = [classes.names(), more].join(" ");
        let text = text.class(names.trim());
        if classes.widest() || !self.in_file() { text } else { text.attr("display", "none") }
    }

    /// Writes a text that is cut to the room that `beside` px leave, once per width class where the cuts differ. `text` is
    /// the element of the first; the others are copies of it.
    pub(super) fn cut(&self, text: Element, whole: &str, beside: f64, more: &str) {
        let cuts = self.rooms().map(|room| width::cut(whole, room.width / room.zoom - beside));
        if cuts[0] == cuts[2] {
            return write_cut(text.class(more), &cuts[0], whole);
        }
        let mut text = text.class(more);
        for (at, cut) in cuts.iter().enumerate() {
            let before = cuts[..at].iter().any(|other| other == cut);
            if before {
                continue;
            }
            let mut classes = Classes::default();
            (0..3).filter(|other| cuts[*other] == *cut).for_each(|other| classes.add(other));
            let span = self.visible(text.child("tspan"), classes, "");
            write_cut(span, cut, whole);
        }
    }

    /// Starts a part that can be read on its own: in a page a script finds it.
    pub(super) fn item<'out>(&self, parent: &'out mut Element, reading: &str) -> Element<'out> {
        let mut group = parent.child("g");
        if self.in_file() {
            group.child("title").text(reading);
            return group;
        }
        group.class("it").attr("data-say", reading)
    }
}

fn root<'out>(out: &'out mut String, class: &str, height: f64, name: &str) -> Element<'out> {
    let svg = Element::open(out, "svg").class(class).attr("width", "100%").px("height", height);
    svg.attr("role", "img").attr("aria-label", name)
}

/// The drawing for a page; none for figures over targets.
pub(super) fn page(chart: &Chart, prefix: &str) -> Option<String> {
    let space = Space { painter: Painter { palette: None }, prefix };
    let mut out = String::with_capacity(8192);
    match &chart.body {
        Body::Panels(all) => {
            for (at, panel) in all.iter().enumerate() {
                let name = format!("{}: {}", chart.title, panel.title);
                // The heading of a figure names its only panel; a curve needs its unit all the same.
                let named = all.len() > 1 || matches!(panel.form, Form::Curve(_));
                let height = panels::height(panel, named);
                let mut svg = root(&mut out, &format!("fig pn s{}", at + 1), height, &name);
                panels::draw(&mut svg, &space, panel, 0.0, at % 6 + 1, named);
            }
        }
        Body::Heat(map) => {
            let mut svg = root(&mut out, "fig pn", heat::height(map), &chart.title);
            heat::draw(&mut svg, &space, map, 0.0);
        }
        _ => return None,
    }
    Some(out)
}

/// The drawing as a file; none for figures over targets.
pub(super) fn as_file(chart: &Chart, style: &Style, palette: &Palette, adapts: bool) -> Option<String> {
    let space = Space { painter: Painter { palette: Some(palette) }, prefix: "" };
    let mut drawing = String::with_capacity(8192);
    let mut bottom = 0.0;
    {
        let svg = Element::open(&mut drawing, "svg").px("x", SIDE).px("y", SIDE).px("width", WIDE);
        let mut svg = svg.attr("overflow", "visible");
        match &chart.body {
            Body::Panels(all) => {
                for (at, panel) in all.iter().enumerate().filter(|(_, panel)| panel.shown) {
                    panels::draw(&mut svg, &space, panel, bottom, at % 6 + 1, true);
                    bottom += panels::height(panel, true);
                }
            }
            Body::Heat(map) => {
                heat::draw(&mut svg, &space, map, bottom);
                bottom += heat::height(map);
            }
            _ => return None,
        }
    }
    let mut notes = String::with_capacity(1024);
    let top = SIDE + bottom + 4.0;
    let normal = write_notes(&mut notes, chart, &space, top, width::SIZE, "z0");
    let small = if adapts { write_notes(&mut notes, chart, &space, top, SMALL_TEXT, "zn") } else { 0.0 };
    let height = (normal.max(small) + SIDE).ceil();
    let wide = WIDE + 2.0 * SIDE;
    let mut out = String::with_capacity(drawing.len() + notes.len() + 2048);
    {
        let mut root = file::root(&mut out, "", chart, [wide, height], style, palette);
        if adapts {
            root.child("style").raw(&sheet(style));
        }
        file::ground(&mut root, palette);
        root.raw(&drawing);
        root.raw(&notes);
    }
    Some(out)
}

/// Writes what the figure says and how to read it; returns where it ends.
fn write_notes(out: &mut String, chart: &Chart, space: &Space, top: f64, text: f64, class: &str) -> f64 {
    let group = Element::open(out, "g").class(class);
    let small = class == "zn";
    let mut group = if small { group.attr("display", "none") } else { group };
    let (mut y, line) = (top, (text * 1.3).round());
    let says = if small { text } else { text * 16.0 / width::SIZE };
    for words in file::wrap(chart.caption.says.trim(), says, WIDE) {
        y += (says * 1.35).round();
        group
            .child("text")
            .px("x", SIDE)
            .px("y", y)
            .attr("font-size", if small { "22" } else { "16" })
            .text(&words);
    }
    let hidden: Cow<'_, str> = match &chart.body {
        Body::Panels(all) => {
            let names: Vec<&str> =
                all.iter().filter(|panel| !panel.shown).map(|panel| panel.title.as_str()).collect();
            if names.is_empty() { "".into() } else { format!(" Not drawn: {}.", names.join("; ")).into() }
        }
        _ => "".into(),
    };
    let fine = format!("{}{hidden}", chart.caption.fine.trim());
    y += text * 0.4;
    let mut group = space.painter.tone(group.child("g"), "", Tone::Muted);
    for words in file::wrap(fine.trim(), text, WIDE) {
        y += line;
        group.child("text").px("x", SIDE).px("y", y).text(&words);
    }
    y
}

/// The style sheet of a file: larger text where it is small, and dark surroundings.
fn sheet(style: &Style) -> String {
    let mut css = String::with_capacity(1200);
    let _ = write!(
        css,
        ":root{{max-width:100%;height:auto;font-variant-numeric:tabular-nums}}\
         @media(max-width:{SMALL}px){{text{{font-size:{SMALL_TEXT}px}}.a,.d,.z0,.b{{display:none}}.c,.e,.f,.zn{{display:inline}}}}"
    );
    css.push_str(&file::dark(&style.dark));
    css
}
