//! Whether one series foretells another.

use super::linear::least_squares;
use super::number;
use super::tail::f_upper;

/// Granger's test, at the lag that Akaike's criterion chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Granger {
    /// How many steps of the past were taken of each series.
    pub lag: usize,
    /// F statistic of the foretelling series' past.
    pub f: f64,
    /// Probability of an F as large when that past says nothing.
    pub p_value: f64,
}

/// Whether the past of `cause` helps to foretell `effect` beyond effect's own past. `None` when series are constant,
/// of different length, or too short. The lag from 1 to `most` is the one with the least AIC = n·ln(RSS/n) + 2k of the
/// full regression, over the same rows for each. The series are taken as they are: make them stationary before.
/// Granger, 1969; Akaike, 1974.
pub fn granger(cause: &[f64], effect: &[f64], most: usize) -> Option<Granger> {
    if cause.len() != effect.len() || most == 0 || effect.len() < 4 * most + 8 {
        return None;
    }
    let mut best: Option<(f64, usize)> = None;
    for lag in 1..=most {
        let (_, full, n) = regress(cause, effect, (lag, most))?;
        let aic = n * (full / n).ln() + 2.0 * number(2 * lag + 1);
        if best.is_none_or(|(least, _)| aic < least) {
            best = Some((aic, lag));
        }
    }
    let (_, lag) = best?;
    let (own, full, n) = regress(cause, effect, (lag, lag))?;
    let freedom = n - number(2 * lag + 1);
    if full <= 0.0 || freedom <= 0.0 {
        return None;
    }
    let f = (own - full) / number(lag) / (full / freedom);
    Some(Granger {
        lag,
        f,
        p_value: f_upper(f, number(lag), freedom),
    })
}

/// The differences of neighbours, which makes a step a single blow.
pub fn differences(series: &[f64]) -> Vec<f64> {
    series.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Sums of squares without and with the past of the cause, and the number of rows, from row `first` on.
fn regress(cause: &[f64], effect: &[f64], (lag, first): (usize, usize)) -> Option<(f64, f64, f64)> {
    let rows = effect.len() - first;
    let past = |series: &[f64], back: usize| series[first - back..effect.len() - back].to_vec();
    let mut columns = vec![vec![1.0; rows]];
    columns.extend((1..=lag).map(|back| past(effect, back)));
    let target = &effect[first..];
    let own = least_squares(&columns, target)?;
    columns.extend((1..=lag).map(|back| past(cause, back)));
    let full = least_squares(&columns, target)?;
    (own.residual > 0.0 && full.residual > 0.0).then_some((
        own.residual,
        full.residual,
        number(rows),
    ))
}
