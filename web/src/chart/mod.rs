//! Drawn on the server as SVG geometry; colour is in the style sheet.

/// Round times along a range.
pub(crate) mod clock;
/// What a rule saw, with its bound and what is usual.
pub(crate) mod course;
/// Columns of traffic with errors and latency.
pub(crate) mod density;
/// Lines over time.
pub(crate) mod lane;
/// From values to heights.
pub(crate) mod scale;
/// Bars of spans on one clock.
pub(crate) mod waterfall;

/// A number for an SVG attribute: one digit after the point, none where it is zero.
pub(crate) fn number(value: f64) -> String {
    crate::format::trimmed(if value.is_finite() { value } else { 0.0 }, 2)
}
