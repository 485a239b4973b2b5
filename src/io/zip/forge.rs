//! Makes archives byte by byte, the wrong ones that no writer makes included.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// One entry; every field goes into both headers unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    pub(super) name: Vec<u8>,
    /// Name in the header before the data, when another.
    pub(super) local_name: Option<Vec<u8>>,
    pub(super) data: Vec<u8>,
    pub(super) crc: u32,
    pub(super) bytes: u32,
    pub(super) stored: u32,
    pub(super) method: u16,
    pub(super) flags: u16,
    pub(super) mode: u32,
    pub(super) extra: Vec<u8>,
    /// Where the directory says that it lies, when not where it is.
    pub(super) offset: Option<u32>,
}

pub(super) fn stored(name: &str, data: &[u8]) -> Piece {
    let mut crc = Crc::new();
    crc.update(data);
    Piece {
        name: name.into(),
        data: data.to_vec(),
        crc: crc.sum(),
        bytes: data.len() as u32,
        stored: data.len() as u32,
        ..Piece::default()
    }
}

pub(super) fn deflated(name: &str, data: &[u8]) -> Piece {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    let packed = encoder.finish().unwrap();
    Piece { stored: packed.len() as u32, data: packed, method: 8, ..stored(name, data) }
}

/// An archive of `pieces`.
pub(super) fn archive(pieces: &[Piece]) -> Vec<u8> {
    let (mut bytes, directory) = body(pieces);
    let start = bytes.len();
    bytes.extend(&directory);
    end(&mut bytes, pieces.len() as u16, directory.len() as u32, start as u32);
    bytes
}

/// The entries, and the directory of them.
pub(super) fn body(pieces: &[Piece]) -> (Vec<u8>, Vec<u8>) {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for piece in pieces {
        let offset = piece.offset.unwrap_or(bytes.len() as u32);
        let name = piece.local_name.as_ref().unwrap_or(&piece.name);
        bytes.extend(b"PK\x03\x04\x14\x00");
        numbers(&mut bytes, piece);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend(name);
        bytes.extend(&piece.data);
        directory.extend(b"PK\x01\x02\x14\x03\x14\x00");
        numbers(&mut directory, piece);
        for length in [piece.name.len(), piece.extra.len(), 0, 0, 0] {
            directory.extend((length as u16).to_le_bytes());
        }
        directory.extend((piece.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&piece.name);
        directory.extend(&piece.extra);
    }
    (bytes, directory)
}

fn numbers(bytes: &mut Vec<u8>, piece: &Piece) {
    bytes.extend(piece.flags.to_le_bytes());
    bytes.extend(piece.method.to_le_bytes());
    bytes.extend([0; 4]);
    for number in [piece.crc, piece.stored, piece.bytes] {
        bytes.extend(number.to_le_bytes());
    }
}

/// The end record.
pub(super) fn end(bytes: &mut Vec<u8>, entries: u16, size: u32, start: u32) {
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(entries.to_le_bytes());
    bytes.extend(entries.to_le_bytes());
    bytes.extend(size.to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
}

/// The wide end record and its locator, to stand between the directory and the end record.
pub(super) fn wide_end(bytes: &mut Vec<u8>, entries: u64, size: u64, start: u64) {
    let begin = bytes.len() as u64;
    bytes.extend(b"PK\x06\x06");
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 3, 45, 0]);
    bytes.extend([0; 8]);
    for number in [entries, entries, size, start] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend(begin.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
}
