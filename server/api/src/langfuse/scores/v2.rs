//! `GET /api/public/v2/scores`, `GET /api/public/v2/scores/{scoreId}`

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::score::wanted::{Condition, Field};
use service::scores::{self, Slice};
use service::{App, ProjectScope};

use super::conditions;
use super::shape::ScoreShape;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::path::PathId;
use crate::langfuse::query::Query;

/// Scores on a page where the query does not say.
const USUAL: u32 = 50;

/// Scores that match, newest first.
pub(crate) async fn list_scores(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let groups = query.several("fields");
    let with_trace = groups.is_empty() || groups.contains(&"trace");
    let wanted = conditions::read(&query)?;
    let of_trace =
        |condition: &Condition| matches!(condition.field, Field::TraceUser | Field::TraceTags);
    if !with_trace && wanted.iter().any(of_trace) {
        let message = "userId and traceTags need the group trace";
        return Err(Issue::new("custom", "fields", message).into());
    }
    answer(&app, &scope, (&query, &wanted), with_trace).await
}

/// One score.
pub(crate) async fn show_score(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let score = scores::show(&app, &scope, &id, &[]).await?;
    Ok(Json(ScoreShape::new(&score, scope.project_id())).into_response())
}

/// A page of scores, each with its trace where that is asked for.
pub(super) async fn answer(
    app: &App,
    scope: &ProjectScope,
    (query, wanted): (&Query, &[Condition]),
    with_trace: bool,
) -> Result<Response> {
    let paging = Paging::read(query, USUAL)?;
    let slice = Slice {
        after: None,
        offset: paging.offset(),
        limit: paging.limit(),
    };
    let (rows, total) = scores::page(app, scope, wanted, &slice).await?;
    let traces = match with_trace {
        true => scores::traces_of(app, scope, &rows).await?,
        false => HashMap::new(),
    };
    let shape = |score| {
        let shape = ScoreShape::new(score, scope.project_id());
        match with_trace {
            true => shape.with_trace(score.trace_id().and_then(|id| traces.get(id))),
            false => shape,
        }
    };
    let list = List {
        data: rows.iter().map(shape).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
