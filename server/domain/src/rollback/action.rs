//! What came of it: the history of a prompt's labels that went back.

use serde_json::{Value, json};

use super::safety::{Check, all_hold};
use crate::prompt::{Label, PromptName};
use crate::span::named_enum;
use crate::{IncidentId, RollbackId, Timestamp};

named_enum!(
    /// Where a rollback stands.
    State, default Waiting {
        /// It is not decided yet.
        Waiting = "waiting",
        /// A person is asked.
        Suggested = "suggested",
        /// The label went back.
        Applied = "applied",
        /// Nothing was done.
        Refused = "refused",
        /// The label went back, and then forth again.
        Undone = "undone",
    }
);

/// A label that went back to another version, or might.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollback {
    /// Its id.
    pub id: RollbackId,
    /// The prompt.
    pub prompt: PromptName,
    /// The label.
    pub label: Label,
    /// The version that it stood on.
    pub from_version: u32,
    /// The version that it goes to; `None`: none is known.
    pub to_version: Option<u32>,
    /// The incident that it is about.
    pub incident: Option<IncidentId>,
    /// Whether it came of an attribution, and not of somebody's request.
    pub is_automatic: bool,
    /// Who acted: `server`, `key:ID`, `person:ID`.
    pub actor: String,
    /// Where it stands.
    pub state: State,
    /// Why.
    pub reason: String,
    /// What the safety net said.
    pub checks: Vec<Check>,
    /// When it came up.
    pub created_at: Timestamp,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
    /// When it was undone.
    pub undone_at: Option<Timestamp>,
    /// Who undid it.
    pub undone_by: Option<String>,
    /// When its incident was over because everything was normal again.
    pub recovered_at: Option<Timestamp>,
}

impl Rollback {
    /// Which label goes where, for a reader.
    pub fn said(&self) -> String {
        let (prompt, label, from) = (&self.prompt, &self.label, self.from_version);
        match self.to_version {
            Some(to) => format!("{prompt} {label}: version {from} to {to}"),
            None => format!("{prompt} {label}: version {from}"),
        }
    }

    /// From the move of the label until the incident was over, whole seconds.
    pub fn recovered_after_s(&self) -> Option<i64> {
        let (from, to) = (self.decided_at?, self.recovered_at?);
        Some(to.unix_seconds() - from.unix_seconds())
    }
}

/// A rollback for programs.
pub fn shape(rollback: &Rollback) -> Value {
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "id": rollback.id,
        "prompt": rollback.prompt.as_str(),
        "label": rollback.label.as_str(),
        "from_version": rollback.from_version,
        "to_version": rollback.to_version,
        "incident_id": rollback.incident,
        "automatic": rollback.is_automatic,
        "actor": rollback.actor,
        "state": rollback.state,
        "allowed": all_hold(&rollback.checks),
        "reason": rollback.reason,
        "checks": rollback.checks,
        "created_at": rollback.created_at.to_string(),
        "decided_at": time(rollback.decided_at),
        "undone_at": time(rollback.undone_at),
        "undone_by": rollback.undone_by,
        "recovered_at": time(rollback.recovered_at),
        "recovered_after_s": rollback.recovered_after_s(),
    })
}
