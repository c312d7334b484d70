//! Several axes at once: what single rules say, put together.

use std::collections::BTreeMap;

use super::kind::Condition;
use super::measure::{AlertSeries, Axis};
use super::rule::Rule;
use super::state::{Group, Reading, States, Verdict};
use crate::{AlertRuleId, Nanos, Timestamp};

/// A group of a rule that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The rule.
    pub rule: AlertRuleId,
    /// The group.
    pub group: Group,
    /// The axis.
    pub axis: Axis,
    /// When it became abnormal.
    pub onset: Timestamp,
}

/// Whether enough axes became abnormal near each other, and what took part.
pub(super) fn reading<'r>(
    composite: &Rule,
    rules: impl Iterator<Item = &'r Rule>,
    states: &States,
) -> (Reading, Vec<Member>) {
    let Condition::Composite { axes, within_s, .. } = composite.draft.kind.condition else {
        return (Reading::default(), Vec::new());
    };
    let (mut members, mut is_known) = (Vec::new(), false);
    for rule in rules.filter(|rule| composite.draft.watches(rule)) {
        let Some(axis) = rule.draft.series.as_ref().and_then(AlertSeries::axis) else {
            continue;
        };
        for (group, state) in states.get(&rule.id).into_iter().flatten() {
            is_known |= matches!(state.verdict, Verdict::Abnormal | Verdict::Normal);
            members.extend(state.firing_since().map(|onset| Member {
                rule: rule.id,
                group: group.clone(),
                axis,
                onset,
            }));
        }
    }
    members.sort_by_key(|member| member.onset);
    let together = together(&members, Nanos::from_seconds(within_s));
    let count = together.iter().fold(BTreeMap::new(), |mut seen, member| {
        seen.insert(member.axis, ());
        seen
    });
    let count = u32::try_from(count.len()).unwrap_or(0);
    let verdict = match (u64::from(count) >= axes, is_known || count > 0) {
        (true, _) => Verdict::Abnormal,
        (false, true) => Verdict::Normal,
        (false, false) => Verdict::NoData,
    };
    let bound = u32::try_from(axes).unwrap_or(0);
    let reading = Reading {
        verdict,
        value: is_known.then_some(f64::from(count)),
        bound: Some(f64::from(bound)),
        baseline: None,
    };
    (reading, together)
}

/// Of those in the order of their beginning, the run within a time that is of most axes; the first of several.
fn together(members: &[Member], within: Nanos) -> Vec<Member> {
    let mut best: (usize, &[Member]) = (0, &[]);
    for first in 0..members.len() {
        let run = &members[first..];
        let end = run.partition_point(|member| member.onset - run[0].onset <= within);
        let run = &run[..end];
        let axes = Axis::ALL
            .iter()
            .filter(|axis| run.iter().any(|member| member.axis == **axis));
        let count = axes.count();
        if count > best.0 {
            best = (count, run);
        }
    }
    best.1.to_vec()
}
