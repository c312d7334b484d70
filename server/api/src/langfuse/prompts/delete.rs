//! `DELETE /api/public/v2/prompts/{name}`

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use service::{App, ProjectScope, prompts};

use super::{Rest, existing_name, selector};
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

/// Deletes the version that is meant, or the whole name where nothing is said.
pub(crate) async fn delete_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    Rest(name): Rest,
    query: Query,
) -> Result<StatusCode> {
    let selector = selector(&query)?;
    let name = existing_name(&name)?;
    prompts::delete(&app, &scope, &name, selector.as_ref()).await?;
    Ok(StatusCode::NO_CONTENT)
}
