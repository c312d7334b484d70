//! How unlikely a statistic is: tails of distributions, as probabilities in [0, 1]. Where the arguments make no
//! distribution, or the statistic is no number, the answer is 1: nothing is unlikely.

use statrs::distribution::{
    ChiSquared, ContinuousCDF, Discrete, DiscreteCDF, FisherSnedecor, Hypergeometric, StudentsT,
};

/// P(T ≥ t) of Student's t with `freedom` > 0 degrees of freedom.
pub fn student_t_upper(t: f64, freedom: f64) -> f64 {
    if t.is_nan() {
        return 1.0;
    }
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |t_of| bounded(t_of.sf(t)))
}

/// P(|T| ≥ |t|) of Student's t with `freedom` > 0 degrees of freedom.
pub fn student_t_two_sided(t: f64, freedom: f64) -> f64 {
    (2.0 * student_t_upper(t.abs(), freedom)).min(1.0)
}

/// P(Z ≥ z) of the standard normal distribution, whose square has χ² with one degree of freedom.
pub fn normal_upper(z: f64) -> f64 {
    if z.is_nan() {
        return 1.0;
    }
    let beyond = chi_square_upper(z * z, 1.0) / 2.0;
    if z > 0.0 { beyond } else { 1.0 - beyond }
}

/// P(F ≥ f) of the F distribution.
pub fn f_upper(f: f64, numerator: f64, denominator: f64) -> f64 {
    if f.is_nan() || f <= 0.0 {
        return 1.0;
    }
    FisherSnedecor::new(numerator, denominator).map_or(1.0, |f_of| bounded(f_of.sf(f)))
}

/// P(X ≥ x) of χ² with `freedom` > 0 degrees of freedom.
pub fn chi_square_upper(x: f64, freedom: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return 1.0;
    }
    ChiSquared::new(freedom).map_or(1.0, |chi| bounded(chi.sf(x)))
}

/// Two samples of things that are marked or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Marked ones of the first sample.
    pub here: usize,
    /// Size of the first sample.
    pub of: usize,
    /// Marked ones of the second.
    pub there: usize,
    /// Size of the second sample.
    pub of_others: usize,
}

/// Fisher's exact test, one-sided: the probability of as many or more marked in the first sample, if both have the
/// same rate. The upper tail of the hypergeometric distribution.
pub fn fisher_upper(counts: Marked) -> f64 {
    let all = (counts.of + counts.of_others) as u64;
    let marked = (counts.here + counts.there) as u64;
    let Some(fewer) = (counts.here as u64).checked_sub(1) else {
        return 1.0;
    };
    Hypergeometric::new(all, marked, counts.of as u64).map_or(1.0, |drawn| bounded(drawn.sf(fewer)))
}

/// Fisher's exact test, two-sided: the probability of all counts that are no more likely than these, if both samples
/// have the same rate. Like R and `SciPy`, counts that are equally likely to one in ten million are.
pub fn fisher_two_sided(counts: Marked) -> f64 {
    let all = (counts.of + counts.of_others) as u64;
    let marked = (counts.here + counts.there) as u64;
    let of = counts.of as u64;
    let Ok(drawn) = Hypergeometric::new(all, marked, of) else {
        return 1.0;
    };
    let likely = drawn.ln_pmf(counts.here as u64) + 1e-7;
    let fewest = (marked + of).saturating_sub(all);
    let as_unlikely = (fewest..=marked.min(of))
        .map(|here| drawn.ln_pmf(here))
        .filter(|log| *log <= likely);
    bounded(as_unlikely.map(f64::exp).sum())
}

fn bounded(p: f64) -> f64 {
    if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }
}
