//! What a metric means: its unit, its direction and how it was collected.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Name;

/// Which direction of a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preference {
    /// Smaller is better.
    Lower,
    /// Larger is better.
    Higher,
    /// Neither, or not known.
    Neutral,
}

impl Preference {
    /// The word used in documents and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::Neutral => "neutral",
        }
    }
}

/// A measurement definition (PerfChecker formats §2.6). Two definitions are the same measurement only
/// when every field agrees.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// `<metric>/<method>`, unique within a run.
    pub id: Name,
    /// Metric id, such as `julia.wall.time`.
    pub metric: Name,
    /// Unit as recorded: `ns`, `s`, `By`, `1`, …
    pub unit: Name,
    /// Name of the backend that collected it.
    pub collector: Option<String>,
    /// What one value stands for.
    pub sample_semantics: Option<String>,
    /// Which direction is better; a definition that does not say means lower.
    pub preference: Preference,
    /// How warm-up was handled.
    pub warmup_policy: Option<String>,
    /// Whether compilation is part of the value.
    pub includes_compilation: Option<bool>,
    /// Whether child processes are part of the value.
    pub includes_children: Option<bool>,
    /// What the value is attributed to.
    pub attribution_scope: Option<String>,
    /// Everything else that was recorded.
    pub extra: Map<String, Value>,
}

impl Definition {
    /// The id without its `<metric>/` prefix: what tells two collectors of one metric apart.
    pub fn method(&self) -> &str {
        self.id.strip_prefix(&*self.metric).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&self.id)
    }
}
