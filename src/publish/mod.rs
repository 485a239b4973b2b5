//! From a folder with configuration, content and evidence to a finished site on disk.
//!
//! Comes in: what the command line asked for. Goes out: a folder that replaces the previous one in one
//! step, and a report. Decides where things come from and go to; `site` decides what they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::{self, Config};
use crate::error::{Error, Place, Problem, Problems, Reporter, Result};
use crate::io::{self, FolderSink, Limits, Sink, Source};
use crate::site::{self, Site, load};
use crate::theme::{self, Theme};

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
        None => inputs.render(
            request,
            Box::new(FolderSink::create(&output, request.force, site::SITE_SCHEMA)?),
            reporter,
        )?,
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
    /// What could not be listed of content and theme.
    problems: Problems,
    /// Digest of all but the sources.
    settings: String,
}

impl Inputs {
    fn open(request: &Request) -> Result<Self> {
        let mut config = configuration(request)?;
        if let Some(base_url) = &request.base_url {
            config::check_base_url(base_url)?;
            config.base_url = Some(base_url.clone());
        }
        config.theme = request.theme.clone().or(config.theme);
        let mut problems = Problems::default();
        let theme = theme(&config, request.root.as_deref(), &mut problems)?;
        let sources = match &request.root {
            Some(root) if request.sources.is_empty() => load::open_configured(root, &config)?,
            _ => load::open_paths(&request.sources, &config)?,
        };
        let content = match &request.root {
            Some(root) => files(&root.join("content"), "content", &mut problems)?,
            None => BTreeMap::new(),
        };
        let settings = settings(&config, &theme, &content, &problems);
        Ok(Self { config, theme, content, sources, problems, settings })
    }

    fn render(self, request: &Request, mut sink: Box<dyn Sink>, reporter: &dyn Reporter) -> Result<Built> {
        let mut loaded = load::read(self.sources, &self.config, reporter)?;
        loaded.problems.extend(self.problems);
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
fn settings(
    config: &Config,
    theme: &Theme,
    content: &BTreeMap<String, Vec<u8>>,
    problems: &Problems,
) -> String {
    let mut hasher = io::Hasher::default();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(format!("{:?}", Config { theme: None, ..config.clone() }).as_bytes());
    add(theme.digest().as_bytes());
    add(format!("{:?}", problems.sorted()).as_bytes());
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

/// All files of a folder by relative path; none when it does not exist. `shown` is how problems call it.
fn files(folder: &Path, shown: &str, problems: &mut Problems) -> Result<BTreeMap<String, Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(BTreeMap::new());
    }
    // An archive among pages or in a theme is a file to be handed out as it is.
    let source = Source::open_closed(folder, &Limits::default())?;
    for problem in source.problems().iter() {
        let path = problem.place.path.as_deref().unwrap_or_default();
        let place = Place { path: Some(format!("{shown}/{path}")), ..problem.place.clone() };
        problems.push(Problem { place, ..problem.clone() });
    }
    source.entries().iter().map(|entry| Ok((entry.path.clone(), source.read(&entry.path)?))).collect()
}

/// The theme that is asked for: a folder, a name below `themes/` of the site, or a built-in one.
fn theme(config: &Config, root: Option<&Path>, problems: &mut Problems) -> Result<Theme> {
    let Some(asked) = &config.theme else { return Theme::built_in() };
    Theme::load(asked, &mut |name| {
        let below_root = root.map(|root| root.join("themes").join(name));
        let folders: Vec<PathBuf> =
            below_root.into_iter().chain([PathBuf::from(name)]).filter(|folder| folder.is_dir()).collect();
        let theme = folders.iter().find(|folder| theme::PARTS.iter().any(|part| folder.join(part).exists()));
        match theme {
            Some(folder) => {
                // Never the place of the folder on this machine.
                let last = folder.file_name().map_or_else(|| "theme".into(), |last| last.to_string_lossy());
                files(folder, &format!("themes/{last}"), problems).map(Some)
            }
            None if folders.is_empty() || theme::built_in_names().contains(&name) => Ok(None),
            None => Err(Error::usage(format!("the folder {name:?} holds no theme"))
                .hint(format!("a theme has at least one of {}", theme::PARTS.join(", ")))),
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests make their own files")]

    use std::fs;

    use super::*;
    use crate::error::{Kind, Severity, Silent};
    use crate::io::MemorySink;

    fn built(root: &Path, theme: Option<&str>) -> Result<Built> {
        let request =
            Request { root: Some(root.to_path_buf()), theme: theme.map(str::to_owned), ..Request::default() };
        render(&request, Box::new(MemorySink::default()), &Silent)
    }

    #[test]
    fn a_folder_that_holds_no_theme_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["content", "themes/empty", "themes/mine"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::write(folder.path().join("themes/empty/notes.txt"), "x").unwrap();
        fs::write(folder.path().join("themes/mine/page.css"), "p { margin: 0 }").unwrap();
        for (theme, message) in
            [("empty", "holds no theme"), ("none", "there is no theme"), ("", "holds no theme")]
        {
            let error = built(folder.path(), Some(theme)).unwrap_err();
            assert_eq!(error.kind, Kind::Usage, "{theme}");
            assert!(error.message.contains(message) && !error.hints.is_empty(), "{theme}: {}", error.message);
        }
        assert!(built(folder.path(), Some("mine")).is_ok());
    }

    #[test]
    fn a_base_url_of_the_command_line_is_checked() {
        let request = Request {
            sources: vec![PathBuf::from("src")],
            base_url: Some("example.org".to_owned()),
            ..Request::default()
        };
        let error = render(&request, Box::new(MemorySink::default()), &Silent).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_of_the_content_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        fs::create_dir(&content).unwrap();
        fs::write(folder.path().join("secret.md"), "# secret").unwrap();
        std::os::unix::fs::symlink("../secret.md", content.join("out.md")).unwrap();
        fs::write(content.join("broken.md"), b"# one\n\ntwo \xff three\n").unwrap();
        let problems = built(folder.path(), None).unwrap().problems;
        let told: Vec<_> =
            problems.sorted().iter().map(|problem| (problem.severity, problem.place.to_string())).collect();
        assert_eq!(
            told,
            [
                (Severity::Error, "content/broken.md:3".to_owned()),
                (Severity::Warning, "content/out.md".to_owned())
            ]
        );
    }
}
