//! How queues are worked on. What of them Langfuse's API knows is in [`crate::annotation_queues`] and
//! [`crate::annotation_items`].

/// What holds where people disagreed.
pub mod decisions;
/// Judgements of people: read, written, taken back.
pub mod labels;
/// Who works on a queue, and who might.
pub mod people;
/// Things in queues: put there, listed.
pub mod placed;
/// How far queues are.
pub mod progress;
/// Items kept for people.
pub mod reservations;
/// Rules of queues.
pub mod rules;

use domain::annotation::Answers;

use crate::StoreError;

fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Row(error.into()))
}

fn answers(text: &str) -> Result<Answers, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Row(error.into()))
}
