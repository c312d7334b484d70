//! OTLP trace requests as protobuf (`opentelemetry/proto/collector/trace/v1`), read in place.

use std::sync::Arc;

use domain::span::{SpanEvent, SpanLink};
use domain::{Attributes, SpanId, Timestamp, TraceId, Value};

use super::allowance::{Allowance, MAX_ATTRIBUTES, MAX_DEPTH, MAX_EVENTS, TOO_DEEP};
use super::draft::{Draft, Ids, Shared};
use super::wire::{Field, Wire};
use super::{Decoded, RawSpan, SpanRefusal, Undecodable, kind_of, status_of};

/// Room made at once, so that a usual span need not grow step by step.
const USUAL_ATTRIBUTES: usize = 16;

/// Reads an `ExportTraceServiceRequest`.
pub(super) fn traces(body: &[u8]) -> Result<Decoded, Undecodable> {
    let mut decoded = Decoded::default();
    let mut allowance = Allowance::new();
    let mut request = Wire::new(body);
    while let Some((number, field)) = request.next()? {
        if let (1, Field::Bytes(resource_spans)) = (number, field) {
            read_resource_spans(resource_spans, &mut allowance, &mut decoded)?;
        }
    }
    Ok(decoded)
}

fn read_resource_spans(
    bytes: &[u8],
    allowance: &mut Allowance,
    decoded: &mut Decoded,
) -> Result<(), Undecodable> {
    let first = decoded.spans.len();
    let mut resource = Shared::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => {
                allowance.begin_shared();
                let mut fields = Wire::new(bytes);
                while let Some((number, field)) = fields.next()? {
                    if let (1, Field::Bytes(pair)) = (number, field) {
                        push_attribute(pair, &mut resource.attributes, allowance)?;
                    }
                }
                resource.measure(allowance);
            }
            // 1000 is where OTLP before 0.15 had them, with the same fields.
            (2 | 1000, Field::Bytes(bytes)) => read_scope_spans(bytes, allowance, decoded)?,
            _ => {}
        }
    }
    resource.give_as_resource(&mut decoded.spans[first..], allowance)
}

fn read_scope_spans(
    bytes: &[u8],
    allowance: &mut Allowance,
    decoded: &mut Decoded,
) -> Result<(), Undecodable> {
    let first = decoded.spans.len();
    let mut shared = Shared::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => read_scope(bytes, &mut shared, allowance)?,
            (2, Field::Bytes(bytes)) => {
                allowance.begin_span()?;
                match read_span(bytes, allowance) {
                    Ok(Ok(span)) => decoded.spans.push(span),
                    Ok(Err(refusal)) => decoded.rejected.add(refusal),
                    Err(Undecodable::Malformed(why)) => {
                        decoded.rejected.add(SpanRefusal::Malformed(why));
                    }
                    Err(too_much) => return Err(too_much),
                }
            }
            _ => {}
        }
    }
    shared.give_as_scope(&mut decoded.spans[first..], allowance)
}

fn read_scope(
    bytes: &[u8],
    shared: &mut Shared,
    allowance: &mut Allowance,
) -> Result<(), Undecodable> {
    allowance.begin_shared();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(name)) => shared.scope.name = allowance.text(name),
            (2, Field::Bytes(version)) => shared.scope.version = allowance.text(version),
            (3, Field::Bytes(pair)) => {
                push_attribute(pair, &mut shared.attributes, allowance)?;
            }
            _ => {}
        }
    }
    shared.measure(allowance);
    Ok(())
}

fn read_span(
    bytes: &[u8],
    allowance: &mut Allowance,
) -> Result<Result<RawSpan, SpanRefusal>, Undecodable> {
    let (mut trace_id, mut span_id, mut parent): (&[u8], &[u8], &[u8]) = (&[], &[], &[]);
    let mut span = Draft::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => trace_id = bytes,
            (2, Field::Bytes(bytes)) => span_id = bytes,
            (3, Field::Bytes(b"")) => {}
            (3, Field::Bytes(text)) => span.trace_state = Some(allowance.text(text)),
            (4, Field::Bytes(bytes)) => parent = bytes,
            (5, Field::Bytes(text)) => span.name = allowance.string(text),
            (6, Field::Varint(kind)) => span.otlp_kind = kind_of(kind),
            (7, Field::Fixed64(nanos)) => span.start_unix_nanos = nanos,
            (8, Field::Fixed64(nanos)) => span.end_unix_nanos = nanos,
            (9, Field::Bytes(pair)) => {
                let kept = push_attribute(pair, &mut span.attributes, allowance)?;
                span.dropped_attributes += u64::from(!kept);
            }
            (10, Field::Varint(count)) => span.dropped_attributes += count & 0xffff_ffff,
            (11, Field::Bytes(_)) if span.events.len() == MAX_EVENTS => span.dropped_events += 1,
            (11, Field::Bytes(bytes)) => span.events.push(read_event(bytes, allowance)?),
            (12, Field::Varint(count)) => span.dropped_events += count & 0xffff_ffff,
            (13, Field::Bytes(_)) if span.links.len() == MAX_EVENTS => span.dropped_links += 1,
            (13, Field::Bytes(bytes)) => match read_link(bytes, allowance)? {
                Some(link) => span.links.push(link),
                None => span.dropped_links += 1,
            },
            (14, Field::Varint(count)) => span.dropped_links += count & 0xffff_ffff,
            (15, Field::Bytes(bytes)) => read_status(bytes, &mut span, allowance)?,
            _ => {}
        }
    }
    let ids = Ids {
        trace_id: TraceId::from_otlp_bytes(trace_id),
        span_id: SpanId::from_otlp_bytes(span_id),
        parent_span_id: SpanId::from_otlp_bytes(parent),
    };
    Ok(span.finish(ids, allowance.marks))
}

fn read_status(
    bytes: &[u8],
    span: &mut Draft,
    allowance: &mut Allowance,
) -> Result<(), Undecodable> {
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (2, Field::Bytes(text)) => span.status_message = allowance.string(text),
            (3, Field::Varint(code)) => span.status = status_of(code),
            _ => {}
        }
    }
    Ok(())
}

fn read_event(bytes: &[u8], allowance: &mut Allowance) -> Result<SpanEvent, Undecodable> {
    allowance.value()?;
    let mut event = SpanEvent {
        name: String::new(),
        time: Timestamp::EPOCH,
        attributes: Attributes::new(),
    };
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Fixed64(nanos)) => {
                event.time = Timestamp::from_unix_nanos(nanos).unwrap_or(Timestamp::MAX);
            }
            (2, Field::Bytes(text)) => event.name = allowance.string(text),
            (3, Field::Bytes(pair)) => {
                push_attribute(pair, &mut event.attributes, allowance)?;
            }
            _ => {}
        }
    }
    Ok(event)
}

/// `None` when the link points to no possible span.
fn read_link(bytes: &[u8], allowance: &mut Allowance) -> Result<Option<SpanLink>, Undecodable> {
    allowance.value()?;
    let (mut trace_id, mut span_id): (&[u8], &[u8]) = (&[], &[]);
    let mut attributes = Attributes::new();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => trace_id = bytes,
            (2, Field::Bytes(bytes)) => span_id = bytes,
            (4, Field::Bytes(pair)) => {
                push_attribute(pair, &mut attributes, allowance)?;
            }
            _ => {}
        }
    }
    let ids = (
        TraceId::from_otlp_bytes(trace_id),
        SpanId::from_otlp_bytes(span_id),
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

/// Reads a `KeyValue` into `attributes`; `false` when they are full.
fn push_attribute(
    bytes: &[u8],
    attributes: &mut Attributes,
    allowance: &mut Allowance,
) -> Result<bool, Undecodable> {
    if attributes.is_empty() {
        attributes.reserve(USUAL_ATTRIBUTES);
    }
    if attributes.len() >= MAX_ATTRIBUTES {
        allowance.marks.cut = true;
        return Ok(false);
    }
    attributes.push(read_pair(bytes, MAX_DEPTH, allowance)?);
    Ok(true)
}

fn read_pair(
    bytes: &[u8],
    levels_left: u32,
    allowance: &mut Allowance,
) -> Result<(Arc<str>, Value), Undecodable> {
    let (mut key, mut value): (&[u8], _) = (&[], None);
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => key = bytes,
            (2, Field::Bytes(bytes)) => value = Some(bytes),
            _ => {}
        }
    }
    let key = allowance.key(key);
    Ok((
        key,
        read_value(value.unwrap_or_default(), levels_left, allowance)?,
    ))
}

/// Reads an `AnyValue`; the last of several contents counts, as protobuf has it.
fn read_value(
    bytes: &[u8],
    levels_left: u32,
    allowance: &mut Allowance,
) -> Result<Value, Undecodable> {
    allowance.value()?;
    let mut value = Value::Null;
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        value = match (number, field) {
            (1, Field::Bytes(text)) => Value::Str(allowance.text(text)),
            (2, Field::Varint(flag)) => Value::Bool(flag != 0),
            (3, Field::Varint(number)) => Value::Int(number.cast_signed()),
            (4, Field::Fixed64(bits)) => Value::Double(f64::from_bits(bits)),
            (5 | 6, Field::Bytes(_)) if levels_left == 0 => {
                allowance.marks.cut = true;
                TOO_DEEP.into()
            }
            (5, Field::Bytes(bytes)) => Value::Array(read_list(bytes, |bytes| {
                read_value(bytes, levels_left - 1, allowance)
            })?),
            (6, Field::Bytes(bytes)) => Value::Map(read_list(bytes, |bytes| {
                read_pair(bytes, levels_left - 1, allowance)
            })?),
            (7, Field::Bytes(bytes)) => Value::Bytes(allowance.bytes(bytes)),
            _ => value,
        };
    }
    Ok(value)
}

/// The elements of an `ArrayValue` or a `KeyValueList`: both have them in field 1.
fn read_list<'a, T>(
    bytes: &'a [u8],
    mut read: impl FnMut(&'a [u8]) -> Result<T, Undecodable>,
) -> Result<Vec<T>, Undecodable> {
    let mut elements = Vec::new();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        if let (1, Field::Bytes(element)) = (number, field) {
            elements.push(read(element)?);
        }
    }
    Ok(elements)
}
