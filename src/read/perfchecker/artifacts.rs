//! `artifacts.json`: files beside the five documents (PerfChecker formats §2.9). Paths in it are untrusted
//! text and lead nowhere but below `artifacts/`.

use std::io::Read;

use serde_json::Value;

use super::super::complaints::quote;
use super::super::join;
use super::ARTIFACTS;
use crate::error::{Place, Problem, Problems};
use crate::io::{Hasher, Source, check_relative};

/// What the list says of one artifact that has a path.
#[derive(Debug)]
pub(super) struct Artifact {
    path: String,
    sha256: Option<String>,
    bytes: Option<u64>,
}

/// Reads the list; none when its structure is broken, which refuses the bundle.
pub(super) fn read(bytes: &[u8], path: &str, problems: &mut Problems) -> Option<Vec<Artifact>> {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Array(items)) => Some(items.iter().filter_map(artifact).collect()),
        Ok(_) => {
            problems.push(Problem::error(Place::file(path), "the list of artifacts is not an array"));
            None
        }
        Err(error) => {
            let message = format!("the list of artifacts is not JSON: {error}");
            problems.push(Problem::error(Place::file(path), message));
            None
        }
    }
}

/// Records are free objects; only those with a path are about a file.
fn artifact(item: &Value) -> Option<Artifact> {
    Some(Artifact {
        path: item.get("path")?.as_str()?.to_owned(),
        sha256: item.get("sha256").and_then(Value::as_str).map(str::to_owned),
        bytes: item.get("bytes").and_then(Value::as_u64),
    })
}

/// Holds every artifact against its record.
pub(super) fn verify(source: &Source, folder: &str, artifacts: &[Artifact], problems: &mut Problems) {
    let list = join(folder, ARTIFACTS);
    for artifact in artifacts {
        let shown = quote(&artifact.path);
        let wrong = |field: &str, message: String| Problem::error(Place::file(&*list).field(field), message);
        if let Err(error) = check_relative(&artifact.path) {
            problems.push(wrong("path", format!("not followed: {}", error.message)));
            continue;
        }
        let Some(path) = located(source, folder, &artifact.path) else {
            problems.push(wrong("path", format!("there is no artifact {shown}")));
            continue;
        };
        if artifact.sha256.is_none() && artifact.bytes.is_none() {
            continue;
        }
        match digest(source, &path) {
            Err(why) => problems.push(wrong("path", format!("the artifact {shown} cannot be read: {why}"))),
            Ok((_, bytes)) if artifact.bytes.is_some_and(|recorded| recorded != bytes) => {
                problems.push(wrong(
                    "bytes",
                    format!("the artifact {shown} has {bytes} bytes, not the recorded size"),
                ));
            }
            Ok((sha256, _)) if artifact.sha256.as_ref().is_some_and(|recorded| *recorded != sha256) => {
                problems
                    .push(wrong("sha256", format!("the artifact {shown} does not have its recorded digest")));
            }
            Ok(_) => {}
        }
    }
}

/// Where an artifact is: below `artifacts/`, whether or not its path says so.
fn located(source: &Source, folder: &str, path: &str) -> Option<String> {
    let below = path.strip_prefix("artifacts/").unwrap_or(path);
    [path, below]
        .into_iter()
        .map(|path| join(folder, &format!("artifacts/{path}")))
        .find(|path| source.entry(path).is_some())
}

fn digest(source: &Source, path: &str) -> Result<(String, u64), String> {
    let mut reader = source.stream(path).map_err(|error| error.message)?;
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match reader.read(&mut buffer).map_err(|error| error.to_string())? {
            0 => return Ok((hasher.finish(), bytes)),
            count => {
                hasher.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}
