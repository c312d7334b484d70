//! How much of the symptom's excess goes away when a feature is put back to what it was?

use super::features::Candidate;
use super::frame::Frame;
use super::symptom::Judged;
use super::tier::Follows;
use crate::stats::number;
use crate::stats::quantile::{quantile, sorted};
use crate::stats::raking::{Margin, rake};

/// Borders of bins, as quantiles of the baseline. The outermost lie at what the baseline really had: were they open, a
/// value far outside would count as common and refute the true cause.
const BORDERS: [f64; 14] = [
    0.001, 0.02, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 0.98, 0.999,
];
/// A feature with as few values has a bin for each.
const FEW_VALUES: usize = 12;
/// Rows that a bin needs in the alert window to be seen there.
const LEAST_SEEN: usize = 5;
/// Share of the baseline that makes a bin common.
const LEAST_COMMON: f64 = 0.003;
/// Rows that a counterfactual is shrunk by towards no change.
const SHRINK: f64 = 5.0;
/// Rounds of raking.
const ROUNDS: usize = 3;
/// A bin of what is missing: such rows are left alone.
const MISSING: u8 = u8::MAX;

/// A feature by bins.
pub(super) struct Binned {
    /// Bins of the alert window's rows, in its order.
    alert: Vec<u8>,
    /// Share of each bin in the baseline.
    shares: Vec<f64>,
    /// Share of the baseline in bins that the alert window has too.
    seen: f64,
    pub(super) parts: Parts,
}

/// What a feature explains of the excess.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Parts {
    /// The alert window, weighted to the baseline's mix: requests with a normal value are fine.
    pub(super) contrast: f64,
    /// Nobody has a normal value any more: only before and after speaks.
    pub(super) universal: f64,
}

/// The alert window, with the badness of its requests.
pub(super) struct Window<'a> {
    frame: &'a Frame<'a>,
    judged: &'a Judged,
    /// Rows of the alert window that have a badness.
    alert: Vec<usize>,
    baseline: Vec<usize>,
    /// Mean badness in the alert window.
    mean: f64,
    /// What it is above the baseline's.
    pub(super) excess: f64,
}

impl<'a> Window<'a> {
    pub(super) fn new(frame: &'a Frame<'a>, judged: &'a Judged) -> Self {
        let y = &judged.badness.y;
        let known = |rows: &[usize]| -> Vec<usize> {
            rows.iter()
                .copied()
                .filter(|row| !y[*row].is_nan())
                .collect()
        };
        let (alert, baseline) = (known(&frame.alert), known(&frame.baseline));
        let mean = mean_of(y, &alert);
        Window {
            excess: mean - mean_of(y, &baseline),
            frame,
            judged,
            alert,
            baseline,
            mean,
        }
    }

    /// A feature by bins, with what it explains alone.
    pub(super) fn bin(&self, candidate: &Candidate<'_>) -> Binned {
        let values = &candidate.values;
        let before = sorted(self.baseline.iter().map(|row| values[*row]));
        let borders = borders(&before);
        let bin = |row: &usize| borders.bin(values[*row]);
        let alert: Vec<u8> = self.alert.iter().map(bin).collect();
        let baseline: Vec<u8> = self.baseline.iter().map(bin).collect();
        let then = self.cells(&self.baseline, &baseline, borders.count());
        let now = self.cells(&self.alert, &alert, borders.count());
        let known_before: f64 = number(then.iter().map(|cell| cell.0).sum::<usize>());
        let known_now: f64 = number(now.iter().map(|cell| cell.0).sum::<usize>());
        let share = |count: usize| number(count) / known_before.max(1.0);
        let shares: Vec<f64> = then.iter().map(|cell| share(cell.0)).collect();
        let is_seen = |at: usize| now[at].0 >= LEAST_SEEN;
        let seen: f64 = (0..shares.len())
            .filter(|at| is_seen(*at))
            .map(|at| shares[at])
            .sum();
        let mut binned = Binned {
            alert,
            shares: (0..shares.len())
                .map(|at| if is_seen(at) { shares[at] } else { 0.0 })
                .collect(),
            seen,
            parts: Parts::default(),
        };
        let is_known = known_now > 0.0 && known_before > 0.0;
        let may_explain = candidate.may_cause && !candidate.is_excused;
        if !is_known || !may_explain || self.excess <= 0.0 {
            return binned;
        }
        let harmless: f64 = (0..shares.len())
            .filter(|at| shares[*at] >= LEAST_COMMON && is_seen(*at) && then[*at].0 >= LEAST_SEEN)
            .map(|at| {
                let mean = |cell: (usize, f64)| cell.1 / number(cell.0);
                let worse = mean(now[at]) - mean(then[at]);
                number(now[at].0) / number(self.alert.len()) * worse.max(0.0)
            })
            .sum::<f64>()
            / self.excess;
        let contrast = self.explained(&[&binned]);
        // What is missing is left alone: only the share of known values can explain.
        let unseen = (1.0 - seen) * known_now / number(self.alert.len());
        let mut universal = unseen.min(1.0 - harmless - contrast).max(0.0);
        if candidate.known.follows == Follows::Work && candidate.effect > 0.0 {
            universal /= 2.0;
        }
        binned.parts = Parts {
            contrast,
            universal,
        };
        binned
    }

    /// Which part of the excess is gone when the alert window is weighted so that all these features have the
    /// baseline's mix. At most what of the baseline's values is still seen.
    pub(super) fn explained(&self, features: &[&Binned]) -> f64 {
        if self.excess <= 0.0 || features.is_empty() {
            return 0.0;
        }
        let margins: Vec<Margin<'_>> = features
            .iter()
            .map(|feature| Margin {
                bins: &feature.alert,
                shares: &feature.shares,
            })
            .collect();
        let seen: f64 = features.iter().map(|feature| feature.seen).product();
        let weights = rake(self.alert.len(), &margins, ROUNDS);
        let (mut sum, mut squares, mut bad) = (0.0, 0.0, 0.0);
        for (weight, row) in weights.iter().zip(&self.alert) {
            sum += weight;
            squares += weight * weight;
            bad += weight * self.judged.badness.y[*row];
        }
        if sum <= 0.0 {
            return 0.0;
        }
        let effective = sum * sum / squares;
        let shrunk = (effective * bad / sum + SHRINK * self.mean) / (effective + SHRINK);
        seen * (self.mean - shrunk) / self.excess
    }

    /// Rows and summed badness of each bin.
    fn cells(&self, rows: &[usize], bins: &[u8], count: usize) -> Vec<(usize, f64)> {
        let mut cells = vec![(0, 0.0); count];
        for (row, bin) in rows.iter().zip(bins) {
            if let Some(cell) = cells.get_mut(usize::from(*bin)) {
                cell.0 += 1;
                cell.1 += self.judged.badness.y[*row];
            }
        }
        cells
    }

    pub(super) fn frame(&self) -> &'a Frame<'a> {
        self.frame
    }
}

fn mean_of(y: &[f64], rows: &[usize]) -> f64 {
    rows.iter().map(|row| y[*row]).sum::<f64>() / number(rows.len().max(1))
}

/// Where values are cut into bins.
enum Borders {
    /// One bin a value; any other value is in the last bin.
    Each(Vec<f64>),
    /// Ascending; below the first and above the last are bins of their own.
    Between(Vec<f64>),
}

fn borders(before: &[f64]) -> Borders {
    let mut different = before.to_vec();
    different.dedup();
    if different.len() <= FEW_VALUES {
        return Borders::Each(different);
    }
    let mut at: Vec<f64> = BORDERS
        .iter()
        .filter_map(|share| quantile(before, *share))
        .collect();
    at.dedup();
    Borders::Between(at)
}

impl Borders {
    fn count(&self) -> usize {
        match self {
            Borders::Each(values) => values.len() + 1,
            Borders::Between(at) => at.len() + 1,
        }
    }

    fn bin(&self, value: f64) -> u8 {
        if value.is_nan() {
            return MISSING;
        }
        let bin = match self {
            Borders::Each(values) => values
                .iter()
                .position(|known| *known == value)
                .unwrap_or(values.len()),
            Borders::Between(at) => at.partition_point(|border| *border < value),
        };
        u8::try_from(bin).unwrap_or(MISSING)
    }
}
