//! `PUT /api/v1/deletion-settings`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::deletion::SharedTraces;
use service::{App, deletions};

use super::Shape;
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Sets what is given; the rest stays.
pub(crate) async fn set_deletion_settings(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["shared_traces", "tombstone_days"])?;
    let mut settings = deletions::settings(&app, &scope).await?;
    if let Some(name) = body.text("shared_traces")? {
        let policy = SharedTraces::from_name(name);
        let unknown = || wrong("shared_traces", "give whole_trace or own_spans");
        settings.shared_traces = policy.ok_or_else(unknown)?;
    }
    if let Some(days) = body.count("tombstone_days")? {
        settings.tombstone_days = u32::try_from(days).unwrap_or(u32::MAX);
    }
    deletions::set(&app, &scope, settings).await?;
    Ok(Json(Shape::from(settings)).into_response())
}
