//! How long a series remembers.

use super::number;
use super::quantile::mean;

/// Autocorrelation at `lag` around the series' own mean, divided by n as usual; 0 for a constant series.
pub fn autocorrelation(series: &[f64], lag: usize) -> f64 {
    let Some(middle) = mean(series) else {
        return 0.0;
    };
    let variance: f64 = series.iter().map(|value| (value - middle).powi(2)).sum();
    at_lag(series, middle, lag, variance)
}

/// Integrated autocorrelation time τ ≥ 1 in steps of the series: so many neighbours tell as much as one independent
/// value. τ = 1 + 2·Σ ρ(k), summed by Geyer's initial monotone sequence: pairs ρ(2k−1) + ρ(2k) while they are
/// positive, none larger than the one before. At most n/4, for more cannot be told from n values. Geyer, *Practical
/// Markov chain Monte Carlo*, 1992.
pub fn autocorrelation_time(series: &[f64]) -> f64 {
    let Some(middle) = mean(series) else {
        return 1.0;
    };
    let variance: f64 = series.iter().map(|value| (value - middle).powi(2)).sum();
    if variance <= 0.0 || !variance.is_finite() {
        return 1.0;
    }
    let most = (number(series.len()) / 4.0).max(1.0);
    let mut sum = 0.0;
    let mut before = f64::INFINITY;
    let mut lag = 1;
    while lag + 1 < series.len() && 1.0 + 2.0 * sum < most {
        let pair =
            at_lag(series, middle, lag, variance) + at_lag(series, middle, lag + 1, variance);
        if pair <= 0.0 {
            break;
        }
        before = pair.min(before);
        sum += before;
        lag += 2;
    }
    (1.0 + 2.0 * sum).clamp(1.0, most)
}

fn at_lag(series: &[f64], middle: f64, lag: usize, variance: f64) -> f64 {
    if variance <= 0.0 || lag >= series.len() {
        return 0.0;
    }
    let together: f64 = series[lag..]
        .iter()
        .zip(series)
        .map(|(later, earlier)| (later - middle) * (earlier - middle))
        .sum();
    together / variance
}
