//! How far two series rise and fall together.

use super::number;

/// Pearson's correlation of pairs, −1 to 1. `None` for fewer than two pairs, where one side does not vary, and where
/// something is no number.
pub fn pearson(one: &[f64], other: &[f64]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = one.iter().copied().zip(other.iter().copied()).collect();
    if pairs.len() < 2 {
        return None;
    }
    let count = number(pairs.len());
    let mean_one = pairs.iter().map(|(a, _)| a).sum::<f64>() / count;
    let mean_other = pairs.iter().map(|(_, b)| b).sum::<f64>() / count;
    let (mut both, mut of_one, mut of_other) = (0.0, 0.0, 0.0);
    for (a, b) in &pairs {
        let (a, b) = (a - mean_one, b - mean_other);
        both += a * b;
        of_one += a * a;
        of_other += b * b;
    }
    let found = both / (of_one * of_other).sqrt();
    found.is_finite().then(|| found.clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_fully_correlated_and_constants_not_at_all() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(pearson(&rising, &[2.0, 4.0, 6.0, 8.0]), Some(1.0));
        assert_eq!(pearson(&rising, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        let found = pearson(&rising, &[1.0, 3.0, 2.0, 4.0]).unwrap();
        assert!((found - 0.8).abs() < 1e-12, "{found}");
        assert_eq!(pearson(&rising, &[5.0; 4]), None);
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&rising, &[1.0, 2.0, f64::NAN, 4.0]), None);
    }
}
