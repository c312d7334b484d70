//! Sessions: what spans name them.

/// Slices by number.
mod page;

pub use page::{Wanted, page};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("sessions/page.sql", page::SQL)];
