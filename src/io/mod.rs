//! The only room that touches the disk.
//!
//! Comes in: paths and bytes. Goes out: a [`Source`] (a folder, a file or memory, listed once and read with
//! limits), a [`Sink`] (a folder that is swapped in as a whole, or memory), digests, and single files.
//! Must not know: any format, the configuration, the evidence.

mod expand;
mod file;
mod folder_sink;
mod hash;
mod path;
mod sink;
mod source;
mod standing;
mod swap;
mod walk;

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
    /// Most files in one source.
    pub files: usize,
    /// Most kept samples of one run.
    pub samples: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 16 << 30,
            document_bytes: 256 << 20,
            line_bytes: 4 << 20,
            files: 200_000,
            samples: 50_000_000,
        }
    }
}
