//! What lists of sessions and users have in common: what is asked for, and a page of the answer.

use axum::response::{IntoResponse, Response};
use domain::Timestamp;
use domain::rollup::{Place, Rollup, RollupBy, RollupOrder, RollupPage, RollupQuery};
use serde::Serialize;

use crate::error::Result;
use crate::extract::{Params, wrong};

/// What a list is asked for.
///
/// # Errors
/// `invalid` on the parameter that makes no sense.
pub(super) fn wanted(by: RollupBy, params: &Params) -> Result<RollupQuery> {
    let range = range(params)?;
    let texts = |name: &str| -> Vec<String> {
        let values = params.all(name);
        values.map(str::to_owned).collect()
    };
    let order = params.one("sort")?.map(|name| {
        let names: Vec<&str> = RollupOrder::ALL
            .iter()
            .map(|order| order.as_str())
            .collect();
        let order = RollupOrder::from_name(name);
        order.ok_or_else(|| wrong("sort", &format!("give one of {}", names.join(", "))))
    });
    let text = params.one("q")?.map(str::to_owned);
    if text.as_deref().is_some_and(|text| text.contains('\0')) {
        return Err(wrong("q", "no text holds the character NUL").into());
    }
    let order = order.transpose()?.unwrap_or_default();
    let after = params
        .one("cursor")?
        .map(|text| Place::read((by, order), text));
    Ok(RollupQuery {
        users: texts("user_id"),
        environments: texts("environment"),
        text,
        order,
        after: after.transpose()?,
        ..RollupQuery::new(by, range, params.limit()?.rows())
    })
}

/// The range that is asked for; all of time unless told otherwise.
///
/// # Errors
/// `invalid` on `from` or `to`.
pub(super) fn range(params: &Params) -> Result<(Timestamp, Timestamp)> {
    let from = params.time("from")?.unwrap_or(Timestamp::EPOCH);
    let to = params.time("to")?.unwrap_or(Timestamp::MAX);
    Ok((from, to))
}

/// A page: `{"data": […], "next_cursor": null | "…"}`.
pub(super) fn page<'a, S: Serialize>(
    (wanted, page): (&RollupQuery, &'a RollupPage),
    shape: impl Fn(&'a Rollup) -> S,
) -> Response {
    #[derive(Serialize)]
    struct Body<S> {
        data: Vec<S>,
        next_cursor: Option<String>,
    }
    let body = Body {
        data: page.rows.iter().map(shape).collect(),
        next_cursor: page
            .next
            .as_ref()
            .map(|place| place.written((wanted.by, wanted.order))),
    };
    axum::Json(body).into_response()
}
