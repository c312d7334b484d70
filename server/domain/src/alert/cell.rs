//! Values of one step, put together for windows.
//!
//! Quantiles come from a sketch with relative error of 1 % (DDSketch; Masson, Rim, Lee: "DDSketch: a fast and
//! fully-mergeable quantile sketch", VLDB 2019): a value v > 0 is counted at index ⌈log_γ v⌉, γ = 1.02. Sums are
//! whole numbers of 10⁻⁹, so that they do not depend on the order in which values came.

use std::collections::BTreeMap;

use super::kind::Direction;
use super::measure::Aggregate;
use super::state::Group;

/// γ of the sketch.
pub const GAMMA: f64 = 1.02;
/// Index of values of zero and less.
pub const NOT_POSITIVE: i32 = i32::MIN;
/// Greatest size of a value that counts; larger ones count as that.
const MOST: f64 = 1e18;
/// Units of a sum.
const UNITS: f64 = 1e9;

/// What happened within one step, or within several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// How many values are known.
    pub known: u64,
    /// Their sum, in 10⁻⁹.
    pub sum: i128,
    /// The least; of nothing 0.
    pub min: f64,
    /// The greatest; of nothing 0.
    pub max: f64,
    /// How many are at each index.
    pub sketch: BTreeMap<i32, u64>,
}

impl Cell {
    /// Of one value; of what is not a number nothing.
    pub fn of(value: f64) -> Self {
        let mut cell = Cell::default();
        if value.is_finite() {
            let value = value.clamp(-MOST, MOST);
            cell = Cell {
                known: 1,
                sum: units(value),
                min: value,
                max: value,
                sketch: BTreeMap::from([(index(value), 1)]),
            };
        }
        cell
    }

    /// Adds what another holds.
    pub fn add(&mut self, other: &Cell) {
        if other.known == 0 {
            return;
        }
        (self.min, self.max) = match self.known {
            0 => (other.min, other.max),
            _ => (self.min.min(other.min), self.max.max(other.max)),
        };
        self.known = self.known.saturating_add(other.known);
        self.sum = self.sum.saturating_add(other.sum);
        for (index, count) in &other.sketch {
            let known = self.sketch.entry(*index).or_default();
            *known = known.saturating_add(*count);
        }
    }

    /// The sum.
    #[expect(clippy::cast_precision_loss, reason = "a float is what rules compare")]
    pub fn total(&self) -> f64 {
        self.sum as f64 / UNITS
    }

    /// What the values come to; of nothing nothing.
    #[expect(clippy::cast_precision_loss, reason = "no window has 2^53 values")]
    pub fn value(&self, aggregate: Aggregate) -> Option<f64> {
        if self.known == 0 {
            return None;
        }
        let count = self.known as f64;
        let value = match aggregate {
            Aggregate::Avg | Aggregate::Rate => self.total() / count,
            Aggregate::Sum => self.total(),
            Aggregate::Count => count,
            Aggregate::Min => self.min,
            Aggregate::Max => self.max,
            Aggregate::P50 => self.quantile(0.5),
            Aggregate::P90 => self.quantile(0.9),
            Aggregate::P95 => self.quantile(0.95),
            Aggregate::P99 => self.quantile(0.99),
        };
        Some(value).filter(|value| value.is_finite())
    }

    /// How many values lie beyond a bound; those within 1 % of it may be on either side.
    pub fn beyond(&self, bound: f64, side: Direction) -> u64 {
        let is_beyond = |index: i32| {
            let value = match index {
                NOT_POSITIVE => self.min.min(0.0),
                index => 2.0 * GAMMA.powi(index) / (GAMMA + 1.0),
            };
            match side {
                Direction::Up => value > bound,
                Direction::Down => value < bound,
            }
        };
        let counts = self.sketch.iter().filter(|(index, _)| is_beyond(**index));
        counts.fold(0, |sum: u64, (_, count)| sum.saturating_add(*count))
    }

    /// The value of rank ⌈q·n⌉, within 1 %.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rank lies between 1 and the count"
    )]
    fn quantile(&self, q: f64) -> f64 {
        let rank = ((q * self.known as f64).ceil() as u64).max(1);
        let mut seen = 0_u64;
        let mut counts = self.sketch.iter();
        let found = counts.find(|(_, count)| {
            seen = seen.saturating_add(**count);
            seen >= rank
        });
        let value = match found {
            Some((&NOT_POSITIVE, _)) => self.min,
            Some((index, _)) => 2.0 * GAMMA.powi(*index) / (GAMMA + 1.0),
            None => self.max,
        };
        value.clamp(self.min, self.max)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 10^27")]
fn units(value: f64) -> i128 {
    (value * UNITS).round() as i128
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a logarithm of a float is small"
)]
fn index(value: f64) -> i32 {
    if value > 0.0 {
        (value.ln() / GAMMA.ln()).ceil() as i32
    } else {
        NOT_POSITIVE
    }
}

/// Cells of a series by group and step; a step is its begin divided by the length of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    by_group: BTreeMap<Group, BTreeMap<i64, Cell>>,
}

impl Cells {
    /// Adds to a step.
    pub fn add(&mut self, group: Group, step: i64, cell: &Cell) {
        let steps = self.by_group.entry(group).or_default();
        steps.entry(step).or_default().add(cell);
    }

    /// Groups that have any.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.by_group.keys()
    }

    /// Everything of a group from a step up to another, which is excluded.
    pub fn window(&self, group: &Group, (from, to): (i64, i64)) -> Cell {
        let mut sum = Cell::default();
        if let Some(steps) = self.by_group.get(group).filter(|_| from < to) {
            for cell in steps.range(from..to).map(|(_, cell)| cell) {
                sum.add(cell);
            }
        }
        sum
    }

    /// Each step of a group.
    pub fn steps(&self, group: &Group) -> impl Iterator<Item = (i64, &Cell)> {
        let steps = self.by_group.get(group).into_iter().flatten();
        steps.map(|(step, cell)| (*step, cell))
    }
}
