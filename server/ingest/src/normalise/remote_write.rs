//! Series of Prometheus to series.

use std::sync::Arc;

use domain::Fault;
use domain::axes::{Kind, Labels, Part};

use super::tracks::{Point, Tracks};
use crate::decode::remote_write::RawSeries;

/// The label with the name of the series.
pub(super) const NAME: &str = "__name__";
/// Numbers of `MetricType` that grow: counters, histograms, summaries (their sums and counts).
const GROWING: [u64; 3] = [1, 3, 5];
/// Nanoseconds of a millisecond.
const MILLI: u64 = 1_000_000;

/// How many of a series' values were taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Plain samples.
    pub samples: u64,
    /// Native histograms.
    pub histograms: u64,
}

/// Adds a series; what cannot be used is counted.
///
/// # Errors
/// `too_large` for too many series in one request.
pub fn add_series(tracks: &mut Tracks, series: &RawSeries) -> Result<Written, Fault> {
    let mut written = Written::default();
    let (name, labels) = named(series);
    let mut names: Vec<&str> = series
        .labels
        .iter()
        .map(|(label, _)| label.as_ref())
        .collect();
    names.sort_unstable();
    let is_repeated = names.windows(2).any(|pair| pair[0] == pair[1]);
    let why = match Tracks::check(&name, &labels) {
        Ok(()) if is_repeated => Some("a label stands there twice"),
        Ok(()) => None,
        Err(why) => Some(why),
    };
    if let Some(why) = why {
        for _ in 0..series.samples.len() + series.histograms.len() {
            tracks.rejected.add(why);
        }
        return Ok(written);
    }
    let (kind, part) = kind_of(series, &name, &labels);
    let nanos = |millis: i64| u64::try_from(millis).unwrap_or(0).saturating_mul(MILLI);
    let began = tracks.time(nanos(series.began_ms));
    let at = |tracks: &mut Tracks, millis: i64, kind: Kind| {
        let time = tracks.time(nanos(millis));
        if time.is_none() {
            tracks
                .rejected
                .add("a time lies more than a day ahead or two years back");
        }
        Some(Point {
            name: &name,
            labels: labels.clone(),
            unit: &series.unit,
            kind,
            time: time?,
            began,
        })
    };
    for (millis, value) in &series.samples {
        if let Some(point) = at(tracks, *millis, kind) {
            tracks.push(&point, ("", &[]), (kind, part), *value)?;
            written.samples += 1;
        }
    }
    for (millis, histogram) in &series.histograms {
        if let Some(point) = at(tracks, *millis, Kind::Counter) {
            let before = tracks.rejected.count;
            tracks.push_exponential(&point, histogram.as_ref())?;
            written.histograms += u64::from(tracks.rejected.count == before);
        }
    }
    Ok(written)
}

fn named(series: &RawSeries) -> (Arc<str>, Labels) {
    let found = series
        .labels
        .iter()
        .find(|(label, _)| label.as_ref() == NAME);
    let name = found.map_or_else(|| Arc::from(""), |(_, name)| Arc::clone(name));
    let others = series
        .labels
        .iter()
        .filter(|(label, _)| label.as_ref() != NAME);
    (name, Labels::new(others.cloned()))
}

/// By what was told of its type, else by its name.
fn kind_of(series: &RawSeries, name: &str, labels: &Labels) -> (Kind, Part) {
    if labels.get("quantile").is_some() {
        return (Kind::Gauge, Part::Quantile);
    }
    if name.ends_with("_bucket") && labels.get("le").is_some() {
        return (Kind::Counter, Part::Bucket);
    }
    let is_told = series.sort != 0;
    let grows = GROWING.contains(&series.sort);
    let is_histogram = matches!(series.sort, 3 | 5);
    let suffixes = [
        ("_sum", Part::Sum),
        ("_count", Part::Count),
        ("_total", Part::Whole),
    ];
    let suffix = suffixes
        .into_iter()
        .find(|(suffix, _)| name.ends_with(suffix));
    match suffix {
        Some((_, part)) if is_histogram => (Kind::Counter, part),
        Some(_) if !is_told => (Kind::Counter, Part::Whole),
        _ if grows => (Kind::Counter, Part::Whole),
        _ => (Kind::Gauge, Part::Whole),
    }
}
