//! How often an attribution is right, per cause.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::attribution::{Attribution, attribute};

use crate::history::History;
use crate::scenario::{KINDS, Scenario};
use crate::told::request;

/// Culprits of which one has to be right.
const FIRST: usize = 3;
/// Bins of confidence.
const FIFTHS: usize = 5;

/// One window: what was asked for and what came.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What happened.
    pub scenario: Scenario,
    /// The axis that was named: `gpu`, `token`, `quality`, `none`.
    pub axis: &'static str,
    /// Whether that is the axis of the cause.
    pub axis_is_right: bool,
    /// Whether who is to blame is among the first culprits; `None`: nobody is.
    pub culprit_is_right: Option<bool>,
    /// Whether the vote by clusters alone would have named the axis.
    pub vote_is_right: bool,
    /// All of the answer.
    pub answer: Option<Attribution>,
}

/// What windows of one cause came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Windows.
    pub windows: usize,
    /// With the right axis.
    pub axis_right: usize,
    /// With somebody to blame.
    pub with_culprit: usize,
    /// With that among the first three.
    pub culprit_right: usize,
    /// Where the vote by clusters alone names the right axis.
    pub vote_right: usize,
    /// How often each axis was named.
    pub named: BTreeMap<&'static str, usize>,
}

/// Lets a scenario happen and asks what it was.
pub fn ask(scenario: Scenario) -> Outcome {
    let truth = scenario.truth();
    let history = History::of(scenario.clone());
    let answer = attribute(&request(&history)).ok();
    let axis = answer
        .as_ref()
        .and_then(|answer| answer.axis)
        .map_or("none", |axis| axis.as_str());
    let among_first = |answer: &Attribution| {
        answer.culprits.iter().take(FIRST).any(|culprit| {
            let mut wanted = truth.culprits.iter();
            wanted.any(|(dimension, value)| {
                culprit.dimension == *dimension && culprit.value == *value
            })
        })
    };
    Outcome {
        axis,
        axis_is_right: answer.is_some() && axis == truth.axis,
        culprit_is_right: (!truth.culprits.is_empty())
            .then(|| answer.as_ref().is_some_and(among_first)),
        vote_is_right: answer.as_ref().map(voted) == Some(truth.axis),
        answer,
        scenario,
    }
}

/// Windows of every kind of cause, one of each kind a seed.
pub fn outcomes(seeds: Range<u64>) -> impl Iterator<Item = Outcome> {
    seeds.flat_map(|seed| (0..KINDS).map(move |kind| ask(Scenario::drawn(kind, seed))))
}

/// Outcomes by the name of their cause.
pub fn by_cause<'a>(
    outcomes: impl IntoIterator<Item = &'a Outcome>,
) -> BTreeMap<&'static str, Tally> {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for outcome in outcomes {
        let tally = tallies.entry(outcome.scenario.cause.name()).or_default();
        tally.windows += 1;
        tally.axis_right += usize::from(outcome.axis_is_right);
        tally.with_culprit += usize::from(outcome.culprit_is_right.is_some());
        tally.culprit_right += usize::from(outcome.culprit_is_right == Some(true));
        tally.vote_right += usize::from(outcome.vote_is_right);
        *tally.named.entry(outcome.axis).or_default() += 1;
    }
    tallies
}

/// Answers that name an axis with about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub windows: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// Share of them that name the right axis.
    pub right: f64,
}

/// Whether confidence is what it says: answers that name an axis, in bins a fifth wide.
pub fn reliability<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Bin> {
    let mut bins = vec![(0_usize, 0.0, 0_usize); FIFTHS];
    for outcome in outcomes {
        let named = outcome.answer.as_ref().filter(|it| it.axis.is_some());
        let Some(confidence) = named.map(|answer| answer.confidence) else {
            continue;
        };
        let at = ((confidence * FIFTHS as f64) as usize).min(FIFTHS - 1);
        bins[at].0 += 1;
        bins[at].1 += confidence;
        bins[at].2 += usize::from(outcome.axis_is_right);
    }
    let filled = bins.into_iter().filter(|(windows, ..)| *windows > 0);
    filled
        .map(|(windows, confidence, right)| Bin {
            windows,
            confidence: confidence / windows as f64,
            right: right as f64 / windows as f64,
        })
        .collect()
}

impl Tally {
    /// Several together.
    pub fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Self {
        let mut all = Tally::default();
        for tally in tallies {
            all.windows += tally.windows;
            all.axis_right += tally.axis_right;
            all.with_culprit += tally.with_culprit;
            all.culprit_right += tally.culprit_right;
            all.vote_right += tally.vote_right;
            for (axis, count) in &tally.named {
                *all.named.entry(axis).or_default() += count;
            }
        }
        all
    }
}

/// The axis whose clusters differ most, if any differ beyond chance: the method that counts rows.
fn voted(answer: &Attribution) -> &'static str {
    let significant = answer.axes.iter().filter(|vote| vote.p_value < 0.05);
    significant
        .max_by(|one, other| one.chi2.total_cmp(&other.chi2))
        .map_or("none", |vote| vote.axis.as_str())
}
