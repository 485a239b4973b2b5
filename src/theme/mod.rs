//! The look: templates, style sheet and script of a theme, and the views that templates receive.

pub mod view;
