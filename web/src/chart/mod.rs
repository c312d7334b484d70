//! Drawn on the server as SVG geometry; colour is in the style sheet.

/// A value on the track of what is usual.
pub(crate) mod band;
/// How values lay before, and how they lie now.
pub(crate) mod both;
/// Round times along a range.
pub(crate) mod clock;
/// What a rule saw, with its bound and what is usual.
pub(crate) mod course;
/// Columns of traffic with errors and latency.
pub(crate) mod density;
/// Values by group and piece of time, the more the darker.
pub(crate) mod heat;
/// How many values lie where.
pub(crate) mod histogram;
/// One value by another, in bins.
pub(crate) mod joint;
/// Lines over time.
pub(crate) mod lane;
/// A graph in layers.
pub(crate) mod layered;
/// Areas and columns one upon another.
pub(crate) mod layers;
/// Values over pieces of time, as pages show them.
pub(crate) mod plot;
/// From values to heights.
pub(crate) mod scale;
/// The time of a conversation, to move along.
pub(crate) mod scrubber;
/// Columns over time, one part on the other.
pub(crate) mod stack;
/// How many spans were at work at each time.
pub(crate) mod strip;
/// Bars of spans on one clock.
pub(crate) mod waterfall;

/// A number for an SVG attribute: two digits after the point, none where they are zero.
pub(crate) fn number(value: f64) -> String {
    crate::format::trimmed(if value.is_finite() { value } else { 0.0 }, 2)
}
