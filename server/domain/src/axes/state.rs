//! What instances and GPUs did, joined by time.

use std::collections::HashMap;
use std::sync::Arc;

use super::asof::{Moment, Readings};
use super::derived::{self, Derivation, Way};
use super::recipe::{self, Recipe};
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
        recipe::of(name).iter().find_map(|recipe| match recipe {
            Recipe::State(part, fold) => state(part, *fold),
            Recipe::Growth(part) => growth(part),
            Recipe::Derived(name) => derived::of(name).find_map(|derivation| {
                derivation.value(&|part| match derivation.way {
                    Way::Growth => growth(part),
                    Way::Newest => state(part, Fold::Sum),
                })
            }),
        })
    }

    /// What a value was within a stretch of time, for some instances or GPUs: every reading of states, and one value of
    /// what is made of growths.
    pub fn within(&self, units: &[&Unit], name: &str, stretch: Stretch) -> Vec<f64> {
        for recipe in recipe::of(name) {
            let values = match recipe {
                Recipe::State(part, _) => self.readings_within(units, part, stretch),
                Recipe::Growth(part) => self.growth(units, part, stretch).into_iter().collect(),
                Recipe::Derived(name) => derived::of(name)
                    .map(|derivation| self.derived_within(units, derivation, stretch))
                    .find(|values| !values.is_empty())
                    .unwrap_or_default(),
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

    /// What counters of some units grew by, together.
    fn growth(&self, units: &[&Unit], part: &str, stretch: Stretch) -> Option<f64> {
        let all = units.iter().flat_map(|unit| self.of(unit, part));
        let oldest = stretch.from_ms - GROWTH_REACH_MS;
        let grown =
            all.filter_map(|readings| readings.growth(stretch.from_ms, stretch.to_ms, oldest));
        Fold::Sum.of(grown)
    }

    /// One value of what follows from growths; of what follows from states one at each time at which its first part was
    /// measured.
    fn derived_within(
        &self,
        units: &[&Unit],
        derivation: &Derivation,
        stretch: Stretch,
    ) -> Vec<f64> {
        if derivation.way == Way::Growth {
            let value = derivation.value(&|part| self.growth(units, part, stretch));
            return value.into_iter().collect();
        }
        let first = derivation.over.first().map_or("", |(part, _)| part);
        let mut values = Vec::new();
        for unit in units {
            let readings = self.of(unit, first);
            for (time, _) in
                readings.flat_map(|readings| readings.within(stretch.from_ms, stretch.to_ms))
            {
                let Some(instant) = crate::Timestamp::from_unix_millis(time) else {
                    continue;
                };
                let moment = Moment::of(instant, None);
                values.extend(derivation.value(&|part| {
                    let readings = self.of(unit, part);
                    Fold::Sum.of(readings.filter_map(|readings| readings.at(&moment)))
                }));
            }
        }
        values
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
