//! `GET` and `PUT /api/v1/content-sampling`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::content_sampling::ContentSampling;
use service::{App, content_sampling};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Shows which traces keep their contents.
pub(crate) async fn show_content_sampling(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let sampling = content_sampling::settings(&app, &scope).await?;
    Ok(Json(sampling).into_response())
}

/// Sets it: all of it.
pub(crate) async fn set_content_sampling(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let mut sampling = ContentSampling::default();
    for (field, value) in body.into_fields() {
        let mistake = |error: serde_json::Error| wrong(&field, &error.to_string());
        match field.as_str() {
            "ratio" => sampling.ratio = serde_json::from_value(value).map_err(mistake)?,
            "environments" => {
                sampling.environments = serde_json::from_value(value).map_err(mistake)?;
            }
            "keep_errors" => {
                sampling.keep_errors = serde_json::from_value(value).map_err(mistake)?;
            }
            "keep_low_scores" => {
                sampling.keep_low_scores = serde_json::from_value(value).map_err(mistake)?;
            }
            "wait_days" => sampling.wait_days = serde_json::from_value(value).map_err(mistake)?,
            _ => return Err(wrong(&field, "is not known").into()),
        }
    }
    content_sampling::set(&app, &scope, &sampling).await?;
    Ok(Json(sampling).into_response())
}
