//! How a series looks without colour, and which colour each part takes. A figure is drawn once: inside a
//! page the parts carry classes only, in a file also the colours as attributes, so that viewers without a
//! style sheet see it right.

use super::writer::Element;
use crate::draw::Palette;

const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "12 3", "4 2"];

/// Circle, square, triangle, diamond, reversed triangle, hexagon: about equally heavy.
const SHAPES: [(&str, &str); 6] = [
    ("circle", "3.5"),
    ("path", "M-3.2-3.2h6.4v6.4h-6.4z"),
    ("path", "M0-4.4 4.2 3.1h-8.4z"),
    ("path", "M0-4.7 4.7 0 0 4.7-4.7 0z"),
    ("path", "M0 4.4 4.2-3.1h-8.4z"),
    ("path", "M-4.2 0-2.1-3.6h4.2L4.2 0 2.1 3.6h-4.2z"),
];

/// The looks of one slot. Slots above six take a colour again with another dash and shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::draw) struct Look {
    /// Colour, from 1 to 6.
    pub(in crate::draw) colour: usize,
    /// Shape, from 0 to 5.
    pub(in crate::draw) shape: usize,
    /// Dash pattern; empty for a solid line.
    pub(in crate::draw) dash: &'static str,
}

impl Look {
    /// The look of `slot`, counted from 1.
    pub(in crate::draw) fn of(slot: usize) -> Self {
        let (turn, at) = ((slot.max(1) - 1) / 6, (slot.max(1) - 1) % 6);
        Self { colour: at + 1, shape: (at + turn * 2) % 6, dash: DASHES[(at + turn) % 6] }
    }

    /// The class that colours strokes.
    pub(in crate::draw) fn stroke(self) -> Tone {
        Tone::SeriesStroke(self.colour)
    }

    /// The class that colours areas.
    pub(in crate::draw) fn fill(self) -> Tone {
        Tone::SeriesFill(self.colour)
    }
}

/// A part that takes a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::draw) enum Tone {
    /// Secondary text.
    Muted,
    /// Grid lines.
    Grid,
    /// Boundaries.
    Rule,
    /// The newest change of a dependency.
    Strong,
    /// Reference line and leaders.
    Reference,
    /// Text over lines: an edge in the colour of the paper.
    Halo,
    /// Line of a series.
    SeriesStroke(usize),
    /// Filled mark of a series, with an edge in the colour of the paper.
    SeriesFill(usize),
    /// Area of a series with an edge in its own colour.
    SeriesSolid(usize),
    /// Hollow mark of a series.
    SeriesHollow(usize),
    /// Hollow mark that belongs to no series.
    Hollow,
    /// Stroke in the colour of the paper, over another one.
    PaperStroke,
    /// Dependency strip: 0 plain, 1 alternate, 2 newest.
    Band(usize),
    /// Area of a series without an edge.
    SeriesArea(usize),
    /// Ground under a bar.
    Ground,
    /// Bar of what was folded.
    Rest,
    /// Cell of a heat map: 0 for zero, then from little to much.
    Heat(u8),
}

/// Gives elements their tone.
#[derive(Clone, Copy)]
pub(in crate::draw) struct Painter<'a> {
    /// Colours to write as attributes; none inside a page.
    pub(in crate::draw) palette: Option<&'a Palette>,
}

impl Painter<'_> {
    /// Adds the classes of `tone` after `more`, and its colours.
    pub(in crate::draw) fn tone<'out>(self, element: Element<'out>, more: &str, tone: Tone) -> Element<'out> {
        const SERIES: [[&str; 4]; 6] = [
            ["l1", "f1 mk", "l1 ho", "f1 l1"],
            ["l2", "f2 mk", "l2 ho", "f2 l2"],
            ["l3", "f3 mk", "l3 ho", "f3 l3"],
            ["l4", "f4 mk", "l4 ho", "f4 l4"],
            ["l5", "f5 mk", "l5 ho", "f5 l5"],
            ["l6", "f6 mk", "l6 ho", "f6 l6"],
        ];
        const AREAS: [&str; 6] = ["f1", "f2", "f3", "f4", "f5", "f6"];
        const HEAT: [&str; 7] = ["q0 v", "q1", "q2", "q3", "q4", "q5", "q6"];
        let class = match tone {
            Tone::Muted => "m",
            Tone::Grid => "g",
            Tone::Rule => "v",
            Tone::Strong => "vk",
            Tone::Reference => "r",
            Tone::Halo => "hl",
            Tone::SeriesStroke(colour) => SERIES[colour - 1][0],
            Tone::SeriesFill(colour) => SERIES[colour - 1][1],
            Tone::SeriesHollow(colour) => SERIES[colour - 1][2],
            Tone::SeriesSolid(colour) => SERIES[colour - 1][3],
            Tone::Hollow => "r ho",
            Tone::PaperStroke => "mk",
            Tone::Band(0) => "bd",
            Tone::Band(1) => "be",
            Tone::Band(_) => "bn",
            Tone::SeriesArea(colour) => AREAS[colour - 1],
            Tone::Ground => "gr",
            Tone::Rest => "rs",
            Tone::Heat(step) => HEAT[usize::from(step).min(HEAT.len() - 1)],
        };
        let element =
            if more.is_empty() { element.class(class) } else { element.class(&format!("{more} {class}")) };
        let Some(palette) = self.palette else { return element };
        let series = |colour: usize| palette.series.get(colour - 1).unwrap_or(&palette.ink);
        match tone {
            Tone::Muted | Tone::Rest => element.attr("fill", &palette.muted),
            Tone::Grid => element.attr("stroke", &palette.grid),
            Tone::Rule => element.attr("stroke", &palette.rule),
            Tone::Strong => element.attr("stroke", &palette.ink),
            Tone::Reference => element.attr("stroke", &palette.muted),
            Tone::Halo => element.attr("fill", &palette.muted).attr("stroke", &palette.paper),
            Tone::SeriesStroke(colour) => element.attr("stroke", series(colour)),
            Tone::SeriesFill(colour) => element.attr("fill", series(colour)).attr("stroke", &palette.paper),
            Tone::SeriesSolid(colour) => element.attr("fill", series(colour)).attr("stroke", series(colour)),
            Tone::SeriesHollow(colour) => element.attr("fill", &palette.paper).attr("stroke", series(colour)),
            Tone::Hollow => element.attr("fill", &palette.paper).attr("stroke", &palette.muted),
            Tone::PaperStroke => element.attr("stroke", &palette.paper),
            Tone::SeriesArea(colour) => element.attr("fill", series(colour)),
            Tone::Ground => element.attr("fill", &palette.grid),
            Tone::Heat(0) => element.attr("fill", &palette.paper).attr("stroke", &palette.rule),
            Tone::Heat(step) => {
                element.attr("fill", palette.heat.get(usize::from(step) - 1).unwrap_or(&palette.ink))
            }
            Tone::Band(kind) => element.attr("fill", palette.bands.get(kind).unwrap_or(&palette.ink)),
        }
    }
}

/// Writes shapes under ids that start with `prefix`: each at its size for the ends of lines, and, where
/// points are dense, smaller for the points. Shapes that grow have a class by which a style sheet enlarges them.
pub(in crate::draw) fn define_shapes(
    parent: &mut Element,
    prefix: &str,
    columns: usize,
    grows: bool,
    shapes: impl Iterator<Item = usize>,
) {
    let mut wanted: Vec<usize> = shapes.collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return;
    }
    let mut defs = parent.child("defs");
    for shape in wanted {
        let (name, form) = SHAPES[shape];
        let key = if name == "circle" { "r" } else { "d" };
        defs.child(name)
            .class(if grows { "p" } else { "" })
            .attr("id", &shape_id(prefix, shape))
            .attr(key, form);
        if let Some(scale) = dense(columns) {
            let small = defs.child(name).attr("id", &point_id(prefix, columns, shape)).attr(key, form);
            small.attr("transform", scale);
        }
    }
}

/// Id of a shape.
pub(in crate::draw) fn shape_id(prefix: &str, shape: usize) -> String {
    format!("{prefix}m{}", shape + 1)
}

/// Id of a shape for points.
pub(in crate::draw) fn point_id(prefix: &str, columns: usize, shape: usize) -> String {
    let kind = if dense(columns).is_some() { 'd' } else { 'm' };
    format!("{prefix}{kind}{}", shape + 1)
}

/// How points shrink when there are many.
fn dense(columns: usize) -> Option<&'static str> {
    match columns {
        0..=40 => None,
        41..=100 => Some("scale(.7)"),
        _ => Some("scale(.45)"),
    }
}

/// Writes one shape in place, around the origin.
pub(in crate::draw) fn inline_shape<'out>(parent: &'out mut Element, shape: usize) -> Element<'out> {
    let (name, form) = SHAPES[shape];
    parent.child(name).attr(if name == "circle" { "r" } else { "d" }, form)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn looks_differ_without_colour() {
        let first: BTreeSet<_> = (1..=6).map(|slot| (Look::of(slot).shape, Look::of(slot).dash)).collect();
        assert_eq!(first.len(), 6);
        let all: BTreeSet<_> =
            (1..=18).map(|slot| (Look::of(slot).colour, Look::of(slot).shape, Look::of(slot).dash)).collect();
        assert_eq!(all.len(), 18, "colour, shape and dash repeat only after three turns");
        assert_eq!(Look::of(7).colour, 1);
        assert_eq!(Look::of(0), Look::of(1));
    }
}
