//! Tables: alignment as classes, because the policy blocks inline styles, in a box that scrolls by itself.

use pulldown_cmark::Alignment;

use super::writer::Writer;

/// The table that is being written.
#[derive(Debug, Default)]
pub(super) struct State {
    count: usize,
    alignments: Vec<Alignment>,
    column: usize,
    head: bool,
}

impl Writer<'_> {
    pub(super) fn table_open(&mut self, alignments: Vec<Alignment>) {
        self.table.alignments = alignments;
        self.table.count += 1;
        // Regions of a page need names that differ.
        let label = format!("Table {}", self.table.count);
        self.put(&format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\n"
        ));
    }

    pub(super) fn table_close(&mut self) {
        self.put("</tbody></table></div>\n");
        self.gap();
    }

    pub(super) fn table_head_open(&mut self) {
        self.table.head = true;
        self.table.column = 0;
        self.put("<thead><tr>");
    }

    pub(super) fn table_head_close(&mut self) {
        self.table.head = false;
        self.put("</tr></thead>\n<tbody>\n");
    }

    pub(super) fn table_row_open(&mut self) {
        self.table.column = 0;
        self.put("<tr>");
    }

    pub(super) fn table_cell_open(&mut self) {
        self.open();
    }

    pub(super) fn table_cell_close(&mut self) {
        let part = self.close();
        let class = match self.table.alignments.get(self.table.column) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        };
        self.table.column += 1;
        // A header without words heads nothing.
        let html = if self.table.head && !part.html.trim().is_empty() {
            format!("<th scope=\"col\"{class}>{}</th>", part.html)
        } else {
            format!("<td{class}>{}</td>", part.html)
        };
        self.put(&html);
        self.gap();
    }
}
