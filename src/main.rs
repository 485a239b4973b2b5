//! The `perfolio` program: hands the command line to the library and its answer to the system.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A site is made of millions of short texts and lists; this allocator takes a seventh of the time of a large build off
/// what the system's one needs.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    perfolio::cli::run(std::env::args_os())
}
