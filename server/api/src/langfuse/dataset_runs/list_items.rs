//! `GET /api/public/dataset-run-items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::dataset::RunName;
use service::{App, ProjectScope, datasets};

use super::shape::RunItemShape;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Links on a page where the query does not say.
const USUAL: u32 = 50;

/// What a run made of items, newest first.
pub(crate) async fn list_run_items(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let needed = |field: &'static str| {
        let text = query.text(field)?;
        let missing = || Issue::of_type(field, "string, received undefined");
        Ok::<_, super::super::error::Failure>(text.ok_or_else(missing)?)
    };
    let (dataset, run) = (needed("datasetId")?, needed("runName")?);
    let missing = || Fault::not_found(format!("Dataset run not found: '{run}'"));
    let dataset = dataset.parse().map_err(|_| missing())?;
    let name = RunName::parse(run).map_err(|_| missing())?;
    let slice = (paging.offset(), paging.limit());
    let place = (dataset, &name);
    let (links, total) = datasets::list_run_items(&app, &scope, place, slice).await?;
    let list = List {
        data: links.iter().map(RunItemShape::from).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
