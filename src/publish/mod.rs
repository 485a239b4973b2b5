//! From a folder with configuration, content and evidence to a finished site on disk.
//!
//! Comes in: what the command line asked for. Goes out: a folder that replaces the previous one in one
//! step, and a report. Decides where things come from and go to; `site` decides what they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::{self, Config};
use crate::error::{Error, Place, Problems, Reporter, Result};
use crate::io::{self, FolderSink, Limits, Sink, Source};
use crate::site::{self, Site, load};
use crate::theme::Theme;

/// What a build is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Folder with `perfolio.toml` and `content/`; none takes the sources alone.
    pub root: Option<PathBuf>,
    /// Evidence that replaces the configured sources.
    pub sources: Vec<PathBuf>,
    /// Where the site goes; `public/` below the root when absent.
    pub output: Option<PathBuf>,
    /// Name or folder of the theme.
    pub theme: Option<String>,
    /// Address that the site will have.
    pub base_url: Option<String>,
    /// Whether errors and warnings keep the site from being written.
    pub strict: bool,
    /// Whether a folder that perfolio did not make may be replaced.
    pub force: bool,
}

/// What became of a build.
#[derive(Debug, Default)]
pub struct Built {
    /// Everything that could not be read or believed.
    pub problems: Problems,
    /// Whether `strict` kept the site from being written.
    pub refused: bool,
    /// Where the site is.
    pub output: String,
    /// Number of pages.
    pub pages: usize,
    /// Number of figures.
    pub figures: usize,
    /// Number of files.
    pub files: usize,
}

/// Builds a site into a folder.
///
/// # Errors
/// A configuration that cannot be used, a source that does not exist, an output folder that is not ours, a
/// disk that refuses. The previous output stands untouched then.
pub fn build(request: &Request, reporter: &dyn Reporter) -> Result<Built> {
    let output = request
        .output
        .clone()
        .unwrap_or_else(|| request.root.as_deref().unwrap_or_else(|| Path::new(".")).join("public"));
    let inputs = Inputs::open(request)?;
    let mut built = match standing(request, &inputs, &output) {
        Some(built) => built,
        None => inputs.render(request, Box::new(FolderSink::create(&output, request.force)?), reporter)?,
    };
    built.output = output.to_string_lossy().replace('\\', "/");
    Ok(built)
}

/// Builds a site into any sink.
///
/// # Errors
/// As [`build`].
pub fn render(request: &Request, sink: Box<dyn Sink>, reporter: &dyn Reporter) -> Result<Built> {
    Inputs::open(request)?.render(request, sink, reporter)
}

/// Everything that a site is made from, its evidence not yet read.
struct Inputs {
    config: Config,
    theme: Theme,
    content: BTreeMap<String, Vec<u8>>,
    sources: Vec<load::Opened>,
    /// Digest of all but the sources.
    settings: String,
}

impl Inputs {
    fn open(request: &Request) -> Result<Self> {
        let mut config = configuration(request)?;
        config.base_url = request.base_url.clone().or(config.base_url);
        config.theme = request.theme.clone().or(config.theme);
        let theme = theme(&config, request.root.as_deref())?;
        let sources = match &request.root {
            Some(root) if request.sources.is_empty() => load::open_configured(root, &config)?,
            _ => load::open_paths(&request.sources, &config)?,
        };
        let content = match &request.root {
            Some(root) => content(root)?,
            None => BTreeMap::new(),
        };
        let settings = settings(&config, &theme, &content);
        Ok(Self { config, theme, content, sources, settings })
    }

    fn render(self, request: &Request, mut sink: Box<dyn Sink>, reporter: &dyn Reporter) -> Result<Built> {
        let loaded = load::read(self.sources, &self.config, reporter)?;
        let site = Site::new(loaded, &self.content, &self.config, &self.theme)?;
        if request.strict && site.problems().fails_strict() {
            return Ok(Built { problems: site.into_problems(), refused: true, ..Built::default() });
        }
        let counts = site.render(sink.as_mut(), &self.settings, reporter)?;
        let written = sink.finish()?;
        Ok(Built {
            problems: site.into_problems(),
            refused: false,
            output: String::new(),
            pages: counts.pages,
            figures: counts.figures,
            files: written.files,
        })
    }
}

/// The previous build, when it stands untouched and another one would give the same bytes.
fn standing(request: &Request, inputs: &Inputs, output: &Path) -> Option<Built> {
    if request.force {
        return None;
    }
    let record = io::standing(output)?;
    let same = site::same(&record, &inputs.settings, &inputs.sources)?;
    if request.strict && same.problems.fails_strict() {
        return None;
    }
    Some(Built {
        problems: same.problems,
        refused: false,
        output: String::new(),
        pages: same.counts.pages,
        figures: same.counts.figures,
        files: same.files,
    })
}

/// Digest of configuration, theme and content. The theme counts by what it holds, wherever it lies.
fn settings(config: &Config, theme: &Theme, content: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hasher = io::Hasher::default();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(format!("{:?}", Config { theme: None, ..config.clone() }).as_bytes());
    add(theme.digest().as_bytes());
    for (path, bytes) in content {
        add(path.as_bytes());
        add(bytes);
    }
    hasher.finish()
}

fn configuration(request: &Request) -> Result<Config> {
    let Some(root) = &request.root else { return Ok(Config::default()) };
    if !root.is_dir() {
        return Err(Error::usage("this is not a folder")
            .at(Place::file(root.to_string_lossy()))
            .hint("give the folder that holds perfolio.toml, or evidence with --source"));
    }
    let path = root.join(config::FILE);
    if path.is_file() {
        return Config::parse(&io::read_text(&path)?, config::FILE);
    }
    if request.sources.is_empty() && !root.join("content").is_dir() {
        return Err(Error::usage("there is no perfolio.toml and no content/ here")
            .at(Place::file(root.to_string_lossy()))
            .hint("name the evidence: perfolio build --source results/ --output site/"));
    }
    Ok(Config::default())
}

/// The Markdown pages and the files beside them, by their path below `content/`.
fn content(root: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    files(&root.join("content"))
}

/// All files of a folder by relative path; none when it does not exist.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(BTreeMap::new());
    }
    let source = Source::open(folder, &Limits::default())?;
    source.entries().iter().map(|entry| Ok((entry.path.clone(), source.read(&entry.path)?))).collect()
}

/// The theme that is asked for: a folder, a name below `themes/` of the site, or a built-in one.
fn theme(config: &Config, root: Option<&Path>) -> Result<Theme> {
    let Some(asked) = &config.theme else { return Theme::built_in() };
    Theme::load(asked, &mut |name| {
        let below_root = root.map(|root| root.join("themes").join(name));
        let folder = below_root.into_iter().chain([PathBuf::from(name)]).find(|folder| folder.is_dir());
        folder.map(|folder| files(&folder)).transpose()
    })
}
