//! Whether the mean of a column moved, judged on means of bins, for rows are not samples: requests share readings, and
//! readings remember.

use super::frame::{Frame, Grouping, NO_BIN, Side};
use crate::stats::autocorrelation::autocorrelation_time;
use crate::stats::number;
use crate::stats::quantile::{mean, standard_deviation};
use crate::stats::tail::{Marked, fisher_upper, student_t_two_sided, student_t_upper};

/// What z is where a constant moved.
const CERTAIN: f64 = 40.0;
/// Bins that the baseline needs, and the alert window.
const LEAST_BINS: (usize, usize) = (8, 2);

/// Means of the bins that have rows, and what they were made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    pub(super) baseline: Vec<f64>,
    pub(super) alert: Vec<f64>,
    /// Rows in the baseline and the sum of their values.
    before: (usize, f64),
    /// The same in the alert window.
    now: (usize, f64),
}

/// A mean against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    /// Mean of the alert window less mean of the baseline, by rows.
    pub(super) rise: f64,
    /// Standard error of the difference.
    pub(super) error: f64,
    /// The difference of the means of bins in standard errors.
    pub(super) z: f64,
    /// Degrees of freedom.
    freedom: f64,
    /// Fisher's p where values are truths: of a rise, and of a fall.
    exact: Option<(f64, f64)>,
}

impl Bins {
    /// Over all rows.
    pub(super) fn of_all(frame: &Frame<'_>, values: &[f64]) -> Self {
        collect(frame, values, |_| 0, 1).pop().unwrap_or_default()
    }

    /// For each value of a dimension, in one pass.
    pub(super) fn of_each(frame: &Frame<'_>, values: &[f64], grouping: &Grouping<'_>) -> Vec<Self> {
        let code = |row: usize| usize::from(grouping.codes[row]);
        collect(frame, values, code, grouping.values.len())
    }

    /// Rows with a value in the baseline and in the alert window.
    pub(super) fn rows(&self) -> (usize, usize) {
        (self.before.0, self.now.0)
    }

    /// The shift; `None` where there are too few bins. Truths get Fisher's test beside the one on bins, and a spread of
    /// one pseudo-event at least: without them rates near zero give alarms.
    pub(super) fn shift(&self, are_truths: bool) -> Option<Shift> {
        let (n_b, n_a) = (self.baseline.len(), self.alert.len());
        if n_b < LEAST_BINS.0 || n_a < LEAST_BINS.1 {
            return None;
        }
        let (rows_b, sum_b) = self.before;
        let (rows_a, sum_a) = self.now;
        let mut spread = standard_deviation(&self.baseline)?;
        if are_truths {
            let one = 1.0 / number(rows_b.max(2));
            let in_bin = number(rows_a + rows_b) / number(n_a + n_b);
            spread = spread.max((one * (1.0 - one) / in_bin).sqrt());
        }
        let memory = autocorrelation_time(&self.baseline);
        let error = spread * (memory * (1.0 / number(n_a) + 1.0 / number(n_b))).sqrt();
        let difference = mean(&self.alert)? - mean(&self.baseline)?;
        let z = if error > difference.abs() / CERTAIN {
            difference / error
        } else if difference == 0.0 {
            0.0
        } else {
            CERTAIN.copysign(difference)
        };
        let exact = are_truths.then(|| {
            let here = count(sum_a).min(rows_a);
            let there = count(sum_b).min(rows_b);
            let marked = |here, there| Marked {
                here,
                of: rows_a,
                there,
                of_others: rows_b,
            };
            let up = fisher_upper(marked(here, there));
            (up, fisher_upper(marked(rows_a - here, rows_b - there)))
        });
        Some(Shift {
            rise: sum_a / number(rows_a) - sum_b / number(rows_b),
            error,
            z,
            freedom: number(n_a) + 5.0,
            exact,
        })
    }
}

impl Shift {
    /// Nothing is known to have moved.
    pub(super) fn none() -> Self {
        Shift {
            rise: 0.0,
            error: f64::INFINITY,
            z: 0.0,
            freedom: 1.0,
            exact: None,
        }
    }

    /// Probability of a rise as large by chance.
    pub(super) fn p_of_rise(&self) -> f64 {
        let p = student_t_upper(self.z, self.freedom);
        self.exact.map_or(p, |(up, _)| p.max(up))
    }

    /// Probability of a change as large by chance.
    pub(super) fn p_of_change(&self) -> f64 {
        let p = student_t_two_sided(self.z, self.freedom);
        let least = |(up, down): (f64, f64)| (2.0 * f64::min(up, down)).min(1.0);
        self.exact.map_or(p, |exact| p.max(least(exact)))
    }
}

fn collect(
    frame: &Frame<'_>,
    values: &[f64],
    group: impl Fn(usize) -> usize,
    groups: usize,
) -> Vec<Bins> {
    let width = frame.baseline_bins + frame.alert_bins;
    let mut sums = vec![(0.0_f64, 0_u32); groups * width];
    let mut found = vec![Bins::default(); groups];
    for (row, value) in values.iter().enumerate() {
        let (group, bin) = (group(row), frame.bins[row]);
        if value.is_nan() || bin == NO_BIN || group >= groups {
            continue;
        }
        if let Some(cell) = sums.get_mut(group * width + bin as usize) {
            cell.0 += value;
            cell.1 += 1;
        }
        let side = match frame.sides[row] {
            Side::Alert => &mut found[group].now,
            Side::Baseline | Side::Between => &mut found[group].before,
        };
        side.0 += 1;
        side.1 += value;
    }
    for (bins, cells) in found.iter_mut().zip(sums.chunks(width.max(1))) {
        let (before, now) = cells.split_at(frame.baseline_bins.min(cells.len()));
        let means = |cells: &[(f64, u32)]| -> Vec<f64> {
            let filled = cells.iter().filter(|(_, n)| *n > 0);
            filled.map(|(sum, n)| sum / f64::from(*n)).collect()
        };
        bins.baseline = means(before);
        bins.alert = means(now);
    }
    found
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a sum of truths is a count"
)]
fn count(sum: f64) -> usize {
    sum.round().max(0.0) as usize
}
