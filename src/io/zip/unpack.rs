//! Reads one entry bit by bit and holds it against what the directory says.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::super::store::Opened;
use super::member::Member;

/// How many packed bytes are held at once.
const BUFFER: usize = 64 << 10;

/// The unpacked bytes of an entry. Reading fails, at its end at the latest, when the size, the packed size or
/// the checksum is not that of the directory; it never gives more bytes than that says.
pub(in super::super) struct Unpacked {
    data: Data,
    member: Member,
    crc: Crc,
    left: u64,
    /// Once broken, always broken.
    broken: Option<&'static str>,
}

enum Data {
    Plain(Take<Opened>),
    Deflated(Box<DeflateDecoder<BufReader<Take<Opened>>>>),
}

impl Unpacked {
    /// Begins to read `member` from `archive`.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub(in super::super) fn new(mut archive: Opened, member: Member) -> io::Result<Self> {
        archive.seek(SeekFrom::Start(member.start))?;
        let data = archive.take(member.stored);
        let data = if member.deflated {
            let buffer = usize::try_from(member.stored).unwrap_or(BUFFER).clamp(512, BUFFER);
            Data::Deflated(Box::new(DeflateDecoder::new(BufReader::with_capacity(buffer, data))))
        } else {
            Data::Plain(data)
        };
        Ok(Self { data, member, crc: Crc::new(), left: member.bytes, broken: None })
    }

    fn fail<T>(&mut self, why: &'static str) -> io::Result<T> {
        self.broken = Some(why);
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Whether all is as the directory says, now that no more bytes come.
    fn end(&mut self) -> io::Result<usize> {
        let packed = match &self.data {
            Data::Plain(_) => self.member.stored,
            Data::Deflated(decoder) => decoder.total_in(),
        };
        if self.left > 0 {
            self.fail("it is shorter than the archive says")
        } else if packed != self.member.stored {
            self.fail("its packed size is not the one that the archive says")
        } else if self.crc.sum() != self.member.crc {
            self.fail("its checksum is wrong; the archive is damaged")
        } else {
            Ok(0)
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(why) = self.broken {
            return self.fail(why);
        }
        let read = match &mut self.data {
            Data::Plain(data) => data.read(buffer),
            Data::Deflated(decoder) => decoder.read(buffer),
        };
        let count = match read {
            Ok(0) if !buffer.is_empty() => return self.end(),
            Ok(count) => count,
            Err(error) => match error.kind() {
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                    return self.fail("its packed data are broken");
                }
                io::ErrorKind::UnexpectedEof => return self.fail("its packed data end too early"),
                _ => return Err(error),
            },
        };
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return self.fail("it is larger than the archive says"),
        }
        self.crc.update(&buffer[..count]);
        Ok(count)
    }
}
