//! `DELETE /api/v1/prompts/{prompt_name}/labels/{label}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, prompts};

use crate::error::Result;
use crate::extract::{Caller, PathLabel};

/// Takes a label away from the version that it stands on.
pub(crate) async fn remove_prompt_label(
    State(app): State<App>,
    Caller(scope): Caller,
    PathLabel { name, label }: PathLabel,
) -> Result<StatusCode> {
    prompts::remove_label(&app, &scope, &name, &label).await?;
    Ok(StatusCode::NO_CONTENT)
}
