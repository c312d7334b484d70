//! `GET /api/public/experiment-items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::page::Limit;
use service::{App, ProjectScope, experiments};

use super::shape::{Answer, Meta, item, scores};
use super::{MOST, MOST_SCORES, USUAL, cursor, groups, wanted};
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

const GROUPS: [&str; 7] = [
    "core",
    "dataset",
    "io",
    "metadata",
    "itemMetadata",
    "experimentMetadata",
    "scores",
];

/// What experiments made of items: first those that spans tell of, newest first, then those that came as
/// links alone, likewise.
pub(crate) async fn list_experiment_items(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let wanted = wanted::read(&query, wanted::OF_ITEMS)?;
    let asked = groups(&query, &GROUPS, &["core", "dataset"])?;
    let limit = query.number("limit", 1..=MOST)?.unwrap_or(USUAL);
    let most = query.number("scoreLimit", 1..=MOST_SCORES)?;
    let after = cursor::items(&query)?;
    let place = (Limit::new(limit)?, after.as_ref());
    let (items, next, _turn) = experiments::items(&app, &scope, &wanted, place).await?;
    let mut its = if asked.contains(&"scores") {
        let most = most.unwrap_or(MOST_SCORES);
        let found = experiments::scores_of_items(&app, &scope, &items, most).await?;
        let shapes = found.iter().map(|found| scores(found, scope.project_id()));
        Some(shapes.collect::<Vec<_>>().into_iter())
    } else {
        None
    };
    let rows = items.iter().map(|row| {
        let its = its.as_mut().and_then(Iterator::next);
        item(row, &asked, its)
    });
    let answer = Answer {
        data: rows.collect(),
        meta: Meta {
            cursor: next.as_ref().map(cursor::of_items),
        },
    };
    Ok(Json(answer).into_response())
}
