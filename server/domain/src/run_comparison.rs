//! Runs over the same items, one beside the other. The first is the baseline that the others are held against;
//! what a run made of an item several times is one outcome, the mean of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::span::named_enum;
use crate::stats::quantile::{mean, standard_deviation};
use crate::stats::tail::student_t_upper;

/// Differences below this are none: scores are means of doubles.
const LEAST: f64 = 1e-9;

/// What a run made of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Whether it failed.
    pub failed: bool,
    /// Scores by name; of yes and no 1 and 0.
    pub scores: BTreeMap<String, f64>,
}

named_enum!(
    /// How the runs did on an item, against the baseline.
    Verdict, default Same {
        /// One of them failed where the baseline did not, or has a worse score.
        Worse = "worse",
        /// None is worse, and one better.
        Better = "better",
        /// Neither.
        Same = "same",
        /// The baseline or all others have not got it.
        Missing = "missing",
    }
);

/// What counts as worse.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yardstick {
    /// The score that is looked at; `None`: each of them.
    pub score: Option<String>,
    /// Whether lower is better.
    pub lower_is_better: bool,
}

/// A score over all items.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Its name.
    pub name: String,
    /// That of each run, in their order.
    pub runs: Vec<Summary>,
}

/// A score of a run over its items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Items that have it.
    pub n: usize,
    /// Its mean over these.
    pub mean: Option<f64>,
    /// Against the baseline.
    pub difference: Option<Difference>,
}

/// How a run differs from the baseline in a score, over the items of which both have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Items of which both have it.
    pub pairs: usize,
    /// Mean of the differences of each item, the run less the baseline.
    pub mean: f64,
    /// The 95 % interval of that, by the paired t-test; `None` of fewer than two items.
    pub interval: Option<(f64, f64)>,
}

impl Yardstick {
    /// How an item did: its outcome in each run, the baseline first.
    pub fn verdict(&self, outcomes: &[Option<&Outcome>]) -> Verdict {
        match self.worst(outcomes) {
            None => Verdict::Missing,
            Some(change) if change.worst < -LEAST => Verdict::Worse,
            Some(change) if change.best > LEAST => Verdict::Better,
            Some(_) => Verdict::Same,
        }
    }

    /// Regressions first, the heaviest before the others; then what got better, what stayed, what is missing.
    pub fn order(&self, one: &[Option<&Outcome>], other: &[Option<&Outcome>]) -> Ordering {
        let key = |outcomes: &[Option<&Outcome>]| {
            let change = self.worst(outcomes).unwrap_or_default();
            (self.verdict(outcomes), change.worst)
        };
        let (one, other) = (key(one), key(other));
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    }

    /// How far the others are from the baseline at most, below and above; a failure counts most. `None` where
    /// there is nothing to compare.
    fn worst(&self, outcomes: &[Option<&Outcome>]) -> Option<Change> {
        let (baseline, others) = outcomes.split_first()?;
        let baseline = (*baseline)?;
        let mut others = others.iter().flatten().peekable();
        others.peek()?;
        let mut change = Change::default();
        for other in others {
            match (baseline.failed, other.failed) {
                (false, true) => change.take(f64::NEG_INFINITY),
                (true, false) => change.take(f64::INFINITY),
                _ => {}
            }
            let names = other.scores.iter();
            let names =
                names.filter(|(name, _)| self.score.as_ref().is_none_or(|one| one == *name));
            for (name, value) in names {
                let Some(before) = baseline.scores.get(name) else {
                    continue;
                };
                let gain = value - before;
                change.take(if self.lower_is_better { -gain } else { gain });
            }
        }
        Some(change)
    }
}

#[derive(Clone, Copy, Default)]
struct Change {
    worst: f64,
    best: f64,
}

impl Change {
    fn take(&mut self, gain: f64) {
        self.worst = self.worst.min(gain);
        self.best = self.best.max(gain);
    }
}

/// Each score over all items, by name. Of each item its outcomes, the baseline first, as many as there are runs.
pub fn aggregates(items: &[Vec<Option<&Outcome>>], runs: usize) -> Vec<Aggregate> {
    let outcomes = items.iter().flatten().flatten();
    let names: BTreeSet<&String> = outcomes.flat_map(|outcome| outcome.scores.keys()).collect();
    let of = |item: &[Option<&Outcome>], run: usize, name: &String| {
        let outcome = (*item.get(run)?)?;
        outcome.scores.get(name).copied()
    };
    let summary = |name: &String, run: usize| {
        let values: Vec<f64> = items
            .iter()
            .filter_map(|item| of(item, run, name))
            .collect();
        let differences: Vec<f64> = items
            .iter()
            .filter_map(|item| Some(of(item, run, name)? - of(item, 0, name)?))
            .collect();
        Summary {
            n: values.len(),
            mean: mean(&values),
            difference: (run > 0).then(|| difference(&differences)).flatten(),
        }
    };
    let aggregate = |name: &String| Aggregate {
        name: name.clone(),
        runs: (0..runs).map(|run| summary(name, run)).collect(),
    };
    names.into_iter().map(aggregate).collect()
}

fn difference(differences: &[f64]) -> Option<Difference> {
    let middle = mean(differences)?;
    let pairs = differences.len();
    let n = f64::from(u32::try_from(pairs).unwrap_or(u32::MAX));
    let interval = standard_deviation(differences)
        .filter(|_| pairs > 1)
        .map(|deviation| {
            let half = t_of_95(n - 1.0) * deviation / n.sqrt();
            (middle - half, middle + half)
        });
    Some(Difference {
        pairs,
        mean: middle,
        interval,
    })
}

/// The quantile 0.975 of Student's t, found by halving: only its tail is at hand.
fn t_of_95(freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if student_t_upper(middle, freedom) > 0.025 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(score: f64, failed: bool) -> Outcome {
        Outcome {
            failed,
            scores: [("quality".to_owned(), score)].into(),
        }
    }

    #[test]
    fn regressions_come_first_and_failures_before_all() {
        let (good, bad, failed) = (outcome(1.0, false), outcome(0.2, false), outcome(1.0, true));
        let items: [(&str, Vec<Option<&Outcome>>); 6] = [
            ("missing", vec![Some(&good), None]),
            ("same", vec![Some(&good), Some(&good)]),
            ("better", vec![Some(&bad), Some(&good)]),
            ("worse", vec![Some(&good), Some(&bad)]),
            ("failed", vec![Some(&good), Some(&failed)]),
            ("new", vec![None, Some(&good)]),
        ];
        let order = |stick: &Yardstick| {
            let mut sorted = items.to_vec();
            sorted.sort_by(|a, b| stick.order(&a.1, &b.1));
            sorted.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        };
        let usual = Yardstick::default();
        assert_eq!(
            order(&usual),
            ["failed", "worse", "better", "same", "missing", "new"]
        );
        let lower = Yardstick {
            lower_is_better: true,
            ..Yardstick::default()
        };
        assert_eq!(order(&lower)[..3], ["failed", "better", "worse"]);
        let other = Yardstick {
            score: Some("other".to_owned()),
            ..Yardstick::default()
        };
        assert_eq!(other.verdict(&items[3].1), Verdict::Same);
    }

    #[test]
    fn differences_are_of_the_items_that_both_have() {
        let values = [
            (1.0, Some(0.5)),
            (1.0, Some(0.7)),
            (0.0, Some(0.3)),
            (1.0, None),
        ];
        let outcomes: Vec<(Outcome, Option<Outcome>)> = values
            .iter()
            .map(|(a, b)| (outcome(*a, false), b.map(|b| outcome(b, false))))
            .collect();
        let items: Vec<Vec<Option<&Outcome>>> = outcomes
            .iter()
            .map(|(a, b)| vec![Some(a), b.as_ref()])
            .collect();
        let all = aggregates(&items, 2);
        let [quality] = &all[..] else { panic!() };
        assert_eq!(quality.runs[0].n, 4);
        assert_eq!(quality.runs[0].mean, Some(0.75));
        assert_eq!(quality.runs[0].difference, None);
        let difference = quality.runs[1].difference.unwrap();
        assert_eq!(difference.pairs, 3);
        // scipy.stats.ttest_rel([.5, .7, .3], [1, 1, 0]).confidence_interval()
        let (low, high) = difference.interval.unwrap();
        assert!((difference.mean + 0.166_666_7).abs() < 1e-6);
        assert!((low + 1.200_895_7).abs() < 1e-4, "{low}");
        assert!((high - 0.867_562_3).abs() < 1e-4, "{high}");
    }
}
