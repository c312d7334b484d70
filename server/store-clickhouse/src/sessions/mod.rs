//! Sessions: what spans name them.

/// Whether there is one.
mod exists;
/// Slices by number.
mod page;

pub use exists::exists;
pub use page::{Wanted, page};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("sessions/exists.sql", exists::SQL),
    ("sessions/page.sql", page::SQL),
];
