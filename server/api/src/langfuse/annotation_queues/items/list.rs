//! `GET /api/public/annotation-queues/{queueId}/items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::annotation::ItemStatus;
use service::{App, ProjectScope, annotation_queues};

use super::shape::ItemShape;
use super::{STATUSES, existing_id};
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::path::PathId;
use crate::langfuse::query::Query;

/// Items on a page where the query does not say.
const USUAL: u32 = 50;

/// Items of a queue, newest first; of one status where that is asked for.
pub(crate) async fn list_items(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(queue): PathId,
    query: Query,
) -> Result<Response> {
    query.only(&["page", "limit", "status"])?;
    let paging = Paging::read(&query, USUAL)?;
    let status = match query.text("status")? {
        None => None,
        Some(text) => {
            let status = ItemStatus::from_name(text);
            Some(status.ok_or_else(|| Issue::of_words("status", &STATUSES))?)
        }
    };
    let (wanted, slice) = (
        (existing_id(&queue)?, status),
        (paging.offset(), paging.limit()),
    );
    let (items, total) = annotation_queues::items(&app, &scope, wanted, slice).await?;
    let list = List {
        data: items.iter().map(ItemShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
