//! How one value goes with another: requests in bins of the one, and in each what the other is.

use super::columns::Column;
use super::interval::{self, Interval};

/// Most bins.
pub const MAX_BINS: usize = 100;

/// Requests with values of `x` from ≤ x < to; in the last bin up to `to` with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How many requests have both values.
    pub count: usize,
    /// The mean of `y`, of what says yes or no the share of yes; `None` without any.
    pub mean: Option<f64>,
    /// Its 95 % interval; `None` of a mean of fewer than two.
    pub interval: Option<Interval>,
}

/// What goes with what.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Bins of equal width, from the least to the greatest `x`; none where nobody has both values.
    pub bins: Vec<Bin>,
    /// How many requests have both values.
    pub count: usize,
    /// Whether `y` says yes or no.
    pub is_share: bool,
}

/// Bins of equal width over the values of `x`, or over `range` where it is given.
pub fn joint((x, y): (&Column, &Column), bins: usize, range: Option<(f64, f64)>) -> Joint {
    let rows = 0..x.len();
    let mut pairs: Vec<(f64, f64)> = rows
        .filter_map(|row| Some((x.get(row)?, y.get(row)?)))
        .collect();
    if let Some((from, to)) = range {
        pairs.retain(|(x, _)| (from..=to).contains(x));
    }
    let least = pairs.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
    let most = pairs
        .iter()
        .map(|(x, _)| *x)
        .fold(f64::NEG_INFINITY, f64::max);
    let (from, to) = range.unwrap_or((least, most));
    let is_share = y.is_flag;
    if pairs.is_empty() {
        return Joint {
            bins: Vec::new(),
            count: 0,
            is_share,
        };
    }
    // Of a value that never changes there is one bin.
    let bins = if to > from {
        bins.clamp(1, MAX_BINS)
    } else {
        1
    };
    let mut by_bin: Vec<Vec<f64>> = vec![Vec::new(); bins];
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of a bin, at most a hundred"
    )]
    let place = |x: f64| (((x - from) / (to - from) * bins as f64) as usize).min(bins - 1);
    for (x, y) in &pairs {
        by_bin[if bins == 1 { 0 } else { place(*x) }].push(*y);
    }
    #[expect(clippy::cast_precision_loss, reason = "at most a hundred bins")]
    let border = |at: usize| from + (to - from) * at as f64 / bins as f64;
    let all = by_bin.iter().enumerate().map(|(at, values)| Bin {
        from: border(at),
        to: border(at + 1),
        count: values.len(),
        mean: mean(values),
        interval: interval_of(values, is_share),
    });
    Joint {
        bins: all.collect(),
        count: pairs.len(),
        is_share,
    }
}

#[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
fn interval_of(values: &[f64], is_share: bool) -> Option<Interval> {
    if is_share {
        interval::wilson(values.iter().sum(), values.len() as f64)
    } else {
        interval::of_mean(values)
    }
}
