//! How soon answers should come, and the share of calls that do: goodput.

use crate::ids::ObjectiveId;
use crate::pattern::NamePattern;
use crate::time::Timestamp;

/// What somebody sets as an objective; at least one of the two times is given.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectiveDraft {
    /// Models that it is for.
    pub model: NamePattern,
    /// Longest time to first token, milliseconds; `None`: not asked for.
    pub ttft_ms: Option<f64>,
    /// Longest time per output token after the first, milliseconds; `None`: not asked for.
    pub tpot_ms: Option<f64>,
}

/// An objective that a project has set.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Its id.
    pub id: ObjectiveId,
    /// What was set.
    pub draft: ObjectiveDraft,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What is known of how a call was served.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Whether it failed.
    pub failed: bool,
    /// Time to first token, milliseconds.
    pub ttft_ms: Option<f64>,
    /// Time per output token after the first, milliseconds.
    pub tpot_ms: Option<f64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
}

impl ObjectiveDraft {
    /// Whether a call met every time that is asked for, both still allowed. A call that failed, or
    /// missed one time, missed the objective whatever else is unknown; `None`: a time that is asked for
    /// is unknown. An answer of one token has no time per token after the first, and cannot miss it.
    pub fn met_by(&self, pace: &Pace) -> Option<bool> {
        let within = |limit: Option<f64>, time: Option<f64>| match (limit, time) {
            (None, _) => Some(true),
            (Some(limit), time) => time.map(|time| time <= limit),
        };
        let single = pace.tpot_ms.is_none() && pace.output_tokens.is_some_and(|tokens| tokens <= 1);
        let tpot_limit = self.tpot_ms.filter(|_| !single);
        let verdicts = [
            within(self.ttft_ms, pace.ttft_ms),
            within(tpot_limit, pace.tpot_ms),
        ];
        if pace.failed || verdicts.contains(&Some(false)) {
            return Some(false);
        }
        (!verdicts.contains(&None)).then_some(true)
    }
}

/// The objective for a model: of several the one that names it most exactly, then the oldest. `None`
/// when none is for it.
pub fn objective_of<'o>(objectives: &'o [Objective], model: &str) -> Option<&'o Objective> {
    let mut fitting: Vec<&Objective> = objectives
        .iter()
        .filter(|objective| objective.draft.model.matches(model))
        .collect();
    fitting.sort_by_key(|objective| {
        let precision = std::cmp::Reverse(objective.draft.model.precision());
        (precision, objective.created_at, objective.id)
    });
    fitting.first().copied()
}

/// Calls of a model that began in a window, held against its objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodput {
    /// The model.
    pub model: String,
    /// The objective.
    pub objective: Objective,
    /// Calls that met it.
    pub good: u64,
    /// Calls that missed it; those that failed are among them.
    pub missed: u64,
    /// Calls of which a time that is asked for is unknown.
    pub unjudged: u64,
}

impl Goodput {
    /// Share of calls that met the objective, 0 to 1: good ÷ (good + missed). Calls that could not be
    /// judged are in neither; `None` when none could be.
    pub fn share(&self) -> Option<f64> {
        let judged = self.good + self.missed;
        (judged > 0).then(|| self.good as f64 / judged as f64)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn draft(model: &str, ttft_ms: Option<f64>, tpot_ms: Option<f64>) -> ObjectiveDraft {
        ObjectiveDraft {
            model: NamePattern::new(model),
            ttft_ms,
            tpot_ms,
        }
    }

    fn pace(ttft_ms: Option<f64>, tpot_ms: Option<f64>) -> Pace {
        Pace {
            ttft_ms,
            tpot_ms,
            ..Pace::default()
        }
    }

    #[test]
    fn both_times_are_to_be_met_and_what_is_unknown_is_not_judged() {
        let both = draft("*", Some(500.0), Some(50.0));
        assert_eq!(both.met_by(&pace(Some(500.0), Some(50.0))), Some(true));
        assert_eq!(both.met_by(&pace(Some(501.0), Some(1.0))), Some(false));
        assert_eq!(both.met_by(&pace(None, Some(51.0))), Some(false));
        assert_eq!(both.met_by(&pace(Some(1.0), None)), None);
        assert_eq!(both.met_by(&pace(None, None)), None);
        let first = draft("*", Some(500.0), None);
        assert_eq!(first.met_by(&pace(Some(1.0), None)), Some(true));
    }

    #[test]
    fn failing_is_missing_and_one_token_has_no_pace() {
        let both = draft("*", Some(500.0), Some(50.0));
        let mut quick = pace(Some(1.0), Some(1.0));
        quick.failed = true;
        assert_eq!(both.met_by(&quick), Some(false));
        let mut single = pace(Some(1.0), None);
        single.output_tokens = Some(1);
        assert_eq!(both.met_by(&single), Some(true));
        single.output_tokens = Some(2);
        assert_eq!(both.met_by(&single), None);
    }

    #[test]
    fn the_objective_that_names_the_model_most_exactly_holds() {
        let objective = |id, model| Objective {
            id: ObjectiveId(Uuid::from_u128(id)),
            draft: draft(model, Some(1.0), None),
            created_at: Timestamp::EPOCH,
        };
        let all = [
            objective(3, "*"),
            objective(2, "gpt-*"),
            objective(1, "gpt-5"),
        ];
        let of = |model| objective_of(&all, model).map(|found| found.id.0.as_u128());
        assert_eq!(
            (of("GPT-5"), of("gpt-5.1"), of("qwen")),
            (Some(1), Some(2), Some(3))
        );
        assert_eq!(objective_of(&all[1..], "qwen"), None);
    }

    #[test]
    fn a_share_of_nothing_is_unknown() {
        let mut goodput = Goodput {
            model: "m".to_owned(),
            objective: Objective {
                id: ObjectiveId(Uuid::nil()),
                draft: draft("*", Some(1.0), None),
                created_at: Timestamp::EPOCH,
            },
            good: 0,
            missed: 0,
            unjudged: 5,
        };
        assert_eq!(goodput.share(), None);
        (goodput.good, goodput.missed) = (3, 1);
        assert_eq!(goodput.share(), Some(0.75));
    }
}
