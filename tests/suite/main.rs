//! Every test of the whole program, in one binary that links once.
#![allow(clippy::disallowed_methods, reason = "tests write sites and read results themselves")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "perfolio writes lower-case endings")]

mod browser;
mod commands;
mod demo;
mod determinism;
mod documents;
mod draw;
mod embedded;
mod explore;
mod figures;
mod flames;
mod generate;
mod large;
mod lost;
mod masked;
mod output;
mod panels;
mod profiles;
mod program;
mod published;
mod refusals;
mod reports;
mod rooms;
mod said;
mod setup;
mod sites;
mod tradeoffs;
mod ways;
mod zips;
