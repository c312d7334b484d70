//! Labels of prompts that not everybody moves.

mod set;
mod show;

pub(crate) use set::set_protected_labels;
pub(crate) use show::show_protected_labels;

use axum::Json;
use axum::response::{IntoResponse, Response};
use domain::prompt::Label;
use serde_json::json;

fn shape(labels: &[Label]) -> Response {
    let labels: Vec<&str> = labels.iter().map(Label::as_str).collect();
    Json(json!({ "labels": labels })).into_response()
}
