//! OTLP trace requests as JSON: protobuf's JSON mapping, with hexadecimal ids.
//!
//! Read with an open hand: names in camelCase and snake_case, 64-bit numbers as text, as numbers
//! or as two halves, enumerations by number or by name, unknown fields passed over. A field of an
//! impossible type counts as not sent; only ids can make a span unusable.

use domain::span::{OtlpKind, SpanEvent, SpanLink, Status};
use domain::{Attributes, SpanId, Timestamp, TraceId};

use super::allowance::{Allowance, MAX_EVENTS};
use super::draft::{Draft, Ids, Shared};
use super::json::{Json, Kind};
use super::json_value::{
    Enumerator, list, object, read_attributes, read_enum, read_id, read_string, read_text, read_u64,
};
use super::{Decoded, RawSpan, SpanRefusal, Undecodable, kind_of, status_of};

type Result<T> = std::result::Result<T, Undecodable>;

/// Reads an `ExportTraceServiceRequest`.
pub(super) fn traces(body: &[u8]) -> Result<Decoded> {
    let mut decoded = Decoded::default();
    let mut allowance = Allowance::new();
    let mut json = Json::new(body);
    let mut other_signal = false;
    json.object(|json, key| match key {
        "resourceSpans" | "resource_spans" => list(json, |json| {
            read_resource_spans(json, &mut allowance, &mut decoded)
        }),
        other => {
            other_signal |= other.starts_with("resource");
            json.skip().map(drop)
        }
    })?;
    json.end()?;
    if other_signal && decoded == Decoded::default() {
        return Err(Undecodable::Malformed(
            "trace request: it holds logs or metrics".to_owned(),
        ));
    }
    Ok(decoded)
}

fn read_resource_spans(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
    decoded: &mut Decoded,
) -> Result<()> {
    let first = decoded.spans.len();
    let mut resource = Shared::default();
    json.object(|json, key| match key {
        "resource" => object(json, |json, key| match key {
            "attributes" => {
                begin_shared(json, allowance);
                read_attributes(json, &mut resource.attributes, allowance)?;
                end_shared(json, &mut resource, allowance);
                Ok(())
            }
            _ => json.skip().map(drop),
        }),
        "scopeSpans"
        | "scope_spans"
        | "instrumentationLibrarySpans"
        | "instrumentation_library_spans" => {
            list(json, |json| read_scope_spans(json, allowance, decoded))
        }
        _ => json.skip().map(drop),
    })?;
    resource.give_as_resource(&mut decoded.spans[first..], allowance)
}

fn read_scope_spans(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
    decoded: &mut Decoded,
) -> Result<()> {
    let first = decoded.spans.len();
    let mut shared = Shared::default();
    json.object(|json, key| match key {
        "scope" | "instrumentationLibrary" | "instrumentation_library" => {
            begin_shared(json, allowance);
            object(json, |json, key| {
                match key {
                    "name" => shared.scope.name = read_text(json, allowance)?,
                    "version" => shared.scope.version = read_text(json, allowance)?,
                    "attributes" => {
                        read_attributes(json, &mut shared.attributes, allowance)?;
                    }
                    _ => drop(json.skip()?),
                }
                Ok(())
            })?;
            end_shared(json, &mut shared, allowance);
            Ok(())
        }
        "spans" => list(json, |json| {
            allowance.begin_span()?;
            json.replaced = false;
            if json.peek()? != Kind::Object {
                json.skip()?;
                let refusal = SpanRefusal::Malformed("it is not an object".to_owned());
                decoded.rejected.add(refusal);
                return Ok(());
            }
            match read_span(json, allowance)? {
                Ok(span) => decoded.spans.push(span),
                Err(refusal) => decoded.rejected.add(refusal),
            }
            Ok(())
        }),
        _ => json.skip().map(drop),
    })?;
    shared.give_as_scope(&mut decoded.spans[first..], allowance)
}

fn begin_shared(json: &mut Json<'_>, allowance: &mut Allowance) {
    allowance.begin_shared();
    json.replaced = false;
}

fn end_shared(json: &Json<'_>, shared: &mut Shared, allowance: &mut Allowance) {
    allowance.marks.invalid_utf8 |= json.replaced;
    shared.measure(allowance);
}

fn read_span(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
) -> Result<std::result::Result<RawSpan, SpanRefusal>> {
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
