//! Traces summed up by session or by user.

/// Slices of the list.
mod list;
/// When users were first and last seen.
mod seen;

pub use list::list;
pub use seen::seen;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("rollups/list.sql", list::SQL),
    ("rollups/seen.sql", seen::SQL),
];
