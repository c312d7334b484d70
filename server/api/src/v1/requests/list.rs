//! `GET /api/v1/requests`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::axes::{AxisValue, Dimension};
use serde::Serialize;
use serde_json::{Map, Value};
use service::App;
use service::axes::{Joined, page};

use crate::error::Result;
use crate::extract::{Caller, Listing};

/// Requests that match, newest first.
pub(crate) async fn list_requests(
    State(app): State<App>,
    Caller(scope): Caller,
    listing: Listing,
) -> Result<Response> {
    let cursor = listing.cursor("requests")?;
    let Listing { filter, limit, .. } = listing;
    let found = page(&app, &scope, &filter, (limit, cursor.as_ref())).await?;
    let rows = (0..found.joined.requests.len()).rev();
    let body = Body {
        data: rows
            .map(|row| RequestRow::new(&found.joined, row))
            .collect(),
        next_cursor: found.next_cursor.map(|cursor| cursor.written("requests")),
    };
    Ok(Json(body).into_response())
}

#[derive(Serialize)]
struct Body<'a> {
    data: Vec<RequestRow<'a>>,
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct RequestRow<'a> {
    trace_id: &'a str,
    span_id: &'a str,
    start: String,
    model: Option<&'a str>,
    prompt: Option<PromptShape<'a>>,
    tenant: Option<&'a str>,
    route: Option<&'a str>,
    release: Option<&'a str>,
    provider: Option<&'a str>,
    environment: Option<&'a str>,
    instance: Option<&'a str>,
    instance_rule: Option<&'a str>,
    gpus: Vec<&'a str>,
    gpu_rule: Option<&'a str>,
    axes: Axes,
}

#[derive(Serialize)]
struct PromptShape<'a> {
    name: &'a str,
    version: Option<&'a str>,
}

/// Values by their names without the axis; null: unknown.
#[derive(Default, Serialize)]
struct Axes {
    gpu: Map<String, Value>,
    token: Map<String, Value>,
    quality: Map<String, Value>,
}

impl<'a> RequestRow<'a> {
    fn new(joined: &'a Joined, row: usize) -> Self {
        let (requests, fleet) = (&joined.requests, &joined.state.fleet);
        let named = |dimension| requests.dimension(dimension).get(row).map(AsRef::as_ref);
        let instance = requests.instances[row];
        let gpus = instance.map_or(&[][..], |instance| &fleet.gpus_of[instance]);
        RequestRow {
            trace_id: requests.trace_ids[row].as_str(),
            span_id: requests.span_ids[row].as_str(),
            start: requests.starts[row].to_string(),
            model: named(Dimension::Model),
            prompt: named(Dimension::Prompt).map(|name| PromptShape {
                name,
                version: requests.versions.get(row).map(AsRef::as_ref),
            }),
            tenant: named(Dimension::Tenant),
            route: named(Dimension::Route),
            release: named(Dimension::Release),
            provider: named(Dimension::Provider),
            environment: named(Dimension::Environment),
            instance: named(Dimension::Instance),
            instance_rule: requests.found_by[row].as_deref(),
            gpus: gpus
                .iter()
                .map(|gpu| fleet.gpus[*gpu].name.as_ref())
                .collect(),
            gpu_rule: instance.and_then(|instance| fleet.found_by[instance].as_deref()),
            axes: Axes::new(joined, row),
        }
    }
}

impl Axes {
    fn new(joined: &Joined, row: usize) -> Self {
        let mut axes = Axes::default();
        for column in &joined.requests.columns {
            let value = match column.get(row) {
                None => Value::Null,
                Some(number) if column.is_flag => Value::Bool(number != 0.0),
                Some(number) => Value::from(number),
            };
            match &column.value {
                AxisValue::Gpu(name) => axes.gpu.insert(short(name), value),
                AxisValue::Token(name) => axes.token.insert(short(name), value),
                AxisValue::Quality(name) => axes.quality.insert(name.clone(), value),
                // Scores of others of the page are nothing of this request.
                AxisValue::Score(_) if value.is_null() => None,
                AxisValue::Score(name) => axes.quality.insert(format!("score.{name}"), value),
                AxisValue::Cost | AxisValue::Requests | AxisValue::Errors => None,
            };
        }
        axes
    }
}

fn short(name: &str) -> String {
    name.split_once('.')
        .map_or(name, |(_, short)| short)
        .to_owned()
}
