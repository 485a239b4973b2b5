#![allow(clippy::disallowed_methods, reason = "tests make their own files")]

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;
use std::{fmt, fs};

use proptest::prelude::*;

use super::super::{Limits, Source};
use super::forge::{Piece, archive, body, deflated, end, stored, wide_end};

/// What a source of one archive, `a.zip`, shows.
#[derive(Default)]
struct Seen {
    good: BTreeMap<String, Vec<u8>>,
    /// Why each of the others cannot be read.
    refused: BTreeMap<String, String>,
    /// What could not even be listed.
    problems: Vec<String>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let good: Vec<_> = self.good.iter().map(|(path, bytes)| (path, bytes.len())).collect();
        write!(f, "{good:?} {:?} {:?}", self.refused, self.problems)
    }
}

fn look(bytes: Vec<u8>, limits: &Limits) -> Seen {
    look_into([("a.zip".to_owned(), bytes)].into(), limits)
}

fn look_into(files: BTreeMap<String, Vec<u8>>, limits: &Limits) -> Seen {
    let source = Source::memory(files, limits);
    let mut seen = Seen::default();
    assert!(source.entries().is_sorted_by(|a, b| a.path < b.path), "{:?}", source.entries());
    for entry in source.entries() {
        let read = source.read(&entry.path);
        let mut streamed = Vec::new();
        let stream = source.stream(&entry.path).map_err(|error| error.message);
        let stream = stream.and_then(|mut stream| {
            stream.read_to_end(&mut streamed).map_err(|error| {
                // What is broken stays broken.
                assert!(stream.read(&mut [0; 16]).is_err());
                error.to_string()
            })
        });
        match read {
            Ok(bytes) => {
                assert_eq!((entry.bytes, &stream), (bytes.len() as u64, &Ok(bytes.len())));
                assert_eq!(bytes, streamed);
                seen.good.insert(entry.path.clone(), bytes);
            }
            Err(error) => {
                assert_eq!(error.place.path.as_ref(), Some(&entry.path));
                assert!(stream.is_err() || entry.bytes > limits.document_bytes, "{}", entry.path);
                assert!(streamed.len() as u64 <= entry.bytes);
                seen.refused.insert(entry.path.clone(), error.message);
            }
        }
    }
    let sorted = source.problems().sorted();
    seen.problems = sorted.iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect();
    seen
}

fn text() -> Vec<u8> {
    (0..9_000_u32).flat_map(|number| number.to_string().into_bytes()).collect()
}

/// A good sibling, the odd piece, another good sibling.
fn beside(odd: Piece) -> Vec<u8> {
    archive(&[stored("first", b"one"), odd, deflated("last/x.txt", &text())])
}

fn siblings_are_there(seen: &Seen) {
    assert_eq!(seen.good["a.zip/first"], b"one", "{:?}", seen.refused);
    assert_eq!(seen.good["a.zip/last/x.txt"], text());
    assert_eq!(seen.good.len(), 2);
}

#[track_caller]
fn refused(odd: Piece, path: &str, why: &str) {
    let seen = look(beside(odd), &Limits::default());
    siblings_are_there(&seen);
    let told = seen.refused.get(path).unwrap_or_else(|| panic!("{path} is not refused: {seen:?}"));
    assert!(told.contains(why), "{told}");
    assert_eq!((seen.refused.len(), seen.problems.len()), (1, 0), "{:?}", seen.problems);
}

#[track_caller]
fn refused_whole(bytes: Vec<u8>, why: &str) {
    let files = [("a.zip".to_owned(), bytes), ("b.txt".to_owned(), b"sibling".to_vec())];
    let seen = look_into(files.into(), &Limits::default());
    assert_eq!(seen.good.keys().collect::<Vec<_>>(), ["b.txt"]);
    let told = &seen.refused["a.zip"];
    assert!(told.starts_with("the zip archive cannot be read: ") && told.contains(why), "{told}");
}

#[test]
fn files_inside_are_listed_and_read() {
    let folder = stored("empty/", b"");
    let bytes = archive(&[
        stored("b", b"stored"),
        deflated("a/deep/c.txt", &text()),
        folder,
        stored("zero", b""),
        stored("__MACOSX/._b", b"hidden"),
        deflated("Ünïcode/µ", b"u"),
    ]);
    let source = Source::memory([("in/r.ZIP".to_owned(), bytes)].into(), &Limits::default());
    let paths: Vec<_> = source.entries().iter().map(|entry| (entry.path.as_str(), entry.bytes)).collect();
    let size = text().len() as u64;
    let expected =
        [("in/r.ZIP/a/deep/c.txt", size), ("in/r.ZIP/b", 6), ("in/r.ZIP/zero", 0), ("in/r.ZIP/Ünïcode/µ", 1)];
    assert_eq!(paths, expected);
    assert_eq!(source.read("in/r.ZIP/a/deep/c.txt").unwrap(), text());
    for folder in ["in/r.ZIP", "in/r.ZIP/empty", "in/r.ZIP/a", "in/r.ZIP/a/deep"] {
        assert!(source.is_folder(folder), "{folder}");
    }
    assert!(!source.is_folder("in/r.ZIP/b") && source.problems().is_empty());
    assert!(source.read("in/r.ZIP").is_err() && source.read("in/r.ZIP/__MACOSX/._b").is_err());
}

#[test]
fn an_archive_is_known_by_its_content_or_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = archive(&[stored("x/y", b"1")]);
    for name in ["download", "r.zip"] {
        fs::write(folder.path().join(name), &bytes).unwrap();
        let source = Source::open(&folder.path().join(name), &Limits::default()).unwrap();
        assert_eq!(source.entries()[0].path, format!("{name}/x/y"));
        assert_eq!(source.read(&source.entries()[0].path).unwrap(), b"1");
    }
    fs::write(folder.path().join("no.zip"), "text").unwrap();
    let source = Source::open(&folder.path().join("no.zip"), &Limits::default()).unwrap();
    assert!(source.read("no.zip").unwrap_err().message.contains("no end record"));
    let source = Source::open(folder.path(), &Limits::default()).unwrap();
    let paths: Vec<_> = source.entries().iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(paths, ["download", "no.zip", "r.zip/x/y"]);
    let closed = Source::open_closed(folder.path(), &Limits::default()).unwrap();
    assert_eq!(closed.read("r.zip").unwrap(), bytes);
    let empty = look(archive(&[]), &Limits::default());
    assert!(empty.good.is_empty() && empty.refused.is_empty() && empty.problems.is_empty());
}

#[test]
fn many_readers_read_one_archive_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pieces: Vec<Piece> = (0..40).map(|at| deflated(&format!("f{at:02}"), &text()[at * 500..])).collect();
    fs::write(folder.path().join("r.zip"), archive(&pieces)).unwrap();
    let source = Source::open(folder.path(), &Limits::default()).unwrap();
    std::thread::scope(|scope| {
        for start in 0..4 {
            let source = &source;
            scope.spawn(move || {
                for at in (0..40).map(|at| (at + start * 10) % 40) {
                    let read = source.read(&format!("r.zip/f{at:02}")).unwrap();
                    assert_eq!(read, text()[at * 500..]);
                }
            });
        }
    });
}

#[test]
fn unsafe_names_are_problems_and_their_siblings_are_shown() {
    let long = "x".repeat(5000);
    let deep = "d/".repeat(70) + "x";
    for bad in [
        "../x",
        "a/../../x",
        "/etc/passwd",
        "C:/x",
        "C:\\x",
        "..\\x",
        "\\\\host\\x",
        "a//b",
        "./a",
        "a\0b",
        "a\nb",
        "",
        "/",
        "con",
        "a/NUL.txt",
        "Lpt1",
        "dir/aux.json/x",
        &long,
        &deep,
    ] {
        let seen = look(beside(stored(bad, b"evil")), &Limits::default());
        siblings_are_there(&seen);
        assert_eq!(seen.problems.len(), 1, "{bad:?}: {seen:?}");
        assert!(
            seen.problems[0].starts_with("a.zip/") && !seen.problems[0].contains('\0'),
            "{:?}",
            seen.problems
        );
    }
    let latin = Piece { name: b"caf\xe9".to_vec(), ..stored("", b"x") };
    let seen = look(beside(latin), &Limits::default());
    siblings_are_there(&seen);
    assert!(seen.problems[0].contains("not UTF-8"), "{:?}", seen.problems);
    // A name that has two readings.
    let mut extra = [0x75, 0x70, 11, 0, 1, 0, 0, 0, 0].to_vec();
    extra.extend(b"../../x"[..6].iter());
    refused(Piece { extra, ..stored("plain", b"x") }, "a.zip/plain", "two different names");
    // Thousands are told in one line.
    let many: Vec<Piece> = (0..300).map(|at| stored(&format!("../{at}"), b"")).collect();
    let seen = look(archive(&many), &Limits::default());
    assert_eq!(seen.problems.len(), 101);
    assert!(seen.problems.iter().any(|problem| problem.contains("200 more entries")), "{:?}", seen.problems);
}

#[test]
fn entries_that_cannot_be_trusted_are_refused_one_by_one() {
    let x = || deflated("x", &text());
    refused(Piece { mode: 0o120_777, ..stored("x", b"/etc/passwd") }, "a.zip/x", "a link");
    refused(Piece { mode: 0o020_666, ..stored("x", b"") }, "a.zip/x", "neither a file nor a folder");
    refused(Piece { mode: 0o040_755, ..stored("x", b"") }, "a.zip/x", "neither a file nor a folder");
    for flag in [1, 1 << 6, 1 << 13] {
        refused(Piece { flags: flag, ..x() }, "a.zip/x", "encrypted");
    }
    for (method, word) in [(12, "bzip2"), (14, "lzma"), (93, "zstd"), (99, "encryption"), (777, "method 777")]
    {
        refused(Piece { method, ..x() }, "a.zip/x", word);
    }
    refused(Piece { crc: 7, ..x() }, "a.zip/x", "checksum is wrong");
    refused(Piece { crc: 7, ..stored("x", b"abc") }, "a.zip/x", "checksum is wrong");
    let (bytes, packed) = (x().bytes, x().stored);
    refused(Piece { bytes: bytes - 1, ..x() }, "a.zip/x", "larger than the archive says");
    refused(Piece { bytes: bytes + 1, ..x() }, "a.zip/x", "shorter than the archive says");
    refused(Piece { bytes: 2, ..stored("x", b"abc") }, "a.zip/x", "two sizes differ");
    refused(Piece { stored: packed - 9, ..x() }, "a.zip/x", "end too early");
    let mut padded = x();
    padded.data.extend(b"more");
    padded.stored += 4;
    refused(padded, "a.zip/x", "packed size is not the one");
    refused(Piece { data: vec![0xff; packed as usize], ..x() }, "a.zip/x", "packed data are broken");
    refused(Piece { local_name: Some(b"y".to_vec()), ..x() }, "a.zip/x", "contradicts the directory");
    refused(Piece { offset: Some(5), ..x() }, "a.zip/x", "do not lie where");
    refused(Piece { offset: Some(u32::MAX - 1), ..x() }, "a.zip/x", "do not lie where");
    refused(Piece { offset: Some(u32::MAX), ..x() }, "a.zip/x", "zip64 sizes are missing");
    refused(Piece { extra: vec![1, 0, 200, 0, 9], ..x() }, "a.zip/x", "extra fields are broken");
}

#[test]
fn a_local_header_that_tells_another_story_is_refused() {
    let good = archive(&[stored("x", b"abc")]);
    for (at, what) in
        [(14, "the sizes or the checksum"), (18, "the sizes"), (22, "the sizes"), (8, "contradicts")]
    {
        let mut bytes = good.clone();
        bytes[at] ^= 9;
        let seen = look(bytes, &Limits::default());
        assert!(seen.refused["a.zip/x"].contains(what), "{at}: {seen:?}");
    }
    // Sizes that stand behind the data are those of the directory.
    let mut bytes = archive(&[Piece { flags: 8, ..stored("x", b"abc") }]);
    bytes[14..26].fill(0);
    assert_eq!(look(bytes, &Limits::default()).good["a.zip/x"], b"abc");
}

#[test]
fn a_name_that_is_there_twice_is_not_read() {
    let bytes = archive(&[stored("x", b"1"), stored("y", b"y"), stored("x", b"2"), stored("X", b"other")]);
    let seen = look(bytes, &Limits::default());
    assert_eq!(seen.refused["a.zip/x"], "the archive holds 2 files of this name; none is read");
    // On disk, too, names that differ in case are different files.
    assert_eq!(seen.good.keys().collect::<Vec<_>>(), ["a.zip/X", "a.zip/y"]);
    let bytes = archive(&[stored("x", b"1"), stored("x/y", b"y"), stored("x/", b"")]);
    let seen = look(bytes, &Limits::default());
    assert_eq!(seen.good.keys().collect::<Vec<_>>(), ["a.zip/x"]);
    assert!(seen.problems[0].starts_with("a.zip/x/y: it lies below a file"), "{:?}", seen.problems);
    let full = look(beside(stored("f/", b"content")), &Limits::default());
    siblings_are_there(&full);
    assert!(full.problems[0].contains("a folder that has content"), "{:?}", full.problems);
}

#[test]
fn entries_that_share_bytes_are_refused() {
    // Many names for the same packed bytes.
    let mut kernel = deflated("k0", &vec![0; 90_000]);
    kernel.offset = Some(0);
    let names: Vec<Piece> =
        (0..50).map(|at| Piece { name: format!("k{at:02}").into(), ..kernel.clone() }).collect();
    let (_, directory) = body(&names);
    let (mut bytes, _) = body(&names[..1]);
    let start = bytes.len();
    bytes.extend(&directory);
    end(&mut bytes, 50, directory.len() as u32, start as u32);
    let seen = look(bytes, &Limits::default());
    // One name is that of the bytes, so nothing is read more than once.
    assert_eq!((seen.good.len(), seen.refused.len()), (1, 49), "{seen:?}");
    assert!(seen.refused["a.zip/k01"].contains("contradicts the directory"), "{seen:?}");
    // One whose data reach over the next, which itself is in order; the third is not touched.
    let wide = Piece { stored: 20, bytes: 20, ..stored("wide", b"abc") };
    let seen = look(archive(&[wide, stored("next", b"n"), stored("third", &[b'x'; 99])]), &Limits::default());
    assert!(seen.refused["a.zip/wide"].contains("shares bytes"), "{seen:?}");
    assert!(seen.refused["a.zip/next"].contains("shares bytes"), "{seen:?}");
    assert_eq!(seen.good.keys().collect::<Vec<_>>(), ["a.zip/third"]);
    let long = Piece { stored: 60, bytes: 60, ..stored("long", b"abc") };
    let seen = look(archive(&[long]), &Limits::default());
    assert!(seen.refused["a.zip/long"].contains("reach into the directory"), "{seen:?}");
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 4 << 20];
    let bomb = deflated("x", &zeros);
    assert!(bomb.bytes / bomb.stored > 1000);
    refused(bomb.clone(), "a.zip/x", "400 times");
    // One that hides its size ends at the size that it admits.
    refused(Piece { bytes: 1 << 20, ..bomb }, "a.zip/x", "larger than the archive says");
    let limits = Limits { zip_bytes: 250, files: 4, ..Limits::default() };
    let seen = look(archive(&["a", "b", "c"].map(|name| stored(name, &[1; 100]))), &limits);
    assert_eq!(seen.good.len(), 2);
    assert!(seen.refused["a.zip/c"].contains("`zip_bytes`"), "{seen:?}");
    let many = archive(&["a", "b", "c", "d", "e"].map(|name| stored(name, b"")));
    let seen = look(many.clone(), &limits);
    assert!(seen.refused["a.zip"].contains("`files`"), "{seen:?}");
    // Files beside the archive count, too.
    let few = archive(&["a", "b", "c"].map(|name| stored(name, b"")));
    let files = [("a.zip", few.clone()), ("b.zip", few), ("c", Vec::new())];
    let seen = look_into(files.map(|(path, bytes)| (path.to_owned(), bytes)).into(), &limits);
    assert_eq!((seen.good.len(), seen.refused.len()), (4, 1), "{seen:?}");
    assert!(seen.refused["b.zip"].contains("`files`"), "{seen:?}");
    let limits = Limits { document_bytes: 100, ..Limits::default() };
    assert!(look(many, &limits).refused["a.zip"].contains("`document_bytes`"));
}

#[test]
fn an_archive_in_an_archive_is_read_and_a_third_is_not() {
    let third = archive(&[stored("deep", b"d")]);
    let second =
        archive(&[deflated("in/s.txt", &text()), stored("third.zip", &third), stored("broken", b"x")]);
    let mut torn = second.clone();
    torn.truncate(torn.len() - 5);
    let first = archive(&[
        stored("top", b"t"),
        deflated("d/second.zip", &second),
        stored("torn.zip", &torn),
        Piece { crc: 1, ..deflated("wrong.zip", &second) },
    ]);
    let seen = look(first.clone(), &Limits::default());
    assert_eq!(
        seen.good.keys().collect::<Vec<_>>(),
        ["a.zip/d/second.zip/broken", "a.zip/d/second.zip/in/s.txt", "a.zip/top"]
    );
    assert_eq!(seen.good["a.zip/d/second.zip/in/s.txt"], text());
    assert!(seen.refused["a.zip/d/second.zip/third.zip"].contains("archive in an archive in an archive"));
    assert!(seen.refused["a.zip/torn.zip"].contains("cut off"), "{:?}", seen.refused);
    assert!(seen.refused["a.zip/wrong.zip"].contains("checksum"), "{:?}", seen.refused);
    assert_eq!(seen.refused.len(), 3);
    let limits = Limits { zip_nested_bytes: second.len() as u64 - 1, ..Limits::default() };
    let seen = look(first, &limits);
    assert!(seen.refused["a.zip/d/second.zip"].contains("`zip_nested_bytes`"), "{:?}", seen.refused);
    assert_eq!(seen.good.keys().collect::<Vec<_>>(), ["a.zip/top"]);
}

#[test]
fn bytes_around_an_archive_and_odd_end_records_refuse_it() {
    let pieces = [stored("x", b"abc"), deflated("y", &text())];
    let good = archive(&pieces);
    let with = |before: &[u8], after: &[u8]| [before, &good, after].concat();
    refused_whole(with(b"#!/bin/sh\n", b""), "stand before");
    refused_whole(with(b"", b"tail"), "4 bytes follow its end record");
    refused_whole(with(b"", &good), "stand before");
    // Offsets that count the bytes in front.
    let (data, directory) = body(&pieces.clone().map(|piece| Piece { offset: Some(3), ..piece }));
    let mut moved = [&b"sfx"[..], &data, &directory].concat();
    end(&mut moved, 2, directory.len() as u32, 3 + data.len() as u32);
    refused_whole(moved, "3 bytes stand before its first entry");
    // A comment is fine; one that holds a second end record is not.
    let comment = |text: &[u8]| {
        let mut bytes = good.clone();
        let at = bytes.len() - 2;
        bytes[at..].copy_from_slice(&(text.len() as u16).to_le_bytes());
        bytes.extend(text);
        bytes
    };
    assert_eq!(look(comment(b"made by hand"), &Limits::default()).good.len(), 2);
    let mut second = Vec::new();
    end(&mut second, 0, 0, 0);
    refused_whole(comment(&second), "two end records");
    let patch = |from_end: usize, value: u8| {
        let mut bytes = good.clone();
        let at = bytes.len() - from_end;
        bytes[at] = value;
        bytes
    };
    refused_whole(patch(18, 1), "one part of an archive");
    refused_whole(patch(14, 1), "one part of an archive");
    let mut fewer = patch(14, 1);
    let at = fewer.len() - 12;
    fewer[at] = 1;
    refused_whole(fewer, "more than the number of entries says");
    let mut more = patch(14, 3);
    more[at] = 3;
    refused_whole(more, "its directory is broken");
    refused_whole(patch(7, 255), "lies outside of the file");
    refused_whole(Vec::new(), "no end record");
}

#[test]
fn wide_archives_are_read_and_odd_ones_refused() {
    let mut extra = vec![1, 0, 24, 0];
    for number in [3_u64, 3, 0] {
        extra.extend(number.to_le_bytes());
    }
    let wide = Piece { extra, ..stored("x", b"abc") };
    let (data, mut directory) = body(&[wide]);
    directory[20..28].fill(0xff);
    directory[42..46].fill(0xff);
    let size = directory.len() as u64;
    let start = data.len() as u64;
    let make = |entries: u64, size: u64, start: u64| {
        let mut bytes = [&data[..], &directory].concat();
        wide_end(&mut bytes, entries, size, start);
        end(&mut bytes, u16::MAX, u32::MAX, u32::MAX);
        bytes
    };
    assert_eq!(look(make(1, size, start), &Limits::default()).good["a.zip/x"], b"abc");
    refused_whole(make(2, size, start), "directory is broken");
    refused_whole(make(u64::MAX, size, start), "`files`");
    refused_whole(make(1, u64::MAX, start), "lies outside");
    refused_whole(make(1, size, u64::MAX), "lies outside");
    let mut contradiction = make(1, size, start);
    let at = contradiction.len() - 12;
    contradiction[at - 2..at + 2].copy_from_slice(&[9, 0, 9, 0]);
    refused_whole(contradiction, "contradict each other");
    let mut short = make(1, size, start);
    let at = short.len() - 22 - 20 - 56 + 4;
    short[at] = 43;
    refused_whole(short, "zip64 end record is broken");
    // Wide sizes that are announced and missing refuse the entry alone.
    let mut bytes = archive(&[stored("x", b"abc"), stored("y", b"y")]);
    let at = memchr::memmem::find(&bytes, b"PK\x01\x02").unwrap();
    bytes[at + 24..at + 28].fill(0xff);
    let seen = look(bytes, &Limits::default());
    assert!(seen.refused["a.zip/x"].contains("zip64 sizes are missing"), "{seen:?}");
    assert_eq!(seen.good["a.zip/y"], b"y");
}

static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(sample);
static IN_SAMPLE: LazyLock<BTreeMap<String, Vec<u8>>> =
    LazyLock::new(|| look(sample(), &Limits::default()).good);

/// A small archive with everything in it.
fn sample() -> Vec<u8> {
    let inner = archive(&[deflated("n.txt", &text()[..3000]), stored("e/", b"")]);
    archive(&[
        stored("one", b"abc"),
        deflated("two/three.json", &text()[..9000]),
        deflated("four.zip", &inner),
        Piece { flags: 8, ..stored("five", b"x") },
    ])
}

#[test]
fn a_cut_archive_is_refused_wherever_it_is_cut() {
    let whole = sample();
    for length in (0..whole.len()).step_by(64).chain(whole.len() - 100..whole.len()) {
        let seen = look(whole[..length].to_vec(), &Limits::default());
        assert_eq!(seen.good.len(), 0, "{length}: {seen:?}");
        assert!(seen.refused["a.zip"].contains("the zip archive cannot be read"), "{length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), shape in 0..3) {
        let mut bytes = bytes;
        if shape > 0 {
            let (entries, size, start) = (bytes.len() as u16 % 5, bytes.len() as u32 / 2, bytes.len() as u32 / 2);
            end(&mut bytes, entries, size, start);
        }
        if shape > 1 {
            bytes.splice(0..0, *b"PK\x03\x04");
        }
        let seen = look(bytes, &Limits::default());
        prop_assert!(seen.good.is_empty() || shape > 0);
    }

    /// Whatever is changed in an archive: nothing but the original bytes is ever read from it, and never more
    /// than the limits allow.
    #[test]
    fn changed_archives_give_true_bytes_or_none(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        late in any::<bool>(),
    ) {
        let mut bytes = SAMPLE.clone();
        // Half of the cases go for the directory and the end record.
        let from = if late { bytes.len() - 350 } else { 0 };
        for (at, value) in changes {
            let at = from + at.index(bytes.len() - from);
            bytes[at] = value;
        }
        let seen = look(bytes, &Limits { zip_bytes: 1 << 20, ..Limits::default() });
        let total: usize = seen.good.values().map(Vec::len).sum();
        prop_assert!(total <= 1 << 20);
        for bytes in seen.good.values().filter(|bytes| !bytes.is_empty()) {
            prop_assert!(IN_SAMPLE.values().any(|original| original == bytes));
        }
    }
}
