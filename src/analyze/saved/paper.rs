//! One saved document with all that names it: its own fields, its rows, and the catalogue that lists it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::evidence::catalog::{SavedCatalog, View};
use crate::evidence::plot::Details;
use crate::evidence::{Name, SavedPlot, SourceEvidence};

/// A document and what is known of it.
#[derive(Debug)]
pub(super) struct Paper<'a> {
    /// Position in the plots of the source.
    pub(super) at: usize,
    pub(super) saved: &'a SavedPlot,
    pub(super) catalog: Option<&'a SavedCatalog>,
    pub(super) view: Option<&'a View>,
    /// Label of the patch window and path of its complete history, where a catalogue says so.
    pub(super) window: Option<(&'a str, Option<&'a str>)>,
    /// Folder of the document; empty at the top.
    pub(super) folder: &'a str,
    pub(super) package: Option<Name>,
    pub(super) feature: Option<Name>,
    pub(super) workload: Option<Name>,
    /// Comparison key without its definition part.
    pub(super) base_key: Option<Name>,
    pub(super) collector: Option<Name>,
}

/// Where a catalogue names a file: catalogue, view, and the label when it is a patch window.
type Listed<'a> = (&'a SavedCatalog, &'a View, Option<&'a str>);

impl<'a> Paper<'a> {
    /// Every document of a source.
    pub(super) fn all(evidence: &'a SourceEvidence) -> impl Iterator<Item = Self> {
        let mut listed: BTreeMap<&str, Listed<'a>> = BTreeMap::new();
        for catalog in &evidence.catalogs {
            for view in &catalog.views {
                if let Some(named) = &view.document {
                    listed.entry(&named.path).or_insert((catalog, view, None));
                }
                for (label, named) in &view.windows {
                    listed.entry(&named.path).or_insert((catalog, view, Some(label)));
                }
            }
        }
        let plots = evidence.plots.iter().enumerate();
        plots.map(move |(at, saved)| Self::new(at, saved, listed.get(saved.path.as_str()).copied()))
    }

    fn new(at: usize, saved: &'a SavedPlot, listed: Option<Listed<'a>>) -> Self {
        let view = listed.map(|listed| listed.1);
        let plot = &saved.document.plot;
        let option = |key: &str| plot.options.get(key).and_then(Value::as_str);
        // Rows of changes carry what names their series. Where rows differ, they are of several.
        let row = |key: &str| {
            let mut rows = plot.data.iter().map(|row| row.get(key).and_then(Value::as_str));
            let first = rows.next()??;
            rows.all(|other| other == Some(first)).then_some(first)
        };
        let definition = plot.options.get("measurement_definitions").and_then(Value::as_array);
        let definition = definition.and_then(|list| match list.as_slice() {
            [Value::String(only)] => Some(only.as_str()),
            _ => None,
        });
        let definition = definition.or_else(|| row("measurement_definition"));
        let metric = option("metric").or_else(|| row("metric"));
        let method = definition
            .zip(metric)
            .and_then(|(definition, metric)| definition.strip_prefix(metric)?.strip_prefix('/'));
        let base = row("comparison_key").map(|key| match definition {
            Some(definition) => {
                key.strip_suffix(definition).and_then(|key| key.strip_suffix("::")).unwrap_or(key)
            }
            None => key,
        });
        let first = |texts: &[Option<&str>]| -> Option<Name> {
            texts.iter().flatten().find(|text| !text.is_empty()).map(|&text| Name::from(text))
        };
        let of_view = |pick: fn(&View) -> &Option<String>| view.and_then(|view| pick(view).as_deref());
        Self {
            at,
            saved,
            catalog: listed.map(|listed| listed.0),
            view,
            window: listed.and_then(|(_, view, label)| {
                Some((label?, view.document.as_ref().map(|named| named.path.as_str())))
            }),
            folder: saved.path.rsplit_once('/').map_or("", |(folder, _)| folder),
            package: first(&[option("package"), of_view(|view| &view.package), row("package")]),
            feature: first(&[option("feature"), of_view(|view| &view.feature), row("feature")]),
            workload: first(&[option("workload"), of_view(|view| &view.workload), row("workload")]),
            base_key: first(&[of_view(|view| &view.comparison_key), base]),
            collector: first(&[option("collector"), of_view(|view| &view.collector), method]),
        }
    }

    pub(super) fn id(&self) -> &'a str {
        &self.saved.document.plot.id
    }

    pub(super) fn kind(&self) -> &'a str {
        &self.saved.document.plot.kind
    }

    pub(super) fn details(&self) -> Option<&'a Details> {
        self.saved.document.perfolio.as_ref()
    }

    /// A text among the options of the plot.
    pub(super) fn option(&self, key: &str) -> Option<&'a str> {
        self.saved.document.plot.options.get(key).and_then(Value::as_str)
    }

    /// The date of a target and what sort of date it is, as the document or its catalogue has them.
    pub(super) fn date(&self, label: &str) -> Option<(String, Option<String>)> {
        let document = &self.saved.document;
        if let Some(date) = document.release_dates.get(label) {
            let kind = document.release_date_kinds.get(label).or(document.date_kind.as_ref());
            return Some((date.clone(), kind.cloned()));
        }
        let noted = self.details().and_then(|details| details.dates.get(label));
        noted.map(|date| (date.clone(), None)).or_else(|| {
            let date = self.catalog?.release_dates.get(label)?;
            Some((date.date.clone(), date.kind.clone()))
        })
    }
}
