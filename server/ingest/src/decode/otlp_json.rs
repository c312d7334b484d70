//! OTLP trace requests as JSON: protobuf's JSON mapping, with hexadecimal ids.
//!
//! Read with an open hand: names in camelCase and snake_case, 64-bit numbers as text, as numbers
//! or as two halves, enumerations by number or by name, unknown fields passed over. A field of an
//! impossible type counts as not sent; only ids can make a span unusable.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use domain::span::{OtlpKind, SpanEvent, SpanLink, Status};
use domain::{Attributes, SpanId, Timestamp, TraceId, Value};

use super::allowance::{Allowance, MAX_ATTRIBUTES, MAX_DEPTH, MAX_EVENTS, TOO_DEEP};
use super::json::{Json, Kind};
use super::{
    Decoded, Extras, RawSpan, Shared, SpanIds, SpanRefusal, Undecodable, kind_of, status_of,
};

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
    let mut name = String::new();
    let mut otlp_kind = OtlpKind::default();
    let (mut start_unix_nanos, mut end_unix_nanos) = (0, 0);
    let (mut status, mut status_message) = (Status::default(), String::new());
    let (mut attributes, mut events, mut links) = (Attributes::new(), Vec::new(), Vec::new());
    let mut extras = Extras::default();
    json.object(|json, key| {
        match key {
            "traceId" | "trace_id" => trace_id = read_id(json)?,
            "spanId" | "span_id" => span_id = read_id(json)?,
            "parentSpanId" | "parent_span_id" => parent = read_id(json)?,
            "traceState" | "trace_state" => {
                extras.trace_state = Some(read_text(json, allowance)?).filter(|t| !t.is_empty());
            }
            "name" => name = read_text(json, allowance)?.as_ref().to_owned(),
            "kind" => {
                otlp_kind = match read_enum(json, "SPAN_KIND_")? {
                    Enumerator::Number(number) => kind_of(number),
                    Enumerator::Name(name) => OtlpKind::from_name(&name).unwrap_or_default(),
                }
            }
            "startTimeUnixNano" | "start_time_unix_nano" => {
                start_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "endTimeUnixNano" | "end_time_unix_nano" => {
                end_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "attributes" => {
                extras.dropped_attributes += read_attributes(json, &mut attributes, allowance)?;
            }
            "droppedAttributesCount" | "dropped_attributes_count" => {
                extras.dropped_attributes += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
            }
            "events" => list(json, |json| {
                if events.len() == MAX_EVENTS {
                    extras.dropped_events += 1;
                    return json.skip().map(drop);
                }
                events.extend(read_event(json, allowance)?);
                Ok(())
            })?,
            "droppedEventsCount" | "dropped_events_count" => {
                extras.dropped_events += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
            }
            "links" => list(json, |json| {
                if links.len() == MAX_EVENTS {
                    extras.dropped_links += 1;
                    return json.skip().map(drop);
                }
                match read_link(json, allowance)? {
                    Some(link) => links.push(link),
                    None => extras.dropped_links += 1,
                }
                Ok(())
            })?,
            "droppedLinksCount" | "dropped_links_count" => {
                extras.dropped_links += read_u64(json)?.unwrap_or(0) & 0xffff_ffff;
            }
            "status" => object(json, |json, key| {
                match key {
                    "code" => {
                        status = match read_enum(json, "STATUS_CODE_")? {
                            Enumerator::Number(number) => status_of(number),
                            Enumerator::Name(name) => Status::from_name(&name).unwrap_or_default(),
                        }
                    }
                    "message" => {
                        status_message = read_text(json, allowance)?.as_ref().to_owned();
                    }
                    _ => drop(json.skip()?),
                }
                Ok(())
            })?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    extras.append_to(&mut attributes);
    let ids = SpanIds::new(
        TraceId::from_otlp_hex(&trace_id),
        SpanId::from_otlp_hex(&span_id),
        SpanId::from_otlp_hex(&parent),
    );
    Ok(ids.map(|ids| RawSpan {
        trace_id: ids.trace_id,
        span_id: ids.span_id,
        parent_span_id: ids.parent_span_id,
        name,
        otlp_kind,
        start_unix_nanos,
        end_unix_nanos,
        status,
        status_message,
        attributes,
        events,
        links,
        resource: Arc::default(),
        scope: Arc::default(),
        cut: allowance.marks.cut,
        invalid_utf8: allowance.marks.invalid_utf8 | json.replaced,
    }))
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
            "name" => event.name = read_text(json, allowance)?.as_ref().to_owned(),
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
            "traceId" | "trace_id" => trace_id = read_id(json)?,
            "spanId" | "span_id" => span_id = read_id(json)?,
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

/// Reads a list of `KeyValue`; gives the number of those that had no room.
fn read_attributes(
    json: &mut Json<'_>,
    attributes: &mut Attributes,
    allowance: &mut Allowance,
) -> Result<u64> {
    let mut dropped = 0;
    list(json, |json| {
        if attributes.len() >= MAX_ATTRIBUTES {
            allowance.marks.cut = true;
            dropped += 1;
            return json.skip().map(drop);
        }
        attributes.extend(read_pair(json, MAX_DEPTH, allowance)?);
        Ok(())
    })?;
    Ok(dropped)
}

/// `None` when it is no pair at all.
fn read_pair(
    json: &mut Json<'_>,
    levels_left: u32,
    allowance: &mut Allowance,
) -> Result<Option<(Arc<str>, Value)>> {
    allowance.value()?;
    let is_object = json.peek()? == Kind::Object;
    let (mut name, mut value) = (None, Value::Null);
    object(json, |json, key| {
        match key {
            "key" if json.peek()? == Kind::String => {
                name = Some(allowance.key(json.string()?.as_bytes()));
            }
            "value" => value = read_value(json, levels_left, allowance)?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    Ok(is_object.then(|| (name.unwrap_or_default(), value)))
}

/// Reads an `AnyValue`. Plain text, numbers and flags in its place are taken as what they are.
fn read_value(json: &mut Json<'_>, levels_left: u32, allowance: &mut Allowance) -> Result<Value> {
    allowance.value()?;
    match json.peek()? {
        Kind::Object => {}
        Kind::String => return Ok(Value::Str(read_text(json, allowance)?)),
        Kind::Number => return Ok(number(json.word()?)),
        Kind::Bool => return Ok(Value::Bool(json.word()? == "true")),
        Kind::Array | Kind::Null => {
            json.skip()?;
            return Ok(Value::Null);
        }
    }
    let mut value = Value::Null;
    json.object(|json, key| {
        value = match key {
            "stringValue" | "string_value" => Value::Str(read_text(json, allowance)?),
            "boolValue" | "bool_value" => {
                Value::Bool(read_text(json, allowance)?.as_ref() == "true")
            }
            "intValue" | "int_value" => read_int(json, allowance)?,
            "doubleValue" | "double_value" => read_double(json, allowance)?,
            "bytesValue" | "bytes_value" => {
                let text = read_text(json, allowance)?;
                BASE64
                    .decode(text.as_bytes())
                    .map_or_else(|_| Value::Str(text), Value::Bytes)
            }
            "arrayValue" | "array_value" | "kvlistValue" | "kvlist_value" if levels_left == 0 => {
                json.skip()?;
                allowance.marks.cut = true;
                TOO_DEEP.into()
            }
            "arrayValue" | "array_value" => {
                let mut elements = Vec::new();
                values(json, |json| {
                    elements.push(read_value(json, levels_left - 1, allowance)?);
                    Ok(())
                })?;
                Value::Array(elements)
            }
            "kvlistValue" | "kvlist_value" => {
                let mut pairs = Vec::new();
                values(json, |json| {
                    pairs.extend(read_pair(json, levels_left - 1, allowance)?);
                    Ok(())
                })?;
                Value::Map(pairs)
            }
            _ => {
                json.skip()?;
                return Ok(());
            }
        };
        Ok(())
    })?;
    Ok(value)
}

/// The `values` of an `ArrayValue` or a `KeyValueList`.
fn values(json: &mut Json<'_>, mut each: impl FnMut(&mut Json<'_>) -> Result<()>) -> Result<()> {
    object(json, |json, key| match key {
        "values" => list(json, &mut each),
        _ => json.skip().map(drop),
    })
}

/// A list; anything else counts as an empty one.
fn list<'a>(json: &mut Json<'a>, each: impl FnMut(&mut Json<'a>) -> Result<()>) -> Result<()> {
    match json.peek()? {
        Kind::Array => json.array(each),
        _ => json.skip().map(drop),
    }
}

/// An object; anything else counts as an empty one.
fn object<'a>(
    json: &mut Json<'a>,
    each: impl FnMut(&mut Json<'a>, &str) -> Result<()>,
) -> Result<()> {
    match json.peek()? {
        Kind::Object => json.object(each),
        _ => json.skip().map(drop),
    }
}

/// A text; of a number or a flag its text, of anything else nothing.
fn read_text(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Arc<str>> {
    match json.peek()? {
        Kind::String => Ok(allowance.text(json.string()?.as_bytes())),
        Kind::Number | Kind::Bool => Ok(json.word()?.into()),
        Kind::Object | Kind::Array | Kind::Null => json.skip().map(|_| Arc::default()),
    }
}

fn read_id(json: &mut Json<'_>) -> Result<String> {
    match json.peek()? {
        Kind::String => json.string().map(std::borrow::Cow::into_owned),
        Kind::Null => json.skip().map(|_| String::new()),
        // Not hexadecimal, and therefore refused with that reason.
        _ => json.skip().map(|_| "?".to_owned()),
    }
}

enum Enumerator {
    Number(u64),
    Name(String),
}

/// An enumeration: its number, or its name without `prefix`, lower-case.
fn read_enum(json: &mut Json<'_>, prefix: &str) -> Result<Enumerator> {
    if json.peek()? != Kind::String {
        return Ok(Enumerator::Number(read_u64(json)?.unwrap_or(0)));
    }
    let text = json.string()?;
    Ok(text.parse().map_or_else(
        |_| {
            Enumerator::Name(
                text.strip_prefix(prefix)
                    .unwrap_or(&text)
                    .to_ascii_lowercase(),
            )
        },
        Enumerator::Number,
    ))
}

/// A number of 64 bits: as text, as a number, or as two halves `{low, high}`, the way in which
/// some JavaScript writes them. `None` for anything else.
fn read_u64(json: &mut Json<'_>) -> Result<Option<u64>> {
    match json.peek()? {
        Kind::String => Ok(whole(&json.string()?)),
        Kind::Number => Ok(whole(json.word()?)),
        Kind::Object => {
            let (mut low, mut high) = (None, None);
            json.object(|json, key| {
                match key {
                    "low" => low = read_half(json)?,
                    "high" => high = read_half(json)?,
                    _ => drop(json.skip()?),
                }
                Ok(())
            })?;
            Ok(low.zip(high).map(|(low, high)| (high << 32) | low))
        }
        Kind::Array | Kind::Bool | Kind::Null => json.skip().map(|_| None),
    }
}

/// 32 bits, which JavaScript writes with a sign.
fn read_half(json: &mut Json<'_>) -> Result<Option<u64>> {
    if json.peek()? != Kind::Number {
        return json.skip().map(|_| None);
    }
    Ok(json
        .word()?
        .parse::<i64>()
        .ok()
        .map(|half| half.cast_unsigned() & 0xffff_ffff))
}

/// Never through a double where digits would be lost.
fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let double = text.parse::<f64>().ok()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "both are checked on the same line"
        )]
        (double >= 0.0 && double < 1.8e19 && double.fract() == 0.0).then_some(double as u64)
    })
}

/// A whole number that does not fit into 64 bits stays text, with every digit.
fn read_int(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Value> {
    if json.peek()? == Kind::Object {
        return Ok(read_u64(json)?.map_or(Value::Null, |bits| Value::Int(bits.cast_signed())));
    }
    let text = read_text(json, allowance)?;
    Ok(match number(text.trim()) {
        Value::Str(_) => Value::Str(text),
        number => number,
    })
}

fn read_double(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Value> {
    let text = read_text(json, allowance)?;
    Ok(match text.trim().parse::<f64>() {
        Ok(double) => Value::Double(double),
        Err(_) => Value::Str(text),
    })
}

/// A number of JSON with the type that it looks like.
fn number(text: &str) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return Value::Int(whole);
    }
    let has_digits_only = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    match text.parse::<f64>() {
        Ok(double) if !has_digits_only => Value::Double(double),
        _ => text.into(),
    }
}
