//! Which spans of a trace are requests: the rule of reports, `store_clickhouse`'s `calls/each.sql`. What an engine
//! records of a call counts where no client of the trace recorded it, and a call with another just below it is a wrapper.

use std::collections::HashSet;

use super::CallSpan;
use crate::SpanId;
use crate::span::{CallRole, SpanKind};

/// Places of the requests that were asked for, among spans of one trace.
pub(super) fn requests(trace: &[CallSpan]) -> Vec<usize> {
    let kinds = [
        SpanKind::Generation,
        SpanKind::Embedding,
        SpanKind::Reranker,
    ];
    let is_call = |span: &&CallSpan| span.role != CallRole::Repeat && kinds.contains(&span.kind);
    let is_engine = |span: &CallSpan| span.role == CallRole::Engine;
    let has_client = trace.iter().filter(is_call).any(|span| !is_engine(span));
    let told = |span: &&CallSpan| is_call(span) && !(has_client && is_engine(span));
    let wrappers: HashSet<&SpanId> = trace
        .iter()
        .filter(told)
        .filter(|span| span.has_usage)
        .filter_map(|span| span.parent_span_id.as_ref())
        .collect();
    let is_request = |span: &CallSpan| {
        let meant = span.is_chosen && span.kind == SpanKind::Generation;
        meant && told(&span) && !wrappers.contains(&span.span_id)
    };
    let requests = trace
        .iter()
        .enumerate()
        .filter(|(_, span)| is_request(span));
    requests.map(|(at, _)| at).collect()
}
