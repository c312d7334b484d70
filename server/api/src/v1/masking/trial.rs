//! `POST /api/v1/masking/dry-run`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::masking::{Finding, Tried, TriedText};
use service::{App, masking};

use super::by_rule;
use crate::error::Result;
use crate::extract::{Body, Caller};

/// Tries rules, those of the project where none are given: on a text, else on what arrived last.
pub(crate) async fn try_masking(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["settings", "text"])?;
    let settings = match body.object("settings")? {
        Some(sent) => super::settings(sent.clone())?,
        None => masking::settings(&app, &scope).await?,
    };
    let answer = match body.text_or_null("text")? {
        Some(text) => {
            let TriedText { masked, counts } =
                masking::try_on_text(&app, &scope, &settings, text).await?;
            json!({ "text": masked, "counts": by_rule(&counts) })
        }
        None => {
            let tried: Tried = masking::try_on_recent(&app, &scope, &settings).await?;
            let finding = |found: &Finding| {
                json!({
                    "trace_id": found.trace_id,
                    "span_id": found.span_id,
                    "place": found.place,
                    "excerpt": found.excerpt,
                })
            };
            json!({
                "spans": tried.spans,
                "spans_with_findings": tried.spans_with_findings,
                "counts": by_rule(&tried.counts),
                "findings": tried.findings.iter().map(finding).collect::<Vec<_>>(),
            })
        }
    };
    Ok(Json(answer).into_response())
}
