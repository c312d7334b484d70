//! One value by another: the mean of each bin with its interval, and how many requests each has. In percent of the plot.

use domain::axes::joint::Joint;

use super::number;
use super::scale::{Scale, ScaleTick, extent};
use crate::measure::Unit;

/// Left and right edge of the plot.
const SIDES: (f64, f64) = (9.0, 98.0);
/// Top and bottom of means and intervals.
const MEANS: (f64, f64) = (6.0, 66.0);
/// Top and bottom of counts.
const COUNTS: (f64, f64) = (74.0, 90.0);
/// Requests of a bin whose interval is shown whole.
const ENOUGH: usize = 10;
/// Radius of the dot of a bin: of the fewest requests and of the most. Pixels.
const RADIUS: (f64, f64) = (2.0, 5.0);

/// A bin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinMark {
    /// Its place among the bins.
    pub(crate) at: usize,
    /// Left edge and width.
    pub(crate) x: String,
    /// Width.
    pub(crate) width: String,
    /// Its middle.
    pub(crate) middle: String,
    /// Height of the mean; empty without one.
    pub(crate) mean: String,
    /// Heights of the ends of the interval; empty without one.
    pub(crate) interval: Option<(String, String)>,
    /// Radius of its dot, in pixels.
    pub(crate) radius: String,
    /// Top and height of its count.
    pub(crate) count: (String, String),
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JointChart {
    /// Bins that have requests.
    pub(crate) bins: Vec<BinMark>,
    /// Values of the one along the foot.
    pub(crate) across: Vec<ScaleTick>,
    /// Values of the other along the side.
    pub(crate) up: Vec<ScaleTick>,
}

/// Draws it.
pub(crate) fn draw(joint: &Joint, (x, y): (Unit, Unit)) -> JointChart {
    let (Some(first), Some(last)) = (joint.bins.first(), joint.bins.last()) else {
        return JointChart::default();
    };
    // The interval of a handful says little but that it is wide: it is cut, and flattens nothing.
    let reached = joint.bins.iter().flat_map(|bin| {
        let interval = bin.interval.filter(|_| bin.count >= ENOUGH);
        let interval = interval.map(|(low, high)| [low, high]);
        bin.mean.into_iter().chain(interval.into_iter().flatten())
    });
    let least = joint.bins.iter().filter_map(|bin| bin.mean);
    let is_positive = least.fold(f64::INFINITY, f64::min) >= 0.0;
    let reached = reached.map(|value| if is_positive { value.max(0.0) } else { value });
    let Some(up) = extent(reached).and_then(|(low, high)| Scale::over([low, high].into_iter(), y))
    else {
        return JointChart::default();
    };
    let is_point = last.to <= first.from;
    let across = match is_point {
        true => Scale::between(first.from - 0.5, first.from + 0.5),
        false => Scale::between(first.from, last.to),
    };
    let side = |value: f64| within(SIDES, across.share(value));
    let height = |value: f64| within(MEANS, up.height(value));
    let most = joint
        .bins
        .iter()
        .map(|bin| bin.count)
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    let filled = joint
        .bins
        .iter()
        .enumerate()
        .filter(|(_, bin)| bin.count > 0);
    let bins = filled.map(|(at, bin)| {
        let (left, right) = match is_point {
            true => SIDES,
            false => (side(bin.from), side(bin.to)),
        };
        let part = bin.count as f64 / most;
        let top = COUNTS.1 - part * (COUNTS.1 - COUNTS.0);
        BinMark {
            at,
            x: number(left),
            width: number(right - left),
            middle: number(f64::midpoint(left, right)),
            mean: bin
                .mean
                .map_or_else(String::new, |mean| number(height(mean))),
            interval: bin
                .interval
                .map(|(low, high)| (number(height(high)), number(height(low)))),
            radius: number(RADIUS.0 + (RADIUS.1 - RADIUS.0) * part.sqrt()),
            count: (number(top), number((COUNTS.1 - top).max(0.6))),
        }
    });
    JointChart {
        bins: bins.collect(),
        across: across.ticks(x, 5, side),
        up: up.ticks(y, 4, height),
    }
}

fn within((from, to): (f64, f64), percent: f64) -> f64 {
    from + (to - from) * percent / 100.0
}

#[cfg(test)]
mod tests {
    use domain::axes::joint::Bin;

    use super::*;

    fn bin(from: f64, to: f64, count: usize, mean: Option<f64>) -> Bin {
        Bin {
            from,
            to,
            count,
            mean,
            interval: mean.map(|mean| (mean - 0.02, (mean + 0.01).min(1.0))),
        }
    }

    fn joint(bins: Vec<Bin>) -> Joint {
        Joint {
            count: bins.iter().map(|bin| bin.count).sum(),
            bins,
            is_share: true,
        }
    }

    #[test]
    fn bins_stand_side_by_side_with_their_mean_within_their_interval() {
        let all = joint(vec![
            bin(0.0, 0.25, 400, Some(0.93)),
            bin(0.25, 0.5, 0, None),
            bin(0.5, 0.75, 100, Some(0.98)),
        ]);
        let chart = draw(&all, (Unit::Share, Unit::Flag));
        let number = |text: &str| text.parse::<f64>().unwrap();
        assert_eq!(
            chart.bins.iter().map(|bin| bin.at).collect::<Vec<_>>(),
            [0, 2]
        );
        let right = number(&chart.bins[1].x) + number(&chart.bins[1].width);
        assert!((number(&chart.bins[0].x) - 9.0).abs() < 0.01 && (right - 98.0).abs() < 0.02);
        for bin in &chart.bins {
            let (top, bottom) = bin.interval.as_ref().unwrap();
            let mean = number(&bin.mean);
            assert!(number(top) < mean && mean < number(bottom));
            assert!(number(top) >= 6.0 && number(bottom) <= 66.0);
            assert!((number(&bin.count.0) + number(&bin.count.1) - 90.0).abs() < 0.02);
        }
        assert!(
            number(&chart.bins[0].mean) > number(&chart.bins[1].mean),
            "more is higher"
        );
        assert!(number(&chart.bins[0].radius) > number(&chart.bins[1].radius));
        assert!(!chart.up.is_empty() && !chart.across.is_empty());
    }

    #[test]
    fn nothing_draws_nothing_and_one_value_draws_one_bin() {
        assert_eq!(
            draw(&joint(vec![]), (Unit::Share, Unit::Flag)),
            JointChart::default()
        );
        let one = draw(
            &joint(vec![bin(1.0, 1.0, 9, Some(0.5))]),
            (Unit::Share, Unit::Flag),
        );
        assert_eq!(one.bins.len(), 1);
        assert_eq!(one.bins[0].middle, "53.5");
    }
}
