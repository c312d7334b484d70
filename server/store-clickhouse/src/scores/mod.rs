//! Scores: how they are encoded, read and deleted.

/// The columns of the table.
pub(crate) mod columns;
/// Conditions of a list as SQL.
mod conditions;
/// Deletes a score.
mod delete;
/// Scores of one project as one block of columns.
mod encode;
/// Lists, newest first.
mod list;
/// The scores of some traces.
mod of_traces;
/// Where those of a stretch of time begin.
mod oldest;
/// A score as it is read.
mod row;

pub use delete::delete;
pub use encode::encode;
pub use list::{count, list};
pub use of_traces::of_traces;
pub use oldest::oldest;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("scores/of_traces.sql", of_traces::SQL),
    ("scores/list.sql", list::SQL),
    ("scores/count.sql", list::COUNT_SQL),
    ("scores/oldest.sql", oldest::SQL),
];
