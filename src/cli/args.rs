//! What can be typed: flag types with the text that `--help` shows. No logic.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::draw::png;

/// Turns saved performance results into a static site that people can trust, share and read offline.
///
/// perfolio reads saved evidence and never measures anything itself.
#[derive(Debug, Parser)]
#[command(name = "perfolio", version, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
pub(super) struct Common {
    /// Print results and errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print notes too, and what is being done
    #[arg(long, short, global = true)]
    pub(super) verbose: bool,
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
    /// Number of threads, at most 1024; 0 means one per processor
    #[arg(long, global = true, default_value_t = 0, value_name = "N", env = "PERFOLIO_JOBS",
        value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub(super) jobs: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Build a site from evidence and content
    Build(Build),
    /// Show what the evidence holds
    Inspect(Inspect),
    /// Check integrity, form and cross references; one line per problem
    ///
    /// Exits with 1 when there are errors or warnings.
    Verify(Verify),
    /// Write the figures of a source to a folder, without a site
    Export(Export),
    /// Draw a saved plot document again, without changing a value
    Render(Render),
}

#[derive(Debug, Args)]
pub(super) struct Build {
    /// Folder that holds perfolio.toml and content/ [default: .]
    pub(super) root: Option<PathBuf>,
    /// Folder to write the site to [default: ROOT/public]
    #[arg(long, short, value_name = "DIR", env = "PERFOLIO_OUTPUT")]
    pub(super) output: Option<PathBuf>,
    /// Evidence (folder, zip or file) to read instead of the configured sources; can be repeated
    ///
    /// Without ROOT, configuration and content of the current folder are ignored.
    #[arg(long, value_name = "PATH")]
    pub(super) source: Vec<PathBuf>,
    /// Name of a theme below ROOT/themes/, or a theme's folder
    #[arg(long, value_name = "NAME|DIR", env = "PERFOLIO_THEME")]
    pub(super) theme: Option<String>,
    /// Address that the site will have; for the sitemap
    #[arg(long, value_name = "URL", env = "PERFOLIO_BASE_URL")]
    pub(super) base_url: Option<String>,
    /// Fail on errors and warnings
    #[arg(long)]
    pub(super) strict: bool,
    /// Write into a folder that perfolio did not make
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// Folders, zip archives or files with evidence
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Print what pages can embed and claim, as text to paste
    #[arg(long, conflicts_with = "json")]
    pub(super) blocks: bool,
    #[command(flatten)]
    pub(super) normalize: Normalize,
    /// Keep only this run
    #[arg(long, value_name = "ID")]
    pub(super) run: Option<String>,
}

/// How values are summed up and what they are divided by.
#[derive(Debug, Clone, Args)]
pub(super) struct Normalize {
    /// How samples become one value: minimum, median, mean, maximum, p90, p95, p99, sum
    #[arg(long, value_name = "STATISTIC")]
    pub(super) statistic: Option<String>,
    /// What values are divided by: minimum, maximum, best, first, latest, or a target label
    #[arg(long, value_name = "REFERENCE")]
    pub(super) reference: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Folders, zip archives or files with evidence
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    /// Folders, zip archives or files with evidence
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Folder to write to
    #[arg(long, short, value_name = "DIR", required_unless_present = "list")]
    pub(super) output: Option<PathBuf>,
    /// Formats to write: svg, html, json, csv, png
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "svg,html,json,csv",
        value_name = "FORMATS"
    )]
    pub(super) format: Vec<Format>,
    #[command(flatten)]
    pub(super) picture: Picture,
    /// Only figures of this kind
    #[arg(long)]
    pub(super) kind: Option<String>,
    /// Only figures of this feature (name or glob)
    #[arg(long)]
    pub(super) feature: Option<String>,
    /// Only figures of this workload (name or glob)
    #[arg(long)]
    pub(super) workload: Option<String>,
    /// Only this metric; can be repeated
    #[arg(long)]
    pub(super) metric: Vec<String>,
    /// Only these targets; can be repeated
    #[arg(long)]
    pub(super) target: Vec<String>,
    /// First target to keep
    #[arg(long, value_name = "TARGET")]
    pub(super) from: Option<String>,
    /// Last target to keep
    #[arg(long, value_name = "TARGET")]
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) normalize: Normalize,
    /// Where the targets of an SVG or PNG stand; figures without two dates keep their order
    #[arg(long, value_enum, default_value_t = Across::Order, value_name = "AXIS")]
    pub(super) x: Across,
    /// Let every HTML file carry plotly.js (4.7 MB each): it opens explored, with zoom, and needs no network
    #[arg(long)]
    pub(super) plotly: bool,
    /// List the figures instead of writing them
    #[arg(long)]
    pub(super) list: bool,
    /// Write into a folder that perfolio did not make
    #[arg(long)]
    pub(super) force: bool,
}

/// Where a figure's targets stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Across {
    /// Equally far apart
    Order,
    /// Where their dates lie
    Date,
}

/// A file format of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Format {
    Svg,
    Html,
    Json,
    Csv,
    Png,
}

/// How PNG pictures are made. The other formats adapt themselves to their surroundings.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Picture {
    /// Colours of PNG pictures: for light or for dark surroundings
    #[arg(long, value_enum, default_value_t = Scheme::Light)]
    pub(super) scheme: Scheme,
    /// Width of PNG pictures in pixels, from 320 to 8000; the height follows
    #[arg(long, value_name = "PIXELS", default_value_t = png::WIDTH,
        value_parser = clap::value_parser!(u32).range(i64::from(*png::WIDTHS.start())..=i64::from(*png::WIDTHS.end())))]
    pub(super) width: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Scheme {
    Light,
    Dark,
}

#[derive(Debug, Args)]
pub(super) struct Render {
    /// The saved plot document
    #[arg(value_name = "PLOT.json")]
    pub(super) plot: PathBuf,
    /// File to write; its ending chooses the format (.svg, .html, .csv, .png, .json)
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Where the targets of an SVG or PNG stand
    #[arg(long, value_enum, default_value_t = Across::Order, value_name = "AXIS")]
    pub(super) x: Across,
    #[command(flatten)]
    pub(super) picture: Picture,
}
