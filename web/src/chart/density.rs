//! Columns of traffic with errors and latency, over the chosen range.

use domain::Timestamp;
use domain::trace::Density;

use super::clock::{Tick, ticks};
use super::number;
use crate::zone::Zone;

/// A column in a box of 1000 × 100.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    /// `v` for all traces, `e` for failed ones.
    pub(crate) class: &'static str,
    /// Left edge.
    pub(crate) x: String,
    /// Top edge.
    pub(crate) y: String,
    /// Width.
    pub(crate) width: String,
    /// Height.
    pub(crate) height: String,
}

/// The chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DensityChart {
    /// Columns, failed ones over all.
    pub(crate) columns: Vec<Column>,
    /// Path of the 95th percentile; empty without any.
    pub(crate) line: String,
    /// Times below.
    pub(crate) ticks: Vec<Tick>,
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;
/// Room above the highest column.
const HEADROOM: f64 = 0.9;
/// A failure shows even beside a thousand good ones.
const LEAST: f64 = 2.0;

/// Draws it.
pub(crate) fn draw(density: &Density, zone: &Zone) -> DensityChart {
    let buckets = &density.buckets;
    if buckets.is_empty() {
        return DensityChart::default();
    }
    let pitch = WIDTH / buckets.len() as f64;
    let gap = (pitch * 0.2).min(1.6);
    let most = buckets
        .iter()
        .map(|bucket| bucket.traces)
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    let mut columns = Vec::new();
    for (at, bucket) in buckets.iter().enumerate() {
        for (class, amount) in [("v", bucket.traces), ("e", bucket.errors)] {
            if amount > 0 {
                let height = (amount as f64 / most * HEIGHT * HEADROOM).max(LEAST);
                columns.push(Column {
                    class,
                    x: number(at as f64 * pitch),
                    y: number(HEIGHT - height),
                    width: number(pitch - gap),
                    height: number(height),
                });
            }
        }
    }
    DensityChart {
        columns,
        line: latency_line(density, pitch),
        ticks: ticks(range(density), zone),
    }
}

fn range(density: &Density) -> (Timestamp, Timestamp) {
    let from = density
        .buckets
        .first()
        .map_or(Timestamp::EPOCH, |first| first.start);
    let to = density
        .buckets
        .last()
        .map_or(from, |last| last.start.plus(density.step));
    (from, to)
}

/// The line breaks where a column has no latency.
fn latency_line(density: &Density, pitch: f64) -> String {
    let slowest = density
        .buckets
        .iter()
        .filter_map(|bucket| bucket.p95_ms)
        .fold(0.0, f64::max);
    if slowest <= 0.0 {
        return String::new();
    }
    let mut path = String::new();
    let mut pen_down = false;
    for (at, bucket) in density.buckets.iter().enumerate() {
        let Some(p95) = bucket.p95_ms else {
            pen_down = false;
            continue;
        };
        let (left, right) = (at as f64 * pitch, (at + 1) as f64 * pitch);
        let y = HEIGHT - p95 / slowest * HEIGHT * HEADROOM;
        let next_has_one = density
            .buckets
            .get(at + 1)
            .is_some_and(|next| next.p95_ms.is_some());
        if pen_down || next_has_one {
            let command = if pen_down { 'L' } else { 'M' };
            path.push_str(&format!(
                "{command}{} {}",
                number((left + right) / 2.0),
                number(y)
            ));
        } else {
            // Alone it would be no line: draw it as wide as its column.
            path.push_str(&format!(
                "M{} {}H{}",
                number(left),
                number(y),
                number(right)
            ));
        }
        pen_down = true;
    }
    path
}

#[cfg(test)]
mod tests {
    use domain::Nanos;
    use domain::trace::DensityBucket;

    use super::*;

    fn density(columns: u32, step_seconds: u64) -> Density {
        let from = Timestamp::parse("2026-03-12T02:14:00Z").unwrap();
        let step = Nanos::from_seconds(step_seconds);
        let buckets = (0..columns)
            .map(|n| DensityBucket {
                start: from.plus(Nanos(step.0 * u64::from(n))),
                traces: u64::from(n % 7) * 10,
                errors: u64::from(n % 7 == 3),
                p95_ms: (n % 7 > 0).then(|| f64::from(n % 7) * 100.0),
            })
            .collect();
        Density {
            step,
            buckets,
            traces: 0,
            errors: 0,
            p95_ms: None,
        }
    }

    #[test]
    fn columns_stay_within_the_box_and_apart() {
        let chart = draw(&density(120, 22), &Zone::utc());
        let number = |text: &str| text.parse::<f64>().unwrap();
        for column in &chart.columns {
            let (y, height) = (number(&column.y), number(&column.height));
            assert!(y >= 0.0 && (y + height - 100.0).abs() < 0.02 && height >= 2.0);
            assert!(number(&column.x) + number(&column.width) <= 1000.0);
        }
        let tallest = chart
            .columns
            .iter()
            .map(|c| number(&c.height))
            .fold(0.0, f64::max);
        assert!((tallest - 90.0).abs() < 0.1, "headroom is kept");
    }

    #[test]
    fn ticks_stand_on_round_times() {
        let chart = draw(&density(120, 22), &Zone::utc());
        let texts: Vec<_> = chart.ticks.iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "02:20", "02:25", "02:30", "02:35", "02:40", "02:45", "02:50", "02:55"
            ]
        );
        let days = draw(&density(120, 21_600), &Zone::utc());
        assert!(
            days.ticks
                .iter()
                .all(|tick| tick.text.contains("Mar") || tick.text.contains("Apr"))
        );
    }

    #[test]
    fn nothing_draws_nothing() {
        let none = Density {
            step: Nanos(1),
            buckets: vec![],
            traces: 0,
            errors: 0,
            p95_ms: None,
        };
        assert_eq!(draw(&none, &Zone::utc()), DensityChart::default());
    }
}
