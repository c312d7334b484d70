//! Where rules stand, in words.

use std::collections::BTreeMap;

use domain::alert::state::{Phase, Reading};
use domain::alert::{Group, GroupState, Rule, Verdict};

use super::words;
use crate::i18n::Lang;
use crate::measure;

/// A group of a rule.
pub(crate) struct GroupRow {
    pub(crate) group: String,
    pub(crate) state: &'static str,
    pub(crate) class: &'static str,
    pub(crate) value: String,
    pub(crate) bound: String,
    pub(crate) baseline: String,
    /// The worse, the greater.
    rank: u8,
}

/// Where a rule stands: its groups, the worst first.
pub(super) fn groups(
    rule: &Rule,
    states: Option<&BTreeMap<Group, GroupState>>,
    seen: Option<&Vec<(Group, Reading)>>,
    lang: Lang,
) -> Vec<GroupRow> {
    let mut known: BTreeMap<&Group, (GroupState, Reading)> = BTreeMap::new();
    for (group, state) in states.into_iter().flatten() {
        known.insert(group, (*state, Reading::default()));
    }
    for (group, reading) in seen.into_iter().flatten() {
        // What the last step said is newer than its reading here only by what has come since.
        let state = GroupState {
            verdict: reading.verdict,
            ..GroupState::default()
        };
        known.entry(group).or_insert((state, *reading)).1 = *reading;
    }
    let unit = rule.draft.series.as_ref();
    let unit = unit.map(|series| words::unit_of(rule.draft.kind.name(), series));
    let number = |value: Option<f64>| match (value, unit) {
        (Some(value), Some(unit)) => measure::written(unit, value),
        _ => String::new(),
    };
    let row = |(group, (state, reading)): (&Group, (GroupState, Reading))| {
        let (words, class, rank) = state_words(&state, lang);
        GroupRow {
            group: words::group(group),
            state: words,
            class,
            value: number(reading.value),
            bound: number(reading.bound),
            baseline: number(reading.baseline),
            rank,
        }
    };
    let mut rows: Vec<GroupRow> = known.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.rank));
    rows
}

fn state_words(state: &GroupState, lang: Lang) -> (&'static str, &'static str, u8) {
    match (state.phase, state.verdict) {
        (Phase::Firing { .. }, _) => (lang.t("firing"), "tag-error", 4),
        (Phase::Pending { .. }, _) => (lang.t("pending"), "tag-label", 3),
        (Phase::Ok, Verdict::NoBaseline) => (lang.t("no baseline"), "", 2),
        (Phase::Ok, Verdict::NoData) => (lang.t("no data"), "", 1),
        (Phase::Ok, _) => (lang.t("ok"), "tag-accent", 0),
    }
}
