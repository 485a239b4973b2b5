//! Every test of the whole program, in one binary that links once.

mod generate;
