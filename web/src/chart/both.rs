//! Two windows on the same bins, in a box of 1000 × 100: steps of the one filled, of the other as a line upon them.

use domain::attribution::answer::Distribution;

use super::number;
use super::scale::{Scale, ScaleTick};
use crate::i18n::Lang;
use crate::measure::Unit;

const WIDTH: f64 = 1000.0;
const HEADROOM: f64 = 0.94;
/// Round values below.
const TICKS: usize = 4;

/// The chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BothChart {
    /// What was: a line.
    pub(crate) before: String,
    /// What is: an area.
    pub(crate) after: String,
    /// Values below.
    pub(crate) across: Vec<ScaleTick>,
}

/// Draws it; `None` without bins.
pub(crate) fn draw(told: &Distribution, unit: Unit, lang: Lang) -> Option<BothChart> {
    let (first, last) = (*told.edges.first()?, *told.edges.last()?);
    let scale = Scale::between(first, last);
    let all = told.baseline.iter().chain(&told.alert);
    let most = all.copied().fold(0.0, f64::max);
    if most <= 0.0 || last <= first {
        return None;
    }
    let steps = |shares: &[f64]| {
        let mut path = format!("M{} 100", number(0.0));
        for (share, edges) in shares.iter().zip(told.edges.windows(2)) {
            let height = number(100.0 - share / most * 100.0 * HEADROOM);
            let right = number(scale.share(edges[1]) / 100.0 * WIDTH);
            path.push_str(&format!("V{height}H{right}"));
        }
        path.push_str("V100");
        path
    };
    Some(BothChart {
        before: steps(&told.baseline),
        after: format!("{}Z", steps(&told.alert)),
        across: match unit {
            Unit::Flag => flags(lang),
            unit => scale.ticks(unit, TICKS, |value| scale.share(value)),
        },
    })
}

/// What is yes or no has a bar for either.
fn flags(lang: Lang) -> Vec<ScaleTick> {
    let tick = |at: &str, text: &str| ScaleTick {
        at: at.to_owned(),
        text: text.to_owned(),
    };
    vec![tick("25", lang.t("no")), tick("75", lang.t("yes"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(edges: Vec<f64>, baseline: Vec<f64>, alert: Vec<f64>) -> Distribution {
        Distribution {
            series: "token.ttft_ms".to_owned(),
            axis: None,
            edges,
            baseline,
            alert,
            baseline_requests: 4,
            alert_requests: 4,
            group: None,
        }
    }

    #[test]
    fn both_stand_on_one_ground_and_share_one_scale() {
        let told = told(vec![0.0, 100.0, 200.0], vec![1.0, 0.0], vec![0.25, 0.75]);
        let chart = draw(&told, Unit::Ms, Lang::En).unwrap();
        assert_eq!(chart.before, "M0 100V6H500V100H1000V100");
        assert_eq!(chart.after, "M0 100V76.5H500V29.5H1000V100Z");
        assert!(!chart.across.is_empty());
    }

    #[test]
    fn without_bins_or_requests_there_is_nothing_to_draw() {
        let none = told(vec![], vec![], vec![]);
        assert_eq!(draw(&none, Unit::Count, Lang::En), None);
        let empty = told(vec![0.0, 1.0], vec![0.0], vec![0.0]);
        assert_eq!(draw(&empty, Unit::Count, Lang::En), None);
    }

    #[test]
    fn what_is_yes_or_no_is_said_so() {
        let told = told(vec![-0.5, 0.5, 1.5], vec![0.9, 0.1], vec![0.5, 0.5]);
        let chart = draw(&told, Unit::Flag, Lang::En).unwrap();
        let texts: Vec<&str> = chart.across.iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(texts, ["no", "yes"]);
    }
}
