//! All instances, and time.

use crate::cause::Cause;
use crate::engine::{Ended, Engine, Reading, STEPS};
use crate::random::Random;
use crate::scenario::Scenario;
use crate::traffic::{Asked, NEW_RELEASE, OLD_RELEASE, PROMPTS, TENANTS, Traffic};

/// A request that was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which one, from 1.
    pub number: u64,
    /// When it was asked, in seconds since the simulation began.
    pub at: f64,
    /// When it was taken up.
    pub began: f64,
    /// When its first token came.
    pub first_token: f64,
    /// When its last token came.
    pub ended: f64,
    /// Instance that served it.
    pub instance: usize,
    /// Name of its prompt.
    pub prompt: &'static str,
    /// The prompt's version.
    pub version: u32,
    /// Tenant.
    pub tenant: &'static str,
    /// Release of the application.
    pub release: &'static str,
    /// Tokens of input.
    pub input_tokens: f64,
    /// Of these, found in the cache.
    pub cached_tokens: f64,
    /// Tokens of output.
    pub output_tokens: f64,
    /// The answer has the form it should.
    pub format_valid: bool,
    /// The answer refuses.
    pub refused: bool,
    /// The client hung up before it was whole.
    pub is_cut: bool,
    /// Share of word groups that repeat.
    pub repeated: f64,
}

/// A fleet under way.
pub struct Fleet {
    scenario: Scenario,
    random: Random,
    traffic: Traffic,
    engines: Vec<Engine>,
    second: u32,
    calls: u64,
}

impl Fleet {
    /// A fleet at its beginning.
    pub fn new(scenario: Scenario) -> Self {
        Fleet {
            random: Random::new(scenario.seed, 2),
            traffic: Traffic::new(&scenario),
            engines: (0..scenario.instances)
                .map(|index| Engine::new(scenario.seed, index))
                .collect(),
            second: 0,
            calls: 0,
            scenario,
        }
    }

    /// Seconds since it began.
    pub fn now(&self) -> f64 {
        f64::from(self.second)
    }

    /// A second goes by: calls that ended in it.
    pub fn advance(&mut self) -> Vec<Call> {
        let now = self.now();
        let since = now - self.scenario.begins_at;
        for (index, engine) in self.engines.iter_mut().enumerate() {
            let cause = &self.scenario.cause;
            let concerns = match cause {
                Cause::Throttle { instance, .. } | Cause::LinkLost { instance, .. } => {
                    *instance == index
                }
                _ => true,
            };
            engine.second((since >= 0.0 && concerns).then_some((since, cause)));
        }
        for asked in self.traffic.second(now, &self.scenario) {
            self.route(asked);
        }
        let mut calls = Vec::new();
        for step in 0..STEPS {
            let at = now + f64::from(step) / f64::from(STEPS);
            for instance in 0..self.engines.len() {
                let mut ended = Vec::new();
                self.engines[instance].step(at, &mut ended);
                for one in ended {
                    self.traffic.answered(&one.asked, one.ended);
                    self.calls += 1;
                    calls.push(call(self.calls, instance, &one));
                }
            }
        }
        self.second += 1;
        calls
    }

    /// What is new, a version or a release, goes to that share of those it is for from now on, whatever the scenario says
    /// of its time: for whoever decides it in the fleet's stead, as a label of a prompt does.
    pub fn roll_out(&mut self, share: f64) {
        self.traffic.roll_out(share);
    }

    /// What the exporters of each instance tell now.
    pub fn readings(&self) -> Vec<Reading> {
        self.engines.iter().map(Engine::reading).collect()
    }

    /// To the less loaded of two: as balancers do it.
    fn route(&mut self, asked: Asked) {
        let one = self.random.below(self.engines.len());
        let other = self.random.below(self.engines.len());
        let to = if self.engines[one].load() <= self.engines[other].load() {
            one
        } else {
            other
        };
        self.engines[to].accept(asked);
    }
}

fn call(number: u64, instance: usize, one: &Ended) -> Call {
    let asked = &one.asked;
    Call {
        number,
        at: asked.at,
        began: one.began,
        first_token: one.first_token,
        ended: one.ended,
        instance,
        prompt: PROMPTS[asked.prompt].0,
        version: asked.version,
        tenant: TENANTS[asked.tenant],
        release: if asked.is_new_release {
            NEW_RELEASE
        } else {
            OLD_RELEASE
        },
        input_tokens: asked.input_tokens,
        cached_tokens: one.cached,
        output_tokens: one.output_tokens,
        format_valid: asked.format_valid && !one.is_cut,
        refused: asked.refused,
        is_cut: one.is_cut,
        repeated: asked.repeated,
    }
}
