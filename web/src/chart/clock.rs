//! Round times along a range, and where instants stand in it.

use domain::Timestamp;

use super::number;
use crate::zone::Zone;

/// A time written below a chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Place, in percent.
    pub(crate) x: String,
    /// The time.
    pub(crate) text: String,
}

/// Where an instant stands in a range, in percent; outside of it at its edge.
pub(crate) fn place(at: Timestamp, (from, to): (Timestamp, Timestamp)) -> f64 {
    let whole = (to - from).0 as f64;
    let at = at.max(from).min(to);
    if whole > 0.0 {
        (at - from).0 as f64 / whole * 100.0
    } else {
        0.0
    }
}

/// At most nine round times of a range.
pub(crate) fn ticks((from, to): (Timestamp, Timestamp), zone: &Zone) -> Vec<Tick> {
    let whole = (to - from).0 as f64;
    if whole <= 0.0 {
        return Vec::new();
    }
    let seconds = whole / 1e9;
    let steps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
        86_400,
    ];
    let step = steps
        .into_iter()
        .find(|step| seconds / *step as f64 <= 9.0)
        .unwrap_or_else(|| 86_400 * ((seconds / 9.0 / 86_400.0).ceil() as i64));
    let into = zone.second_of_day(from) % step.min(86_400);
    let mut at = if into == 0 {
        from.unix_seconds()
    } else {
        from.unix_seconds() - into + step.min(86_400)
    };
    let mut ticks = Vec::new();
    while let Some(instant) =
        Timestamp::from_unix_millis(at.saturating_mul(1000)).filter(|t| *t < to)
    {
        let x = (instant - from).0 as f64 / whole * 100.0;
        // Closer to an edge the text would be cut, on a narrow screen first.
        if (5.0..=95.0).contains(&x) {
            let text = zone.tick(instant, step >= 86_400);
            ticks.push(Tick { x: number(x), text });
        }
        at += step;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_stand_where_their_time_is_and_never_outside() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let range = (at("2026-03-12T01:30:00Z"), at("2026-03-12T03:30:00Z"));
        assert_eq!(place(at("2026-03-12T02:30:00Z"), range), 50.0);
        assert_eq!(place(at("2026-03-12T01:00:00Z"), range), 0.0);
        assert_eq!(place(at("2026-03-12T04:00:00Z"), range), 100.0);
        assert_eq!(place(range.0, (range.0, range.0)), 0.0);
        let texts: Vec<String> = ticks(range, &Zone::utc())
            .into_iter()
            .map(|tick| tick.text)
            .collect();
        assert_eq!(
            texts,
            [
                "01:45", "02:00", "02:15", "02:30", "02:45", "03:00", "03:15"
            ]
        );
    }
}
