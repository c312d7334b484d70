//! Evaluators.

use domain::{EvaluatorId, ProjectId};

use super::with_pairs;

/// The list of evaluators.
pub(crate) fn evaluators(project: ProjectId) -> String {
    format!("/p/{project}/evaluators")
}

/// About to make one.
pub(crate) fn evaluator_new(project: ProjectId) -> String {
    format!("{}/new", evaluators(project))
}

/// About to make one of a kind.
pub(crate) fn evaluator_new_of(project: ProjectId, kind: &str) -> String {
    with_pairs(&evaluator_new(project), &[("kind", kind)])
}

/// One evaluator.
pub(crate) fn evaluator(project: ProjectId, id: EvaluatorId) -> String {
    format!("{}/{id}", evaluators(project))
}

/// Changes, switches or deletes one.
pub(crate) fn evaluator_part(project: ProjectId, id: EvaluatorId, part: &str) -> String {
    format!("{}/{part}", evaluator(project, id))
}
