//! `GET /api/public/observations/{observationId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::span::SpanKind;
use service::{App, ProjectScope, models, spans};

use super::priced::Pricing;
use super::shape::ObservationShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathObservation;

/// One observation; of several with that id, which only different traces have, the newest.
pub(crate) async fn show_observation(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathObservation(id): PathObservation,
) -> Result<Response> {
    let span = spans::find(&app, &scope, &id).await?;
    // What describes a trace as a whole is no observation.
    let span = span.filter(|span| span.kind != SpanKind::Trace);
    let span = span.ok_or_else(|| {
        Fault::not_found(format!(
            "Observation {id} not found within authorized project"
        ))
    })?;
    let known = models::known_prices(&app, &scope, [&span]).await?;
    let priced = Pricing::new(known).of(&span);
    Ok(Json(ObservationShape::new(scope.project_id(), &span, priced)).into_response())
}
