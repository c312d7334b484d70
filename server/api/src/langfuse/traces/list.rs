//! `GET /api/public/traces`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::filter::Column;
use service::{App, ProjectScope, numbered, spans};

use super::columns::{COLUMNS, order};
use super::shape::RowShape;
use crate::langfuse::error::Result;
use crate::langfuse::filter::{self, Compared};
use crate::langfuse::groups::Groups;
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Traces on a page where the query does not say.
const USUAL: u32 = 50;

/// Traces that match, each as a whole.
pub(crate) async fn list_traces(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let tags = Compared {
        all_of: true,
        ..Compared::any("tags", Column::Tag)
    };
    let compared = [
        Compared::any("userId", Column::UserId),
        Compared::any("name", Column::Name),
        Compared::any("environment", Column::Environment),
        Compared::any("sessionId", Column::SessionId),
        Compared::any("version", Column::Version),
        Compared::any("release", Column::Release),
        tags,
    ];
    let mut filter = filter::read(&query, COLUMNS, &compared)?;
    filter.from = filter.from.or(query.time("fromTimestamp")?);
    filter.to = filter.to.or(query.time("toTimestamp")?);
    let order = order(query.text("orderBy")?)?;
    let groups = Groups::read(&query)?;
    let _turn = spans::turn(&app, &scope, paging.rows()?).await?;
    let found = numbered::traces(&app, &scope, (&filter, order), paging.slice()?);
    let (portraits, total) = found.await?;
    let project = scope.project_id();
    let rows = portraits.iter();
    let list = List {
        data: rows
            .map(|portrait| RowShape::new(project, portrait, &groups))
            .collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}
