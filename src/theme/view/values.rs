//! The view of a numbered page of values.

use serde::Serialize;

use super::{Html, Link, Page, View};

/// A part of the table of a figure that is too long for one page: `values.html`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Values {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// What the table shows.
    pub lede: String,
    /// The figure, and all rows as a file.
    pub links: Vec<Link>,
    /// Name of the table: its first and last target.
    pub summary: String,
    /// The rows of this page; empty when there are none.
    pub table_html: Html,
    /// Every page of the table, in order.
    pub pages: Vec<NumberedPage>,
    /// Link of the page before; none on the first.
    pub previous: Option<String>,
    /// Link of the page after; none on the last.
    pub next: Option<String>,
}

/// One of several pages of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NumberedPage {
    /// Its number, from 1.
    pub number: String,
    /// Its first and last target, such as "1.0.0 to 1.9.0".
    pub range: String,
    /// Where it leads.
    pub href: String,
    /// Whether it is this page.
    pub current: bool,
}

impl View for Values {
    const TEMPLATE: &'static str = "values.html";
}
