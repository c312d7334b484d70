//! `GET /api/public/sessions`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::numbered::{self, WantedSessions};
use service::{App, ProjectScope};

use super::shape::SessionShape;
use crate::langfuse::error::Result;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Sessions on a page where the query does not say.
const USUAL: u32 = 50;

/// Sessions that match, the newest first.
pub(crate) async fn list_sessions(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let wanted = WantedSessions {
        from: query.time("fromTimestamp")?,
        to: query.time("toTimestamp")?,
        environments: query.list("environment"),
        ids: Vec::new(),
    };
    let found = numbered::sessions(&app, &scope, &wanted, paging.slice()?).await?;
    let (sessions, total) = found;
    let project = scope.project_id();
    let rows = sessions.iter();
    let list = List {
        data: rows
            .map(|session| SessionShape::new(project, session))
            .collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
