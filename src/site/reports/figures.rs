//! The figures of reports: what a tool recorded on the page of its report, requests by payload size on that of the
//! network.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Kind, Problem, Result};
use crate::evidence::plot::PlotDocument;
use crate::figure::{network, record};
use crate::text::slug;
use crate::theme::view::FigureBlock;

use super::super::blocks::Blocks;
use super::super::figures::{Packed, Ready};
use super::super::load::LoadedSource;

/// The figures of the reports of one source.
#[derive(Debug, Default)]
pub(in crate::site) struct Figures {
    /// Figures of records; records of equal content share one.
    drawn: Vec<Packed>,
    /// Position of the record in the source → position of its figure in `drawn`.
    records: BTreeMap<usize, usize>,
    requests: Vec<Requests>,
    /// Why figures are missing.
    pub(in crate::site) problems: Vec<Problem>,
}

/// The figures of one payload size of one campaign.
#[derive(Debug)]
struct Requests {
    /// Position of the first record of the campaign in the source.
    first: usize,
    bytes: u64,
    latency: Option<Packed>,
    medians: Vec<Packed>,
}

impl Figures {
    /// Makes the figures of the records at `order`, and of all requests over a network.
    ///
    /// # Errors
    /// None: what was made can be packed.
    pub(super) fn plan(source: &LoadedSource, order: &[usize]) -> Result<Self> {
        let all = &source.evidence.records;
        let mut found = Self::default();
        for &at in order {
            let Some(document) = record::document(&all[at]) else { continue };
            let same = found.drawn.iter().position(|other| other.id == document.plot.id);
            if let Some(same) = same {
                found.records.insert(at, same);
            } else if let Some(packed) = found.pack(&document)? {
                found.records.insert(at, found.drawn.len());
                found.drawn.push(packed);
            }
        }
        for campaign in network::campaigns(all, &network::dates(&source.series)) {
            let Some(first) = campaign.records.first().map(|one| one.at) else { continue };
            for figures in campaign.payloads {
                let latency = figures.latency.map(|document| found.pack(&document)).transpose()?.flatten();
                let mut medians = Vec::new();
                for document in &figures.medians {
                    medians.extend(found.pack(document)?);
                }
                found.requests.push(Requests { first, bytes: figures.bytes, latency, medians });
            }
        }
        Ok(found)
    }

    fn pack(&mut self, document: &PlotDocument) -> Result<Option<Packed>> {
        match Packed::drawn(document) {
            Ok(packed) => Ok(Some(packed)),
            Err(error) if error.kind == Kind::Evidence => {
                let message = format!("the figure {} cannot be drawn: {}", document.plot.id, error.message);
                self.problems.push(Problem::error(error.place, message));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// All of them.
    pub(in crate::site) fn all(&self) -> impl Iterator<Item = &Packed> {
        let requests = self.requests.iter().flat_map(|one| one.latency.iter().chain(&one.medians));
        self.drawn.iter().chain(requests)
    }

    /// Gives figures whose ids others have already ids of their own; `taken` are the slugs of those others.
    pub(super) fn tell_apart(&mut self, mut taken: BTreeSet<String>) {
        let requests =
            self.requests.iter_mut().flat_map(|one| one.latency.iter_mut().chain(&mut one.medians));
        for figure in self.drawn.iter_mut().chain(requests) {
            let id = figure.id.clone();
            let mut count = 1;
            while !taken.insert(slug::slug(&figure.id).to_lowercase()) {
                count += 1;
                figure.id = format!("{id}-{count}");
            }
        }
    }

    /// The figure of a record as a block of `page`; none when it has none.
    ///
    /// # Errors
    /// None: what was packed can be drawn.
    pub(super) fn of_record(&self, at: usize, page: &str, source: &str) -> Result<Vec<FigureBlock>> {
        blocks(self.records.get(&at).map(|place| &self.drawn[*place]).into_iter(), page, source, 0)
    }

    /// The figures of requests of one size, those of the campaigns whose first record `of_group` takes: every request,
    /// then medians. `drawn` counts the figures of the page.
    ///
    /// # Errors
    /// None: what was packed can be drawn.
    pub(super) fn of_requests(
        &self,
        bytes: u64,
        of_group: impl Fn(usize) -> bool,
        page: &str,
        source: &str,
        drawn: &mut usize,
    ) -> Result<Vec<FigureBlock>> {
        let fit = self.requests.iter().filter(|one| one.bytes == bytes && of_group(one.first));
        let made = blocks(fit.flat_map(|one| one.latency.iter().chain(&one.medians)), page, source, *drawn)?;
        *drawn += made.len();
        Ok(made)
    }
}

fn blocks<'a>(
    all: impl Iterator<Item = &'a Packed>,
    page: &str,
    source: &str,
    drawn: usize,
) -> Result<Vec<FigureBlock>> {
    let all: Vec<&Packed> = all.collect();
    let ready = all.iter().map(|one| Ok((one.id.as_str(), Ready::new(one)?))).collect::<Result<_>>()?;
    let mut drawer = Blocks::new(page, source, &ready, drawn);
    Ok(all.into_iter().map(|one| drawer.block(one)).collect())
}
