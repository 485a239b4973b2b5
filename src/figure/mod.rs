//! Figures as data: one file per kind, each turning series into a plot document and a plot document into
//! a [`Chart`]. Knows neither SVG nor Plotly.
//!
//! Comes in: groups of series from `analyze`, or saved plot documents. Goes out: documents to be saved and
//! charts to be drawn. A chart is always made from a document, so a downloaded figure draws as the site did.

pub mod chart;

pub use chart::Chart;
