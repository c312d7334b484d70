//! When a span began and ended, and whether that can be believed.

use domain::span::Oddities;
use domain::{Nanos, Timestamp};

/// 2000-01-01: no telemetry is older; a smaller number is seconds or milliseconds by mistake.
const EARLIEST_UNIX_NANOS: u64 = 946_684_800_000_000_000;
/// Clocks may be ahead by so much.
const AHEAD: Nanos = Nanos::from_seconds(24 * 60 * 60);

/// Start and end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) start: Timestamp,
    pub(super) end: Option<Timestamp>,
    pub(super) oddities: Oddities,
}

/// An unbelievable start gives way to the end, or to the time of arrival, and is marked. An end
/// that is missing or unbelievable leaves the span open. An end before the start stays as it is.
pub(super) fn times(start_unix_nanos: u64, end_unix_nanos: u64, arrival: Timestamp) -> Times {
    let end = believable(end_unix_nanos, arrival);
    let mut oddities = Oddities::default();
    let start = believable(start_unix_nanos, arrival).unwrap_or_else(|| {
        oddities.start_unknown = true;
        end.unwrap_or(arrival)
    });
    oddities.end_before_start = end.is_some_and(|end| end < start);
    Times {
        start,
        end,
        oddities,
    }
}

fn believable(unix_nanos: u64, arrival: Timestamp) -> Option<Timestamp> {
    let latest = arrival.plus(AHEAD);
    Timestamp::from_unix_nanos(unix_nanos)
        .filter(|&time| unix_nanos >= EARLIEST_UNIX_NANOS && time <= latest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_790_000_000_000_000_000;

    fn at(unix_nanos: u64) -> Timestamp {
        Timestamp::from_unix_nanos(unix_nanos).unwrap()
    }

    #[test]
    fn good_times_are_kept_to_the_nanosecond() {
        let found = times(NOW - 1, NOW, at(NOW));
        let expected = Times {
            start: at(NOW - 1),
            end: Some(at(NOW)),
            oddities: Oddities::default(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn absurd_starts_are_marked_and_replaced() {
        let year_2100 = 4_102_444_800_000_000_000;
        for absurd in [0, 1, 1_750_000_000, 1_750_000_000_000, year_2100, u64::MAX] {
            let found = times(absurd, NOW - 5, at(NOW));
            assert!(found.oddities.start_unknown, "{absurd}");
            assert_eq!((found.start, found.end), (at(NOW - 5), Some(at(NOW - 5))));
            let found = times(absurd, 0, at(NOW));
            assert_eq!((found.start, found.end), (at(NOW), None));
        }
    }

    #[test]
    fn no_end_and_an_absurd_end_leave_the_span_open() {
        for absurd in [0, 1, 1_750_000_000, u64::MAX] {
            assert_eq!(times(NOW, absurd, at(NOW)).end, None);
        }
    }

    #[test]
    fn an_end_before_the_start_is_marked() {
        let found = times(NOW, NOW - 2_000_000_000, at(NOW));
        assert!(found.oddities.end_before_start);
        assert_eq!(found.end, Some(at(NOW - 2_000_000_000)));
    }
}
