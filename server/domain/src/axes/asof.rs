//! The value of a series at a request's time.

use super::series::{Kind, Sample};
use crate::{Nanos, Timestamp};

/// How long before its start and after its end values are those of a request.
pub const REACH: Nanos = Nanos::from_seconds(15);
/// How far before that the value may lie from which a counter grew: two scrapes of half a minute.
pub const GROWTH_REACH: Nanos = Nanos::from_seconds(60);

/// A stretch of time whose values are a request's, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    from_ms: i64,
    end_ms: i64,
    to_ms: i64,
}

impl Moment {
    /// Of a request; one that did not end is as if it ended when it began.
    pub fn of(start: Timestamp, end: Option<Timestamp>) -> Self {
        let end = end.unwrap_or(start).max(start);
        Moment {
            from_ms: start.minus(REACH).unix_millis(),
            end_ms: end.unix_millis(),
            to_ms: end.plus(REACH).unix_millis(),
        }
    }
}

/// What a series did, in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    times: Vec<i64>,
    /// Not a number: the series ended there.
    values: Vec<f64>,
    /// What a counter had grown by since the first sample, restarts counted from zero.
    grown: Vec<f64>,
}

impl Readings {
    /// From samples in any order; of two of one instant the greater stays. `factor` makes its values those of the axis.
    pub fn new(kind: Kind, factor: f64, samples: impl IntoIterator<Item = Sample>) -> Self {
        let samples = samples.into_iter();
        let mut samples: Vec<(i64, f64)> = samples
            .map(|sample| (sample.time.unix_millis(), sample.value * factor))
            .collect();
        // Ends last: of an end and a value at one instant the value counts.
        samples.sort_by(|one, other| {
            let order = |value: f64| (value.is_nan(), std::cmp::Reverse(Ordered(value)));
            one.0
                .cmp(&other.0)
                .then_with(|| order(one.1).cmp(&order(other.1)))
        });
        samples.dedup_by_key(|(time, _)| *time);
        let mut readings = Readings {
            times: samples.iter().map(|(time, _)| *time).collect(),
            values: samples.iter().map(|(_, value)| *value).collect(),
            grown: Vec::new(),
        };
        readings.grown = readings.growths(kind);
        readings
    }

    fn growths(&self, kind: Kind) -> Vec<f64> {
        let (mut before, mut sum): (Option<f64>, f64) = (None, 0.0);
        let grown = self.values.iter().map(|&value| {
            if value.is_nan() {
                return sum;
            }
            sum += match (kind, before) {
                (Kind::Increase, _) => value,
                (_, None) => 0.0,
                (_, Some(before)) if value < before => value,
                (_, Some(before)) => value - before,
            };
            before = Some(value);
            sum
        });
        grown.collect()
    }

    /// The value at a request's time: the latest up to its end, else the first after that; `None` where none lies within
    /// reach, and where the series had ended.
    pub fn at(&self, moment: &Moment) -> Option<f64> {
        let behind = self.times.partition_point(|time| *time <= moment.end_ms);
        let before = behind
            .checked_sub(1)
            .filter(|at| self.times[*at] >= moment.from_ms);
        let at = before.or_else(|| {
            let next = Some(behind).filter(|at| *at < self.times.len())?;
            (self.times[next] <= moment.to_ms).then_some(next)
        })?;
        Some(self.values[at]).filter(|value| !value.is_nan())
    }

    /// What a counter grew by at a request's time: from the last value before it to the last one in it.
    pub fn growth_at(&self, moment: &Moment) -> Option<f64> {
        let oldest = moment.from_ms - to_ms(GROWTH_REACH);
        self.growth(moment.from_ms, moment.to_ms + 1, oldest)
    }

    /// What it grew by within from ≤ t < to, since the value before, if that is not older than `oldest`.
    pub fn growth(&self, from_ms: i64, to_ms: i64, oldest_ms: i64) -> Option<f64> {
        let first = self.times.partition_point(|time| *time < from_ms);
        let behind = self.times.partition_point(|time| *time < to_ms);
        if first == behind {
            return None;
        }
        let base = first
            .checked_sub(1)
            .filter(|at| self.times[*at] >= oldest_ms);
        let base = base.unwrap_or(first);
        (base < behind - 1).then(|| self.grown[behind - 1] - self.grown[base])
    }

    /// Times in milliseconds and values within from ≤ t < to, without ends.
    pub fn within(&self, from_ms: i64, to_ms: i64) -> impl Iterator<Item = (i64, f64)> {
        let first = self.times.partition_point(|time| *time < from_ms);
        let behind = self.times.partition_point(|time| *time < to_ms);
        let within = first..behind.max(first);
        let pairs = self.times[within.clone()].iter().zip(&self.values[within]);
        pairs
            .map(|(time, value)| (*time, *value))
            .filter(|(_, value)| !value.is_nan())
    }
}

fn to_ms(time: Nanos) -> i64 {
    i64::try_from(time.0 / 1_000_000).unwrap_or(i64::MAX)
}

#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
