//! `GET /api/v1/prompts/{prompt_name}/rollback-policy`

use axum::extract::State;
use axum::response::Response;
use domain::prompt::Label;
use service::{App, rollback};

use super::shape;
use crate::error::Result;
use crate::extract::{Caller, Params, PathPrompt};

/// What becomes of a label.
pub(crate) async fn show_rollback_policy(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    params: Params,
) -> Result<Response> {
    let label = params.one("for_label")?.map(|text| {
        let label = Label::parse(text);
        label.map_err(|fault| fault.on_field("for_label"))
    });
    let label = label.transpose()?;
    Ok(shape(
        &rollback::show_policy(&app, &scope, &name, label).await?,
    ))
}
