//! `POST /api/v1/scrape-targets`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::scrape::TargetDraft;
use service::scrape_targets::AuthChange;
use service::{App, scrape_targets};

use super::draft::changed;
use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::ScrapeTargetRow;

/// Sets a target.
pub(crate) async fn create_scrape_target(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let (draft, auth) = changed(TargetDraft::default(), &body)?;
    let credential = match auth {
        AuthChange::Set(credential) => credential,
        AuthChange::Keep => None,
    };
    let target = scrape_targets::create(&app, &scope, draft, credential).await?;
    Ok((StatusCode::CREATED, Json(ScrapeTargetRow::from(&target))).into_response())
}
