//! OTLP metrics to series.
//!
//! A histogram becomes the series that Prometheus has of it: `…_bucket` with counts up to `le`, `…_count`, `…_sum`; so
//! the same histogram looks the same whichever way it came.

use std::sync::Arc;

use domain::axes::{Kind, Labels, Part};
use domain::{Attributes, Fault};

use super::tracks::{Point, Tracks};
use crate::decode::metric::{RawHistogram, RawMetric, RawPoint, RawValue};

/// Attributes of the sending process that tell its series from those of others, and what they are called as
/// labels: two have the names that Prometheus gives them.
const OF_RESOURCE: &[(&str, &str)] = &[
    ("service.name", "job"),
    ("service.instance.id", "instance"),
    ("service.namespace", "service.namespace"),
    ("service.version", "service.version"),
    ("deployment.environment.name", "deployment.environment.name"),
    ("deployment.environment", "deployment.environment.name"),
    ("host.name", "host.name"),
    ("host.id", "host.id"),
    ("container.id", "container.id"),
    ("k8s.namespace.name", "k8s.namespace.name"),
    ("k8s.pod.name", "k8s.pod.name"),
    ("k8s.node.name", "k8s.node.name"),
    ("k8s.container.name", "k8s.container.name"),
    ("server.address", "server.address"),
    ("server.port", "server.port"),
    ("gpu.uuid", "gpu.uuid"),
    ("hw.id", "hw.id"),
];

/// Adds the series of a metric; points that cannot be used are counted.
///
/// # Errors
/// `too_large` for too many series in one request.
pub fn add_metric(tracks: &mut Tracks, metric: RawMetric) -> Result<(), Fault> {
    tracks.rejected.append(metric.rejected);
    let unit: Arc<str> = metric.unit.into();
    let kind = match (metric.sort.is_delta, metric.sort.is_monotonic) {
        (true, _) => Kind::Increase,
        (false, true) => Kind::Counter,
        (false, false) => Kind::Gauge,
    };
    for point in metric.points {
        let labels = labels_of(&metric.resource, &point.attributes);
        let time = match point.time_unix_nanos {
            0 => Some(tracks.arrival()),
            nanos => tracks.time(nanos),
        };
        let Some(time) = time else {
            tracks
                .rejected
                .add("a time lies more than a day ahead or two years back");
            continue;
        };
        if let Err(why) = Tracks::check(&metric.name, &labels) {
            tracks.rejected.add(why);
            continue;
        }
        let began = Some(point.start_unix_nanos).filter(|nanos| *nanos > 0);
        let common = Point {
            name: &metric.name,
            labels,
            unit: &unit,
            kind,
            time,
            began: began.and_then(|nanos| tracks.time(nanos)),
        };
        add_point(tracks, &common, &point)?;
    }
    Ok(())
}

fn add_point(tracks: &mut Tracks, common: &Point<'_>, point: &RawPoint) -> Result<(), Fault> {
    let is_over = point.flags & 1 == 1;
    match &point.value {
        RawValue::Number(_) | RawValue::None if is_over => {
            tracks.push(common, ("", &[]), (common.kind, Part::Whole), f64::NAN)
        }
        RawValue::Histogram(_) | RawValue::Exponential(_) | RawValue::Summary(_) if is_over => {
            tracks.push_count_and_sum(common, f64::NAN, Some(f64::NAN))
        }
        RawValue::None => {
            tracks.rejected.add("a data point has no value");
            Ok(())
        }
        RawValue::Number(value) => {
            tracks.push(common, ("", &[]), (common.kind, Part::Whole), *value)
        }
        RawValue::Histogram(histogram) => add_histogram(tracks, common, histogram),
        RawValue::Exponential(histogram) => tracks.push_exponential(common, Some(histogram)),
        RawValue::Summary(summary) => {
            tracks.push_count_and_sum(common, summary.count, Some(summary.sum))?;
            for (quantile, value) in &summary.quantiles {
                let bounds = [("quantile", *quantile)];
                tracks.push(common, ("", &bounds), (Kind::Gauge, Part::Quantile), *value)?;
            }
            Ok(())
        }
    }
}

fn add_histogram(
    tracks: &mut Tracks,
    common: &Point<'_>,
    histogram: &RawHistogram,
) -> Result<(), Fault> {
    let RawHistogram { bounds, counts, .. } = histogram;
    let is_whole = counts.len() == bounds.len() + 1 || counts.is_empty() && bounds.is_empty();
    if !is_whole
        || !bounds.is_sorted_by(|one, other| one < other)
        || counts.iter().any(|count| count.is_nan())
    {
        tracks
            .rejected
            .add("a histogram's bounds and counts do not belong together");
        return Ok(());
    }
    tracks.push_count_and_sum(common, histogram.count, histogram.sum)?;
    let mut up_to = 0.0;
    for (bound, count) in bounds.iter().chain(&[f64::INFINITY]).zip(counts) {
        up_to += count;
        tracks.push(
            common,
            ("_bucket", &[("le", *bound)]),
            (common.kind, Part::Bucket),
            up_to,
        )?;
    }
    Ok(())
}

fn labels_of(resource: &Attributes, attributes: &Attributes) -> Labels {
    let of_resource = resource.iter().filter_map(|(key, value)| {
        let (_, label) = OF_RESOURCE.iter().find(|(known, _)| **known == **key)?;
        Some((Arc::from(*label), value.to_text().into()))
    });
    let own = attributes.iter().map(|(key, value)| {
        let text = value
            .as_str()
            .map_or_else(|| value.to_text(), str::to_owned);
        (Arc::clone(key), text.into())
    });
    Labels::new(of_resource.chain(own))
}
