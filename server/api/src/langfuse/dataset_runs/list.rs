//! `GET /api/public/datasets/{datasetName}/runs`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, datasets};

use super::shape::RunShape;
use crate::langfuse::datasets::PathNames;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Runs on a page where the query does not say.
const USUAL: u32 = 50;

/// Runs over a dataset, newest first.
pub(crate) async fn list_runs(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    names: PathNames,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (runs, total) = datasets::list_runs(&app, &scope, &names.dataset, slice).await?;
    let list = List {
        data: runs.iter().map(RunShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
