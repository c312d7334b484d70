//! Tables of counts.

use super::number;

/// What a table of counts says of the dependence of its rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependence {
    /// Pearson's χ², without a continuity correction.
    pub chi_square: f64,
    /// (r−1)(c−1), of rows and columns that are not empty.
    pub freedom: f64,
    /// Cramér's V with Bergsma's correction of its bias, in [0, 1].
    pub v: f64,
}

/// χ² and V of a table of rows of equal length; `None` unless two rows and two columns hold something.
///
/// φ² = max(0, χ²/n − (r−1)(c−1)/(n−1)), r' = r − (r−1)²/(n−1), c' likewise, V = √(φ² / min(r'−1, c'−1)).
/// Bergsma, *A bias-correction for Cramér's V and Tschuprow's T*, 2013.
pub fn dependence(table: &[Vec<f64>]) -> Option<Dependence> {
    let width = table.iter().map(Vec::len).max()?;
    let cell = |row: &[f64], column: usize| row.get(column).copied().unwrap_or(0.0);
    let columns: Vec<f64> = (0..width)
        .map(|column| table.iter().map(|row| cell(row, column)).sum())
        .collect();
    let rows: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
    let n: f64 = rows.iter().sum();
    let filled = |sums: &[f64]| number(sums.iter().filter(|sum| **sum > 0.0).count());
    let (r, c) = (filled(&rows), filled(&columns));
    if r < 2.0 || c < 2.0 || !n.is_finite() {
        return None;
    }
    let mut chi_square = 0.0;
    for (row, row_sum) in table.iter().zip(&rows) {
        for (column, column_sum) in columns.iter().enumerate() {
            let expected = row_sum * column_sum / n;
            if expected > 0.0 {
                chi_square += (cell(row, column) - expected).powi(2) / expected;
            }
        }
    }
    let freedom = (r - 1.0) * (c - 1.0);
    Some(Dependence {
        chi_square,
        freedom,
        v: bergsma(chi_square, n, (r, c)),
    })
}

/// Cramér's V with its bias corrected, from χ² of `n` things in a table of (rows, columns).
pub fn bergsma(chi_square: f64, n: f64, (r, c): (f64, f64)) -> f64 {
    if n <= 1.0 {
        return 0.0;
    }
    let phi = (chi_square / n - (r - 1.0) * (c - 1.0) / (n - 1.0)).max(0.0);
    let corrected = |size: f64| size - (size - 1.0).powi(2) / (n - 1.0) - 1.0;
    let most = corrected(r).min(corrected(c));
    if most <= 0.0 {
        return 0.0;
    }
    (phi / most).sqrt().min(1.0)
}
