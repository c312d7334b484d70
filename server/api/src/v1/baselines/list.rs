//! `GET /api/v1/baselines`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::alert::AlertSeries;
use domain::filter::Filter;
use serde_json::{Value, json};
use service::App;
use service::alerts::usual;

use crate::error::Result;
use crate::extract::{Caller, Params, parse_conditions, wrong};

/// What is usual of a series, by hour of the day and group.
pub(crate) async fn list_baselines(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let series = params.one("series")?.unwrap_or_default();
    let series = AlertSeries::parse(series)?;
    let hour = params.one("hour")?.map(|text| {
        let hour = text.parse().ok().filter(|hour| *hour < 24);
        hour.ok_or_else(|| wrong("hour", "give an hour of the day, 0 to 23"))
    });
    let hour = hour.transpose()?;
    let filter = params.one("filter")?.map(parse_conditions).transpose()?;
    let filter = filter.unwrap_or_else(Filter::default);
    let names = params.one("group_by")?.unwrap_or_default().split(',');
    let mut group_by: Vec<String> = names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    group_by.sort();
    let about = (&series, &filter, group_by.as_slice());
    let answer = usual::show(&app, &scope, about, hour).await?;
    let row = |hour: &usual::Hour| {
        json!({
            "group": hour.group,
            "hour": hour.hour,
            "median": hour.pool.median,
            "mad": hour.pool.mad,
            "samples": hour.pool.samples,
            "baseline": hour.baseline,
            "threshold": hour.threshold,
        })
    };
    let rows: Vec<Value> = answer.hours.iter().map(row).collect();
    let body = json!({
        "series": series.to_string(),
        "as_of": answer.as_of.to_string(),
        "zone": answer.settings.zone,
        "data": rows,
        "next_cursor": null,
    });
    Ok(Json(body).into_response())
}
