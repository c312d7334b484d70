//! `GET /api/v1/prompts/{prompt_name}/diff`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::prompt::{Change, Label, Prefix, Selector, Stretch};
use serde_json::{Value, json};
use service::{App, prompts};

use crate::error::Result;
use crate::extract::{Caller, Params, PathPrompt, wrong};

/// What two versions of a prompt differ in.
pub(crate) async fn diff_prompt(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrompt(name): PathPrompt,
    params: Params,
) -> Result<Response> {
    let (old, new) = (selector(&params, "from")?, selector(&params, "to")?);
    let diff = prompts::diff(&app, &scope, &name, (&old, &new)).await?;
    let changes: Vec<Value> = diff.changes.iter().map(change).collect();
    let body = json!({
        "name": name.as_str(),
        "from": diff.from,
        "to": diff.to,
        "changes": changes,
        "prefix": prefix(&diff.prefix),
    });
    Ok(Json(body).into_response())
}

/// A version by its number, else by a label.
fn selector(params: &Params, field: &str) -> std::result::Result<Selector, Fault> {
    let why = "give a version by its number or label";
    let text = params.one(field)?.ok_or_else(|| wrong(field, why))?;
    if let Ok(version) = text.parse() {
        return Ok(Selector::Version(version));
    }
    let label = Label::parse(text).map_err(|_| wrong(field, why))?;
    Ok(Selector::Label(label))
}

fn change(change: &Change) -> Value {
    let word = |word: &Stretch| json!({ "op": word.edit.as_str(), "text": word.text });
    let mut shape = json!({
        "op": change.op,
        "path": change.path,
        "old": change.old,
        "new": change.new,
    });
    if !change.words.is_empty() {
        shape["words"] = change.words.iter().map(word).collect();
    }
    shape
}

fn prefix(prefix: &Prefix) -> Value {
    json!({
        "common_tokens": prefix.common_tokens,
        "old_tokens": prefix.old_tokens,
        "new_tokens": prefix.new_tokens,
        "diverges_at_token": prefix.diverges_at_token,
        "expected_reuse": prefix.expected_reuse,
        "old_shared_tokens": prefix.old_shared_tokens,
        "new_shared_tokens": prefix.new_shared_tokens,
        "tokenizer": prefix.tokenizer,
        "tokenizer_is_exact": prefix.is_exact,
    })
}
