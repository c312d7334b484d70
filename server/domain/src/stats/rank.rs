//! Ranks and what is made of them.

use super::number;

/// Where `value` stands within `sorted`, in [0, 1]: the share below it and half of what equals it,
/// `(#{b < v} + #{b ≤ v}) / 2n`. One half when there is nothing to compare with.
pub fn mid_rank(sorted: &[f64], value: f64) -> f64 {
    if sorted.is_empty() {
        return 0.5;
    }
    let below = sorted.partition_point(|other| *other < value);
    let up_to = sorted.partition_point(|other| *other <= value);
    number(below + up_to) / (2.0 * number(sorted.len()))
}

/// Ranks from 1 to n in the order of `values`; equal values share the mean of their ranks. Values that are no
/// numbers come last.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    while at < order.len() {
        let value = values[order[at]];
        let same = order[at..]
            .iter()
            .take_while(|row| values[**row] == value)
            .count()
            .max(1);
        for row in &order[at..at + same] {
            ranks[*row] = number(2 * at + same + 1) / 2.0;
        }
        at += same;
    }
    ranks
}

/// Cliff's delta of `values` against `sorted`: P(a > b) − P(a < b) ∈ [−1, 1], 0 when one of them is empty.
/// Cliff, *Dominance statistics*, 1993. It is 2U/(nm) − 1 with Mann and Whitney's U.
pub fn cliffs_delta(values: &[f64], sorted: &[f64]) -> f64 {
    if values.is_empty() || sorted.is_empty() {
        return 0.0;
    }
    let sum: f64 = values.iter().map(|value| mid_rank(sorted, *value)).sum();
    2.0 * sum / number(values.len()) - 1.0
}
