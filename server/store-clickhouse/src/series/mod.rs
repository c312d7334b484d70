//! Series of metrics: how they are encoded and listed.

/// The columns of the table.
pub(crate) mod columns;
/// Series of one project as one block of columns.
mod encode;
/// Which there are.
mod list;

pub use encode::encode;
pub use list::{After, Known, list, on_axes};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("series/list.sql", list::SQL),
    ("series/on_axes.sql", list::ON_AXES_SQL),
];
