//! What a rule saw over a stretch of time: its line, its bound, what is usual, and marks at instants.

use domain::Timestamp;
use service::alerts::course::Point;

use super::clock::{Tick, place, ticks};
use super::scale::{Scale, ScaleTick};
use super::{lane, number};
use crate::measure::Unit;
use crate::zone::Zone;

/// An instant that is marked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Place, in percent.
    pub(crate) x: String,
    /// Symbol of `parts/icons.html`.
    pub(crate) icon: &'static str,
    /// Words beside it; empty where others are close.
    pub(crate) label: String,
    /// Whether the words stand on its left.
    pub(crate) is_left: bool,
    /// The exact time, on hover.
    pub(crate) exact: String,
}

/// The chart. Lines are in a box of 1000 × 100.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CourseChart {
    /// What was seen.
    pub(crate) line: String,
    /// What it was held against.
    pub(crate) limit: String,
    /// What is usual.
    pub(crate) band: String,
    /// Values at the left.
    pub(crate) values: Vec<ScaleTick>,
    /// Times below.
    pub(crate) times: Vec<Tick>,
    /// Marked instants.
    pub(crate) marks: Vec<Mark>,
}

/// Percent between two marks below which only one has words.
const APART: f64 = 12.0;
/// Lines at the left.
const VALUES: usize = 4;

/// The symbol of where something began: its words stand on the left, where nothing was wrong yet.
pub(crate) const BEGAN: &str = "m-deploy";

/// An instant to mark: when, by which symbol, in which words.
pub(crate) type Marked = (Timestamp, &'static str, String);

/// Draws it; nothing where nothing is known.
pub(crate) fn draw(
    points: &[Point],
    range: (Timestamp, Timestamp),
    unit: Unit,
    marked: &[Marked],
    zone: &Zone,
) -> CourseChart {
    let values: Vec<Option<f64>> = points.iter().map(|point| point.reading.value).collect();
    let bounds: Vec<Option<f64>> = points.iter().map(|point| point.reading.bound).collect();
    let bands: Vec<Option<(f64, f64)>> = points
        .iter()
        .map(|point| point.band.map(|(low, high)| (floor(unit, low), high)))
        .collect();
    let seen = values.iter().flatten().copied();
    let edges = bands.iter().flatten().flat_map(|(low, high)| [*low, *high]);
    let all = seen.clone().chain(bounds.iter().flatten().copied());
    let Some(scale) = Scale::over(all.chain(edges), unit).filter(|_| seen.count() > 0) else {
        return CourseChart::default();
    };
    CourseChart {
        line: lane::line(&values, scale),
        limit: lane::line(&bounds, scale),
        band: lane::band(&bands, scale),
        values: scale.ticks(unit, VALUES, |value| scale.height(value)),
        times: ticks(range, zone),
        marks: marks(range, marked, zone),
    }
}

/// What cannot be below zero is not drawn there.
fn floor(unit: Unit, low: f64) -> f64 {
    match unit {
        Unit::Celsius => low,
        _ => low.max(0.0),
    }
}

fn marks(range: (Timestamp, Timestamp), marked: &[Marked], zone: &Zone) -> Vec<Mark> {
    // Words on the left of one mark and on the right of the next do not meet.
    let mut last: [Option<f64>; 2] = [None, None];
    let inside = marked
        .iter()
        .filter(|(at, ..)| range.0 <= *at && *at <= range.1);
    inside
        .map(|(at, icon, label)| {
            let x = place(*at, range);
            let is_left = x > 80.0 || (*icon == BEGAN && x > APART);
            let side = &mut last[usize::from(is_left)];
            let is_close = side.is_some_and(|last| x - last < APART);
            let label = match is_close {
                true => String::new(),
                false => label.clone(),
            };
            if !label.is_empty() {
                *side = Some(x);
            }
            Mark {
                x: number(x),
                icon,
                label,
                is_left,
                exact: zone.exact(*at),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use domain::Nanos;
    use domain::alert::state::Reading;

    use super::*;

    fn point(minute: u64, value: Option<f64>) -> Point {
        Point {
            at: Timestamp::EPOCH.plus(Nanos::from_seconds(60 * minute)),
            reading: Reading {
                value,
                bound: value.map(|_| 400.0),
                ..Reading::default()
            },
            band: Some((-20.0, 200.0)),
        }
    }

    #[test]
    fn a_course_has_its_line_its_bound_and_marks_that_do_not_write_over_each_other() {
        let points = [point(1, Some(100.0)), point(2, None), point(3, Some(800.0))];
        let range = (
            Timestamp::EPOCH,
            Timestamp::EPOCH.plus(Nanos::from_seconds(180)),
        );
        let at = |second| Timestamp::EPOCH.plus(Nanos::from_seconds(second));
        let marked = [
            (at(90), "m-alert", "P1".to_owned()),
            (at(92), "m-label", "resolved".to_owned()),
            (at(900), "m-label", "later".to_owned()),
        ];
        let chart = draw(&points, range, Unit::Ms, &marked, &Zone::utc());
        assert!(!chart.line.is_empty() && !chart.limit.is_empty() && !chart.band.is_empty());
        let labels: Vec<&str> = chart.marks.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!(labels, ["P1", ""]);
        assert_eq!(chart.marks[0].x, "50");
        assert!(chart.values.iter().all(|tick| !tick.text.starts_with('−')));
        let nothing = draw(&[point(1, None)], range, Unit::Ms, &marked, &Zone::utc());
        assert_eq!(nothing, CourseChart::default());
    }
}
