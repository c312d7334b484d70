//! What serving engines and GPUs measure, on one time line with what requests ask and answer.
//!
//! A *series* is one thing that is measured, with its labels; a *sample* is one value of it. Every series is kept
//! under its own name. Where it says something of an axis, [`names`] says which: `gpu.power_w`, `token.ttft_ms`.

/// What is asked of values of the axes.
pub mod ask;
/// The value of a series at a request's time.
pub mod asof;
/// Histograms and their quantiles.
pub mod bucket;
/// Requests as columns.
pub mod columns;
/// Axis values that follow from others.
pub mod derived;
/// What requests are told apart by.
pub mod dimension;
/// What is new in a stretch of time.
pub mod firsts;
/// Where a value lies among those of the same hour on other days.
pub mod hourly;
/// How sure a mean or a share is.
pub mod interval;
/// How one value goes with another.
pub mod joint;
/// Values of the axes over time.
pub mod lines;
/// From the names of exporters to the names of the axes.
pub mod names;
/// What requests of a version of a prompt come to.
pub mod outcome;
/// What a reader asks of series.
pub mod query;
/// From samples of steps to lines of a chart.
pub mod range;
/// What a value of an instance or a GPU is made of.
pub mod recipe;
/// Generations, each once, with what their spans say.
pub mod request;
/// Series and samples.
pub mod series;
/// Where a value lies among others.
pub mod standing;
/// What instances and GPUs did, joined by time.
pub mod state;
/// From requests to instances, and from these to GPUs.
pub mod topology;
/// Values of the axes.
pub mod value;

#[cfg(test)]
mod tests;

pub use ask::{Ask, AxisSeries, Statistic};
pub use columns::{Codes, Column, Requests};
pub use dimension::Dimension;
pub use lines::AxisLine;
pub use series::{Kind, Labels, Measured, Part, Sample, Seen, Series, SeriesId, Track};
pub use state::FleetState;
pub use topology::Topology;
pub use value::AxisValue;
