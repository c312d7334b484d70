//! How often a version of a prompt is blamed, rightly or not, while an incident goes on.

use std::ops::Range;

use domain::attribution::answer::Action;
use domain::attribution::reason::Reason;
use domain::attribution::{Attribution, attribute};

use crate::cause::{Cause, Source};
use crate::history::History;
use crate::looks::{fires_at, looks};
use crate::scenario::Scenario;

/// What came of one incident.
#[derive(Clone, Debug)]
pub struct Blamed {
    /// What happened.
    pub scenario: Scenario,
    /// At each look whether a version was to go back.
    pub recommended: Vec<bool>,
    /// At each look whether a version was among those to go back, but not clearly worse than others.
    pub doubted: Vec<bool>,
    /// At which look something would go back by itself; `None`: at none.
    pub acted_at: Option<usize>,
}

/// Incidents of GPUs that throttle, with a version in the same minute that does no harm; those that fire.
pub fn coincidences(seeds: Range<u64>) -> Vec<Blamed> {
    seeds
        .filter_map(|seed| blame(Scenario::coincident(seed)))
        .collect()
}

/// Incidents of versions that do harm: they break the prefix, or their answers are poor; those that fire.
pub fn bad_versions(seeds: Range<u64>) -> Vec<Blamed> {
    let of_version = |scenario: &Scenario| match scenario.cause {
        Cause::PoorAnswers { source, .. } => matches!(source, Source::Version(_)),
        _ => true,
    };
    let kinds = [5, 8, 10];
    let drawn = seeds.flat_map(|seed| kinds.map(|kind| Scenario::drawn(kind, seed)));
    drawn.filter(of_version).filter_map(blame).collect()
}

fn blame(scenario: Scenario) -> Option<Blamed> {
    let history = History::of(scenario);
    let answers: Vec<Option<Attribution>> = looks(&history, fires_at(&history)?)
        .iter()
        .map(|look| attribute(look).ok())
        .collect();
    let is_recommended = |answer: &Option<Attribution>| {
        let answer = answer.as_ref();
        answer.is_some_and(|answer| answer.recommendation.action == Action::Rollback)
    };
    let is_doubted = |answer: &Option<Attribution>| {
        let mut reasons = answer.iter().flat_map(|answer| &answer.reasons);
        reasons.any(|reason| matches!(reason, Reason::Unproven { .. }))
    };
    let mut acted_at = None;
    let mut was_blamed = false;
    for (at, answer) in answers.iter().enumerate() {
        let now = is_recommended(answer);
        let contested = answer
            .as_ref()
            .and_then(|answer| answer.recommendation.contested_by);
        if now && (contested.is_none() || was_blamed) {
            acted_at = acted_at.or(Some(at));
        }
        was_blamed = now;
    }
    Some(Blamed {
        recommended: answers.iter().map(is_recommended).collect(),
        doubted: answers.iter().map(is_doubted).collect(),
        acted_at,
        scenario: history.scenario,
    })
}
