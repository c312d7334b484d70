//! `GET /api/public/scores`, `GET /api/public/scores/{scoreId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::score::wanted::{Condition, Field, Test};
use service::{App, ProjectScope, scores};

use super::conditions;
use super::shape::ScoreShape;
use super::v2::answer;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;
use crate::langfuse::query::Query;

/// What this version knows: judgements of traces and observations, without corrections.
fn known() -> [Condition; 2] {
    let of = |field, test| Condition { field, test };
    let corrections = Test::NoneOf(vec!["CORRECTION".to_owned()]);
    [
        of(Field::TraceId, Test::Present),
        of(Field::DataType, corrections),
    ]
}

/// Scores that match, newest first, each with its trace.
pub(crate) async fn list_scores(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let mut wanted = conditions::read(&query)?;
    wanted.extend(known());
    answer(&app, &scope, (&query, &wanted), true).await
}

/// One score.
pub(crate) async fn show_score(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let score = scores::show(&app, &scope, &id, &known()).await?;
    Ok(Json(ScoreShape::new(&score, scope.project_id())).into_response())
}
