//! Figures as data: one file per kind, each turning series into a plot document and a plot document into
//! a [`Chart`]. Knows neither SVG nor Plotly.
//!
//! Comes in: groups of series from `analyze`, or saved plot documents. Goes out: documents to be saved and
//! charts to be drawn. A chart is always made from a document, so a downloaded figure draws as the site did.

pub mod allocation;
pub mod boundaries;
mod caption;
pub mod chart;
mod cloud;
mod cloud_words;
pub mod dates;
pub mod distribution;
pub mod document;
pub mod heat;
pub mod kinds;
mod lines;
pub mod matrix;
pub mod names;
pub mod network;
pub mod normalized;
pub mod overlay;
pub mod overview;
pub mod panels;
pub mod record;
pub mod restrict;
pub mod saved;
pub mod scale;
mod sheet;
mod table;
pub mod thin;
pub mod ticks;
pub mod tradeoff;
pub mod version_delta;
pub mod version_series;
mod words;

pub use chart::Chart;
pub use dates::by_date;
pub use document::Context;
pub use kinds::{FigureSet, Further, Part, all, beside, chart, drawable, each, explorable, lines, set, size};
pub use restrict::{metrics, only, range, span, targets, without};
pub use sheet::fits;

#[cfg(test)]
mod beside_tests;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod overview_tests;
#[cfg(test)]
mod tests;
