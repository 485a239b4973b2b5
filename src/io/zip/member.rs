//! Which entries of an archive can be read, and why the others cannot.

use std::io::{Read, Seek};

use super::super::Limits;
use super::directory::{Directory, Header, exactly, u16_at, u32_at};

const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: u64 = 30;
/// Entries of at most this size may be packed as tightly as they like.
const SMALL: u64 = 1 << 20;

const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// Sizes and checksum stand behind the data; only the directory has them.
const SIZES_BEHIND: u16 = 1 << 3;
const PATCHED: u16 = 1 << 5;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Where the data of an entry lies and what they must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Member {
    /// Where its data begin in the archive.
    pub(super) start: u64,
    /// Their size there.
    pub(super) stored: u64,
    /// Whether they are packed (deflate) or as they are.
    pub(super) deflated: bool,
    /// Size when unpacked.
    pub(super) bytes: u64,
    pub(super) crc: u32,
}

/// For each header of `directory` what it stands for, or why it is refused.
pub(super) fn members(
    archive: &mut (impl Read + Seek),
    directory: &Directory,
    limits: &Limits,
) -> Vec<Result<Member, String>> {
    let mut places = Vec::new();
    let mut members: Vec<Result<Member, String>> = Vec::with_capacity(directory.headers.len());
    for (at, header) in directory.headers.iter().enumerate() {
        let start = data(archive, header);
        if let Ok(start) = start {
            places.push((header.offset, start.saturating_add(header.stored), at));
        }
        members.push(start.and_then(|start| {
            check(header, limits)?;
            Ok(Member {
                start,
                stored: header.stored,
                deflated: header.method == DEFLATED,
                bytes: header.bytes,
                crc: header.crc,
            })
        }));
    }
    // Entries that share bytes: a small archive could unpack to anything by them.
    places.sort_unstable();
    let mut reach = (0, None);
    for (start, end, at) in places {
        if end > directory.start {
            members[at] = Err("its data reach into the directory of the archive".to_owned());
        }
        if start < reach.0 {
            for at in [Some(at), reach.1].into_iter().flatten() {
                members[at] = Err("it shares bytes with another entry".to_owned());
            }
        }
        reach = reach.max((end, Some(at)));
    }
    members
}

/// Where the data of an entry begin, by the header before them, which must agree with that of the directory.
fn data(archive: &mut (impl Read + Seek), header: &Header) -> Result<u64, String> {
    if let Some(why) = header.broken {
        return Err(why.to_owned());
    }
    let length = LOCAL_SIZE + header.name.len() as u64;
    let local = exactly(archive, header.offset, length)
        .ok()
        .filter(|local| local.starts_with(LOCAL))
        .ok_or("its data do not lie where the directory says")?;
    let flags = u16_at(&local, 6).unwrap_or_default();
    let same_name =
        u16_at(&local, 26).map(usize::from) == Some(header.name.len()) && local.ends_with(&header.name);
    if !same_name
        || u16_at(&local, 8) != Some(header.method)
        || (flags ^ header.flags) & (ENCRYPTED | PATCHED) != 0
    {
        return Err("what stands before its data contradicts the directory".to_owned());
    }
    let told = |at: usize, size: u64, given: u32| {
        let open = flags & SIZES_BEHIND != 0 && given == 0;
        // The wide form of a size stands elsewhere; what is read is held against the directory's anyway.
        let wide = at > 14 && given == u32::MAX;
        open || wide || u64::from(given) == size
    };
    let agree = [(14, u64::from(header.crc)), (18, header.stored), (22, header.bytes)]
        .into_iter()
        .all(|(at, size)| u32_at(&local, at).is_some_and(|given| told(at, size, given)));
    if !agree {
        return Err("the sizes or the checksum before its data contradict the directory".to_owned());
    }
    let extra = u16_at(&local, 28).map_or(0, u64::from);
    header.offset.checked_add(length + extra).ok_or_else(|| "its data lie outside of the archive".to_owned())
}

/// Refuses what cannot or must not be unpacked.
fn check(header: &Header, limits: &Limits) -> Result<(), String> {
    if header.flags & ENCRYPTED != 0 {
        return Err("it is encrypted".to_owned());
    }
    match header.mode & 0o170_000 {
        0 | 0o100_000 => {}
        0o120_000 => return Err("it is a link; links in archives are not followed".to_owned()),
        _ => return Err("it is neither a file nor a folder".to_owned()),
    }
    if header.flags & PATCHED != 0 || !matches!(header.method, STORED | DEFLATED) {
        return Err(format!("it is packed by {}; only deflate is read", method(header.method)));
    }
    if header.method == STORED && header.stored != header.bytes {
        return Err("its two sizes differ, though it is not packed".to_owned());
    }
    if header.bytes > SMALL && header.bytes > header.stored.saturating_mul(limits.zip_ratio) {
        return Err(format!(
            "it would unpack to more than {} times its size (`zip_ratio` under [limits])",
            limits.zip_ratio
        ));
    }
    Ok(())
}

fn method(number: u16) -> String {
    let name = match number {
        1 => "shrink",
        2..=5 => "reduce",
        6 => "implode",
        9 => "deflate64",
        12 => "bzip2",
        14 => "lzma",
        93 => "zstd",
        95 => "xz",
        98 => "ppmd",
        99 => "encryption",
        _ => return format!("method {number}"),
    };
    name.to_owned()
}
