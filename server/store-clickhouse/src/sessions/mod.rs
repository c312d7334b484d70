//! Sessions: what spans name them, and their turns.

/// Whether there is one.
mod exists;
/// Where in time one lies.
mod extent;
/// Slices by number.
mod page;
/// What was said in some turns of one.
mod said;
/// The turns of one.
mod turns;

pub use exists::exists;
pub use page::{Wanted, page};
pub use said::said;
pub use turns::turns;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("sessions/exists.sql", exists::SQL),
    ("sessions/page.sql", page::SQL),
    ("sessions/extent.sql", extent::SQL),
    ("sessions/turns.sql", turns::SQL),
    ("sessions/steps.sql", said::SQL),
];
