//! `GET /api/v1/prompts/{prompt_name}/rollbacks`

use axum::extract::State;
use axum::response::Response;
use domain::page::{Cursor, Page};
use domain::rollback::shape;
use service::{App, rollback};

use crate::error::Result;
use crate::extract::{Caller, Params, PathPrompt, wrong};
use crate::v1::page;

/// What went back, the newest first.
pub(crate) async fn list_rollbacks(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    params: Params,
) -> Result<Response> {
    let after = params.cursor("rollbacks")?.map(|cursor| {
        let id = cursor.id.parse();
        let id = id.map_err(|_| wrong("cursor", "cursor is not one that this list gave"))?;
        Ok::<_, domain::Fault>((cursor.start, id))
    });
    let limit = params.limit()?.rows();
    let slice = (after.transpose()?, limit.saturating_add(1));
    let mut data = rollback::list(&app, &scope, &name, slice).await?;
    let goes_on = data.len() > limit as usize;
    data.truncate(limit as usize);
    let last = data.last().filter(|_| goes_on);
    let next_cursor = last.map(|rollback| Cursor {
        start: rollback.created_at,
        id: rollback.id.to_string(),
    });
    page(("rollbacks", &Page { data, next_cursor }), shape)
}
