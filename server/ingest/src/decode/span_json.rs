//! A span as JSON.

use domain::span::{EventSource, OtlpKind, SpanEvent, SpanLink, Status};
use domain::{Attributes, SpanId, Timestamp, TraceId};

use super::allowance::{Allowance, MAX_EVENTS};
use super::draft::{Draft, Ids};
use super::json::{Json, Kind};
use super::json_value::{
    Enumerator, list, object, read_attributes, read_enum, read_id, read_string, read_text, read_u64,
};
use super::otlp_json::{Lists, Result};
use super::{RawSpan, Refusal, kind_of, status_of};

/// The lists of an `ExportTraceServiceRequest`, older names included.
pub(super) const LISTS: Lists = Lists {
    resources: &["resourceSpans", "resource_spans"],
    scopes: &[
        "scopeSpans",
        "scope_spans",
        "instrumentationLibrarySpans",
        "instrumentation_library_spans",
    ],
    records: &["spans"],
};

/// Reads a `Span`.
pub(super) fn read_span(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
) -> Result<std::result::Result<RawSpan, Refusal>> {
    let (mut trace_id, mut span_id, mut parent) = (String::new(), String::new(), String::new());
    let mut span = Draft::default();
    json.object(|json, key| match key {
        "traceId" | "trace_id" => read_id(json, &mut trace_id),
        "spanId" | "span_id" => read_id(json, &mut span_id),
        "parentSpanId" | "parent_span_id" => read_id(json, &mut parent),
        _ => read_span_field(json, key, &mut span, allowance),
    })?;
    let ids = Ids {
        trace_id: TraceId::from_otlp_hex(&trace_id),
        span_id: SpanId::from_otlp_hex(&span_id),
        parent_span_id: SpanId::from_otlp_hex(&parent),
    };
    allowance.marks.invalid_utf8 |= json.replaced;
    Ok(span.finish(ids, allowance.marks))
}

fn read_span_field(
    json: &mut Json<'_>,
    key: &str,
    span: &mut Draft,
    allowance: &mut Allowance,
) -> Result<()> {
    match key {
        "traceState" | "trace_state" => {
            let state = read_text(json, allowance)?;
            span.trace_state = Some(state).filter(|state| !state.is_empty());
        }
        "name" => span.name = read_string(json, allowance)?,
        "kind" => {
            span.otlp_kind = match read_enum(json, "SPAN_KIND_")? {
                Enumerator::Number(number) => kind_of(number),
                Enumerator::Name(name) => OtlpKind::from_name(&name).unwrap_or_default(),
            };
        }
        "startTimeUnixNano" | "start_time_unix_nano" => {
            span.start_unix_nanos = read_u64(json)?.unwrap_or(0);
        }
        "endTimeUnixNano" | "end_time_unix_nano" => {
            span.end_unix_nanos = read_u64(json)?.unwrap_or(0);
        }
        "attributes" => {
            span.dropped_attributes += read_attributes(json, &mut span.attributes, allowance)?;
        }
        "droppedAttributesCount" | "dropped_attributes_count" => {
            span.dropped_attributes += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
        }
        "events" => list(json, |json| {
            if span.events.len() == MAX_EVENTS {
                span.dropped_events += 1;
                return json.skip().map(drop);
            }
            span.events.extend(read_event(json, allowance)?);
            Ok(())
        })?,
        "droppedEventsCount" | "dropped_events_count" => {
            span.dropped_events += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
        }
        "links" => list(json, |json| {
            if span.links.len() == MAX_EVENTS {
                span.dropped_links += 1;
                return json.skip().map(drop);
            }
            match read_link(json, allowance)? {
                Some(link) => span.links.push(link),
                None => span.dropped_links += 1,
            }
            Ok(())
        })?,
        "droppedLinksCount" | "dropped_links_count" => {
            span.dropped_links += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
        }
        "status" => object(json, |json, key| {
            read_status_field(json, key, span, allowance)
        })?,
        _ => drop(json.skip()?),
    }
    Ok(())
}

fn read_status_field(
    json: &mut Json<'_>,
    key: &str,
    span: &mut Draft,
    allowance: &mut Allowance,
) -> Result<()> {
    match key {
        "code" => {
            span.status = match read_enum(json, "STATUS_CODE_")? {
                Enumerator::Number(number) => status_of(number),
                Enumerator::Name(name) => Status::from_name(&name).unwrap_or_default(),
            };
        }
        "message" => span.status_message = read_string(json, allowance)?,
        _ => drop(json.skip()?),
    }
    Ok(())
}

/// `None` when it is no event at all.
fn read_event(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Option<SpanEvent>> {
    allowance.value()?;
    let mut event = SpanEvent {
        name: String::new(),
        time: Timestamp::EPOCH,
        attributes: Attributes::new(),
        source: EventSource::Span,
    };
    let is_object = json.peek()? == Kind::Object;
    object(json, |json, key| {
        match key {
            "timeUnixNano" | "time_unix_nano" => {
                let nanos = read_u64(json)?.unwrap_or(0);
                event.time = Timestamp::from_unix_nanos(nanos).unwrap_or(Timestamp::MAX);
            }
            "name" => event.name = read_string(json, allowance)?,
            "attributes" => {
                read_attributes(json, &mut event.attributes, allowance)?;
            }
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    Ok(is_object.then_some(event))
}

/// `None` when the link points to no possible span.
fn read_link(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Option<SpanLink>> {
    allowance.value()?;
    let (mut trace_id, mut span_id) = (String::new(), String::new());
    let mut attributes = Attributes::new();
    object(json, |json, key| {
        match key {
            "traceId" | "trace_id" => read_id(json, &mut trace_id)?,
            "spanId" | "span_id" => read_id(json, &mut span_id)?,
            "attributes" => {
                read_attributes(json, &mut attributes, allowance)?;
            }
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    let ids = (
        TraceId::from_otlp_hex(&trace_id),
        SpanId::from_otlp_hex(&span_id),
    );
    let (Ok(trace_id), Ok(span_id)) = ids else {
        return Ok(None);
    };
    Ok(Some(SpanLink {
        trace_id,
        span_id,
        attributes,
    }))
}
