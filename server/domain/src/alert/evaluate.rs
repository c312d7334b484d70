//! The walk over steps: what rules say of each becomes states, and changes of states become events.
//!
//! **Invariant:** the events of (a, c] are those of (a, b] and then of (b, c]: it may be broken off and taken up
//! anywhere. Nothing but the arguments decides: the same telemetry makes the same events.

use std::collections::BTreeSet;

use super::baseline::Baselines;
use super::cell::Cells;
use super::composite;
use super::condition::Step;
use super::kind::{Condition, STEP_S};
use super::rule::Rule;
use super::settings::AlertSettings;
use super::state::{Change, Group, GroupState, Reading, States, Timing, Verdict};
use super::successor::Successors;
use crate::{AlertRuleId, Nanos, Timestamp};

pub use super::composite::Member;

/// Groups of a rule that are looked at, the first in their order.
pub const MAX_GROUPS: usize = 200;

/// A rule with what is known for it.
pub struct Watched<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// Its series, in steps as long as its kind says.
    pub cells: &'a Cells,
    /// What is usual.
    pub baselines: &'a Baselines,
    /// Groups that others took the place of.
    pub successors: &'a Successors,
}

/// Something that was told, or is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Of which rule.
    pub rule: AlertRuleId,
    /// Of which group.
    pub group: Group,
    /// When.
    pub at: Timestamp,
    /// What.
    pub change: Change,
    /// What the rule saw then.
    pub reading: Reading,
    /// What takes part in a composite.
    pub members: Vec<Member>,
    /// The composite rule that keeps it silent.
    pub suppressed_by: Option<AlertRuleId>,
}

/// Goes through the steps after an instant up to another.
pub fn advance(
    settings: &AlertSettings,
    watched: &[Watched<'_>],
    states: &mut States,
    (after, until): (Timestamp, Timestamp),
) -> Vec<Event> {
    let mut events = Vec::new();
    let step = Nanos::from_seconds(STEP_S);
    let mut at = floor(after).plus(step);
    while at <= until {
        for rule in watched {
            look(settings, (rule, watched), states, at, &mut events);
        }
        for rule in watched.iter().filter(|rule| is_composite(rule.rule)) {
            let rules = watched.iter().map(|watched| watched.rule);
            let (reading, members) = composite::reading(rule.rule, rules, states);
            let told = told(rule.rule, Group::default(), states, (at, reading));
            events.extend(told.map(|event| Event { members, ..event }));
        }
        at = at.plus(step);
    }
    events
}

/// The begin of the step that an instant is in.
pub fn floor(at: Timestamp) -> Timestamp {
    let into = u64::try_from(at.unix_nanos()).unwrap_or(0) % (STEP_S * 1_000_000_000);
    at.minus(Nanos(into))
}

/// What a rule sees of its groups at an instant, whatever became of them before.
pub fn readings(
    settings: &AlertSettings,
    watched: &Watched<'_>,
    at: Timestamp,
) -> Vec<(Group, Reading)> {
    let groups = groups(watched, &States::new());
    let read = |group: Group| {
        let reading = reading(settings, watched, (&group, at))?;
        Some((group, reading))
    };
    groups.into_iter().filter_map(read).collect()
}

/// What a rule sees of one group at an instant, whatever became of it before; `None`: it is about other rules.
pub fn reading_of(
    settings: &AlertSettings,
    watched: &Watched<'_>,
    group: &Group,
    at: Timestamp,
) -> Option<Reading> {
    reading(settings, watched, (group, at))
}

fn is_composite(rule: &Rule) -> bool {
    matches!(rule.draft.kind.condition, Condition::Composite { .. })
}

fn look(
    settings: &AlertSettings,
    (rule, all): (&Watched<'_>, &[Watched<'_>]),
    states: &mut States,
    at: Timestamp,
    events: &mut Vec<Event>,
) {
    let step_s = i64::try_from(rule.rule.draft.kind.step_s()).unwrap_or(1);
    if is_composite(rule.rule) || at.unix_seconds() % step_s != 0 {
        return;
    }
    for group in groups(rule, states) {
        let Some(reading) = reading(settings, rule, (&group, at)) else {
            continue;
        };
        let reading = succeeded(settings, rule, (&group, at), reading);
        let told = told(rule.rule, group, states, (at, reading));
        events.extend(told.map(|event| Event {
            suppressed_by: suppressor(rule.rule, all),
            ..event
        }));
    }
}

fn reading(
    settings: &AlertSettings,
    watched: &Watched<'_>,
    (group, at): (&Group, Timestamp),
) -> Option<Reading> {
    let draft = &watched.rule.draft;
    let step = Step {
        settings,
        kind: &draft.kind,
        series: draft.series.as_ref()?,
        cells: watched.cells,
        baselines: watched.baselines,
        group,
        at,
    };
    Some(step.reading())
}

/// Of a group that another one took the place of: while nothing comes of it, it is well where that one is.
fn succeeded(
    settings: &AlertSettings,
    watched: &Watched<'_>,
    (group, at): (&Group, Timestamp),
    own: Reading,
) -> Reading {
    let successor = watched.successors.get(group);
    let successor = successor.filter(|next| next.since < at && own.verdict == Verdict::NoData);
    let next = successor.and_then(|next| reading(settings, watched, (&next.group, at)));
    match next {
        Some(next) if next.verdict == Verdict::Normal => Reading {
            verdict: Verdict::Normal,
            ..own
        },
        _ => own,
    }
}

/// Takes a step of a state; an event where that changed something.
fn told(
    rule: &Rule,
    group: Group,
    states: &mut States,
    (at, reading): (Timestamp, Reading),
) -> Option<Event> {
    let timing = Timing {
        wait: Nanos::from_seconds(rule.draft.for_s),
        keep: Nanos::from_seconds(rule.draft.kind.keep_s),
    };
    let of_rule = states.entry(rule.id).or_default();
    let state: GroupState = of_rule.get(&group).copied().unwrap_or_default();
    let (state, change) = state.step(at, reading.verdict, timing);
    // Groups that came once are forgotten when nothing is known of them any more.
    let is_known = group == Group::default() || reading.value.is_some() || !state.is_idle();
    match is_known {
        true => of_rule.insert(group.clone(), state),
        false => of_rule.remove(&group),
    };
    change.map(|change| Event {
        rule: rule.id,
        group,
        at,
        change,
        reading,
        members: Vec::new(),
        suppressed_by: None,
    })
}

fn groups(watched: &Watched<'_>, states: &States) -> BTreeSet<Group> {
    if watched.rule.draft.kind.group_by.is_empty() {
        return BTreeSet::from([Group::default()]);
    }
    let known = states.get(&watched.rule.id).into_iter().flatten();
    let firing = known.filter(|(_, state)| !state.is_idle());
    let mut groups: BTreeSet<Group> = firing.map(|(group, _)| group.clone()).collect();
    for group in watched.cells.groups() {
        if groups.len() >= MAX_GROUPS {
            break;
        }
        groups.insert(group.clone());
    }
    groups
}

fn suppressor(rule: &Rule, all: &[Watched<'_>]) -> Option<AlertRuleId> {
    let mut composites = all.iter().map(|watched| watched.rule);
    let silent = composites.find(|other| other.draft.suppresses() && other.draft.watches(rule));
    silent.map(|composite| composite.id)
}
