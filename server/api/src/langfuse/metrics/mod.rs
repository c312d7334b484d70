//! Numbers over many traces, observations or scores: both versions take a question as JSON in the
//! parameter `query`.

/// A question, read.
mod asked;
/// Conditions of a question.
mod conditions;
/// Days, with what each model was used for.
mod daily;
/// Views, dimensions and measures by their names in this API.
mod names;
/// Rows as they are written.
mod shape;
/// The first version.
pub(crate) mod v1;
/// The second version.
pub(crate) mod v2;

pub(crate) use daily::list_days;
