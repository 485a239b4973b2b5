//! Where a result is (SARIF 2.1.0 §3.28–3.30) and how it came there (§3.36, §3.44). Addresses become harmless
//! text: nothing of them is ever followed.

use std::borrow::Cow;

use super::Reading;
use crate::read::json::Object;
use crate::read::tree::Value;

/// A place as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) file: Option<String>,
    pub(super) line: Option<u64>,
    pub(super) column: Option<u64>,
    /// What the address of the file is relative to, as a name.
    pub(super) base: Option<String>,
    /// The function or class, as recorded.
    pub(super) symbol: Option<String>,
}

impl<'a> Reading<'a, '_> {
    /// A location.
    pub(super) fn place(&mut self, location: &Object<'a>) -> Location {
        let mut place = Location::default();
        if let Some(physical) = location.object("physicalLocation", self.complaints) {
            if let Some(artifact) = physical.object("artifactLocation", self.complaints) {
                let listed = self.listed(&artifact);
                for one in [Some(artifact), listed].into_iter().flatten() {
                    place.file = place.file.or_else(|| Some(harmless(&self.text(&one, "uri")?)));
                    place.base = place.base.or_else(|| self.text(&one, "uriBaseId"));
                }
            }
            if let Some(region) = physical.object("region", self.complaints) {
                place.line = region.count("startLine", self.complaints).filter(|line| *line > 0);
                place.column = region.count("startColumn", self.complaints).filter(|column| *column > 0);
            }
        }
        if let Some(logical) = location.objects("logicalLocations", self.complaints).first() {
            let full = self.text(logical, "fullyQualifiedName");
            place.symbol = full.or_else(|| self.text(logical, "name"));
        }
        place
    }

    /// The location of the artifact that `artifact` refers to by its place in the list (§3.4.5).
    fn listed(&mut self, artifact: &Object<'a>) -> Option<Object<'a>> {
        let at = artifact.value("index").and_then(Value::as_u64)?;
        let listed = self.artifacts.get(usize::try_from(at).ok()?)?.clone();
        listed.object("location", self.complaints)
    }

    /// The call path of a result: its first flow of code, else its first stack, in recorded order.
    pub(super) fn path(&mut self, result: &Object<'a>) -> Vec<String> {
        let flows = result.objects("codeFlows", self.complaints);
        let threads: Vec<Object<'a>> =
            flows.iter().flat_map(|one| one.objects("threadFlows", self.complaints)).collect();
        let stacks = result.objects("stacks", self.complaints);
        let mut steps =
            threads.first().map(|one| one.objects("locations", self.complaints)).unwrap_or_default();
        if steps.is_empty() {
            steps = stacks.first().map(|one| one.objects("frames", self.complaints)).unwrap_or_default();
        }
        if threads.len() + stacks.len() > 1 {
            *self.unread.entry("further call paths".to_owned()).or_default() += 1;
        }
        let mut frames = Vec::with_capacity(steps.len());
        for step in steps {
            if let Some(location) = step.object("location", self.complaints) {
                frames.push(self.frame(&location));
            }
        }
        frames
    }

    /// A location with its message, its symbol and its file, in one line.
    pub(super) fn frame(&mut self, location: &Object<'a>) -> String {
        let place = self.place(location);
        let message = self.message(location, None);
        let file = place.file.map(|file| match place.line {
            Some(line) => format!("@ {file}:{line}"),
            None => format!("@ {file}"),
        });
        let words: Vec<String> = [Some(message), place.symbol, file]
            .into_iter()
            .flatten()
            .filter(|word| !word.is_empty())
            .collect();
        words.join(" ")
    }
}

/// The text of an address: percent signs decoded, without `file://`, and without characters that steer a
/// terminal or a line of text.
pub(super) fn harmless(uri: &str) -> String {
    let path = match uri.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("file://") => {
            let rest = &uri[7..];
            // `file:///c:/a` is a path with a drive letter; the slash before it belongs to the address.
            match rest.strip_prefix('/') {
                Some(inner) if inner.as_bytes().get(1) == Some(&b':') => inner,
                _ => rest,
            }
        }
        _ => uri,
    };
    decode(path).chars().map(|symbol| if symbol.is_control() { '\u{fffd}' } else { symbol }).collect()
}

/// Decodes `%41`; a text that is then no longer UTF-8 stays as it was.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair =
            bytes.get(at + 1..at + 3).filter(|pair| byte == b'%' && pair.iter().all(u8::is_ascii_hexdigit));
        let value = pair.and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        out.push(value.unwrap_or(byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}
