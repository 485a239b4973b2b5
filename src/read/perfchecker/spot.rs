//! Where a profiling row was taken: its source line, its call stack and what was recorded beside each frame
//! (PerfChecker formats §2.7 and §3.6).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::complaints::About;
use super::line::Scalar;
use crate::evidence::profile::note;

/// An array whose items are read one by one, or what stands in its place.
#[derive(Debug, Default)]
pub(super) enum Listed<T> {
    #[default]
    Absent,
    Items(Vec<T>),
    Wrong,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Visit<T> {
            type Value = Listed<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Listed::Items(list))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Listed::Absent)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Listed::Wrong)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Listed::Wrong)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Listed::Wrong)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Listed::Wrong)
            }

            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(Listed::Wrong)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
                while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Listed::Wrong)
            }
        }

        deserializer.deserialize_any(Visit(PhantomData))
    }
}

/// The fields of `attributes` that say where a row was taken.
#[derive(Debug, Default)]
pub(super) struct SpotFields<'a> {
    pub(super) source_file: Scalar<'a>,
    pub(super) source_line: Scalar<'a>,
    pub(super) stack: Listed<Scalar<'a>>,
    pub(super) runtime_dispatch: Listed<Scalar<'a>>,
    pub(super) gc_event: Listed<Scalar<'a>>,
    pub(super) inference_status: Listed<Scalar<'a>>,
    pub(super) inferred_return_type: Listed<Scalar<'a>>,
}

/// Where a row was taken.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Spot<'a> {
    /// File as recorded.
    pub(super) file: Option<Cow<'a, str>>,
    /// Line from 1; 0 when not known.
    pub(super) line: u32,
    /// Frames, outermost first; empty when no stack was recorded.
    pub(super) stack: Vec<Cow<'a, str>>,
    /// Levels (from 0) at which the call was dispatched at run time.
    pub(super) dispatch: Vec<u32>,
    /// Levels (from 0) that are the garbage collector.
    pub(super) collector: Vec<u32>,
    /// What inference knew, frame by frame; none when no such array was recorded for a stack.
    pub(super) inference: Option<Vec<u16>>,
    /// Inferred return types, frame by frame; empty when not recorded.
    pub(super) types: Vec<Cow<'a, str>>,
}

/// A field that is not what it should be, and is taken as absent.
#[derive(Debug)]
pub(super) struct Doubt {
    pub(super) about: About,
    pub(super) field: &'static str,
    pub(super) message: String,
}

impl<'a> SpotFields<'a> {
    /// Judges the fields of a row that names a stack or a source line.
    pub(super) fn judge(self, doubts: &mut Vec<Doubt>) -> Spot<'a> {
        let mut doubt = |field, message: &str| {
            let message = format!("{message}; it is taken as absent");
            doubts.push(Doubt { about: About::Optional, field, message });
        };
        let mut spot = Spot::default();
        match self.source_file {
            Scalar::Text(file) => spot.file = Some(file),
            Scalar::Absent => {}
            _ => doubt("attributes.source_file", "not text"),
        }
        match &self.source_line {
            Scalar::Absent => {}
            Scalar::Number(number) => match number.as_whole().and_then(|line| u32::try_from(line).ok()) {
                Some(line) => spot.line = line,
                None => doubt("attributes.source_line", "not a line number"),
            },
            _ => doubt("attributes.source_line", "not a line number"),
        }
        match self.stack {
            Listed::Absent => {}
            Listed::Items(items) => match items.into_iter().map(text).collect() {
                Some(stack) => spot.stack = stack,
                None => doubt("attributes.stack", "not an array of texts"),
            },
            Listed::Wrong => doubt("attributes.stack", "not an array of texts"),
        }
        let mut beside = Beside { depth: spot.stack.len(), doubts };
        let statuses = !matches!(self.inference_status, Listed::Absent);
        spot.dispatch = beside.levels("attributes.runtime_dispatch", self.runtime_dispatch);
        spot.collector = beside.levels("attributes.gc_event", self.gc_event);
        let words = beside.texts("attributes.inference_status", self.inference_status);
        spot.inference = statuses.then(|| match words {
            Some(words) => words.iter().map(|word| note::bit(word)).collect(),
            None => vec![note::UNKNOWN; beside.depth],
        });
        spot.types =
            beside.texts("attributes.inferred_return_type", self.inferred_return_type).unwrap_or_default();
        spot
    }
}

fn text(item: Scalar<'_>) -> Option<Cow<'_, str>> {
    if let Scalar::Text(text) = item { Some(text) } else { None }
}

/// The arrays beside a stack. One whose length is another is ignored, as the format says.
struct Beside<'a> {
    depth: usize,
    doubts: &'a mut Vec<Doubt>,
}

impl Beside<'_> {
    /// The items of an array of the right length, each as `take` sees it.
    fn items<'t, T>(
        &mut self,
        field: &'static str,
        listed: Listed<Scalar<'t>>,
        wanted: &str,
        take: impl Fn(Scalar<'t>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let message = match listed {
            Listed::Absent => return None,
            Listed::Wrong => format!("not an array of {wanted}"),
            Listed::Items(items) if items.len() != self.depth => {
                format!("{} entries beside a stack of {}", items.len(), self.depth)
            }
            Listed::Items(items) => match items.into_iter().map(take).collect::<Option<Vec<T>>>() {
                Some(items) => return Some(items),
                None => format!("not an array of {wanted}"),
            },
        };
        let message = format!("{message}; it is ignored");
        self.doubts.push(Doubt { about: About::Beside, field, message });
        None
    }

    fn texts<'t>(&mut self, field: &'static str, listed: Listed<Scalar<'t>>) -> Option<Vec<Cow<'t, str>>> {
        self.items(field, listed, "texts", text)
    }

    fn levels(&mut self, field: &'static str, listed: Listed<Scalar<'_>>) -> Vec<u32> {
        let flag = |item: Scalar<'_>| if let Scalar::Flag(flag) = item { Some(flag) } else { None };
        let flags = self.items(field, listed, "true or false", flag).unwrap_or_default();
        (0..).zip(flags).filter(|(_, flag)| *flag).map(|(level, _)| level).collect()
    }
}

/// The spots of one piece of lines. Texts that repeat from line to line are kept once.
#[derive(Default)]
pub(super) struct Spots<'a> {
    index: HashMap<Cow<'a, str>, u32>,
    /// Every text that a spot names.
    pub(super) texts: Vec<Cow<'a, str>>,
    /// One for each row that has one, in the order of rows.
    pub(super) list: Vec<PackedSpot>,
}

/// A spot whose texts are positions in [`Spots::texts`].
pub(super) struct PackedSpot {
    pub(super) file: Option<u32>,
    pub(super) line: u32,
    pub(super) stack: Box<[u32]>,
    pub(super) dispatch: Box<[u32]>,
    pub(super) collector: Box<[u32]>,
    pub(super) inference: Option<Box<[u16]>>,
    pub(super) types: Box<[u32]>,
}

impl<'a> Spots<'a> {
    /// Adds a spot; its number, from 1.
    pub(super) fn add(&mut self, spot: Spot<'a>) -> u32 {
        let mut all = |texts: Vec<Cow<'a, str>>| {
            let mut before = None;
            let number = |text: Cow<'a, str>| {
                // Neighbours are often equal, return types above all, and comparing is cheaper than looking up.
                let at = match before {
                    Some(at) if self.texts[at as usize] == text => at,
                    _ => self.text(text),
                };
                before = Some(at);
                at
            };
            texts.into_iter().map(number).collect()
        };
        let (stack, types) = (all(spot.stack), all(spot.types));
        let file = spot.file.map(|file| self.text(file));
        self.list.push(PackedSpot {
            file,
            line: spot.line,
            stack,
            dispatch: spot.dispatch.into(),
            collector: spot.collector.into(),
            inference: spot.inference.map(Into::into),
            types,
        });
        // A piece has far fewer lines than 2³².
        self.list.len() as u32
    }

    fn text(&mut self, text: Cow<'a, str>) -> u32 {
        if let Some(&at) = self.index.get(&text) {
            return at;
        }
        let at = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.index.insert(text, at);
        at
    }
}
