//! `GET /api/v1/metrics/series`

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Fault;
use serde::Serialize;
use service::series::{After, Known};
use service::{App, series};

use super::asked;
use crate::error::Result;
use crate::extract::{Caller, Params, wrong};

/// Series that match, by name.
pub(crate) async fn list_metric_series(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let selection = asked::selection(&params)?;
    let after = params.one("cursor")?.map(parse_cursor).transpose()?;
    let (from, limit) = (params.time("from")?, params.limit()?);
    let page = (&after.unwrap_or_default(), limit.rows());
    let (found, next) = series::list(&app, &scope, (&selection, from), page).await?;
    let body = Body {
        data: found.iter().map(SeriesRow::from).collect(),
        next_cursor: next
            .map(|after| URL_SAFE_NO_PAD.encode(format!("{:016x}{}", after.id, after.name))),
    };
    Ok(Json(body).into_response())
}

fn parse_cursor(text: &str) -> std::result::Result<After, Fault> {
    let read = || {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let (id, name) = text.split_at_checked(16)?;
        let id = u64::from_str_radix(id, 16).ok()?;
        let name = name.to_owned();
        Some(After { name, id })
    };
    read().ok_or_else(|| wrong("cursor", "cursor is not one that this list gave"))
}

#[derive(Serialize)]
struct Body<'a> {
    data: Vec<SeriesRow<'a>>,
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct SeriesRow<'a> {
    id: String,
    name: &'a str,
    labels: BTreeMap<&'a str, &'a str>,
    kind: &'static str,
    part: &'static str,
    unit: Option<&'a str>,
    axis: Option<&'static str>,
    exporter: Option<&'static str>,
    factor: Option<f64>,
    rank: Option<u8>,
    approximate: Option<bool>,
    last_seen_hour: String,
}

impl<'a> From<&'a Known> for SeriesRow<'a> {
    fn from(known: &'a Known) -> Self {
        let series = &known.series;
        let reading = series.reading.as_ref();
        SeriesRow {
            id: known.id.to_string(),
            name: &series.name,
            labels: series.labels.iter().collect(),
            kind: series.kind.as_str(),
            part: series.part.as_str(),
            unit: Some(series.unit.as_ref()).filter(|unit| !unit.is_empty()),
            axis: reading.map(|reading| reading.axis),
            exporter: reading.map(|reading| reading.exporter),
            factor: reading.map(|reading| reading.factor),
            rank: reading.map(|reading| reading.rank),
            approximate: reading.map(|reading| reading.is_approximate),
            last_seen_hour: known.seen.to_string(),
        }
    }
}
