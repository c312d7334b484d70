//! `PUT /api/v1/prompts/{prompt_name}/rollback-policy`

use axum::extract::State;
use axum::response::Response;
use domain::prompt::Label;
use domain::rollback::{Limits, Mode, Policy};
use service::{App, rollback};

use super::{label, shape};
use crate::error::Result;
use crate::extract::{Body, Caller, PathPrompt, wrong};

/// Sets what becomes of a label.
pub(crate) async fn set_rollback_policy(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    body: Body,
) -> Result<Response> {
    // What was shown may be sent back.
    body.only(&["mode", "label", "limits", "updated_by", "updated_at"])?;
    let mode = body.text("mode")?.and_then(Mode::from_name);
    let limits = body.object("limits")?.map(Limits::parse).transpose()?;
    let policy = Policy {
        mode: mode.ok_or_else(|| wrong("mode", "give off, suggest or auto"))?,
        label: label(&body)?.unwrap_or_else(Label::production),
        limits: limits.unwrap_or_default(),
    };
    Ok(shape(
        &rollback::set_policy(&app, &scope, &name, policy).await?,
    ))
}
