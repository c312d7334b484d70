//! What serving engines and GPUs measure, on one time line with what requests ask and answer.
//!
//! A *series* is one thing that is measured, with its labels; a *sample* is one value of it. Every series is kept
//! under its own name. Where it says something of an axis, [`names`] says which: `gpu.power_w`, `token.ttft_ms`.

/// Histograms and their quantiles.
pub mod bucket;
/// Axis values that follow from others.
pub mod derived;
/// From the names of exporters to the names of the axes.
pub mod names;
/// What a reader asks of series.
pub mod query;
/// From samples of steps to lines of a chart.
pub mod range;
/// Series and samples.
pub mod series;

#[cfg(test)]
mod tests;

pub use series::{Kind, Labels, Measured, Part, Sample, Seen, Series, SeriesId, Track};
