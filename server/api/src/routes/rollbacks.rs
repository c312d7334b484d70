use axum::routing::{get, post, put};

use super::{Access, Answer, Route};
use crate::v1;

/// Labels of prompts that go back. A / in the name of a prompt is written %2F.
pub(super) static ROLLBACKS: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/prompts/{prompt_name}/rollback-policy",
        operation: "show_rollback_policy",
        what: "What becomes of a label of the prompt when an incident is laid to the version that it stands on; \
               without `for_label` the policy that was set last.",
        access: Access::Project,
        query: &["for_label"],
        answer: Answer::Json("RollbackPolicy"),
        handler: || get(v1::rollbacks::show_rollback_policy),
    },
    Route {
        method: "PUT",
        path: "/api/v1/prompts/{prompt_name}/rollback-policy",
        operation: "set_rollback_policy",
        what: "Sets that of a label, `production` unless told otherwise. Of a protected label it takes a key with \
               the role admin.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("RollbackPolicy"),
        handler: || put(v1::rollbacks::set_rollback_policy),
    },
    Route {
        method: "POST",
        path: "/api/v1/prompts/{prompt_name}/rollback",
        operation: "roll_back_prompt",
        what: "Moves a label to a version if every check of the safety net holds, or if it is forced; `dry_run` \
               changes nothing. 409 where the label was moved meanwhile. The same again changes nothing.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("RollbackAnswer"),
        handler: || post(v1::rollbacks::roll_back_prompt),
    },
    Route {
        method: "POST",
        path: "/api/v1/prompts/{prompt_name}/rollback/undo",
        operation: "undo_rollback",
        what: "Puts a label where it stood before it went back; without `id` the last one that did. 409 where the \
               label was moved meanwhile.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Rollback"),
        handler: || post(v1::rollbacks::undo_rollback),
    },
    Route {
        method: "GET",
        path: "/api/v1/prompts/{prompt_name}/rollbacks",
        operation: "list_rollbacks",
        what: "Labels of the prompt that went back, or might, the newest first, with what the safety net said and \
               what was decided.",
        access: Access::Project,
        query: &["limit", "cursor"],
        answer: Answer::List("Rollback"),
        handler: || get(v1::rollbacks::list_rollbacks),
    },
];
