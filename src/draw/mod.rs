//! Figures to bytes: SVG, standalone HTML, PNG, JSON for plotly.js, tables. Nothing here knows where a figure came from or where
//! it goes; looks come in as a [`Style`].

pub mod collapsed;
pub mod csv;
pub mod html;
pub mod json;
pub mod lean;
mod pack;
pub mod plotly;
pub mod png;
pub mod points;
mod rules;
pub mod speedscope;
mod stacks;
pub mod svg;
pub mod table;

/// Everything about the look that drawing needs. `theme` fills it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Colours for light surroundings.
    pub light: Palette,
    /// Colours for dark surroundings.
    pub dark: Palette,
    /// Font family list for text.
    pub sans: String,
    /// Style sheet of figures outside a page: the same rules that pages use, with the palette; made lean by
    /// [`lean::css`].
    pub css: String,
    /// Script of figures: reading line, keys, state in the fragment; made lean by [`lean::script`].
    pub js: String,
    /// Script of figures whose table is cut, which stands before `js`; made lean by [`lean::script`].
    pub large_js: String,
    /// Script of figures without targets on an axis, which stands before `js`; made lean by [`lean::script`].
    pub panels_js: String,
    /// Script of flame graphs, which stands after `js`; made lean by [`lean::script`].
    pub flame_js: String,
    /// Style sheet of figures that are explored in Plotly, besides `css`.
    pub explore_css: String,
    /// Script of figures that are explored in Plotly, besides `js`.
    pub explore_js: String,
    /// Fonts of pictures, in order: the family of the first sets the text, the others lend the characters that
    /// it lacks. Without any, pictures have no text.
    pub fonts: Vec<png::Font>,
    /// What was made of these before; the same for all styles.
    pub made: Made,
}

/// Parts of a style that are made once and used for many figures. Starts empty, also in a clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    sheets: rules::Cache,
}

/// Colours as `#rrggbb`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Palette {
    /// Background.
    pub paper: String,
    /// Text.
    pub ink: String,
    /// Secondary text and the reference line.
    pub muted: String,
    /// Boundaries.
    pub rule: String,
    /// Grid lines.
    pub grid: String,
    /// Background of quiet blocks.
    pub tint: String,
    /// Series, by slot from 1.
    pub series: Vec<String>,
    /// Dependency strips: plain, alternate, newest.
    pub bands: Vec<String>,
    /// Cells of heat maps, from little to much.
    pub heat: Vec<String>,
    /// Frames of call paths: plain, lines over them, dispatched at run time, lines over those, dots; lines of grown
    /// and of shrunk frames.
    pub flame: Vec<String>,
}
