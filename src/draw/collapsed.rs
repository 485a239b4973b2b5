//! A profile as collapsed stacks: one line per path, frames from the outermost, then the weight. The form that
//! flame graph programs read.

use std::io::{self, Write};

use super::stacks::{Path, each_path, weight};
use crate::evidence::profile::Profile;

/// Writes every path of a profile, none folded or left out. The form has no escapes: a semicolon in a label becomes a
/// comma, a control character a space.
///
/// # Errors
/// Those of `out`.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let labels: Vec<String> = profile.tree.frames.iter().map(|frame| plain(&frame.label)).collect();
    let mut line = String::new();
    each_path(profile, |path, sum| {
        line.clear();
        match path {
            Path::Frames(frames) => {
                for (at, frame) in frames.iter().enumerate() {
                    if at > 0 {
                        line.push(';');
                    }
                    line.push_str(labels.get(*frame as usize).map_or("?", String::as_str));
                }
            }
            Path::Line(label) => line.push_str(&plain(&label)),
        }
        writeln!(out, "{line} {}", weight(sum))
    })
}

fn plain(label: &str) -> String {
    let label = label.replace(';', ",").replace(char::is_control, " ");
    if label.trim().is_empty() { "?".to_owned() } else { label }
}
