//! A queue.

use domain::annotation::AnnotationQueue;
use serde::Serialize;

use crate::langfuse::time::Millis;

/// A queue, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueShape<'a> {
    id: String,
    name: &'a str,
    description: Option<&'a str>,
    score_config_ids: Vec<String>,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a AnnotationQueue> for QueueShape<'a> {
    fn from(queue: &'a AnnotationQueue) -> Self {
        let draft = &queue.draft;
        QueueShape {
            id: queue.id.to_string(),
            name: &draft.name,
            description: draft.description.as_deref(),
            score_config_ids: draft
                .score_configs
                .iter()
                .map(ToString::to_string)
                .collect(),
            created_at: Millis(queue.created_at),
            updated_at: Millis(queue.updated_at),
        }
    }
}
