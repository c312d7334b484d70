//! Numbers over many traces, observations or scores: what is counted, by what, and how it is summed up.
//!
//! A [`Query`] is checked when it is made: what a [`View`] does not have, and what does not go together,
//! is refused by name. So that whoever answers it has nothing to check.
//!
//! To add a dimension or a measure: a line in its list here, its expression in
//! `store_clickhouse::metrics`, its name in each API.

/// What rows are of.
mod view;

/// What rows are grouped by.
mod dimension;
/// What is measured of each row.
mod measure;

/// How fine time is cut.
mod granularity;

/// What is asked for.
mod query;
/// What comes back, and the gaps in it.
mod series;

pub use dimension::{Dimension, DimensionKind};
pub use granularity::{Cut, Granularity};
pub use measure::{Aggregation, Measure, MeasureKind};
pub use query::{Condition, Draft, Field, InvalidQuery, MAX_BINS, Metric, Order, OrderBy, Query};
pub use series::{Bar, Group, Row, Value, filled};
pub use view::View;

#[cfg(test)]
mod tests;
