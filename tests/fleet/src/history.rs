//! What happened in a stretch of time.

use crate::engine::Reading;
use crate::fleet::{Call, Fleet};
use crate::scenario::Scenario;

/// Everything that happened, as nobody in the fleet could know it.
#[derive(Clone, Debug)]
pub struct History {
    /// What it began with.
    pub scenario: Scenario,
    /// All calls that ended, in the order of their ends.
    pub calls: Vec<Call>,
    /// For each second the reading of each instance.
    pub readings: Vec<Vec<Reading>>,
}

impl History {
    /// Lets a scenario happen to its end, and half a minute longer, so that what was asked is answered.
    pub fn of(scenario: Scenario) -> Self {
        let mut fleet = Fleet::new(scenario.clone());
        let mut history = History {
            calls: Vec::new(),
            readings: Vec::new(),
            scenario,
        };
        let end = history.scenario.ends_at() + 30.0;
        while fleet.now() < end {
            history.calls.extend(fleet.advance());
            history.readings.push(fleet.readings());
        }
        history
    }
}
