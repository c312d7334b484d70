//! Work on queues by people: queues with their rules, what fills them, judgements, what they come to. What Langfuse's
//! API knows of queues is in [`crate::annotation_queues`].

/// What judgements come to: agreement, decisions, evaluators against people, raters against what is known.
pub mod agreement;
/// Finished items as a dataset.
pub mod export;
/// Things put into queues: by ids, by a filter.
pub mod fill;
/// Judgements: next, open, finish, skip, take back.
pub mod label;
/// Queues: list, show, create, update, archive, assign.
pub mod queues;
/// Judgements as scores.
mod scores;
/// What is judged, with its context.
pub mod subject;
