//! JSON Lines in windows of whole lines, hashed while they are read.

use std::io::{self, Read};

use super::super::without_mark;
use super::integrity::Measured;
use crate::io::Hasher;

/// How much is read at once.
const WINDOW: usize = 8 << 20;

/// What becomes of the lines.
pub(super) trait TakeLines: Send {
    /// Takes whole lines, the first of which has the number `first` (from 1). Returns how many there are.
    fn take(&mut self, lines: &[u8], first: u64) -> u64;

    /// The line with the number `line` is longer than the limit and was skipped.
    fn too_long(&mut self, line: u64);
}

/// Reads everything from `reader`, `expected` bytes by its listing, hashing each window while its lines are
/// taken. A line longer than `limit` is skipped and never held as a whole.
pub(super) fn read(
    reader: &mut dyn Read,
    expected: u64,
    limit: u64,
    parallel: bool,
    taker: &mut dyn TakeLines,
) -> io::Result<Measured> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(1 << 30);
    let window = usize::try_from(expected).unwrap_or(WINDOW).saturating_add(1).clamp(4096, WINDOW);
    let mut buffer = vec![0; window + limit];
    let mut hasher = Hasher::default();
    let mut bytes = 0_u64;
    let mut line = 1_u64;
    // Bytes of an unfinished line at the start of the buffer, at most `limit`.
    let mut kept = 0;
    let mut skipping = false;
    loop {
        let filled = fill(reader, &mut buffer[kept..kept + window])?;
        let (end, last) = (kept + filled, filled < window);
        let fresh = &buffer[kept..end];
        bytes += filled as u64;
        let mut start = 0;
        if skipping {
            match memchr::memchr(b'\n', fresh) {
                Some(at) => {
                    start = at + 1;
                    line += 1;
                    skipping = false;
                }
                None => start = end,
            }
        }
        let whole = if last {
            end
        } else {
            memchr::memrchr(b'\n', &buffer[start..end]).map_or(start, |at| start + at + 1)
        };
        let lines = &buffer[start..whole];
        let lines = if line == 1 { without_mark(lines) } else { lines };
        if parallel {
            let ((), count) = rayon::join(|| hasher.update(fresh), || taker.take(lines, line));
            line += count;
        } else {
            hasher.update(fresh);
            line += taker.take(lines, line);
        }
        if last {
            return Ok(Measured { sha256: hasher.finish(), bytes });
        }
        kept = end - whole;
        if kept > limit {
            taker.too_long(line);
            skipping = true;
            kept = 0;
        } else {
            buffer.copy_within(whole..end, 0);
        }
    }
}

/// Reads until `buffer` is full or the file ends.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Cuts `lines` into pieces of about `size` bytes, each of whole lines.
pub(super) fn pieces(lines: &[u8], size: usize) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = lines;
    while rest.len() > size {
        let Some(at) = memchr::memchr(b'\n', &rest[size..]) else { break };
        let (piece, next) = rest.split_at(size + at + 1);
        pieces.push(piece);
        rest = next;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// The lines of `bytes` without their line feeds.
pub(super) fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::sha256_hex;

    #[derive(Default)]
    struct Kept {
        lines: Vec<(u64, usize)>,
        long: Vec<u64>,
    }

    impl TakeLines for Kept {
        fn take(&mut self, lines: &[u8], first: u64) -> u64 {
            let mut line = first;
            for text in split(lines) {
                self.lines.push((line, text.len()));
                line += 1;
            }
            line - first
        }

        fn too_long(&mut self, line: u64) {
            self.long.push(line);
        }
    }

    /// Formats §6, trap 27: single lines may have tens of kB, and files any size.
    #[test]
    fn windows_hold_whole_lines_and_long_ones_are_skipped() {
        let sizes = [10, 0, 5000, 3, 9000, 20_000, 4000, 1, 12_000];
        let mut text = Vec::new();
        for size in sizes {
            text.extend(std::iter::repeat_n(b'x', size));
            text.push(b'\n');
        }
        text.extend(b"end");
        let mut kept = Kept::default();
        let measured = read(&mut &text[..], 100, 9000, true, &mut kept).unwrap();
        assert_eq!(measured.sha256, sha256_hex(&text));
        assert_eq!(measured.bytes, text.len() as u64);
        // Lines that end inside a window are handed out whatever their length; the taker refuses them.
        let told: Vec<_> =
            sizes.iter().copied().chain([3]).enumerate().map(|(at, size)| (at as u64 + 1, size)).collect();
        for (line, size) in told {
            let taken = kept.lines.contains(&(line, size));
            let long = kept.long.contains(&line);
            assert!(taken != long, "line {line} of {size}");
            assert!(!long || size > 9000);
        }
        assert!(kept.long.contains(&6));
    }

    #[test]
    fn pieces_are_whole_lines() {
        let text = b"aa\nb\ncccc\ndd";
        let cut = pieces(text, 3);
        assert_eq!(cut.concat(), text);
        assert!(cut[..cut.len() - 1].iter().all(|piece| piece.ends_with(b"\n")));
    }
}
