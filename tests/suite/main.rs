//! Every test of the whole program, in one binary that links once.
#![allow(clippy::disallowed_methods, reason = "tests write sites and read results themselves")]

mod browser;
mod commands;
mod demo;
mod determinism;
mod draw;
mod figures;
mod generate;
mod program;
mod published;
mod refusals;
mod rooms;
mod setup;
