//! The end records and the directory of an archive.
//!
//! Read strictly: whatever two programs could understand differently (bytes before or after the archive, a
//! second end record, a directory that does not fill its place) is refused as a whole, since nobody could
//! say which of the readings was meant.

use std::io::{Read, Seek, SeekFrom};

use super::super::Limits;

const END: &[u8] = b"PK\x05\x06";
const WIDE_END: &[u8] = b"PK\x06\x06";
const LOCATOR: &[u8] = b"PK\x06\x07";
const HEADER: &[u8] = b"PK\x01\x02";
/// Sizes of the fixed parts of these records.
const END_SIZE: usize = 22;
const WIDE_END_SIZE: usize = 56;
const LOCATOR_SIZE: usize = 20;
const HEADER_SIZE: usize = 46;

/// One entry as the directory tells of it; nothing of it is believed yet.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) name: Vec<u8>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    /// Size in the archive.
    pub(super) stored: u64,
    /// Size when unpacked.
    pub(super) bytes: u64,
    /// Where the entry begins.
    pub(super) offset: u64,
    /// Mode of a Unix file; zero when none is told.
    pub(super) mode: u32,
    /// What is wrong with the extra fields.
    pub(super) broken: Option<&'static str>,
}

/// The entries in the order of the directory.
#[derive(Debug, Default)]
pub(super) struct Directory {
    pub(super) headers: Vec<Header>,
    /// Where the directory begins: no entry may reach beyond.
    pub(super) start: u64,
}

/// Reads the directory. `files` is how many entries there may be at most.
///
/// # Errors
/// Says why the archive is refused as a whole.
pub(super) fn read(
    archive: &mut (impl Read + Seek),
    files: usize,
    limits: &Limits,
) -> Result<Directory, String> {
    let length = archive.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    let end = end(archive, length)?;
    if end.entries > files as u64 {
        return Err(format!(
            "it holds {} entries, more than a source may still have (`files` under [limits])",
            end.entries
        ));
    }
    if end.size > limits.document_bytes {
        return Err(format!(
            "its directory is larger than {} bytes (`document_bytes` under [limits])",
            limits.document_bytes
        ));
    }
    let bytes = exactly(archive, end.start, end.size)?;
    let mut headers = Vec::new();
    let mut at = 0;
    for _ in 0..end.entries {
        let (header, next) = header(&bytes, at).ok_or("its directory is broken")?;
        headers.push(header);
        at = next;
    }
    if at != bytes.len() {
        return Err("its directory holds more than the number of entries says".to_owned());
    }
    let first = headers.iter().map(|header| header.offset).min().unwrap_or(end.start);
    if first != 0 {
        return Err(format!("{first} bytes stand before its first entry"));
    }
    Ok(Directory { headers, start: end.start })
}

/// What the end records say.
struct End {
    entries: u64,
    size: u64,
    start: u64,
}

fn end(archive: &mut (impl Read + Seek), length: u64) -> Result<End, String> {
    let tail_length = length.min((END_SIZE + usize::from(u16::MAX)) as u64);
    let tail_start = length - tail_length;
    let tail = exactly(archive, tail_start, tail_length)?;
    let mut found = None;
    let mut after = None;
    for at in memchr::memmem::find_iter(&tail, END) {
        let Some(comment) = u16_at(&tail, at + 20) else { continue };
        match tail.len().checked_sub(at + END_SIZE + usize::from(comment)) {
            Some(0) if found.replace(at).is_some() => {
                return Err("two end records fit; which of them counts cannot be told".to_owned());
            }
            Some(0) | None => {}
            Some(rest) => after = Some(rest),
        }
    }
    let Some(at) = found else {
        return Err(match after {
            Some(rest) => format!("{rest} bytes follow its end record, or it is cut off"),
            None => "it has no end record; it is cut off or is no zip archive".to_owned(),
        });
    };
    let record = &tail[at..at + END_SIZE];
    let position = tail_start + at as u64;
    let short = |at: usize| u16_at(record, at).map_or(0, u64::from);
    let long = |at: usize| u32_at(record, at).map_or(0, u64::from);
    let mut end = End { entries: short(10), size: long(12), start: long(16) };
    let mut here = short(8);
    let mut disks = [short(4), short(6)];
    let mut until = position;
    if let Some((wide, begin)) = wide_end(archive, position)? {
        let fits = |narrow: u64, mask: u64, wide: u64| narrow == mask || narrow == wide;
        let (narrow, mask) = (u64::from(u16::MAX), u64::from(u32::MAX));
        if !fits(end.entries, narrow, wide.entries)
            || !fits(end.size, mask, wide.size)
            || !fits(end.start, mask, wide.start)
            || !fits(here, narrow, wide.entries)
        {
            return Err("its two end records contradict each other".to_owned());
        }
        (here, until) = (wide.entries, begin);
        disks = disks.map(|disk| if disk == narrow { 0 } else { disk });
        end = wide;
    }
    if here != end.entries || disks != [0, 0] {
        return Err("it is one part of an archive in several parts".to_owned());
    }
    match end.start.checked_add(end.size).and_then(|directory| until.checked_sub(directory)) {
        Some(0) => Ok(end),
        Some(rest) => {
            Err(format!("{rest} bytes stand before the archive or between its directory and its end"))
        }
        None => Err("its directory lies outside of the file; it is cut off".to_owned()),
    }
}

/// The wide (zip64) end record of an archive whose end record stands at `position`, and where it begins.
fn wide_end(archive: &mut (impl Read + Seek), position: u64) -> Result<Option<(End, u64)>, String> {
    let Some(at) = position.checked_sub(LOCATOR_SIZE as u64) else { return Ok(None) };
    let locator = exactly(archive, at, LOCATOR_SIZE as u64)?;
    if !locator.starts_with(LOCATOR) {
        return Ok(None);
    }
    let wrong = || "its zip64 end record is broken".to_owned();
    let begin = u64_at(&locator, 8).ok_or_else(wrong)?;
    let size = at.checked_sub(begin).filter(|size| *size >= WIDE_END_SIZE as u64).ok_or_else(wrong)?;
    let record = exactly(archive, begin, WIDE_END_SIZE as u64)?;
    let number = |at: usize| u64_at(&record, at).ok_or_else(wrong);
    let one_disk = u32_at(&locator, 4) == Some(0)
        && u32_at(&locator, 16) == Some(1)
        && u32_at(&record, 16) == Some(0)
        && u32_at(&record, 20) == Some(0);
    if !record.starts_with(WIDE_END) || number(4)?.checked_add(12) != Some(size) {
        return Err(wrong());
    }
    let end = End { entries: number(32)?, size: number(40)?, start: number(48)? };
    if !one_disk || number(24)? != end.entries {
        return Err("it is one part of an archive in several parts".to_owned());
    }
    Ok(Some((end, begin)))
}

/// The header at `at` and where the next one begins.
fn header(bytes: &[u8], at: usize) -> Option<(Header, usize)> {
    let fixed = bytes.get(at..at + HEADER_SIZE).filter(|fixed| fixed.starts_with(HEADER))?;
    let length = |field: usize| u16_at(fixed, field).map(usize::from);
    let name_end = at + HEADER_SIZE + length(28)?;
    let extra_end = name_end + length(30)?;
    let end = extra_end + length(32)?;
    let mut header = Header {
        name: bytes.get(at + HEADER_SIZE..name_end)?.to_vec(),
        flags: u16_at(fixed, 8)?,
        method: u16_at(fixed, 10)?,
        crc: u32_at(fixed, 16)?,
        stored: u32_at(fixed, 20)?.into(),
        bytes: u32_at(fixed, 24)?.into(),
        offset: u32_at(fixed, 42)?.into(),
        mode: u32_at(fixed, 38)? >> 16,
        broken: None,
    };
    let disk = u16_at(fixed, 34)?;
    let extra = bytes.get(name_end..extra_end)?;
    bytes.get(extra_end..end)?;
    header.broken = more(&mut header, disk, extra).err();
    Some((header, end))
}

/// Takes over what the extra fields of a header say.
fn more(header: &mut Header, mut disk: u16, extra: &[u8]) -> Result<(), &'static str> {
    let mut wide = None;
    let mut rest = extra;
    // Some programs fill up with fewer bytes than a field has at least.
    while rest.len() >= 4 {
        let (id, length) = (u16_at(rest, 0), u16_at(rest, 2).map_or(0, usize::from));
        let field = rest.get(4..4 + length).ok_or("its extra fields are broken")?;
        match id {
            Some(0x0001) if wide.replace(field).is_some() => return Err("it tells its sizes twice"),
            // The name once more, behind a version and a checksum.
            Some(0x7075) if field.get(5..) != Some(&header.name) => return Err("it has two different names"),
            _ => {}
        }
        rest = &rest[4 + length..];
    }
    let mut wide = wide.unwrap_or_default();
    let sizes = [&mut header.bytes, &mut header.stored, &mut header.offset];
    for size in sizes.into_iter().filter(|size| **size == u64::from(u32::MAX)) {
        *size = u64_at(wide, 0).ok_or("its zip64 sizes are missing")?;
        wide = &wide[8..];
    }
    if disk == u16::MAX {
        disk =
            u32_at(wide, 0).and_then(|disk| u16::try_from(disk).ok()).ok_or("its zip64 sizes are missing")?;
    }
    if disk == 0 { Ok(()) } else { Err("it lies in another part of the archive") }
}

/// Reads `length` bytes at `start`.
pub(super) fn exactly(archive: &mut (impl Read + Seek), start: u64, length: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    archive
        .seek(SeekFrom::Start(start))
        .and_then(|_| archive.take(length).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err("it is cut off".to_owned()) }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
