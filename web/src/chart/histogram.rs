//! How many values lie where, in a box of 1000 × 100: bars are as wide as what they cover, and their area is how many
//! there are, as bars of unequal width need it.

use domain::metrics::Bar;

use super::number;
use super::scale::{Scale, ScaleTick};
use crate::measure::Unit;

const WIDTH: f64 = 1000.0;
const HEADROOM: f64 = 0.94;

/// The chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HistogramChart {
    /// The path of all bars.
    pub(crate) path: String,
    /// Round values across.
    pub(crate) across: Vec<ScaleTick>,
    /// Left edge and width of each bar, in percent.
    pub(crate) places: Vec<(f64, f64)>,
}

/// Draws it; nothing without bars.
pub(crate) fn draw(bars: &[Bar], unit: Unit) -> HistogramChart {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else {
        return HistogramChart::default();
    };
    let (low, high) = (first.lower, last.upper);
    // One value alone has no width.
    let scale = match high > low {
        true => Scale::between(low, high),
        false => Scale::between(low - 0.5, low + 0.5),
    };
    let ends = |bar: &Bar| match high > low {
        true => (scale.share(bar.lower), scale.share(bar.upper)),
        false => (40.0, 60.0),
    };
    let density = |bar: &Bar| {
        let (left, right) = ends(bar);
        bar.height / (right - left).max(0.01)
    };
    let most = bars.iter().map(density).fold(0.0, f64::max);
    let mut chart = HistogramChart {
        across: scale.ticks(unit, 5, |value| scale.share(value)),
        ..HistogramChart::default()
    };
    for bar in bars {
        let (left, right) = ends(bar);
        chart.places.push((left, right - left));
        if most <= 0.0 || bar.height <= 0.0 {
            continue;
        }
        let top = 100.0 - (density(bar) / most * 100.0 * HEADROOM).max(1.0);
        let (left, right) = (left / 100.0 * WIDTH, right / 100.0 * WIDTH);
        chart.path.push_str(&format!(
            "M{} {}H{}V100H{}Z",
            number(left + 1.0),
            number(top),
            number((right - 1.0).max(left + 2.0)),
            number(left + 1.0)
        ));
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(lower: f64, upper: f64, height: f64) -> Bar {
        Bar {
            lower,
            upper,
            height,
        }
    }

    #[test]
    fn the_area_of_a_bar_is_how_many_there_are() {
        let chart = draw(&[bar(0.0, 1.0, 10.0), bar(1.0, 5.0, 20.0)], Unit::Count);
        assert_eq!(chart.path, "M1 6H199V100H1ZM201 53H999V100H201Z");
        assert_eq!(chart.places, [(0.0, 20.0), (20.0, 80.0)]);
    }

    #[test]
    fn one_value_stands_in_the_middle_and_none_nowhere() {
        assert_eq!(
            draw(&[bar(3.0, 3.0, 5.0)], Unit::Count).path,
            "M401 6H599V100H401Z"
        );
        assert_eq!(draw(&[], Unit::Count), HistogramChart::default());
    }
}
