//! What is usual at an hour of the day: the median of its minutes over some days, and how far they lie apart.
//!
//! Robust against what was not usual itself: up to half of the minutes may be anything (median and MAD, the median of
//! absolute deviations; Rousseeuw, Croux: "Alternatives to the Median Absolute Deviation", JASA 1993; not scaled).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cell::Cells;
use super::kind::Direction;
use super::measure::Aggregate;
use super::settings::AlertSettings;
use super::state::Group;
use crate::{Nanos, Timestamp};

/// Seconds of the values that it is worked out of.
pub const MINUTE_S: u64 = 60;

/// Minutes of one hour of the day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    /// Their median.
    pub median: f64,
    /// Median of their distances from it.
    pub mad: f64,
    /// How many there are.
    pub samples: u32,
}

/// A pool for each hour of the day that has enough minutes, by hour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pools(pub BTreeMap<u8, Pool>);

/// What is usual, by the instant at which it was worked out, and group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baselines(pub BTreeMap<Timestamp, BTreeMap<Group, Pools>>);

impl Pool {
    /// Of values in any order; `None` of none.
    pub fn of(values: &mut [f64]) -> Option<Self> {
        let middle = median(values)?;
        let mut distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
        Some(Pool {
            median: middle,
            mad: median(&mut distances)?,
            samples: u32::try_from(values.len()).unwrap_or(u32::MAX),
        })
    }

    /// The baseline: median + MADs above, median − MADs below.
    pub fn baseline(&self, mads: f64, direction: Direction) -> f64 {
        match direction {
            Direction::Up => self.median + mads * self.mad,
            Direction::Down => self.median - mads * self.mad,
        }
    }
}

impl Pools {
    /// Of what came in the days before an instant, in cells of a minute.
    pub fn of(
        settings: &AlertSettings,
        (cells, group): (&Cells, &Group),
        aggregate: Aggregate,
        as_of: Timestamp,
    ) -> Self {
        let from = begin(settings, as_of);
        let mut by_hour: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
        for (step, cell) in cells.steps(group) {
            let minute = instant(step, MINUTE_S);
            if let Some(value) = cell
                .value(aggregate)
                .filter(|_| from <= minute && minute < as_of)
            {
                by_hour
                    .entry(settings.hour_of(minute))
                    .or_default()
                    .push(value);
            }
        }
        let pool = |(hour, mut values): (u8, Vec<f64>)| {
            let pool = Pool::of(&mut values)?;
            (pool.samples >= settings.min_samples).then_some((hour, pool))
        };
        Pools(by_hour.into_iter().filter_map(pool).collect())
    }
}

impl Baselines {
    /// Works out what was usual at an instant, of every group.
    pub fn add(
        &mut self,
        settings: &AlertSettings,
        cells: &Cells,
        aggregate: Aggregate,
        as_of: Timestamp,
    ) {
        let of = |group: &Group| {
            let pools = Pools::of(settings, (cells, group), aggregate, as_of);
            (group.clone(), pools)
        };
        let groups = cells.groups().map(of).collect();
        self.0.insert(as_of, groups);
    }

    /// What is usual for a group at an instant; `None` where too little is known.
    pub fn at(&self, settings: &AlertSettings, group: &Group, at: Timestamp) -> Option<&Pool> {
        let pools = self.0.get(&settings.refreshed_before(at))?.get(group)?;
        pools.0.get(&settings.hour_of(at))
    }
}

/// Where the days begin that a baseline is worked out of.
pub fn begin(settings: &AlertSettings, as_of: Timestamp) -> Timestamp {
    as_of.minus(Nanos::from_seconds(
        u64::from(settings.baseline_days) * 86_400,
    ))
}

/// The begin of a step.
pub fn instant(step: i64, step_s: u64) -> Timestamp {
    let seconds = u64::try_from(step).unwrap_or(0).saturating_mul(step_s);
    Timestamp::EPOCH.plus(Nanos::from_seconds(seconds))
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    match values.len() % 2 {
        0 => Some(f64::midpoint(*values.get(middle - 1)?, upper)),
        _ => Some(upper),
    }
}
