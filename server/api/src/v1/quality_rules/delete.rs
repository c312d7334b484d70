//! `DELETE /api/v1/quality-rules/{quality_rule_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, quality_rules};

use crate::error::Result;
use crate::extract::{Caller, PathQualityRule};

/// Deletes a rule.
pub(crate) async fn delete_quality_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    PathQualityRule(id): PathQualityRule,
) -> Result<StatusCode> {
    quality_rules::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
