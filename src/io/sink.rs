//! Where a build puts its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::path::check_relative;
use crate::error::{Error, Place, Result};

/// Takes the files of a build one by one; nothing is visible before [`Sink::finish`].
pub trait Sink: Send {
    /// Adds a file.
    ///
    /// # Errors
    /// Fails on a path that is not a plain relative one, on a path that was already put, and when the system
    /// refuses.
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<()>;

    /// What the record of the previous output says that its pages were made from, by path; none when there is no
    /// previous output, or when another build of this program made it.
    fn made_from(&self) -> Option<&BTreeMap<String, String>> {
        None
    }

    /// Takes files over from the previous output as they are. Takes none and returns false unless all of them
    /// are there, untouched since they were written.
    ///
    /// # Errors
    /// As [`Sink::put`].
    fn keep(&mut self, _paths: &[String]) -> Result<bool> {
        Ok(false)
    }

    /// Makes all files visible in one step.
    ///
    /// # Errors
    /// Fails when the system refuses; what was there before then stands untouched.
    fn finish(self: Box<Self>) -> Result<Written>;
}

/// What a sink has written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of files of the build.
    pub files: usize,
    /// Their size together.
    pub bytes: u64,
    /// How many of them were the same in the previous output.
    pub unchanged: usize,
    /// How many foreign files of the previous output were carried over.
    pub carried: usize,
    /// The files themselves, when they were written to memory.
    pub memory: BTreeMap<String, Arc<[u8]>>,
}

/// Keeps the files in memory, for the preview server and for tests.
#[derive(Debug, Default)]
pub struct MemorySink {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Sink for MemorySink {
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        check_relative(path)?;
        if self.files.insert(path.to_owned(), bytes.into()).is_some() {
            return Err(twice(path));
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        Ok(Written {
            files: self.files.len(),
            bytes: self.files.values().map(|bytes| bytes.len() as u64).sum(),
            memory: self.files,
            ..Written::default()
        })
    }
}

pub(super) fn twice(path: &str) -> Error {
    Error::usage("two parts of the build want to write this file").at(Place::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_what_was_put() {
        let mut sink = Box::new(MemorySink::default());
        sink.put("a/b", b"1").unwrap();
        assert!(sink.put("a/b", b"2").is_err());
        assert!(sink.put("../b", b"2").is_err());
        let mut sink = Box::new(MemorySink::default());
        sink.put("a/b", b"12").unwrap();
        let written = sink.finish().unwrap();
        assert_eq!((written.files, written.bytes), (1, 2));
        assert_eq!(&*written.memory["a/b"], b"12");
    }
}
