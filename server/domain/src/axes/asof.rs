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

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(kind: Kind, samples: &[(u64, f64)]) -> Readings {
        let samples = samples.iter().map(|(second, value)| Sample {
            time: second_of(*second),
            value: *value,
        });
        Readings::new(kind, 1.0, samples)
    }

    fn second_of(second: u64) -> Timestamp {
        Timestamp::EPOCH.plus(Nanos::from_seconds(second))
    }

    fn moment(start: u64, end: u64) -> Moment {
        Moment::of(second_of(start), Some(second_of(end)))
    }

    #[test]
    fn the_latest_value_up_to_the_end_counts_else_the_first_after_it() {
        let gauge = readings(Kind::Gauge, &[(115, 3.0), (100, 1.0), (110, 2.0)]);
        for ((start, end), expected) in [
            ((111, 112), Some(2.0)),
            ((101, 130), Some(3.0)),
            ((115, 115), Some(3.0)),
            ((90, 99), Some(1.0)),
            ((84, 85), Some(1.0)),
            ((83, 84), None),
            ((130, 131), Some(3.0)),
            ((131, 131), None),
        ] {
            assert_eq!(gauge.at(&moment(start, end)), expected, "{start} {end}");
        }
    }

    #[test]
    fn a_series_that_ended_has_no_value() {
        let gauge = readings(Kind::Gauge, &[(100, 1.0), (105, f64::NAN), (110, 2.0)]);
        assert_eq!(gauge.at(&moment(101, 104)), Some(1.0));
        assert_eq!(gauge.at(&moment(101, 106)), None);
        assert_eq!(gauge.at(&moment(101, 110)), Some(2.0));
        assert_eq!(
            gauge
                .within(100_000, 110_001)
                .map(|(_, value)| value)
                .sum::<f64>(),
            3.0
        );
    }

    #[test]
    fn counters_grow_from_the_value_before_and_begin_again_at_zero() {
        let counter = readings(
            Kind::Counter,
            &[(90, 100.0), (105, 130.0), (120, 10.0), (200, 90.0)],
        );
        assert_eq!(counter.growth_at(&moment(106, 106)), Some(40.0));
        assert_eq!(counter.growth(91_000, 121_000, 0), Some(40.0));
        assert_eq!(counter.growth(91_000, 121_000, 91_000), Some(10.0));
        // The one before is too long ago.
        assert_eq!(counter.growth_at(&moment(200, 201)), None);
        assert_eq!(counter.growth_at(&moment(150, 151)), None);
        let increase = readings(Kind::Increase, &[(90, 5.0), (105, 7.0), (120, 1.0)]);
        assert_eq!(increase.growth(100_000, 121_000, 0), Some(8.0));
    }

    #[test]
    fn order_and_repetition_of_samples_change_nothing() {
        let samples = [
            (100, 1.0),
            (101, 4.0),
            (101, 3.0),
            (102, f64::NAN),
            (102, 7.0),
        ];
        let mut backwards: Vec<_> = samples.iter().chain(&samples).copied().collect();
        backwards.reverse();
        let there = readings(Kind::Counter, &samples);
        assert_eq!(there, readings(Kind::Counter, &backwards));
        assert_eq!(there.at(&moment(101, 101)), Some(4.0));
        assert_eq!(there.at(&moment(102, 102)), Some(7.0));
    }
}
