//! Rows and what they stand for.

use domain::prompt::{Label, PromptName};
use domain::rollback::{Rollback, State};
use domain::{Fault, ProjectId};
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::StoreError;

/// A rollback.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) project_id: Uuid,
    pub(super) prompt_name: String,
    pub(super) label: String,
    pub(super) from_version: i32,
    pub(super) to_version: Option<i32>,
    pub(super) incident_id: Option<Uuid>,
    pub(super) is_automatic: bool,
    pub(super) actor: String,
    pub(super) state: String,
    pub(super) reason: String,
    pub(super) checks: String,
    pub(super) created_at: OffsetDateTime,
    pub(super) decided_at: Option<OffsetDateTime>,
    pub(super) undone_at: Option<OffsetDateTime>,
    pub(super) undone_by: Option<String>,
    pub(super) recovered_at: Option<OffsetDateTime>,
}

/// Columns of a rollback, and what follows them.
macro_rules! select_rollbacks {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            crate::rollbacks::row::Row,
            r#"SELECT
                 r.id, r.project_id, r.prompt_name, r.label, r.from_version, r.to_version,
                 r.incident_id, r.is_automatic, r.actor, r.state, r.reason,
                 r.checks::TEXT AS "checks!", r.created_at, r.decided_at, r.undone_at,
                 r.undone_by, r.recovered_at
             FROM rollbacks r "# + $rest
            $(, $parameter)*
        )
    };
}
pub(super) use select_rollbacks;

impl Row {
    /// The project that it is of.
    pub(super) fn project(&self) -> ProjectId {
        self.project_id.into()
    }

    /// The rollback.
    ///
    /// # Errors
    /// When it was not written here.
    pub(super) fn into_rollback(self) -> Result<Rollback, StoreError> {
        let checks = serde_json::from_str(&self.checks);
        Ok(Rollback {
            id: self.id.into(),
            prompt: PromptName::parse(&self.prompt_name).map_err(row)?,
            label: Label::parse(&self.label).map_err(row)?,
            from_version: number(self.from_version),
            to_version: self.to_version.map(number),
            incident: self.incident_id.map(Into::into),
            is_automatic: self.is_automatic,
            actor: self.actor,
            state: State::from_name(&self.state).unwrap_or_default(),
            reason: self.reason,
            checks: checks.map_err(|error| StoreError::Row(error.into()))?,
            created_at: self.created_at.into(),
            decided_at: self.decided_at.map(Into::into),
            undone_at: self.undone_at.map(Into::into),
            undone_by: self.undone_by,
            recovered_at: self.recovered_at.map(Into::into),
        })
    }
}

/// A number of the table, which holds none below 1.
fn number(version: i32) -> u32 {
    version.unsigned_abs()
}

/// A number as the table holds it; no version has one beyond its end.
pub(super) fn column(version: u32) -> i32 {
    i32::try_from(version).unwrap_or(i32::MAX)
}

/// JSON of something that has no way to fail.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

pub(super) fn row(fault: Fault) -> StoreError {
    StoreError::Row(fault.into())
}
