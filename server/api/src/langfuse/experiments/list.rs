//! `GET /api/public/experiments`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::page::Limit;
use service::{App, ProjectScope, experiments};

use super::shape::{Answer, ExperimentShape, Meta, scores};
use super::{MOST, MOST_SCORES, USUAL, cursor, groups, wanted};
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

const GROUPS: [&str; 3] = ["core", "metadata", "scores"];

/// Experiments, newest first.
pub(crate) async fn list_experiments(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let wanted = wanted::read(&query, wanted::OF_EXPERIMENTS)?;
    let asked = groups(&query, &GROUPS, &["core"])?;
    let limit = query.number("limit", 1..=MOST)?.unwrap_or(USUAL);
    let most = query.number("scoreLimit", 1..=MOST_SCORES)?;
    let after = cursor::experiments(&query)?;
    let place = (Limit::new(limit)?, after.as_ref());
    let page = experiments::list(&app, &scope, &wanted, place).await?;
    let project = scope.project_id();
    let mut data = Vec::with_capacity(page.data.len());
    for experiment in &page.data {
        let its = if asked.contains(&"scores") {
            let most = most.unwrap_or(MOST_SCORES);
            let found = experiments::scores_of(&app, &scope, &experiment.id, most).await?;
            Some(scores(&found, project))
        } else {
            None
        };
        data.push(ExperimentShape::new(experiment, &asked, its));
    }
    let meta = Meta {
        cursor: page.next_cursor.as_ref().map(cursor::of_experiments),
    };
    Ok(Json(Answer { data, meta }).into_response())
}
