//! Labels of prompts that go back to an earlier version.

mod create;
mod list;
mod set_policy;
mod show_policy;
mod undo;

pub(crate) use create::roll_back_prompt;
pub(crate) use list::list_rollbacks;
pub(crate) use set_policy::set_rollback_policy;
pub(crate) use show_policy::show_rollback_policy;
pub(crate) use undo::undo_rollback;

use axum::Json;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::prompt::Label;
use serde_json::json;
use service::rollback::Shown;

use crate::extract::{Body, wrong};

fn shape(shown: &Shown) -> Response {
    let policy = &shown.policy;
    let (by, at) = match &shown.set {
        Some((by, at)) => (Some(by), Some(at.to_string())),
        None => (None, None),
    };
    Json(json!({
        "mode": policy.mode,
        "label": policy.label.as_str(),
        "limits": policy.limits,
        "updated_by": by,
        "updated_at": at,
    }))
    .into_response()
}

fn label(body: &Body) -> Result<Option<Label>, Fault> {
    body.text_or_null("label")?.map(Label::parse).transpose()
}

fn version(body: &Body, field: &str) -> Result<Option<u32>, Fault> {
    let number = body.count(field)?;
    let version = number.map(|number| u32::try_from(number).ok().filter(|version| *version > 0));
    match version {
        None => Ok(None),
        Some(Some(version)) => Ok(Some(version)),
        Some(None) => Err(wrong(field, "give the number of a version, from 1 on")),
    }
}
