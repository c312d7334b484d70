//! `GET`, `PUT` and `DELETE /api/v1/prompts/{prompt_name}/labels/{label}/test`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::prompt::{Split, Variant};
use serde_json::{Value, json};
use service::{App, ProjectScope, prompts};

use crate::error::Result;
use crate::extract::{Body, Caller, PathLabel, wrong};

/// What a label under test gives.
pub(crate) async fn show_prompt_test(
    State(app): State<App>,
    Caller(scope): Caller,
    path: PathLabel,
) -> Result<Response> {
    Ok(Json(shape(&found(&app, &scope, &path).await?)).into_response())
}

/// Sets that.
pub(crate) async fn set_prompt_test(
    State(app): State<App>,
    Caller(scope): Caller,
    path: PathLabel,
    body: Body,
) -> Result<Response> {
    let variants = variants(&body)?;
    let place = (&path.name, &path.label);
    prompts::set_split(&app, &scope, place, &variants).await?;
    Ok(Json(shape(&found(&app, &scope, &path).await?)).into_response())
}

/// Has the label give the version alone that it stands on.
pub(crate) async fn end_prompt_test(
    State(app): State<App>,
    Caller(scope): Caller,
    PathLabel { name, label }: PathLabel,
) -> Result<StatusCode> {
    prompts::end_split(&app, &scope, (&name, &label)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn found(app: &App, scope: &ProjectScope, path: &PathLabel) -> Result<Split> {
    let splits = prompts::splits(app, scope, &path.name).await?;
    let found = splits.into_iter().find(|split| split.label == path.label);
    let missing = || Fault::not_found(format!("the label {} is not under test", path.label));
    Ok(found.ok_or_else(missing)?)
}

/// `[{"version": 3, "percent": 90}, …]`
fn variants(body: &Body) -> Result<Vec<Variant>> {
    body.only(&["variants"])?;
    let shape = || wrong("variants", "give a list of {version, percent}");
    let list = body.fields().get("variants").and_then(Value::as_array);
    let variant = |value: &Value| {
        let version = value["version"]
            .as_u64()
            .and_then(|it| it.try_into().ok())?;
        let weight = (value["percent"].as_f64()? * 10.0).round();
        // What is no share is refused with the rest of the rules.
        let weight = match (0.0..=1_000.0).contains(&weight) {
            true => weight as u32,
            false => 0,
        };
        Some(Variant { version, weight })
    };
    let variants: Option<Vec<Variant>> = list.ok_or_else(shape)?.iter().map(variant).collect();
    Ok(variants.ok_or_else(shape)?)
}

fn shape(split: &Split) -> Value {
    let variants: Vec<Value> = split
        .variants
        .iter()
        .map(|it| json!({ "version": it.version, "percent": f64::from(it.weight) / 10.0 }))
        .collect();
    json!({
        "label": split.label.as_str(),
        "version": split.control,
        "variants": variants,
        "since": split.since.to_string(),
    })
}
