//! Who asks for what.

use crate::cause::{Cause, Flaw, Source};
use crate::device::ramp;
use crate::random::{Random, Wander};
use crate::scenario::Scenario;

/// Prompts, with the length of the part that all requests share, and the version that everybody has.
pub(crate) const PROMPTS: [(&str, f64, u32); 3] = [
    ("support", 1100.0, 4),
    ("extract", 700.0, 7),
    ("summary", 1600.0, 2),
];
const PROMPT_WEIGHTS: [f64; 3] = [0.5, 0.3, 0.2];
pub(crate) const TENANTS: [&str; 6] = ["acme", "borealis", "cobalt", "dune", "ember", "fjord"];
const TENANT_WEIGHTS: [f64; 6] = [0.34, 0.22, 0.16, 0.12, 0.09, 0.07];
pub(crate) const OLD_RELEASE: &str = "2026.10.1";
pub(crate) const NEW_RELEASE: &str = "2026.11.0";

/// What somebody asks for, and what the answer will be like.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) at: f64,
    pub(crate) prompt: usize,
    pub(crate) version: u32,
    pub(crate) tenant: usize,
    pub(crate) is_new_release: bool,
    pub(crate) input_tokens: f64,
    /// Tokens that are in the cache, if it has not lost them.
    pub(crate) cacheable: f64,
    pub(crate) output_tokens: f64,
    pub(crate) format_valid: bool,
    pub(crate) refused: bool,
    pub(crate) repeated: f64,
    pub(crate) is_retry: bool,
}

pub(crate) struct Traffic {
    random: Random,
    tide: Wander,
    rate: f64,
    next: f64,
    retries: Vec<Asked>,
    /// Share of requests that get what is new, where somebody decides it.
    rolled_out: Option<f64>,
}

impl Traffic {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let mut random = Random::new(scenario.seed, 1);
        Traffic {
            tide: Wander::new(&mut random, 180.0),
            rate: scenario.requests_per_s,
            next: 0.0,
            retries: Vec::new(),
            rolled_out: None,
            random,
        }
    }

    /// What is new goes to that share of those it is for, whatever the scenario says.
    pub(crate) fn roll_out(&mut self, share: f64) {
        self.rolled_out = Some(share);
    }

    /// Requests from one second to the next.
    pub(crate) fn second(&mut self, now: f64, scenario: &Scenario) -> Vec<Asked> {
        let tide = (1.0 + 0.12 * self.tide.step(&mut self.random)).max(0.3);
        let since = now - scenario.begins_at;
        let active = since >= 0.0;
        let (times, flood) = match scenario.cause {
            Cause::Growth { times } if active => {
                (1.0 + (times - 1.0) * ramp(since, 0.0, 60.0), 0.0)
            }
            Cause::Flood { times, .. } if active => (1.0, times * ramp(since, 0.0, 10.0)),
            _ => (1.0, 0.0),
        };
        let own = self.rate * tide * times;
        let all = own + self.rate * flood;
        self.next = self.next.max(now);
        let mut asked = Vec::new();
        loop {
            self.next += self.random.wait(1.0 / all);
            if self.next >= now + 1.0 {
                // The wait has no memory: the next second draws anew with its own rate.
                self.next = now + 1.0;
                break;
            }
            let is_flood = self.random.chance(self.rate * flood / all);
            asked.push(self.ask(self.next, scenario, is_flood));
        }
        let (due, later) = std::mem::take(&mut self.retries)
            .into_iter()
            .partition(|retry| retry.at < now + 1.0);
        self.retries = later;
        asked.extend(due);
        asked.sort_by(|one, other| one.at.total_cmp(&other.at));
        asked
    }

    /// Some ask again when an answer did not have the form it should.
    pub(crate) fn answered(&mut self, asked: &Asked, ended: f64) {
        if !asked.format_valid && !asked.is_retry && self.random.chance(0.6) {
            let mut again = asked.clone();
            again.at = ended + 0.5;
            again.is_retry = true;
            again.format_valid = self.random.chance(0.7);
            self.retries.push(again);
        }
    }

    fn ask(&mut self, at: f64, scenario: &Scenario, is_flood: bool) -> Asked {
        let random = &mut self.random;
        let since = at - scenario.begins_at;
        let ramped = ramp(since, 0.0, 20.0) * f64::from(u8::from(since >= 0.0));
        let rollout = self.rolled_out.unwrap_or(ramped);
        let tenant = match scenario.cause {
            Cause::Flood { tenant, .. } if is_flood => tenant,
            _ => random.pick(&TENANT_WEIGHTS),
        };
        let prompt = random.pick(&PROMPT_WEIGHTS);
        let (_, prefix, usual) = PROMPTS[prompt];
        let mut asked = Asked {
            at,
            prompt,
            version: usual,
            tenant,
            is_new_release: false,
            input_tokens: 0.0,
            cacheable: 0.0,
            output_tokens: random.about(170.0, 0.5).clamp(8.0, 900.0).round(),
            format_valid: random.chance(0.988),
            refused: random.chance(0.012),
            repeated: (0.06 + 0.03 * random.normal()).clamp(0.0, 1.0),
            is_retry: false,
        };
        let own = random.about(if is_flood { 700.0 } else { 330.0 }, 0.45);
        asked.input_tokens = (prefix + own).round();
        asked.cacheable = prefix * random.between(0.94, 1.0);
        if random.chance(0.05) {
            asked.cacheable *= random.unit();
        }
        roll_out(random, &mut asked, &scenario.cause, rollout);
        if let Some(harmless) = scenario.harmless_rollout {
            let ramped = harmless.share * ramp(at - harmless.at, 0.0, 20.0);
            let goes = random.chance(self.rolled_out.unwrap_or(ramped));
            if goes && harmless.is_release {
                asked.is_new_release = true;
            } else if goes && prompt == harmless.prompt {
                asked.version = usual + 1;
            }
        }
        if asked.refused {
            asked.output_tokens = (asked.output_tokens * 0.25).max(8.0).round();
        }
        asked
    }
}

/// Who gets what is new, and what that does to the request.
fn roll_out(random: &mut Random, asked: &mut Asked, cause: &Cause, ramped: f64) {
    let (_, prefix, usual) = PROMPTS[asked.prompt];
    match *cause {
        Cause::BrokenPrefix { prompt, rollout }
            if prompt == asked.prompt && random.chance(rollout * ramped) =>
        {
            asked.version = usual + 1;
            asked.cacheable = (prefix * 0.02).min(16.0);
        }
        Cause::PoorAnswers {
            source,
            flaw,
            rate,
            rollout,
        } => {
            let concerns = match source {
                Source::Version(prompt) => prompt == asked.prompt,
                Source::Release => true,
            };
            if concerns && random.chance(rollout * ramped) {
                match source {
                    Source::Version(_) => asked.version = usual + 1,
                    Source::Release => asked.is_new_release = true,
                }
                match flaw {
                    Flaw::Format => asked.format_valid &= !random.chance(rate),
                    Flaw::Refusal => asked.refused |= random.chance(rate),
                }
            }
        }
        _ => {}
    }
}
