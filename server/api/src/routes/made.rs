use axum::routing::{delete, get, post, put};

use super::{Access, Answer, Route};
use crate::v1;

/// Datasets with their kinds, and tests of prompts.
pub(super) static MADE: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/datasets",
        operation: "list_datasets",
        what: "Datasets, newest first, with their kinds. What is in them is read by Langfuse's API.",
        access: Access::Project,
        query: &["kind", "archived", "limit", "cursor"],
        answer: Answer::List("Dataset"),
        handler: || get(v1::datasets::list_datasets),
    },
    Route {
        method: "POST",
        path: "/api/v1/datasets",
        operation: "create_dataset",
        what: "Makes a dataset of a kind, which it keeps: plain, golden, rolling or adversarial. 409 when \
               there is one of the name.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("Dataset"),
        handler: || post(v1::datasets::create_dataset),
    },
    Route {
        method: "GET",
        path: "/api/v1/prompts/{prompt_name}/labels/{label}/test",
        operation: "show_prompt_test",
        what: "What a label under test gives: versions with their shares. 404 where it gives one version.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("PromptTest"),
        handler: || get(v1::prompts::show_prompt_test),
    },
    Route {
        method: "PUT",
        path: "/api/v1/prompts/{prompt_name}/labels/{label}/test",
        operation: "set_prompt_test",
        what: "Has a label give several versions by weight, the one that it stands on among them. Any move of \
               the label ends the test.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("PromptTest"),
        handler: || put(v1::prompts::set_prompt_test),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/prompts/{prompt_name}/labels/{label}/test",
        operation: "end_prompt_test",
        what: "Has a label give the version alone that it stands on.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::prompts::end_prompt_test),
    },
];
