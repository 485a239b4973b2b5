//! The site's configuration, `perfolio.toml`, as typed values with defaults.
//!
//! Comes in: text. Goes out: [`Config`], or an error that names the file, the line and the nearest known
//! key. What the command line says is laid over it by `publish`.

pub mod nearest;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::error::{Error, Place, Result};

/// Name of the configuration file.
pub const FILE: &str = "perfolio.toml";

/// Everything that can be configured. Every key is optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Title of the site.
    pub title: Option<String>,
    /// Address that the site will have.
    pub base_url: Option<String>,
    /// Name of the theme.
    pub theme: Option<String>,
    /// The sources, in the order of the site.
    pub source: Vec<SourceConfig>,
    /// Texts and joins of features.
    pub feature: Vec<FeatureConfig>,
    /// Texts of metrics.
    pub metric: Vec<MetricConfig>,
    /// Dates and visibility of targets.
    pub target: Vec<TargetConfig>,
    /// How values are summed up and what they are divided by.
    pub normalize: NormalizeConfig,
    /// Which tabs a workload has.
    pub tabs: TabsConfig,
    /// What is masked in everything that is written.
    pub redact: RedactConfig,
    /// What is published besides the pages.
    pub publish: PublishConfig,
    /// Limits on hostile input.
    pub limits: LimitsConfig,
}

/// One `[[source]]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceConfig {
    /// Folder, file or glob, relative to the configuration.
    pub path: String,
    /// Stable slug; made from the path when absent.
    pub id: Option<String>,
    /// Title for people.
    pub title: Option<String>,
    /// One sentence for people: what was measured.
    pub description: Option<String>,
}

/// One `[[feature]]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureConfig {
    /// Feature name or glob.
    #[serde(rename = "match")]
    pub pattern: String,
    /// Title for people.
    pub title: Option<String>,
    /// Joins features that name no workload.
    pub workload: Option<String>,
    /// Purpose for people.
    pub description: Option<String>,
    /// Former names whose history continues under this feature.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Words to filter by on the gallery.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// One `[[metric]]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricConfig {
    /// Metric id.
    pub id: String,
    /// Title for people.
    pub title: Option<String>,
    /// Meaning for people.
    pub description: Option<String>,
    /// `lower`, `higher` or `neutral`; overrides what was recorded.
    pub preference: Option<PreferenceWord>,
    /// The metric that overviews show.
    #[serde(default)]
    pub main: bool,
}

/// Which direction of a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PreferenceWord {
    /// Smaller.
    Lower,
    /// Larger.
    Higher,
    /// Neither.
    Neutral,
}

/// One `[[target]]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetConfig {
    /// Target label.
    pub label: String,
    /// Date; overrides or supplies the recorded one.
    pub date: Option<toml::value::Datetime>,
    /// Whether it is left out everywhere.
    #[serde(default)]
    pub hidden: bool,
}

/// `[normalize]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NormalizeConfig {
    /// `minimum` (default), `median`, `mean`, `maximum`, `p90`, `p95`, `p99` or `sum`.
    pub statistic: Option<String>,
    /// `minimum` (default), `maximum`, `best`, `first`, `latest` or a target label.
    pub reference: Option<String>,
}

/// `[tabs]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TabsConfig {
    /// `"auto"` (default), `"none"`, or a list of minor series such as `["1.10"]`.
    pub patches: Patches,
}

/// Which minor series have a tab of their own.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(try_from = "PatchesText")]
pub enum Patches {
    /// Every minor series with two or more releases.
    #[default]
    Auto,
    /// None.
    None,
    /// These, such as `1.10`.
    Only(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"auto\", \"none\" or a list of minor series such as [\"1.10\"]")]
enum PatchesText {
    Word(String),
    List(Vec<String>),
}

impl TryFrom<PatchesText> for Patches {
    type Error = String;

    fn try_from(text: PatchesText) -> Result<Self, String> {
        match text {
            PatchesText::Word(word) => match word.as_str() {
                "auto" => Ok(Self::Auto),
                "none" => Ok(Self::None),
                _ => Err(format!(
                    "{word:?} is neither \"auto\" nor \"none\" nor a list of minor series such as [\"1.10\"]"
                )),
            },
            PatchesText::List(list) => Ok(Self::Only(list)),
        }
    }
}

/// `[redact]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedactConfig {
    /// Masks absolute paths, user and host names in everything that is written.
    pub paths: bool,
}

impl Default for RedactConfig {
    fn default() -> Self {
        Self { paths: true }
    }
}

/// `[publish]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PublishConfig {
    /// Copies the original files of the evidence below `evidence/`, as they are: nothing in them is masked.
    pub originals: bool,
}

/// `[limits]`: hostile input. Sizes in bytes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Largest JSON Lines file.
    pub file_bytes: u64,
    /// Largest document that is read as a whole.
    pub document_bytes: u64,
    /// Longest line of a JSON Lines file.
    pub line_bytes: u64,
    /// Most files in one source, those inside of archives included.
    pub files: usize,
    /// Most kept samples of one run.
    pub samples: usize,
    /// Most bytes that all zip archives of one source unpack to.
    pub zip_bytes: u64,
    /// How many times its packed size a file of more than 1 MiB may have when unpacked.
    pub zip_ratio: u64,
    /// Most bytes of archives inside of archives, which are held in memory while their source is open.
    pub zip_nested_bytes: u64,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            file_bytes: 16 << 30,
            document_bytes: 256 << 20,
            line_bytes: 4 << 20,
            files: 200_000,
            samples: 50_000_000,
            zip_bytes: 64 << 30,
            zip_ratio: 400,
            zip_nested_bytes: 256 << 20,
        }
    }
}

impl Config {
    /// Reads the text of `perfolio.toml`; `path` is how messages call it.
    ///
    /// # Errors
    /// A key that is not known (with the nearest known one), a value of the wrong type, broken TOML.
    pub fn parse(text: &str, path: &str) -> Result<Self> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let message = error.message().to_owned();
            let line =
                error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            let mut failure = Error::usage(message.clone()).at(Place::file(path).line(line as u64));
            if let Some(hint) = nearest::hint(&message) {
                failure = failure.hint(hint);
            }
            failure
        })?;
        config.check(path)?;
        Ok(config)
    }

    /// Refuses values that no site can have.
    fn check(&self, path: &str) -> Result<()> {
        let place = |field: &str| Place::file(path).field(field);
        if let Some(base_url) = &self.base_url {
            check_base_url(base_url).map_err(|error| error.at(place("base_url")))?;
        }
        if self.source.iter().any(|source| source.path.is_empty()) {
            return Err(Error::usage("the path of a source is empty")
                .at(place("source.path"))
                .hint("name a folder, a file or a pattern; `.` is the folder of perfolio.toml"));
        }
        let mut labels = BTreeSet::new();
        if let Some(twice) = self.target.iter().find(|target| !labels.insert(&target.label)) {
            return Err(Error::usage(format!("the target `{}` is given twice", twice.label))
                .at(place("target.label"))
                .hint("join the two entries"));
        }
        Ok(())
    }

    /// The texts of a feature: later entries win field by field, exact names over globs.
    pub fn feature(&self, name: &str) -> FeatureConfig {
        let mut found = FeatureConfig { pattern: name.to_owned(), ..FeatureConfig::default() };
        let (exact, globs): (Vec<_>, Vec<_>) = self.feature.iter().partition(|entry| entry.pattern == name);
        for entry in globs.into_iter().filter(|entry| glob(&entry.pattern, name)).chain(exact) {
            found.title = entry.title.clone().or(found.title);
            found.workload = entry.workload.clone().or(found.workload);
            found.description = entry.description.clone().or(found.description);
            found.aliases.extend(entry.aliases.iter().cloned());
            found.tags.extend(entry.tags.iter().cloned());
        }
        found
    }

    /// The texts of a metric, when configured.
    pub fn metric(&self, id: &str) -> Option<&MetricConfig> {
        self.metric.iter().find(|metric| metric.id == id)
    }

    /// The settings of a target, when configured.
    pub fn target(&self, label: &str) -> Option<&TargetConfig> {
        self.target.iter().find(|target| target.label == label)
    }

    /// Former feature name → present name.
    pub fn aliases(&self) -> BTreeMap<&str, &str> {
        self.feature
            .iter()
            .flat_map(|feature| {
                feature.aliases.iter().map(|alias| (alias.as_str(), feature.pattern.as_str()))
            })
            .collect()
    }
}

/// Checks the address that the site will have.
///
/// # Errors
/// It is not an `http://` or `https://` address with a host.
pub fn check_base_url(address: &str) -> Result<()> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() || address.contains(|char: char| char.is_whitespace() || char.is_control()) {
        return Err(Error::usage(format!("the base address {address:?} is not an http or https address"))
            .hint("write it in full, such as https://example.org/results/"));
    }
    Ok(())
}

/// Whether `name` fits `pattern`, where `*` stands for any text (also none) and `?` for one character.
pub fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(&symbol) if symbol == '?' || symbol == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((star_at, star_seen)) = star else { return false };
                star = Some((star_at, star_seen + 1));
                at = star_at + 1;
                seen = star_seen + 1;
            }
        }
    }
    pattern[at..].iter().all(|&symbol| symbol == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_name_the_nearest_known_one() {
        let error =
            Config::parse("title = \"x\"\n\n[normalize]\nstatistics = \"median\"\n", FILE).unwrap_err();
        assert_eq!(error.place.line, Some(4));
        assert!(error.message.contains("statistics"), "{}", error.message);
        assert_eq!(error.hints, ["did you mean `statistic`?"]);
    }

    #[test]
    fn exact_names_win_over_globs() {
        let text = "[[feature]]\nmatch = \"plain_benchmark\"\ntitle = \"plain\"\n[[feature]]\nmatch = \"*_benchmark\"\ntitle = \"other\"\ndescription = \"all\"\n";
        let config = Config::parse(text, FILE).unwrap();
        let feature = config.feature("plain_benchmark");
        assert_eq!((feature.title.as_deref(), feature.description.as_deref()), (Some("plain"), Some("all")));
        assert_eq!(config.feature("path_benchmark").title.as_deref(), Some("other"));
    }

    #[test]
    fn globs() {
        for (pattern, name, fits) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abbd", false),
            ("?b", "äb", true),
            ("*_x*", "1_x", true),
            ("a", "ab", false),
            ("**a", "ba", true),
        ] {
            assert_eq!(glob(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn the_documentation_names_every_key_and_holds() {
        let text = include_str!("../../docs/configuration.md");
        let example = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let config = Config::parse(example, FILE).unwrap();
        assert_eq!(config.limits, LimitsConfig::default(), "the documented limits are those that hold");
        let tables = ["", "[[source]]", "[[feature]]", "[[metric]]", "[[target]]", "[normalize]", "[tabs]"];
        for table in tables.into_iter().chain(["[redact]", "[publish]", "[limits]"]) {
            let message = Config::parse(&format!("{table}\nzzz = 1"), FILE).unwrap_err().message;
            let mut keys = message.split('`').skip(3).step_by(2).peekable();
            assert!(keys.peek().is_some() || message.contains("expected `"), "{message}");
            for key in keys {
                let told = |line: &str| {
                    line.starts_with(&format!("{key} ="))
                        || line.starts_with(&format!("[{key}]"))
                        || line.starts_with(&format!("[[{key}]]"))
                };
                assert!(example.lines().any(told), "{table} {key}");
            }
        }
    }

    #[test]
    fn patches_take_a_word_or_a_list() {
        let patches = |text: &str| Config::parse(text, FILE).map(|config| config.tabs.patches);
        assert_eq!(patches("[tabs]\npatches = [\"1.10\"]").unwrap(), Patches::Only(vec!["1.10".into()]));
        assert_eq!(patches("[tabs]\npatches = \"none\"").unwrap(), Patches::None);
        for wrong in ["\"bogus\"", "1"] {
            let message = patches(&format!("[tabs]\npatches = {wrong}")).unwrap_err().message;
            assert!(message.contains("\"auto\"") && message.contains("\"none\""), "{message}");
        }
    }

    #[test]
    fn values_that_no_site_can_have_are_refused() {
        for (text, field) in [
            ("base_url = \"example.org\"", "base_url"),
            ("base_url = \"javascript:x\"", "base_url"),
            ("base_url = \"https:///x\"", "base_url"),
            ("[[source]]\npath = \"\"", "source.path"),
            ("[[target]]\nlabel = \"1.0\"\n[[target]]\nlabel = \"1.0\"\nhidden = true", "target.label"),
        ] {
            let error = Config::parse(text, FILE).unwrap_err();
            assert_eq!(error.place.field.as_deref(), Some(field), "{text}");
            assert!(!error.hints.is_empty());
        }
        assert!(Config::parse("base_url = \"http://example.org\"", FILE).is_ok());
    }
}
