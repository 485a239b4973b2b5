//! Figures for plotly.js, to be explored: JSON built with the typed traces of the `plotly` crate.
//!
//! The numbers are those of the chart, exactly; colours are variables of the style sheet, such as
//! `var(--s1)`, which the page's script resolves for light and dark. So a figure's data say nothing about a
//! theme. What a script needs to know about a trace stands in Plotly's own fields: `legendgroup` is the
//! number of the line from 1, and traces without a place in the legend may be named [`ABSENT`], [`ZEROS`] or
//! [`MEDIANS`].
//!
//! | file | holds |
//! | --- | --- |
//! | `layout` | axes, reference line, boundaries, buttons |
//! | `lines`, `bars`, `spreads`, `cloud` | the bodies of charts |
//! | `words` | texts as Plotly takes them |

mod bars;
mod cloud;
mod layout;
mod lines;
mod spreads;
mod words;

use std::fmt::Write as _;

use plotly::{Plot, Trace};

use super::pack::{self, Parts};
use crate::figure::chart::{Body, Chart};
use crate::text::escape;

/// Name of traces that mark cells without a value, with the reason. They lie on the second value axis, which
/// always runs from 0 to 1.
pub const ABSENT: &str = "absent";
/// Name of traces that mark zeros at the foot of a logarithmic axis, which has no place for them. They lie on
/// the second value axis too and are shown only while the axis is logarithmic.
pub const ZEROS: &str = "zeros";
/// Name of traces that lie unseen over the medians of boxes and carry their sentences.
pub const MEDIANS: &str = "medians";

/// The figure as JSON for plotly.js: an object with `data`, `layout` and `config`.
pub fn figure(chart: &Chart) -> String {
    plot(chart).to_json()
}

/// The figure with its long lists of texts packed, and those of their parts in `lists`.
fn packed(chart: &Chart) -> String {
    if chart.columns.len() < pack::LONG {
        return figure(chart);
    }
    // Traces are plain data, which always become JSON.
    let Ok(mut value) = serde_json::to_value(plot(chart)) else { return figure(chart) };
    let mut parts = Parts::default();
    let data = parts.pack_all(value["data"].take());
    value["data"] = data;
    value["lists"] = parts.into_lists().into();
    value.to_string()
}

fn plot(chart: &Chart) -> Plot {
    let columns = words::unique(chart.columns.iter().map(|column| words::text(&column.label)));
    let mut traces: Vec<Box<dyn Trace>> = Vec::new();
    if let Body::Spreads(spreads) = &chart.body {
        for line in &chart.lines {
            spreads::traces(line, spreads, &columns, &mut traces);
        }
    } else if let Body::Cloud(cloud) = &chart.body {
        cloud::traces(chart, cloud, &mut traces);
    } else if matches!(chart.body, Body::Bars(_)) {
        bars::traces(chart, &columns, &mut traces);
    } else {
        lines::traces(chart, &columns, &mut traces);
    }
    // A mark without two values has no place on an axis.
    if !matches!(chart.body, Body::Cloud(_)) {
        lines::feet(chart, &columns, &mut traces);
    }
    let mut plot = Plot::new();
    plot.add_traces(traces);
    plot.set_layout(layout::layout(chart));
    plot.set_configuration(layout::configuration(chart));
    plot
}

/// The figure as a classic script that hands it to the script of the page, under the figure's id `id`. A page
/// that lies on a disk may load scripts, but not data. Where there are thousands of targets, texts are packed as
/// [`super::points`] says.
pub fn script(chart: &Chart, id: &str) -> String {
    let figure = packed(chart);
    let mut out = String::with_capacity(figure.len() + id.len() + 64);
    let id = serde_json::Value::from(id).to_string();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "perfolioExplore({},{});", escape::script_json(&id), escape::script_json(&figure));
    out
}

/// plotly.js as one classic script, in the version that the `plotly` crate carries, with its licence in front.
/// A megabyte that is copied at each call: ask once.
pub fn library() -> String {
    let mut sources = Plot::offline_js_sources();
    let Some((start, end)) = first_script(&sources) else { return String::new() };
    sources.truncate(end);
    sources.drain(..start);
    sources
}

/// Where the content of the first script element of `html` starts and ends.
fn first_script(html: &str) -> Option<(usize, usize)> {
    let open = html.find("<script")?;
    let start = open + html[open..].find('>')? + 1;
    let end = start + html[start..].find("</script")?;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_script_is_cut_out_exactly() {
        for (html, content) in [
            ("<script type=\"a\">x<y</script>\n<script>z</script>", Some("x<y")),
            ("<p></p><script></script>", Some("")),
            ("<script>x", None),
            ("no script", None),
        ] {
            assert_eq!(first_script(html).map(|(start, end)| &html[start..end]), content, "{html}");
        }
    }
}
