//! Typed views of flame graph documents. Source of the forms: PerfChecker formats §3.6 (`path` from the root) and
//! our own compact one (`frame` in a list of the options, `parent` as the position of another row).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plot::Plot;
use super::profile::Frame;
use super::{Name, Number};
use crate::error::{Error, Place, Result};

/// Name of the option that lists the frames of the compact form.
pub const FRAMES: &str = "frames";
/// Name of the option that lists the cost of every function.
pub const FUNCTIONS: &str = "functions";

/// One frame as called along one path.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameRow {
    /// The frame.
    pub frame: Frame,
    /// Position of the caller's row, which stands before; none for the outermost frames.
    pub parent: Option<usize>,
    /// Weight with everything that it called.
    pub value: Number,
    /// Weight of its own, when recorded; else it is what callees leave of `value`.
    pub own: Option<Number>,
    /// Weight of callees that the document folds.
    pub folded: Number,
    /// Weight of calls dispatched at run time, when recorded.
    pub dispatch: Number,
    /// Weight of the garbage collector, when recorded.
    pub collector: Number,
    /// The recorded word of what is remarkable about it; empty when not recorded.
    pub status: String,
    /// What inference knew, in recorded words.
    pub inference: Vec<String>,
    /// Inferred return types.
    pub types: Vec<String>,
    /// Whether no row of the document is this frame's own: a deeper one names it as its caller.
    pub implied: bool,
}

/// What a function costs, as a document of ours lists it: name, file, own weight, weight with everything it called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionRow(pub String, pub Option<String>, pub Number, pub Number);

/// A frame in the list of a compact document: a recorded label, or a function with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FrameEntry {
    /// A label that tells function and place itself, as far as they can be told.
    Label(String),
    /// A function whose place was recorded apart from it.
    Placed(String, Option<String>, u32),
}

impl FrameEntry {
    /// The entry of a frame.
    pub fn of(frame: &Frame) -> Self {
        if *frame == Frame::recorded(frame.label.clone()) {
            Self::Label(frame.label.to_string())
        } else {
            Self::Placed(frame.name().to_owned(), frame.file.as_deref().map(str::to_owned), frame.line)
        }
    }

    /// The frame of an entry.
    pub fn frame(&self) -> Frame {
        match self {
            Self::Label(label) => Frame::recorded(label.as_str().into()),
            Self::Placed(function, file, line) => {
                Frame::placed(function.as_str().into(), file.as_deref().map(Name::from), *line)
            }
        }
    }
}

fn wrong(row: usize, field: &str, what: &str) -> Error {
    Error::evidence(format!("`{field}` is {what}")).at(Place::default().field(format!("data[{row}].{field}")))
}

impl Plot {
    /// The rows of a flame graph, callers before what they call.
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn flame_rows(&self) -> Result<Vec<FlameRow>> {
        let listed = self.options.get(FRAMES).map(Vec::<FrameEntry>::deserialize).transpose();
        let listed = listed.map_err(|error| {
            Error::evidence(format!("the list of frames cannot be read: {error}"))
                .at(Place::default().field(format!("options.{FRAMES}")))
        })?;
        match listed {
            Some(frames) => self.compact(&frames.iter().map(FrameEntry::frame).collect::<Vec<_>>()),
            None => self.by_path(),
        }
    }

    /// The cost of every function that a compact document lists; none where it lists none.
    pub fn function_rows(&self) -> Option<Vec<FunctionRow>> {
        Vec::deserialize(self.options.get(FUNCTIONS)?).ok()
    }

    fn compact(&self, frames: &[Frame]) -> Result<Vec<FlameRow>> {
        self.data
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let whole = |key: &str| row.get(key).and_then(Value::as_u64).map(|whole| whole as usize);
                let frame = whole("frame").and_then(|frame| frames.get(frame));
                let frame = frame.ok_or_else(|| wrong(at, "frame", "no position in the list of frames"))?;
                let parent = match row.get("parent") {
                    None | Some(Value::Null) => None,
                    Some(_) => Some(
                        whole("parent")
                            .filter(|parent| *parent < at)
                            .ok_or_else(|| wrong(at, "parent", "no position of a row before"))?,
                    ),
                };
                self.row(at, frame.clone(), parent)
            })
            .collect()
    }

    fn by_path(&self) -> Result<Vec<FlameRow>> {
        let mut rows: Vec<FlameRow> = Vec::new();
        let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
        for (at, row) in self.data.iter().enumerate() {
            let labels = row.get("path").and_then(Value::as_array);
            let labels: Option<Vec<&str>> =
                labels.and_then(|labels| labels.iter().map(Value::as_str).collect());
            let Some((last, callers)) = labels.as_deref().and_then(<[&str]>::split_last) else {
                return Err(wrong(at, "path", "not an array of labels"));
            };
            let mut parent = None;
            for label in callers {
                parent = Some(*known.entry((parent, label)).or_insert_with(|| {
                    rows.push(FlameRow {
                        frame: Frame::recorded((*label).into()),
                        parent,
                        value: Number::ZERO,
                        own: None,
                        folded: Number::ZERO,
                        dispatch: Number::ZERO,
                        collector: Number::ZERO,
                        status: String::new(),
                        inference: Vec::new(),
                        types: Vec::new(),
                        implied: true,
                    });
                    rows.len() - 1
                }));
            }
            let own = self.row(at, Frame::recorded((*last).into()), parent)?;
            match known.get(&(parent, *last)) {
                Some(&before) if rows[before].implied => rows[before] = own,
                // Names that were masked may be the same now; nothing of their weight is lost.
                Some(&before) => {
                    let sum = &mut rows[before];
                    sum.value = sum.value + own.value;
                    sum.dispatch = sum.dispatch + own.dispatch;
                    sum.collector = sum.collector + own.collector;
                }
                None => {
                    known.insert((parent, last), rows.len());
                    rows.push(own);
                }
            }
        }
        Ok(rows)
    }

    fn row(&self, at: usize, frame: Frame, parent: Option<usize>) -> Result<FlameRow> {
        let row = &self.data[at];
        let number = |key: &str| row.get(key).and_then(|value| Number::deserialize(value).ok());
        let value = number("value").ok_or_else(|| wrong(at, "value", "not a finite number"))?;
        if value < Number::ZERO {
            return Err(wrong(at, "value", "below zero, so no weight"));
        }
        let words = |key: &str| -> Vec<String> {
            let list = row.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        Ok(FlameRow {
            frame,
            parent,
            value,
            own: number("self"),
            folded: number("folded").unwrap_or(Number::ZERO),
            dispatch: number("runtime_dispatch_value").unwrap_or(Number::ZERO),
            collector: number("gc_event_value").unwrap_or(Number::ZERO),
            status: row.get("status").and_then(Value::as_str).unwrap_or_default().to_owned(),
            inference: words("inference_status"),
            types: words("inferred_return_type"),
            implied: false,
        })
    }
}
