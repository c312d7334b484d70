//! How fine time is cut.

use time::{Duration, OffsetDateTime, Time};

use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// Length of the pieces that time is cut into, in UTC. Weeks begin on Monday.
    Granularity, default Day {
        /// Minutes.
        Minute = "minute",
        /// Hours.
        Hour = "hour",
        /// Days.
        Day = "day",
        /// Weeks.
        Week = "week",
        /// Months.
        Month = "month",
    }
);

/// Where time is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Into pieces of the calendar, in UTC.
    By(Granularity),
    /// At instants of the reader's own, whole seconds in order: each begins a piece, the last ends with the range. So
    /// days can be those of any time zone.
    At(Vec<Timestamp>),
}

impl Cut {
    /// Beginnings of the pieces that a stretch of time touches, in order.
    pub fn pieces(&self, from: Timestamp, to: Timestamp) -> Vec<Timestamp> {
        match self {
            Cut::By(granularity) => granularity.pieces(from, to).collect(),
            Cut::At(edges) => edges.iter().copied().filter(|edge| *edge < to).collect(),
        }
    }
}

/// Up to how many hours which pieces are fit for a chart; beyond, months.
const FIT: [(u64, Granularity); 4] = [
    (2, Granularity::Minute),
    (72, Granularity::Hour),
    (1440, Granularity::Day),
    (8760, Granularity::Week),
];

impl Granularity {
    /// The one that fits a stretch of time: minutes below 2 hours, hours below 72, days below 1,440,
    /// weeks below 8,760, then months.
    pub fn fit(from: Timestamp, to: Timestamp) -> Self {
        let nanos = (to - from).0;
        let below = |(hours, _): &&(u64, Granularity)| nanos < hours * 3_600_000_000_000;
        FIT.iter()
            .find(below)
            .map_or(Granularity::Month, |(_, fit)| *fit)
    }

    /// The beginning of the piece in which an instant lies.
    #[must_use]
    pub fn floor(self, instant: Timestamp) -> Timestamp {
        let utc = instant.to_utc();
        let midnight = utc.replace_time(Time::MIDNIGHT);
        let floor = match self {
            Granularity::Minute => {
                utc - Duration::seconds(utc.second().into())
                    - Duration::nanoseconds(utc.nanosecond().into())
            }
            Granularity::Hour => midnight + Duration::hours(utc.hour().into()),
            Granularity::Day => midnight,
            Granularity::Week => {
                midnight - Duration::days(utc.weekday().number_days_from_monday().into())
            }
            Granularity::Month => first_of_month(midnight),
        };
        Timestamp::from(floor)
    }

    /// The beginning of the next piece.
    #[must_use]
    pub fn next(self, beginning: Timestamp) -> Timestamp {
        let utc = beginning.to_utc();
        let next = match self {
            Granularity::Minute => utc + Duration::minutes(1),
            Granularity::Hour => utc + Duration::hours(1),
            Granularity::Day => utc + Duration::days(1),
            Granularity::Week => utc + Duration::days(7),
            Granularity::Month => first_of_month(utc + Duration::days(31)),
        };
        Timestamp::from(next)
    }

    /// Beginnings of the pieces that a stretch of time touches, in order; none where it is empty.
    pub fn pieces(self, from: Timestamp, to: Timestamp) -> impl Iterator<Item = Timestamp> {
        let first = (from < to).then(|| self.floor(from));
        std::iter::successors(first, move |&at| {
            let next = self.next(at);
            // The end of time has no next piece.
            (next < to && next > at).then_some(next)
        })
    }

    /// Seconds of a piece; of a month, the fewest.
    pub fn seconds(self) -> u64 {
        match self {
            Granularity::Minute => 60,
            Granularity::Hour => 3_600,
            Granularity::Day => 86_400,
            Granularity::Week => 7 * 86_400,
            Granularity::Month => 28 * 86_400,
        }
    }
}

fn first_of_month(within: OffsetDateTime) -> OffsetDateTime {
    within - Duration::days(i64::from(within.day()) - 1)
}
