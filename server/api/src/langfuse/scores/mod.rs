//! Scores.

mod conditions;
mod delete;
mod filter;
mod shape;
/// The first version of the reads: of traces and observations only.
pub(crate) mod v1;
/// Pages by number, of everything that is judged.
pub(crate) mod v2;
/// Slices by cursor.
pub(crate) mod v3;

pub(crate) use delete::delete_score;
pub(crate) use shape::{Groups, ScoreShape, v3 as v3_shape};
