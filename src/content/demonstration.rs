//! The repository's own pages, held against the published figures that its evidence was made from.

#![allow(clippy::disallowed_methods, reason = "a test reads the files of the repository")]

use std::path::Path;

use super::*;
use crate::config::Config;
use crate::evidence::Number;

/// One row of the published figures.
struct Row {
    feature: String,
    target: String,
    metric: String,
    unit: String,
    value: f64,
    ratio: f64,
}

struct Published {
    rows: Vec<Row>,
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn published() -> Published {
    let mut rows = Vec::new();
    for file in ["features.csv", "routes.csv"] {
        let text = read(&format!("fixtures/published/oxygen/{file}"));
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let [feature, _, _, target, _, metric, unit, _, _, value, _, ratio, _] = cells[..] else {
                continue;
            };
            let (Ok(value), ratio) = (value.parse(), ratio.parse().unwrap_or(f64::NAN)) else { continue };
            rows.push(Row {
                feature: feature.to_owned(),
                target: target.to_owned(),
                metric: metric.to_owned(),
                unit: unit.to_owned(),
                value,
                ratio,
            });
        }
    }
    Published { rows }
}

impl Resolver for Published {
    fn block(&self, block: &Block, _level: u8) -> Result<String, String> {
        let known = |name: &str| self.rows.iter().any(|row| row.feature == name);
        let metric = |id: &String| self.rows.iter().any(|row| row.metric == *id);
        match block {
            Block::Gallery(gallery) if gallery.source == "oxygen" => Ok(String::new()),
            Block::Workload(workload) if workload.source == "oxygen" => Ok(String::new()),
            Block::Figure(figure)
                if figure
                    .feature
                    .as_deref()
                    .into_iter()
                    .chain(figure.features.iter().map(String::as_str))
                    .all(known)
                    && figure.metrics.iter().chain(&figure.metric).all(metric) =>
            {
                Ok(String::new())
            }
            _ => Err("not published".to_owned()),
        }
    }

    fn claim(&self, address: &Address) -> Result<ClaimEvidence, ClaimFailure> {
        let fits = |row: &&Row| {
            (row.feature.as_str(), row.metric.as_str(), row.target.as_str())
                == (address.feature.as_str(), address.metric.as_str(), address.target.as_str())
        };
        let row = self.rows.iter().find(fits).ok_or_else(ClaimFailure::default)?;
        let (value, unit) = match address.number {
            claim::As::Value => (row.value, row.unit.as_str()),
            claim::As::Ratio => (row.ratio, "×"),
        };
        Ok(ClaimEvidence {
            value: Number::finite(value).ok_or_else(ClaimFailure::default)?,
            unit: unit.to_owned(),
            href: "index.html".to_owned(),
            description: String::new(),
        })
    }

    fn page(&self, _from: &str, target: &str) -> Option<String> {
        ["index.md", "oxygen.md"].contains(&target).then(|| "index.html".to_owned())
    }

    fn file(&self, _from: &str, _target: &str) -> Option<String> {
        None
    }
}

#[test]
fn the_pages_agree_with_the_published_figures() {
    let published = published();
    for (path, claims) in [("index.md", 0), ("oxygen.md", 15)] {
        let (page, mut problems) = Page::parse(path, &read(&format!("content/{path}"))).unwrap();
        let (rendered, more) = page.render(&published);
        problems.extend(more);
        assert!(problems.is_empty(), "{:#?}", problems.sorted());
        assert_eq!(rendered.claims.len(), claims, "{path}");
        assert!(rendered.claims.iter().all(|claim| claim.verdict == Verdict::Agrees));
    }
}

#[test]
fn the_configuration_names_what_was_published() {
    let config = Config::parse(&read("perfolio.toml"), "perfolio.toml").unwrap();
    for row in &published().rows {
        assert!(config.feature(&row.feature).title.is_some(), "{}", row.feature);
        assert!(config.metric(&row.metric).is_some_and(|metric| metric.title.is_some()), "{}", row.metric);
    }
}
