//! Figures as SVG, by our own writer: text stays text, numbers are rounded to 0.1 px, there is no script.
//!
//! [`page`] makes the form that stands in a page: the outer element is the plot area, as wide as its box, and
//! only classes say how it looks. [`file()`] makes a file that looks the same anywhere: the same drawing at a
//! fixed size, with colours as attributes and one style sheet for dark surroundings and small sizes.
//! [`spark()`] makes the small curve of an overview.
//!
//! | file | holds |
//! | --- | --- |
//! | `writer` | elements that close themselves, escaping, rounding |
//! | `look` | shapes, dashes, tones |
//! | `plan` | a chart with its geometry |
//! | `layout` | width classes, thinning, pushing apart |
//! | `plot`, `labels`, `ends`, `under` | the drawing |
//! | `spreads`, `bars` | samples with their boxes, changes |
//! | `cloud`, `cloud_labels` | the drawing of marks between two axes of values |
//! | `free`, `panels`, `heat` | the drawing of figures without targets on an axis |
//! | `flame`, `flame_file` | frames of call paths, in a page and in a file |
//! | `tame` | names made visible |
//! | `file` | title, notes and style sheet of the file |

mod bars;
mod cloud;
mod cloud_labels;
mod ends;
mod file;
pub(super) mod flame;
mod flame_file;
mod free;
mod heat;
mod labels;
mod layout;
pub(super) mod look;
mod panels;
mod plan;
mod plot;
mod spark;
mod spreads;
mod tame;
mod under;
pub(super) mod writer;

pub(super) use file::{WIDTH, still};
pub use file::{file, file_by_date};
pub use spark::spark;

use crate::figure::chart::{Body, Chart, Form, Line, Mark};
use crate::figure::dates;
use look::{Look, Painter, Tone, inline_shape};
use plan::Plan;
use under::Under;
use writer::Element;

/// The figure for a page. `prefix` starts every id and must be unique in the page; it is made of letters,
/// digits and hyphens. All drawable lines are in it, those that are not shown at first as well: the style sheet of
/// figures switches them by the toggles of [`super::html::block`]. Where dates are known it is drawn twice, by
/// order (`od`) and by date (`dd`), and a switch of the block chooses.
pub fn page(chart: &Chart, prefix: &str) -> String {
    if let Body::Flame(flame) = &chart.body {
        return flame::page(chart, flame, prefix);
    }
    if let Some(drawing) = free::page(chart, prefix) {
        return drawing;
    }
    let drawn = (0..chart.drawable()).collect();
    let plan = Plan { chart, painter: Painter { palette: None }, prefix, drawn, dated: None };
    let under = Under::new(&plan);
    let dated = dates::by_date(chart);
    let over_time = dated.as_ref().map(|dated| plan.by_date(dated));
    let below = over_time.as_ref().map(|plan| Under::over_time(plan, &under));
    let mut out = String::with_capacity(16_384);
    {
        let class = format!("fig{}{}", ticks_class(&plan), under.narrowing());
        let mut root = Element::open(&mut out, "svg")
            .class(&class)
            .px("height", above(&plan) + bottom(&plan, &under))
            .attr("role", "img")
            .attr("aria-label", &chart.title);
        plot::draw(&mut root, &plan, &under, over_time.as_ref().zip(below.as_ref()));
    }
    out
}

/// Height of a mark in px from the top of the plot, when it has one.
pub(super) fn height(chart: &Chart, mark: &Mark) -> Option<f64> {
    let plan = Plan { chart, painter: Painter { palette: None }, prefix: "", drawn: Vec::new(), dated: None };
    plan.mark_y(mark)
}

/// Space above the plot in px.
fn above(plan: &Plan) -> f64 {
    if plan.cloud().is_some() { cloud::ABOVE } else { plot::ABOVE }
}

/// Distance from the top of the plot to the lower edge of everything, in px.
fn bottom(plan: &Plan, under: &Under) -> f64 {
    if plan.cloud().is_some() { cloud::BOTTOM } else { under.bottom() }
}

/// How the labels of the value axis are set: beside the plot, or inside it when they are too wide for the
/// margin of a narrow figure.
fn ticks_class(plan: &Plan) -> &'static str {
    let wide = plot::tick_width(plan);
    if wide > plot::MARGIN {
        " ti tj"
    } else if wide > plot::NARROW_MARGIN {
        " ti"
    } else {
        ""
    }
}

/// The sample of a line for its toggle: a piece of the line with its mark, or what is drawn in its place.
pub(super) fn key(parent: &mut Element, chart: &Chart, line: &Line) {
    let (look, painter) = (Look::of(line.slot), Painter { palette: None });
    let mut svg = parent
        .child("svg")
        .class("fig key")
        .attr("width", "32")
        .attr("height", "12")
        .attr("aria-hidden", "true");
    match &chart.body {
        Body::Lines | Body::Cloud(_) | Body::Panels(_) | Body::Heat(_) | Body::Flame(_) => {}
        Body::Spreads(_) => return spreads::sample(&mut svg, painter, look, (16.0, 6.0), 1.0),
        Body::Bars(_) => return bars::sample(&mut svg, painter, look, (16.0, 6.0), 1.0),
    }
    let stroke = painter.tone(svg.child("path"), "", look.stroke()).attr("d", "M0 6h32");
    drop(if look.dash.is_empty() { stroke } else { stroke.attr("stroke-dasharray", look.dash) });
    let tone = if is_hollow(line) { Tone::SeriesHollow(look.colour) } else { look.fill() };
    let mut mark = painter.tone(svg.child("g"), "", tone).attr("transform", "translate(16 6)");
    inline_shape(&mut mark, look.shape);
}

/// Whether every value of a line is drawn by convention: its sample is hollow, as its marks are.
fn is_hollow(line: &Line) -> bool {
    let drawn = || line.marks.iter().filter(|mark| mark.value.is_some());
    drawn().next().is_some() && drawn().all(|mark| mark.form != Form::Measured)
}
