//! `POST /api/v1/prompts/{prompt_name}/rollback`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::rollback;
use serde_json::json;
use service::App;
use service::rollback::{Request, roll_back};

use super::{label, version};
use crate::error::Result;
use crate::extract::{Body, Caller, PathPrompt, wrong};

/// Moves a label back, or says what would speak against it.
pub(crate) async fn roll_back_prompt(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    body: Body,
) -> Result<Response> {
    body.only(&["to_version", "label", "from_version", "dry_run", "force"])?;
    let to_version = version(&body, "to_version")?;
    let request = Request {
        to_version: to_version
            .ok_or_else(|| wrong("to_version", "give the version that the label goes to"))?,
        label: label(&body)?,
        from_version: version(&body, "from_version")?,
        dry_run: body.flag("dry_run")?.unwrap_or(false),
        force: body.flag("force")?.unwrap_or(false),
    };
    let answer = roll_back(&app, &scope, &name, &request).await?;
    let body = json!({
        "allowed": answer.allowed,
        "checks": answer.checks,
        "applied": answer.applied,
        "label": answer.label.as_str(),
        "from_version": answer.from_version,
        "to_version": request.to_version,
        "rollback": answer.rollback.as_ref().map(rollback::shape),
    });
    Ok(Json(body).into_response())
}
