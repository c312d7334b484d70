//! What requests of a version of a prompt come to, how sure that is, and what one version differs from another by.

use super::ask::Statistic;
use super::columns::Requests;
use super::interval::{Interval, of_mean, wilson};
use super::lines::statistic;
use super::value::AxisValue;

/// The quantile 0.975 of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Fewer values than that say nothing of a difference.
pub const LEAST: usize = 5;

/// What some values come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How many there are.
    pub count: usize,
    /// What they come to.
    pub value: f64,
    /// Its 95 % interval: of a share Wilson's, of a mean Student's, of a quantile the one between two of the values that
    /// needs no distribution. `None`: there are too few.
    pub interval: Option<Interval>,
}

/// What one outcome differs from another by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The new one without the old one.
    pub by: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

impl Difference {
    /// Whether it is more than chance: its interval does not hold 0.
    pub fn is_clear(&self) -> bool {
        self.interval.0 > 0.0 || self.interval.1 < 0.0
    }
}

impl Outcome {
    /// Of values in any order; `None` of none.
    pub fn of(mut values: Vec<f64>, what: Statistic) -> Option<Self> {
        let value = statistic(&mut values, what, 1.0)?;
        #[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
        let interval = match what {
            Statistic::Rate => wilson(values.iter().sum(), values.len() as f64),
            // Sorted by now.
            Statistic::Quantile(q) => of_quantile(&values, q),
            _ => of_mean(&values),
        };
        Some(Outcome {
            count: values.len(),
            value,
            interval,
        })
    }

    /// What it differs from an older one by, where both are known well enough. Intervals of differences are made of those
    /// of both (MOVER; G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a general
    /// approach", Statistics in Medicine, 2008; of shares it is Newcombe's).
    pub fn against(&self, old: &Outcome) -> Option<Difference> {
        let (new, was) = (self.interval?, old.interval?);
        if self.count.min(old.count) < LEAST {
            return None;
        }
        let by = self.value - old.value;
        let down = (self.value - new.0).hypot(was.1 - old.value);
        let up = (new.1 - self.value).hypot(old.value - was.0);
        Some(Difference {
            by,
            interval: (by - down, by + up),
        })
    }
}

/// Of a quantile of ascending values: from one of them to another, so that at least 95 % of such hold the true one, by the
/// normal approximation of ranks (W. J. Conover, "Practical Nonparametric Statistics", 1999). `None` where no value is
/// far enough out.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ranks among values that are in memory"
)]
fn of_quantile(sorted: &[f64], q: f64) -> Option<Interval> {
    let count = sorted.len() as f64;
    let (middle, half) = (count * q, Z * (count * q * (1.0 - q)).sqrt());
    let (low, high) = ((middle - half).floor(), (middle + half).ceil() + 1.0);
    if low < 1.0 || high > count {
        return None;
    }
    Some((sorted[low as usize - 1], sorted[high as usize - 1]))
}

/// The values of one version of a prompt; of a version that nobody used none.
pub fn values_of(requests: &Requests, version: u32, value: &AxisValue) -> Vec<f64> {
    let Some(column) = requests.column(value) else {
        return Vec::new();
    };
    let wanted = version.to_string();
    let is_of = |row: &usize| {
        let named = requests.versions.get(*row);
        named.is_some_and(|named| **named == *wanted)
    };
    let rows = (0..requests.len()).filter(is_of);
    rows.filter_map(|row| column.get(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(values: impl Iterator<Item = f64>, what: Statistic) -> Outcome {
        Outcome::of(values.collect(), what).unwrap()
    }

    #[test]
    fn a_quantile_lies_between_two_of_the_values() {
        let median = outcome((1..=100).rev().map(f64::from), Statistic::Quantile(0.5));
        // Ranks 50 ± 1.96 · 5, outwards.
        assert_eq!((median.value, median.interval), (50.5, Some((40.0, 61.0))));
        let high = outcome((1..=30).map(f64::from), Statistic::Quantile(0.95));
        assert_eq!(high.interval, None, "30 values do not bound it from above");
    }

    #[test]
    fn differences_are_clear_where_they_are_more_than_chance() {
        let share = |yes: u32, of: u32| {
            outcome(
                (0..of).map(|at| f64::from(u8::from(at < yes))),
                Statistic::Rate,
            )
        };
        let (old, new) = (share(980, 1_000), share(930, 1_000));
        let found = new.against(&old).unwrap();
        assert!((found.by + 0.05).abs() < 1e-9 && found.is_clear());
        // statsmodels.stats.proportion.confint_proportions_2indep(930, 1000, 980, 1000, method="newcomb")
        assert!((found.interval.0 + 0.068_9).abs() < 2e-3, "{found:?}");
        assert!((found.interval.1 + 0.032_0).abs() < 2e-3, "{found:?}");
        assert!(!share(49, 50).against(&share(50, 50)).unwrap().is_clear());
        assert_eq!(share(1, 4).against(&old), None, "too few");
        let mean = |at: f64| outcome((0..40).map(|n| at + f64::from(n % 5)), Statistic::Avg);
        assert!(mean(10.0).against(&mean(5.0)).unwrap().is_clear());
        assert!(!mean(10.0).against(&mean(10.1)).unwrap().is_clear());
        assert_eq!(Outcome::of(Vec::new(), Statistic::Avg), None);
    }
}
