//! `POST /api/v1/prompts/{prompt_name}/rollback/undo`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::rollback::shape;
use domain::{Fault, RollbackId};
use service::{App, rollback};

use crate::error::Result;
use crate::extract::{Body, Caller, PathPrompt};

/// Puts a label where it stood before it went back.
pub(crate) async fn undo_rollback(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    body: Body,
) -> Result<Response> {
    body.only(&["id"])?;
    let id = body.text_or_null("id")?.map(|text| {
        let id = text.parse::<RollbackId>();
        id.map_err(|_| Fault::not_found(format!("no rollback {text}")))
    });
    let undone = rollback::undo(&app, &scope, &name, id.transpose()?).await?;
    Ok(Json(shape(&undone)).into_response())
}
