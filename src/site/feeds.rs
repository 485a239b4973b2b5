//! The sitemap and the feed of a site whose address is known.

use std::fmt::Write;

use crate::text::escape;

/// A content page with a date.
pub(super) struct Entry {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) page: String,
    pub(super) date: String,
}

/// `sitemap.xml`: the addresses of all pages.
pub(super) fn sitemap(base: &str, pages: &[&str]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in pages {
        let _ = writeln!(out, "<url><loc>{}</loc></url>", escape::markup(&address(base, page)));
    }
    out.push_str("</urlset>\n");
    out
}

/// `feed.xml`: the dated content pages, newest first, as an Atom feed. The feed's own time is that of its
/// newest entry, so that the same content gives the same bytes.
pub(super) fn atom(base: &str, title: &str, entries: &[Entry]) -> Option<String> {
    let newest = entries.iter().map(|entry| entry.date.as_str()).max()?;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>\n<id>{base}</id>\n<link href=\"{base}\"/>\n<link rel=\"self\" href=\"{base}feed.xml\"/>\n<updated>{newest}T00:00:00Z</updated>\n",
        escape::markup(title),
        base = escape::attribute(&address(base, "")),
    );
    let mut ordered: Vec<&Entry> = entries.iter().collect();
    ordered.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.page.cmp(&b.page)));
    for entry in ordered {
        let href = address(base, &entry.page);
        let _ = write!(
            out,
            "<entry>\n<title>{}</title>\n<id>{href}</id>\n<link href=\"{href}\"/>\n<updated>{}T00:00:00Z</updated>\n<summary>{}</summary>\n</entry>\n",
            escape::markup(&entry.title),
            entry.date,
            escape::markup(&entry.description),
            href = escape::attribute(&href),
        );
    }
    out.push_str("</feed>\n");
    Some(out)
}

/// The address of a page; `index.html` is left out, as servers do.
fn address(base: &str, page: &str) -> String {
    format!("{}/{}", base.trim_end_matches('/'), page.strip_suffix("index.html").unwrap_or(page))
}
