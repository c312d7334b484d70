//! `GET /api/public/scim/Users`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OrganisationScope, members};

use super::{filter, shape};
use crate::langfuse::error::Result;
use crate::langfuse::query::Query;

/// Most users of an answer, and how many where the query does not say.
pub(super) const MOST: u32 = 1_000;
const USUAL: u32 = 100;

/// Members of the organisation, by role and e-mail.
pub(crate) async fn list_users(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    query: Query,
) -> Result<Response> {
    // Counting begins with 1; what is less counts as 1 (RFC 7644, 3.4.2.4).
    let start = query
        .number("startIndex", 0..=u32::MAX)?
        .unwrap_or(1)
        .max(1);
    let count = query
        .number("count", 0..=u32::MAX)?
        .unwrap_or(USUAL)
        .min(MOST);
    let wanted = query.text("filter")?.map(filter::read).transpose()?;
    let mut members = members::list(&app, &scope).await?;
    if let Some(email) = wanted {
        members.retain(|member| member.person.email == email);
    }
    let page = members.iter().skip(start as usize - 1).take(count as usize);
    let users: Vec<_> = page.map(|member| shape::user(member, true)).collect();
    let list = json!({
        "schemas": [shape::LIST],
        "totalResults": members.len(),
        "startIndex": start,
        "itemsPerPage": users.len(),
        "Resources": users,
    });
    Ok(Json(list).into_response())
}
