//! A rule, as a project sets it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kind::{Condition, Kind};
use super::measure::AlertSeries;
use crate::filter::Filter;
use crate::span::named_enum;
use crate::{AlertChannelId, AlertRuleId, Timestamp};

named_enum!(
    /// How much it matters.
    Severity, default P2 {
        /// Somebody is woken.
        P1 = "P1",
        /// Somebody looks today.
        P2 = "P2",
        /// Somebody looks some time.
        P3 = "P3",
    }
);

/// Requests that a rule is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleFilter {
    /// As it was given, to be shown.
    pub given: Value,
    /// As it is asked.
    pub filter: Filter,
}

/// What a rule is.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleDraft {
    /// What it is called.
    pub name: String,
    /// Kind and parameters.
    pub kind: Kind,
    /// What it is about; `None`: other rules.
    pub series: Option<AlertSeries>,
    /// Requests that it is about.
    pub filter: RuleFilter,
    /// Seconds that something must be abnormal.
    pub for_s: u64,
    /// How much it matters.
    pub severity: Severity,
    /// Where messages go.
    pub channels: Vec<AlertChannelId>,
    /// Whether it is looked at.
    pub enabled: bool,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its id.
    pub id: AlertRuleId,
    /// What it is.
    pub draft: RuleDraft,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl RuleDraft {
    /// Whether a composite rule watches a rule of that id.
    pub fn watches(&self, other: &Rule) -> bool {
        match &self.kind.condition {
            Condition::Composite { rules, .. } => {
                let is_of_axis = other
                    .draft
                    .series
                    .as_ref()
                    .and_then(AlertSeries::axis)
                    .is_some();
                is_of_axis && (rules.is_empty() || rules.contains(&other.id.to_string()))
            }
            _ => false,
        }
    }

    /// Whether a composite rule keeps those silent that it watches.
    pub fn suppresses(&self) -> bool {
        matches!(
            self.kind.condition,
            Condition::Composite { suppress: true, .. }
        )
    }

    /// Whether what it looks at is the same as of another, so that its state stays.
    pub fn looks_as(&self, other: &RuleDraft) -> bool {
        let what = |draft: &RuleDraft| {
            let series = draft.series.clone();
            (draft.kind.clone(), series, draft.for_s, draft.enabled)
        };
        what(self) == what(other) && self.filter.filter == other.filter.filter
    }
}
