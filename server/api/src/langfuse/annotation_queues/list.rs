//! `GET /api/public/annotation-queues`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, annotation_queues};

use super::shape::QueueShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Queues on a page where the query does not say.
const USUAL: u32 = 50;

/// Queues, newest first.
pub(crate) async fn list_annotation_queues(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    query.only(&["page", "limit"])?;
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (queues, total) = annotation_queues::list(&app, &scope, slice).await?;
    let list = List {
        data: queues.iter().map(QueueShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
