//! Everything that a simulation begins with.

use crate::cause::{Cause, Flaw, Source, Truth};
use crate::random::Random;
use crate::traffic::{NEW_RELEASE, PROMPTS, TENANTS};

/// A fleet and what will go wrong with it. Times are seconds since the simulation began.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Everything that is left to chance follows from it.
    pub seed: u64,
    /// Serving instances.
    pub instances: usize,
    /// Requests a second, over all of them.
    pub requests_per_s: f64,
    /// What goes wrong.
    pub cause: Cause,
    /// When it begins.
    pub begins_at: f64,
    /// When the baseline ends and the alert window begins.
    pub alert_at: f64,
    /// How long the alert window is.
    pub alert_s: f64,
    /// Something new that does no harm.
    pub harmless_rollout: Option<Rollout>,
    /// Share of scrapes that fail.
    pub missing_scrapes: f64,
    /// The series that is bad, and whether its rise or its fall is.
    pub symptom: (&'static str, bool),
}

/// A new version of a prompt or a new release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout {
    /// When it begins.
    pub at: f64,
    /// Which prompt.
    pub prompt: usize,
    /// It is a release instead.
    pub is_release: bool,
    /// Share of those it is for that get it.
    pub share: f64,
}

/// How many kinds of causes [`Scenario::drawn`] knows.
pub const KINDS: usize = 11;
/// The kind of a GPU that throttles.
const THROTTLE: usize = 2;
/// Requests that an instance can serve in a second.
const CAPACITY_PER_S: f64 = 4.0;
const LATENCY: [&str; 3] = ["token.e2e_ms", "token.ttft_ms", "token.tpot_ms"];

impl Scenario {
    /// A fleet by chance, with a cause of that kind (below [`KINDS`]): another size, severity and time with each seed,
    /// some with little traffic, missing values, a harmless rollout, or a cause that begins well before the alert.
    pub fn drawn(kind: usize, seed: u64) -> Self {
        let mut random = Random::new(seed, 7 + kind as u64);
        let instances = 3 + random.below(4);
        let is_small = random.chance(0.2);
        let requests_per_s = if is_small {
            1.0
        } else {
            instances as f64 * random.between(0.7, 1.2)
        };
        let alert_at = 3660.0;
        let lead = if random.chance(0.3) {
            random.between(45.0, 100.0)
        } else {
            random.between(5.0, 45.0)
        };
        let size = if is_small {
            instances.min(3)
        } else {
            instances
        };
        let cause = cause(&mut random, kind, (size, requests_per_s));
        let symptom = symptom(&mut random, &cause);
        let rollout = Rollout {
            at: alert_at - random.between(20.0, 300.0),
            prompt: random.below(PROMPTS.len()),
            is_release: random.chance(0.4),
            share: 0.6,
        };
        let is_rollout = matches!(
            cause,
            Cause::BrokenPrefix { .. } | Cause::PoorAnswers { .. }
        );
        Scenario {
            seed,
            instances: if is_small {
                instances.min(3)
            } else {
                instances
            },
            requests_per_s,
            begins_at: alert_at - lead,
            alert_at,
            alert_s: [300.0, 300.0, 420.0, 600.0][random.below(4)],
            harmless_rollout: Some(rollout).filter(|_| random.chance(0.3) && !is_rollout),
            missing_scrapes: if random.chance(0.25) { 0.3 } else { 0.0 },
            symptom,
            cause,
        }
    }

    /// A GPU that throttles, and in the same minute a version of a prompt that does no harm.
    pub fn coincident(seed: u64) -> Self {
        let mut random = Random::new(seed, 31);
        let drawn = Scenario::drawn(THROTTLE, seed);
        Scenario {
            harmless_rollout: Some(Rollout {
                at: drawn.begins_at + random.between(-30.0, 30.0),
                prompt: random.below(PROMPTS.len()),
                is_release: false,
                share: random.between(0.5, 1.0),
            }),
            ..drawn
        }
    }

    /// When the simulation ends.
    pub fn ends_at(&self) -> f64 {
        self.alert_at + self.alert_s
    }

    /// What an attribution should find.
    pub fn truth(&self) -> Truth {
        let new_version = |prompt: usize| {
            let (name, _, usual) = PROMPTS[prompt];
            ("prompt_version", format!("{name}@{}", usual + 1))
        };
        let (axis, culprits) = match &self.cause {
            Cause::Quiet | Cause::Growth { .. } => ("none", Vec::new()),
            Cause::Throttle { instance, .. } | Cause::LinkLost { instance, .. } => (
                "gpu",
                vec![
                    ("instance", instance_name(*instance)),
                    ("gpu", gpu_name(*instance)),
                ],
            ),
            Cause::Fragmentation { .. } => ("gpu", Vec::new()),
            Cause::BrokenPrefix { prompt, .. } => ("token", vec![new_version(*prompt)]),
            Cause::Flood { tenant, .. } => ("token", vec![("tenant", TENANTS[*tenant].to_owned())]),
            Cause::DraftMismatch { .. } => ("token", Vec::new()),
            Cause::PoorAnswers { source, .. } => (
                "quality",
                vec![match source {
                    Source::Version(prompt) => new_version(*prompt),
                    Source::Release => ("release", NEW_RELEASE.to_owned()),
                }],
            ),
        };
        Truth { axis, culprits }
    }
}

/// Name of an instance.
pub fn instance_name(index: usize) -> String {
    format!("node-{index}:8000")
}

/// Name of an instance's device.
pub fn gpu_name(index: usize) -> String {
    format!("GPU-{index:04}")
}

fn cause(random: &mut Random, kind: usize, (instances, requests_per_s): (usize, f64)) -> Cause {
    let instance = random.below(instances.min(3));
    let prompt = random.below(PROMPTS.len());
    match kind {
        0 => Cause::Quiet,
        1 => Cause::Growth {
            times: random.between(1.2, 1.5),
        },
        2 => Cause::Throttle {
            instance,
            severity: random.between(0.3, 0.65),
        },
        3 => Cause::Fragmentation {
            severity: random.between(0.35, 1.0),
        },
        4 => Cause::LinkLost {
            instance,
            severity: random.between(0.3, 0.7),
        },
        5 => Cause::BrokenPrefix {
            prompt,
            rollout: random.between(0.5, 1.0),
        },
        6 => Cause::Flood {
            tenant: random.below(TENANTS.len()),
            // As much as the fleet can serve comes on top of what is usual.
            times: random.between(1.0, 1.5) * CAPACITY_PER_S * instances as f64 / requests_per_s,
        },
        7 => Cause::DraftMismatch {
            severity: random.between(0.4, 0.85),
        },
        8 | 9 => Cause::PoorAnswers {
            source: if kind == 8 {
                Source::Version(prompt)
            } else {
                Source::Release
            },
            flaw: Flaw::Format,
            rate: random.between(0.12, 0.5),
            rollout: random.between(0.5, 1.0),
        },
        _ => Cause::PoorAnswers {
            source: if random.chance(0.5) {
                Source::Version(prompt)
            } else {
                Source::Release
            },
            flaw: Flaw::Refusal,
            rate: random.between(0.12, 0.5),
            rollout: random.between(0.5, 1.0),
        },
    }
}

fn symptom(random: &mut Random, cause: &Cause) -> (&'static str, bool) {
    let any = random.below(5);
    match cause {
        Cause::Quiet | Cause::Growth { .. } => match any {
            3 => ("quality.format_valid", false),
            4 => ("quality.refused", true),
            latency => (LATENCY[latency], true),
        },
        Cause::BrokenPrefix { .. } => ("token.ttft_ms", true),
        Cause::Flood { .. } => (LATENCY[any % 2], true),
        Cause::DraftMismatch { .. } => ([LATENCY[0], LATENCY[2]][any % 2], true),
        Cause::PoorAnswers {
            flaw: Flaw::Format, ..
        } => ("quality.format_valid", false),
        Cause::PoorAnswers { .. } => ("quality.refused", true),
        _ => (LATENCY[any % 3], true),
    }
}
