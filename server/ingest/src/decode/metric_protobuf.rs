//! A metric as protobuf.

use domain::axes::bucket::Exponential;

use super::RawMetric;
use super::allowance::Allowance;
use super::metric::{RawExponential, RawHistogram, RawPoint, RawSummary, RawValue, Sort};
use super::otlp_protobuf::push_attribute;
use super::record::{Read, Record};
use super::wire::{Field, Wire};
use super::{Refusal, Undecodable};

type Result<T> = std::result::Result<T, Undecodable>;

/// How the points of one kind of metric are read.
type ReadPoint = fn(&[u8], &mut Allowance) -> Result<RawPoint>;

/// Reads a `Metric`.
pub(super) fn read_metric(bytes: &[u8], allowance: &mut Allowance) -> Read<RawMetric> {
    let mut metric = RawMetric::default();
    let mut data: Option<(ReadPoint, Sort, &[u8])> = None;
    let grows = |is_monotonic| Sort {
        is_sum: true,
        is_delta: false,
        is_monotonic,
    };
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(text)) => metric.name = allowance.string(text),
            // Log records have numbers here.
            (1, Field::Fixed64(_)) => return Ok(Err(Refusal::OtherSignal("metric"))),
            (3, Field::Bytes(text)) => metric.unit = allowance.string(text),
            (5, Field::Bytes(bytes)) => data = Some((read_number, Sort::default(), bytes)),
            (7, Field::Bytes(bytes)) => data = Some((read_number, grows(false), bytes)),
            (9, Field::Bytes(bytes)) => data = Some((read_histogram, grows(true), bytes)),
            (10, Field::Bytes(bytes)) => data = Some((read_exponential, grows(true), bytes)),
            (11, Field::Bytes(bytes)) => data = Some((read_summary, grows(true), bytes)),
            _ => {}
        }
    }
    metric.mark(allowance.marks);
    if let Some((read, sort, bytes)) = data {
        metric.sort = sort;
        read_data(bytes, read, &mut metric, allowance)?;
    }
    Ok(Ok(metric))
}

/// `Gauge`, `Sum`, `Histogram` and the others have their fields in the same places.
fn read_data(
    bytes: &[u8],
    read: ReadPoint,
    metric: &mut RawMetric,
    allowance: &mut Allowance,
) -> Result<()> {
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(point)) => {
                allowance.begin_record()?;
                match read(point, allowance) {
                    Ok(point) => metric.points.push(point),
                    Err(Undecodable::Malformed(why)) => {
                        metric.rejected.add(Refusal::Malformed("data point", why));
                    }
                    Err(too_much) => return Err(too_much),
                }
                metric.mark(allowance.marks);
            }
            (2, Field::Varint(temporality)) => metric.sort.is_delta = temporality == 1,
            (3, Field::Varint(flag)) => metric.sort.is_monotonic = flag != 0,
            _ => {}
        }
    }
    Ok(())
}

fn read_number(bytes: &[u8], allowance: &mut Allowance) -> Result<RawPoint> {
    let mut point = RawPoint::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (2, Field::Fixed64(nanos)) => point.start_unix_nanos = nanos,
            (3, Field::Fixed64(nanos)) => point.time_unix_nanos = nanos,
            (4, Field::Fixed64(bits)) => point.value = RawValue::Number(f64::from_bits(bits)),
            (6, Field::Fixed64(bits)) => point.value = RawValue::Number(whole(bits.cast_signed())),
            (7, Field::Bytes(pair)) => {
                push_attribute(pair, &mut point.attributes, allowance)?;
            }
            (8, Field::Varint(flags)) => point.flags = flags,
            _ => {}
        }
    }
    Ok(point)
}

fn read_histogram(bytes: &[u8], allowance: &mut Allowance) -> Result<RawPoint> {
    let mut point = RawPoint::default();
    let mut histogram = RawHistogram::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (2, Field::Fixed64(nanos)) => point.start_unix_nanos = nanos,
            (3, Field::Fixed64(nanos)) => point.time_unix_nanos = nanos,
            (4, Field::Fixed64(count)) => histogram.count = natural(count),
            (5, Field::Fixed64(bits)) => histogram.sum = Some(f64::from_bits(bits)),
            (6, field) => push_fixed(field, &mut histogram.counts, natural, allowance)?,
            (7, field) => push_fixed(field, &mut histogram.bounds, f64::from_bits, allowance)?,
            (9, Field::Bytes(pair)) => {
                push_attribute(pair, &mut point.attributes, allowance)?;
            }
            (10, Field::Varint(flags)) => point.flags = flags,
            _ => {}
        }
    }
    point.value = RawValue::Histogram(histogram);
    Ok(point)
}

fn read_exponential(bytes: &[u8], allowance: &mut Allowance) -> Result<RawPoint> {
    let mut point = RawPoint::default();
    let mut histogram = RawExponential::default();
    let mut scale = 0;
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(pair)) => {
                push_attribute(pair, &mut point.attributes, allowance)?;
            }
            (2, Field::Fixed64(nanos)) => point.start_unix_nanos = nanos,
            (3, Field::Fixed64(nanos)) => point.time_unix_nanos = nanos,
            (4, Field::Fixed64(count)) => histogram.count = natural(count),
            (5, Field::Fixed64(bits)) => histogram.sum = Some(f64::from_bits(bits)),
            (6, Field::Varint(bits)) => scale = signed32(bits),
            (7, Field::Fixed64(count)) => histogram.zero_count = natural(count),
            (8, Field::Bytes(buckets)) => histogram.positive = read_buckets(buckets, allowance)?,
            (9, Field::Bytes(buckets)) => histogram.negative = read_buckets(buckets, allowance)?,
            (10, Field::Varint(flags)) => point.flags = flags,
            (14, Field::Fixed64(bits)) => histogram.zero_threshold = f64::from_bits(bits),
            _ => {}
        }
    }
    (histogram.positive.scale, histogram.negative.scale) = (scale, scale);
    point.value = RawValue::Exponential(histogram);
    Ok(point)
}

fn read_buckets(bytes: &[u8], allowance: &mut Allowance) -> Result<Exponential> {
    let (mut offset, mut counts) = (0, Vec::new());
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(bits)) => offset = i64::from(signed32(bits)),
            (2, Field::Varint(count)) => {
                allowance.value()?;
                counts.push(natural(count));
            }
            (2, Field::Bytes(packed)) => {
                let mut packed = Wire::new(packed);
                while let Some(count) = packed.packed_varint()? {
                    allowance.value()?;
                    counts.push(natural(count));
                }
            }
            _ => {}
        }
    }
    Ok(Exponential {
        scale: 0,
        counts: (offset..).zip(counts).collect(),
    })
}

fn read_summary(bytes: &[u8], allowance: &mut Allowance) -> Result<RawPoint> {
    let mut point = RawPoint::default();
    let mut summary = RawSummary::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (2, Field::Fixed64(nanos)) => point.start_unix_nanos = nanos,
            (3, Field::Fixed64(nanos)) => point.time_unix_nanos = nanos,
            (4, Field::Fixed64(count)) => summary.count = natural(count),
            (5, Field::Fixed64(bits)) => summary.sum = f64::from_bits(bits),
            (6, Field::Bytes(pair)) => {
                allowance.value()?;
                let (mut quantile, mut value) = (0.0, 0.0);
                let mut fields = Wire::new(pair);
                while let Some((number, field)) = fields.next()? {
                    match (number, field) {
                        (1, Field::Fixed64(bits)) => quantile = f64::from_bits(bits),
                        (2, Field::Fixed64(bits)) => value = f64::from_bits(bits),
                        _ => {}
                    }
                }
                summary.quantiles.push((quantile, value));
            }
            (7, Field::Bytes(pair)) => {
                push_attribute(pair, &mut point.attributes, allowance)?;
            }
            (8, Field::Varint(flags)) => point.flags = flags,
            _ => {}
        }
    }
    point.value = RawValue::Summary(summary);
    Ok(point)
}

/// Numbers of 64 bits, packed or one by one.
pub(super) fn push_fixed(
    field: Field<'_>,
    numbers: &mut Vec<f64>,
    number: fn(u64) -> f64,
    allowance: &mut Allowance,
) -> Result<()> {
    match field {
        Field::Fixed64(bits) => {
            allowance.value()?;
            numbers.push(number(bits));
        }
        Field::Bytes(packed) => {
            let (chunks, rest) = packed.as_chunks::<8>();
            if !rest.is_empty() {
                let why = "a packed list ends in the middle of a number";
                return Err(Undecodable::Malformed(format!("protobuf: {why}")));
            }
            for chunk in chunks {
                allowance.value()?;
                numbers.push(number(u64::from_le_bytes(*chunk)));
            }
        }
        Field::Varint(_) | Field::Fixed32(_) | Field::Group => {}
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "values are kept as doubles")]
pub(super) fn natural(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::cast_precision_loss, reason = "values are kept as doubles")]
fn whole(number: i64) -> f64 {
    number as f64
}

/// A number in zigzag, of 64 bits.
pub(super) fn signed64(bits: u64) -> i64 {
    (bits >> 1).cast_signed() ^ -(bits & 1).cast_signed()
}

/// The same of 32 bits; what does not fit is as far out as it gets.
pub(super) fn signed32(bits: u64) -> i32 {
    let number = signed64(bits);
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}
