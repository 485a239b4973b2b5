//! Printing for people and for machines: numbers, units, names, dates, escaping, masking.
//!
//! Leaves without domain words. Comes in: text and plain numbers. Goes out: text. Imports no other room.

pub mod date;
pub mod escape;
pub mod file;
pub mod list;
pub mod natural;
pub mod number;
pub mod redact;
pub mod slug;
pub mod unit;
pub mod width;
