//! Where a series changes its level.

use super::number;
use super::quantile::mean;

/// A change of level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePoint {
    /// Index of the first value of the new level, at least 1.
    pub at: usize,
    /// How much smaller the sum of squares around two levels is than around one, in [0, 1].
    pub explained: f64,
    /// Mean of the new level less mean of the old one.
    pub step: f64,
}

/// The one split that leaves the least squares around the two means: it maximises S²left/nleft + S²right/nright of the
/// centred series. O(n) by running sums. `None` for fewer than four values or a constant series.
pub fn change_point(series: &[f64]) -> Option<ChangePoint> {
    let middle = mean(series)?;
    let n = series.len();
    let total: f64 = series.iter().map(|value| (value - middle).powi(2)).sum();
    if n < 4 || total <= 0.0 || !total.is_finite() {
        return None;
    }
    let mut left = 0.0;
    let mut best: Option<(usize, f64)> = None;
    for (index, value) in series[..n - 1].iter().enumerate() {
        left += value - middle;
        let at = index + 1;
        let gain = left * left / number(at) + left * left / number(n - at);
        if best.is_none_or(|(_, most)| gain > most) {
            best = Some((at, gain));
        }
    }
    let (at, gain) = best?;
    Some(ChangePoint {
        at,
        explained: (gain / total).clamp(0.0, 1.0),
        step: mean(&series[at..])? - mean(&series[..at])?,
    })
}
