//! Opens and reads sources, analyzes them, and masks what must not be published.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::analyze::{self, Reference, SourceSeries};
use crate::config::nearest::nearest;
use crate::config::{self, Config, LimitsConfig, SourceConfig};
use crate::error::{Error, Place, Problem, Problems, Reporter, Result};
use crate::evidence::SourceEvidence;
use crate::io::{self, Limits, Source};
use crate::read;
use crate::text::slug;

use super::{hidden, originals, redact};

/// Everything that a command works on.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The sources in the order they were named.
    pub sources: Vec<LoadedSource>,
    /// What could not be read or believed.
    pub problems: Problems,
    /// What was masked: file and kind, for the build's own record.
    pub redacted: BTreeSet<(String, String)>,
}

/// One source, read and analyzed.
#[derive(Debug)]
pub struct LoadedSource {
    /// What it holds.
    pub evidence: SourceEvidence,
    /// Its series.
    pub series: SourceSeries,
    /// One sentence for people, when configured.
    pub description: Option<String>,
    /// How many problems there were in listing its files.
    pub unlisted: usize,
    /// Its files, when the originals are published.
    pub files: Option<Source>,
}

/// Reads the evidence at `paths` as given on a command line.
///
/// # Errors
/// A path that does not exist or cannot be read; a reference that no feature has.
pub fn paths(paths: &[PathBuf], config: &Config, reporter: &dyn Reporter) -> Result<Loaded> {
    read(open_paths(paths, config)?, config, reporter)
}

/// Opens the sources at `paths` as given on a command line.
///
/// # Errors
/// A path that does not exist or cannot be listed.
pub fn open_paths(paths: &[PathBuf], config: &Config) -> Result<Vec<Opened>> {
    let named = paths
        .iter()
        .map(|path| Named { path: path.clone(), shown: called(path), config: SourceConfig::default() })
        .collect();
    open(named, config)
}

/// Opens the sources that `config` names, relative to `root`.
///
/// # Errors
/// A path that does not exist or cannot be listed, or a pattern that fits nothing.
pub fn open_configured(root: &Path, config: &Config) -> Result<Vec<Opened>> {
    let mut named = Vec::new();
    for source in &config.source {
        let found = io::expand(root, &source.path)?;
        if found.is_empty() {
            return Err(Error::usage(format!("no file or folder fits the source path `{}`", source.path))
                .at(Place::file(crate::config::FILE).field("source.path"))
                .hint("paths are relative to the folder of perfolio.toml"));
        }
        named.extend(found.into_iter().map(|path| Named {
            shown: inside(root, &path).unwrap_or_else(|| called(&path)),
            path,
            config: source.clone(),
        }));
    }
    open(named, config)
}

/// A source that is open and not yet read.
#[derive(Debug)]
pub struct Opened {
    /// Its id.
    pub id: String,
    /// Its path as it is shown.
    pub shown: String,
    /// Its files.
    pub source: Source,
    config: SourceConfig,
}

struct Named {
    path: PathBuf,
    shown: String,
    config: SourceConfig,
}

fn open(named: Vec<Named>, config: &Config) -> Result<Vec<Opened>> {
    let limits = limits(&config.limits);
    let mut ids = BTreeSet::new();
    named
        .into_iter()
        .map(|source| {
            let id = unique_id(&source, &mut ids);
            let opened = Source::open(&source.path, &limits)?;
            Ok(Opened { id, shown: source.shown, source: opened, config: source.config })
        })
        .collect()
}

/// Reads and analyzes what was opened.
///
/// # Errors
/// The configured reference is a label that no feature of any source has as a target.
pub fn read(opened: Vec<Opened>, config: &Config, reporter: &dyn Reporter) -> Result<Loaded> {
    let reference = config.normalize.reference.as_deref().map(Reference::parse).unwrap_or_default();
    let limits = limits(&config.limits);
    let mut loaded = Loaded::default();
    let mut labels = BTreeSet::new();
    for source in opened {
        let (id, shown) = (&source.id, &source.shown);
        let (mut evidence, mut problems) = read::read_source(&source.source, id, shown, &limits, reporter);
        evidence.title.clone_from(&source.config.title);
        let secrets = config.redact.paths.then(|| {
            problems.extend(redact::names(&evidence));
            redact::evidence(&mut evidence, &mut loaded.redacted)
        });
        if config.publish.originals {
            problems.extend(originals::warnings(&source.source, &evidence));
        }
        let is_empty = evidence.runs.is_empty()
            && evidence.plots.is_empty()
            && evidence.comparisons.is_empty()
            && evidence.records.is_empty();
        if !config.target.is_empty() {
            labels.append(&mut hidden::labels(&evidence));
        }
        problems.extend(hidden::hide(&mut evidence, config));
        let (series, more) = analyze::analyze(&evidence, config);
        problems.extend(more);
        if let Some(message) = analyze::normalize::without_reference(&series, &reference) {
            problems.push(Problem::note(Place::default(), message));
        }
        if is_empty {
            problems.push(
                Problem::warning(Place::file(&source.shown), "no evidence was recognised here").remedy(
                    "give a folder or a zip that holds run bundles (manifest.json), a catalogue (catalog.json) with its documents, or saved plot documents",
                ),
            );
        }
        problems.set_source(&source.id);
        loaded.problems.extend(match &secrets {
            Some(secrets) => redact::problems(&problems, secrets),
            None => problems,
        });
        loaded.sources.push(LoadedSource {
            evidence,
            series,
            description: source.config.description,
            unlisted: source.source.problems().iter().count(),
            files: config.publish.originals.then_some(source.source),
        });
    }
    analyze::normalize::known_reference(loaded.sources.iter().map(|source| &source.series), &reference)?;
    idle_features(&mut loaded, config);
    idle_metrics(&mut loaded, config);
    loaded.problems.extend(idle_targets(config, &labels));
    Ok(loaded)
}

/// Warns about each `[[feature]]` that fits no feature: most likely its name is mistyped. Where no feature is
/// known at all, other problems say why.
fn idle_features(loaded: &mut Loaded, config: &Config) {
    let of_plots = loaded
        .sources
        .iter()
        .flat_map(|source| &source.evidence.plots)
        .filter_map(|plot| plot.document.plot.options.get("feature")?.as_str());
    let known: BTreeSet<&str> = loaded
        .sources
        .iter()
        .flat_map(|source| &source.series.groups)
        .map(|group| &*group.feature)
        .chain(of_plots)
        .collect();
    let problems = idle(config, &known);
    loaded.problems.extend(problems);
}

fn idle(config: &Config, known: &BTreeSet<&str>) -> Problems {
    let mut problems = Problems::default();
    for feature in config.feature.iter().filter(|_| !known.is_empty()) {
        let pattern = feature.pattern.as_str();
        let former = feature.aliases.iter().any(|alias| known.contains(alias.as_str()));
        if former || known.iter().any(|name| config::glob(pattern, name)) {
            continue;
        }
        let place = Place::file(config::FILE).field("feature.match");
        let problem = Problem::warning(place, format!("`{pattern}` fits no feature of the evidence"));
        problems.push(match nearest(pattern, known.iter().copied()) {
            Some(name) => problem.remedy(format!("did you mean `{name}`?")),
            None => problem.remedy("`perfolio inspect` lists the features"),
        });
    }
    problems
}

/// Notes each `[[metric]]` that nothing has: most likely its id is mistyped. One configuration may serve evidence of
/// several kinds, so this is no warning.
fn idle_metrics(loaded: &mut Loaded, config: &Config) {
    let evidence = || loaded.sources.iter().map(|source| &source.evidence);
    let of_runs = evidence().flat_map(|one| &one.runs).flat_map(|run| &run.definitions);
    let plots = || evidence().flat_map(|one| &one.plots).map(|plot| &plot.document.plot);
    let of_rows = plots().flat_map(|plot| &plot.data).filter_map(|row| row.get("metric")?.as_str());
    let of_options = plots().filter_map(|plot| plot.options.get("metric")?.as_str());
    let known: BTreeSet<&str> =
        of_runs.map(|definition| &*definition.metric).chain(of_rows).chain(of_options).collect();
    let mut problems = Problems::default();
    let idle = config.metric.iter().filter(|metric| !known.contains(metric.id.as_str()));
    for metric in idle.filter(|_| !known.is_empty()) {
        let place = Place::file(config::FILE).field("metric.id");
        let problem = Problem::note(place, format!("nothing in the evidence has the metric `{}`", metric.id));
        problems.push(match nearest(&metric.id, known.iter().copied()) {
            Some(name) => problem.remedy(format!("did you mean `{name}`?")),
            None => problem.remedy("`perfolio inspect` lists the metrics"),
        });
    }
    loaded.problems.extend(problems);
}

/// Warns about each `[[target]]` that fits no target: one that was to be hidden would be published.
fn idle_targets(config: &Config, known: &BTreeSet<String>) -> Problems {
    let mut problems = Problems::default();
    for target in config.target.iter().filter(|target| !known.contains(&target.label)) {
        let place = Place::file(config::FILE).field("target.label");
        let what = if target.hidden { ", so nothing is hidden" } else { "" };
        let message = format!("`{}` is no target of the evidence{what}", target.label);
        let problem = Problem::warning(place, message);
        problems.push(match nearest(&target.label, known.iter().map(String::as_str)) {
            Some(name) => problem.remedy(format!("did you mean `{name}`?")),
            None => problem.remedy("`perfolio inspect` lists the targets"),
        });
    }
    problems
}

/// Keeps one run of everything that was loaded.
///
/// # Errors
/// No run has that id.
pub fn only_run(mut loaded: Loaded, run_id: &str, config: &Config) -> Result<Loaded> {
    let known: Vec<String> = loaded
        .sources
        .iter()
        .flat_map(|source| &source.evidence.runs)
        .map(|run| run.run_id.clone())
        .collect();
    if !known.iter().any(|id| id == run_id) {
        let hint = match known.as_slice() {
            [] => "no run was read at all".to_owned(),
            ids => format!("the runs are {}", ids.join(", ")),
        };
        return Err(Error::usage(format!("no run has the id `{run_id}`")).hint(hint));
    }
    for source in &mut loaded.sources {
        source.evidence.runs.retain(|run| run.run_id == run_id);
        source.evidence.plots.retain(|plot| {
            let details = plot.document.perfolio.iter();
            let mut ids =
                plot.document.run_id.iter().chain(details.flat_map(|details| details.runs.values()));
            ids.any(|id| id == run_id)
        });
        source.evidence.comparisons.retain(|one| one.run_ids.iter().any(|id| id == run_id));
        source.evidence.profiles.retain(|one| one.run_id.as_deref() == Some(run_id));
        source.series = analyze::analyze(&source.evidence, config).0;
    }
    Ok(loaded)
}

/// A stable slug: the configured id, or the path's last part; a repeated one gets `-2`.
fn unique_id(source: &Named, taken: &mut BTreeSet<String>) -> String {
    let mut name = called(&source.path);
    if source.path.is_file() && name.len() > 4 && name.to_ascii_lowercase().ends_with(".zip") {
        name.truncate(name.len() - 4);
    }
    let base = slug::slug(source.config.id.as_ref().unwrap_or(&name));
    let id = (1..=taken.len() + 1)
        .map(|count| if count == 1 { base.clone() } else { format!("{base}-{count}") })
        .find(|id| !taken.contains(id))
        .unwrap_or(base);
    taken.insert(id.clone());
    id
}

/// How a source is called: by the last part of its path, however the way to it was written, since nothing that
/// perfolio writes names a place of this machine.
fn called(path: &Path) -> String {
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    // `.` and `..` name nothing; the folder that they lead to has a name.
    let resolved = || path.canonicalize().ok().and_then(|path| last(&path));
    last(path).or_else(resolved).unwrap_or_else(|| "source".to_owned())
}

/// The way from the folder of a site to a source inside of it, however it was written; `.` for the folder itself.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let (root, path) = (root.canonicalize().ok()?, path.canonicalize().ok()?);
    let parts: Vec<_> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_string_lossy()).collect();
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

fn limits(config: &LimitsConfig) -> Limits {
    Limits {
        file_bytes: config.file_bytes,
        document_bytes: config.document_bytes,
        line_bytes: config.line_bytes,
        files: config.files,
        samples: config.samples,
        zip_bytes: config.zip_bytes,
        zip_ratio: config.zip_ratio,
        zip_nested_bytes: config.zip_nested_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The configuration may not name the room that reads, so the defaults stand in both.
    #[test]
    fn both_rooms_have_the_same_limits() {
        assert_eq!(limits(&LimitsConfig::default()), Limits::default());
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test needs folders")]
    fn one_folder_has_one_name_however_the_way_to_it_is_written() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path();
        for inner in ["site", "results/http/deep"] {
            std::fs::create_dir_all(root.join(inner)).unwrap();
        }
        for way in ["", ".", "../http", "deep/..", "deep/../../http/", "../../results/http"] {
            let path = root.join("results/http").join(way);
            assert_eq!(called(&path), "http", "{way}");
            assert_eq!(inside(root, &path).as_deref(), Some("results/http"), "{way}");
            assert_eq!(inside(&root.join("site"), &path), None, "{way}");
        }
        assert_eq!(inside(root, &root.join("site/..")).as_deref(), Some("."));
    }

    #[test]
    fn a_feature_that_fits_nothing_is_told_with_the_nearest_name() {
        let text = "[[feature]]\nmatch = \"plain_*\"\n[[feature]]\nmatch = \"plan_benchmark\"\n";
        let config = Config::parse(text, config::FILE).unwrap();
        let problems = idle(&config, &BTreeSet::from(["plain_benchmark", "other"]));
        let told = problems.sorted();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].place.to_string(), "perfolio.toml (feature.match)");
        assert_eq!(told[0].remedy.as_deref(), Some("did you mean `plain_benchmark`?"));
        assert!(idle(&config, &BTreeSet::new()).is_empty());
    }

    #[test]
    fn a_target_that_fits_nothing_is_told_with_the_nearest_label() {
        let text = "[[target]]\nlabel = \"1.9.0\"\n[[target]]\nlabel = \"1.9.x\"\nhidden = true\n";
        let config = Config::parse(text, config::FILE).unwrap();
        let problems = idle_targets(&config, &BTreeSet::from(["1.9.0".to_owned()]));
        let told = problems.sorted();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].place.to_string(), "perfolio.toml (target.label)");
        assert!(told[0].message.ends_with("so nothing is hidden") && problems.fails_strict());
        assert_eq!(told[0].remedy.as_deref(), Some("did you mean `1.9.0`?"));
    }
}
