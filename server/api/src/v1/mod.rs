//! Version 1 of the API: one folder a noun, one file an operation.

/// Rules of alerts.
pub(crate) mod alert_rules;
/// What holds for all of them.
pub(crate) mod alert_settings;
/// What a window's symptom comes from.
pub(crate) mod attributions;
/// Who did what and who saw what.
pub(crate) mod audit_log;
/// Values of the axes.
pub(crate) mod axes;
/// What is usual.
pub(crate) mod baselines;
/// What happened in the business.
pub(crate) mod business_events;
/// Where projects are told.
pub(crate) mod channels;
/// Which traces keep their contents.
pub(crate) mod content_sampling;
/// Charts that members put together.
pub(crate) mod dashboards;
/// Datasets with their kinds.
pub(crate) mod datasets;
/// How a project forgets users.
pub(crate) mod deletion_settings;
/// Users who are forgotten.
pub(crate) mod deletions;
/// What scores spans by itself.
pub(crate) mod evaluators;
/// GPUs of one's own.
pub(crate) mod gpu_prices;
/// What semantic events and incidents do to the business.
pub(crate) mod impact;
/// What came of alert rules.
pub(crate) mod incidents;
/// Users who must not be forgotten.
pub(crate) mod legal_holds;
/// What lands right now.
pub(crate) mod live;
/// What is not stored.
pub(crate) mod masking;
/// Series of metrics, and their values.
pub(crate) mod metrics;
/// How soon answers should come.
pub(crate) mod objectives;
/// Prices of models.
pub(crate) mod prices;
/// Prompts, beyond what Langfuse's clients ask for.
pub(crate) mod prompts;
/// Labels of prompts that not everybody moves.
pub(crate) mod protected_labels;
/// What is expected of answers.
pub(crate) mod quality_rules;
/// History priced anew.
pub(crate) mod reprice;
/// Requests with the state of their GPUs and engines.
pub(crate) mod requests;
/// How long what is kept.
pub(crate) mod retention;
/// Labels of prompts that go back to an earlier version.
pub(crate) mod rollbacks;
/// What lists of sessions and users have in common.
mod rollups;
/// What clients should record.
pub(crate) mod sampling;
/// Targets that metrics are fetched from.
pub(crate) mod scrape_targets;
/// What went wrong in the meaning of answers.
pub(crate) mod semantic_events;
/// Sessions.
pub(crate) mod sessions;
/// Spans.
pub(crate) mod spans;
/// How requests find their instances, and these their GPUs.
pub(crate) mod topology;
/// Traces.
pub(crate) mod traces;
/// Users of the application.
pub(crate) mod users;

use axum::response::{IntoResponse, Response};
use domain::page::Page;
use serde::Serialize;

use crate::error::Result;

/// A page of the list of that name: `{"data": […], "next_cursor": null | "…"}`.
fn page<'a, T, S: Serialize>(
    (list, page): (&str, &'a Page<T>),
    shape: impl Fn(&'a T) -> S,
) -> Result<Response> {
    #[derive(Serialize)]
    struct Body<S> {
        data: Vec<S>,
        next_cursor: Option<String>,
    }
    let body = Body {
        data: page.data.iter().map(shape).collect(),
        next_cursor: page.next_cursor.as_ref().map(|cursor| cursor.written(list)),
    };
    Ok(axum::Json(body).into_response())
}
