//! Values of the axes: over time, and one by another.

mod joint;
mod series;

pub(crate) use joint::show_axes_joint;
pub(crate) use series::show_axes_series;
