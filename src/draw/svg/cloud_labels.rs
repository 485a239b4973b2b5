//! Names beside the marks of a cloud: each is placed where it touches no mark and no other name, and left out
//! where there is no such place; the reading line, the titles and the table have them all.

use super::cloud::widths;
use super::labels;
use super::layout::{Anchor, Area, Classes, HEIGHT, Room};
use super::look::Tone;
use super::plan::{Plan, write_cut};
use super::writer::Element;
use crate::figure::chart::{Cloud, End, Form};
use crate::text::width;

/// Longest name in px; what is longer is cut.
const LONGEST: f64 = 110.0;
/// Most names that are tried.
const MOST: usize = 60;

/// Where a mark stands.
pub(super) struct Spot {
    /// Its column.
    pub(super) column: usize,
    /// Per cent of the width.
    pub(super) x: f64,
    /// Px below the top of the plot.
    pub(super) y: f64,
    /// A zero on a logarithmic axis: at an edge that no path leads to.
    pub(super) hollow: bool,
}

impl Spot {
    /// Whether the path leads from here to `next`.
    pub(super) fn leads(&self, next: &Self) -> bool {
        next.column == self.column + 1 && !self.hollow && !next.hollow
    }

    /// Distance in px at a width of the plot.
    pub(super) fn distance(&self, other: &Self, width: f64) -> f64 {
        ((self.x - other.x) * width / 100.0).hypot(self.y - other.y)
    }
}

/// The marks that have a place, in the order of the columns.
pub(super) fn spots(plan: &Plan, cloud: &Cloud) -> Vec<Spot> {
    let Some(line) = plan.chart.lines.first() else { return Vec::new() };
    line.marks
        .iter()
        .zip(&cloud.places)
        .enumerate()
        .filter_map(|(column, (mark, across))| {
            let across = across.filter(|across| across.is_finite())?;
            Some(Spot {
                column,
                x: cloud.across.position(across) * 100.0,
                y: plan.mark_y(mark)?,
                hollow: mark.form == Form::ZeroOnLog,
            })
        })
        .collect()
}

/// A name at its place, merged over the width classes that agree.
pub(super) struct Label {
    /// The columns that it names.
    pub(super) columns: Vec<usize>,
    text: String,
    whole: String,
    anchor: Anchor,
    x: f64,
    dx: f64,
    y: f64,
    classes: Classes,
    strong: bool,
}

/// A name to be placed.
struct Name {
    columns: Vec<usize>,
    spot: usize,
    text: String,
    whole: String,
    /// What is added where no key stands beside the plot.
    word: String,
    strong: bool,
    /// An end of the path, or an extreme of an axis.
    important: bool,
}

/// A box that moves with the width of the plot: at the least and at the largest width of a class.
#[derive(Clone, Copy)]
struct Moving([Area; 2]);

impl Moving {
    fn new(at: impl Fn(f64) -> Area, widths: (f64, f64)) -> Self {
        Self([at(widths.0), at(widths.1)])
    }

    /// Whether both keep `gap` px apart at every width between: their distances change evenly with it.
    fn clear(&self, other: &Self, gap: f64) -> bool {
        let pairs = || self.0.iter().zip(&other.0);
        let side = |test: fn(&Area, &Area, f64) -> bool| pairs().all(|(a, b)| test(a, b, gap));
        side(|a, b, gap| a.x.1 + gap <= b.x.0)
            || side(|a, b, gap| b.x.1 + gap <= a.x.0)
            || side(|a, b, gap| a.y.1 + gap / 2.0 <= b.y.0 || b.y.1 + gap / 2.0 <= a.y.0)
    }
}

/// Places the names for each width class: the ends of the path first, then the marks that stick out, then the
/// others from the newest on.
pub(super) fn place(plan: &Plan, cloud: &Cloud, spots: &[Spot]) -> Vec<Label> {
    let names = names(plan, cloud, spots);
    let mut placed: Vec<Label> = Vec::new();
    for (class, room) in plan.rooms().iter().enumerate() {
        let widths = widths(plan, class, *room);
        let marks: Vec<Moving> = spots
            .iter()
            .map(|spot| {
                let r = 4.5 * room.zoom.max(1.0);
                let at = |width: f64| {
                    let x = spot.x * width / 100.0;
                    Area { x: (x - r, x + r), y: (spot.y - r, spot.y + r) }
                };
                Moving::new(at, widths)
            })
            .collect();
        let ticks = labels::ticks_inside(plan, class, *room);
        let mut taken: Vec<Moving> = ticks.into_iter().map(|area| Moving([area; 2])).collect();
        for name in &names {
            // Beside the key a name needs no word; elsewhere it has it where there is room.
            let words = if class == 0 || name.word.is_empty() { vec![""] } else { vec![&*name.word, ""] };
            let found = words.into_iter().find_map(|word| {
                let text = format!("{}{word}", name.text);
                let place = find(spots, name, &text, *room, widths, &marks, &taken)?;
                Some((text, format!("{}{word}", name.whole), place))
            });
            let Some((text, whole, (anchor, dx, y, area))) = found else { continue };
            taken.push(area);
            let x = spots[name.spot].x;
            let (columns, strong) = (name.columns.clone(), name.strong);
            let mut label =
                Label { columns, text, whole, anchor, x, dx, y, classes: Classes::default(), strong };
            label.classes.add(class);
            merge(&mut placed, label, class);
        }
    }
    placed
}

/// Joins a label with the same one in another class.
fn merge(labels: &mut Vec<Label>, label: Label, class: usize) {
    let same = labels.iter_mut().find(|other| {
        other.columns == label.columns
            && other.text == label.text
            && other.anchor == label.anchor
            && (other.dx - label.dx).abs() < 1e-9
            && (other.y - label.y).abs() < 1e-9
    });
    match same {
        Some(other) => other.classes.add(class),
        None => labels.push(label),
    }
}

/// The first place of a name that is free: beside its mark, above, below, then at the corners; places that the
/// path crosses come last.
#[allow(clippy::too_many_arguments, reason = "the parts of one search")]
fn find(
    spots: &[Spot],
    name: &Name,
    text: &str,
    room: Room,
    widths: (f64, f64),
    marks: &[Moving],
    taken: &[Moving],
) -> Option<(Anchor, f64, f64, Moving)> {
    let spot = &spots[name.spot];
    let wide = if name.strong { room.bold(text) } else { room.text(text) };
    let (gap, size) = (8.0 * room.zoom, room.size());
    let (middle, over, under) = (spot.y + size * 0.35, spot.y - gap, spot.y + gap + size * 0.72);
    let places = [
        (Anchor::Start, gap, middle),
        (Anchor::End, -gap, middle),
        (Anchor::Middle, 0.0, over),
        (Anchor::Middle, 0.0, under),
        (Anchor::Start, gap * 0.6, over + size * 0.3),
        (Anchor::Start, gap * 0.6, under - size * 0.3),
        (Anchor::End, -gap * 0.6, over + size * 0.3),
        (Anchor::End, -gap * 0.6, under - size * 0.3),
    ];
    let free: Vec<_> = places
        .into_iter()
        .filter_map(|(anchor, dx, y)| {
            let at = |width: f64| Area::text(anchor.span(spot.x * width / 100.0 + dx, wide), y, size);
            let area = Moving::new(at, widths);
            let inside = area.0.iter().zip([widths.0, widths.1]).all(|(area, width)| {
                area.x.0 >= -4.0 && area.x.1 <= width + 4.0 && area.y.0 >= -18.0 && area.y.1 <= HEIGHT + 4.0
            });
            let apart = inside
                && marks.iter().enumerate().all(|(at, mark)| at == name.spot || area.clear(mark, 0.0))
                && taken.iter().all(|other| area.clear(other, 6.0 * room.zoom));
            apart.then_some((anchor, dx, y, area))
        })
        .collect();
    let crossed = |area: &Moving| {
        let width = widths.0;
        let point = |spot: &Spot| (spot.x * width / 100.0, spot.y);
        spots
            .windows(2)
            .filter(|pair| pair[0].leads(&pair[1]))
            .any(|pair| area.0[0].crossed(point(&pair[0]), point(&pair[1])))
    };
    let calm = free.iter().find(|place| !crossed(&place.3));
    // What sticks out is worth a name over the path; the others are not.
    calm.or(free.first().filter(|_| name.important)).copied()
}

/// The names worth placing, the most important first. Marks at one place share a name.
fn names(plan: &Plan, cloud: &Cloud, spots: &[Spot]) -> Vec<Name> {
    let mut order: Vec<usize> = Vec::new();
    let is = |end: &Option<End>, column: usize| end.as_ref().is_some_and(|end| end.column == column);
    let at = |end: &Option<End>| {
        end.as_ref().and_then(|end| spots.iter().position(|spot| spot.column == end.column))
    };
    order.extend(at(&cloud.newest));
    order.extend(at(&cloud.first));
    let extreme = |by: fn(&Spot) -> f64, sign: f64| {
        (0..spots.len()).max_by(|a, b| (by(&spots[*a]) * sign).total_cmp(&(by(&spots[*b]) * sign)))
    };
    order.extend(extreme(|spot| spot.y, 1.0));
    order.extend(extreme(|spot| spot.x, -1.0));
    order.extend(extreme(|spot| spot.y, -1.0));
    order.extend(extreme(|spot| spot.x, 1.0));
    let important = order.clone();
    order.extend((0..spots.len()).rev());
    let mut names: Vec<Name> = Vec::new();
    let mut named = vec![false; spots.len()];
    for spot in order {
        if std::mem::replace(&mut named[spot], true) {
            continue;
        }
        if names.len() == MOST {
            break;
        }
        let mut columns = Vec::new();
        for (at, other) in spots.iter().enumerate() {
            if other.distance(&spots[spot], 1000.0) < 0.1 {
                named[at] = true;
                columns.push(other.column);
            }
        }
        let label = |column: usize| &plan.chart.columns[column].label;
        let cut = |text: &str, room: f64| width::cut(text, room).into_owned();
        let (first, last) = (columns[0], columns[columns.len() - 1]);
        let (text, whole) = match columns.len() {
            1 => (cut(label(first), LONGEST), label(first).clone()),
            2 => (
                format!("{}, {}", cut(label(first), LONGEST), cut(label(last), LONGEST)),
                format!("{}, {}", label(first), label(last)),
            ),
            count if last - first + 1 == count => (
                format!("{} to {}", cut(label(first), LONGEST), cut(label(last), LONGEST)),
                format!("{} to {}", label(first), label(last)),
            ),
            count => (
                format!("{} and {} more", cut(label(last), LONGEST), count - 1),
                format!("{} and {} more", label(last), count - 1),
            ),
        };
        let newest = columns.iter().any(|column| is(&cloud.newest, *column));
        let word = |end: &Option<End>| {
            let end = end.as_ref().filter(|end| columns == [end.column]);
            end.map(|end| format!(", {}", end.word))
        };
        let word = word(&cloud.newest).or_else(|| word(&cloud.first)).unwrap_or_default();
        let important = important.contains(&spot);
        names.push(Name { columns, spot, text, whole, word, strong: newest, important });
    }
    names
}

/// Writes the names over path and marks.
pub(super) fn draw(plot: &mut Element, plan: &Plan, labels: &[Label]) {
    for label in labels {
        let text = Plan::text(plot, label.anchor, label.x, label.dx, label.y);
        let text = if label.strong { text.strong() } else { text };
        let tone = (!label.strong).then_some(Tone::Halo);
        write_cut(plan.label(text, label.classes, &Plan::switch(0), tone), &label.text, &label.whole);
    }
}
