//! `GET /api/v1/deletions`

use axum::extract::State;
use axum::response::Response;
use domain::DeletionId;
use domain::page::{Cursor, Page};
use service::{App, deletions};

use super::DeletionShape;
use crate::error::Result;
use crate::extract::{Caller, Params, wrong};
use crate::v1::page;

/// Name of the list in its cursors.
const LIST: &str = "deletions";

/// Deletions, the newest first.
pub(crate) async fn list_deletions(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let user = params.one("user_id")?;
    let limit = params.limit()?.rows();
    let after = params.cursor(LIST)?;
    let after = match after {
        None => None,
        Some(place) => {
            let id: std::result::Result<DeletionId, _> = place.id.parse();
            let id = id.map_err(|_| wrong("cursor", "is none of this list"))?;
            Some((place.start, id))
        }
    };
    let mut data = deletions::list(&app, &scope, (user, after), limit.saturating_add(1)).await?;
    let goes_on = data.len() > limit as usize;
    data.truncate(limit as usize);
    let last = data.last().filter(|_| goes_on);
    let next_cursor = last.map(|deletion| Cursor {
        start: deletion.requested_at,
        id: deletion.id.to_string(),
    });
    page((LIST, &Page { data, next_cursor }), DeletionShape::from)
}
