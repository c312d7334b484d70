//! OTLP requests as JSON: protobuf's JSON mapping, with hexadecimal ids. What requests of spans and
//! of log records have in common.
//!
//! Read with an open hand: names in camelCase and `snake_case`, 64-bit numbers as text, as numbers
//! or as two halves, enumerations by number or by name, unknown fields passed over. A field of an
//! impossible type counts as not sent; only ids can make a span unusable.

use super::allowance::Allowance;
use super::json::{Json, Kind};
use super::json_value::{list, object, read_attributes, read_text};
use super::record::{Record, Shared};
use super::{Decoded, Refusal, Undecodable};

pub(super) type Result<T> = std::result::Result<T, Undecodable>;

/// What the lists of a request are called.
pub(super) struct Lists {
    /// Of resources.
    pub(super) resources: &'static [&'static str],
    /// Of scopes.
    pub(super) scopes: &'static [&'static str],
    /// Of records.
    pub(super) records: &'static [&'static str],
}

/// Reads an `ExportTraceServiceRequest` or an `ExportLogsServiceRequest`.
pub(super) fn request<R: Record>(body: &[u8]) -> Result<Decoded<R>> {
    let mut decoded = Decoded::default();
    let mut allowance = Allowance::new();
    let mut json = Json::new(body);
    let mut other_signal = false;
    json.object(|json, key| {
        if R::LISTS.resources.contains(&key) {
            return list(json, |json| {
                read_resource(json, &mut allowance, &mut decoded)
            });
        }
        other_signal |= key.starts_with("resource");
        json.skip().map(drop)
    })?;
    json.end()?;
    if other_signal && decoded.is_empty() {
        return Err(Undecodable::Malformed(format!(
            "request: it holds no {}s",
            R::SIGNAL.record()
        )));
    }
    Ok(decoded)
}

fn read_resource<R: Record>(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
    decoded: &mut Decoded<R>,
) -> Result<()> {
    let first = decoded.records.len();
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
        key if R::LISTS.scopes.contains(&key) => {
            list(json, |json| read_scoped(json, allowance, decoded))
        }
        _ => json.skip().map(drop),
    })?;
    resource.give_as_resource(&mut decoded.records[first..], allowance)
}

fn read_scoped<R: Record>(
    json: &mut Json<'_>,
    allowance: &mut Allowance,
    decoded: &mut Decoded<R>,
) -> Result<()> {
    let first = decoded.records.len();
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
        key if R::LISTS.records.contains(&key) => list(json, |json| {
            allowance.begin_record()?;
            json.replaced = false;
            if json.peek()? != Kind::Object {
                json.skip()?;
                let why = "it is not an object".to_owned();
                let refusal = Refusal::Malformed(R::SIGNAL.record(), why);
                decoded.rejected.add(refusal);
                return Ok(());
            }
            match R::from_json(json, allowance)? {
                Ok(record) => decoded.records.push(record),
                Err(refusal) => decoded.rejected.add(refusal),
            }
            Ok(())
        }),
        _ => json.skip().map(drop),
    })?;
    shared.give_as_scope(&mut decoded.records[first..], allowance)
}

fn begin_shared(json: &mut Json<'_>, allowance: &mut Allowance) {
    allowance.begin_shared();
    json.replaced = false;
}

fn end_shared(json: &Json<'_>, shared: &mut Shared, allowance: &mut Allowance) {
    allowance.marks.invalid_utf8 |= json.replaced;
    shared.measure(allowance);
}
