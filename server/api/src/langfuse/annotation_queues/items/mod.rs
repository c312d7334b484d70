//! What waits in a queue.

mod create;
mod delete;
mod list;
mod shape;
mod show;
mod update;

pub(crate) use create::create_item;
pub(crate) use delete::delete_item;
pub(crate) use list::list_items;
pub(crate) use show::show_item;
pub(crate) use update::update_item;

use domain::annotation::ItemStatus;
use domain::{AnnotationItemId, AnnotationQueueId, Fault};

use super::existing_id;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathIds;

/// How far an item may be.
const STATUSES: [&str; 2] = ["PENDING", "COMPLETED"];

/// Ids that are none are those of no item.
fn existing_ids(PathIds(queue, item): &PathIds) -> Result<(AnnotationQueueId, AnnotationItemId)> {
    let missing = |_| Fault::not_found("Annotation queue item not found");
    Ok((existing_id(queue)?, item.parse().map_err(missing)?))
}

fn status(body: &Body) -> Result<Option<ItemStatus>> {
    body.word("status", ItemStatus::from_name, &STATUSES)
}
