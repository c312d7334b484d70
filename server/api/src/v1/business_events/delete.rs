//! `DELETE /api/v1/business-events/{business_event_id}`

use axum::extract::{Path, State};
use axum::http::StatusCode;
use service::{App, business_events};

use crate::error::Result;
use crate::extract::Caller;

/// Deletes an event.
pub(crate) async fn delete_business_event(
    State(app): State<App>,
    Caller(scope): Caller,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    business_events::delete(&app, &scope, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
