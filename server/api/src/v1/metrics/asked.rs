//! What a question about metrics has in its address.

use domain::Fault;
use domain::axes::query::{Aggregation, Condition, MAX_CONDITION_BYTES, MAX_CONDITIONS, Selection};

use crate::extract::{Params, wrong};

/// `metric` and `match`.
///
/// # Errors
/// `invalid` on the parameter.
pub(super) fn selection(params: &Params) -> Result<Selection, Fault> {
    let metric = params.one("metric")?;
    if metric.is_some_and(|name| name.len() > MAX_CONDITION_BYTES) {
        return Err(wrong("metric", "it is longer than 1,000 bytes"));
    }
    let conditions = params.all("match").map(Condition::parse);
    Ok(Selection {
        metric: metric.map(str::to_owned),
        conditions: conditions.collect::<Result<_, _>>()?,
    })
}

/// `aggregation` and `quantile`.
///
/// # Errors
/// `invalid` on the parameter.
pub(super) fn aggregation(params: &Params) -> Result<Option<Aggregation>, Fault> {
    let quantile = params.amount("quantile")?;
    if quantile.is_some_and(|quantile| quantile > 1.0) {
        return Err(wrong("quantile", "give a number from 0 to 1"));
    }
    Ok(Some(match params.one("aggregation")? {
        None => return Ok(quantile.map(Aggregation::Quantile)),
        Some("last") => Aggregation::Last,
        Some("avg") => Aggregation::Avg,
        Some("min") => Aggregation::Min,
        Some("max") => Aggregation::Max,
        Some("sum") => Aggregation::Sum,
        Some("rate") => Aggregation::Rate,
        Some("quantile") => Aggregation::Quantile(quantile.unwrap_or(0.95)),
        Some(_) => {
            let names = "give last, avg, min, max, sum, rate or quantile";
            return Err(wrong("aggregation", names));
        }
    }))
}

/// What an aggregation is called.
pub(super) fn name_of(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::Last => "last",
        Aggregation::Avg => "avg",
        Aggregation::Min => "min",
        Aggregation::Max => "max",
        Aggregation::Sum => "sum",
        Aggregation::Rate => "rate",
        Aggregation::Quantile(_) => "quantile",
    }
}

/// `group_by`: labels separated by commas; `none`: all series together.
///
/// # Errors
/// `invalid` for too many.
pub(super) fn group_by(params: &Params) -> Result<Option<Vec<String>>, Fault> {
    let Some(text) = params.one("group_by")? else {
        return Ok(None);
    };
    if text == "none" {
        return Ok(Some(Vec::new()));
    }
    let labels: Vec<String> = text
        .split(',')
        .map(|label| label.trim().to_owned())
        .collect();
    if labels.len() > MAX_CONDITIONS {
        return Err(wrong("group_by", "give at most 20 labels"));
    }
    Ok(Some(labels))
}
