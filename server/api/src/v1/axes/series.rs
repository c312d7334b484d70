//! `GET /api/v1/axes/series`

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::axes::ask::MAX_SERIES;
use domain::axes::query::Steps;
use domain::axes::{Ask, AxisLine, AxisSeries, Dimension};
use domain::{Fault, Nanos};
use serde::Serialize;
use service::App;
use service::axes::lines;

use crate::error::Result;
use crate::extract::{Caller, Listing, Params, wrong};

/// How long a range is unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(3600);
/// Most values of a line times the series that are asked for.
const MAX_CELLS: u64 = 4_000;

/// Values of the axes over time.
pub(crate) async fn show_axes_series(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
    listing: Listing,
) -> Result<Response> {
    let series = asked(&params)?;
    let filter = listing.filter;
    let to = filter.to.unwrap_or_else(|| app.clock().now());
    let from = filter.from.unwrap_or_else(|| to.minus(USUAL));
    if from >= to {
        return Err(wrong("to", "must be later than from").into());
    }
    let steps = Steps::new((from, to), params.amount("step")?)?;
    if steps.count().saturating_mul(series.len() as u64) > MAX_CELLS {
        let why = format!("series × steps are more than {MAX_CELLS}; give a longer step");
        return Err(wrong("step", &why).into());
    }
    let group_by = params
        .one("group_by")?
        .map(Dimension::parse_list)
        .transpose()?
        .unwrap_or_default();
    let only = [("instance", Dimension::Instance), ("gpu", Dimension::Gpu)].into_iter();
    let only =
        only.map(|(name, dimension)| (dimension, params.all(name).map(str::to_owned).collect()));
    let only: Vec<(Dimension, Vec<String>)> = only
        .filter(|(_, values): &(_, Vec<_>)| !values.is_empty())
        .collect();
    let asks = series.iter().map(|series| Ask {
        series: series.clone(),
        only: only.clone(),
        group_by: group_by.clone(),
    });
    let answer = lines(&app, &scope, (&filter, &steps), asks.collect()).await?;
    let begin = |step: u64| {
        steps
            .from
            .plus(Nanos(steps.step.0.saturating_mul(step)))
            .to_string()
    };
    let shapes = series.iter().zip(&answer.answers);
    let body = Body {
        step_s: steps.step.as_millis_f64() / 1e3,
        timestamps: (0..steps.count()).map(begin).collect(),
        sampled: answer.is_sample,
        series: shapes
            .flat_map(|(series, lines)| lines.iter().map(|line| LineShape::new(series, line)))
            .collect(),
    };
    Ok(Json(body).into_response())
}

/// `series`: separated by commas, or given several times.
fn asked(params: &Params) -> std::result::Result<Vec<AxisSeries>, Fault> {
    let texts = params.all("series").flat_map(|list| list.split(','));
    let texts: Vec<&str> = texts
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect();
    if texts.is_empty() {
        return Err(wrong(
            "series",
            "name at least one, such as token.ttft_ms:p99",
        ));
    }
    if texts.len() > MAX_SERIES {
        return Err(wrong("series", &format!("give at most {MAX_SERIES}")));
    }
    texts.into_iter().map(AxisSeries::parse).collect()
}

#[derive(Serialize)]
struct Body<'a> {
    step_s: f64,
    timestamps: Vec<String>,
    sampled: bool,
    series: Vec<LineShape<'a>>,
}

#[derive(Serialize)]
struct LineShape<'a> {
    name: String,
    group: BTreeMap<&'static str, Option<&'a str>>,
    values: &'a [Option<f64>],
    counts: &'a [u32],
}

impl<'a> LineShape<'a> {
    fn new(series: &AxisSeries, line: &'a AxisLine) -> Self {
        let group = line.group.iter();
        LineShape {
            name: series.to_string(),
            group: group
                .map(|(dimension, value)| (dimension.as_str(), value.as_deref()))
                .collect(),
            values: &line.values,
            counts: &line.counts,
        }
    }
}
