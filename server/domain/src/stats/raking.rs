//! Weights that give a table other margins.

/// One property of the things to weigh: which of its bins each is in, and what share each bin should have.
#[derive(Clone, Copy, Debug)]
pub struct Margin<'a> {
    /// Bin of each thing; one at or past the end of `shares` leaves the thing as it is.
    pub bins: &'a [u8],
    /// Share that each bin should have. Bins without things cannot get any; theirs goes to the others in proportion.
    pub shares: &'a [f64],
}

/// Weights of `n` things so that each margin has its shares: iterative proportional fitting, `rounds` times over all
/// margins. Weights begin at 1, and their sum over the things in bins stays what it was. Deming and Stephan, 1940.
pub fn rake(n: usize, margins: &[Margin<'_>], rounds: usize) -> Vec<f64> {
    let mut weights = vec![1.0; n];
    for _ in 0..rounds {
        for margin in margins {
            fit(&mut weights, margin);
        }
    }
    weights
}

fn fit(weights: &mut [f64], margin: &Margin<'_>) {
    let mut held = vec![0.0; margin.shares.len()];
    for (weight, bin) in weights.iter().zip(margin.bins) {
        if let Some(sum) = held.get_mut(usize::from(*bin)) {
            *sum += *weight;
        }
    }
    let total: f64 = held.iter().sum();
    let reachable: f64 = margin
        .shares
        .iter()
        .zip(&held)
        .filter(|(_, sum)| **sum > 0.0)
        .map(|(share, _)| *share)
        .sum();
    if total <= 0.0 || reachable <= 0.0 {
        return;
    }
    let factors: Vec<f64> = margin
        .shares
        .iter()
        .zip(&held)
        .map(|(share, sum)| {
            if *sum > 0.0 {
                share / reachable * total / sum
            } else {
                1.0
            }
        })
        .collect();
    for (weight, bin) in weights.iter_mut().zip(margin.bins) {
        if let Some(factor) = factors.get(usize::from(*bin)) {
            *weight *= factor;
        }
    }
}
