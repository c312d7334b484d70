//! Labels of prompts that went back because of an incident, or might.

use domain::rollback::{Rollback, State};

use crate::i18n::Lang;

/// A label that went back, or might.
pub(crate) struct RollbackRow {
    /// Which, and from where to where.
    pub(crate) what: String,
    pub(crate) state: &'static str,
    pub(crate) reason: String,
    /// How many checks hold; empty where none was made.
    pub(crate) checks: String,
    /// Why those that do not hold do not.
    pub(crate) failing: Vec<String>,
}

/// One row each.
pub(super) fn rows(rollbacks: &[Rollback], lang: Lang) -> Vec<RollbackRow> {
    rollbacks
        .iter()
        .map(|rollback| row(rollback, lang))
        .collect()
}

fn row(rollback: &Rollback, lang: Lang) -> RollbackRow {
    let all = rollback.checks.len();
    let failing = rollback.checks.iter().filter(|check| !check.ok);
    let failing: Vec<String> = failing
        .map(|check| format!("{}: {}", check.metric, check.reason))
        .collect();
    let holding = (all - failing.len()).to_string();
    RollbackRow {
        what: rollback.said(),
        state: match rollback.state {
            State::Waiting => lang.t("waiting"),
            State::Suggested => lang.t("a person is asked"),
            State::Applied => lang.t("went back"),
            State::Refused => lang.t("not done"),
            State::Undone => lang.t("undone"),
        },
        reason: rollback.reason.clone(),
        checks: match all {
            0 => String::new(),
            _ => lang.fill("{} of {} checks hold", &[&holding, &all.to_string()]),
        },
        failing,
    }
}
