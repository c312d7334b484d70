//! `GET /api/public/score-configs`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, score_configs};

use super::shape::ScoreConfigShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Configurations on a page where the query does not say.
const USUAL: u32 = 50;

/// Configurations, newest first, archived ones too.
pub(crate) async fn list_score_configs(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (configs, total) = score_configs::list(&app, &scope, slice).await?;
    let shape = |config| ScoreConfigShape::new(config, scope.project_id());
    let list = List {
        data: configs.iter().map(shape).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
