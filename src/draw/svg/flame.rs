//! Frames of call paths: rows of boxes as wide as their share. In a page they are as wide as their box, so labels are
//! cut for each width class at its least width, always between characters.

use std::fmt::Write as _;

use super::layout::Classes;
use super::writer::Element;
use crate::draw::Palette;
use crate::figure::chart::Chart;
use crate::figure::flame::{Bar, Flame, Paint};
use crate::text::width::{SIZE, cut, width_at};

/// Height of a row in px, with the gap below it.
pub(super) const ROW: f64 = 20.0;
/// Space at both sides of a label.
const PAD: f64 = 5.0;
/// Gap between the parts of a label.
const GAP: f64 = 8.0;
/// Labels need at least this room.
const LEAST: f64 = 14.0;
/// Least widths of the width classes in a page.
const PAGE: [f64; 3] = [960.0, 440.0, 272.0];

/// A label as it fits: the name, and what follows it in the second colour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) name: String,
    pub(super) more: String,
}

/// The longest form of a bar's label that fits into `room` px at a text size.
pub(super) fn label(bar: &Bar, room: f64, size: f64) -> Label {
    let room = room - 2.0 * PAD;
    let wide = |text: &str| width_at(text, size);
    if room < LEAST {
        return Label::default();
    }
    let parts = [bar.place.as_str(), bar.share.as_str()];
    let all = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    let name = wide(&bar.name);
    for more in [all.as_str(), bar.place.as_str()] {
        if !more.is_empty() && name + GAP + wide(more) <= room {
            return Label { name: bar.name.clone(), more: more.to_owned() };
        }
    }
    let short = cut(&bar.name, room / size * SIZE).into_owned();
    Label { name: if short == "…" { String::new() } else { short }, more: String::new() }
}

/// Writes the text of a label with its start at `x`.
pub(super) fn write_label(text: &mut Element, label: &Label, palette: Option<&Palette>) {
    text.text(&label.name);
    if label.more.is_empty() {
        return;
    }
    let more = text.child("tspan").class("m");
    let mut more = match palette {
        Some(palette) => more.attr("fill", &palette.muted),
        None => more,
    };
    more = more.px("dx", GAP);
    more.text(&label.more);
}

/// What a paint is drawn with: the class of plain areas, or the name of its pattern; the class of text over it.
fn look(paint: Paint) -> (&'static str, &'static str, &'static str) {
    match paint {
        Paint::Plain | Paint::Same => ("fp", "", ""),
        Paint::Warning => ("", "pi", "th"),
        Paint::Dispatch => ("", "pr", "tr"),
        Paint::Collector => ("", "pg", "th"),
        Paint::More(1) => ("", "pm1", "th"),
        Paint::More(2) => ("", "pm2", "th"),
        Paint::More(_) => ("", "pm3", "th"),
        Paint::Less(1) => ("", "pl1", "th"),
        Paint::Less(2) => ("", "pl2", "th"),
        Paint::Less(_) => ("", "pl3", "th"),
        Paint::New => ("", "pn", "th"),
    }
}

/// Gives an area its paint.
pub(super) fn fill<'out>(
    area: Element<'out>,
    paint: Paint,
    prefix: &str,
    palette: Option<&Palette>,
) -> Element<'out> {
    let (class, pattern, _) = look(paint);
    if !pattern.is_empty() {
        return area.attr("fill", &format!("url(#{prefix}{pattern})"));
    }
    let area = area.class(class);
    match palette {
        Some(palette) => area.attr("fill", colour(palette, 0)),
        None => area,
    }
}

/// Gives text over a paint an edge in its ground colour, where it has a pattern.
pub(super) fn edge<'out>(
    text: Element<'out>,
    paint: Paint,
    classes: &str,
    palette: Option<&Palette>,
) -> Element<'out> {
    let (_, _, class) = look(paint);
    let both = [classes, class].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let text = text.class(&both);
    match palette.filter(|_| !class.is_empty()) {
        Some(palette) => text
            .attr("stroke", colour(palette, if paint == Paint::Dispatch { 2 } else { 0 }))
            .attr("stroke-width", "3")
            .attr("stroke-linejoin", "round")
            .attr("paint-order", "stroke"),
        None => text,
    }
}

pub(super) fn colour(palette: &Palette, at: usize) -> &str {
    palette.flame.get(at).unwrap_or(&palette.tint)
}

/// A part of a pattern: its shape with attributes, class, and place in the palette.
type Part = (&'static str, &'static [(&'static str, &'static str)], &'static str, usize);

/// Size and turn of a pattern, and its parts from the ground up. Turned to the right and ever denser means more, to the
/// left less, so that both can be told in grey.
fn pattern(paint: Paint) -> (&'static str, &'static str, &'static [Part]) {
    const RIGHT: &str = "rotate(45)";
    const LEFT: &str = "rotate(-45)";
    const GROUND: Part = ("rect", &[("width", "6"), ("height", "6")], "fp", 0);
    match paint {
        Paint::Plain | Paint::Same => ("", "", &[]),
        Paint::Warning => ("6", RIGHT, &[GROUND, ("rect", &[("width", "1.5"), ("height", "6")], "fi", 1)]),
        Paint::Dispatch => (
            "4",
            "",
            &[
                ("rect", &[("width", "4"), ("height", "4")], "fh", 2),
                ("rect", &[("width", "4"), ("height", "1")], "fl", 3),
            ],
        ),
        Paint::Collector => (
            "5",
            "",
            &[
                ("rect", &[("width", "5"), ("height", "5")], "fp", 0),
                ("circle", &[("cx", "2.5"), ("cy", "2.5"), ("r", "1.25")], "fd", 4),
            ],
        ),
        Paint::More(1) => ("6", RIGHT, &[GROUND, ("rect", &[("width", "1"), ("height", "6")], "fm", 5)]),
        Paint::More(2) => ("6", RIGHT, &[GROUND, ("rect", &[("width", "1.75"), ("height", "6")], "fm", 5)]),
        Paint::More(_) => ("6", RIGHT, &[GROUND, ("rect", &[("width", "2.75"), ("height", "6")], "fm", 5)]),
        Paint::Less(1) => ("6", LEFT, &[GROUND, ("rect", &[("width", "1"), ("height", "6")], "fe", 6)]),
        Paint::Less(2) => ("6", LEFT, &[GROUND, ("rect", &[("width", "1.75"), ("height", "6")], "fe", 6)]),
        Paint::Less(_) => ("6", LEFT, &[GROUND, ("rect", &[("width", "2.75"), ("height", "6")], "fe", 6)]),
        Paint::New => (
            "6",
            RIGHT,
            &[
                GROUND,
                ("rect", &[("width", "1.25"), ("height", "6")], "fm", 5),
                ("rect", &[("width", "6"), ("height", "1.25")], "fm", 5),
            ],
        ),
    }
}

/// Writes the patterns that a drawing uses.
pub(super) fn patterns(root: &mut Element, flame: &Flame, prefix: &str, palette: Option<&Palette>) {
    let used = || flame.legend.iter().map(|(paint, _)| *paint).filter(|paint| !look(*paint).1.is_empty());
    if used().next().is_none() {
        return;
    }
    let mut defs = root.child("defs");
    for paint in used() {
        let (size, turn, parts) = pattern(paint);
        let one = defs.child("pattern").attr("id", &format!("{prefix}{}", look(paint).1));
        let one = one.attr("width", size).attr("height", size).attr("patternUnits", "userSpaceOnUse");
        let mut one = if turn.is_empty() { one } else { one.attr("patternTransform", turn) };
        for (shape, attributes, class, at) in parts {
            let part = attributes.iter().fold(one.child(shape), |part, (key, value)| part.attr(key, value));
            let part = part.class(class);
            drop(match palette {
                Some(palette) => part.attr("fill", colour(palette, *at)),
                None => part,
            });
        }
    }
}

/// What hovering over a frame says: name, place, share, the rest.
pub(super) fn told(bar: &Bar) -> String {
    let mut told = bar.name.clone();
    for part in [bar.place.as_str(), bar.share.as_str(), bar.say.as_str()] {
        let _ = write!(told, "\n{part}");
    }
    told
}

/// The drawing for a page. Without a script a browser shows what a frame is when the pointer rests on it; `flame.js`
/// reads the same words, and the place of each frame from its box.
pub(super) fn page(chart: &Chart, flame: &Flame, prefix: &str) -> String {
    let mut out = String::with_capacity(400 * flame.bars.len() + 1024);
    let height = (flame.rows as f64 * ROW).max(ROW);
    let mut root = Element::open(&mut out, "svg")
        .class("fig flame")
        .px("height", height)
        .attr("role", "img")
        .attr("aria-label", &chart.title);
    patterns(&mut root, flame, prefix, None);
    for bar in &flame.bars {
        let mut group = root.child("g");
        group.child("title").text(&told(bar));
        let y = bar.row as f64 * ROW;
        let area = group.child("rect").percent("x", bar.start * 100.0).px("y", y);
        let area = area.percent("width", bar.width * 100.0).px("height", ROW - 1.0);
        drop(fill(area, bar.paint, prefix, None));
        let labels = PAGE.map(|room| label(bar, room * bar.width, SIZE));
        for (at, own) in labels.iter().enumerate() {
            if own.name.is_empty() || labels[..at].contains(own) {
                continue;
            }
            let mut classes = Classes::default();
            (0..PAGE.len()).filter(|room| labels[*room] == *own).for_each(|room| classes.add(room));
            let text = edge(group.child("text"), bar.paint, classes.names(), None);
            let mut text = text.percent("x", bar.start * 100.0).px("dx", PAD).px("y", y + 14.0);
            write_label(&mut text, own, None);
        }
    }
    drop(root);
    out
}

/// The key of a page: how frames are marked, with counts.
pub(in crate::draw) fn key(root: &mut Element, flame: &Flame, prefix: &str) {
    if flame.legend.is_empty() {
        return;
    }
    let mut list = root.child("ul").class("marks");
    for (paint, count) in &flame.legend {
        let mut item = list.child("li");
        let mut svg = item.child("svg").class("fig key").attr("width", "24").attr("height", "15");
        svg = svg.attr("aria-hidden", "true");
        drop(fill(svg.child("rect").attr("width", "24").attr("height", "15"), *paint, prefix, None));
        drop(svg);
        item.text(&format!("{} ({})", paint.words(), crate::text::number::whole(*count as i128)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str) -> Bar {
        Bar {
            parent: None,
            row: 0,
            start: 0.0,
            width: 1.0,
            name: name.to_owned(),
            place: "service.jl:17".to_owned(),
            share: "45\u{202f}%".to_owned(),
            paint: Paint::Plain,
            say: String::new(),
        }
    }

    #[test]
    fn labels_shrink_between_characters() {
        let long = bar("größe_größe_größe");
        let mut before = usize::MAX;
        for room in (0..400).rev() {
            let found = label(&long, f64::from(room), SIZE);
            let wide = width_at(&found.name, SIZE) + width_at(&found.more, SIZE);
            assert!(found.name.is_empty() || wide + 2.0 * PAD <= f64::from(room), "{room}: {found:?}");
            let length = found.name.chars().count() + found.more.chars().count();
            assert!(length <= before, "{room}: {found:?}");
            before = length;
        }
        assert_eq!(label(&long, 400.0, SIZE).more, "service.jl:17 · 45\u{202f}%");
        assert_eq!(label(&long, 12.0, SIZE), Label::default());
    }
}
