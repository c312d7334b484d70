//! `GET /api/public/v2/prompts/{name}`

use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::prompt::{Label, Selector};
use service::prompts::{self, References};
use service::{App, ProjectScope};

use super::{Rest, existing_name, selector, written};
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

/// The version that is meant: that of the label `production` where nothing is said.
pub(crate) async fn show_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    Rest(name): Rest,
    query: Query,
    asked: HeaderMap,
) -> Result<Response> {
    let selector = selector(&query)?.unwrap_or_else(|| Selector::Label(Label::production()));
    let references = match query.flag("resolve")? {
        Some(false) => References::Keep,
        None | Some(true) => References::Resolve,
    };
    let name = existing_name(&name)?;
    let shown = prompts::show(&app, &scope, &name, &selector, references).await?;
    Ok(written::answer(shown.written(written::write)?, &asked))
}
