//! Characters that reorder text, made visible before anything is measured: what is escaped later would be
//! wider than its place.

use std::borrow::Cow;

use crate::figure::chart::{Body, Chart, Cloud};
use crate::text::escape::visible;

fn cloud(chart: &Chart) -> Option<&Cloud> {
    match &chart.body {
        Body::Cloud(cloud) => Some(&**cloud),
        _ => None,
    }
}

/// The chart with visible names and labels; the same chart when nothing was hidden.
pub(super) fn tame(chart: &Chart) -> Cow<'_, Chart> {
    let plain = |text: &str| matches!(visible(text), Cow::Borrowed(_));
    let calm = chart.columns.iter().all(|column| plain(&column.label))
        && chart.lines.iter().all(|line| plain(&line.name) && plain(&line.last) && plain(&line.last_note))
        && chart
            .boundaries
            .iter()
            .all(|boundary| boundary.label.as_ref().is_none_or(|label| plain(&label.text)))
        && chart.ribbons.iter().all(|ribbon| {
            plain(&ribbon.name) && ribbon.spans.iter().all(|span| span.text.as_deref().is_none_or(plain))
        })
        && plain(&chart.axis.title)
        && cloud(chart).is_none_or(|cloud| {
            plain(&cloud.across.title) && cloud.first.iter().chain(&cloud.newest).all(|end| plain(&end.note))
        })
        && plain(&chart.caption.fine)
        && plain(&chart.caption.says);
    if calm {
        return Cow::Borrowed(chart);
    }
    let mut chart = chart.clone();
    let show = |text: &mut String| *text = visible(text).into_owned();
    chart.columns.iter_mut().for_each(|column| show(&mut column.label));
    for line in &mut chart.lines {
        show(&mut line.name);
        show(&mut line.last);
        show(&mut line.last_note);
    }
    for label in chart.boundaries.iter_mut().filter_map(|boundary| boundary.label.as_mut()) {
        show(&mut label.text);
    }
    for ribbon in &mut chart.ribbons {
        show(&mut ribbon.name);
        ribbon.spans.iter_mut().filter_map(|span| span.text.as_mut()).for_each(show);
    }
    show(&mut chart.axis.title);
    if let Body::Cloud(cloud) = &mut chart.body {
        show(&mut cloud.across.title);
        cloud.first.iter_mut().chain(&mut cloud.newest).for_each(|end| show(&mut end.note));
    }
    show(&mut chart.caption.fine);
    show(&mut chart.caption.says);
    Cow::Owned(chart)
}
