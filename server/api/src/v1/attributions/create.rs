//! `POST /api/v1/attributions`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use serde_json::{Map, Value};
use service::App;
use service::attributions::{Given, Question, answer, shape};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// What a window's symptom comes from; nothing is kept.
pub(crate) async fn create_attribution(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let question = Question::new(given(&body)?)?;
    let answered = answer(&app, &scope, question).await?;
    Ok(Json(shape(&answered)).into_response())
}

fn given(body: &Body) -> std::result::Result<Given, Fault> {
    body.only(&[
        "from",
        "to",
        "baseline_from",
        "baseline_to",
        "symptom",
        "filter",
    ])?;
    let time = |field| body.time(field).map(Option::flatten);
    let symptom = body.object("symptom")?;
    let symptom = symptom.ok_or_else(|| wrong("symptom", "is needed"))?;
    let known = ["series", "direction", "threshold"];
    if let Some(other) = symptom.keys().find(|key| !known.contains(&key.as_str())) {
        let field = format!("symptom.{other}");
        return Err(wrong(
            &field,
            "is not known; known are series, direction, threshold",
        ));
    }
    Ok(Given {
        from: time("from")?,
        to: time("to")?,
        baseline_from: time("baseline_from")?,
        baseline_to: time("baseline_to")?,
        series: text(symptom, "series")?,
        direction: text(symptom, "direction")?,
        threshold: number(symptom, "threshold")?,
        filter: body.filter()?,
    })
}

fn text(symptom: &Map<String, Value>, field: &str) -> std::result::Result<Option<String>, Fault> {
    match symptom.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(&format!("symptom.{field}"), "give a text")),
    }
}

fn number(symptom: &Map<String, Value>, field: &str) -> std::result::Result<Option<f64>, Fault> {
    match symptom.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(&format!("symptom.{field}"), "give a number")),
        },
    }
}
