//! Spans while they are read, alike for both encodings.

use std::sync::Arc;

use domain::attr::otel;
use domain::ids::InvalidId;
use domain::span::{OtlpKind, SpanEvent, SpanLink, Status};
use domain::{Attributes, SpanId, TraceId, Value};

use super::allowance::Marks;
use super::{RawSpan, Refusal};

/// A span of which some fields have been read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) otlp_kind: OtlpKind,
    pub(super) start_unix_nanos: u64,
    pub(super) end_unix_nanos: u64,
    pub(super) status: Status,
    pub(super) status_message: String,
    pub(super) attributes: Attributes,
    pub(super) events: Vec<SpanEvent>,
    pub(super) links: Vec<SpanLink>,
    pub(super) trace_state: Option<Arc<str>>,
    pub(super) dropped_attributes: u64,
    pub(super) dropped_events: u64,
    pub(super) dropped_links: u64,
}

/// The ids of a span, as far as they are good.
pub(super) struct Ids {
    pub(super) trace_id: Result<TraceId, InvalidId>,
    pub(super) span_id: Result<SpanId, InvalidId>,
    pub(super) parent_span_id: Result<SpanId, InvalidId>,
}

impl Draft {
    /// The whole span; no parent (or an all-zero one) means a root.
    pub(super) fn finish(mut self, ids: Ids, marks: Marks) -> Result<RawSpan, Refusal> {
        let parent_span_id = match ids.parent_span_id {
            Ok(id) => Some(id),
            Err(InvalidId::Empty) => None,
            Err(invalid) => return Err(Refusal::ParentSpanId(invalid)),
        };
        self.keep_in_attributes();
        Ok(RawSpan {
            trace_id: ids.trace_id.map_err(Refusal::TraceId)?,
            span_id: ids.span_id.map_err(Refusal::SpanId)?,
            parent_span_id,
            name: self.name,
            otlp_kind: self.otlp_kind,
            start_unix_nanos: self.start_unix_nanos,
            end_unix_nanos: self.end_unix_nanos,
            status: self.status,
            status_message: self.status_message,
            attributes: self.attributes,
            events: self.events,
            links: self.links,
            resource: Arc::default(),
            scope: Arc::default(),
            cut: marks.cut,
            invalid_utf8: marks.invalid_utf8,
        })
    }

    /// What OTLP has fields for and the model has not is kept under the names that OpenTelemetry
    /// gives it for formats without such fields.
    fn keep_in_attributes(&mut self) {
        let counts = [
            (otel::DROPPED_ATTRIBUTES_COUNT, self.dropped_attributes),
            (otel::DROPPED_EVENTS_COUNT, self.dropped_events),
            (otel::DROPPED_LINKS_COUNT, self.dropped_links),
        ];
        for (key, count) in counts {
            if count > 0 {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                self.attributes.push((key.into(), Value::Int(count)));
            }
        }
        if let Some(state) = self.trace_state.take() {
            self.attributes
                .push((otel::TRACE_STATE.into(), Value::Str(state)));
        }
    }
}
