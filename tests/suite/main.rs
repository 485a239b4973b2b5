//! Every test of the whole program, in one binary that links once.
#![allow(clippy::disallowed_methods, reason = "tests write sites and read results themselves")]

mod browser;
mod draw;
mod figures;
mod generate;
mod published;
mod refusals;
mod setup;
