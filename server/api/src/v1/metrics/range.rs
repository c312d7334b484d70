//! `GET /api/v1/metrics/range`

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Nanos;
use domain::axes::query::{Aggregation, RangeQuery, Steps};
use domain::axes::range::Line;
use serde::Serialize;
use service::series::RangeAnswer;
use service::{App, series};

use super::asked;
use crate::error::Result;
use crate::extract::{Caller, Params, wrong};

/// How long a range is unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(3600);

/// Values of a metric over time.
pub(crate) async fn show_metric_range(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let selection = asked::selection(&params)?;
    if selection.metric.is_none() {
        return Err(wrong("metric", "name a series or a value of an axis").into());
    }
    let to = params.time("to")?.unwrap_or_else(|| app.clock().now());
    let from = params.time("from")?.unwrap_or_else(|| to.minus(USUAL));
    if from >= to {
        return Err(wrong("to", "must be later than from").into());
    }
    let query = RangeQuery {
        selection,
        steps: Steps::new((from, to), params.amount("step")?)?,
        aggregation: asked::aggregation(&params)?,
        group_by: asked::group_by(&params)?,
    };
    let answer = series::range(&app, &scope, query).await?;
    Ok(Json(RangeBody::from(&answer)).into_response())
}

#[derive(Serialize)]
struct RangeBody<'a> {
    metric: &'a str,
    aggregation: &'static str,
    quantile: Option<f64>,
    step_s: f64,
    timestamps: Vec<String>,
    series: Vec<LineBody<'a>>,
}

#[derive(Serialize)]
struct LineBody<'a> {
    labels: BTreeMap<&'a str, &'a str>,
    values: &'a [Option<f64>],
}

impl<'a> From<&'a RangeAnswer> for RangeBody<'a> {
    fn from(answer: &'a RangeAnswer) -> Self {
        let steps = &answer.query.steps;
        let begin = |step: u64| {
            let begin = steps.from.plus(Nanos(steps.step.0.saturating_mul(step)));
            begin.to_string()
        };
        RangeBody {
            metric: answer.query.selection.metric.as_deref().unwrap_or_default(),
            aggregation: asked::name_of(answer.aggregation),
            quantile: match answer.aggregation {
                Aggregation::Quantile(quantile) => Some(quantile),
                _ => None,
            },
            step_s: steps.step.as_millis_f64() / 1e3,
            timestamps: (0..steps.count()).map(begin).collect(),
            series: answer.lines.iter().map(LineBody::from).collect(),
        }
    }
}

impl<'a> From<&'a Line> for LineBody<'a> {
    fn from(line: &'a Line) -> Self {
        LineBody {
            labels: line.labels.iter().collect(),
            values: &line.values,
        }
    }
}
