//! What instances and GPUs did, joined by time.

use std::collections::HashMap;
use std::sync::Arc;

use super::asof::{Moment, Readings};
use super::recipe::{self, FREE_BYTES, GIGA, Recipe};
use super::series::SeriesId;
use super::topology::{Fleet, Found, Signs, Topology, Unit};
use super::value::{Fold, GPU};

/// A fleet with the readings of its series.
#[derive(Clone, Debug, Default)]
pub struct FleetState {
    /// Instances and GPUs.
    pub fleet: Fleet,
    topology: Arc<Topology>,
    readings: HashMap<SeriesId, Readings>,
}

/// A stretch of time of which values are asked, in milliseconds: from ≤ t < to.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Its beginning.
    pub from_ms: i64,
    /// Its end; excluded.
    pub to_ms: i64,
}

/// How long before a stretch the value may lie that a counter grew from.
const GROWTH_REACH_MS: i64 = 300_000;

impl FleetState {
    /// From a fleet and what its series did.
    pub fn new(
        fleet: Fleet,
        topology: Arc<Topology>,
        readings: HashMap<SeriesId, Readings>,
    ) -> Self {
        FleetState {
            fleet,
            topology,
            readings,
        }
    }

    /// The instance that served a request.
    pub fn serving(&self, signs: &Signs) -> Option<Found> {
        self.topology.serving(&self.fleet, signs)
    }

    /// The value of an instance, or of its GPUs together, at a request's time.
    pub fn at(&self, instance: usize, name: &str, moment: &Moment) -> Option<f64> {
        match GPU.iter().find(|(known, _)| *known == name) {
            Some((_, fold)) => {
                let gpus = self.fleet.gpus_of.get(instance)?;
                let values = gpus
                    .iter()
                    .filter_map(|gpu| self.at_unit(&self.fleet.gpus[*gpu], name, moment));
                fold.of(values)
            }
            None => self.at_unit(self.fleet.instances.get(instance)?, name, moment),
        }
    }

    /// The value of one instance or GPU by itself.
    fn at_unit(&self, unit: &Unit, name: &str, moment: &Moment) -> Option<f64> {
        let state = |name: &str, fold: Fold| {
            fold.of(self
                .of(unit, name)
                .filter_map(|readings| readings.at(moment)))
        };
        let growth = |name: &str| {
            let grown = self
                .of(unit, name)
                .filter_map(|readings| readings.growth_at(moment));
            Fold::Sum.of(grown)
        };
        let recipes = recipe::of(name).iter();
        recipes
            .into_iter()
            .find_map(|recipe| made(recipe, &state, &growth))
    }

    /// What a value was within a stretch of time, for some instances or GPUs: every reading of states, and one value of
    /// what is made of growths.
    pub fn within(&self, units: &[&Unit], name: &str, stretch: Stretch) -> Vec<f64> {
        for recipe in recipe::of(name) {
            let values = match recipe {
                Recipe::State(part, _) => self.readings_within(units, part, stretch),
                Recipe::Share(..) => self.shares_within(units, recipe, stretch),
                Recipe::Growth(_) | Recipe::Growths(..) => {
                    let growth = |part: &str| {
                        let all = units.iter().flat_map(|unit| self.of(unit, part));
                        let oldest = stretch.from_ms - GROWTH_REACH_MS;
                        Fold::Sum.of(all.filter_map(|readings| {
                            readings.growth(stretch.from_ms, stretch.to_ms, oldest)
                        }))
                    };
                    made(recipe, &|_, _| None, &growth).into_iter().collect()
                }
            };
            if !values.is_empty() {
                return values;
            }
        }
        Vec::new()
    }

    /// Times in milliseconds and values of an instance at the times at which they were measured: for whoever asks when
    /// something moved. Values of several GPUs that were measured within a second are one.
    pub fn measured(&self, instance: usize, name: &str, stretch: Stretch) -> Vec<(i64, f64)> {
        let gpu_fold = GPU
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, fold)| *fold);
        let units: Vec<&Unit> = match gpu_fold {
            Some(_) => {
                let gpus = self.fleet.gpus_of.get(instance).into_iter().flatten();
                gpus.map(|gpu| &self.fleet.gpus[*gpu]).collect()
            }
            None => self.fleet.instances.get(instance).into_iter().collect(),
        };
        for recipe in recipe::of(name) {
            let Recipe::State(part, fold) = recipe else {
                continue;
            };
            let all = units.iter().flat_map(|unit| self.of(unit, part));
            let mut pairs: Vec<(i64, f64)> = all
                .flat_map(|readings| readings.within(stretch.from_ms, stretch.to_ms))
                .collect();
            pairs.sort_by_key(|(time, _)| *time);
            let fold = gpu_fold.unwrap_or(*fold);
            let together = pairs.chunk_by(|one, other| one.0 / 1_000 == other.0 / 1_000);
            let folded: Vec<(i64, f64)> = together
                .filter_map(|chunk| {
                    Some((
                        chunk.first()?.0,
                        fold.of(chunk.iter().map(|(_, value)| *value))?,
                    ))
                })
                .collect();
            if !folded.is_empty() {
                return folded;
            }
        }
        Vec::new()
    }

    fn readings_within(&self, units: &[&Unit], part: &str, stretch: Stretch) -> Vec<f64> {
        let all = units.iter().flat_map(|unit| self.of(unit, part));
        all.flat_map(|readings| readings.within(stretch.from_ms, stretch.to_ms))
            .map(|(_, value)| value)
            .collect()
    }

    /// A share at each time at which its upper part was measured.
    fn shares_within(&self, units: &[&Unit], recipe: &Recipe, stretch: Stretch) -> Vec<f64> {
        let Recipe::Share(over, _) = recipe else {
            return Vec::new();
        };
        let mut shares = Vec::new();
        for unit in units {
            let times: Vec<i64> = self
                .of(unit, over)
                .flat_map(|readings| readings.within(stretch.from_ms, stretch.to_ms))
                .map(|(time, _)| time)
                .collect();
            for time in times {
                let Some(instant) = crate::Timestamp::from_unix_millis(time) else {
                    continue;
                };
                let moment = Moment::of(instant, None);
                let state = |name: &str, fold: Fold| {
                    fold.of(self
                        .of(unit, name)
                        .filter_map(|readings| readings.at(&moment)))
                };
                shares.extend(made(recipe, &state, &|_| None));
            }
        }
        shares
    }

    fn of<'a>(
        &'a self,
        unit: &'a Unit,
        name: &str,
    ) -> impl Iterator<Item = &'a Readings> + use<'a> {
        let series = unit.series.get(name).into_iter().flatten();
        series.filter_map(|id| self.readings.get(id))
    }
}

/// A value by a recipe, from states and from what counters grew by.
fn made(
    recipe: &Recipe,
    state: &dyn Fn(&str, Fold) -> Option<f64>,
    growth: &dyn Fn(&str) -> Option<f64>,
) -> Option<f64> {
    let ratio = |over: f64, under: f64| (under > 0.0).then_some(over / under);
    match recipe {
        Recipe::State(name, fold) => state(name, *fold),
        Recipe::Growth(name) => growth(name),
        Recipe::Growths(over, under) => {
            let sum = |names: &[&str]| names.iter().map(|name| growth(name)).sum::<Option<f64>>();
            ratio(sum(over)?, sum(under)?)
        }
        Recipe::Share(over, under) => {
            let bytes = |name: &str| {
                let factor = if name == FREE_BYTES { GIGA } else { 1.0 };
                Some(state(name, Fold::Sum)? * factor)
            };
            let under: Option<f64> = under.iter().map(|name| bytes(name)).sum();
            ratio(bytes(over)?, under?)
        }
    }
}
