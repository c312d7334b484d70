//! Metric requests, counted only: this version does not store them, and says so with the number of
//! data points that it did not take.

use domain::Fault;

use super::Encoding;
use super::Undecodable;
use super::json::{Json, Kind};
use super::wire::{Field, Wire};

/// One step towards the points: field number in protobuf, names in JSON.
type Step = (&'static [u32], &'static [&'static str]);

const DATA_POINTS: &[Step] = &[
    (&[1], &["resourceMetrics", "resource_metrics"]),
    (&[2], &["scopeMetrics", "scope_metrics"]),
    (&[2], &["metrics"]),
    (
        &[5, 7, 9, 10, 11],
        &[
            "gauge",
            "sum",
            "histogram",
            "exponentialHistogram",
            "exponential_histogram",
            "summary",
        ],
    ),
    (&[1], &["dataPoints", "data_points"]),
];

/// Data points of a metric request.
///
/// # Errors
/// `invalid` when the body is malformed.
pub fn data_points(encoding: Encoding, body: &[u8]) -> Result<u64, Fault> {
    Ok(match encoding {
        Encoding::Protobuf => count_protobuf(body, DATA_POINTS)?,
        Encoding::Json => {
            let mut json = Json::new(body);
            if json.peek()? != Kind::Object {
                return Err(json.malformed("an object is needed").into());
            }
            let count = count_json(&mut json, DATA_POINTS)?;
            json.end()?;
            count
        }
    })
}

fn count_protobuf(bytes: &[u8], steps: &[Step]) -> Result<u64, Undecodable> {
    let mut count = 0;
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (field, steps) {
            (Field::Bytes(inner), [(numbers, _), rest @ ..]) if numbers.contains(&number) => {
                count += if rest.is_empty() {
                    1
                } else {
                    count_protobuf(inner, rest)?
                };
            }
            _ => {}
        }
    }
    Ok(count)
}

fn count_json(json: &mut Json<'_>, steps: &[Step]) -> Result<u64, Undecodable> {
    let [(_, names), rest @ ..] = steps else {
        json.skip()?;
        return Ok(1);
    };
    if json.peek()? != Kind::Object {
        json.skip()?;
        return Ok(0);
    }
    let mut count = 0;
    json.object(|json, key| {
        match (names.contains(&key), json.peek()?) {
            (true, Kind::Array) => json.array(|json| {
                count += count_json(json, rest)?;
                Ok(())
            })?,
            (true, Kind::Object) => count += count_json(json, rest)?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    Ok(count)
}
