//! A profile as a speedscope document (<https://www.speedscope.app/file-format-schema.json>).

use std::collections::BTreeMap;
use std::fmt::Write as FmtWrite;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::stacks::{Path, each_path, weight};
use crate::evidence::profile::Profile;

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// Writes every path of a profile, none folded or left out.
///
/// # Errors
/// Those of `out`.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut frames: Vec<Value> = profile
        .tree
        .frames
        .iter()
        .map(|frame| {
            let mut fields = Map::new();
            fields.insert("name".to_owned(), frame.name().into());
            if let Some(file) = &frame.file {
                fields.insert("file".to_owned(), (&**file).into());
            }
            if frame.line > 0 {
                fields.insert("line".to_owned(), frame.line.into());
            }
            Value::Object(fields)
        })
        .collect();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    each_path(profile, |path, _| -> io::Result<()> {
        if let Path::Line(label) = path {
            lines.entry(label).or_insert_with_key(|label| {
                frames.push(json!({"name": label}));
                frames.len() - 1
            });
        }
        Ok(())
    })?;
    let name = [&profile.feature, &profile.target].into_iter().flatten().map(|name| &**name);
    let name = name.chain([&*profile.metric]).collect::<Vec<_>>().join(" · ");
    write!(out, "{{\"$schema\":{},\"name\":{},", json!(SCHEMA), json!(name))?;
    write!(
        out,
        "\"exporter\":\"perfolio\",\"activeProfileIndex\":0,\"shared\":{{\"frames\":{}}},",
        json!(frames)
    )?;
    let unit = unit(&profile.unit);
    write!(out, "\"profiles\":[{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{unit}\",", json!(name))?;
    write!(out, "\"startValue\":0,\"endValue\":{},\"samples\":[", weight(profile.total))?;
    let (mut first, mut weights, mut line) = (true, Vec::new(), String::new());
    each_path(profile, |path, sum| -> io::Result<()> {
        out.write_all(if first { b"[" } else { b",[" })?;
        first = false;
        match path {
            Path::Frames(path) => {
                line.clear();
                for (at, frame) in path.iter().enumerate() {
                    if at > 0 {
                        line.push(',');
                    }
                    // Writing to a string cannot fail.
                    let _ = FmtWrite::write_fmt(&mut line, format_args!("{frame}"));
                }
                out.write_all(line.as_bytes())?;
            }
            Path::Line(label) => write!(out, "{}", lines.get(&label).copied().unwrap_or_default())?,
        }
        weights.push(weight(sum));
        out.write_all(b"]")
    })?;
    write!(out, "],\"weights\":")?;
    serde_json::to_writer(&mut *out, &weights).map_err(io::Error::from)?;
    out.write_all(b"}]}\n")
}

/// The unit in the words of the form; what it does not know has none.
fn unit(recorded: &str) -> &'static str {
    match recorded {
        "ns" => "nanoseconds",
        "us" | "µs" | "μs" => "microseconds",
        "ms" => "milliseconds",
        "s" | "seconds" => "seconds",
        "By" | "B" | "bytes" => "bytes",
        _ => "none",
    }
}
