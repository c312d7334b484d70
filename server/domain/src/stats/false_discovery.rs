//! Many tests at once.

use super::number;

/// q-values of Benjamini and Hochberg, in the order of `p_values`: the share of false discoveries to expect among
/// all tests with a p-value as small. `q(i) = min over j ≥ i of p(j)·n/j` over ascending p. A p-value that is no
/// number counts as 1. Benjamini and Hochberg, *Controlling the false discovery rate*, 1995.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let n = p_values.len();
    let p = |at: usize| {
        let p = p_values[at];
        if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, other| p(*one).total_cmp(&p(*other)));
    let mut q_values = vec![1.0; n];
    let mut smallest = 1.0_f64;
    for (rank, at) in order.iter().enumerate().rev() {
        smallest = smallest.min(p(*at) * number(n) / number(rank + 1));
        q_values[*at] = smallest;
    }
    q_values
}
