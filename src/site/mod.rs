//! Decides what a site consists of, renders it in parallel and hands it to a sink in planned order.
//!
//! | file | does |
//! | --- | --- |
//! | `load`, `redact` | open, read and analyze sources; mask what must not be published |
//! | `plan`, `workloads` | every output path and its owner; galleries and workload pages |
//! | `article`, `resolve`, `embed`, `embed_profile` | content pages, their blocks and claims |
//! | `gallery`, `workload`, `problems` | the views of these pages |
//! | `saved` | galleries of saved documents |
//! | `captures`, `profile` | profiles: their figures, where these stand, their pages, the files with all stacks |
//! | `reports` | what tools said: their list, a page per report, network measurements |
//! | `availability`, `overlay` | parts of a gallery: what was measured, and one metric of all features |
//! | `crowd` | what a gallery of very many workloads leaves to other pages |
//! | `facts`, `provenance`, `dependencies` | what is said about runs, numbers and manifests |
//! | `originals` | the files of the evidence, when they are published |
//! | `made_from` | what need not be drawn again |
//! | `jobs` | what is rendered |
//! | `shown`, `steps` | the figures of a workload page, one by one; what is rendered at a time |
//! | `figures`, `packed`, `values`, `page`, `feeds`, `record` | files of figures; long tables; contents and assets; feeds; `perfolio.json` |

mod article;
mod availability;
mod blocks;
mod captures;
mod crowd;
mod dependencies;
mod embed;
mod embed_profile;
mod facts;
mod feeds;
mod figures;
mod gallery;
mod hidden;
mod jobs;
pub mod load;
mod made_from;
mod originals;
mod overlay;
mod packed;
mod page;
mod plan;
mod problems;
mod profile;
mod provenance;
mod record;
mod redact;
mod reports;
mod resolve;
mod saved;
mod shown;
mod steps;
mod values;
mod workload;
mod workloads;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::config::Config;
use crate::error::{Place, Problem, Problems, Reporter, Result};
use crate::io::Sink;
use crate::theme::Theme;
use crate::theme::view::Workload;

use article::Written;
use captures::{Capture, Home};
use figures::{Files, Packed, Ready};
use jobs::{Job, outputs_of_pages};
use load::Loaded;
use page::Frame;
use plan::{Paths, link};
use reports::Reports;
use resolve::Shelf;
use workloads::{Gallery, Set};

pub use figures::{export as export_html, export_explored};
pub use record::{EXPORT_SCHEMA, SITE_SCHEMA, Whole, json as record, same};
pub use redact::document as redact_plot;
pub use reports::named as named_reports;

/// The documents of all recorded profiles of a source, with the positions of their profiles: those of one profile,
/// then what changed since the target before.
pub fn profile_documents(
    context: &crate::figure::Context<'_>,
    source: &load::LoadedSource,
) -> Vec<(usize, crate::evidence::plot::PlotDocument)> {
    captures::documents(context, source, Clone::clone)
}

/// How many pages or figures are rendered before their bytes are handed on: enough for every processor,
/// few enough to keep the memory small.
const BATCH: usize = 64;

/// A planned site.
pub struct Site<'a> {
    loaded: Loaded,
    config: &'a Config,
    theme: &'a Theme,
    title: String,
    galleries: Vec<Gallery>,
    reports: Vec<Reports>,
    /// Original files that are published, by source.
    originals: BTreeMap<String, originals::Published>,
    written: Vec<Written>,
    content: &'a BTreeMap<String, Vec<u8>>,
    problems: Problems,
}

/// What was rendered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Number of pages.
    pub pages: usize,
    /// Number of figures.
    pub figures: usize,
}

impl<'a> Site<'a> {
    /// Plans a site of `loaded` and the files of `content/`; renders the author's text, so that everything
    /// that is wrong is known before a page is made.
    ///
    /// # Errors
    /// Two owners of one path, a reserved page name, a configured statistic or reference that no figure has.
    pub fn new(
        mut loaded: Loaded,
        content: &'a BTreeMap<String, Vec<u8>>,
        config: &'a Config,
        theme: &'a Theme,
    ) -> Result<Self> {
        let mut paths = Paths::default();
        let mut problems = std::mem::take(&mut loaded.problems);
        paths.reserve(article::FRONT, "the front page")?;
        paths.reserve(problems::PAGE, "the page of problems")?;
        let mut galleries = workloads::plan(&loaded, config, &mut paths)?;
        let reports = reports::plan(&loaded, &galleries, &mut paths)?;
        for reports in &reports {
            let id = &loaded.sources[reports.source].evidence.id;
            let missing = reports.figures.problems.iter();
            missing.for_each(|one| problems.push(Problem { source: Some(id.clone()), ..one.clone() }));
        }
        for gallery in &galleries {
            let evidence = &loaded.sources[gallery.source].evidence;
            saved::undrawn(evidence, gallery.listed()).for_each(|problem| problems.push(problem));
            for problem in &gallery.problems {
                problems.push(Problem { source: Some(evidence.id.clone()), ..problem.clone() });
            }
        }
        let pages = article::read(content, &mut problems)?;
        for page in pages.iter().filter(|page| page.output != article::FRONT) {
            paths.reserve(&page.output, &format!("the page content/{}", page.path))?;
        }
        let originals = originals::plan(&loaded, config, &mut paths, &mut problems);
        let shelf = Shelf {
            loaded: &loaded,
            galleries: &galleries,
            reports: &reports,
            originals: &originals,
            config,
            theme,
            pages: pages.iter().map(|page| (page.path.clone(), page.output.clone())).collect(),
            files: content.keys().filter(|path| !article::is_page(path)).cloned().collect(),
        };
        let mut found = Problems::default();
        let written: Vec<Written> =
            pages.into_iter().map(|page| article::write(page, &shelf, &mut found)).collect();
        problems.extend(found);
        let drawn = written.iter().flat_map(|written| &written.asked.drawn).map(String::as_str).collect();
        for gallery in &mut galleries {
            shown::tell_linked(&loaded.sources[gallery.source], gallery, &drawn);
        }
        let title = config.title.clone().unwrap_or_else(|| match galleries.as_slice() {
            [only] => format!("Performance of {}", only.title),
            _ => "Performance results".to_owned(),
        });
        let mut site =
            Self { loaded, config, theme, title, galleries, reports, originals, written, content, problems };
        site.reserve_files(&mut paths)?;
        Ok(site)
    }

    /// Everything that is wrong with sources, content and figures.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Gives the problems away.
    pub fn into_problems(self) -> Problems {
        self.problems
    }

    /// Reserves the paths of figures and files; a file beside a page keeps its place below `content/`.
    fn reserve_files(&mut self, paths: &mut Paths) -> Result<()> {
        let mut asked = BTreeSet::new();
        for written in &self.written {
            asked.extend(written.asked.files.iter().cloned());
        }
        for file in asked {
            if crate::content::RESERVED.contains(&file.split('/').next().unwrap_or_default()) {
                self.problems.push(
                    Problem::error(
                        Place::file(format!("content/{file}")),
                        "the file lies in a folder that perfolio writes itself, so it was left out",
                    )
                    .remedy("move it to another folder"),
                );
                continue;
            }
            paths.reserve(&file, &format!("the file content/{file}"))?;
        }
        for (source, figure) in self.all_figures() {
            let owner = format!("the figure {}", figure.id);
            for path in figure.outputs(source) {
                paths.reserve(&path, &owner)?;
            }
        }
        for gallery in &self.galleries {
            let source = &self.loaded.sources[gallery.source].evidence.id;
            for shown in gallery.stacks() {
                for (_, path) in shown.downloads(source) {
                    paths.reserve(&path, &format!("the stacks of {}", shown.figure.id))?;
                }
            }
        }
        for gallery in &self.galleries {
            for path in crowd::outputs(&self.loaded.sources[gallery.source], gallery) {
                paths.reserve(&path, &format!("the gallery {}", gallery.title))?;
            }
            let source = &self.loaded.sources[gallery.source].evidence.id;
            for packed in gallery.listed().filter(|one| !one.drawn).filter_map(|one| one.packed.as_ref()) {
                let path = packed.path(source);
                paths.reserve(&path, &format!("the document {}", packed.id))?;
            }
        }
        Ok(())
    }

    /// Every figure with the id of its source, in planned order: galleries first, then what pages asked for.
    fn all_figures(&self) -> Vec<(&str, &Packed)> {
        let mut all = Vec::new();
        for gallery in &self.galleries {
            let id = self.loaded.sources[gallery.source].evidence.id.as_str();
            all.extend(gallery.sets.iter().flat_map(Set::figures).map(|figure| (id, figure)));
            all.extend(gallery.loose_figures().map(|figure| (id, figure)));
            all.extend(gallery.overlays.iter().map(|figure| (id, figure)));
            all.extend(gallery.captures.iter().flat_map(Capture::figures).map(|figure| (id, figure)));
        }
        all.extend(self.of_reports());
        all.extend(self.asked());
        all
    }

    /// The figures of reports with the id of their source.
    fn of_reports(&self) -> impl Iterator<Item = (&str, &Packed)> {
        self.reports.iter().flat_map(|reports| {
            let id = self.loaded.sources[reports.source].evidence.id.as_str();
            reports.figures.all().map(move |figure| (id, figure))
        })
    }

    /// The figures that only content pages have, with the id of their source.
    fn asked(&self) -> Vec<(&str, &Packed)> {
        let asked: BTreeMap<_, _> = self.written.iter().flat_map(|written| &written.asked.figures).collect();
        // A gallery may have the same figure of several features.
        let has = |id: &str, figure: &Packed| {
            self.galleries.iter().any(|gallery| {
                self.loaded.sources[gallery.source].evidence.id == *id
                    && gallery.overlays.iter().any(|other| other.id == figure.id)
            })
        };
        asked
            .into_values()
            .map(|(id, figure)| (id.as_str(), figure))
            .filter(|(id, figure)| !has(id, figure))
            .collect()
    }

    /// Renders everything into `sink`, which makes it visible when it is finished. `settings` is a digest of all
    /// that the site is made from besides its sources.
    ///
    /// # Errors
    /// A template that fails, a figure that cannot be drawn, a disk that refuses.
    pub fn render(&self, sink: &mut dyn Sink, settings: &str, reporter: &dyn Reporter) -> Result<Counts> {
        let mut outputs: Vec<String> = Vec::new();
        let mut kept: Vec<String> = Vec::new();
        let before = sink.made_from().cloned().unwrap_or_default();
        let mut made_from: BTreeMap<String, String> = BTreeMap::new();
        let mut put = |sink: &mut dyn Sink, path: &str, bytes: &[u8]| -> Result<()> {
            outputs.push(path.to_owned());
            sink.put(path, bytes)
        };
        let assets: Vec<(String, String)> = self
            .theme
            .assets()
            .iter()
            .map(|asset| (asset.logical.clone(), format!("assets/{}", asset.name)))
            .collect();
        for (asset, (_, path)) in self.theme.assets().iter().zip(&assets) {
            put(sink, path, &asset.bytes)?;
        }
        if !self.all_figures().is_empty() {
            put(sink, &figures::library_path(), &figures::library().bytes)?;
        }
        let frame = self.frame(assets);
        let jobs = self.jobs();
        let figures = self.all_figures();
        let counts = Counts {
            pages: jobs.iter().filter(|job| job.is_page()).count()
                + self.reports.iter().map(Reports::pages).sum::<usize>()
                + figures.iter().map(|figure| figure.1.pages()).sum::<usize>()
                + self.galleries.iter().map(crowd::pages).sum::<usize>(),
            figures: figures.len(),
        };
        reporter.begin("rendering", Some(jobs.len() as u64));
        let with = made_from::base(self.theme, self.config);
        let mut waiting = Files::new();
        let mut figures_of_pages = steps::Waiting::default();
        for batch in jobs.chunks(BATCH) {
            let digests =
                batch.par_iter().map(|job| self.digest(job, &frame, &with)).collect::<Result<Vec<_>>>()?;
            let mut due: Vec<&Job<'_>> = Vec::new();
            for (job, digest) in batch.iter().zip(digests) {
                let path = job.path();
                let same = digest.is_some() && before.get(&path) == digest.as_ref();
                let own = if same { self.outputs(job) } else { Vec::new() };
                if same && sink.keep(&own)? {
                    kept.extend(own);
                } else {
                    due.push(job);
                }
                made_from.extend(digest.map(|digest| (path, digest)));
            }
            // Heavy pages go on their way in steps, so that few of them are in memory at once. What one group of
            // steps gave is written while the next is drawn.
            let steps = steps::steps(self, &due, &frame);
            for group in steps::groups(&steps) {
                let (written, made) = rayon::join(
                    || waiting.drain(..).try_for_each(|(path, bytes)| put(sink, &path, &bytes)),
                    || self.group(group, &figures_of_pages, &frame),
                );
                written?;
                for (step, (files, shown)) in group.iter().zip(made?) {
                    waiting.extend(files);
                    figures_of_pages.keep(step, shown);
                }
            }
            reporter.advance(batch.len() as u64);
        }
        waiting.drain(..).try_for_each(|(path, bytes)| put(sink, &path, &bytes))?;
        reporter.finish();
        let asked: BTreeSet<&String> = self.written.iter().flat_map(|written| &written.asked.files).collect();
        for file in asked {
            if !crate::content::RESERVED.contains(&file.split('/').next().unwrap_or_default()) {
                put(sink, file, &self.content[file])?;
            }
        }
        let base = self.config.base_url.as_deref();
        put(sink, "404.html", self.theme.render(&self.theme.not_found("en", &self.title, base))?.as_bytes())?;
        put(sink, ".nojekyll", b"")?;
        if let Some(base) = base {
            let mut pages: Vec<String> = outputs_of_pages(&jobs);
            pages.extend(self.reports.iter().flat_map(Reports::listed).map(str::to_owned));
            put(
                sink,
                "sitemap.xml",
                feeds::sitemap(base, &pages.iter().map(String::as_str).collect::<Vec<_>>()).as_bytes(),
            )?;
            if let Some(feed) = feeds::atom(base, &self.title, &self.entries()) {
                put(sink, "feed.xml", feed.as_bytes())?;
            }
        }
        originals::copy(&self.loaded, &self.originals, sink, &mut outputs)?;
        let originals: Vec<&str> =
            self.originals.values().flat_map(|one| one.values().map(String::as_str)).collect();
        let whole = Whole {
            originals: &originals,
            schema: SITE_SCHEMA,
            settings,
            counts,
            problems: &self.problems,
            made_from: &made_from,
        };
        outputs.extend(kept);
        outputs.push("perfolio.json".to_owned());
        outputs.sort();
        sink.put("perfolio.json", &record::json(&self.loaded, whole, &outputs))?;
        Ok(counts)
    }

    fn frame(&self, assets: Vec<(String, String)>) -> Frame<'_> {
        let pages = self
            .written
            .iter()
            .filter(|written| written.page.output != article::FRONT)
            .map(|written| (written.rendered.title.clone(), written.page.output.clone()))
            .collect();
        Frame::new(self.title.clone(), pages, &self.galleries, &self.reports, assets, &self.problems)
    }

    fn jobs(&self) -> Vec<Job<'_>> {
        let mut jobs = vec![Job::Front];
        jobs.extend(
            self.written.iter().filter(|written| written.page.output != article::FRONT).map(Job::Article),
        );
        for gallery in &self.galleries {
            jobs.push(Job::Gallery(gallery));
            jobs.extend((0..gallery.workloads.len()).map(|at| Job::Workload(gallery, at)));
            jobs.extend(gallery.captures.iter().filter_map(|capture| match &capture.home {
                Home::Page(path) => Some(Job::Profile(gallery, capture, path)),
                Home::Workload(_) => None,
            }));
            jobs.extend(gallery.stacks().map(|shown| Job::Stacks(gallery, shown)));
        }
        for reports in &self.reports {
            jobs.push(Job::Reports(reports));
            jobs.extend((0..reports.entries.len()).map(|at| Job::Report(reports, at)));
            jobs.extend((0..reports.runs.len()).map(|at| Job::Run(reports, at)));
        }
        jobs.push(Job::Problems);
        for gallery in &self.galleries {
            let source = self.loaded.sources[gallery.source].evidence.id.as_str();
            jobs.extend(gallery.overlays.iter().map(|figure| Job::Figure(source, figure)));
        }
        jobs.extend(self.of_reports().map(|(source, figure)| Job::Figure(source, figure)));
        jobs.extend(self.asked().into_iter().map(|(source, figure)| Job::Figure(source, figure)));
        jobs
    }

    fn job(&self, job: &Job<'_>, frame: &Frame<'_>) -> Result<figures::Files> {
        let path = job.path();
        let html = match job {
            Job::Figure(source, figure) => {
                let mut ready = Ready::new(figure)?;
                let mut files = ready.files(source, self.theme.style());
                let home = values::Home { page: None, crumbs: &[] };
                files.extend(values::pages(frame, self.theme, source, &ready.chart, &home)?);
                return Ok(files);
            }
            Job::Front => {
                let index = self.written.iter().find(|written| written.page.output == article::FRONT);
                let mut view =
                    article::front(index, &self.title, &self.loaded, &self.galleries, &self.reports);
                view.page = frame.page(&path, &view.title, &view.lede, &[]);
                self.theme.render(&view)?
            }
            Job::Article(written) => {
                let mut view = article::view(written);
                let description = written.rendered.description.clone().unwrap_or_default();
                view.page = frame.page(&path, &view.title, &description, &[]);
                self.theme.render(&view)?
            }
            Job::Gallery(gallery) => {
                let source = &self.loaded.sources[gallery.source];
                let mut view = gallery::page(source, gallery, &self.problems)?;
                view.reports = self.reports_of(gallery).map(|one| one.described(source, &path));
                view.page = frame.page(&path, &view.title, &view.lede, &[]);
                let html = self.theme.render(&view)?;
                let id = source.evidence.id.as_str();
                let listed = gallery.listed().filter(|one| !one.drawn);
                let mut files: Files =
                    listed.filter_map(|one| Some(one.packed.as_ref()?.file(id))).collect::<Result<_>>()?;
                for figure in gallery.loose_figures().filter(|figure| !figure.is_large()) {
                    files.extend(self.loose(gallery, figure, frame)?);
                }
                files.extend(crowd::files(frame, self.theme, source, gallery)?);
                files.push((path, html.into_bytes()));
                return Ok(files);
            }
            Job::Workload(gallery, at) => {
                let drawer = self.drawer(gallery, *at, frame);
                let places = shown::places(drawer.source, gallery, *at);
                let drawn = places.par_iter().map(|place| drawer.draw(place)).collect::<Result<Vec<_>>>()?;
                let (all, files): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
                let ids = places.iter().map(|place| place.figure.id.clone());
                let page = self.workload(gallery, *at, frame, &ids.zip(all).collect())?;
                return Ok(files.into_iter().flatten().chain([page]).collect());
            }
            Job::Profile(gallery, capture, _) => {
                let source = &self.loaded.sources[gallery.source];
                let ready = profile::figures(capture)?;
                let mut view = profile::page(source, gallery, capture, &path, &ready);
                let crumbs = [(gallery.title.as_str(), gallery.page.as_str())];
                view.page = frame.page(&path, &view.title, &view.lede, &crumbs);
                let html = self.theme.render(&view)?;
                let (id, style) = (source.evidence.id.as_str(), self.theme.style());
                let mut files: Files =
                    ready.into_par_iter().flat_map_iter(|(_, mut figure)| figure.files(id, style)).collect();
                files.push((path, html.into_bytes()));
                return Ok(files);
            }
            Job::Stacks(gallery, shown) => {
                return captures::stacks(&self.loaded.sources[gallery.source], shown);
            }
            Job::Reports(reports) => {
                return reports.overview(frame, self.theme, &self.home(reports));
            }
            Job::Report(reports, at) => {
                return reports.report(*at, frame, self.theme, &self.home(reports));
            }
            Job::Run(reports, at) => {
                return reports.run(*at, frame, self.theme, &self.home(reports));
            }
            Job::Problems => {
                let mut view = problems::page(&self.problems, &self.loaded, &self.galleries);
                view.page = frame.page(&path, "Problems", &view.summary, &[]);
                self.theme.render(&view)?
            }
        };
        Ok(vec![(path, html.into_bytes())])
    }

    /// The reports of the source of a gallery.
    fn reports_of(&self, gallery: &Gallery) -> Option<&Reports> {
        self.reports.iter().find(|reports| reports.source == gallery.source)
    }

    /// Whose reports they are.
    fn home(&self, reports: &Reports) -> reports::Home<'_> {
        // A source has its gallery at its own place.
        reports::Home {
            source: &self.loaded.sources[reports.source],
            gallery: &self.galleries[reports.source],
            originals: self.originals.get(&self.loaded.sources[reports.source].evidence.id),
        }
    }

    /// The page of a workload without its figures, and the names of its cases.
    fn bare(&self, gallery: &Gallery, at: usize, frame: &Frame<'_>) -> (Workload, Vec<String>) {
        let source = &self.loaded.sources[gallery.source];
        let (mut view, labels) = workload::bare(source, gallery, at, self.config);
        let crumbs = [(gallery.title.as_str(), gallery.page.as_str())];
        view.page = frame.page(&gallery.workloads[at].page, &view.title, &view.lede, &crumbs);
        if let Some(reports) = self.reports_of(gallery) {
            let page = &gallery.workloads[at].page;
            let facts = view.provenance.iter_mut().flat_map(|part| &mut part.facts);
            for fact in facts.filter(|fact| fact.label == "Run") {
                fact.href = reports.page_of_run(source, &fact.value).map(|run| link(page, run));
            }
        }
        view.reports = self.reports_of(gallery).and_then(|reports| {
            let features = workload::features(source, gallery, &gallery.workloads[at]);
            reports::of_workload(reports, source, &features, &gallery.workloads[at].page)
        });
        (view, labels)
    }

    /// The page of a workload with its figures.
    fn workload(
        &self,
        gallery: &Gallery,
        at: usize,
        frame: &Frame<'_>,
        figures: &workload::Figures,
    ) -> Result<(String, Vec<u8>)> {
        let (mut view, labels) = self.bare(gallery, at, frame);
        workload::fill(&mut view, &labels, gallery, at, figures);
        Ok((gallery.workloads[at].page.clone(), self.theme.render(&view)?.into_bytes()))
    }

    /// What the page of a workload and the files of its figures are made from; none for other pages.
    fn digest(&self, job: &Job<'_>, frame: &Frame<'_>, base: &str) -> Result<Option<String>> {
        let Job::Workload(gallery, at) = job else { return Ok(None) };
        let (view, labels) = self.bare(gallery, *at, frame);
        let source = &self.loaded.sources[gallery.source].evidence.id;
        made_from::workload(base, source, gallery, *at, &view, &labels).map(Some)
    }

    /// The paths of a workload page and of the files of its figures.
    fn outputs(&self, job: &Job<'_>) -> Vec<String> {
        let Job::Workload(gallery, at) = job else { return Vec::new() };
        let source = &self.loaded.sources[gallery.source].evidence.id;
        let files = gallery.figures_of(*at).flat_map(|figure| figure.outputs(source));
        files.chain([job.path()]).collect()
    }

    /// The dated content pages, for the feed.
    fn entries(&self) -> Vec<feeds::Entry> {
        self.written
            .iter()
            .filter_map(|written| {
                Some(feeds::Entry {
                    title: written.rendered.title.clone(),
                    description: written.rendered.description.clone().unwrap_or_default(),
                    page: written.page.output.clone(),
                    date: article::iso(&written.page)?,
                })
            })
            .collect()
    }
}
