//! Traces: spans of one request, summed up on reading.

/// Deletes a trace.
mod delete;
/// Traces over time.
mod density;
/// Where in time traces lie.
pub(crate) mod extent;
/// Values of a column.
mod facet;
/// Candidates for the list.
pub(crate) mod find;
/// Which hours have spans.
pub(crate) mod hours;
/// The list: newest first, each once.
mod list;
/// Tokens and cost of spans, for sums.
mod metered;
/// The next newer and older trace.
mod neighbours;
/// Slices by number.
mod page;
/// What traces say of themselves.
mod portraits;
/// Traces by the head of their id.
mod prefixed;
/// Whether a candidate begins where it seems to.
mod starts;
/// Rows of the list from live spans.
mod summarise;

pub use delete::delete;
pub use density::density;
pub use extent::{Extent, extent, extents};
pub use facet::facet;
pub use hours::oldest;
pub use list::{list, some, summary};
pub use neighbours::neighbours;
pub use page::page;
pub use portraits::{is_public, portraits};
pub use prefixed::prefixed;
pub use summarise::Judged;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("traces/find.sql", find::SQL),
    ("traces/summarise.sql", summarise::SQL),
    ("traces/starts.sql", starts::SQL),
    ("traces/hours.sql", hours::SQL),
    ("traces/extent.sql", extent::SQL),
    ("traces/density.sql", density::SQL),
    ("traces/facet.sql", facet::SQL),
    ("traces/newer.sql", neighbours::SQL),
    ("traces/prefixed.sql", prefixed::SQL),
    ("traces/page.sql", page::SQL),
    ("traces/parts.sql", portraits::SQL),
];
