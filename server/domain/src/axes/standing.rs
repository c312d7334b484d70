//! Where a value lies among others: a request among those before it.

use super::ask::Statistic;
use super::lines::statistic;

/// Others that are needed to say where a value lies.
pub const LEAST: usize = 20;

/// What is usual of a value, and where one lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The 5 % quantile of the others (type 7 of Hyndman and Fan).
    pub low: f64,
    /// Their median.
    pub median: f64,
    /// Their 95 % quantile.
    pub high: f64,
    /// Their mean: of what says yes or no the share of yes.
    pub mean: f64,
    /// Their least and their greatest value.
    pub extent: (f64, f64),
    /// How many they are.
    pub count: usize,
}

impl Standing {
    /// Of others in any order; `None` of fewer than [`LEAST`].
    pub fn of(mut others: Vec<f64>) -> Option<Self> {
        if others.len() < LEAST {
            return None;
        }
        let mut told = |what: Statistic| statistic(&mut others, what, 1.0);
        Some(Standing {
            low: told(Statistic::Quantile(0.05))?,
            median: told(Statistic::Quantile(0.5))?,
            high: told(Statistic::Quantile(0.95))?,
            mean: told(Statistic::Avg)?,
            extent: (told(Statistic::Min)?, told(Statistic::Max)?),
            count: others.len(),
        })
    }

    /// Whether a value lies outside of the middle nine tenths.
    pub fn is_outside(&self, value: f64) -> bool {
        value < self.low || value > self.high
    }
}

/// The mid-rank of a value among others, 0 to 1: (#{below} + #{up to}) / 2n. `None` of none.
#[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
pub fn rank(others: &[f64], value: f64) -> Option<f64> {
    let below = others.iter().filter(|other| **other < value).count();
    let up_to = others.iter().filter(|other| **other <= value).count();
    (!others.is_empty()).then(|| (below + up_to) as f64 / (2 * others.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_lies_where_the_others_leave_it() {
        let others: Vec<f64> = (0..=100).map(f64::from).collect();
        let standing = Standing::of(others.clone()).unwrap();
        assert_eq!(
            (standing.low, standing.median, standing.high),
            (5.0, 50.0, 95.0)
        );
        assert_eq!(
            (standing.mean, standing.extent, standing.count),
            (50.0, (0.0, 100.0), 101)
        );
        assert!(
            standing.is_outside(96.0) && standing.is_outside(4.0) && !standing.is_outside(95.0)
        );
        assert_eq!(rank(&others, 50.0), Some(0.5));
        assert_eq!(rank(&others, 1000.0), Some(1.0));
        assert_eq!(rank(&[], 1.0), None);
        assert_eq!(Standing::of(vec![1.0; LEAST - 1]), None);
    }
}
