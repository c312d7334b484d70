//! An objective, and goodput.

use domain::objective::{Goodput, Objective};
use serde::Serialize;
use service::objectives::Report;

/// An objective, ready to be written.
#[derive(Serialize)]
pub(crate) struct ObjectiveRow<'a> {
    id: String,
    model: &'a str,
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    created_at: String,
}

impl<'a> From<&'a Objective> for ObjectiveRow<'a> {
    fn from(objective: &'a Objective) -> Self {
        let draft = &objective.draft;
        ObjectiveRow {
            id: objective.id.to_string(),
            model: draft.model.as_str(),
            ttft_ms: draft.ttft_ms,
            tpot_ms: draft.tpot_ms,
            created_at: objective.created_at.to_string(),
        }
    }
}

/// A report, ready to be written.
#[derive(Serialize)]
pub(crate) struct GoodputReport<'a> {
    from: String,
    to: String,
    models: Vec<ModelGoodput<'a>>,
}

#[derive(Serialize)]
struct ModelGoodput<'a> {
    model: &'a str,
    objective: ObjectiveRow<'a>,
    goodput: Option<f64>,
    good: u64,
    missed: u64,
    unjudged: u64,
}

impl<'a> From<&'a Report> for GoodputReport<'a> {
    fn from(report: &'a Report) -> Self {
        GoodputReport {
            from: report.from.to_string(),
            to: report.to.to_string(),
            models: report.models.iter().map(ModelGoodput::from).collect(),
        }
    }
}

impl<'a> From<&'a Goodput> for ModelGoodput<'a> {
    fn from(goodput: &'a Goodput) -> Self {
        ModelGoodput {
            model: &goodput.model,
            objective: ObjectiveRow::from(&goodput.objective),
            goodput: goodput.share(),
            good: goodput.good,
            missed: goodput.missed,
            unjudged: goodput.unjudged,
        }
    }
}
