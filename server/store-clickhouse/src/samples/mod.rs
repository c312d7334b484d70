//! Values of series: how they are encoded and read.

/// The columns of the table.
pub(crate) mod columns;
/// Samples of one project as one block of columns.
mod encode;
/// Samples of the series that tell some values of the axes.
mod of_axes;
/// What series did in each step of a range.
mod steps;

pub use encode::encode;
pub use of_axes::of_axes;
pub use steps::steps;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("samples/steps.sql", steps::SQL),
    ("samples/of_axes.sql", of_axes::SQL),
];
