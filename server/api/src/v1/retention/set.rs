//! `PUT /api/v1/retention`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use service::{App, retention};

use super::Shape;
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Sets what is kept how long: all of it. With `dry_run` it is only said what would go.
pub(crate) async fn set_retention(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let mut fields = body.into_fields();
    let dry_run = match fields.remove("dry_run") {
        None => false,
        Some(Value::Bool(dry_run)) => dry_run,
        Some(_) => return Err(wrong("dry_run", "must be true or false").into()),
    };
    let settings = super::settings(fields)?;
    if dry_run {
        let would_remove = retention::preview(&app, &scope, &settings).await?;
        let answer = json!({ "dry_run": true, "would_remove": would_remove });
        return Ok(Json(answer).into_response());
    }
    retention::set(&app, &scope, &settings).await?;
    let last = retention::last_look(&app, &scope).await?;
    Ok(Json(Shape::new(&settings, &last)).into_response())
}
