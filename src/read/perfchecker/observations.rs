//! `observations.jsonl`: samples, grouped by what they are samples of (PerfChecker formats §2.7).
//!
//! The file is read in windows; while one thread hashes a window, the others take its lines apart, a piece
//! each. Pieces are merged in their order and samples are sorted at the end, so neither the number of threads
//! nor the order of lines changes the result.

use std::collections::HashMap;

use rayon::prelude::*;

use super::super::complaints::{About, Complaint, Complaints, quote};
use super::integrity::Measured;
use super::keys::{Names, Numbered, Texts};
use super::line::{self, Key};
use super::lines::{self, TakeLines};
use super::profiles::{Forest, Known};
use super::spot::Spots;
use super::template::Template;
use crate::error::{Place, Problem, Problems};
use crate::evidence::{Definition, FileStatus, GroupKey, Name, Number, Profile, Run, Sample, SampleGroup};
use crate::io::{Limits, Source};

/// Size of the pieces that threads take.
const PIECE: usize = 512 << 10;
/// Most groups of one run.
const GROUPS: usize = 1 << 20;
/// Templates that are tried on a line.
const TEMPLATES: usize = 8;
/// Templates that may turn out useless before a piece learns no more: lines with stacks all differ.
const PATIENCE: u32 = 32;

/// What a line is held against.
pub(super) struct Context<'a> {
    pub(super) run_id: &'a str,
    pub(super) attempt_id: &'a str,
    definitions: HashMap<&'a str, (u32, &'a Definition)>,
    line_limit: u64,
}

impl<'a> Context<'a> {
    pub(super) fn new(run: &'a Run, line_limit: u64) -> Self {
        let by_id = |(at, definition): (usize, &'a Definition)| (&*definition.id, (at as u32, definition));
        Self {
            run_id: &run.run_id,
            attempt_id: &run.attempt_id,
            definitions: run.definitions.iter().enumerate().map(by_id).collect(),
            line_limit,
        }
    }

    pub(super) fn definition(&self, id: &str) -> Option<(u32, &'a Definition)> {
        self.definitions.get(id).copied()
    }
}

/// What the file gave.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// Accepted observations.
    pub(super) groups: Vec<SampleGroup>,
    /// Profiles, made of the groups whose rows name stacks or source lines.
    pub(super) profiles: Vec<Profile>,
    /// Digest and size; none when the file is absent or cannot be read.
    pub(super) measured: Option<Measured>,
    /// Whether lines are missing that cannot be told from others.
    pub(super) incomplete: bool,
    /// Why it could not be read to its end; told whatever the digests say.
    pub(super) unreadable: Problems,
    /// What became of the file; none when it is absent.
    pub(super) status: Option<FileStatus>,
}

/// Reads the file at `path`; an absent one is empty. When the bundle is not `believed`, only the digest is made.
pub(super) fn read(
    source: &Source,
    path: &str,
    run: &Run,
    limits: &Limits,
    parallel: bool,
    believed: bool,
    problems: &mut Problems,
) -> Observations {
    let Some(entry) = source.entry(path) else { return Observations::default() };
    let context = Context::new(run, limits.line_bytes);
    let mut collector = Collector {
        context: &context,
        parallel,
        believed,
        limit: limits.samples,
        names: Names::default(),
        index: HashMap::new(),
        groups: Vec::new(),
        forest: Forest::default(),
        samples: 0,
        complaints: Complaints::default(),
    };
    let measured = source.stream(path).map_err(|error| error.message).and_then(|mut reader| {
        lines::read(&mut *reader, entry.bytes, limits.line_bytes, parallel, &mut collector)
            .map_err(|error| error.to_string())
    });
    let mut observations = Observations::default();
    match measured {
        Ok(measured) => observations.measured = Some(measured),
        Err(why) => {
            let message = format!("cannot be read to its end: {why}");
            observations.unreadable.push(Problem::error(Place::file(path), message));
            observations.incomplete = true;
        }
    }
    let Collector { groups, forest, mut complaints, .. } = collector;
    observations.incomplete |= complaints.lines_lost();
    let mut groups = groups;
    groups.sort_by(|a, b| a.key.cmp(&b.key));
    let mut profiled = Vec::new();
    for Gathered { key, mut rows, tree } in groups {
        if tree.is_some() {
            refuse_below_zero(&mut rows, &mut complaints);
        }
        let rows = settle(&key, rows, run, &forest, &mut complaints);
        let samples = rows.iter().map(|row| row.sample).collect();
        if let Some(tree) = tree {
            let spots: Vec<_> = rows.iter().map(|row| (row.sample, row.spot)).collect();
            profiled.push((tree, key.clone(), spots));
        }
        observations.groups.push(SampleGroup { key, samples, parts: tree.is_some() });
    }
    if !profiled.is_empty() {
        let grown = forest.finish();
        let profile =
            |(tree, key, rows): &(usize, GroupKey, Vec<_>)| grown.profile(*tree, key, rows, run, path);
        observations.profiles = profiled.iter().filter_map(profile).collect();
        observations.profiles.retain(|profile| is_of_a_sum(profile, &mut complaints));
    }
    observations.status =
        Some(if observations.incomplete { FileStatus::Incomplete } else { complaints.status() });
    complaints.into_problems(path, problems);
    observations
}

/// Refuses the rows of a profile that weigh less than nothing: neither a count of samples nor an allocation can.
fn refuse_below_zero(rows: &mut Vec<Row>, complaints: &mut Complaints) {
    rows.retain(|row| {
        let weight = row.sample.value;
        let kept = weight >= Number::ZERO;
        if !kept {
            complaints.add(About::Value, || Complaint {
                line: u64::from(row.line),
                field: Some("value".to_owned()),
                message: format!(
                    "{weight} is below zero, which no weight of a stack or source line is; it is refused"
                ),
            });
        }
        kept
    });
}

/// Whether a profile's weights have a sum; one that no number can hold is told.
fn is_of_a_sum(profile: &Profile, complaints: &mut Complaints) -> bool {
    let beyond = profile.total.is_beyond();
    if beyond {
        let text = |name: &Option<Name>| quote(name.as_deref().unwrap_or_default());
        let (metric, feature, target) =
            (quote(&profile.metric), text(&profile.feature), text(&profile.target));
        complaints.add(About::Value, || Complaint {
            line: 0,
            field: Some("value".to_owned()),
            message: format!(
                "the weights of {metric} of {feature} at {target} add up to more than a number can hold; there is no profile of them"
            ),
        });
    }
    !beyond
}

/// A sample and the line that it comes from.
#[derive(Debug, Clone, Copy)]
struct Row {
    sample: Sample,
    line: u32,
    /// Where a profiling row was taken, counted from 1; 0 for other rows.
    spot: u32,
}

/// Sorts the rows of one group, drops exact repetitions and complains about contradictions.
fn settle(
    key: &GroupKey,
    mut rows: Vec<Row>,
    run: &Run,
    forest: &Forest,
    complaints: &mut Complaints,
) -> Vec<Row> {
    let order =
        |row: &Row| (row.sample.table, row.sample.index, row.sample.value, row.sample.value.form(), row.line);
    if !rows.is_sorted_by_key(order) {
        rows.sort_unstable_by_key(order);
    }
    let mut previous: Option<Row> = None;
    rows.retain(|&row| {
        let same_key = previous.filter(|previous| {
            row.sample.index > 0
                && (previous.sample.table, previous.sample.index) == (row.sample.table, row.sample.index)
        });
        if let Some(other) = same_key {
            let metric =
                run.definitions.get(key.definition as usize).map_or("", |definition| &definition.metric);
            let what = format!(
                "sample {} of table {} of {} for {} at {}",
                row.sample.index,
                row.sample.table,
                quote(metric),
                quote(&key.feature),
                quote(&key.target)
            );
            let line = u64::from(row.line.max(other.line));
            if !forest.same(other.spot, row.spot) {
                complaints.add(About::Stacks, || Complaint {
                    line,
                    field: None,
                    message: format!(
                        "{what} is recorded at two places, on line {} and on line {}; both stay",
                        other.line.min(row.line),
                        other.line.max(row.line)
                    ),
                });
            } else if other.sample.value == row.sample.value {
                complaints.add(About::Duplicate, || Complaint {
                    line,
                    field: None,
                    message: format!("{what} is recorded twice; it counts once"),
                });
                return false;
            } else {
                complaints.add(About::Conflict, || Complaint {
                    line,
                    field: None,
                    message: format!(
                        "{what} has two values, {} (line {}) and {} (line {}); both stay",
                        other.sample.value, other.line, row.sample.value, row.line
                    ),
                });
            }
        }
        previous = Some(row);
        true
    });
    rows
}

/// The rows of one group.
struct Gathered {
    key: GroupKey,
    rows: Vec<Row>,
    /// Position of the call tree, when a row names a stack or a source line.
    tree: Option<usize>,
}

/// The groups of the whole file so far.
struct Collector<'a> {
    context: &'a Context<'a>,
    parallel: bool,
    believed: bool,
    /// Most samples.
    limit: usize,
    names: Names,
    index: HashMap<Numbered, usize>,
    groups: Vec<Gathered>,
    forest: Forest,
    samples: usize,
    complaints: Complaints,
}

impl TakeLines for Collector<'_> {
    fn take(&mut self, bytes: &[u8], first: u64) -> u64 {
        if !self.believed {
            return 0;
        }
        let pieces = if self.parallel { lines::pieces(bytes, PIECE) } else { vec![bytes] };
        let context = self.context;
        let read: Vec<Piece<'_>> = if pieces.len() > 1 {
            pieces.into_par_iter().map(|piece| Piece::read(piece, context)).collect()
        } else {
            pieces.into_iter().map(|piece| Piece::read(piece, context)).collect()
        };
        let mut before = first - 1;
        for piece in read {
            let lines = piece.lines;
            self.merge(piece, before);
            before += lines;
        }
        before + 1 - first
    }

    fn too_long(&mut self, line: u64) {
        let limit = self.context.line_limit;
        self.complaints.add(About::LongLine, || too_long(line, limit));
    }
}

fn too_long(line: u64, limit: u64) -> Complaint {
    Complaint {
        line,
        field: None,
        message: format!("longer than {limit} bytes, the limit of a line; it is skipped"),
    }
}

impl Collector<'_> {
    /// Adds a piece whose lines follow `before` others.
    fn merge(&mut self, piece: Piece<'_>, before: u64) {
        self.complaints.append(piece.complaints, before);
        let adopted = self.names.adopt(&piece.texts);
        for (key, mut rows) in piece.keys.into_iter().zip(piece.rows) {
            let room = self.limit - self.samples;
            let Some(group) = self.group(adopted.key(key)).filter(|_| rows.len() <= room) else {
                let line = rows.get(room).or(rows.first()).map_or(0, |row| u64::from(row.line) + before);
                let message =
                    format!("more than {} samples or {GROUPS} groups; the rest is not kept", self.limit);
                self.complaints.add(About::Limit, || Complaint { line, field: None, message });
                continue;
            };
            self.samples += rows.len();
            let line = |line: u32| u32::try_from(before + u64::from(line)).unwrap_or(u32::MAX);
            if !piece.spots.list.is_empty() {
                self.place(group, &mut rows, &piece.spots, before);
            }
            let target = &mut self.groups[group].rows;
            target.extend(rows.iter().map(|row| Row { line: line(row.line), ..*row }));
        }
    }

    /// Puts the stacks of a piece's rows into the tree of their group.
    fn place(&mut self, group: usize, rows: &mut [Row], spots: &Spots<'_>, before: u64) {
        let mut known: Option<(usize, Known)> = None;
        for row in rows {
            let Some(spot) = spots.list.get(row.spot.wrapping_sub(1) as usize) else { continue };
            let (tree, known) = known.get_or_insert_with(|| {
                let tree = self.forest.tree(&self.groups[group].key);
                self.groups[group].tree = Some(tree);
                (tree, Known::new(spots.texts.len()))
            });
            let (number, kept) = self.forest.place(*tree, spot, &spots.texts, known);
            row.spot = number;
            if !kept {
                let line = before + u64::from(row.line);
                let message =
                    "the call stacks of the run are more than may be kept; the value counts, its stack \
                               is left out"
                        .to_owned();
                self.complaints.add(About::Limit, || Complaint { line, field: None, message });
            }
        }
    }

    /// The position of the group; none when there are too many.
    fn group(&mut self, key: Numbered) -> Option<usize> {
        if let Some(at) = self.index.get(&key) {
            return Some(*at);
        }
        if self.groups.len() >= GROUPS {
            return None;
        }
        self.groups.push(Gathered { key: self.names.key(key), rows: Vec::new(), tree: None });
        self.index.insert(key, self.groups.len() - 1);
        Some(self.groups.len() - 1)
    }
}

/// The groups of one piece of lines, borrowed from it.
#[derive(Default)]
struct Piece<'a> {
    /// How many lines it has.
    lines: u64,
    texts: Texts<'a>,
    index: HashMap<Numbered, usize>,
    keys: Vec<Numbered>,
    rows: Vec<Vec<Row>>,
    spots: Spots<'a>,
    complaints: Complaints,
}

impl<'a> Piece<'a> {
    fn read(bytes: &'a [u8], context: &Context<'_>) -> Self {
        let mut piece = Self::default();
        let mut templates = Templates::default();
        for line in lines::split(bytes) {
            piece.lines += 1;
            let number = piece.lines as u32;
            if let Some((group, sample)) = templates.read(line) {
                piece.rows[group].push(Row { sample, line: number, spot: 0 });
            } else if !line.trim_ascii().is_empty() {
                piece.take(line, number, context, &mut templates);
            }
        }
        piece
    }

    /// Takes a line apart in full.
    fn take(&mut self, line: &'a [u8], number: u32, context: &Context<'_>, templates: &mut Templates<'a>) {
        let at = u64::from(number);
        if line.len() as u64 > context.line_limit {
            self.complaints.add(About::LongLine, || too_long(at, context.line_limit));
            return;
        }
        match line::read(line, context) {
            Err(refusal) => self.complaints.add(refusal.about, || Complaint {
                line: at,
                field: refusal.field,
                message: refusal.message,
            }),
            Ok(observation) => {
                let told = observation.told_otherwise.is_none();
                if let Some(other) = observation.told_otherwise {
                    self.complaints.add(About::Target, || Complaint {
                        line: at,
                        field: Some("attributes.version".to_owned()),
                        message: format!(
                            "{} where target_id says {}; the latter counts",
                            quote(&other),
                            quote(&observation.key.target)
                        ),
                    });
                }
                for doubt in observation.doubts {
                    self.complaints.add(doubt.about, || Complaint {
                        line: at,
                        field: Some(doubt.field.to_owned()),
                        message: doubt.message,
                    });
                }
                let sample = observation.sample;
                let group = self.group(observation.key);
                let spot = observation.spot.map_or(0, |spot| self.spots.add(*spot));
                self.rows[group].push(Row { sample, line: number, spot });
                // A template would swallow the warning about the following lines, and their stacks differ.
                if told && spot == 0 {
                    templates.learn(line, group, sample);
                }
            }
        }
    }

    fn group(&mut self, key: Key<'a>) -> usize {
        let key = self.texts.number(key);
        if let Some(at) = self.index.get(&key) {
            return *at;
        }
        let at = self.keys.len();
        self.keys.push(key);
        self.rows.push(Vec::new());
        self.index.insert(key, at);
        at
    }
}

/// The templates of one piece, the last used first.
#[derive(Default)]
struct Templates<'a> {
    list: Vec<(Template<'a>, bool)>,
    useless: u32,
}

impl<'a> Templates<'a> {
    fn read(&mut self, line: &[u8]) -> Option<(usize, Sample)> {
        let (at, found) =
            self.list.iter().enumerate().find_map(|(at, (template, _))| Some((at, template.read(line)?)))?;
        let (template, used) = &mut self.list[at];
        *used = true;
        let result = (template.group, Sample { table: template.table, index: found.0, value: found.1 });
        self.list.swap(0, at);
        Some(result)
    }

    fn learn(&mut self, line: &'a [u8], group: usize, sample: Sample) {
        if self.useless >= PATIENCE {
            return;
        }
        let Some(template) = Template::learn(line, group, sample.table, sample.index) else { return };
        if self.list.len() >= TEMPLATES
            && let Some((_, used)) = self.list.pop()
        {
            self.useless = if used { 0 } else { self.useless + 1 };
        }
        self.list.insert(0, (template, false));
    }
}
