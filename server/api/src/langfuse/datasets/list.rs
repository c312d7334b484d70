//! `GET /api/public/v2/datasets`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::shape::DatasetShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Datasets on a page where the query does not say.
pub(super) const USUAL: u32 = 50;

/// Datasets, newest first.
pub(crate) async fn list_datasets(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (found, total) = datasets::list(&app, &scope, slice).await?;
    let list = List {
        data: found.iter().map(DatasetShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
