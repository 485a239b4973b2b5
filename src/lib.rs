//! perfolio reads saved performance evidence and publishes it as a static site. It never measures.
//!
//! Data flows one way through these rooms:
//!
//! ```text
//! source ──read──▶ evidence ──analyze──▶ series ──figure──▶ figures ──draw──▶ svg html json csv png
//!                                                                        │
//! content (Markdown) ──────────────────────────────────────────────── site ──publish──▶ public/
//!                                       theme (templates, css, js) ┘
//! ```

pub mod analyze;
pub mod cli;
pub mod config;
pub mod content;
pub mod draw;
pub mod error;
pub mod evidence;
pub mod figure;
pub mod io;
pub mod publish;
pub mod read;
pub mod site;
pub mod text;
pub mod theme;
