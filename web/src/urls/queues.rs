//! Annotation queues, and what scores may be.

use domain::annotation::ObjectKind;
use domain::{AnnotationItemId, AnnotationQueueId, ProjectId, ScoreConfigId};

use super::{with_pairs, with_query};

/// The list of queues.
pub(crate) fn queues(project: ProjectId) -> String {
    format!("/p/{project}/queues")
}

/// Queues, archived ones as well.
pub(crate) fn queues_all(project: ProjectId) -> String {
    with_pairs(&queues(project), &[("archived", "1")])
}

/// About to make one.
pub(crate) fn queue_new(project: ProjectId) -> String {
    format!("{}/new", queues(project))
}

/// Puts things into a queue that is yet to be chosen.
pub(crate) fn queue_add(project: ProjectId) -> String {
    format!("{}/add", queues(project))
}

/// The same, about one thing.
pub(crate) fn queue_add_one(project: ProjectId, kind: ObjectKind, id: &str) -> String {
    with_pairs(&queue_add(project), &[("kind", kind.as_str()), ("id", id)])
}

/// One queue.
pub(crate) fn queue(project: ProjectId, queue: AnnotationQueueId) -> String {
    format!("{}/{queue}", queues(project))
}

/// A queue with items of one status, or a later page of them.
pub(crate) fn queue_items(
    project: ProjectId,
    id: AnnotationQueueId,
    pairs: &[(&str, &str)],
) -> String {
    with_pairs(&queue(project, id), pairs)
}

/// Something that is done with a queue: `edit`, `archive`, `people`, `items`, `fill`, `label`, `agreement`, `export`.
pub(crate) fn queue_part(project: ProjectId, id: AnnotationQueueId, part: &str) -> String {
    format!("{}/{part}", queue(project, id))
}

/// One item.
pub(crate) fn queue_item(
    project: ProjectId,
    id: AnnotationQueueId,
    item: AnnotationItemId,
) -> String {
    format!("{}/items/{item}", queue(project, id))
}

/// The list of traces with a filter as it was written.
pub(crate) fn traces_as_written(project: ProjectId, address: &str) -> String {
    with_query(format!("/p/{project}/traces"), address)
}

/// What scores may be.
pub(crate) fn score_configs(project: ProjectId) -> String {
    format!("/p/{project}/settings/scores")
}

/// Has new scores follow a configuration, or no longer.
pub(crate) fn score_config_archive(project: ProjectId, config: ScoreConfigId) -> String {
    format!("{}/{config}/archive", score_configs(project))
}
