//! `GET /api/v1/audit-log`

use std::io;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::audit::Entry;
use domain::page::{Cursor, Page};
use futures_util::stream;
use serde::Serialize;
use serde_json::value::RawValue;
use service::App;
use service::audit::{self, Export, Filter, Log};

use crate::error::Result;
use crate::extract::{Caller, Params, wrong};
use crate::sending;
use crate::v1::page;

/// Name of the list in its cursors.
const LIST: &str = "audit-log";
/// What narrows a list, and nothing that is exported: that is the whole chain, or it could not be verified.
const NARROWING: [&str; 7] = ["actor", "action", "object", "from", "to", "limit", "cursor"];

#[derive(Serialize)]
struct Shape<'a> {
    entry: u64,
    at: String,
    actor: &'a str,
    action: &'a str,
    object: Option<&'a str>,
    before: Option<&'a RawValue>,
    after: Option<&'a RawValue>,
    is_blanked: bool,
    hash: String,
}

impl<'a> From<&'a Entry> for Shape<'a> {
    fn from(entry: &'a Entry) -> Self {
        let details = entry.salt.as_ref().map(|_| &entry.details);
        let json = |text: &'a str| serde_json::from_str(text).ok();
        Shape {
            entry: entry.number,
            at: entry.at.to_string(),
            actor: &entry.actor,
            action: &entry.action,
            object: details.map(|details| details.object.as_str()),
            before: details.and_then(|details| json(&details.before)),
            after: details.and_then(|details| json(&details.after)),
            is_blanked: details.is_none(),
            hash: super::verify::hex(&entry.hash),
        }
    }
}

/// Entries, the newest first; or all of them as lines of JSON, the oldest first.
pub(crate) async fn list_audit_log(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let log = Log::of_project(&scope)?;
    match params.one("format")? {
        None | Some("json") => {}
        Some("jsonl") => return export(&app, &log, &params).await,
        Some(_) => return Err(wrong("format", "is json or jsonl").into()),
    }
    let limit = params.limit()?.rows();
    let before = match params.cursor(LIST)? {
        None => None,
        Some(place) => {
            let entry = place.id.parse();
            Some(entry.map_err(|_| wrong("cursor", "is none of this list"))?)
        }
    };
    let filter = Filter {
        actor: params.one("actor")?,
        action: params.one("action")?,
        object: params.one("object")?,
        from: params.time("from")?,
        to: params.time("to")?,
        before,
    };
    let mut data = audit::list(&app, &log, &filter, limit.saturating_add(1)).await?;
    let goes_on = data.len() > limit as usize;
    data.truncate(limit as usize);
    let last = data.last().filter(|_| goes_on);
    let next_cursor = last.map(|entry| Cursor {
        start: entry.at,
        id: entry.number.to_string(),
    });
    page((LIST, &Page { data, next_cursor }), Shape::from)
}

async fn export(app: &App, log: &Log, params: &Params) -> Result<Response> {
    for name in NARROWING {
        if params.one(name)?.is_some() {
            return Err(wrong(name, "an export is the whole log: leave this out").into());
        }
    }
    let export = audit::export(app, log).await?;
    let pieces = stream::try_unfold(export, async |mut export: Export| {
        let lines = export.next().await.map_err(io::Error::other)?;
        Ok::<_, io::Error>(lines.map(|lines| (Bytes::from(lines), export)))
    });
    let headers = [
        (CONTENT_TYPE, "application/jsonl"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"audit-log.jsonl\"",
        ),
    ];
    Ok((headers, sending::body(Box::pin(pieces))).into_response())
}
