//! The resolved dependency manifests of a run or of a published catalogue: packages as rows, targets as columns.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::evidence::{Dependencies, Run, SavedCatalog};
use crate::text::list;
use crate::text::number;
use crate::theme::Theme;
use crate::theme::view::{self, Link, Section, Span, Table, TableCell, TableRow};

use super::super::figures::Files;
use super::super::load::LoadedSource;
use super::super::page::Frame;
use super::super::plan::link;
use super::record::{cell, columns, one_group, row};
use super::runs::csv;

/// Most manifests that stand side by side; the CSV has all.
const ABREAST: usize = 30;
/// Most packages of one table; the CSV has all.
const ROWS: usize = 1000;

/// Path of the CSV beside a page of manifests.
pub(super) fn csv_path(page: &str) -> String {
    page.replace("/index.html", "/packages.csv")
}

/// Manifests in the order of their targets, each with the label of its target.
pub(in crate::site) struct Manifests<'a> {
    list: Vec<(String, &'a Dependencies)>,
}

impl<'a> Manifests<'a> {
    /// The manifests that a run recorded. They are joined to targets by its qualifications, never by position.
    pub(super) fn of_run(run: &'a Run, source: &LoadedSource) -> Self {
        let all = run
            .qualifications
            .iter()
            .filter_map(|one| Some((one.target.as_str(), one.dependencies.as_ref()?)));
        Self::ordered(all, source)
    }

    /// The manifests that a published catalogue holds.
    pub(super) fn of_catalog(catalog: &'a SavedCatalog, source: &LoadedSource) -> Self {
        Self::ordered(catalog.environments.iter().map(|(label, one)| (label.as_str(), one)), source)
    }

    /// All manifests of a source.
    pub(in crate::site) fn of_source(source: &'a LoadedSource) -> Self {
        let runs = source.evidence.runs.iter().flat_map(|run| &run.qualifications);
        let runs = runs.filter_map(|one| Some((one.target.as_str(), one.dependencies.as_ref()?)));
        let catalogs = source.evidence.catalogs.iter().flat_map(|one| &one.environments);
        Self::ordered(runs.chain(catalogs.map(|(label, one)| (label.as_str(), one))), source)
    }

    fn ordered(all: impl Iterator<Item = (&'a str, &'a Dependencies)>, source: &LoadedSource) -> Self {
        let mut of_target: BTreeMap<&str, Vec<&Dependencies>> = BTreeMap::new();
        for (label, one) in all {
            let known = of_target.entry(label).or_default();
            if !known.contains(&one) {
                known.push(one);
            }
        }
        let place = |label: &str| source.series.targets.iter().position(|target| &*target.label == label);
        let mut labels: Vec<&str> = of_target.keys().copied().collect();
        labels.sort_by_key(|label| (place(label).is_none(), place(label), *label));
        let mut list = Vec::new();
        for label in labels {
            let several = of_target[label].len() > 1;
            for (at, one) in of_target[label].iter().enumerate() {
                let name = if several { format!("{label} ({})", at + 1) } else { label.to_owned() };
                list.push((name, *one));
            }
        }
        Self { list }
    }

    /// Whether there is none.
    pub(in crate::site) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Keeps the manifests of one target.
    pub(in crate::site) fn only(mut self, target: &str) -> Self {
        self.list.retain(|(label, _)| {
            label == target || label.strip_prefix(target).is_some_and(|rest| rest.starts_with(" ("))
        });
        self
    }

    /// How many manifests.
    pub(in crate::site) fn len(&self) -> usize {
        self.list.len()
    }

    /// Labels of the targets, with a number where a target has several manifests.
    pub(in crate::site) fn labels(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(label, _)| label.as_str())
    }

    /// How much of the manifests is known by name, in one sentence.
    pub(in crate::site) fn known(&self) -> String {
        let incomplete =
            self.list.iter().filter(|(_, one)| one.total != Some(one.packages.len() as u64)).count();
        match (incomplete, self.list.len()) {
            (0, _) => "All packages of these manifests are named.".to_owned(),
            (_, 1) => "Not every package of the manifest is named: one that is missing here is not known, not absent.".to_owned(),
            (some, all) => format!(
                "{} of {} manifests are not named in full: a package that is missing there is not known, not absent.",
                number::whole(some as i128),
                number::whole(all as i128)
            ),
        }
    }

    /// How many there are and how much of them is known, in one sentence.
    pub(in crate::site) fn says(&self) -> String {
        let packages: BTreeSet<&str> =
            self.list.iter().flat_map(|(_, one)| &one.packages).map(|one| one.name.as_str()).collect();
        format!(
            "{} of {}.",
            list::counted(packages.len(), "named package", "named packages"),
            list::counted(self.list.len(), "resolved manifest", "resolved manifests")
        )
    }

    /// Digests and how much of each manifest is known.
    pub(in crate::site) fn digests(&self) -> Table {
        let rows = self.list.iter().map(|(label, one)| {
            let named = number::whole(one.packages.len() as i128);
            row(vec![
                cell(label.clone()),
                cell(match one.total {
                    Some(total) => format!("{named} of {}", number::whole(total.into())),
                    None if one.packages.is_empty() => "no list recorded".to_owned(),
                    None => format!("{named}; how many there are is not recorded"),
                }),
                TableCell {
                    code: one.manifest_sha256.is_some(),
                    ..cell(one.manifest_sha256.clone().unwrap_or_else(|| "not recorded".to_owned()))
                },
            ])
        });
        Table {
            label: "Manifests by target".to_owned(),
            columns: columns(&[
                ("target", false),
                ("packages named", false),
                ("SHA-256 of the manifest", false),
            ]),
            groups: one_group(rows.collect()),
        }
    }

    /// Packages as rows; a version that differs from that of the manifest before stands out.
    pub(in crate::site) fn packages(&self, most: usize) -> Table {
        let shown = &self.list[self.list.len().saturating_sub(most)..];
        let versions: Vec<BTreeMap<&str, &str>> = shown
            .iter()
            .map(|(_, one)| {
                one.packages.iter().map(|one| (one.name.as_str(), one.version.as_str())).collect()
            })
            .collect();
        let names: BTreeSet<&str> = versions.iter().flat_map(|one| one.keys().copied()).collect();
        let complete: Vec<bool> =
            shown.iter().map(|(_, one)| one.total == Some(one.packages.len() as u64)).collect();
        let rows = names.into_iter().map(|name| {
            let mut cells = vec![TableCell { code: true, ..cell(name) }];
            for (at, one) in versions.iter().enumerate() {
                let before = at.checked_sub(1).and_then(|at| versions[at].get(name));
                cells.push(match one.get(name) {
                    Some(&"") => cell("in the standard library"),
                    Some(version) => {
                        TableCell { strong: before.is_some_and(|before| before != version), ..cell(*version) }
                    }
                    None if complete[at] => cell("–"),
                    None => cell("not known"),
                });
            }
            row(cells)
        });
        let rows: Vec<TableRow> = rows.collect();
        let mut heads = vec![("package", false)];
        heads.extend(shown.iter().map(|(label, _)| (label.as_str(), false)));
        Table {
            label: "Resolved packages by target".to_owned(),
            columns: columns(&heads),
            groups: one_group(rows),
        }
    }

    /// The page of these manifests and their CSV.
    pub(super) fn files(
        &self,
        path: &str,
        title: &str,
        crumbs: &[(&str, &str)],
        frame: &Frame<'_>,
        theme: &Theme,
    ) -> Result<Files> {
        let csv_path = csv_path(path);
        let mut table = self.packages(ABREAST);
        let all = table.groups.iter().map(|group| group.rows.len()).sum::<usize>();
        table.groups.iter_mut().for_each(|group| group.rows.truncate(ROWS));
        let mut notes =
            vec!["A version that differs from that of the manifest before it stands out. A dash: not in that manifest.".to_owned()];
        if self.list.len() > ABREAST {
            notes.push(format!(
                "The last {ABREAST} of {} manifests; the CSV has all.",
                number::whole(self.list.len() as i128)
            ));
        }
        if all > ROWS {
            notes.push(format!("The first {} packages; the CSV has all.", number::whole(ROWS as i128)));
        }
        let said = self.says();
        let view = view::SectionsPage {
            page: frame.page(path, title, &said, crumbs),
            title: title.to_owned(),
            lede: vec![Span::plain(said)],
            sections: vec![
                Section {
                    id: "packages".to_owned(),
                    heading: "Resolved packages".to_owned(),
                    notes,
                    table: (all > 0).then_some(table),
                    links: vec![Link { text: "CSV of all packages".to_owned(), href: link(path, &csv_path) }],
                    ..Section::default()
                },
                Section {
                    id: "manifests".to_owned(),
                    heading: "Manifests".to_owned(),
                    table: Some(self.digests()),
                    ..Section::default()
                },
            ],
            ..view::SectionsPage::default()
        };
        Ok(vec![
            (path.to_owned(), theme.render(&view)?.into_bytes()),
            (csv_path, csv(&self.packages(usize::MAX)).into_bytes()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Package, Qualification};

    fn manifest(versions: &[(&str, &str)], total: Option<u64>) -> Dependencies {
        let package = |(name, version): &(&str, &str)| Package {
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            tree: None,
        };
        Dependencies { manifest_sha256: None, packages: versions.iter().map(package).collect(), total }
    }

    fn source() -> LoadedSource {
        LoadedSource {
            evidence: crate::evidence::SourceEvidence::default(),
            series: crate::analyze::SourceSeries::default(),
            description: None,
            unlisted: 0,
            files: None,
        }
    }

    /// Trap 12: environments stand in the order of their digests, so a join by position would be wrong.
    #[test]
    fn trap_12_manifests_are_joined_by_target() {
        let one = |target: &str, version: &str| Qualification {
            target: target.to_owned(),
            dependencies: Some(manifest(&[("HTTP", version)], Some(1))),
            ..Qualification::default()
        };
        let run = Run {
            qualifications: vec![one("1.10.0", "2.0.0"), one("1.9.0", "1.0.0"), one("1.9.0", "1.0.0")],
            ..Run::default()
        };
        let found = Manifests::of_run(&run, &source());
        let table = found.packages(9);
        let heads: Vec<&str> = table.columns.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(heads, ["package", "1.10.0", "1.9.0"]);
        let cells: Vec<&str> = table.groups[0].rows[0].cells.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(cells, ["HTTP", "2.0.0", "1.0.0"]);
        assert!(found.only("1.9.0").packages(9).columns.len() == 2);
    }

    /// Trap 21: versions with build metadata are versions like others; trap 25 calls the labels of targets and the
    /// versions of packages alike.
    #[test]
    fn trap_21_build_metadata_and_incomplete_lists() {
        let run = Run {
            qualifications: vec![
                Qualification {
                    target: "1.0.0".to_owned(),
                    dependencies: Some(manifest(&[("OpenSSL_jll", "3.5.1+0"), ("Gone", "1.0.0")], Some(2))),
                    ..Qualification::default()
                },
                Qualification {
                    target: "1.1.0".to_owned(),
                    dependencies: Some(manifest(&[("OpenSSL_jll", "3.5.1+2"), ("Libdl", "")], Some(9))),
                    ..Qualification::default()
                },
            ],
            ..Run::default()
        };
        let table = Manifests::of_run(&run, &source()).packages(9);
        let told: Vec<Vec<(&str, bool)>> = table.groups[0]
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| (cell.text.as_str(), cell.strong)).collect())
            .collect();
        assert_eq!(told[0], [("Gone", false), ("1.0.0", false), ("not known", false)]);
        assert_eq!(told[1], [("Libdl", false), ("–", false), ("in the standard library", false)]);
        assert_eq!(told[2], [("OpenSSL_jll", false), ("3.5.1+0", false), ("3.5.1+2", true)]);
    }
}
