//! `GET /api/v1/sampling`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, sampling};

use crate::error::Result;
use crate::extract::Caller;

/// What to record of requests right now.
pub(crate) async fn show_sampling(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let sampling = sampling::show(&app, &scope).await?;
    let boosted_until = sampling.boosted_until.map(|until| until.to_string());
    let body = json!({
        "token_spans": { "ratio": sampling.token_spans, "boosted_until": boosted_until },
        "content": { "ratio": sampling.content },
    });
    Ok(Json(body).into_response())
}
