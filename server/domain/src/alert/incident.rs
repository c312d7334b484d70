//! What came of rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::measure::Axis;
use super::rule::Severity;
use super::state::{Group, Reading, Resolution};
use crate::span::named_enum;
use crate::{AlertRuleId, IncidentId, Timestamp};

named_enum!(
    /// Where an incident stands.
    IncidentState, default Open {
        /// It goes on, and nobody has said to know of it.
        Open = "open",
        /// It goes on, and somebody knows of it.
        Acknowledged = "acknowledged",
        /// It is over.
        Resolved = "resolved",
    }
);

named_enum!(
    /// What happened in an incident.
    Happening, default Fired {
        /// The series became abnormal.
        Onset = "onset",
        /// It was told.
        Fired = "fired",
        /// Another rule takes part.
        Member = "member",
        /// More is recorded of requests.
        SamplingRaised = "sampling_raised",
        /// It is known what it comes from, as far as that can be told.
        Attributed = "attributed",
        /// A message was taken.
        Notified = "notified",
        /// A message was given up.
        NotNotified = "not_notified",
        /// Somebody knows of it.
        Acknowledged = "acknowledged",
        /// It is over.
        Resolved = "resolved",
    }
);

/// What an incident is about, as it was when it was told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// Name of the rule.
    pub rule_name: String,
    /// Kind of the rule.
    pub kind: String,
    /// The series; `None`: several axes.
    pub series: Option<String>,
    /// Its axis.
    pub axis: Option<Axis>,
    /// The group.
    pub group: Group,
    /// What was seen.
    pub reading: Reading,
}

/// An incident.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// Its id.
    pub id: IncidentId,
    /// The rule; `None`: it is deleted.
    pub rule_id: Option<AlertRuleId>,
    /// What it is about.
    pub subject: Subject,
    /// How much it matters.
    pub severity: Severity,
    /// Where it stands.
    pub state: IncidentState,
    /// The composite rule that keeps it silent.
    pub suppressed_by: Option<AlertRuleId>,
    /// When the series became abnormal.
    pub onset: Timestamp,
    /// When it was told.
    pub fired_at: Timestamp,
    /// When somebody said to know of it.
    pub acknowledged_at: Option<Timestamp>,
    /// When it was over.
    pub resolved_at: Option<Timestamp>,
    /// Why.
    pub resolution: Option<Resolution>,
}

/// A moment of an incident.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: Happening,
    /// More of it, for a reader.
    pub detail: String,
}

/// The id of an incident follows from rule, group and instant, so that whoever works it out again finds the same.
pub fn id_of(rule: AlertRuleId, group: &Group, fired_at: Timestamp) -> IncidentId {
    named(&[
        "incident",
        &rule.to_string(),
        &labels(group),
        &fired_at.to_string(),
    ])
    .into()
}

/// An id that follows from texts.
pub fn named(parts: &[&str]) -> Uuid {
    let hash = Sha256::digest(json!(parts).to_string());
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// A group as text: JSON with its names in order.
pub fn labels(group: &Group) -> String {
    let labels: &BTreeMap<String, String> = &group.0;
    serde_json::to_string(labels).unwrap_or_default()
}
