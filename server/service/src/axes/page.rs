//! The list of requests: newest first, each once.

use domain::axes::Requests;
use domain::axes::request::{CallSpan, Request, requests as once};
use domain::filter::Filter;
use domain::page::{Cursor, Limit};
use domain::span::{CallRole, SpanKind};
use domain::{Fault, SpanId, TraceId};
use store_clickhouse::requests::{Before, Choice};

use super::{Joined, load, ranged, working};
use crate::app::App;
use crate::scope::ProjectScope;

/// Spans that are asked for beyond what a page holds: some are wrappers of others.
const SPARE: u32 = 20;

/// A page of requests, in ascending order of their start: read it backwards.
#[derive(Clone, Debug, Default)]
pub struct RequestPage {
    /// The requests.
    pub joined: Joined,
    /// Where the next page begins.
    pub next_cursor: Option<Cursor>,
}

/// The newest requests that match, behind a cursor, with their axes. The range is the last hour unless the filter has one.
///
/// # Errors
/// `invalid` for an empty range or a cursor of another list; `unavailable` or `timeout` when ClickHouse is away or takes
/// too long.
pub async fn page(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    (limit, cursor): (Limit, Option<&Cursor>),
) -> Result<RequestPage, Fault> {
    let filter = ranged(app, filter)?;
    let mut before = cursor.map(parse).transpose()?;
    let wanted = limit.rows() as usize + 1;
    let mut found: Vec<Request> = Vec::new();
    let fleet = loop {
        let asked = u32::try_from(wanted - found.len())
            .unwrap_or(u32::MAX)
            .saturating_add(SPARE);
        let read =
            load::chosen(app, scope, &filter, &Choice::Newest(before.clone(), asked)).await?;
        let is_behind = |place: &Before| before.as_ref().is_none_or(|before| place < before);
        let last = read
            .spans
            .iter()
            .filter(|span| is_asked_for(span))
            .map(place_of_span);
        let last = last.filter(is_behind).min();
        let requests = once(read.spans, &read.scores);
        found.extend(
            requests
                .into_iter()
                .filter(|request| is_behind(&place_of(request))),
        );
        match last {
            Some(last) if found.len() < wanted => before = Some(last),
            _ => break read.fleet,
        }
    };
    found.sort_by_key(|request| std::cmp::Reverse(place_of(request)));
    let has_more = found.len() >= wanted;
    found.truncate(limit.rows() as usize);
    let next_cursor = found
        .last()
        .filter(|_| has_more)
        .map(|last| cursor_of(&place_of(last)));
    found.reverse();
    let state = load::state_for(app, scope, &found, fleet).await?;
    let joined = working(move || Joined {
        requests: Requests::joined(&found, &state),
        state,
    });
    Ok(RequestPage {
        joined: joined.await?,
        next_cursor,
    })
}

/// Whether the store chose it, and not only a span beside it.
fn is_asked_for(span: &CallSpan) -> bool {
    span.is_chosen && span.kind == SpanKind::Generation && span.role != CallRole::Repeat
}

fn place_of_span(span: &CallSpan) -> Before {
    Before {
        start: span.start,
        trace_id: span.trace_id.clone(),
        span_id: span.span_id.clone(),
    }
}

fn place_of(request: &Request) -> Before {
    Before {
        start: request.start,
        trace_id: request.trace_id.clone(),
        span_id: request.span_id.clone(),
    }
}

/// The trace id with its length before it, for ids may hold any sign.
fn cursor_of(place: &Before) -> Cursor {
    let trace = place.trace_id.as_str();
    Cursor {
        start: place.start,
        id: format!("{}.{trace}{}", trace.len(), place.span_id),
    }
}

fn parse(cursor: &Cursor) -> Result<Before, Fault> {
    let read = || {
        let (length, ids) = cursor.id.split_once('.')?;
        let (trace, span) = ids.split_at_checked(length.parse().ok()?)?;
        Some(Before {
            start: cursor.start,
            trace_id: TraceId::from_text(trace).ok()?,
            span_id: SpanId::from_text(span).ok()?,
        })
    };
    let wrong = || Fault::invalid("cursor: is not one that this list gave").on_field("cursor");
    read().ok_or_else(wrong)
}
