//! `GET /api/public/llm-connections`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, llm_connections};

use super::shape::LlmConnectionShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Connections on a page where the query does not say.
const USUAL: u32 = 50;

/// The project's connections, by name.
pub(crate) async fn list_llm_connections(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    query.only(&["page", "limit"])?;
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (connections, total) = llm_connections::list(&app, &scope, slice).await?;
    let list = List {
        data: connections.iter().map(LlmConnectionShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
