//! `POST /api/v1/objectives`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::objective::ObjectiveDraft;
use domain::pattern::NamePattern;
use service::{App, objectives};

use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::ObjectiveRow;

/// Sets an objective.
pub(crate) async fn create_objective(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["model", "ttft_ms", "tpot_ms"])?;
    let draft = ObjectiveDraft {
        model: NamePattern::new(body.text("model")?.unwrap_or("*")),
        ttft_ms: body.number("ttft_ms")?,
        tpot_ms: body.number("tpot_ms")?,
    };
    let objective = objectives::create(&app, &scope, draft).await?;
    Ok((StatusCode::CREATED, Json(ObjectiveRow::from(&objective))).into_response())
}
