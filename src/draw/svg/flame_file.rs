//! Frames of call paths as a file of its own. Text keeps at least 10 px at whatever width from 320 px the file is
//! shown: small sizes have rows for larger text, in which frames that call only one another stand together.

use std::fmt::Write as _;

use super::file::{self, WIDTH, wrap};
use super::flame::{self, ROW};
use super::writer::Element;
use crate::draw::{Palette, Style};
use crate::figure::chart::Chart;
use crate::figure::flame::{Bar, Flame, Paint};
use crate::text::number;
use crate::text::width::{SIZE, width_at};

/// Space at both sides.
const SIDE: f64 = 16.0;
/// Width of the frames.
const PLOT: f64 = WIDTH - 2.0 * SIDE;
/// Share of a caller that a frame has at least to stand together with it.
const WHOLE: f64 = 0.9999;

/// One of the sizes at which a file is shown.
struct Size {
    /// Widest px at which it holds; none for the normal size.
    upto: Option<u32>,
    /// Text size in units of the drawing.
    text: f64,
    /// Height of a row.
    row: f64,
    class: &'static str,
}

const SIZES: [Size; 3] = [
    Size { upto: None, text: SIZE, row: ROW, class: "z0" },
    Size { upto: Some(764), text: 23.0, row: 31.0, class: "z1" },
    Size { upto: Some(440), text: 31.5, row: 42.0, class: "z2" },
];

/// The file in the colours of `palette`; where it `adapts`, with the small sizes and the dark colours.
pub(super) fn file(chart: &Chart, flame: &Flame, style: &Style, palette: &Palette, adapts: bool) -> String {
    let mut drawing = String::with_capacity(300 * flame.bars.len() + 4096);
    let mut bottom = normal(&mut drawing, chart, flame, palette);
    if adapts {
        let room = flame.rows as f64 * ROW;
        for size in &SIZES[1..] {
            bottom = bottom.max(small(&mut drawing, flame, palette, size, room));
        }
    }
    let height = (bottom + 12.0).ceil();
    let mut out = String::with_capacity(drawing.len() + 4096);
    let mut root = file::root(&mut out, "", chart, [WIDTH, height], style, palette);
    if adapts {
        root.child("style").raw(&sheet(&style.dark));
    }
    flame::patterns(&mut root, flame, "", Some(palette));
    file::ground(&mut root, palette);
    root.raw(&drawing);
    drop(root);
    out
}

/// Writes the drawing at its normal size; returns where it ends.
fn normal(out: &mut String, chart: &Chart, flame: &Flame, palette: &Palette) -> f64 {
    let size = &SIZES[0];
    let mut group = Element::open(out, "g").class(size.class);
    let mut y = head(&mut group, flame, palette, size);
    y = key(&mut group, flame, palette, size, y);
    bars(&mut group, &flame.bars, palette, size, y);
    y += flame.rows as f64 * size.row + 8.0;
    for line in wrap(chart.caption.says.trim(), 16.0, PLOT) {
        y += 22.0;
        group.child("text").px("x", SIDE).px("y", y).attr("font-size", "16").text(&line);
    }
    y += 5.0;
    let mut notes = group.child("g").class("m").attr("fill", &palette.muted);
    for line in wrap(chart.caption.fine.trim(), SIZE, PLOT) {
        y += 17.0;
        notes.child("text").px("x", SIDE).px("y", y).text(&line);
    }
    y
}

/// Writes the drawing for a small size into about `room` units of rows; returns where it ends.
fn small(out: &mut String, flame: &Flame, palette: &Palette, size: &Size, room: f64) -> f64 {
    let (bars, all) = together(&flame.bars);
    let rows = ((room / size.row).floor() as usize).max(4);
    let deep = bars.iter().filter(|bar| bar.row >= rows).count();
    let kept: Vec<Bar> = bars.into_iter().filter(|bar| bar.row < rows).collect();
    let group = Element::open(out, "g").class(size.class).attr("display", "none");
    let mut text = String::new();
    push(&mut text, size.text);
    let mut group = group.attr("font-size", &text);
    let mut y = head(&mut group, flame, palette, size);
    y = key(&mut group, flame, palette, size, y);
    self::bars(&mut group, &kept, palette, size, y);
    y += all.min(rows) as f64 * size.row + size.text * 0.4;
    let mut words = String::from("Frames that call only one another stand together.");
    if deep > 0 {
        let _ = write!(
            words,
            " {} only seen at a larger size.",
            if deep == 1 {
                "1 deeper one is".to_owned()
            } else {
                format!("{} deeper ones are", number::whole(deep as i128))
            }
        );
    }
    let folded = flame.foot.split_inclusive(". ").next().unwrap_or_default().trim();
    let _ = write!(words, " {folded}");
    let mut notes = group.child("g").class("m").attr("fill", &palette.muted);
    for line in wrap(&words, size.text, PLOT) {
        y += (size.text * 1.28).round();
        notes.child("text").px("x", SIDE).px("y", y).text(&line);
    }
    y
}

fn push(out: &mut String, value: f64) {
    super::writer::push_number(out, value, 1);
}

/// Writes what the figure shows; returns the baseline of the last line.
fn head(group: &mut Element, flame: &Flame, palette: &Palette, size: &Size) -> f64 {
    let step = (size.text * 1.28).round();
    let mut y = 12.0 + size.text;
    let bold = width_at(&flame.head, size.text) * 1.1;
    if bold + 12.0 + width_at(&flame.lead, size.text) <= PLOT {
        let mut text = group.child("text").px("x", SIDE).px("y", y);
        text.child("tspan").strong().text(&flame.head);
        text.child("tspan").class("m").attr("fill", &palette.muted).attr("dx", "12").text(&flame.lead);
        return y;
    }
    for line in wrap(&flame.head, size.text * 1.1, PLOT) {
        group.child("text").px("x", SIDE).px("y", y).strong().text(&line);
        y += step;
    }
    for line in wrap(&flame.lead, size.text, PLOT) {
        let text = group.child("text").px("x", SIDE).px("y", y);
        text.class("m").attr("fill", &palette.muted).text(&line);
        y += step;
    }
    y - step
}

/// Writes how frames are marked; returns where rows may start.
fn key(group: &mut Element, flame: &Flame, palette: &Palette, size: &Size, above: f64) -> f64 {
    let zoom = size.text / SIZE;
    let (mut x, mut y) = (SIDE, above + (size.text * 2.1).round());
    for (paint, count) in &flame.legend {
        let text = format!("{} ({})", paint.words(), number::whole(*count as i128));
        let wide = 32.0 * zoom + width_at(&text, size.text);
        if x > SIDE && x + wide > WIDTH - SIDE {
            x = SIDE;
            y += (size.text * 1.6).round();
        }
        let area = group.child("rect").px("x", x).px("y", y - 12.5 * zoom);
        let area = area.px("width", 24.0 * zoom).px("height", 15.0 * zoom);
        drop(flame::fill(area, *paint, "", Some(palette)));
        group.child("text").px("x", x + 32.0 * zoom).px("y", y).text(&text);
        x += wide + 24.0 * zoom;
    }
    y + (size.text * 0.8).round()
}

/// Writes frames below `top`.
fn bars(group: &mut Element, bars: &[Bar], palette: &Palette, size: &Size, top: f64) {
    for bar in bars {
        let (x, y) = (SIDE + bar.start * PLOT, top + bar.row as f64 * size.row);
        let wide = bar.width * PLOT;
        let mut group = group.child("g");
        group.child("title").text(&flame::told(bar));
        // A gap between neighbours, but never in place of a frame.
        let drawn = if wide > 3.0 { wide - 1.0 } else { wide * 0.75 };
        let area = group.child("rect").px("x", x).px("y", y).px("width", drawn.max(0.1));
        drop(flame::fill(area.px("height", size.row - 1.0), bar.paint, "", Some(palette)));
        let label = flame::label(bar, wide, size.text);
        if !label.name.is_empty() {
            let text = flame::edge(group.child("text"), bar.paint, "", Some(palette));
            let mut text = text.px("x", x + 5.0).px("y", y + size.row * 0.5 + size.text * 0.35);
            flame::write_label(&mut text, &label, Some(palette));
        }
    }
}

/// The frames with those joined that call only one another, and how many rows they fill.
fn together(bars: &[Bar]) -> (Vec<Bar>, usize) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bars.len()];
    for (at, bar) in bars.iter().enumerate() {
        if let Some(parent) = bar.parent {
            children[parent].push(at);
        }
    }
    let only = |at: usize| match children[at].as_slice() {
        [only] if bars[*only].width >= bars[at].width * WHOLE => Some(*only),
        _ => None,
    };
    let mut place: Vec<Option<usize>> = vec![None; bars.len()];
    let mut joined: Vec<Bar> = Vec::new();
    for (at, bar) in bars.iter().enumerate() {
        if place[at].is_some() {
            continue;
        }
        let parent = bar.parent.and_then(|parent| place[parent]);
        let row = parent.map_or(0, |parent| joined[parent].row + 1);
        let mut own = Bar { parent, row, ..bar.clone() };
        let (mut last, mut count) = (at, 1);
        place[at] = Some(joined.len());
        // What all samples share stands alone: it is many frames already.
        while let Some(next) = only(last).filter(|_| !(at == 0 && bar.share.is_empty())) {
            place[next] = Some(joined.len());
            own.paint = graver(own.paint, bars[next].paint);
            (last, count) = (next, count + 1);
        }
        if count > 1 {
            own.name = format!("{} … {}", bar.name, bars[last].name);
            own.place = format!("{count} frames");
            own.say.clone_from(&bars[last].say);
        }
        joined.push(own);
    }
    let rows = joined.iter().map(|bar| bar.row + 1).max().unwrap_or(0);
    (joined, rows)
}

/// Of two marks the one that a joined frame has.
fn graver(a: Paint, b: Paint) -> Paint {
    [Paint::New, Paint::Dispatch, Paint::Warning, Paint::Collector]
        .into_iter()
        .find(|paint| a == *paint || b == *paint)
        .unwrap_or(a)
}

/// The style sheet: small sizes, then dark.
fn sheet(dark: &Palette) -> String {
    let mut css = String::from(":root{max-width:100%;height:auto}");
    let mut before = SIZES[0].class;
    for size in &SIZES[1..] {
        let Some(upto) = size.upto else { continue };
        let class = size.class;
        // Writing to a string cannot fail.
        let _ =
            write!(css, "@media(max-width:{upto}px){{.{before}{{display:none}}.{class}{{display:inline}}}}");
        before = class;
    }
    let [plain, hatch, hot, line, dot, more, less] = [0, 1, 2, 3, 4, 5, 6].map(|at| flame::colour(dark, at));
    let _ = write!(
        css,
        "@media(prefers-color-scheme:dark){{:root{{fill:{}}}.bg{{fill:{}}}.m{{fill:{}}}.fp{{fill:{plain}}}\
         .fi{{fill:{hatch}}}.fh{{fill:{hot}}}.fl{{fill:{line}}}.fd{{fill:{dot}}}.fm{{fill:{more}}}.fe{{fill:{less}}}.th{{stroke:{plain}}}\
         .tr{{stroke:{hot}}}}}",
        dark.ink, dark.paper, dark.muted
    );
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_drawn_below_ten_pixels() {
        let ends = SIZES.iter().skip(1).map(|size| size.upto.unwrap_or(319)).chain([319]);
        for (size, narrower) in SIZES.iter().zip(ends) {
            let least = f64::from(narrower + 1);
            assert!(size.text * least / WIDTH >= 10.0, "text of {} at {least} px", size.text);
        }
    }

    #[test]
    fn frames_that_call_only_one_another_stand_together() {
        let bar = |parent, row, width, name: &str, paint| Bar {
            parent,
            row,
            start: 0.0,
            width,
            name: name.to_owned(),
            place: String::new(),
            share: "x".to_owned(),
            paint,
            say: String::new(),
        };
        let bars = [
            bar(None, 0, 1.0, "a", Paint::Plain),
            bar(Some(0), 1, 0.5, "b", Paint::Plain),
            bar(Some(1), 2, 0.5, "c", Paint::Dispatch),
            bar(Some(0), 1, 0.4, "d", Paint::Plain),
        ];
        let (joined, rows) = together(&bars);
        let names: Vec<&str> = joined.iter().map(|bar| bar.name.as_str()).collect();
        assert_eq!((names, rows), (vec!["a", "b … c", "d"], 2));
        assert_eq!(joined[1].paint, Paint::Dispatch);
    }
}
