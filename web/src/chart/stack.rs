//! Columns over time, one part on the other.

use domain::Timestamp;
use domain::metrics::Granularity;

use super::clock::{Tick, ticks};
use super::number;
use super::scale::{Scale, ScaleTick};
use crate::measure::{Unit, written};
use crate::zone::Zone;

/// A part of a column, in a box of 1000 × 100.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Which series it is of: the number of its shade.
    pub(crate) shade: usize,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) width: String,
    pub(crate) height: String,
    /// Whose it is, when, and how much.
    pub(crate) title: String,
}

/// The chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stack {
    pub(crate) parts: Vec<Part>,
    /// Values at the left.
    pub(crate) values: Vec<ScaleTick>,
    /// Times below.
    pub(crate) times: Vec<Tick>,
}

/// Values of one series: what it is called, and a value a piece of time.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

/// Shades that can be told apart.
pub(crate) const SHADES: usize = 6;
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;
const VALUES: usize = 3;

/// Pieces of a range that a chart has, with their beginnings.
pub(crate) fn pieces((from, to): (Timestamp, Timestamp)) -> (Granularity, Vec<Timestamp>) {
    let granularity = Granularity::fit(from, to);
    (granularity, granularity.pieces(from, to).collect())
}

/// Draws series, the first at the foot; nothing where all is 0.
pub(crate) fn draw(
    series: &[Series],
    starts: &[Timestamp],
    range: (Timestamp, Timestamp),
    (unit, zone): (Unit, &Zone),
) -> Stack {
    let most = (0..starts.len())
        .map(|at| series.iter().map(|one| value(one, at)).sum::<f64>())
        .fold(0.0, f64::max);
    if most <= 0.0 {
        return Stack::default();
    }
    let scale = Scale::between(0.0, most * 1.06);
    let pitch = WIDTH / starts.len() as f64;
    let gap = (pitch * 0.15).min(4.0);
    let mut parts = Vec::new();
    for (at, start) in starts.iter().enumerate() {
        let mut foot = 0.0;
        for (shade, one) in series.iter().enumerate() {
            let amount = value(one, at);
            if amount <= 0.0 {
                continue;
            }
            let height = scale.share(amount) * HEIGHT / 100.0;
            foot += height;
            parts.push(Part {
                shade: shade.min(SHADES - 1),
                x: number(at as f64 * pitch),
                y: number(HEIGHT - foot),
                width: number(pitch - gap),
                height: number(height.max(0.3)),
                title: format!(
                    "{} {} {}",
                    one.name,
                    zone.minute(*start),
                    written(unit, amount)
                )
                .trim()
                .to_owned(),
            });
        }
    }
    Stack {
        parts,
        values: scale.ticks(unit, VALUES, |value| scale.height(value)),
        times: ticks(range, zone),
    }
}

fn value(series: &Series, at: usize) -> f64 {
    let value = series.values.get(at).copied().unwrap_or(0.0);
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use domain::Nanos;

    use super::*;

    #[test]
    fn parts_stand_on_each_other_and_end_within_the_box() {
        let range = (
            Timestamp::EPOCH,
            Timestamp::EPOCH.plus(Nanos::from_seconds(3 * 3600)),
        );
        let (granularity, starts) = pieces(range);
        assert_eq!((granularity, starts.len()), (Granularity::Hour, 3));
        let one = |name: &str, values: [f64; 3]| Series {
            name: name.to_owned(),
            values: values.into(),
        };
        let series = [one("a", [1.0, 0.0, 3.0]), one("b", [1.0, f64::NAN, 1.0])];
        let chart = draw(&series, &starts, range, (Unit::Count, &Zone::utc()));
        assert_eq!(chart.parts.len(), 4);
        let edge = |text: &str| text.parse::<f64>().unwrap();
        for part in &chart.parts {
            assert!(edge(&part.y) >= 0.0 && edge(&part.y) + edge(&part.height) <= 100.3);
        }
        let (lower, upper) = (&chart.parts[0], &chart.parts[1]);
        assert!((edge(&upper.y) + edge(&upper.height) - edge(&lower.y)).abs() < 0.1);
        let nothing = draw(&[], &starts, range, (Unit::Count, &Zone::utc()));
        assert_eq!(nothing, Stack::default());
    }
}
