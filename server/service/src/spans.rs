//! Spans: list, show.

use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::{Fault, Span, SpanId, TraceId};

use crate::app::App;
use crate::scope::ProjectScope;

/// One span, whole; `None` when the project has no such span.
pub async fn show(app: &App, scope: &ProjectScope, trace_id: &TraceId, span_id: &SpanId) -> Result<Option<Span>, Fault> {
    unimplemented!()
}

/// All spans of one trace, whole, by start: for the API.
pub async fn of_trace(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<Vec<Span>, Fault> {
    unimplemented!()
}

/// Spans that match, newest first, whole.
pub async fn list(app: &App, scope: &ProjectScope, filter: &Filter, limit: Limit, cursor: Option<&Cursor>) -> Result<Page<Span>, Fault> {
    unimplemented!()
}
