//! Medians, quantiles, spread.

use super::number;

/// What makes the MAD of a normal distribution its standard deviation: 1 / Φ⁻¹(3/4).
pub const MAD_TO_SIGMA: f64 = 1.482_602_218_505_602;

/// Quantile `share` ∈ [0, 1] of ascending values, linear between neighbours (Hyndman and Fan's type 7, as `NumPy`
/// has it). `None` when there are none.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * number(last);
    let below = floor(place);
    let above = (below + 1).min(last);
    let part = place - number(below);
    Some(sorted[below] + (sorted[above] - sorted[below]) * part)
}

/// The values that are numbers, ascending.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut kept: Vec<f64> = values
        .into_iter()
        .filter(|value| value.is_finite())
        .collect();
    kept.sort_unstable_by(f64::total_cmp);
    kept
}

/// Median of ascending values.
pub fn median(sorted: &[f64]) -> Option<f64> {
    quantile(sorted, 0.5)
}

/// Median absolute deviation from the median, in the unit of the values, not scaled.
pub fn median_absolute_deviation(ascending: &[f64]) -> Option<f64> {
    let middle = median(ascending)?;
    median(&sorted(
        ascending.iter().map(|value| (value - middle).abs()),
    ))
}

/// Mean of the values; `None` when there are none.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / number(values.len()))
}

/// Standard deviation with n − 1; `None` for fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let middle = mean(values)?;
    (values.len() > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
        (squares / number(values.len() - 1)).sqrt()
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place within a slice is neither negative nor large"
)]
fn floor(place: f64) -> usize {
    place.max(0.0) as usize
}
