//! A label of a prompt that might go back.

use domain::prompt::{Label, PromptName};
use domain::rollback::{Check, Rollback, State};
use uuid::Uuid;

use super::HOSTILE;
use super::data::now;

/// Nothing where its names cannot be read.
pub(super) fn suggested() -> Option<Rollback> {
    let check = Check {
        metric: "token.output_tokens:p99".to_owned(),
        target_7d: Some(812.0),
        current: Some(411.0),
        limit: Some(616.5),
        ok: false,
        target_samples: 4_120,
        current_samples: 988,
        reason: HOSTILE.to_owned(),
    };
    Some(Rollback {
        id: Uuid::nil().into(),
        prompt: PromptName::parse("support.answer").ok()?,
        label: Label::parse("production").ok()?,
        from_version: 18,
        to_version: Some(17),
        incident: None,
        is_automatic: true,
        actor: "server".to_owned(),
        state: State::Suggested,
        reason: HOSTILE.to_owned(),
        checks: vec![check],
        created_at: now(),
        decided_at: Some(now()),
        undone_at: None,
        undone_by: None,
        recovered_at: None,
    })
}
