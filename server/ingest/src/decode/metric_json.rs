//! A metric as JSON.

use domain::axes::bucket::Exponential;

use super::RawMetric;
use super::allowance::Allowance;
use super::json::{Json, Kind};
use super::json_value::{
    Enumerator, list, object, read_attributes, read_enum, read_f64, read_string, read_u64,
};
use super::metric::{RawExponential, RawHistogram, RawPoint, RawSummary, RawValue};
use super::metric_protobuf::natural;
use super::otlp_json::{Lists, Result};
use super::record::{Read, Record};

/// The lists of an `ExportMetricsServiceRequest`.
pub(super) const LISTS: Lists = Lists {
    resources: &["resourceMetrics", "resource_metrics"],
    scopes: &["scopeMetrics", "scope_metrics"],
    records: &["metrics"],
};

/// What a kind of metric makes of a point's fields.
type Make = fn(Fields) -> RawValue;

/// Reads a `Metric`.
pub(super) fn read_metric(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<RawMetric> {
    let mut metric = RawMetric::default();
    json.object(|json, key| {
        match key {
            "name" => metric.name = read_string(json, allowance)?,
            "unit" => metric.unit = read_string(json, allowance)?,
            "gauge" => read_data(json, Fields::number, &mut metric, allowance)?,
            "sum" => {
                metric.sort.is_sum = true;
                read_data(json, Fields::number, &mut metric, allowance)?;
            }
            "histogram" => read_growing(json, Fields::histogram, &mut metric, allowance)?,
            "exponentialHistogram" | "exponential_histogram" => {
                read_growing(json, Fields::exponential, &mut metric, allowance)?;
            }
            "summary" => read_growing(json, Fields::summary, &mut metric, allowance)?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    allowance.marks.invalid_utf8 |= json.replaced;
    metric.mark(allowance.marks);
    Ok(Ok(metric))
}

fn read_growing(
    json: &mut Json<'_>,
    make: Make,
    metric: &mut RawMetric,
    allowance: &mut Allowance,
) -> Result<()> {
    (metric.sort.is_sum, metric.sort.is_monotonic) = (true, true);
    read_data(json, make, metric, allowance)
}

fn read_data(
    json: &mut Json<'_>,
    make: Make,
    metric: &mut RawMetric,
    allowance: &mut Allowance,
) -> Result<()> {
    object(json, |json, key| {
        match key {
            "dataPoints" | "data_points" => list(json, |json| {
                allowance.begin_record()?;
                let point = read_point(json, make, allowance)?;
                metric.points.push(point);
                metric.mark(allowance.marks);
                Ok(())
            })?,
            "aggregationTemporality" | "aggregation_temporality" => {
                metric.sort.is_delta = match read_enum(json, "AGGREGATION_TEMPORALITY_")? {
                    Enumerator::Number(number) => number == 1,
                    Enumerator::Name(name) => name == "delta",
                };
            }
            "isMonotonic" | "is_monotonic" if json.peek()? == Kind::Bool => {
                metric.sort.is_monotonic = json.word()? == "true";
            }
            _ => drop(json.skip()?),
        }
        Ok(())
    })
}

/// The fields that points of any kind have.
#[derive(Default)]
struct Fields {
    number: Option<f64>,
    count: f64,
    sum: Option<f64>,
    bounds: Vec<f64>,
    counts: Vec<f64>,
    scale: i32,
    zero_count: f64,
    zero_threshold: f64,
    positive: Exponential,
    negative: Exponential,
    quantiles: Vec<(f64, f64)>,
}

impl Fields {
    fn number(self) -> RawValue {
        self.number.map_or(RawValue::None, RawValue::Number)
    }

    fn histogram(self) -> RawValue {
        RawValue::Histogram(RawHistogram {
            count: self.count,
            sum: self.sum,
            bounds: self.bounds,
            counts: self.counts,
        })
    }

    fn exponential(mut self) -> RawValue {
        (self.positive.scale, self.negative.scale) = (self.scale, self.scale);
        RawValue::Exponential(RawExponential {
            count: self.count,
            sum: self.sum,
            zero_count: self.zero_count,
            zero_threshold: self.zero_threshold,
            positive: self.positive,
            negative: self.negative,
        })
    }

    fn summary(self) -> RawValue {
        RawValue::Summary(RawSummary {
            count: self.count,
            sum: self.sum.unwrap_or(0.0),
            quantiles: self.quantiles,
        })
    }
}

fn read_point(json: &mut Json<'_>, make: Make, allowance: &mut Allowance) -> Result<RawPoint> {
    let mut point = RawPoint::default();
    let mut fields = Fields::default();
    object(json, |json, key| {
        match key {
            "attributes" => drop(read_attributes(json, &mut point.attributes, allowance)?),
            "startTimeUnixNano" | "start_time_unix_nano" => {
                point.start_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "timeUnixNano" | "time_unix_nano" => {
                point.time_unix_nanos = read_u64(json)?.unwrap_or(0);
            }
            "flags" => point.flags = read_u64(json)?.unwrap_or(0),
            "asDouble" | "as_double" | "asInt" | "as_int" => fields.number = read_f64(json)?,
            "count" => fields.count = read_f64(json)?.unwrap_or(0.0),
            "sum" => fields.sum = read_f64(json)?,
            "bucketCounts" | "bucket_counts" => read_numbers(json, &mut fields.counts, allowance)?,
            "explicitBounds" | "explicit_bounds" => {
                read_numbers(json, &mut fields.bounds, allowance)?;
            }
            "scale" => fields.scale = read_i32(json)?,
            "zeroCount" | "zero_count" => fields.zero_count = read_f64(json)?.unwrap_or(0.0),
            "zeroThreshold" | "zero_threshold" => {
                fields.zero_threshold = read_f64(json)?.unwrap_or(0.0);
            }
            "positive" => fields.positive = read_buckets(json, allowance)?,
            "negative" => fields.negative = read_buckets(json, allowance)?,
            "quantileValues" | "quantile_values" => list(json, |json| {
                allowance.value()?;
                fields.quantiles.push(read_quantile(json)?);
                Ok(())
            })?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    allowance.marks.invalid_utf8 |= json.replaced;
    point.value = make(fields);
    Ok(point)
}

fn read_quantile(json: &mut Json<'_>) -> Result<(f64, f64)> {
    let (mut quantile, mut value) = (0.0, 0.0);
    object(json, |json, key| {
        match key {
            "quantile" => quantile = read_f64(json)?.unwrap_or(0.0),
            "value" => value = read_f64(json)?.unwrap_or(0.0),
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    Ok((quantile, value))
}

fn read_buckets(json: &mut Json<'_>, allowance: &mut Allowance) -> Result<Exponential> {
    let (mut offset, mut counts) = (0, Vec::new());
    object(json, |json, key| {
        match key {
            "offset" => offset = i64::from(read_i32(json)?),
            "bucketCounts" | "bucket_counts" => read_numbers(json, &mut counts, allowance)?,
            _ => drop(json.skip()?),
        }
        Ok(())
    })?;
    Ok(Exponential {
        scale: 0,
        counts: (offset..).zip(counts).collect(),
    })
}

fn read_numbers(
    json: &mut Json<'_>,
    numbers: &mut Vec<f64>,
    allowance: &mut Allowance,
) -> Result<()> {
    list(json, |json| {
        allowance.value()?;
        let halves = json.peek()? == Kind::Object;
        let number = if halves {
            read_u64(json)?.map(natural)
        } else {
            read_f64(json)?
        };
        numbers.push(number.unwrap_or(f64::NAN));
        Ok(())
    })
}

fn read_i32(json: &mut Json<'_>) -> Result<i32> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what does not fit is as far out as it gets"
    )]
    Ok(read_f64(json)?.unwrap_or(0.0) as i32)
}
