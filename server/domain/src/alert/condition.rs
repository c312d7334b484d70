//! What rules say of one step.

use super::baseline::Baselines;
use super::cell::{Cell, Cells};
use super::kind::{Burn, Condition, Direction, Kind};
use super::measure::AlertSeries;
use super::settings::AlertSettings;
use super::state::{Group, Reading, Verdict};
use crate::Timestamp;

/// A series of a group at the end of a step.
pub(super) struct Step<'a> {
    pub(super) settings: &'a AlertSettings,
    pub(super) kind: &'a Kind,
    pub(super) series: &'a AlertSeries,
    pub(super) cells: &'a Cells,
    pub(super) baselines: &'a Baselines,
    pub(super) group: &'a Group,
    pub(super) at: Timestamp,
}

impl Step<'_> {
    /// What the rule says.
    pub(super) fn reading(&self) -> Reading {
        match &self.kind.condition {
            Condition::Threshold { direction, value } => {
                self.against(|_| Some((None, *value, *direction)))
            }
            Condition::Adaptive { direction, factor } => self.adaptive(*direction, *factor),
            Condition::P99Shift { factor, rise } => self.shift(*factor, *rise),
            Condition::CostSpike { history_s, factor } => self.spike(*history_s, *factor),
            Condition::SloBurn {
                objective,
                direction,
                burns,
            } => self.burn(*objective, *direction, burns),
            Condition::NoData => Reading {
                verdict: match self.last(self.kind.window_s).known {
                    0 => Verdict::Abnormal,
                    _ => Verdict::Normal,
                },
                ..Reading::default()
            },
            Condition::Composite { .. } => Reading::default(),
        }
    }

    fn last(&self, seconds: u64) -> Cell {
        self.between(seconds, 0)
    }

    /// From so many seconds ago until so many seconds ago.
    fn between(&self, from_s: u64, until_s: u64) -> Cell {
        let step_s = i64::try_from(self.kind.step_s()).unwrap_or(1);
        let end = self.at.unix_seconds();
        let step = |ago: u64| (end - i64::try_from(ago).unwrap_or(0)).div_euclid(step_s);
        self.cells.window(self.group, (step(from_s), step(until_s)))
    }

    /// The window's value, where there are enough.
    fn value(&self, cell: &Cell) -> Option<f64> {
        let is_enough = cell.known >= self.kind.min_count;
        cell.value(self.series.aggregate).filter(|_| is_enough)
    }

    /// Holds the value against what `bound` makes of it: what is usual, the bound, its side.
    fn against(&self, bound: impl FnOnce(f64) -> Option<(Option<f64>, f64, Direction)>) -> Reading {
        let Some(value) = self.value(&self.last(self.kind.window_s)) else {
            return Reading::default();
        };
        let Some((baseline, bound, direction)) = bound(value) else {
            return Reading {
                verdict: Verdict::NoBaseline,
                value: Some(value),
                ..Reading::default()
            };
        };
        let is_beyond = match direction {
            Direction::Up => value > bound,
            Direction::Down => value < bound,
        };
        Reading {
            verdict: verdict(is_beyond),
            value: Some(value),
            bound: Some(bound),
            baseline,
        }
    }

    fn adaptive(&self, direction: Direction, factor: Option<f64>) -> Reading {
        let factor = factor.unwrap_or(self.settings.adaptive_factor);
        self.against(|_| {
            let pool = self.baselines.at(self.settings, self.group, self.at)?;
            let baseline = pool.baseline(self.settings.baseline_mads, direction);
            let bound = match direction {
                Direction::Up => baseline * factor,
                Direction::Down => baseline / factor,
            };
            Some((Some(baseline), bound, direction))
        })
    }

    fn shift(&self, factor: f64, rise: f64) -> Reading {
        self.against(|_| {
            let pool = self.baselines.at(self.settings, self.group, self.at)?;
            let baseline = pool.baseline(self.settings.baseline_mads, Direction::Up);
            let bound = (baseline * factor).max(baseline + rise);
            Some((Some(baseline), bound, Direction::Up))
        })
    }

    /// Dollars an hour; where the first half of the history has none, its average tells nothing.
    #[expect(clippy::cast_precision_loss, reason = "seconds of a day at most")]
    fn spike(&self, history_s: u64, factor: f64) -> Reading {
        let hourly = |cell: &Cell, seconds: u64| cell.total() * 3_600.0 / seconds as f64;
        let recent = self.last(self.kind.window_s);
        if recent.known < self.kind.min_count {
            return Reading::default();
        }
        let value = hourly(&recent, self.kind.window_s);
        if self.between(history_s, history_s / 2).known == 0 {
            return Reading {
                verdict: Verdict::NoBaseline,
                value: Some(value),
                ..Reading::default()
            };
        }
        let average = hourly(&self.last(history_s), history_s);
        let bound = average * factor;
        Reading {
            verdict: verdict(value > bound),
            value: Some(value),
            bound: Some(bound),
            baseline: Some(average),
        }
    }

    /// The fastest of the pairs that burn; else the fastest at all.
    fn burn(&self, objective: f64, direction: Direction, burns: &[Burn]) -> Reading {
        let rate = |seconds: u64| {
            let share = self.value(&self.last(seconds))?;
            let bad = match direction {
                Direction::Up => share,
                Direction::Down => 1.0 - share,
            };
            Some(bad / (1.0 - objective))
        };
        let of = |burn: &Burn| {
            let (long, short) = (rate(burn.long_s)?, rate(burn.short_s)?);
            let is_burning = long > burn.rate && short > burn.rate;
            Some((is_burning, long.min(short), burn.rate))
        };
        let readings = burns.iter().filter_map(of);
        let worst = readings.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        worst.map_or_else(Reading::default, |(is_burning, value, bound)| Reading {
            verdict: verdict(is_burning),
            value: Some(value),
            bound: Some(bound),
            baseline: None,
        })
    }
}

fn verdict(is_abnormal: bool) -> Verdict {
    match is_abnormal {
        true => Verdict::Abnormal,
        false => Verdict::Normal,
    }
}
