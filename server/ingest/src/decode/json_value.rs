//! Values of OTLP in JSON, read with an open hand.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use domain::{Attributes, Value};

use super::Undecodable;
use super::allowance::{Allowance, MAX_ATTRIBUTES, MAX_DEPTH, TOO_DEEP};
use super::json::{Json, Kind};

type Result<T> = std::result::Result<T, Undecodable>;

/// Reads a list of `KeyValue`; gives the number of those that had no room.
pub(super) fn read_attributes(
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
pub(super) fn read_value(
    json: &mut Json<'_>,
    levels_left: u32,
    allowance: &mut Allowance,
) -> Result<Value> {
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
pub(super) fn list<'a>(
    json: &mut Json<'a>,
    each: impl FnMut(&mut Json<'a>) -> Result<()>,
) -> Result<()> {
    match json.peek()? {
        Kind::Array => json.array(each),
        _ => json.skip().map(drop),
    }
}

/// An object; anything else counts as an empty one.
pub(super) fn object<'a>(
    json: &mut Json<'a>,
    each: impl FnMut(&mut Json<'a>, &str) -> Result<()>,
) -> Result<()> {
    match json.peek()? {
        Kind::Object => json.object(each),
        _ => json.skip().map(drop),
    }
}

/// A text; of a number or a flag its text, of anything else nothing.
pub(super) fn read_text(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Arc<str>> {
    match json.peek()? {
        Kind::String => Ok(allowance.text(json.string()?.as_bytes())),
        Kind::Number | Kind::Bool => Ok(json.word()?.into()),
        Kind::Object | Kind::Array | Kind::Null => json.skip().map(|_| Arc::default()),
    }
}

/// As [`read_text`], to be owned by the span alone.
pub(super) fn read_string(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<String> {
    read_text(json, allowance).map(|text| text.as_ref().to_owned())
}

/// The text of an id, not checked yet.
pub(super) fn read_id(json: &mut Json<'_>, id: &mut String) -> Result<()> {
    *id = match json.peek()? {
        Kind::String => json.string()?.into_owned(),
        Kind::Null => json.skip().map(|_| String::new())?,
        // Not hexadecimal, and therefore refused with that reason.
        _ => json.skip().map(|_| "?".to_owned())?,
    };
    Ok(())
}

/// A value of an enumeration.
pub(super) enum Enumerator {
    Number(u64),
    Name(String),
}

/// An enumeration: its number, or its name without `prefix`, lower-case.
pub(super) fn read_enum(json: &mut Json<'_>, prefix: &str) -> Result<Enumerator> {
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
pub(super) fn read_u64(json: &mut Json<'_>) -> Result<Option<u64>> {
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

/// A number as a double: as a number or as text, `NaN` and infinities among them. `None` for anything else.
pub(super) fn read_f64(json: &mut Json<'_>) -> Result<Option<f64>> {
    match json.peek()? {
        Kind::String => Ok(json.string()?.trim().parse().ok()),
        Kind::Number => Ok(json.word()?.parse().ok()),
        Kind::Array | Kind::Object | Kind::Bool | Kind::Null => json.skip().map(|_| None),
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
        ((0.0..1.8e19).contains(&double) && double.fract() == 0.0).then_some(double as u64)
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
