//! The address of a claim: `value:<source>/<feature>/<metric>@<target>?option=…`.

use std::fmt::{self, Write as _};

/// Scheme in front of an address.
pub const SCHEME: &str = "value:";

/// Statistics that can be asked for.
const STATISTICS: [&str; 9] =
    ["minimum", "median", "mean", "maximum", "p90", "p95", "p99", "sum", "recorded"];

/// Which of the two numbers of a point is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum As {
    /// The value in its unit.
    #[default]
    Value,
    /// The value divided by the reference of its series.
    Ratio,
}

/// Names one number of the evidence, with all parts decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// Id of the source.
    pub source: String,
    /// Recorded name of the feature.
    pub feature: String,
    /// Id of the metric.
    pub metric: String,
    /// Label of the target.
    pub target: String,
    /// Collector, when several have the metric.
    pub collector: Option<String>,
    /// Run id, when several runs form different series.
    pub run: Option<String>,
    /// Statistic; the site's own when not given.
    pub statistic: Option<String>,
    /// The value or its ratio.
    pub number: As,
}

impl fmt::Display for Address {
    /// Writes the link target that reads back as this address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [source, feature, metric, target] =
            [&self.source, &self.feature, &self.metric, &self.target].map(|part| encode(part));
        write!(f, "{SCHEME}{source}/{feature}/{metric}@{target}")?;
        let number = (self.number == As::Ratio).then(|| "ratio".to_owned());
        let options = [
            ("collector", &self.collector),
            ("run", &self.run),
            ("statistic", &self.statistic),
            ("as", &number),
        ];
        let mut mark = '?';
        for (key, value) in options {
            if let Some(value) = value {
                write!(f, "{mark}{key}={}", encode(value))?;
                mark = '&';
            }
        }
        Ok(())
    }
}

impl Address {
    /// The address of a value, without options.
    pub fn of(source: &str, feature: &str, metric: &str, target: &str) -> Self {
        let [source, feature, metric, target] = [source, feature, metric, target].map(str::to_owned);
        Self { source, feature, metric, target, ..Self::default() }
    }

    /// Reads the target of a link that starts with `value:`.
    ///
    /// # Errors
    /// Why it names nothing: a missing part, a wrong percent code, an option that is not known.
    pub fn parse(target: &str) -> Result<Self, String> {
        const FORM: &str = "value:<source>/<feature>/<metric>@<target>";
        let text = target.strip_prefix(SCHEME).ok_or_else(|| format!("a claim looks like {FORM}"))?;
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let parts: Vec<&str> = path.split('/').collect();
        let [source, feature, point] = parts[..] else {
            return Err(format!("a claim looks like {FORM}; write a slash inside a name as %2F"));
        };
        let (metric, label) = point
            .split_once('@')
            .ok_or_else(|| format!("a claim looks like {FORM}; the target is missing"))?;
        if label.contains('@') {
            return Err(format!("a claim looks like {FORM}; write an at sign inside a name as %40"));
        }
        let mut address = Self {
            source: decode(source)?,
            feature: decode(feature)?,
            metric: decode(metric)?,
            target: decode(label)?,
            ..Self::default()
        };
        let names = [&address.source, &address.feature, &address.metric, &address.target];
        if names.iter().any(|name| name.is_empty()) {
            return Err(format!("a claim looks like {FORM}; a part is empty"));
        }
        let mut seen: Vec<String> = Vec::new();
        for option in query.unwrap_or_default().split('&').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let (key, value) = (decode(key)?, decode(value)?);
            address.set(&key, value)?;
            if seen.contains(&key) {
                return Err(format!("the option `{key}` is given twice"));
            }
            seen.push(key);
        }
        Ok(address)
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("the option `{key}` has no value"));
        }
        match key {
            "collector" => self.collector = Some(value),
            "run" => self.run = Some(value),
            "statistic" if STATISTICS.contains(&value.as_str()) => self.statistic = Some(value),
            "statistic" => {
                return Err(format!("`{value}` is no statistic; known: {}", STATISTICS.join(", ")));
            }
            "as" => {
                self.number = match value.as_str() {
                    "value" => As::Value,
                    "ratio" => As::Ratio,
                    _ => return Err(format!("`as={value}` is not understood; known: value, ratio")),
                }
            }
            _ => {
                return Err(format!(
                    "the option `{key}` is not understood; known: collector, run, statistic, as"
                ));
            }
        }
        Ok(())
    }
}

/// Percent-encodes everything but letters, digits and `-._~`, so that a part can stand in an address or in a
/// fragment.
pub fn encode(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Decodes `%2F` and the like.
fn decode(part: &str) -> Result<String, String> {
    let wrong = || format!("`{part}` has a percent sign that is not followed by two hex digits of UTF-8");
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16)).ok_or_else(wrong);
        let (high, low) = (digit()?, digit()?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_decoded() {
        let address = Address::parse(
            "value:http/GET%20%2Fsongs/julia.wall.time@dev%401.2.0?collector=a/b%26c&as=ratio",
        )
        .unwrap();
        assert_eq!(address.feature, "GET /songs");
        assert_eq!(address.target, "dev@1.2.0");
        assert_eq!(address.collector.as_deref(), Some("a/b&c"));
        assert_eq!(address.number, As::Ratio);
    }

    #[test]
    fn what_names_nothing_says_why() {
        for (target, reason) in [
            ("value:a/b", "looks like"),
            ("value:a/b/c", "target is missing"),
            ("value:a/b/c@d@e", "%40"),
            ("value:a/b/c/d@e", "%2F"),
            ("value:a//c@d", "empty"),
            ("value:a/b/c@%zz", "percent"),
            ("value:a/b/c@%ff", "percent"),
            ("value:a/b/c@d?vs=1.0", "`vs` is not understood"),
            ("value:a/b/c@d?expect=contradicted", "`expect` is not understood"),
            ("value:a/b/c@d?as=delta", "as=delta"),
            ("value:a/b/c@d?statistic=middle", "no statistic"),
            ("value:a/b/c@d?run=", "no value"),
            ("value:a/b/c@d?run=1&run=2", "twice"),
        ] {
            let error = Address::parse(target).unwrap_err();
            assert!(error.contains(reason), "{target}: {error}");
        }
    }
}
