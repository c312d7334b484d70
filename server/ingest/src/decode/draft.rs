//! Spans, resources and scopes while they are read, alike for both encodings.

use std::sync::Arc;

use domain::attr::otel;
use domain::ids::InvalidId;
use domain::span::{OtlpKind, Scope, SpanEvent, SpanLink, Status};
use domain::{Attributes, SpanId, TraceId, Value};

use super::allowance::{Allowance, MAX_SCOPE_ATTRIBUTES, Marks};
use super::{RawSpan, SpanRefusal, Undecodable};

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
    pub(super) fn finish(mut self, ids: Ids, marks: Marks) -> Result<RawSpan, SpanRefusal> {
        let parent_span_id = match ids.parent_span_id {
            Ok(id) => Some(id),
            Err(InvalidId::Empty) => None,
            Err(invalid) => return Err(SpanRefusal::ParentSpanId(invalid)),
        };
        self.keep_in_attributes();
        Ok(RawSpan {
            trace_id: ids.trace_id.map_err(SpanRefusal::TraceId)?,
            span_id: ids.span_id.map_err(SpanRefusal::SpanId)?,
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

/// What the spans of one `ResourceSpans` or one `ScopeSpans` have in common. Fields come in any
/// order, so it is given to the spans when all have been read.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) scope: Scope,
    pub(super) attributes: Attributes,
    bytes: usize,
    marks: Marks,
}

impl Shared {
    /// To be called when one of its parts has been read.
    pub(super) fn measure(&mut self, allowance: &Allowance) {
        self.bytes += allowance.shared_bytes();
        self.marks = self.marks.or(allowance.marks);
    }

    pub(super) fn give_as_resource(
        self,
        spans: &mut [RawSpan],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, spans.len())?;
        let resource = Arc::new(self.attributes);
        for span in spans {
            span.resource = Arc::clone(&resource);
            span.mark(self.marks);
        }
        Ok(())
    }

    /// A scope's attributes have no place of their own in the model and are kept among those of
    /// each span, under a prefix.
    pub(super) fn give_as_scope(
        mut self,
        spans: &mut [RawSpan],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, spans.len())?;
        self.marks.cut |= self.attributes.len() > MAX_SCOPE_ATTRIBUTES;
        self.attributes.truncate(MAX_SCOPE_ATTRIBUTES);
        for (key, _) in &mut self.attributes {
            *key = format!("{}{key}", otel::SCOPE_PREFIX).into();
        }
        let scope = Arc::new(self.scope);
        for span in spans {
            span.scope = Arc::clone(&scope);
            span.attributes.extend_from_slice(&self.attributes);
            span.mark(self.marks);
        }
        Ok(())
    }
}

impl RawSpan {
    fn mark(&mut self, marks: Marks) {
        self.cut |= marks.cut;
        self.invalid_utf8 |= marks.invalid_utf8;
    }
}
