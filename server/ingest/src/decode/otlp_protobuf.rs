//! OTLP requests as protobuf (`opentelemetry/proto/collector`), read in place: what requests of spans
//! and of log records have in common.

use std::sync::Arc;

use domain::{Attributes, Value};

use super::allowance::{Allowance, MAX_ATTRIBUTES, MAX_DEPTH, TOO_DEEP};
use super::record::{Record, Shared};
use super::wire::{Field, Wire};
use super::{Decoded, Refusal, Undecodable};

/// Room made at once, so that a usual span need not grow step by step.
const USUAL_ATTRIBUTES: usize = 32;

/// Reads an `ExportTraceServiceRequest` or an `ExportLogsServiceRequest`.
pub(super) fn request<R: Record>(body: &[u8]) -> Result<Decoded<R>, Undecodable> {
    let mut decoded = Decoded::default();
    let mut allowance = Allowance::new();
    let mut request = Wire::new(body);
    while let Some((number, field)) = request.next()? {
        if let (1, Field::Bytes(of_resource)) = (number, field) {
            read_resource(of_resource, &mut allowance, &mut decoded)?;
        }
    }
    Ok(decoded)
}

fn read_resource<R: Record>(
    bytes: &[u8],
    allowance: &mut Allowance,
    decoded: &mut Decoded<R>,
) -> Result<(), Undecodable> {
    let first = decoded.records.len();
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
            (2 | 1000, Field::Bytes(bytes)) => read_scoped(bytes, allowance, decoded)?,
            _ => {}
        }
    }
    resource.give_as_resource(&mut decoded.records[first..], allowance)
}

fn read_scoped<R: Record>(
    bytes: &[u8],
    allowance: &mut Allowance,
    decoded: &mut Decoded<R>,
) -> Result<(), Undecodable> {
    let first = decoded.records.len();
    let mut shared = Shared::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(bytes)) => read_scope(bytes, &mut shared, allowance)?,
            (2, Field::Bytes(bytes)) => {
                allowance.begin_record()?;
                match R::from_protobuf(bytes, allowance) {
                    Ok(Ok(record)) => decoded.records.push(record),
                    Ok(Err(refusal)) => decoded.rejected.add(refusal),
                    Err(Undecodable::Malformed(why)) => {
                        decoded
                            .rejected
                            .add(Refusal::Malformed(R::SIGNAL.record(), why));
                    }
                    Err(too_much) => return Err(too_much),
                }
            }
            _ => {}
        }
    }
    shared.give_as_scope(&mut decoded.records[first..], allowance)
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

/// Reads a `KeyValue` into `attributes`; `false` when they are full.
pub(super) fn push_attribute(
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
pub(super) fn read_value(
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
