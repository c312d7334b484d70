//! A span as protobuf.

use domain::span::{EventSource, SpanEvent, SpanLink};
use domain::{Attributes, SpanId, Timestamp, TraceId};

use super::allowance::{Allowance, MAX_EVENTS};
use super::draft::{Draft, Ids};
use super::otlp_protobuf::push_attribute;
use super::wire::{Field, Wire};
use super::{RawSpan, Refusal, Undecodable, kind_of, status_of};

/// Reads a `Span`.
pub(super) fn read_span(
    bytes: &[u8],
    allowance: &mut Allowance,
) -> Result<Result<RawSpan, Refusal>, Undecodable> {
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
        source: EventSource::Span,
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
