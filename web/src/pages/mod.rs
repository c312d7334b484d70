//! One folder a noun, one file a verb: a handler (extract → one service call → respond), a view
//! with everything prepared for its template, and the template of the same path.

use askama::Template;
use axum::response::{Html, IntoResponse, Redirect, Response};
use domain::Fault;
use http::{HeaderMap, StatusCode};

use crate::error::Failure;

/// One's own account.
pub(crate) mod account;
/// Alert rules, channels, what is usual.
pub(crate) mod alerts;
/// The three axes on one clock.
pub(crate) mod correlation;
/// Costs, and what caches save.
pub(crate) mod costs;
/// Dashboards of one's own.
pub(crate) mod dashboards;
/// Datasets, and runs over them.
pub(crate) mod datasets;
/// What went wrong, as a page.
pub(crate) mod error;
/// What scores spans by itself.
pub(crate) mod evaluators;
/// Every part with made-up data, for development.
#[cfg(debug_assertions)]
pub(crate) mod gallery;
/// The way in: the first project.
pub(crate) mod home;
/// What goes wrong, and what that does to the business.
pub(crate) mod impact;
/// What came of alert rules.
pub(crate) mod incidents;
/// What is done to many traces at once.
pub(crate) mod jobs;
/// Attachments that contents name.
pub(crate) mod media;
/// Comments that name the reader.
pub(crate) mod mentions;
/// Four rows on one screen.
pub(crate) mod overview;
/// Messages against models, and recorded steps once more.
pub(crate) mod playground;
/// Language, theme and time zone.
pub(crate) mod preferences;
/// Prompts: their versions, what these differ in, what they come to.
pub(crate) mod prompts;
/// Queues of things to be judged by people.
pub(crate) mod queues;
/// Goodput, and what the project's own GPUs yield.
pub(crate) mod serving;
/// Sessions: list, replay.
pub(crate) mod sessions;
/// Settings: project, API keys, members.
pub(crate) mod settings;
/// Sign-in and sign-out.
pub(crate) mod sign_in;
/// How to send the first trace.
pub(crate) mod snippet;
/// Spans: the panel, content for download.
pub(crate) mod spans;
/// Traces: list, show, live, delete, search.
pub(crate) mod traces;
/// Users: list, show.
pub(crate) mod users;

/// What a handler answers.
pub(crate) type Answer = Result<Response, Failure>;

/// A rendered page.
pub(crate) fn render(page: &impl Template) -> Response {
    html(page.render())
}

/// A page or a block of one, as rendered.
pub(crate) fn html(rendered: Result<String, askama::Error>) -> Response {
    match rendered {
        Ok(text) => Html(text).into_response(),
        Err(error) => {
            tracing::error!(error = %error, "template failed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Goes to another page after a form.
pub(crate) fn see_other(url: &str) -> Response {
    Redirect::to(url).into_response()
}

/// Whether htmx asks for a part of a page (and not to restore a whole one).
pub(crate) fn is_fragment(headers: &HeaderMap) -> bool {
    headers.contains_key("hx-request") && !headers.contains_key("hx-history-restore-request")
}

/// The element that htmx will put the answer into.
pub(crate) fn fragment_target(headers: &HeaderMap) -> Option<&str> {
    if !is_fragment(headers) {
        return None;
    }
    headers.get("hx-target")?.to_str().ok()
}

/// A fault that an address makes when it cannot be.
pub(crate) fn no_such_page() -> Fault {
    Fault::not_found("there is no such page")
}
