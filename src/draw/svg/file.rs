//! A figure as a file of its own: title and description, the drawing at a fixed size, notes that make it
//! complete without its page, and the style sheet for dark surroundings and small sizes.
//!
//! Text must not be smaller than 10 px at whatever width from 320 px the file is shown. So there are four
//! sizes; each sets larger text, keeps fewer labels, and has its own key and notes, broken into lines for it.

use std::fmt::Write as _;

use super::cloud;
use super::flame_file;
use super::layout::{HEIGHT, PLOT};
use super::look::{Painter, Tone, shape_id};
use super::plan::Plan;
use super::plot;
use super::under::Under;
use super::writer::Element;
use crate::draw::{Palette, Style};
use crate::figure::chart::{Body, Chart};
use crate::figure::dates::{self, Dated};
use crate::text::width;

/// Width of a file, in px.
pub(in crate::draw) const WIDTH: f64 = 992.0;
/// Place of the plot.
const LEFT: f64 = 68.0;
const TOP: f64 = 12.0;
/// Space at both sides of notes.
const SIDE: f64 = 16.0;

/// Text size of the sentence that says what the figure shows.
const SAYS: f64 = 16.0;

/// One of the sizes at which a file is shown.
struct Size {
    /// Widest px at which it holds; none for the normal size.
    upto: Option<u32>,
    /// Text size in units of the drawing.
    text: f64,
    /// Size of the step's figure.
    big: f64,
    /// How far labels and dates move down to make room for larger text; none hides dates.
    shift: (f64, Option<f64>),
    /// Enlargement of marks.
    marks: f64,
    /// Width class of labels.
    class: usize,
}

const SIZES: [Size; 4] = [
    Size { upto: None, text: 13.0, big: 20.0, shift: (0.0, Some(0.0)), marks: 1.0, class: 0 },
    Size { upto: Some(764), text: 18.0, big: 28.0, shift: (5.0, Some(11.0)), marks: 1.3, class: 1 },
    Size { upto: Some(580), text: 23.0, big: 34.0, shift: (10.0, Some(21.0)), marks: 1.6, class: 1 },
    Size { upto: Some(440), text: 31.5, big: 46.0, shift: (16.0, None), marks: 2.1, class: 2 },
];

/// Lines of notes that a small file should not exceed.
const FEW_LINES: usize = 4;

/// What each width class shows, as a change of the one before.
const VISIBLE: [&str; 3] =
    ["", ".a,.e{display:none}.b,.f{display:inline}", ".b,.d{display:none}.c,.e{display:inline}"];

/// The figure as an SVG file, its targets equally far apart. It holds the lines that are shown at first.
pub fn file(chart: &Chart, style: &Style) -> String {
    let chart = &*super::tame::tame(chart);
    if let Body::Flame(flame) = &chart.body {
        return flame_file::file(chart, flame, style, &style.light, true);
    }
    write(chart, None, style, &style.light, true)
}

/// The figure as an SVG file on a scale of time; none unless two different dates are known.
pub fn file_by_date(chart: &Chart, style: &Style) -> Option<String> {
    over_time(&super::tame::tame(chart), style, &style.light, true)
}

/// The same files for one size and one kind of surroundings: in the colours of `palette`, without a style
/// sheet, so that every program that reads SVG sees what a browser shows of a file at its full width. By date
/// only where two different dates are known.
pub(in crate::draw) fn still(chart: &Chart, style: &Style, palette: &Palette, by_date: bool) -> String {
    let chart = &*super::tame::tame(chart);
    if let Body::Flame(flame) = &chart.body {
        return flame_file::file(chart, flame, style, palette, false);
    }
    let dated = if by_date { over_time(chart, style, palette, false) } else { None };
    dated.unwrap_or_else(|| write(chart, None, style, palette, false))
}

fn over_time(chart: &Chart, style: &Style, palette: &Palette, adapts: bool) -> Option<String> {
    let dated = dates::by_date(chart)?;
    let mut noted = chart.clone();
    if !dated.note.is_empty() {
        noted.caption.fine = format!("{} {}", noted.caption.fine, dated.note);
    }
    Some(write(&noted, Some(&dated), style, palette, adapts))
}

fn write(chart: &Chart, dated: Option<&Dated>, style: &Style, palette: &Palette, adapts: bool) -> String {
    if let Some(drawing) = super::free::as_file(chart, style, palette, adapts) {
        return drawing;
    }
    let drawn: Vec<usize> = (0..chart.lines.len()).filter(|line| chart.lines[*line].shown).collect();
    let painter = Painter { palette: Some(palette) };
    let words = Plan { chart, painter, prefix: "", drawn, dated: None };
    let under = Under::new(&words);
    let plan = dated.map(|dated| words.by_date(dated));
    let under = plan.as_ref().map(|plan| Under::over_time(plan, &under)).unwrap_or(under);
    let plan = plan.as_ref().unwrap_or(&words);
    let mut notes = String::with_capacity(4096);
    let mut bottom = write_notes(&mut notes, &words, TOP + super::above(plan) + super::bottom(plan, &under));
    let normal = notes.len();
    // The small sizes share one block of key and notes, set for the smallest and scaled for the others.
    let least = &SIZES[SIZES.len() - 1];
    let block = write_small_notes(&mut notes, &words, least);
    let tops: Vec<f64> =
        SIZES.iter().map(|size| TOP + super::above(plan) + below_labels(plan, &under, size)).collect();
    if adapts {
        for (size, top) in SIZES.iter().zip(&tops).skip(1) {
            bottom = bottom.max(top + block * size.text / least.text);
        }
    } else {
        notes.truncate(normal);
    }
    let height = (bottom + TOP).ceil();
    let mut drawing = String::with_capacity(16_384);
    {
        let mut space = Element::open(&mut drawing, "svg")
            .px("x", LEFT)
            .px("y", TOP)
            .px("width", PLOT)
            .px("height", height - 2.0 * TOP)
            .attr("overflow", "visible");
        plot::draw(&mut space, plan, &under, None);
    }
    let mut out = String::with_capacity(20_480);
    {
        let class = super::ticks_class(plan).trim_start();
        let mut root = root(&mut out, class, chart, [WIDTH, height], style, palette);
        if adapts {
            let frame = format!("<svg class=\"bg {class}\">");
            let rules = style.made.sheets.rules(&sheet(&style.dark, &tops), ["", ""], "");
            let mut seen = rules.seen();
            for markup in [&drawing, &notes, &frame] {
                seen.in_markup(markup);
            }
            root.child("style").raw(&seen.smaller().css);
        }
        ground(&mut root, palette);
        root.raw(&drawing);
        root.raw(&notes);
    }
    out
}

/// Opens a file of its own: its `size` in px, font and colour of its text, accessible name and description.
pub(super) fn root<'out>(
    out: &'out mut String,
    class: &str,
    chart: &Chart,
    size: [f64; 2],
    style: &Style,
    palette: &Palette,
) -> Element<'out> {
    let [width, height] = size;
    let mut root = Element::open(out, "svg")
        .class(class)
        .attr("xmlns", "http://www.w3.org/2000/svg")
        .attr("viewBox", &format!("0 0 {width} {height}"))
        .px("width", width)
        .px("height", height)
        .attr("role", "img")
        .attr("aria-labelledby", "t d")
        .attr("font-family", &style.sans.replace('"', "'"))
        .attr("font-size", "13")
        .attr("fill", &palette.ink);
    root.child("title").attr("id", "t").text(&chart.title);
    root.child("desc").attr("id", "d").text(&chart.description);
    root
}

/// Lays the background under everything.
pub(super) fn ground(root: &mut Element<'_>, palette: &Palette) {
    let ground = root.child("rect").class("bg").attr("width", "100%").attr("height", "100%");
    drop(ground.attr("fill", &palette.paper));
}

/// Distance from the top of the plot to where notes may start, at a size that has moved labels.
fn below_labels(plan: &Plan, under: &Under, size: &Size) -> f64 {
    let (labels, dates) = size.shift;
    if plan.cloud().is_some() {
        return cloud::below(labels, size.text) + size.text * 0.5;
    }
    let rows = match dates {
        Some(shift) if under.dated() => under.base() + shift + size.text - 13.0,
        _ => HEIGHT + 20.0 + labels,
    };
    rows + size.text * 0.5
}

/// "Units: wall time µs, allocated B."
fn units(chart: &Chart) -> String {
    let mut text = String::from("Units: ");
    for (at, line) in chart.lines.iter().enumerate() {
        let unit = if line.unit.is_empty() { "count" } else { &line.unit };
        let separator = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{separator}{} {unit}", line.name);
    }
    text.push('.');
    text
}

/// Writes what the figure says and how to read it, for the normal size; returns where it ends.
fn write_notes(out: &mut String, plan: &Plan, top: f64) -> f64 {
    let chart = plan.chart;
    let mut y = top + 10.0;
    let mut group = Element::open(out, "g").class("z0");
    for line in wrap(chart.caption.says.trim(), SAYS, WIDTH - 2.0 * SIDE) {
        y += 22.0;
        group.child("text").px("x", SIDE).px("y", y).attr("font-size", "16").text(&line);
    }
    y += 5.0;
    let mut words = chart.caption.fine.trim().to_owned();
    // Two axes of values name their units themselves.
    if !chart.lines.is_empty() && plan.cloud().is_none() {
        let _ = write!(words, " {}", units(chart));
    }
    words.push_str(&not_drawn(chart));
    let mut notes = plan.painter.tone(group.child("g"), "", Tone::Muted);
    for line in wrap(words.trim(), width::SIZE, WIDTH - 2.0 * SIDE) {
        y += 17.0;
        notes.child("text").px("x", SIDE).px("y", y).text(&line);
    }
    y + 4.0
}

/// Writes key and notes for small sizes, from 0 downwards; returns the height. The values in the key carry
/// their units.
fn write_small_notes(out: &mut String, plan: &Plan, size: &Size) -> f64 {
    let step = (size.text * 1.28).round();
    let mut group = Element::open(out, "g").class("zn").attr("display", "none");
    // A cloud has one line, and its axes say what it is.
    let key = if plan.cloud().is_some() { 0.0 } else { write_key(&mut group, plan, size, step) };
    let mut y = key + step * 0.2;
    let mut notes = plan.painter.tone(group.child("g"), "", Tone::Muted);
    for line in short_words(plan.chart, size.text) {
        y += step;
        notes.child("text").px("x", SIDE).px("y", y).text(&line);
    }
    y + size.text * 0.3
}

/// How to read the figure, in few lines: whole sentences from the end are left out (finer points stand there),
/// but never those up to the number of unavailable values.
fn short_words(chart: &Chart, text: f64) -> Vec<String> {
    let mut sentences: Vec<&str> = chart.caption.fine.trim().split_inclusive(". ").collect();
    let needed = sentences.iter().rposition(|one| one.contains("unavailable")).map_or(1, |at| at + 1);
    loop {
        let words = format!("{}{}", sentences.concat().trim(), not_drawn(chart));
        let lines = wrap(words.trim(), text, WIDTH - 2.0 * SIDE);
        if lines.len() <= FEW_LINES || sentences.len() <= needed {
            return lines;
        }
        sentences.pop();
    }
}

/// Names the lines that are not in the file.
fn not_drawn(chart: &Chart) -> String {
    let hidden: Vec<&str> =
        chart.lines.iter().filter(|line| !line.shown).map(|line| line.name.as_str()).collect();
    if hidden.is_empty() { String::new() } else { format!(" Not drawn: {}.", hidden.join(", ")) }
}

/// Writes the key: mark, name and last value of each line, as many to a row as fit. Returns the baseline of
/// its last row.
fn write_key(group: &mut Element, plan: &Plan, size: &Size, top: f64) -> f64 {
    let (mut x, mut y) = (SIDE, top + size.text * 0.5);
    for line in &plan.drawn {
        let (data, look) = (&plan.chart.lines[*line], plan.look(*line));
        let last_wide = width::width_at(&data.last, size.text);
        let sample = size.text * 2.6;
        let room = WIDTH - 2.0 * SIDE - sample - last_wide - size.text * 1.2;
        let name = width::cut(&data.name, room / size.text * width::SIZE / 1.1);
        let name_wide = width::width_at(&name, size.text) * 1.1;
        let wide = sample + name_wide + size.text * 1.1 + last_wide;
        if x > SIDE && x + wide > WIDTH - SIDE {
            x = SIDE;
            y += (size.text * 1.4).round();
        }
        let middle = y - size.text * 0.34;
        let at = (x + (sample - size.text * 0.6) / 2.0, middle);
        let zoom = size.text / width::SIZE;
        match &plan.chart.body {
            Body::Lines | Body::Cloud(_) | Body::Panels(_) | Body::Heat(_) | Body::Flame(_) => {
                write_line(group, plan, *line, (x, middle), sample - size.text * 0.6);
            }
            Body::Spreads(_) => super::spreads::sample(group, plan.painter, look, at, zoom),
            Body::Bars(_) => super::bars::sample(group, plan.painter, look, at, zoom),
        }
        group.child("text").px("x", x + sample).px("y", y).strong().text(&name);
        let last = group.child("text").px("x", x + sample + name_wide + size.text * 0.5).px("y", y);
        plan.painter.tone(last, "", Tone::Muted).text(&data.last);
        x += wide + size.text;
    }
    y
}

/// Writes a piece of a line of the given length with its mark.
fn write_line(group: &mut Element, plan: &Plan, line: usize, (x, y): (f64, f64), long: f64) {
    let look = plan.look(line);
    let stroke = plan.painter.tone(group.child("path"), "", look.stroke());
    let stroke = stroke.attr("stroke-width", "1.75").attr("vector-effect", "non-scaling-stroke");
    let stroke = if look.dash.is_empty() { stroke } else { stroke.attr("stroke-dasharray", look.dash) };
    let mut d = String::from("M");
    for (at, part) in [x, y, long].into_iter().enumerate() {
        d.push_str(["", " ", "h"][at]);
        super::writer::push_number(&mut d, part, 1);
    }
    stroke.attr("d", &d);
    let hollow = super::is_hollow(&plan.chart.lines[line]);
    let tone = if hollow { Tone::SeriesHollow(look.colour) } else { look.fill() };
    let mark = plan.painter.tone(group.child("use"), "", tone);
    let mark = mark.attr("href", &format!("#{}", shape_id(plan.prefix, look.shape)));
    mark.px("x", x + long / 2.0).px("y", y);
}

/// Breaks words into lines of at most `room` units. A word that is longer than a line is cut.
pub(super) fn wrap(words: &str, text: f64, room: f64) -> Vec<String> {
    let room = room / text * width::SIZE;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && width::width(&line) + width::width(" ") + width::width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&width::cut(word, room));
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The style sheet: first the small sizes, each as a change of the one before, then dark. `tops` is where
/// the notes of each size start.
fn sheet(dark: &Palette, tops: &[f64]) -> String {
    let mut css = String::with_capacity(2600);
    css.push_str(":root{max-width:100%;height:auto;font-variant-numeric:tabular-nums}");
    let least = SIZES[SIZES.len() - 1].text;
    for (at, size) in SIZES.iter().enumerate() {
        let Some(upto) = size.upto else { continue };
        let Size { text, big, class, marks, .. } = size;
        let _ = write!(css, "@media(max-width:{upto}px){{");
        if at == 1 {
            let _ =
                write!(css, ".w,.rb,.z0{{display:none}}.zn{{display:inline}}.zn text{{font-size:{least}px}}");
        }
        if SIZES[at - 1].class != *class {
            css.push_str(VISIBLE[*class]);
        }
        let zoom = text / least;
        let _ = write!(
            css,
            "text{{font-size:{text}px}}.big{{font-size:{big}px}}.zn{{transform:translate({}px,{}px)scale({zoom:.3})}}.p{{transform:scale({marks})}}.ab circle{{r:{}px}}\
             .tk{{transform:translateY({}px)}}.xl{{transform:translateY({}px)}}.xt{{transform:translateY({}px)}}",
            (SIDE * (1.0 - zoom)).round(),
            tops[at].round(),
            3.5 * marks,
            ((text - 13.0) * 0.35).round(),
            size.shift.0,
            cloud::title_shift(size.shift.0, *text)
        );
        match size.shift.1 {
            Some(dates) => {
                let _ = write!(
                    css,
                    ".date text{{transform:translateY({dates}px)}}.date .yr{{transform:translateY({}px)}}",
                    dates + text - 13.0
                );
            }
            None => css.push_str(".date{display:none}"),
        }
        if at == 2 {
            css.push_str(".ti:not(.tj) .tk{text-anchor:start;transform:translate(12px,-6px)}");
            css.push_str(".g,.v,.vk,.ref{stroke-width:2}");
        }
        css.push('}');
    }
    css.push_str(&self::dark(dark));
    css
}

/// The colours in dark surroundings.
pub(super) fn dark(dark: &Palette) -> String {
    let mut css = String::with_capacity(1024);
    css.push_str("@media(prefers-color-scheme:dark){");
    let _ = write!(
        css,
        ":root{{fill:{ink}}}.bg,.ho{{fill:{paper}}}.mk,.hl{{stroke:{paper}}}.m,.hl{{fill:{muted}}}.g{{stroke:{grid}}}\
         .v{{stroke:{rule}}}.r{{stroke:{muted}}}.vk{{stroke:{ink}}}",
        ink = dark.ink,
        paper = dark.paper,
        muted = dark.muted,
        grid = dark.grid,
        rule = dark.rule,
    );
    for (class, colour) in ["bd", "be", "bn"].iter().zip(&dark.bands) {
        let _ = write!(css, ".{class}{{fill:{colour}}}");
    }
    let _ = write!(css, ".gr{{fill:{}}}.rs{{fill:{}}}.q0{{fill:{}}}", dark.grid, dark.muted, dark.paper);
    for (step, colour) in dark.heat.iter().enumerate() {
        let _ = write!(css, ".q{}{{fill:{colour}}}", step + 1);
    }
    for (slot, colour) in dark.series.iter().enumerate() {
        let slot = slot + 1;
        let _ = write!(css, ".l{slot}{{stroke:{colour}}}.f{slot}{{fill:{colour}}}");
    }
    css.push('}');
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_and_fit() {
        let lines = wrap("one two  three four", 13.0, 60.0);
        assert_eq!(lines.join(" "), "one two three four");
        assert!(lines.len() > 1 && lines.iter().all(|line| width::width(line) <= 60.0));
        assert_eq!(wrap("", 13.0, 60.0), Vec::<String>::new());
        assert!(wrap(&"x".repeat(500), 13.0, 60.0)[0].ends_with('…'));
    }

    #[test]
    fn text_is_never_drawn_below_ten_pixels() {
        for (size, narrower) in
            SIZES.iter().zip(SIZES.iter().skip(1).map(|size| size.upto).chain([Some(319)]))
        {
            let least = f64::from(narrower.unwrap_or(319) + 1);
            assert!(size.text * least / WIDTH >= 10.0, "text of {} at {least} px", size.text);
        }
    }
}
