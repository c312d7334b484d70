//! What becomes of one group over time: ok → pending → firing → resolved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::span::named_enum;
use crate::{AlertRuleId, Nanos, Timestamp};

/// States of the groups of rules.
pub type States = BTreeMap<AlertRuleId, BTreeMap<Group, GroupState>>;

/// Values of the dimensions that groups are told apart by; none: everything is one group.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Group(pub BTreeMap<String, String>);

/// Most characters of a value: longer ones are cut.
const MAX_VALUE: usize = 200;

impl Group {
    /// Of values that telemetry gave; without NUL characters, which cannot be stored, and empty ones.
    pub fn of(values: impl IntoIterator<Item = (String, String)>) -> Self {
        let clean = |(name, value): (String, String)| {
            let value: String = value
                .chars()
                .filter(|c| *c != '\0')
                .take(MAX_VALUE)
                .collect();
            (!value.is_empty()).then_some((name, value))
        };
        Group(values.into_iter().filter_map(clean).collect())
    }
}

named_enum!(
    /// What a rule says of one step.
    Verdict, default NoData {
        /// Beyond the bound.
        Abnormal = "abnormal",
        /// Within it.
        Normal = "normal",
        /// Nothing is known.
        NoData = "no_data",
        /// What is usual is not known.
        NoBaseline = "no_baseline",
    }
);

/// What a rule saw in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// What it says.
    pub verdict: Verdict,
    /// The value.
    pub value: Option<f64>,
    /// What it was held against.
    pub bound: Option<f64>,
    /// What is usual.
    pub baseline: Option<f64>,
}

/// Where a group stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is the matter.
    #[default]
    Ok,
    /// Abnormal, but not for long enough.
    Pending {
        /// Since when.
        onset: Timestamp,
    },
    /// It was told.
    Firing {
        /// When it became abnormal.
        onset: Timestamp,
        /// When it was told.
        fired_at: Timestamp,
        /// Since when it is normal again.
        normal_since: Option<Timestamp>,
        /// Since when nothing is known.
        silent_since: Option<Timestamp>,
    },
}

/// The state of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupState {
    /// Where it stands.
    #[serde(flatten)]
    pub phase: Phase,
    /// What was said of the last step.
    pub verdict: Verdict,
}

/// How long things must last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Abnormal until it is told.
    pub wait: Nanos,
    /// Normal until it is over.
    pub keep: Nanos,
}

named_enum!(
    /// Why an incident is over.
    Resolution, default Recovered {
        /// It is normal again.
        Recovered = "recovered",
        /// Nothing has come for an hour.
        NoData = "no_data",
        /// The rule was changed or deleted.
        RuleChanged = "rule_changed",
        /// Somebody said so.
        Person = "person",
    }
);

/// What a step changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is told.
    Fired {
        /// When it became abnormal.
        onset: Timestamp,
    },
    /// It is over.
    Resolved {
        /// When it was told.
        fired_at: Timestamp,
        /// Why.
        why: Resolution,
    },
}

/// How long nothing may come before what fires is given up.
const SILENCE: Nanos = Nanos::from_seconds(3_600);

impl GroupState {
    /// The state after a step, and what that changed. What is unknown makes nothing fire; what fires it leaves as it is
    /// for an hour.
    #[must_use]
    pub fn step(self, at: Timestamp, verdict: Verdict, timing: Timing) -> (Self, Option<Change>) {
        let (phase, change) = match (self.phase, verdict) {
            (Phase::Ok, Verdict::Abnormal) => pending(at, at, timing),
            (Phase::Pending { onset }, Verdict::Abnormal) => pending(onset, at, timing),
            (Phase::Ok | Phase::Pending { .. }, _) => (Phase::Ok, None),
            (
                Phase::Firing {
                    onset, fired_at, ..
                },
                Verdict::Abnormal,
            ) => (firing(onset, fired_at), None),
            (phase @ Phase::Firing { .. }, verdict) => unfold(phase, at, verdict, timing),
        };
        (GroupState { phase, verdict }, change)
    }

    /// When it became abnormal, while it fires.
    pub fn firing_since(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Firing { onset, .. } => Some(onset),
            _ => None,
        }
    }

    /// Whether there is nothing to remember.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Ok
    }
}

fn firing(onset: Timestamp, fired_at: Timestamp) -> Phase {
    Phase::Firing {
        onset,
        fired_at,
        normal_since: None,
        silent_since: None,
    }
}

fn pending(onset: Timestamp, at: Timestamp, timing: Timing) -> (Phase, Option<Change>) {
    if at - onset >= timing.wait {
        (firing(onset, at), Some(Change::Fired { onset }))
    } else {
        (Phase::Pending { onset }, None)
    }
}

/// What becomes of something that fires when a step is not abnormal.
fn unfold(
    phase: Phase,
    at: Timestamp,
    verdict: Verdict,
    timing: Timing,
) -> (Phase, Option<Change>) {
    let Phase::Firing {
        onset,
        fired_at,
        normal_since,
        silent_since,
    } = phase
    else {
        return (phase, None);
    };
    let over = |why| (Phase::Ok, Some(Change::Resolved { fired_at, why }));
    if verdict == Verdict::Normal {
        let since = normal_since.unwrap_or(at);
        if at - since >= timing.keep {
            return over(Resolution::Recovered);
        }
        let phase = Phase::Firing {
            onset,
            fired_at,
            normal_since: Some(since),
            silent_since: None,
        };
        return (phase, None);
    }
    let since = silent_since.unwrap_or(at);
    if at - since >= SILENCE {
        return over(Resolution::NoData);
    }
    let phase = Phase::Firing {
        onset,
        fired_at,
        normal_since,
        silent_since: Some(since),
    };
    (phase, None)
}
