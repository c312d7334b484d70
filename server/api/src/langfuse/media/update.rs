//! `PATCH /api/public/media/{mediaId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Timestamp;
use serde_json::json;
use service::media::Report;
use service::{App, ProjectScope, media};

use super::existing_id;
use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::path::PathId;

/// Notes how a client says that its upload went.
pub(crate) async fn update_media(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response> {
    media::report(&app, &scope, &existing_id(&id)?, report(&body)?).await?;
    Ok(Json(json!({ "message": "OK" })).into_response())
}

fn report(body: &Body) -> Result<Report> {
    // When it was is known here better; clients must say it.
    let at = body.required_text("uploadedAt")?;
    Timestamp::parse(at)
        .map_err(|error| Issue::new("invalid_format", "uploadedAt", error.to_string()))?;
    let small = |field: &str| {
        let number = body.whole(field, 0)?;
        let fits = number.map(|number| i32::try_from(number).map_err(|_| number));
        fits.transpose().map_err(|_| {
            let issue = Issue::new("too_big", field, "Number is too large");
            crate::langfuse::error::Failure::from(issue)
        })
    };
    let status = small("uploadHttpStatus")?;
    let missing = || Issue::of_type("uploadHttpStatus", "number, received undefined");
    Ok(Report {
        status: status.ok_or_else(missing)?,
        error: body.text("uploadHttpError")?.map(str::to_owned),
        millis: small("uploadTimeMs")?,
    })
}
