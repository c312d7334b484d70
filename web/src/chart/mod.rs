//! Drawn on the server as SVG geometry; colour is in the style sheet.

/// Columns of traffic with errors and latency.
pub(crate) mod density;
/// Bars of spans on one clock.
pub(crate) mod waterfall;

/// A number for an SVG attribute: one digit after the point, none where it is zero.
pub(crate) fn number(value: f64) -> String {
    crate::format::trimmed(if value.is_finite() { value } else { 0.0 }, 2)
}
