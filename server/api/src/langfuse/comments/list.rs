//! `GET /api/public/comments`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::comment::CommentedKind;
use service::comments::Wanted;
use service::{App, ProjectScope, comments};

use super::KINDS;
use super::shape::CommentShape;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Comments on a page where the query does not say.
const USUAL: u32 = 50;

/// Comments, newest first.
pub(crate) async fn list_comments(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    query.only(&["page", "limit", "objectType", "objectId", "authorUserId"])?;
    let paging = Paging::read(&query, USUAL)?;
    let slice = (paging.offset(), paging.limit());
    let (comments, total) = match wanted(&query)? {
        Some(wanted) => comments::list(&app, &scope, &wanted, slice).await?,
        None => (Vec::new(), 0),
    };
    let shape = |comment| CommentShape::new(comment, scope.project_id());
    let list = List {
        data: comments.iter().map(shape).collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}

/// `None` where nothing can match.
fn wanted(query: &Query) -> Result<Option<Wanted>> {
    let kind = match query.text("objectType")? {
        None => None,
        Some(text) => {
            let kind = CommentedKind::from_name(text);
            Some(kind.ok_or_else(|| Issue::of_words("objectType", &KINDS))?)
        }
    };
    let object_id = query.text("objectId")?.map(str::to_owned);
    if object_id.is_some() && kind.is_none() {
        let message = "objectType is required when objectId is given";
        return Err(Issue::new("custom", "objectType", message).into());
    }
    if object_id.as_ref().is_some_and(|id| id.contains('\0')) {
        return Ok(None);
    }
    let author = match query.text("authorUserId")?.map(str::parse) {
        None => None,
        Some(Ok(person)) => Some(person),
        // An id that is none is the id of nobody.
        Some(Err(_)) => return Ok(None),
    };
    Ok(Some(Wanted {
        kind,
        object_id,
        author,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_needs_its_kind_and_an_unknown_author_wrote_nothing() {
        let read = |query: &str| wanted(&Query::parse(query));
        assert!(read("objectId=t").is_err());
        assert!(read("objectType=trace").is_err());
        assert_eq!(read("authorUserId=nobody").unwrap(), None);
        assert_eq!(read("objectType=TRACE&objectId=%00").unwrap(), None);
        let found = read("objectType=TRACE&objectId=t").unwrap().unwrap();
        assert_eq!(found.kind, Some(CommentedKind::Trace));
        assert_eq!(read("").unwrap(), Some(Wanted::default()));
    }
}
