//! Risks of two groups, one of which was exposed to something: difference, ratio, and whether there is any.

use super::interval::{Z_95, wilson};
use super::number;
use super::tail::{Marked, chi_square_upper, fisher_two_sided};

/// Counts of one stratum: of those who were exposed and of those who were not, how many it happened to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stratum {
    /// Of the exposed.
    pub hits: usize,
    /// The exposed.
    pub of: usize,
    /// Of the others.
    pub other_hits: usize,
    /// The others.
    pub of_others: usize,
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What strata say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risk {
    /// Risk of the exposed minus risk of the others.
    pub difference: Estimate,
    /// Risk of the exposed by risk of the others.
    pub ratio: Estimate,
    /// Probability of counts as uneven if there were no difference, two-sided.
    pub p_value: f64,
}

/// From here on χ² stands for the exact test: the least expected count (Cochran, 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// Difference, ratio and p of strata; `None` unless both groups hold somebody in one of them.
///
/// One stratum: Newcombe's interval of the difference, Katz's of the ratio, Fisher's exact test where an expected
/// count is below five. Several: the estimates of Mantel and Haenszel with the variances of Greenland and Robins, and
/// their test without a continuity correction.
pub fn risk(strata: &[Stratum]) -> Option<Risk> {
    let used: Vec<Stratum> = strata
        .iter()
        .copied()
        .filter(|stratum| stratum.of > 0 && stratum.of_others > 0)
        .collect();
    let whole = crude(&used);
    match used.as_slice() {
        [] => None,
        [_] => Some(Risk {
            difference: newcombe(whole),
            ratio: katz(whole),
            p_value: if least_expected(whole) < LEAST_EXPECTED {
                fisher_two_sided(whole.marked())
            } else {
                mantel_haenszel_p(&used)
            },
        }),
        _ => Some(Risk {
            difference: pooled_difference(&used),
            ratio: pooled_ratio(&used).unwrap_or_else(|| katz(whole)),
            p_value: mantel_haenszel_p(&used),
        }),
    }
}

/// Strata as one.
pub fn crude(strata: &[Stratum]) -> Stratum {
    strata.iter().fold(Stratum::default(), |all, one| Stratum {
        hits: all.hits + one.hits,
        of: all.of + one.of,
        other_hits: all.other_hits + one.other_hits,
        of_others: all.of_others + one.of_others,
    })
}

/// The difference of two proportions with its hybrid score interval, from Wilson's intervals of both:
/// d − √((p₁−l₁)² + (u₂−p₂)²), d + √((u₁−p₁)² + (p₂−l₂)²). Newcombe, *Interval estimation for the difference between
/// independent proportions*, 1998, method 10.
pub fn newcombe(stratum: Stratum) -> Estimate {
    let (p, q) = stratum.risks();
    let (low, high) = wilson(stratum.hits, stratum.of, Z_95);
    let (other_low, other_high) = wilson(stratum.other_hits, stratum.of_others, Z_95);
    let value = p - q;
    Estimate {
        value,
        low: value - (p - low).hypot(other_high - q),
        high: value + (high - p).hypot(q - other_low),
    }
}

/// The ratio of two proportions with its interval on the logarithm: ln RR ± z·√(1/a − 1/n₁ + 1/c − 1/n₀). Where it
/// happened to nobody of a group, half a person is added to all counts. Katz and others, *Obtaining confidence
/// intervals for the risk ratio in cohort studies*, 1978; Walter, *The distribution of Levin's measure*, 1975.
pub fn katz(stratum: Stratum) -> Estimate {
    let half = if stratum.hits == 0 || stratum.other_hits == 0 {
        0.5
    } else {
        0.0
    };
    let [hits, of, other_hits, of_others] = stratum.numbers().map(|count| count + half);
    let ratio = hits / of / (other_hits / of_others);
    let variance = 1.0 / hits - 1.0 / of + 1.0 / other_hits - 1.0 / of_others;
    around(ratio, variance.max(0.0).sqrt())
}

/// The pooled ratio: Σ a·n₀/N by Σ c·n₁/N; variance of its logarithm Σ (m₁n₁n₀ − acN)/N² by their product.
/// `None` where either sum is 0. Greenland and Robins, *Estimation of a common effect parameter from sparse follow-up
/// data*, 1985.
fn pooled_ratio(strata: &[Stratum]) -> Option<Estimate> {
    let (mut above, mut below, mut variance) = (0.0, 0.0, 0.0);
    for stratum in strata {
        let [hits, of, other_hits, of_others] = stratum.numbers();
        let all = of + of_others;
        above += hits * of_others / all;
        below += other_hits * of / all;
        let even = (hits + other_hits) * of * of_others - hits * other_hits * all;
        variance += even / (all * all);
    }
    (above > 0.0 && below > 0.0)
        .then(|| around(above / below, (variance / (above * below)).max(0.0).sqrt()))
}

/// The pooled difference: Σ (a·n₀ − c·n₁)/N by Σ n₁n₀/N; variance Σ (a(n₁−a)n₀³ + c(n₀−c)n₁³)/(n₁n₀N²) by the square
/// of the latter. Greenland and Robins, as above.
fn pooled_difference(strata: &[Stratum]) -> Estimate {
    let (mut above, mut weight, mut variance) = (0.0, 0.0, 0.0);
    for stratum in strata {
        let [hits, of, other_hits, of_others] = stratum.numbers();
        let all = of + of_others;
        above += (hits * of_others - other_hits * of) / all;
        weight += of * of_others / all;
        variance += (hits * (of - hits) * of_others.powi(3)
            + other_hits * (of_others - other_hits) * of.powi(3))
            / (of * of_others * all * all);
    }
    let value = above / weight;
    let half = Z_95 * variance.max(0.0).sqrt() / weight;
    Estimate {
        value,
        low: (value - half).max(-1.0),
        high: (value + half).min(1.0),
    }
}

/// Mantel and Haenszel's test of no association in any stratum: (Σ (a − E))² by Σ V, against χ² with one degree of
/// freedom. Mantel and Haenszel, *Statistical aspects of the analysis of data from retrospective studies*, 1959.
fn mantel_haenszel_p(strata: &[Stratum]) -> f64 {
    let (mut excess, mut variance) = (0.0, 0.0);
    for stratum in strata {
        let [hits, of, other_hits, of_others] = stratum.numbers();
        let (all, marked) = (of + of_others, hits + other_hits);
        if all > 1.0 {
            excess += hits - of * marked / all;
            variance += of * of_others * marked * (all - marked) / (all * all * (all - 1.0));
        }
    }
    if variance <= 0.0 {
        return 1.0;
    }
    chi_square_upper(excess * excess / variance, 1.0)
}

fn around(ratio: f64, error: f64) -> Estimate {
    Estimate {
        value: ratio,
        low: ratio * (-Z_95 * error).exp(),
        high: ratio * (Z_95 * error).exp(),
    }
}

fn least_expected(stratum: Stratum) -> f64 {
    let [hits, of, other_hits, of_others] = stratum.numbers();
    let (all, marked) = (of + of_others, hits + other_hits);
    of.min(of_others) * marked.min(all - marked) / all
}

impl Stratum {
    /// Risks of both groups; 0 of an empty one.
    pub fn risks(self) -> (f64, f64) {
        let [hits, of, other_hits, of_others] = self.numbers();
        (hits / of.max(1.0), other_hits / of_others.max(1.0))
    }

    fn numbers(self) -> [f64; 4] {
        [self.hits, self.of, self.other_hits, self.of_others].map(number)
    }

    fn marked(self) -> Marked {
        Marked {
            here: self.hits,
            of: self.of,
            there: self.other_hits,
            of_others: self.of_others,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nobody_in_a_group_says_nothing() {
        assert_eq!(risk(&[]), None);
        let alone = Stratum {
            hits: 3,
            of: 9,
            ..Stratum::default()
        };
        assert_eq!(risk(&[alone]), None);
    }

    proptest! {
        #[test]
        fn values_lie_within_their_intervals_and_p_is_a_probability(
            counts in proptest::collection::vec((0usize..40, 1usize..60, 0usize..40, 1usize..60), 1..5),
        ) {
            let strata: Vec<Stratum> = counts
                .iter()
                .map(|&(hits, of, other_hits, of_others)| Stratum {
                    hits: hits.min(of), of, other_hits: other_hits.min(of_others), of_others,
                })
                .collect();
            let found = risk(&strata).unwrap();
            for estimate in [found.difference, found.ratio] {
                prop_assert!(estimate.low <= estimate.value + 1e-12);
                prop_assert!(estimate.value <= estimate.high + 1e-12);
            }
            prop_assert!((0.0..=1.0).contains(&found.p_value));
        }

        #[test]
        fn one_stratum_that_is_there_twice_keeps_its_values(
            hits in 1usize..40, more in 0usize..60, other_hits in 1usize..40, others in 0usize..60,
        ) {
            let one = Stratum {
                hits, of: hits + more, other_hits, of_others: other_hits + others,
            };
            let (single, twice) = (risk(&[one]).unwrap(), risk(&[one, one]).unwrap());
            prop_assert!((single.ratio.value - twice.ratio.value).abs() < 1e-9 * single.ratio.value);
            prop_assert!((single.difference.value - twice.difference.value).abs() < 1e-9);
        }
    }
}
