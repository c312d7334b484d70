//! `GET /api/public/prompts`, `POST /api/public/prompts`: the first version of these routes, which
//! knows one label only: a version is active, or it is not.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::prompt::{Label, Selector};
use service::prompts::{self, References};
use service::{App, ProjectScope};

use super::shape::PromptShape;
use super::{MAX_VERSION, draft, existing_name, stick_to};
use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::query::Query;

/// The version of that number, or the active one.
pub(crate) async fn show_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response> {
    let name = query.text("name")?;
    let name = name.ok_or_else(|| Issue::of_type("name", "string, received undefined"))?;
    let version = query.number("version", 1..=MAX_VERSION)?;
    let production = || Selector::Label(Label::production());
    let selector = version.map_or_else(production, Selector::Version);
    let name = existing_name(name)?;
    let (wanted, stick_to) = ((&name, &selector), stick_to(&query, &headers)?);
    let shown = prompts::serve(&app, &scope, wanted, References::Resolve, stick_to).await?;
    Ok(Json(PromptShape::shown(&shown).with_activity()).into_response())
}

/// Makes the next version of a name, and makes it the active one if that is asked for.
pub(crate) async fn create_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let mut draft = draft::read(&body)?;
    let active = body.flag("isActive")?;
    let active = active.ok_or_else(|| Issue::of_type("isActive", "boolean, received undefined"))?;
    if active {
        draft.labels = draft.labels.with(Label::production());
    }
    let prompt = prompts::create(&app, &scope, draft).await?;
    let shape = PromptShape::from(&prompt).with_activity();
    Ok((StatusCode::CREATED, Json(shape)).into_response())
}
