//! The generator of the committed fixtures.
//!
//! `PERFOLIO_BLESS=1 cargo test --test suite generate` writes them; without it the same test makes them in memory
//! and compares. `bundle::write_bundle` and `synthetic` serve other tests and benchmarks as well.
//!
//! | file | holds |
//! | --- | --- |
//! | `canon`, `ids` | the canonical text, digests and ids of the format |
//! | `definition`, `spec`, `bundle` | what a bundle should hold, and its exact files |
//! | `synthetic` | bundles of any size |
//! | `oxygen` | bundles from published figures |
//! | `reports` | diagnosis, native and network documents from published figures |
//! | `invented` | invented documents of the same forms, and results of static analysis |
//! | `awkward` | invented results with every awkward case |
//! | `catalogs` | published galleries in every form of their catalogue |
//! | `profiles` | a gallery of published profiles |
//! | `spoil` | tiny sources with one mistake or one permitted oddity each |
//! | `proofs` | the builder against the worked example of the format |
#![allow(clippy::disallowed_methods, reason = "the generator writes its own fixtures")]
#![allow(clippy::assigning_clones, reason = "fixtures are built once; plain assignment reads better")]

mod awkward;
pub(crate) mod bundle;
pub(crate) mod canon;
mod catalogs;
mod csv;
pub(crate) mod definition;
pub(crate) mod ids;
mod invented;
mod oxygen;
mod profiles;
mod proofs;
mod reports;
pub(crate) mod spec;
mod spoil;
pub(crate) mod synthetic;
mod tree;

#[test]
fn fixtures_are_as_generated() {
    let mut tree = tree::Tree::default();
    oxygen::add(&mut tree);
    reports::add(&mut tree);
    invented::add(&mut tree);
    awkward::add(&mut tree);
    spoil::add(&mut tree);
    catalogs::add(&mut tree);
    profiles::add(&mut tree);
    if std::env::var_os("PERFOLIO_BLESS").is_some() {
        tree.write();
    }
    let differences = tree.differences();
    assert!(
        differences.is_empty(),
        "run `PERFOLIO_BLESS=1 cargo test --test suite generate`; {} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
}
