//! Prometheus remote write: `prometheus.WriteRequest` (1.0) and `io.prometheus.write.v2.Request` (2.0), after Snappy.
//!
//! Facts: <https://prometheus.io/docs/specs/prw/remote_write_spec/> and `…/remote_write_spec_2_0/`.

use std::collections::HashMap;
use std::sync::Arc;

use domain::Fault;
use domain::axes::bucket::{Exponential, MAX_BUCKETS};

use super::Undecodable;
use super::allowance::Allowance;
use super::metric::RawExponential;
use super::metric_protobuf::{natural, push_fixed, signed32, signed64};
use super::wire::{Field, Wire};

type Result<T> = std::result::Result<T, Undecodable>;

/// Version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 1.0.
    One,
    /// 2.0.
    Two,
}

/// A series as it came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawSeries {
    /// Its labels in the order sent, its name among them as `__name__`.
    pub labels: Vec<(Arc<str>, Arc<str>)>,
    /// Number of its type in `MetricMetadata`; 0: not told.
    pub sort: u64,
    /// Its unit; empty: not told.
    pub unit: Arc<str>,
    /// Values with milliseconds since 1970.
    pub samples: Vec<(i64, f64)>,
    /// Histograms with milliseconds since 1970; without a value: there is none any more.
    pub histograms: Vec<(i64, Option<RawExponential>)>,
    /// Milliseconds since 1970 when it began at zero; 0: not told.
    pub began_ms: i64,
}

/// Reads a request, decompressed.
///
/// # Errors
/// `invalid` when it is malformed, `too_large` when it holds more than one request may.
pub fn remote_write(version: Version, body: &[u8]) -> std::result::Result<Vec<RawSeries>, Fault> {
    let mut allowance = Allowance::new();
    let series = match version {
        Version::One => read_one(body, &mut allowance)?,
        Version::Two => read_two(body, &mut allowance)?,
    };
    Ok(series)
}

fn read_one(body: &[u8], allowance: &mut Allowance) -> Result<Vec<RawSeries>> {
    let mut all = Vec::new();
    let mut told: HashMap<Arc<str>, (u64, Arc<str>)> = HashMap::new();
    let mut fields = Wire::new(body);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(series)) => all.push(read_series_one(series, allowance)?),
            (3, Field::Bytes(metadata)) => {
                allowance.begin_record()?;
                let (family, sort, unit) = read_metadata(metadata, allowance)?;
                told.insert(family, (sort, unit));
            }
            _ => {}
        }
    }
    for series in &mut all {
        let name = series
            .labels
            .iter()
            .find(|(label, _)| label.as_ref() == "__name__");
        let Some((_, name)) = name else { continue };
        let family = ["", "_bucket", "_sum", "_count", "_total"].into_iter();
        let mut known = family.filter_map(|suffix| told.get(name.strip_suffix(suffix)?));
        if let Some((sort, unit)) = known.next() {
            (series.sort, series.unit) = (*sort, Arc::clone(unit));
        }
    }
    Ok(all)
}

fn read_metadata(bytes: &[u8], allowance: &mut Allowance) -> Result<(Arc<str>, u64, Arc<str>)> {
    let (mut family, mut sort, mut unit) = (Arc::from(""), 0, Arc::from(""));
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(number)) => sort = number,
            (2, Field::Bytes(text)) => family = allowance.text(text),
            (5, Field::Bytes(text)) => unit = allowance.text(text),
            _ => {}
        }
    }
    Ok((family, sort, unit))
}

fn read_series_one(bytes: &[u8], allowance: &mut Allowance) -> Result<RawSeries> {
    allowance.begin_record()?;
    let mut series = RawSeries::default();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(label)) => {
                allowance.value()?;
                let (mut name, mut value): (&[u8], &[u8]) = (&[], &[]);
                let mut fields = Wire::new(label);
                while let Some((number, field)) = fields.next()? {
                    match (number, field) {
                        (1, Field::Bytes(text)) => name = text,
                        (2, Field::Bytes(text)) => value = text,
                        _ => {}
                    }
                }
                series
                    .labels
                    .push((allowance.key(name), allowance.key(value)));
            }
            (2, Field::Bytes(sample)) => push_sample(sample, &mut series, allowance)?,
            (4, Field::Bytes(histogram)) => push_histogram(histogram, &mut series, allowance)?,
            _ => {}
        }
    }
    Ok(series)
}

fn read_two(body: &[u8], allowance: &mut Allowance) -> Result<Vec<RawSeries>> {
    let mut symbols: Vec<Arc<str>> = Vec::new();
    let mut fields = Wire::new(body);
    while let Some((number, field)) = fields.next()? {
        if let (4, Field::Bytes(text)) = (number, field) {
            allowance.value()?;
            symbols.push(allowance.text(text));
        }
    }
    if symbols.first().is_some_and(|first| !first.is_empty()) {
        return Err(malformed("the first symbol is not empty"));
    }
    let mut all = Vec::new();
    let mut fields = Wire::new(body);
    while let Some((number, field)) = fields.next()? {
        if let (5, Field::Bytes(series)) = (number, field) {
            all.push(read_series_two(series, &symbols, allowance)?);
        }
    }
    Ok(all)
}

fn read_series_two(
    bytes: &[u8],
    symbols: &[Arc<str>],
    allowance: &mut Allowance,
) -> Result<RawSeries> {
    allowance.begin_record()?;
    let mut series = RawSeries::default();
    let mut references = Vec::new();
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(reference)) => references.push(reference),
            (1, Field::Bytes(packed)) => {
                let mut packed = Wire::new(packed);
                while let Some(reference) = packed.packed_varint()? {
                    allowance.value()?;
                    references.push(reference);
                }
            }
            (2, Field::Bytes(sample)) => push_sample(sample, &mut series, allowance)?,
            (3, Field::Bytes(histogram)) => push_histogram(histogram, &mut series, allowance)?,
            (5, Field::Bytes(metadata)) => {
                let mut fields = Wire::new(metadata);
                while let Some((number, field)) = fields.next()? {
                    match (number, field) {
                        (1, Field::Varint(number)) => series.sort = number,
                        (4, Field::Varint(unit)) => series.unit = symbol(symbols, unit)?,
                        _ => {}
                    }
                }
            }
            (6, Field::Varint(millis)) => series.began_ms = millis.cast_signed(),
            _ => {}
        }
    }
    let (pairs, odd) = references.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(malformed("a label has a name without a value"));
    }
    for [name, value] in pairs {
        series
            .labels
            .push((symbol(symbols, *name)?, symbol(symbols, *value)?));
    }
    Ok(series)
}

fn symbol(symbols: &[Arc<str>], reference: u64) -> Result<Arc<str>> {
    let found = usize::try_from(reference)
        .ok()
        .and_then(|at| symbols.get(at));
    found
        .cloned()
        .ok_or_else(|| malformed("a reference leads to no symbol"))
}

fn push_sample(bytes: &[u8], series: &mut RawSeries, allowance: &mut Allowance) -> Result<()> {
    allowance.value()?;
    let (mut value, mut millis) = (0.0, 0);
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Fixed64(bits)) => value = f64::from_bits(bits),
            (2, Field::Varint(number)) => millis = number.cast_signed(),
            _ => {}
        }
    }
    series.samples.push((millis, value));
    Ok(())
}

/// One side of a native histogram.
#[derive(Default)]
struct Side {
    /// How far from the end of the span before it a span begins, and how long it is.
    spans: Vec<(i64, usize)>,
    /// Counts, each less the one before it.
    deltas: Vec<f64>,
    /// Counts as they are.
    counts: Vec<f64>,
}

fn push_histogram(bytes: &[u8], series: &mut RawSeries, allowance: &mut Allowance) -> Result<()> {
    let (mut positive, mut negative) = (Side::default(), Side::default());
    let mut histogram = RawExponential::default();
    let (mut schema, mut millis) = (0, 0);
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(count)) => histogram.count = natural(count),
            (2, Field::Fixed64(bits)) => histogram.count = f64::from_bits(bits),
            (3, Field::Fixed64(bits)) => histogram.sum = Some(f64::from_bits(bits)),
            (4, Field::Varint(bits)) => schema = signed32(bits),
            (5, Field::Fixed64(bits)) => histogram.zero_threshold = f64::from_bits(bits),
            (6, Field::Varint(count)) => histogram.zero_count = natural(count),
            (7, Field::Fixed64(bits)) => histogram.zero_count = f64::from_bits(bits),
            (8, Field::Bytes(span)) => negative.spans.push(read_span(span, allowance)?),
            (9, field) => push_deltas(field, &mut negative.deltas, allowance)?,
            (10, field) => push_fixed(field, &mut negative.counts, f64::from_bits, allowance)?,
            (11, Field::Bytes(span)) => positive.spans.push(read_span(span, allowance)?),
            (12, field) => push_deltas(field, &mut positive.deltas, allowance)?,
            (13, field) => push_fixed(field, &mut positive.counts, f64::from_bits, allowance)?,
            (15, Field::Varint(number)) => millis = number.cast_signed(),
            _ => {}
        }
    }
    histogram.positive = positive.buckets(schema)?;
    histogram.negative = negative.buckets(schema)?;
    let is_over = histogram.sum.is_some_and(f64::is_nan) && histogram.count == 0.0;
    series
        .histograms
        .push((millis, (!is_over).then_some(histogram)));
    Ok(())
}

fn read_span(bytes: &[u8], allowance: &mut Allowance) -> Result<(i64, usize)> {
    allowance.value()?;
    let (mut offset, mut length) = (0, 0);
    let mut fields = Wire::new(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(bits)) => offset = i64::from(signed32(bits)),
            (2, Field::Varint(number)) => length = usize::try_from(number).unwrap_or(usize::MAX),
            _ => {}
        }
    }
    Ok((offset, length))
}

fn push_deltas(field: Field<'_>, deltas: &mut Vec<f64>, allowance: &mut Allowance) -> Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "counts are kept as doubles")]
    let mut push = |bits| {
        allowance.value()?;
        deltas.push(signed64(bits) as f64);
        Ok::<_, Undecodable>(())
    };
    match field {
        Field::Varint(bits) => push(bits)?,
        Field::Bytes(packed) => {
            let mut packed = Wire::new(packed);
            while let Some(bits) = packed.packed_varint()? {
                push(bits)?;
            }
        }
        Field::Fixed64(_) | Field::Fixed32(_) | Field::Group => {}
    }
    Ok(())
}

impl Side {
    fn buckets(self, scale: i32) -> Result<Exponential> {
        let mut counts = self.counts;
        let mut count = 0.0;
        for delta in self.deltas {
            count += delta;
            counts.push(count);
        }
        let mut counts = counts.into_iter();
        let mut buckets = Vec::new();
        // Bucket i of Prometheus ends at base^i, ours begins there.
        let mut index = -1_i64;
        for (offset, length) in self.spans {
            index += offset;
            if buckets.len().saturating_add(length) > MAX_BUCKETS {
                return Err(malformed("a histogram has more than 1,000 buckets"));
            }
            for _ in 0..length {
                let count = counts.next();
                let count =
                    count.ok_or_else(|| malformed("a histogram has fewer counts than buckets"))?;
                buckets.push((index, count));
                index += 1;
            }
        }
        Ok(Exponential {
            scale,
            counts: buckets,
        })
    }
}

fn malformed(why: &str) -> Undecodable {
    Undecodable::Malformed(format!("remote write: {why}"))
}
