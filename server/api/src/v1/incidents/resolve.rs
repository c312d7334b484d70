//! `POST /api/v1/incidents/{incident_id}/resolve`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::alert::notice::shape;
use service::{App, incidents};

use crate::error::Result;
use crate::extract::{Caller, PathIncident};

/// Says that an incident is over.
pub(crate) async fn resolve_incident(
    State(app): State<App>,
    Caller(scope): Caller,
    PathIncident(id): PathIncident,
) -> Result<Response> {
    let incident = incidents::resolve(&app, &scope, id).await?;
    Ok(Json(shape(&incident)).into_response())
}
