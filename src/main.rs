//! The `perfolio` program.

fn main() {}
