//! `GET /api/public/models`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, models};

use super::client::Client;
use super::shape::ModelShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Models on a page where the query does not say.
const USUAL: u32 = 50;

/// Models, the project's own first.
pub(crate) async fn list_models(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    client: Client,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (models, total) = models::list(&app, &scope, slice).await?;
    let list = List {
        data: models
            .iter()
            .map(|model| ModelShape::for_client(model, client))
            .collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
