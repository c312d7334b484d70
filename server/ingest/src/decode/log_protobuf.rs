//! A log record as protobuf.

use domain::{SpanId, TraceId};

use super::allowance::{Allowance, MAX_DEPTH};
use super::otlp_protobuf::{push_attribute, read_value};
use super::record::{Read, Record};
use super::wire::{Field, Wire};
use super::{RawLog, Refusal};

/// Reads a `LogRecord`.
pub(super) fn read_log(bytes: &[u8], allowance: &mut Allowance) -> Read<RawLog> {
    let (mut trace_id, mut span_id): (&[u8], &[u8]) = (&[], &[]);
    let mut log = RawLog::default();
    let mut dropped = 0;
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Fixed64(nanos)) => log.time_unix_nanos = nanos,
            // Spans and metrics have a text here.
            (1, Field::Bytes(_)) => return Ok(Err(Refusal::OtherSignal("log record"))),
            (2, Field::Varint(number)) => log.severity_number = number,
            (3, Field::Bytes(text)) => log.severity_text = allowance.string(text),
            (5, Field::Bytes(value)) => log.body = read_value(value, MAX_DEPTH, allowance)?,
            (6, Field::Bytes(pair)) => {
                let kept = push_attribute(pair, &mut log.attributes, allowance)?;
                dropped += u64::from(!kept);
            }
            (7, Field::Varint(count)) => dropped += count & 0xffff_ffff,
            (9, Field::Bytes(bytes)) => trace_id = bytes,
            (10, Field::Bytes(bytes)) => span_id = bytes,
            (11, Field::Fixed64(nanos)) => log.observed_unix_nanos = nanos,
            (12, Field::Bytes(text)) => log.event_name = allowance.string(text),
            _ => {}
        }
    }
    log.keep_ids(
        TraceId::from_otlp_bytes(trace_id),
        SpanId::from_otlp_bytes(span_id),
    );
    log.keep_dropped(dropped);
    log.mark(allowance.marks);
    Ok(Ok(log))
}
