//! An item of a queue.

use domain::annotation::AnnotationItem;
use serde::Serialize;

use crate::langfuse::time::Millis;

/// An item, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ItemShape<'a> {
    id: String,
    queue_id: String,
    object_id: &'a str,
    object_type: &'static str,
    status: &'static str,
    completed_at: Option<Millis>,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a AnnotationItem> for ItemShape<'a> {
    fn from(item: &'a AnnotationItem) -> Self {
        ItemShape {
            id: item.id.to_string(),
            queue_id: item.queue_id.to_string(),
            object_id: &item.object_id,
            object_type: item.kind.as_str(),
            status: item.status.as_str(),
            completed_at: item.completed_at.map(Millis),
            created_at: Millis(item.created_at),
            updated_at: Millis(item.updated_at),
        }
    }
}
