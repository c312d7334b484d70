//! Intervals of proportions.

use super::number;

/// 97.5 % quantile of the standard normal distribution: both sides leave 5 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Wilson's interval of a proportion, in [0, 1]: `hits` of `of`, `z` standard errors wide. (0, 1) when there is
/// nothing. Wilson, *Probable inference*, 1927.
pub fn wilson(hits: usize, of: usize, z: f64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = number(of);
    let p = number(hits.min(of)) / n;
    let square = z * z;
    let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    let half = z / (1.0 + square / n) * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}
