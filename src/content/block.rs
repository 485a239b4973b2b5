//! Blocks: fenced code whose info string starts with `perfolio`, replaced by what they name.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::front_matter::line_of;
use crate::config::nearest;

/// First word of a block's info string.
pub const WORD: &str = "perfolio";

/// Names of the blocks that can be read.
const KNOWN: [&str; 7] = ["downloads", "figure", "findings", "gallery", "manifest", "records", "workload"];

/// What a block asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The overview of a source.
    Gallery(GalleryBlock),
    /// The card of one workload with a link to its page.
    Workload(WorkloadBlock),
    /// One figure.
    Figure(FigureBlock),
    /// The findings of one report.
    Findings(FindingsBlock),
    /// What tools said.
    Records(RecordsBlock),
    /// Resolved dependencies.
    Manifest(ManifestBlock),
    /// Files of figures, and original files.
    Downloads(DownloadsBlock),
}

/// `perfolio findings`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingsBlock {
    /// Id of the source.
    pub source: String,
    /// Recorded name of the tool, such as `jet`.
    pub tool: Option<String>,
    /// Name of the report, as in the address of its page, when several of the tool fit.
    pub record: Option<String>,
    /// Only the findings of this rule.
    pub rule: Option<String>,
    /// Only a report about this target.
    pub target: Option<String>,
}

/// `perfolio records`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordsBlock {
    /// Id of the source.
    pub source: String,
    /// Recorded name of the tool; none for all of them.
    pub tool: Option<String>,
}

/// `perfolio manifest`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestBlock {
    /// Id of the source.
    pub source: String,
    /// Only this target; none for the newest ones side by side.
    pub target: Option<String>,
}

/// `perfolio downloads`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DownloadsBlock {
    /// Id of the source.
    pub source: String,
    /// Only the figures of this feature.
    pub feature: Option<String>,
    /// Only this figure, by its id.
    pub figure: Option<String>,
}

/// `perfolio gallery`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GalleryBlock {
    /// Id of the source.
    pub source: String,
    /// First target that is shown.
    pub from: Option<String>,
    /// Last target that is shown.
    pub to: Option<String>,
    /// Metrics that the cards are about, a set of cards for each; empty for the main one.
    #[serde(default)]
    pub metrics: Vec<String>,
}

/// `perfolio workload`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadBlock {
    /// Id of the source.
    pub source: String,
    /// Name of the workload.
    pub workload: String,
    /// First target that is shown.
    pub from: Option<String>,
    /// Last target that is shown.
    pub to: Option<String>,
    /// Metrics that the cards are about, one card for each; empty for the main one.
    #[serde(default)]
    pub metrics: Vec<String>,
}

/// `perfolio figure`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureBlock {
    /// Id of the source.
    pub source: String,
    /// Recorded name of the feature.
    pub feature: Option<String>,
    /// Several features: one metric of each, by its own reference.
    #[serde(default)]
    pub features: Vec<String>,
    /// Kind of figure.
    #[serde(default = "normalized_metrics")]
    pub kind: String,
    /// The metric of a figure that shows one.
    pub metric: Option<String>,
    /// Metrics that are shown at first; empty for the figure's own choice.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// First target that is shown.
    pub from: Option<String>,
    /// Last target that is shown.
    pub to: Option<String>,
    /// Collector, when several have the feature.
    pub collector: Option<String>,
    /// Variant, when the kind has several.
    pub variant: Option<String>,
}

fn normalized_metrics() -> String {
    "normalized_metrics".to_owned()
}

/// Why a block could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// Lines between the fence and the place of the mistake; 0 is the fence itself.
    pub(super) line: u64,
    /// What is wrong.
    pub(super) message: String,
    /// What can be done.
    pub(super) remedy: Option<String>,
}

impl Unreadable {
    fn fence(message: impl Into<String>) -> Self {
        Self { line: 0, message: message.into(), remedy: None }
    }
}

/// The name in an info string such as `perfolio figure`; none when it is an ordinary code block.
pub(super) fn name(info: &str) -> Option<&str> {
    let rest = info.trim().strip_prefix(WORD)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// Reads the body of the block called `name`.
pub(super) fn read(name: &str, body: &str) -> Result<Block, Unreadable> {
    match name {
        "gallery" => toml(body).map(Block::Gallery),
        "workload" => toml(body).map(Block::Workload),
        "findings" => toml(body).map(Block::Findings),
        "records" => toml(body).map(Block::Records),
        "manifest" => toml(body).map(Block::Manifest),
        "downloads" => toml(body).map(Block::Downloads),
        "figure" => {
            let figure: FigureBlock = toml(body)?;
            match (&figure.feature, figure.features.is_empty()) {
                (None, true) => Err(Unreadable::fence("a figure needs `feature` or `features`")),
                (Some(_), false) => {
                    Err(Unreadable::fence("a figure takes either `feature` or `features`, not both"))
                }
                _ => Ok(Block::Figure(figure)),
            }
        }
        "" => Err(Unreadable::fence(format!("the block has no name; known: {}", KNOWN.join(", ")))),
        _ => Err(Unreadable {
            line: 0,
            message: format!("`{name}` is no block; known: {}", KNOWN.join(", ")),
            remedy: nearest::nearest(name, KNOWN).map(|known| format!("did you mean `{known}`?")),
        }),
    }
}

fn toml<T: DeserializeOwned>(body: &str) -> Result<T, Unreadable> {
    toml::from_str(body).map_err(|error| Unreadable {
        line: 1 + line_of(body, &error),
        message: error.message().to_owned(),
        remedy: nearest::hint(error.message()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name("perfolio figure"), Some("figure"));
        assert_eq!(name(" perfolio\tgallery "), Some("gallery"));
        assert_eq!(name("perfolio"), Some(""));
        assert_eq!(name("perfolios figure"), None);
        assert_eq!(name("rust"), None);
    }

    #[test]
    fn a_figure_with_all_keys() {
        let body = "source = \"s\"\nfeature = \"f\"\nkind = \"version_series\"\nmetric = \"m\"\nmetrics = [\"m\"]\n\
                    from = \"1\"\nto = \"2\"\ncollector = \"c\"\nvariant = \"patches\"\n";
        let Ok(Block::Figure(figure)) = read("figure", body) else { panic!("no figure") };
        assert_eq!((figure.kind.as_str(), figure.variant.as_deref()), ("version_series", Some("patches")));
        let Ok(Block::Figure(plain)) = read("figure", "source = \"s\"\nfeature = \"f\"") else {
            panic!("no figure")
        };
        assert_eq!(plain.kind, "normalized_metrics");
    }

    #[test]
    fn galleries_and_workloads_take_a_part() {
        let part = "from = \"1\"\nto = \"2\"\nmetrics = [\"m\", \"n\"]\n";
        let Ok(Block::Gallery(gallery)) = read("gallery", &format!("source = \"s\"\n{part}")) else {
            panic!("no gallery")
        };
        assert_eq!(
            (gallery.from.as_deref(), gallery.to.as_deref(), gallery.metrics.len()),
            (Some("1"), Some("2"), 2)
        );
        let Ok(Block::Workload(workload)) =
            read("workload", &format!("source = \"s\"\nworkload = \"w\"\n{part}"))
        else {
            panic!("no workload")
        };
        assert_eq!(
            (workload.from.as_deref(), workload.metrics),
            (Some("1"), vec!["m".to_owned(), "n".to_owned()])
        );
    }

    #[test]
    fn blocks_about_reports_take_their_keys() {
        let Ok(Block::Findings(findings)) = read(
            "findings",
            "source = \"s\"\ntool = \"jet\"\nrecord = \"r\"\nrule = \"x\"\ntarget = \"1\"\n",
        ) else {
            panic!("no findings")
        };
        assert_eq!((findings.tool.as_deref(), findings.rule.as_deref()), (Some("jet"), Some("x")));
        let error = read("records", "source = \"s\"\ntol = \"jet\"\n").unwrap_err();
        assert_eq!(error.remedy.as_deref(), Some("did you mean `tool`?"));
        assert!(matches!(read("manifest", "source = \"s\"\ntarget = \"1\"\n"), Ok(Block::Manifest(_))));
        assert!(matches!(read("downloads", "source = \"s\"\nfigure = \"f\"\n"), Ok(Block::Downloads(_))));
        assert!(read("downloads", "").unwrap_err().message.contains("missing field `source`"));
    }

    #[test]
    fn mistakes_say_where_and_what() {
        for (block, body, line, message, remedy) in [
            ("figur", "", 0, "`figur` is no block", Some("did you mean `figure`?")),
            ("", "", 0, "has no name", None),
            ("gallery", "source = \"s\"\nsorce = 1\n", 2, "unknown field", Some("did you mean `source`?")),
            ("gallery", "\n\nsource = [\n", 3, "", None),
            ("gallery", "", 1, "missing field `source`", None),
            (
                "gallery",
                "source = \"s\"\nmetric = \"m\"\n",
                2,
                "unknown field",
                Some("did you mean `metrics`?"),
            ),
            ("figure", "source = \"s\"\n", 0, "needs `feature`", None),
            ("figure", "source = \"s\"\nfeature = \"a\"\nfeatures = [\"b\"]\n", 0, "not both", None),
        ] {
            let error = read(block, body).unwrap_err();
            assert!(error.message.contains(message), "{block}: {error:?}");
            assert_eq!(error.remedy.as_deref(), remedy, "{block}: {error:?}");
            assert!(error.line == line || body.contains('['), "{block}: {error:?}");
        }
    }
}
