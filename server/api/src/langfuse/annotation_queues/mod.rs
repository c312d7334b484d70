//! Queues of things to be judged by people. Bodies and queries are strict: what nobody knows is refused.

/// Who works on a queue.
pub(crate) mod assignments;
mod create;
/// What waits in a queue.
pub(crate) mod items;
mod list;
mod shape;
mod show;

pub(crate) use create::create_annotation_queue;
pub(crate) use list::list_annotation_queues;
pub(crate) use show::show_annotation_queue;

use domain::{AnnotationQueueId, Fault};

use super::error::Result;

/// An id that is none is the id of no queue.
fn existing_id(text: &str) -> Result<AnnotationQueueId> {
    let missing = |_| Fault::not_found("Annotation queue not found");
    Ok(text.parse().map_err(missing)?)
}
