//! The profiles that saved plots hold (PerfChecker formats §3.2–3.6): call trees of flame graphs, source lines
//! and files of allocation plots. The documents stay saved plots; this is what can be computed with.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::complaints::quote;
use crate::error::{Place, Problem};
use crate::evidence::flame;
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::{
    CallTree, Mark, Origin, Partial, Profile, ProfileKind, Site, Stack, TreeBuilder, note,
};
use crate::evidence::row::{Fields, Row};
use crate::evidence::{Name, Number};

/// How many stacks or lines a plot keeps where it does not say.
const TOP: usize = 40;
/// What a difference of sums of floats may be, as a part of the larger one.
const ROUNDING: f64 = 1e-9;

/// What is wrong with a weight that is refused.
const NO_WEIGHT: &str = "not a finite number of at least zero, so no weight";

/// The profiles of a document, and what is wrong with its rows. Most kinds hold none.
pub(super) fn of(document: &PlotDocument, path: &str) -> (Vec<Profile>, Vec<Problem>) {
    let plot = &document.plot;
    let mut reader = Reader { document, path, wrong: None, refused: 0, problems: Vec::new() };
    let profiles = match plot.kind.as_str() {
        "cpu_flamegraph" | "wall_flamegraph" | "allocation_flamegraph" => reader.flame(),
        "allocation_lines" | "allocation_pie" => reader.sites(&|row| {
            let label = || text(row, "label").unwrap_or_default();
            let folded = row.contains_key("grouped_sites")
                || (text(row, "file") == Some("other") && line(row) == Some(0));
            let site = Some(Site { file: text(row, "file").unwrap_or_else(label).into(), line: line(row)? });
            Some(if folded { (None, row.get("grouped_sites").and_then(Value::as_u64)) } else { (site, None) })
        }),
        "allocation_files" => {
            reader.sites(&|row| Some((Some(Site { file: text(row, "file")?.into(), line: 0 }), None)))
        }
        "allocation_heatmap" => reader.sites(&|row| {
            let label = text(row, "label")?;
            let (file, line) = label
                .rsplit_once(':')
                .and_then(|(file, line)| Some((file, line.parse().ok()?)))
                .unwrap_or((label, 0));
            Some((Some(Site { file: file.into(), line }), None))
        }),
        _ => Vec::new(),
    };
    if let Some((field, message)) = reader.wrong {
        let more = match reader.refused {
            0 | 1 => String::new(),
            count => format!("; {count} rows of the profile are left out"),
        };
        let problem = Problem::warning(Place::file(path).field(field), format!("{message}{more}"));
        reader.problems.push(problem);
    }
    (profiles, reader.problems)
}

fn text<'a>(row: &'a Row, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Value::as_str)
}

fn number(row: &impl Fields, key: &str) -> Option<Number> {
    value(row.field(key))
}

/// A weight, which is never below zero.
fn weight(row: &Row, key: &str) -> Option<Number> {
    number(row, key).filter(|weight| *weight >= Number::ZERO)
}

fn value(value: Option<&Value>) -> Option<Number> {
    Number::deserialize(value?).ok()
}

fn line(row: &Row) -> Option<u32> {
    number(row, "line")?.as_whole()?.try_into().ok()
}

/// Reads one row of source lines: its site, or none and how many sites it stands for.
type TakeSite<'a> = &'a dyn Fn(&Row) -> Option<(Option<Site>, Option<u64>)>;

struct Reader<'a> {
    document: &'a PlotDocument,
    path: &'a str,
    /// The first row that could not be read.
    wrong: Option<(String, String)>,
    refused: usize,
    problems: Vec<Problem>,
}

/// The source lines of one target.
#[derive(Default)]
struct Lines {
    weights: BTreeMap<Site, Vec<Number>>,
    folded: Option<(Option<u64>, Number)>,
    zeros: bool,
    rows: usize,
}

impl Reader<'_> {
    fn option(&self, key: &str) -> Option<&str> {
        self.document.plot.options.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    fn top(&self) -> usize {
        let top = value(self.document.plot.options.get("top")).and_then(Number::as_whole);
        top.and_then(|top| usize::try_from(top).ok()).unwrap_or(TOP)
    }

    fn refuse(&mut self, row: usize, field: &str, message: &str) {
        self.refused += 1;
        self.wrong.get_or_insert_with(|| (format!("data[{row}].{field}"), message.to_owned()));
    }

    /// A profile of this document without any stack.
    fn blank(&self, target: Option<&str>) -> Profile {
        let plot = &self.document.plot;
        let definitions = plot.options.get("measurement_definitions").and_then(Value::as_array);
        let definition = match definitions.map(Vec::as_slice) {
            Some([Value::String(only)]) => Some(Name::from(only.as_str())),
            _ => None,
        };
        // Each of these kinds draws one metric (§3.2), which the older documents do not name.
        let (metric, backend) = match plot.kind.as_str() {
            "cpu_flamegraph" => ("julia.cpu.samples", Some("profile")),
            "wall_flamegraph" => ("julia.wall.samples", Some("wall_profile")),
            "allocation_flamegraph" => ("julia.alloc.bytes", Some("profile_alloc")),
            _ => ("julia.alloc.bytes", None),
        };
        let (metric, method) =
            definition.as_deref().and_then(|id| id.split_once('/')).map_or((metric, ""), |(a, b)| (a, b));
        let metric = self.option("metric").unwrap_or(metric);
        let collector = match method.split('/').next() {
            _ if self.option("collector").is_some() => self.option("collector"),
            Some("line-tracking-v1") => Some("alloc"),
            Some("profile-allocs-v1") => Some("profile_alloc"),
            _ => backend,
        };
        Profile {
            path: self.path.to_owned(),
            run_id: self.document.run_id.clone().filter(|id| !id.is_empty()),
            package: self.option("package").map(Name::from),
            feature: self.option("feature").map(Name::from),
            workload: self.option("workload").map(Name::from),
            target: target.filter(|label| !label.is_empty()).map(Name::from),
            target_kind: None,
            tool: collector.unwrap_or("unknown").into(),
            metric: metric.into(),
            unit: self.option("unit").unwrap_or("1").into(),
            kind: ProfileKind::of_metric(metric),
            origin: Origin::Plot(plot.kind.as_str().into()),
            tree: Arc::default(),
            stacks: Vec::new(),
            marks: Vec::new(),
            sites: Vec::new(),
            rows: plot.data.len(),
            samples: None,
            total: Number::ZERO,
            partial: Vec::new(),
            definition,
        }
    }

    fn flame(&mut self) -> Vec<Profile> {
        if self.document.plot.options.contains_key(flame::FRAMES) {
            return self.compact();
        }
        let rows = &self.document.plot.data;
        if rows.is_empty() {
            return Vec::new();
        }
        let mut builder = TreeBuilder::default();
        // Per node of the builder: its value, and the dispatch and collector weight.
        let mut values: BTreeMap<u32, [Number; 3]> = BTreeMap::new();
        let mut twice = None;
        for (at, row) in rows.iter().enumerate() {
            let labels = row.get("path").and_then(Value::as_array);
            let path: Option<Vec<&str>> =
                labels.and_then(|labels| labels.iter().map(Value::as_str).collect::<Option<_>>());
            let Some(path) = path.filter(|path| !path.is_empty()) else {
                self.refuse(at, "path", "not an array of labels");
                continue;
            };
            let Some(value) = weight(row, "value") else {
                self.refuse(at, "value", NO_WEIGHT);
                continue;
            };
            let mut node = CallTree::ROOT;
            for label in path {
                let frame = builder.frame(label);
                node = builder.child(node, frame);
            }
            let marked = ["runtime_dispatch_value", "gc_event_value"]
                .map(|key| number(row, key).unwrap_or(Number::ZERO));
            let row_values = [value, marked[0], marked[1]];
            if let Some(before) = values.get_mut(&node) {
                // The figure adds them as well: names that were masked may be the same now.
                *before = [0, 1, 2].map(|at| before[at] + row_values[at]);
                twice.get_or_insert(at);
            } else {
                values.insert(node, row_values);
            }
            // Some saved rows say what is remarkable about a frame and not how much of it.
            let said = match text(row, "status") {
                Some("runtime_dispatch") if !row.contains_key("runtime_dispatch_value") => note::DISPATCHED,
                Some("gc_event") if !row.contains_key("gc_event_value") => note::COLLECTED,
                Some("inference_warning") if !row.contains_key("inference_status") => note::DOUBTFUL,
                _ => 0,
            };
            if said != 0 {
                builder.note(node, said);
            }
            let words = |key: &str| row.get(key).and_then(Value::as_array).into_iter().flatten();
            for word in words("inference_status").filter_map(Value::as_str) {
                builder.note(node, note::bit(word));
            }
            for name in words("inferred_return_type").filter_map(Value::as_str) {
                builder.returns(node, name);
            }
        }
        if let Some(at) = twice {
            self.warn(
                &format!("data[{at}].path"),
                "a second row of the same path; the rows of one path are added",
            );
        }
        let (tree, places) = builder.finish();
        let mut of_nodes: Vec<Option<[Number; 3]>> = vec![None; tree.nodes.len()];
        for (node, value) in values {
            of_nodes[places[node as usize] as usize] = Some(value);
        }
        let mut stacks = self.own(&tree, &of_nodes);
        let sum = Profile::settle(&mut stacks);
        if sum.is_beyond() {
            self.warn(
                "data",
                "the weights add up to more than a number can hold; there is no profile of them",
            );
            return Vec::new();
        }
        let kept = stacks.iter().filter(|stack| !stack.weight.is_zero()).count();
        let mut profile = self.blank(self.option("selected_version"));
        profile.total = self.total(sum);
        if kept >= self.top() {
            profile.partial.push(Partial::HeaviestStacks(kept));
        }
        if matches!(profile.kind, ProfileKind::Cpu | ProfileKind::Wall) {
            profile.samples = profile.total.as_whole().and_then(|total| u64::try_from(total).ok());
        }
        let marked = (0..).zip(&of_nodes).filter_map(|(node, value)| Some((node, (*value)?)));
        profile.marks = marked
            .filter(|(_, value)| !value[1].is_zero() || !value[2].is_zero())
            .map(|(node, [_, dispatch, collector])| Mark { node, dispatch, collector })
            .collect();
        profile.stacks = stacks;
        profile.tree = Arc::new(tree);
        vec![profile]
    }

    /// The stated total, unless it is less than the sum of what is saved.
    fn total(&mut self, sum: Number) -> Number {
        let Some(stated) = number(&self.document.plot.options, "total") else { return sum };
        if stated.as_f64() >= sum.as_f64() * (1.0 - ROUNDING) {
            return stated;
        }
        self.warn(
            "options.total",
            &format!("{stated} is less than the sum of the frames, {sum}, which counts"),
        );
        sum
    }

    fn warn(&mut self, field: &str, message: &str) {
        self.problems.push(Problem::warning(Place::file(self.path).field(field), message));
    }

    /// The call paths of a document of ours, which are those above its fold.
    fn compact(&mut self) -> Vec<Profile> {
        let rows = match self.document.plot.flame_rows() {
            Ok(rows) if rows.is_empty() => return Vec::new(),
            Ok(rows) => rows,
            Err(error) => {
                let field = error.place.field.unwrap_or_else(|| "data".to_owned());
                self.problems.push(Problem::warning(Place::file(self.path).field(field), error.message));
                return Vec::new();
            }
        };
        let mut builder = TreeBuilder::default();
        let mut nodes: Vec<u32> = Vec::with_capacity(rows.len());
        let mut left: Vec<Number> = rows.iter().map(|row| row.value).collect();
        for (at, row) in rows.iter().enumerate() {
            let frame = builder.same_frame(&row.frame);
            let node = builder.child(row.parent.map_or(CallTree::ROOT, |parent| nodes[parent]), frame);
            row.inference.iter().for_each(|word| builder.note(node, note::bit(word)));
            row.types.iter().for_each(|name| builder.returns(node, name));
            nodes.push(node);
            if let Some(parent) = row.parent {
                left[parent] = minus(left[parent], rows[at].value);
            }
        }
        let (tree, places) = builder.finish();
        let place = |at: usize| places[nodes[at] as usize];
        let mut profile = self.blank(self.option("selected_version"));
        let number = |key: &str| number(&self.document.plot.options, key).filter(|weight| !weight.is_zero());
        for (at, row) in rows.iter().enumerate() {
            let weight = row.own.unwrap_or(left[at]);
            if weight.as_f64() > row.value.as_f64().abs() * ROUNDING {
                profile.stacks.push(Stack { leaf: place(at), site: None, weight });
            }
            if !row.dispatch.is_zero() || !row.collector.is_zero() {
                let (dispatch, collector) = (row.dispatch, row.collector);
                profile.marks.push(Mark { node: place(at), dispatch, collector });
            }
        }
        if let Some(weight) = number("without_stack") {
            profile.stacks.push(Stack { leaf: CallTree::ROOT, site: None, weight });
        }
        profile.marks.sort_by_key(|mark| mark.node);
        let sum = Profile::settle(&mut profile.stacks);
        profile.total = number("total").unwrap_or(sum);
        let folded = self.document.plot.options.get("folded").and_then(Value::as_object);
        let folded =
            folded.and_then(|folded| self::number(folded, "value")).filter(|weight| !weight.is_zero());
        profile.partial.extend(folded.map(|weight| Partial::Folded { sites: None, weight }));
        profile.partial.extend(number("other").map(Partial::Other));
        if matches!(profile.kind, ProfileKind::Cpu | ProfileKind::Wall) {
            profile.samples = profile.total.as_whole().and_then(|total| u64::try_from(total).ok());
        }
        profile.tree = Arc::new(tree);
        vec![profile]
    }

    /// What each node weighs beyond its children.
    fn own(&mut self, tree: &CallTree, values: &[Option<[Number; 3]>]) -> Vec<Stack> {
        let mut below: Vec<Option<Number>> = vec![None; tree.nodes.len()];
        for (node, value) in tree.nodes.iter().zip(values).skip(1) {
            if let Some([value, ..]) = value {
                let sum = &mut below[node.parent as usize];
                *sum = Some(sum.map_or(*value, |sum| sum + *value));
            }
        }
        let mut stacks = Vec::new();
        let mut worst: Option<u32> = None;
        for ((leaf, value), below) in (0..).zip(values).zip(&below).skip(1) {
            let Some([value, ..]) = value else { continue };
            let Some(below) = below else {
                stacks.push(Stack { leaf, site: None, weight: *value });
                continue;
            };
            let rest = minus(*value, *below);
            let size = value.as_f64().abs().max(below.as_f64().abs());
            if rest.as_f64().abs() <= size * ROUNDING {
                continue;
            }
            if rest.as_f64() > 0.0 {
                stacks.push(Stack { leaf, site: None, weight: rest });
            } else {
                worst.get_or_insert(leaf);
            }
        }
        if let Some(frame) = worst.and_then(|node| tree.frame(node)) {
            let message = format!("the frames below {} weigh more than it does", quote(&frame.label));
            self.problems.push(Problem::warning(Place::file(self.path).field("data"), message));
        }
        stacks
    }

    fn sites(&mut self, take: TakeSite<'_>) -> Vec<Profile> {
        let plot = &self.document.plot;
        let mut targets: BTreeMap<&str, Lines> = BTreeMap::new();
        for (at, row) in plot.data.iter().enumerate() {
            let Some(version) = text(row, "version") else {
                self.refuse(at, "version", "not text");
                continue;
            };
            let Some(weight) = weight(row, "bytes") else {
                self.refuse(at, "bytes", NO_WEIGHT);
                continue;
            };
            let Some((site, grouped)) = take(row) else {
                self.refuse(at, "label", "names no source line");
                continue;
            };
            let lines = targets.entry(version).or_default();
            lines.rows += 1;
            match site {
                // The older heat maps write 0 for what was never observed (§3.3).
                Some(_) if weight.is_zero() && self.zeros_say_nothing() => lines.zeros = true,
                Some(site) => lines.weights.entry(site).or_default().push(weight),
                None => {
                    let (count, before) = lines.folded.unwrap_or((None, Number::ZERO));
                    lines.folded = Some((grouped.or(count), before + weight));
                }
            }
        }
        targets.into_iter().map(|(version, lines)| self.lines(version, lines)).collect()
    }

    fn zeros_say_nothing(&self) -> bool {
        self.document.plot.kind == "allocation_heatmap"
            && self.option("missing_cell_policy") != Some("not_observed")
    }

    fn lines(&self, version: &str, lines: Lines) -> Profile {
        let mut profile = self.blank(Some(version));
        profile.rows = lines.rows;
        for (at, (site, weights)) in (0..).zip(lines.weights) {
            let stacks =
                weights.into_iter().map(|weight| Stack { leaf: CallTree::ROOT, site: Some(at), weight });
            profile.stacks.extend(stacks);
            profile.sites.push(site);
        }
        let kind = self.document.plot.kind.as_str();
        let kept = match kind {
            "allocation_heatmap" => {
                self.document.plot.options.get("labels").and_then(Value::as_array).map_or(0, Vec::len)
            }
            "allocation_lines" => profile.sites.len(),
            _ => 0,
        };
        if kept >= self.top() {
            profile.partial.push(Partial::HeaviestSites(kept));
        }
        if let Some((sites, weight)) = lines.folded {
            profile.stacks.push(Stack { leaf: CallTree::ROOT, site: None, weight });
            profile.partial.push(Partial::Folded { sites, weight });
        }
        if lines.zeros {
            profile.partial.push(Partial::ZeroOrNotObserved);
        }
        profile.total = Profile::settle(&mut profile.stacks);
        profile
    }
}

/// a − b, exact for whole numbers.
fn minus(a: Number, b: Number) -> Number {
    let whole = match (a, b) {
        (Number::Float(_), _) | (_, Number::Float(_)) => None,
        (a, b) => a.as_whole().zip(b.as_whole()).and_then(|(a, b)| Number::whole(a - b)),
    };
    whole.unwrap_or_else(|| Number::Float((a.as_f64() - b.as_f64()).clamp(f64::MIN, f64::MAX)))
}
