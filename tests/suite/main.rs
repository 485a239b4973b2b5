//! Every test of the whole program, in one binary that links once.
#![allow(clippy::disallowed_methods, reason = "tests write sites and read results themselves")]

mod browser;
mod generate;
<<<<<<< HEAD
mod setup;
=======
mod refusals;
>>>>>>> 750650f (Hold the reader against every corrupt and accepted fixture)
