use axum::routing::{delete, get, patch, post};

use super::{Access, Answer, Route};
use crate::v1;

/// What scores spans by itself.
pub(super) static EVALUATORS: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/evaluators",
        operation: "list_evaluators",
        what: "Evaluators of the project, by name, each with what it did lately.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("Evaluator"),
        handler: || get(v1::evaluators::list_evaluators),
    },
    Route {
        method: "POST",
        path: "/api/v1/evaluators",
        operation: "create_evaluator",
        what: "Makes an evaluator: a judge, which asks a model through an LLM connection, or a rule. It scores what ends \
               from the time on when it is switched on, each span once. 409 for a name that another one has, and beyond \
               100 of them.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("Evaluator"),
        handler: || post(v1::evaluators::create_evaluator),
    },
    Route {
        method: "GET",
        path: "/api/v1/evaluators/{evaluator_id}",
        operation: "show_evaluator",
        what: "One evaluator, with what it did lately.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Evaluator"),
        handler: || get(v1::evaluators::show_evaluator),
    },
    Route {
        method: "PATCH",
        path: "/api/v1/evaluators/{evaluator_id}",
        operation: "update_evaluator",
        what: "Changes those fields of an evaluator that are given. What it scored stays. A judge stays one, and a rule. \
               One that is switched off leaves what waited for it.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Evaluator"),
        handler: || patch(v1::evaluators::update_evaluator),
    },
    Route {
        method: "POST",
        path: "/api/v1/evaluators/{evaluator_id}/backfill",
        operation: "backfill_evaluator",
        what: "Has an evaluator that is on score what ended within a stretch of time before, the newest first, as far as it \
               matches and is in the sample; nothing is scored twice. It takes the place of the stretch that was asked for \
               before. Its bound on cost holds.",
        access: Access::Project,
        query: &[],
        answer: Answer::Accepted("Evaluator"),
        handler: || post(v1::evaluators::backfill_evaluator),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/evaluators/{evaluator_id}",
        operation: "delete_evaluator",
        what: "Deletes an evaluator. Its scores stay.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::evaluators::delete_evaluator),
    },
];
