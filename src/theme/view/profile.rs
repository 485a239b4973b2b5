//! The page of a profile, and the list of profiles of a gallery.

use serde::Serialize;

use super::{Fact, FigureBlock, Link, Page, View};

/// `profile.html`: the profiles of one feature at one target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// What it is, in one sentence.
    pub lede: String,
    /// Its workload, and the same of other targets.
    pub links: Vec<Link>,
    /// Its figures in order.
    pub figures: Vec<FigureBlock>,
    /// Where the numbers come from.
    pub provenance: Vec<Fact>,
}

/// Every profile of a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Profiles {
    /// Such as "3 features at 2 targets".
    pub summary: String,
    /// One row per feature and target, the newest target first.
    pub rows: Vec<ProfileRow>,
}

/// The profiles of one feature at one target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProfileRow {
    /// The feature, and where it is shown.
    pub feature: Link,
    /// The target; that none is recorded, in words.
    pub target: String,
    /// Its figures in words.
    pub what: String,
}

impl View for Profile {
    const TEMPLATE: &'static str = "profile.html";
}
