//! Spans of every dialect to the one clean model.

/// When a span began and ended.
mod times;

use domain::{Span, Timestamp};

use crate::decode::RawSpan;

/// Normalises.
pub fn normalise(raw: RawSpan, arrival: Timestamp) -> Span {
    let times = times::times(raw.start_unix_nanos, raw.end_unix_nanos, arrival);
    let mut span = Span::bare(raw.trace_id, raw.span_id, times.start);
    span.end = times.end;
    span.oddities = times.oddities;
    span.oddities.cut = raw.cut;
    span.oddities.invalid_utf8 = raw.invalid_utf8;
    span.parent_span_id = raw.parent_span_id;
    span.name = raw.name;
    span.otlp_kind = raw.otlp_kind;
    span.status = raw.status;
    span.attributes = raw.attributes;
    span.resource = raw.resource;
    span.scope = raw.scope;
    span.events = raw.events;
    span.links = raw.links;
    span
}
