//! What scores spans by itself: models that judge, and rules.

use axum::extract::RawPathParams;
use domain::annotation::judge::Against;
use domain::evaluator::{Evaluator, Method};
use domain::score::DataType;
use domain::{EvaluatorId, Fault};

use super::no_such_page;
use super::traces::segment;
use crate::format;

/// Makes, changes, switches, deletes.
mod change;
/// Makes and changes one, and tries it out.
mod form;
/// The list, with how each does.
mod list;
/// One evaluator with what it did lately.
mod show;
/// What would be scored.
mod trials;
/// What things are called.
mod words;

pub(crate) use change::{
    backfill_evaluator, create_evaluator, delete_evaluator, edit_evaluator, new_evaluator,
    switch_evaluator, update_evaluator,
};
pub(crate) use form::{EvaluatorForm, FormPage};
pub(crate) use list::{EvaluatorsPage, Listed, list_evaluators};
pub(crate) use show::{EvaluatorPage, Material, show_evaluator};

/// The evaluator that the path names.
fn evaluator_id(params: &RawPathParams) -> Result<EvaluatorId, Fault> {
    let id = segment(params, "evaluator").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}

/// A number with up to three digits behind the point.
fn number(value: f64) -> String {
    format::trimmed(value, 3).replace('-', "−")
}

/// The mean of scores: of yes and no a share.
fn mean(evaluator: &Evaluator, mean: Option<f64>) -> String {
    match (mean, evaluator.draft.score.data_type) {
        (None, _) => String::new(),
        (Some(mean), DataType::Boolean) => format!("{:.0} %", mean * 100.0),
        (Some(mean), _) => number(mean),
    }
}

/// A share of traces, as percent.
fn percent(rate: f64) -> String {
    format!("{} %", format::trimmed(rate * 100.0, 4))
}

/// How far an evaluator agrees with people, in a few signs.
fn in_short(evaluator: &Evaluator, against: Option<&Against>) -> String {
    let Some(against) = against else {
        return String::new();
    };
    let parts = match evaluator.draft.score.data_type {
        DataType::Numeric => [
            against.distance.map(|far| format!("± {}", number(far))),
            against
                .correlation
                .map(|r| format!("r {r:.2}").replace('-', "−")),
        ],
        _ => [
            against.same.map(|same| format!("{:.0} %", same * 100.0)),
            against
                .kappa
                .map(|kappa| format!("κ {kappa:.2}").replace('-', "−")),
        ],
    };
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" · ")
}

/// Whether a model judges.
fn is_judge(method: &Method) -> bool {
    matches!(method, Method::Judge(_))
}
