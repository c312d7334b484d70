//! `GET /api/public/sessions/{sessionId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::page::Limit;
use service::{App, ProjectScope, numbered, spans};

use super::shape::{SessionShape, WholeShape};
use crate::langfuse::error::Result;
use crate::langfuse::groups::Groups;
use crate::langfuse::path::PathSession;
use crate::langfuse::traces::TraceShape;

/// One session with its newest traces.
pub(crate) async fn show_session(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathSession(id): PathSession,
) -> Result<Response> {
    let _turn = spans::turn(&app, &scope, Limit::new(Limit::MAX)?).await?;
    let found = numbered::session(&app, &scope, &id).await?;
    let missing = || Fault::not_found("Session not found within authorized project");
    let (session, portraits) = found.ok_or_else(missing)?;
    let project = scope.project_id();
    let traces = portraits.iter();
    let whole = WholeShape {
        session: SessionShape::new(project, &session),
        traces: traces
            .map(|portrait| TraceShape::new(project, portrait, &Groups::ALL))
            .collect(),
    };
    Ok(Json(whole).into_response())
}
