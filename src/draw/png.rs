//! Figures as PNG, without a browser: the SVG file of a figure, rasterised.
//!
//! Text takes the fonts of the style only, never those of the system, so a figure has the same bytes on every
//! machine. A character that none of them has is drawn as an empty box.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, ID, Query, Source, Weight};
use resvg::usvg::{self, FontResolver, Tree};

use super::{Palette, Style, svg};
use crate::error::{Error, Kind, Result};
use crate::figure::chart::Chart;

/// Width of a picture in pixels, unless another is asked for: two for each px of the SVG file, which is sharp on
/// dense screens and in print.
pub const WIDTH: u32 = 2 * svg::WIDTH as u32;
/// The widths that a picture may have, in pixels.
pub const WIDTHS: RangeInclusive<u32> = 320..=8000;
/// The most pixels of a picture; each takes four bytes while it is drawn, and four more while it is packed.
const PIXELS: u64 = 40_000_000;

/// The surroundings that a picture is for. Unlike an SVG file it cannot adapt itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Dark text on light ground.
    #[default]
    Light,
    /// Light text on dark ground.
    Dark,
}

/// How a picture is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Its colours.
    pub scheme: Scheme,
    /// Its width in pixels, within [`WIDTHS`]; the height follows.
    pub width: u32,
    /// Whether targets stand where their dates lie, if two different dates are known.
    pub by_date: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { scheme: Scheme::default(), width: WIDTH, by_date: false }
    }
}

/// A font file with one face or more.
#[derive(Clone, PartialEq, Eq)]
pub struct Font {
    name: String,
    bytes: Arc<Vec<u8>>,
}

impl fmt::Debug for Font {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Font({}, {} bytes)", self.name, self.bytes.len())
    }
}

impl Font {
    /// A font from the bytes of a TrueType or OpenType file, called `name` in messages.
    ///
    /// # Errors
    ///
    /// Bytes that are no font.
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self> {
        let font = Self { name: name.to_owned(), bytes: Arc::new(bytes) };
        if font.load(&mut Database::new()).is_empty() {
            return Err(Error::usage("is neither a TrueType nor an OpenType font"));
        }
        Ok(font)
    }

    fn load(&self, database: &mut Database) -> Vec<ID> {
        database.load_font_source(Source::Binary(self.bytes.clone())).to_vec()
    }
}

/// The figure as a PNG picture: what a browser shows of [`svg::file()`] or [`svg::file_by_date`] at its full width.
///
/// # Errors
///
/// A width outside [`WIDTHS`], and a figure that would have too many pixels.
pub fn png(chart: &Chart, style: &Style, options: Options) -> Result<Vec<u8>> {
    if !WIDTHS.contains(&options.width) {
        return Err(Error::usage(format!(
            "a picture cannot be {} pixels wide; between {} and {} are possible",
            options.width,
            WIDTHS.start(),
            WIDTHS.end()
        )));
    }
    let palette: &Palette = match options.scheme {
        Scheme::Light => &style.light,
        Scheme::Dark => &style.dark,
    };
    let still = svg::still(chart, style, palette, options.by_date);
    let tree = Tree::from_str(&still, &reading(&style.fonts))
        .map_err(|failure| Error::new(Kind::Evidence, format!("the figure cannot be drawn: {failure}")))?;
    let zoom = f64::from(options.width) / f64::from(tree.size().width());
    let height = (f64::from(tree.size().height()) * zoom).round().max(1.0);
    if f64::from(options.width) * height > PIXELS as f64 {
        return Err(Error::usage(format!("a picture of {} × {height} pixels is too large", options.width))
            .hint(format!("at most {PIXELS} pixels are possible; choose a smaller width")));
    }
    let Some(mut pixels) = Pixmap::new(options.width, height as u32) else {
        return Err(Error::new(Kind::Evidence, "the picture does not fit into memory"));
    };
    // Where the height is no whole number, the ground ends within the last row.
    pixels.fill(colour(&palette.paper));
    resvg::render(&tree, Transform::from_scale(zoom as f32, zoom as f32), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|failure| Error::new(Kind::Evidence, format!("the picture cannot be packed: {failure}")))
}

/// A colour of a palette; white where it is none.
fn colour(text: &str) -> Color {
    let part = |at: usize| text.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) => Color::from_rgba8(red, green, blue, 255),
        _ => Color::WHITE,
    }
}

/// How the SVG is read: text in that face of the first font's family whose weight is nearest.
fn reading(fonts: &[Font]) -> usvg::Options<'static> {
    let mut database = Database::new();
    let faces: Vec<ID> = fonts.iter().flat_map(|font| font.load(&mut database)).collect();
    let family = faces.first().and_then(|id| database.face(*id)?.families.first());
    let family = family.map(|(name, _)| name.clone()).unwrap_or_default();
    usvg::Options {
        font_resolver: FontResolver {
            select_font: Box::new(move |font, database| {
                let families = &[Family::Name(&family)];
                database.query(&Query { families, weight: Weight(font.weight()), ..Query::default() })
            }),
            // The first one that has the character, in the order of the fonts.
            select_fallback: FontResolver::default_fallback_selector(),
        },
        fontdb: Arc::new(database),
        ..usvg::Options::default()
    }
}
