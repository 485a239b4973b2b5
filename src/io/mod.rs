//! The only room that touches the disk.
//!
//! Comes in: paths and bytes. Goes out: a [`Source`] (a folder, a zip archive, a file or memory, listed once
//! and read with limits), a [`Sink`] (a folder that is swapped in as a whole, or memory), digests, and single files.
//! Must not know: any format, the configuration, the evidence.

mod expand;
mod file;
mod folder_sink;
mod hash;
mod path;
mod sink;
mod source;
mod standing;
mod store;
mod swap;
mod walk;
mod zip;

pub use expand::{expand, matches};
pub use file::{read_text, write_file};
pub use folder_sink::FolderSink;
pub use hash::{Hasher, sha256_base64, sha256_hex};
pub use path::{check_relative, relative_to_file};
pub use sink::{MemorySink, Sink, Written};
pub use source::{Entry, Source};
pub use standing::standing;

/// Limits on hostile input; sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read as a stream.
    pub file_bytes: u64,
    /// Largest document that is read as a whole.
    pub document_bytes: u64,
    /// Longest line of a JSON Lines file.
    pub line_bytes: u64,
    /// Most files in one source, those inside of archives included.
    pub files: usize,
    /// Most kept samples of one run.
    pub samples: usize,
    /// Most bytes that all zip archives of one source unpack to.
    pub zip_bytes: u64,
    /// How many times its packed size a file of more than 1 MiB may have when unpacked.
    pub zip_ratio: u64,
    /// Most bytes of archives inside of archives, which are held in memory while their source is open.
    pub zip_nested_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 16 << 30,
            document_bytes: 256 << 20,
            line_bytes: 4 << 20,
            files: 200_000,
            samples: 50_000_000,
            zip_bytes: 64 << 30,
            zip_ratio: 400,
            zip_nested_bytes: 256 << 20,
        }
    }
}
