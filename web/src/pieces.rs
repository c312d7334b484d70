//! Pieces of time as a reader's calendar has them: days, weeks and months begin where they do in the zone of the page.

use domain::{Nanos, Timestamp};
use jiff::{ToSpan, ZonedDateTime};

use crate::zone::Zone;

/// How long a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// So many seconds, a whole part of a day, counted from midnight.
    Seconds(u32),
    /// A day of the calendar.
    Day,
    /// From Monday to Monday.
    Week,
    /// A month of the calendar.
    Month,
}

/// Lengths that are taken by themselves, the shortest first.
const LENGTHS: [Piece; 14] = [
    Piece::Seconds(60),
    Piece::Seconds(120),
    Piece::Seconds(300),
    Piece::Seconds(600),
    Piece::Seconds(900),
    Piece::Seconds(1_800),
    Piece::Seconds(3_600),
    Piece::Seconds(7_200),
    Piece::Seconds(10_800),
    Piece::Seconds(21_600),
    Piece::Seconds(43_200),
    Piece::Day,
    Piece::Week,
    Piece::Month,
];

impl Piece {
    /// The shortest that cuts a stretch of time into at most about so many.
    pub(crate) fn fit((from, to): (Timestamp, Timestamp), most: u64) -> Self {
        let seconds = (to - from).0 / 1_000_000_000;
        let fits = |piece: &&Piece| seconds / piece.seconds() <= most;
        LENGTHS.iter().find(fits).copied().unwrap_or(Piece::Month)
    }

    /// Seconds of one; of a month, the fewest.
    pub(crate) fn seconds(self) -> u64 {
        match self {
            Piece::Seconds(seconds) => u64::from(seconds.max(1)),
            Piece::Day => 86_400,
            Piece::Week => 7 * 86_400,
            Piece::Month => 28 * 86_400,
        }
    }

    /// Whether it is a day or longer.
    pub(crate) fn is_of_days(self) -> bool {
        !matches!(self, Piece::Seconds(_))
    }

    /// Where the piece of an instant begins.
    pub(crate) fn floor(self, at: Timestamp, zone: &Zone) -> Timestamp {
        let midnight = |day: ZonedDateTime| day.start_of_day().ok();
        let local = zone.at(at);
        let floor = match self {
            Piece::Seconds(seconds) => {
                let into = zone.second_of_day(at) % i64::from(seconds.max(1));
                let into = u64::try_from(into).unwrap_or(0);
                return at.whole_seconds().minus(Nanos::from_seconds(into));
            }
            Piece::Day => midnight(local),
            Piece::Week => {
                let days = i64::from(local.weekday().to_monday_zero_offset());
                local.checked_sub(days.days()).ok().and_then(midnight)
            }
            Piece::Month => local.first_of_month().ok().and_then(midnight),
        };
        floor.and_then(|floor| instant(&floor)).unwrap_or(at)
    }

    /// Where the next one begins.
    fn next(self, beginning: Timestamp, zone: &Zone) -> Timestamp {
        let local = zone.at(beginning);
        let next = match self {
            Piece::Seconds(seconds) => {
                return beginning.plus(Nanos::from_seconds(u64::from(seconds.max(1))));
            }
            Piece::Day => local.checked_add(1.day()),
            Piece::Week => local.checked_add(1.week()),
            Piece::Month => local.checked_add(1.month()),
        };
        let next = next.and_then(|day| day.start_of_day()).ok();
        let next = next.and_then(|next| instant(&next));
        next.unwrap_or(Timestamp::MAX)
    }

    /// Where pieces of a stretch of time begin, in order, and where the last ends.
    pub(crate) fn edges(
        self,
        (from, to): (Timestamp, Timestamp),
        zone: &Zone,
    ) -> (Vec<Timestamp>, Timestamp) {
        let mut edges = vec![self.floor(from, zone)];
        loop {
            let last = edges.last().copied().unwrap_or(from);
            let next = self.next(last, zone);
            if next >= to || next <= last || edges.len() >= MOST {
                return (edges, next);
            }
            edges.push(next);
        }
    }
}

/// Most pieces of a range, whatever is asked for.
const MOST: usize = 750;

fn instant(local: &ZonedDateTime) -> Option<Timestamp> {
    let nanos = u64::try_from(local.timestamp().as_nanosecond()).ok()?;
    Timestamp::from_unix_nanos(nanos)
}

/// A piece in words: its day, or its times where it is shorter.
pub(crate) fn words(piece: Piece, (from, to): (Timestamp, Timestamp), zone: &Zone) -> String {
    match piece {
        Piece::Seconds(_) => zone.span(from, to),
        Piece::Day => zone.date(from),
        Piece::Week | Piece::Month => {
            let last = to.minus(Nanos::from_seconds(1));
            format!("{} – {}", zone.date(from), zone.date(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn texts(piece: Piece, range: (&str, &str), zone: &str) -> Vec<String> {
        let zone = Zone::from_name(zone).unwrap();
        let (edges, end) = piece.edges((at(range.0), at(range.1)), &zone);
        edges
            .into_iter()
            .chain([end])
            .map(|it| it.to_string())
            .collect()
    }

    #[test]
    fn days_are_those_of_the_zone_also_where_clocks_are_put_on() {
        let spring = ("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z");
        assert_eq!(
            texts(Piece::Day, spring, "Europe/Berlin"),
            [
                "2026-03-27T23:00:00.000000Z",
                "2026-03-28T23:00:00.000000Z",
                "2026-03-29T22:00:00.000000Z",
                "2026-03-30T22:00:00.000000Z"
            ]
        );
        let night = ("2026-06-28T00:30:00Z", "2026-06-28T23:30:00Z");
        let of = |zone| texts(Piece::Day, night, zone);
        assert_eq!(of("UTC").len(), 2);
        assert_eq!(of("America/Los_Angeles")[0], "2026-06-27T07:00:00.000000Z");
        assert_eq!(of("Asia/Shanghai")[0], "2026-06-27T16:00:00.000000Z");
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        let range = ("2026-03-12T02:31:00Z", "2026-03-12T03:00:00Z");
        assert_eq!(
            texts(Piece::Week, range, "UTC"),
            ["2026-03-09T00:00:00.000000Z", "2026-03-16T00:00:00.000000Z"]
        );
        assert_eq!(
            texts(Piece::Month, range, "Asia/Shanghai"),
            ["2026-02-28T16:00:00.000000Z", "2026-03-31T16:00:00.000000Z"]
        );
        assert_eq!(
            texts(Piece::Seconds(900), range, "Asia/Kathmandu"),
            [
                "2026-03-12T02:30:00.000000Z",
                "2026-03-12T02:45:00.000000Z",
                "2026-03-12T03:00:00.000000Z"
            ]
        );
    }

    #[test]
    fn a_range_has_as_many_pieces_as_can_be_told_apart() {
        for (hours, most) in [(1, 60), (6, 60), (24, 60), (168, 60), (8_760, 60)] {
            let from = at("2026-01-01T00:00:00Z");
            let range = (from, from.plus(Nanos::from_seconds(hours * 3_600)));
            let piece = Piece::fit(range, most);
            let (edges, _) = piece.edges(range, &Zone::utc());
            assert!(
                (12..=62).contains(&edges.len()),
                "{hours} h: {}",
                edges.len()
            );
        }
        let all = (Timestamp::EPOCH, at("2026-01-01T00:00:00Z"));
        assert!(Piece::Seconds(60).edges(all, &Zone::utc()).0.len() <= MOST);
    }
}
