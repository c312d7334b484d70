//! Whether two samples come from one distribution.

use super::number;

/// The test of Kolmogorov and Smirnov for two samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KolmogorovSmirnov {
    /// The largest distance of the two distribution functions, in [0, 1].
    pub distance: f64,
    /// Probability of a distance as large from one distribution, by the limit for large samples.
    pub p_value: f64,
}

/// Of two ascending samples; `None` when one is empty or has what is no number. p = 2·Σ (−1)^(k−1)·exp(−2k²λ²), λ = d·√(nm/(n+m)):
/// Kolmogorov's limit, good from some ten values each.
pub fn kolmogorov_smirnov(one: &[f64], other: &[f64]) -> Option<KolmogorovSmirnov> {
    let is_sample = |values: &[f64]| !values.is_empty() && !values.iter().any(|x| x.is_nan());
    if !is_sample(one) || !is_sample(other) {
        return None;
    }
    let (n, m) = (number(one.len()), number(other.len()));
    let (mut at, mut other_at) = (0, 0);
    let mut distance = 0.0_f64;
    while at < one.len() && other_at < other.len() {
        let value = one[at].min(other[other_at]);
        at += one[at..].iter().take_while(|next| **next <= value).count();
        other_at += other[other_at..]
            .iter()
            .take_while(|next| **next <= value)
            .count();
        distance = distance.max((number(at) / n - number(other_at) / m).abs());
    }
    Some(KolmogorovSmirnov {
        distance,
        p_value: limit(distance * (n * m / (n + m)).sqrt()),
    })
}

/// Upper tail of Kolmogorov's distribution.
fn limit(lambda: f64) -> f64 {
    if lambda < 0.2 {
        // 1 to more digits than a double has.
        return 1.0;
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    for k in 1..=100 {
        let term = (-2.0 * (f64::from(k) * lambda).powi(2)).exp();
        sum += sign * term;
        sign = -sign;
        if term < 1e-18 {
            break;
        }
    }
    (2.0 * sum).clamp(0.0, 1.0)
}
