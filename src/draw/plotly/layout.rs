//! What surrounds the traces: axes, reference line, boundaries, buttons.

use plotly::common::{Anchor, DashType, Font, Label, Title};
use plotly::configuration::{Configuration, DisplayModeBar, ModeBarButtonName, ToImageButtonOptions};
use plotly::configuration::{DoubleClick, ImageButtonFormats};
use plotly::layout::{
    Annotation, Axis, AxisType, DragMode, HoverMode, Layout, Legend, Margin, ModeBar, Shape, ShapeLayer,
    ShapeLine, ShapeType, TicksDirection,
};

use super::spreads::crowded;
use super::words;
use crate::figure::chart::{self, Body, Boundary, Chart, ReferenceLine, Scale};
use crate::text::slug;

/// Room above the plot for the buttons and the words of the value axis, in px.
const ABOVE: usize = 60;

/// Most boundaries that are drawn: more would cover the plot.
const RULES: usize = 60;

/// The layout of a chart whose columns have these labels.
pub(super) fn layout(chart: &Chart) -> Layout {
    let mut annotations = vec![note(&title(chart)).x_ref("paper").x(0.0).y_ref("paper").y(1.0).y_shift(4.0)];
    let mut shapes: Vec<Shape> = chart.boundaries.iter().take(RULES).filter_map(boundary).collect();
    if let Some(reference) = &chart.reference {
        shapes.push(across(reference));
        annotations.push(reference_note(chart, reference));
    }
    Layout::new()
        .font(Font::new().size(13).color("var(--ink)"))
        .paper_background_color("var(--paper)")
        .plot_background_color("var(--paper)")
        .margin(Margin::new().left(60).right(16).top(ABOVE).bottom(40))
        .auto_size(true)
        .separators(".\u{202f}")
        .show_legend(chart.lines.len() > 1)
        .legend(Legend::new().font(Font::new().size(13)).background_color("var(--paper)").y(1.0))
        .hover_mode(HoverMode::Closest)
        .drag_mode(DragMode::Zoom)
        .hover_label(
            Label::new()
                .background_color("var(--paper)")
                .border_color("var(--muted)")
                .font(Font::new().size(13).color("var(--ink)"))
                .align("left"),
        )
        .mode_bar(
            ModeBar::new().background_color("var(--paper)").color("var(--muted)").active_color("var(--ink)"),
        )
        .x_axis(match &chart.body {
            Body::Cloud(cloud) => values(&cloud.across).title(
                Title::with_text(words::text(&cloud.across.title))
                    .font(Font::new().size(13).color("var(--muted)")),
            ),
            _ => targets(),
        })
        .y_axis(values(&chart.axis))
        .y_axis2(foot())
        .shapes(shapes)
        .annotations(annotations)
}

/// The words of the value axis; the scale stands last, where the script changes it.
fn title(chart: &Chart) -> String {
    let title = &chart.axis.title;
    match (&chart.body, title.rsplit_once(", ")) {
        (Body::Spreads(spreads), Some((name, scale))) if crowded(spreads.iter().flatten()) => {
            format!("{name}, boxes with the samples beyond their whiskers, {scale}")
        }
        _ => title.clone(),
    }
}

/// The axis of the targets: equally far apart, whatever their names look like.
fn targets() -> Axis {
    Axis::new()
        .type_(AxisType::Category)
        .auto_margin(true)
        .show_grid(false)
        .zero_line(false)
        .line_color("var(--muted)")
        .ticks(TicksDirection::Outside)
        .tick_color("var(--muted)")
        .tick_font(Font::new().size(13).color("var(--muted)"))
}

/// An axis of values, at first with the range and the scale of the drawing.
fn values(axis: &chart::Axis) -> Axis {
    let (kind, range) = match axis.scale {
        Scale::Linear => (AxisType::Linear, vec![axis.low, axis.high]),
        Scale::Log => (AxisType::Log, vec![axis.low.log10(), axis.high.log10()]),
    };
    Axis::new()
        .type_(kind)
        .range(range)
        .auto_margin(true)
        .n_ticks(7)
        .tick_format(",~g")
        .grid_color("var(--grid)")
        .zero_line(false)
        .tick_font(Font::new().size(13).color("var(--muted)"))
}

/// An axis without a look, from 0 at the foot to 1: for marks that have no value.
fn foot() -> Axis {
    Axis::new().type_(AxisType::Linear).range(vec![0.0, 1.0]).fixed_range(true).overlaying("y").visible(false)
}

/// Text without an arrow, from its left end.
fn note(text: &str) -> Annotation {
    Annotation::new()
        .text(words::text(text))
        .show_arrow(false)
        .x_anchor(Anchor::Left)
        .y_anchor(Anchor::Bottom)
        .font(Font::new().size(13).color("var(--muted)"))
}

/// The reference line, across the whole plot.
fn across(reference: &ReferenceLine) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Below)
        .x_ref("paper")
        .x0(0.0)
        .x1(1.0)
        .y_ref("y")
        .y0(reference.value)
        .y1(reference.value)
        .line(ShapeLine::new().color("var(--muted)").width(1.0).dash(DashType::Dash))
}

/// What the reference line means, at its right end. Notes lie on logarithmic axes by the logarithm.
fn reference_note(chart: &Chart, reference: &ReferenceLine) -> Annotation {
    let height = match chart.axis.scale {
        Scale::Linear => reference.value,
        Scale::Log => reference.value.log10(),
    };
    note(&reference.label).x_ref("paper").x(1.0).x_anchor(Anchor::Right).y_ref("y").y(height)
}

/// A rule before a column.
fn boundary(boundary: &Boundary) -> Option<Shape> {
    // The distance between two columns is 1.
    let at = boundary.before.checked_sub(1)? as f64 + 0.5;
    let colour = if boundary.strong { "var(--ink)" } else { "var(--rule)" };
    let rule = Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Below)
        .x_ref("x")
        .x0(at)
        .x1(at)
        .y_ref("paper")
        .y0(0.0)
        .y1(1.0)
        .line(ShapeLine::new().color(colour).width(1.0));
    Some(rule)
}

/// How the plot behaves: no request, no advertisement, only buttons that mean something here.
pub(super) fn configuration(chart: &Chart) -> Configuration {
    let image = ToImageButtonOptions::new().format(ImageButtonFormats::Svg).filename(&slug::slug(&chart.id));
    Configuration::new()
        .typeset_math(false)
        .display_mode_bar(DisplayModeBar::True)
        .display_logo(false)
        .show_tips(false)
        .double_click(DoubleClick::Reset)
        .to_image_button_options(image)
        .mode_bar_buttons_to_remove(vec![
            ModeBarButtonName::Select2d,
            ModeBarButtonName::Lasso2d,
            ModeBarButtonName::AutoScale2d,
        ])
}
