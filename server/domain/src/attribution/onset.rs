//! When did it change?

use super::frame::{Frame, Place};
use crate::stats::change_point::change_point;
use crate::stats::granger::{Granger, differences, granger};
use crate::stats::number;

/// How long before the alert a change may lie, in seconds.
const BEFORE_S: f64 = 120.0;
/// Rows that a change needs on each side.
const LEAST_SIDE: usize = 5;
/// How much larger than chance a step has to be: of the F statistic of one split.
const LEAST_F: f64 = 20.0;
/// Step of series for Granger's test, in seconds.
const STEP_S: f64 = 5.0;
/// How long before the alert they begin, in seconds.
const PAST_S: f64 = 600.0;
/// Steps that may be missing.
const MOST_GAPS: f64 = 0.2;
/// Steps that are needed.
const LEAST_STEPS: usize = 40;
/// Longest lag in steps.
const MOST_LAG: usize = 8;
/// Largest p-value that is told.
const MOST_P: f64 = 0.01;

/// When a column changed its level, in seconds since the alert window began; `None` without a clear change. Each row
/// counts for itself, so that it is known to the request, and the place of the least squares is the same whatever the
/// series is centred on.
pub(super) fn onset(frame: &Frame<'_>, values: &[f64], place: Option<Place>) -> Option<f64> {
    let first = frame.seconds.partition_point(|at| *at < -BEFORE_S);
    let rows: Vec<usize> = (first..values.len())
        .filter(|row| !values[*row].is_nan() && frame.belongs(*row, place))
        .collect();
    let series: Vec<f64> = rows.iter().map(|row| values[*row]).collect();
    let found = change_point(&series)?;
    let n = series.len();
    if found.at < LEAST_SIDE || n - found.at < LEAST_SIDE {
        return None;
    }
    let f = found.explained / (1.0 - found.explained).max(1e-9) * number(n - 2);
    (f >= LEAST_F).then(|| frame.seconds[rows[found.at]])
}

/// Whether a column foretells the symptom: means of steps of both, differenced, since a step is not stationary and on
/// levels everything foretells everything. `None` where it does not, or not better than the other way round.
pub(super) fn foretells(
    frame: &Frame<'_>,
    values: &[f64],
    symptom: &[f64],
    place: Option<Place>,
) -> Option<f64> {
    let cause = differences(&steps(frame, values, place)?);
    let effect = differences(&steps(frame, symptom, place)?);
    let n = cause.len().min(effect.len());
    if n < LEAST_STEPS {
        return None;
    }
    let (cause, effect) = (&cause[..n], &effect[..n]);
    let forward = granger(cause, effect, MOST_LAG)?;
    let backward: Option<Granger> = granger(effect, cause, MOST_LAG);
    let is_clear = forward.p_value < MOST_P
        && backward.is_none_or(|backward| forward.p_value < backward.p_value);
    is_clear.then_some(forward.p_value)
}

/// Means of steps up to the end of the alert window, gaps filled in between their neighbours; `None` with too many.
fn steps(frame: &Frame<'_>, values: &[f64], place: Option<Place>) -> Option<Vec<f64>> {
    let last = frame.seconds.last().copied()?;
    let count = step(last) + 1;
    let mut sums = vec![(0.0, 0_u32); count];
    let first = frame.seconds.partition_point(|at| *at < -PAST_S);
    for row in first..values.len() {
        if !values[row].is_nan() && frame.belongs(row, place) {
            let cell = &mut sums[step(frame.seconds[row])];
            cell.0 += values[row];
            cell.1 += 1;
        }
    }
    let known: Vec<(usize, f64)> = sums
        .iter()
        .enumerate()
        .filter(|(_, (_, n))| *n > 0)
        .map(|(at, (sum, n))| (at, sum / f64::from(*n)))
        .collect();
    let (begin, end) = (known.first()?.0, known.last()?.0);
    let gaps = number(end + 1 - begin - known.len());
    if gaps > MOST_GAPS * number(end + 1 - begin) {
        return None;
    }
    let mut filled = Vec::with_capacity(end + 1 - begin);
    for pair in known.windows(2) {
        let ((at, from), (next, to)) = (pair[0], pair[1]);
        for between in at..next {
            let part = number(between - at) / number(next - at);
            filled.push(from + (to - from) * part);
        }
    }
    filled.push(known.last()?.1);
    Some(filled)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times lie past the beginning, and windows are shorter than centuries"
)]
fn step(seconds: f64) -> usize {
    ((seconds + PAST_S) / STEP_S).max(0.0) as usize
}
