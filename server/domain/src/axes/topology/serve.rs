//! From a request to its instance.

use std::sync::Arc;

use super::same::{fits, model, plain};
use super::{Fleet, InstanceRule, Teller, Topology, Unit};

/// What tells which instance served a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signs {
    /// Of its own span, by key.
    pub request: Vec<(Arc<str>, Arc<str>)>,
    /// Of spans of the engine and of servers below it, by key.
    pub server: Vec<(Arc<str>, Arc<str>)>,
    /// Its model.
    pub model: Option<Arc<str>>,
}

/// An instance, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its place in the fleet.
    pub instance: usize,
    /// The name of the rule.
    pub rule: Arc<str>,
}

/// Labels that name a model.
const MODELS: &[&str] = &["model_name", "model", "served_model_name"];

impl Topology {
    /// The instance that served a request; `None` where nothing tells, or where several fit.
    pub fn serving(&self, fleet: &Fleet, signs: &Signs) -> Option<Found> {
        let mut left: Vec<usize> = (0..fleet.instances.len()).collect();
        for rule in &self.instances {
            let fitting = fitting(rule, (fleet, &left), signs);
            match fitting.as_slice() {
                [] => {}
                [instance] => {
                    return Some(Found {
                        instance: *instance,
                        rule: Arc::from(rule.name.as_str()),
                    });
                }
                // What follows may tell these apart, but not lead elsewhere.
                _ => left = fitting,
            }
        }
        None
    }
}

fn fitting(rule: &InstanceRule, (fleet, left): (&Fleet, &[usize]), signs: &Signs) -> Vec<usize> {
    let all = match rule.from {
        Teller::Request => &signs.request,
        Teller::Server => &signs.server,
    };
    let is_served = |unit: &Unit| !rule.same_model || serves(unit, signs.model.as_deref());
    let those = |test: &dyn Fn(&Unit) -> bool| -> Vec<usize> {
        let fitting = left.iter().copied();
        fitting
            .filter(|at| test(&fleet.instances[*at]) && is_served(&fleet.instances[*at]))
            .collect()
    };
    if rule.keys.is_empty() {
        return those(&|_| true);
    }
    for key in &rule.keys {
        let told = all.iter().filter(|(known, _)| known.as_ref() == key);
        let told: Vec<String> = told.map(|(_, value)| plain(value)).collect();
        for label in &rule.labels {
            let is_meant = |unit: &Unit| {
                let values = unit.label(label).into_iter().flatten();
                let values: Vec<String> = values.map(|value| plain(value)).collect();
                told.iter()
                    .any(|told| values.iter().any(|value| fits(told, value)))
            };
            let found = those(&is_meant);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

fn serves(unit: &Unit, wanted: Option<&str>) -> bool {
    let labels = MODELS
        .iter()
        .filter_map(|label| unit.label(label))
        .flatten();
    wanted.is_some_and(|wanted| labels.into_iter().any(|served| model(served, wanted)))
}
