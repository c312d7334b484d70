//! `POST /api/v1/quality-rules`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::quality::{QualityRuleDraft, RuleFormat};
use service::{App, quality_rules};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};
use crate::shape::QualityRuleRow;

/// Sets a rule.
pub(crate) async fn create_quality_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let rule = quality_rules::create(&app, &scope, draft(&body)?).await?;
    Ok((StatusCode::CREATED, Json(QualityRuleRow::from(&rule))).into_response())
}

fn draft(body: &Body) -> std::result::Result<QualityRuleDraft, Fault> {
    body.only(&[
        "name",
        "span_name",
        "model",
        "prompt",
        "format",
        "schema",
        "min_characters",
        "max_characters",
        "min_tokens",
        "max_tokens",
        "refusal_phrases",
        "instruction_tokens",
    ])?;
    let text = |field| Ok::<_, Fault>(body.text_or_null(field)?.map(str::to_owned));
    let format = body.text_or_null("format")?.map(RuleFormat::from_name);
    if format == Some(None) {
        return Err(wrong("format", "give text, json or json_schema"));
    }
    Ok(QualityRuleDraft {
        name: body.text("name")?.unwrap_or_default().to_owned(),
        span_name: text("span_name")?,
        model: text("model")?,
        prompt: text("prompt")?,
        format: format.flatten(),
        schema: body.json("schema"),
        min_characters: body.count("min_characters")?,
        max_characters: body.count("max_characters")?,
        min_tokens: body.count("min_tokens")?,
        max_tokens: body.count("max_tokens")?,
        refusal_phrases: body.texts("refusal_phrases")?,
        instruction_tokens: body.texts("instruction_tokens")?,
    })
}
