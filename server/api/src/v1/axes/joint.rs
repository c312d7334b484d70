//! `GET /api/v1/axes/joint`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::axes::AxisValue;
use domain::axes::joint::{Bin, MAX_BINS};
use serde::Serialize;
use service::App;
use service::axes::joint;

use crate::error::Result;
use crate::extract::{Caller, Listing, Params, wrong};

/// Bins unless told otherwise.
const USUAL_BINS: usize = 10;

/// How one value of requests goes with another.
pub(crate) async fn show_axes_joint(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
    listing: Listing,
) -> Result<Response> {
    let (x, y) = (value(&params, "x")?, value(&params, "y")?);
    let bins = bins(&params)?;
    let asked = (x.clone(), y.clone(), bins);
    let (joint, is_sample) = joint(&app, &scope, &listing.filter, asked).await?;
    let body = Body {
        x: x.to_string(),
        y: y.to_string(),
        statistic: if joint.is_share { "rate" } else { "avg" },
        count: joint.count,
        sampled: is_sample,
        bins: joint.bins.iter().map(BinShape::from).collect(),
    };
    Ok(Json(body).into_response())
}

fn value(params: &Params, name: &str) -> std::result::Result<AxisValue, Fault> {
    let value = params.one(name)?.and_then(AxisValue::parse);
    let value = value.filter(|value| *value != AxisValue::Requests);
    value.ok_or_else(|| {
        wrong(
            name,
            "name a value such as gpu.sm_active, token.ttft_ms, quality.format_valid or score.NAME",
        )
    })
}

fn bins(params: &Params) -> std::result::Result<usize, Fault> {
    let Some(text) = params.one("bins")? else {
        return Ok(USUAL_BINS);
    };
    let bins = text
        .parse()
        .ok()
        .filter(|bins| (1..=MAX_BINS).contains(bins));
    bins.ok_or_else(|| wrong("bins", &format!("give a number from 1 to {MAX_BINS}")))
}

#[derive(Serialize)]
struct Body {
    x: String,
    y: String,
    statistic: &'static str,
    count: usize,
    sampled: bool,
    bins: Vec<BinShape>,
}

#[derive(Serialize)]
struct BinShape {
    from: f64,
    to: f64,
    count: usize,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<&Bin> for BinShape {
    fn from(bin: &Bin) -> Self {
        BinShape {
            from: bin.from,
            to: bin.to,
            count: bin.count,
            value: bin.mean,
            low: bin.interval.map(|(low, _)| low),
            high: bin.interval.map(|(_, high)| high),
        }
    }
}
