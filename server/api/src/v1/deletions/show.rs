//! `GET /api/v1/deletions/{deletion_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::{App, deletions};

use super::DeletionShape;
use crate::error::Result;
use crate::extract::{Caller, PathDeletion};

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    deletion: DeletionShape<'a>,
    late_records_dropped: Option<u64>,
}

/// How far it is.
pub(crate) async fn show_deletion(
    State(app): State<App>,
    Caller(scope): Caller,
    PathDeletion(id): PathDeletion,
) -> Result<Response> {
    let found = deletions::show(&app, &scope, id).await?;
    let shown = Shown {
        late_records_dropped: deletions::dropped(&app, &scope, &found).await?,
        deletion: DeletionShape::from(&found),
    };
    Ok(Json(shown).into_response())
}
