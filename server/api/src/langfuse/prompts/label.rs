//! `PATCH /api/public/v2/prompts/{name}/versions/{version}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::prompt::Labels;
use service::{App, ProjectScope, prompts};

use super::shape::PromptShape;
use super::{MAX_VERSION, Rest, existing_name};
use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};

/// Puts labels on a version, besides those that it has.
pub(crate) async fn label_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    Rest(rest): Rest,
    body: Body,
) -> Result<Response> {
    // The last one: a name may hold the word too.
    let (name, version) = rest.rsplit_once("/versions/").ok_or(Failure::Method)?;
    let version = version.parse().ok();
    let version = version.filter(|version| (1..=MAX_VERSION).contains(version));
    let version = version.ok_or_else(|| Issue::of_type("promptVersion", "a whole number"))?;
    let labels = body.texts("newLabels")?;
    let labels = labels.ok_or_else(|| Issue::of_type("newLabels", "array, received undefined"))?;
    let labels = Labels::parse_moved("newLabels", &labels)?;
    let name = existing_name(name)?;
    let prompt = prompts::add_labels(&app, &scope, &name, version, &labels).await?;
    Ok(Json(PromptShape::from(&prompt)).into_response())
}
