//! Where labels go. Text keeps its size while the plot grows and shrinks, so each label is placed for three
//! width classes, at the least width of each: what does not overlap there does not overlap when wider,
//! because anchors only move apart.

use crate::text::width::{SIZE, width};

/// Height of the plot area in px.
pub(super) const HEIGHT: f64 = 264.0;

/// Width of the plot of a file in px.
pub(super) const PLOT: f64 = 736.0;

/// Space around the plot in one width class. Pages measure it in px; files in units of the drawing, where
/// text grows instead of the plot shrinking.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Least width of the plot area.
    pub(super) width: f64,
    /// What text may use at the left of the plot.
    pub(super) left: f64,
    /// What text may use at the right of the plot.
    pub(super) right: f64,
    /// Whether end labels may stand at the right.
    pub(super) ends: bool,
    /// How much larger than normal text is.
    pub(super) zoom: f64,
}

impl Room {
    /// Width of text.
    pub(super) fn text(self, text: &str) -> f64 {
        width(text) * self.zoom
    }

    /// Width of bold text.
    pub(super) fn bold(self, text: &str) -> f64 {
        bold(text) * self.zoom
    }

    /// Height of text.
    pub(super) fn size(self) -> f64 {
        SIZE * self.zoom
    }
}

/// Width classes in a page, widest first, chosen by the width of the container: over 960, over 440, the rest.
pub(super) const PAGE: [Room; 3] = [
    Room { width: 736.0, left: 52.0, right: 168.0, ends: true, zoom: 1.0 },
    Room { width: 400.0, left: 28.0, right: 16.0, ends: true, zoom: 1.0 },
    Room { width: 248.0, left: 28.0, right: 16.0, ends: false, zoom: 1.0 },
];

/// Width classes of a file: normal, text up to 23 units, text of 31.5 units.
pub(super) const FILE: [Room; 3] = [
    Room { width: PLOT, left: 52.0, right: 172.0, ends: true, zoom: 1.0 },
    Room { width: PLOT, left: 52.0, right: 172.0, ends: false, zoom: 23.0 / SIZE },
    Room { width: PLOT, left: 52.0, right: 172.0, ends: false, zoom: 31.5 / SIZE },
];

/// The width classes in which something is visible.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Classes(pub(super) u8);

impl Classes {
    /// In every class.
    pub(super) const ALL: Self = Self(0b111);

    /// Adds one class by its position.
    pub(super) fn add(&mut self, room: usize) {
        self.0 |= 1 << room;
    }

    /// Whether nothing is visible.
    pub(super) fn none(self) -> bool {
        self.0 == 0
    }

    /// Whether it is visible in the widest class, which is what viewers without a style sheet show.
    pub(super) fn widest(self) -> bool {
        self.0 & 1 == 1
    }

    /// The class name that makes it so: `a`, `b`, `c` for one class, `d` for the two wide ones, `e` for the
    /// widest and the narrowest, `f` for the two narrow ones; nothing when it is always visible.
    pub(super) fn names(self) -> &'static str {
        ["", "a", "b", "d", "c", "e", "f", ""][usize::from(self.0 & 0b111)]
    }
}

/// Where text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Anchor {
    /// Text starts at the point.
    Start,
    /// Text is centred on the point.
    Middle,
    /// Text ends at the point.
    End,
}

impl Anchor {
    /// Value of `text-anchor`; none for the default.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Start => None,
            Self::Middle => Some("middle"),
            Self::End => Some("end"),
        }
    }

    /// What a text of `wide` px covers.
    pub(super) fn span(self, x: f64, wide: f64) -> (f64, f64) {
        match self {
            Self::Start => (x, x + wide),
            Self::Middle => (x - wide / 2.0, x + wide / 2.0),
            Self::End => (x - wide, x),
        }
    }
}

/// A box in px, relative to the plot area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    /// Left and right edge.
    pub(super) x: (f64, f64),
    /// Top and bottom edge.
    pub(super) y: (f64, f64),
}

impl Area {
    /// The box of a line of text with its baseline at `y`.
    pub(super) fn text(x: (f64, f64), y: f64, size: f64) -> Self {
        Self { x, y: (y - size * 0.95, y + size * 0.3) }
    }

    /// Whether both share a point.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.x.0 < other.x.1 && other.x.0 < self.x.1 && self.y.0 < other.y.1 && other.y.0 < self.y.1
    }

    /// Whether the straight line between two points passes through the box.
    pub(super) fn crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (left, right) = (self.x.0.max(from.0.min(to.0)), self.x.1.min(from.0.max(to.0)));
        if left > right {
            return false;
        }
        let at = |x: f64| {
            if (to.0 - from.0).abs() < 1e-9 {
                (from.1, to.1)
            } else {
                let y = from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0);
                (y, y)
            }
        };
        let (a, b) = (at(left), at(right));
        a.0.min(a.1).min(b.0).min(b.1) < self.y.1 && a.0.max(a.1).max(b.0).max(b.1) > self.y.0
    }
}

/// Width of bold text at the size of figures.
pub(super) fn bold(text: &str) -> f64 {
    width(text) * 1.1
}

/// The columns that keep their label: every k-th, counted back from the newest, with the least k at which
/// neighbours stay 8 px apart. Returns the step; the newest always stays.
pub(super) fn thinning(widths: &[f64], column: f64) -> usize {
    let count = widths.len();
    (1..count)
        .find(|step| {
            let mut at = count - 1;
            while at >= *step {
                let before = at - step;
                if f64::midpoint(widths[at], widths[before]) + 8.0 > column * *step as f64 {
                    return false;
                }
                at = before;
            }
            true
        })
        .unwrap_or(count.max(1))
}

/// Moves labels apart to at least `gap`, each as near to its wish as the others allow, and keeps the stack
/// between `top` and `bottom`. `wishes` must rise.
pub(super) fn apart(wishes: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    // Neighbouring labels that would touch form a block that stands at the mean of its wishes.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let mut block = (wish - at as f64 * gap, 1_usize);
        while let Some(last) = blocks.last().copied().filter(|last| last.0 > block.0) {
            blocks.pop();
            let count = last.1 + block.1;
            block = ((last.0 * last.1 as f64 + block.0 * block.1 as f64) / count as f64, count);
        }
        blocks.push(block);
    }
    let last = wishes.len().saturating_sub(1) as f64;
    let least = top;
    let most = (bottom - last * gap).max(least);
    blocks
        .into_iter()
        .flat_map(|(start, count)| std::iter::repeat_n(start.clamp(least, most), count))
        .enumerate()
        .map(|(at, start)| start + at as f64 * gap)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn labels_thin_from_the_newest() {
        assert_eq!(thinning(&[40.0; 14], 52.0), 1);
        assert_eq!(thinning(&[40.0; 14], 28.0), 2);
        assert_eq!(thinning(&[40.0; 200], 1.24), 39);
        assert_eq!(thinning(&[400.0, 400.0], 124.0), 2, "only the newest stays");
        assert_eq!(thinning(&[40.0], 1.0), 1);
    }

    #[test]
    fn boxes_and_lines_meet() {
        let area = Area { x: (10.0, 20.0), y: (10.0, 20.0) };
        assert!(area.crossed((0.0, 0.0), (30.0, 30.0)));
        assert!(area.crossed((15.0, 0.0), (15.0, 30.0)));
        assert!(!area.crossed((0.0, 0.0), (30.0, 5.0)));
        assert!(!area.crossed((0.0, 0.0), (9.0, 15.0)));
    }

    proptest! {
        #[test]
        fn end_labels_never_touch(mut wishes in prop::collection::vec(0.0..264.0_f64, 1..8)) {
            wishes.sort_by(f64::total_cmp);
            let placed = apart(&wishes, 36.0, 4.0, 264.0);
            prop_assert_eq!(placed.len(), wishes.len());
            for pair in placed.windows(2) {
                prop_assert!(pair[1] - pair[0] > 36.0 - 1e-6);
            }
            prop_assert!(placed[0] >= 4.0 - 1e-6 && placed[placed.len() - 1] <= 264.0 + 1e-6);
            let free = wishes.windows(2).all(|pair| pair[1] - pair[0] >= 36.0);
            if free && wishes[0] >= 4.0 {
                prop_assert!(placed.iter().zip(&wishes).all(|(a, b)| (a - b).abs() < 1e-6));
            }
        }
    }
}
