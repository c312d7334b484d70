//! Every URL, in reading order.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, any, delete, get, patch, post, put};
use service::App;
use tower_http::compression::CompressionLayer;

use crate::error::{ApiError, method_not_allowed};
use crate::extract::address;
use crate::{auth, health, langfuse, openapi, v1};

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody: it tells nothing of any project.
    Open,
    /// Whoever has a key; it reaches the key's project only.
    Project,
}

/// What a route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// JSON of that schema.
    Json(&'static str),
    /// 201 with JSON of that schema.
    Created(&'static str),
    /// 202 with JSON of that schema.
    Accepted(&'static str),
    /// A list of that schema with a cursor.
    List(&'static str),
    /// Another content type.
    Other(&'static str),
    /// 204 without content.
    Nothing,
}

/// One method of one URL.
pub struct Route {
    /// `GET`, `DELETE` …
    pub method: &'static str,
    /// Path with `{parameters}`.
    pub path: &'static str,
    /// Name of the operation: the handler's.
    pub operation: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Query parameters, by their name in [`crate::openapi`].
    pub query: &'static [&'static str],
    /// What it answers.
    pub answer: Answer,
    handler: fn() -> MethodRouter<App>,
}

/// Query parameters of every list of spans or traces.
const FILTERED_LIST: &[&str] = &[
    "from",
    "to",
    "environment",
    "model",
    "provider",
    "user_id",
    "session_id",
    "prompt",
    "prompt_version",
    "tenant",
    "route",
    "release",
    "tag",
    "name",
    "kind",
    "level",
    "service",
    "q",
    "min_latency_ms",
    "has_error",
    "filter",
    "limit",
    "cursor",
];
/// The same, and which fields.
const FILTERED_LIST_WITH_FIELDS: &[&str] = &[
    "from",
    "to",
    "environment",
    "model",
    "provider",
    "user_id",
    "session_id",
    "prompt",
    "prompt_version",
    "tenant",
    "route",
    "release",
    "tag",
    "name",
    "kind",
    "level",
    "service",
    "q",
    "min_latency_ms",
    "has_error",
    "filter",
    "limit",
    "cursor",
    "fields",
];
/// Filters of the live stream, which has no end.
const FILTERED_STREAM: &[&str] = &[
    "environment",
    "model",
    "provider",
    "user_id",
    "session_id",
    "prompt",
    "prompt_version",
    "tenant",
    "route",
    "release",
    "tag",
    "name",
    "kind",
    "level",
    "service",
    "q",
    "min_latency_ms",
    "has_error",
    "filter",
];

/// The range of a report.
const RANGE: &[&str] = &["from", "to"];

/// Every route.
pub static TABLE: &[Route] = &[
    // Telemetry.
    Route {
        method: "GET",
        path: "/api/v1/traces",
        operation: "list_traces",
        what: "Traces that match, newest first.",
        access: Access::Project,
        query: FILTERED_LIST,
        answer: Answer::List("TraceSummary"),
        handler: || get(v1::traces::list_traces),
    },
    Route {
        method: "GET",
        path: "/api/v1/traces/{trace_id}",
        operation: "show_trace",
        what: "One trace with all its spans, nested. Large ones are read in turns: 503 with \
               `Retry-After` when it takes more than 10 s to have one. A client that takes nothing \
               of the answer for 30 s loses it.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Trace"),
        handler: || get(v1::traces::show_trace),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/traces/{trace_id}",
        operation: "delete_trace",
        what: "Deletes a trace: it is invisible from the answer on. A trace that the project does \
               not have (any more) is 404.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::traces::delete_trace),
    },
    Route {
        method: "GET",
        path: "/api/v1/spans",
        operation: "list_spans",
        what: "Spans that match, newest first.",
        access: Access::Project,
        query: FILTERED_LIST_WITH_FIELDS,
        answer: Answer::List("Span"),
        handler: || get(v1::spans::list_spans),
    },
    Route {
        method: "GET",
        path: "/api/v1/spans/{span_id}/mapping",
        operation: "show_mapping",
        what: "How a span was read: which key gave which field, which keys were looked for, what \
               was not used.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Mapping"),
        handler: || get(v1::spans::show_mapping),
    },
    Route {
        method: "GET",
        path: "/api/v1/live",
        operation: "stream_live",
        what: "Server-sent events: a `trace` event (data: TraceSummary) for each new trace that \
               matches, once its root span has landed, however late that is. A project has 50 \
               streams at most, with 10 different filters; beyond that: 429.",
        access: Access::Project,
        query: FILTERED_STREAM,
        answer: Answer::Other("text/event-stream"),
        handler: || get(v1::live::stream_live),
    },
    // Prices.
    Route {
        method: "GET",
        path: "/api/v1/prices",
        operation: "list_prices",
        what: "Prices that the project has set itself, by model; they go before the table that comes \
               with the product.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("Price"),
        handler: || get(v1::prices::list_prices),
    },
    Route {
        method: "GET",
        path: "/api/v1/unpriced-models",
        operation: "list_unpriced_models",
        what: "Models that were called within the last week and have no price, the most called first.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("UnpricedModel"),
        handler: || get(v1::prices::list_unpriced_models),
    },
    Route {
        method: "POST",
        path: "/api/v1/prices",
        operation: "create_price",
        what: "Sets a price. It holds for calls that arrive from now on.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("Price"),
        handler: || post(v1::prices::create_price),
    },
    Route {
        method: "PATCH",
        path: "/api/v1/prices/{price_id}",
        operation: "update_price",
        what: "Changes those fields of a price that are given; null takes a date away.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Price"),
        handler: || patch(v1::prices::update_price),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/prices/{price_id}",
        operation: "delete_price",
        what: "Deletes a price. Costs that were computed with it stay.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::prices::delete_price),
    },
    Route {
        method: "POST",
        path: "/api/v1/reprice",
        operation: "create_reprice",
        what: "Computes costs anew for calls that began from ≤ t < to, by the prices of today. Costs \
               that the client gave stay. One at a time; it goes on in the background.",
        access: Access::Project,
        query: &[],
        answer: Answer::Accepted("Reprice"),
        handler: || post(v1::reprice::create_reprice),
    },
    Route {
        method: "GET",
        path: "/api/v1/reprice/{reprice_id}",
        operation: "show_reprice",
        what: "How far it is.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Reprice"),
        handler: || get(v1::reprice::show_reprice),
    },
    // GPUs of one's own.
    Route {
        method: "GET",
        path: "/api/v1/gpu-prices",
        operation: "list_gpu_prices",
        what: "What GPUs of the project's own cost, by the model that they serve.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("GpuPrice"),
        handler: || get(v1::gpu_prices::list_gpu_prices),
    },
    Route {
        method: "POST",
        path: "/api/v1/gpu-prices",
        operation: "create_gpu_price",
        what: "Sets what a set of GPUs costs.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("GpuPrice"),
        handler: || post(v1::gpu_prices::create_gpu_price),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/gpu-prices/{gpu_price_id}",
        operation: "delete_gpu_price",
        what: "Deletes a price of GPUs.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::gpu_prices::delete_gpu_price),
    },
    Route {
        method: "GET",
        path: "/api/v1/gpu-costs",
        operation: "show_gpu_costs",
        what: "What each set of GPUs yielded for its money, and what its idle time cost; the last day unless \
               told otherwise.",
        access: Access::Project,
        query: RANGE,
        answer: Answer::Json("GpuCosts"),
        handler: || get(v1::gpu_prices::show_gpu_costs),
    },
    // Objectives.
    Route {
        method: "GET",
        path: "/api/v1/objectives",
        operation: "list_objectives",
        what: "How soon answers should come, by model.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("Objective"),
        handler: || get(v1::objectives::list_objectives),
    },
    Route {
        method: "POST",
        path: "/api/v1/objectives",
        operation: "create_objective",
        what: "Sets how soon answers should come.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("Objective"),
        handler: || post(v1::objectives::create_objective),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/objectives/{objective_id}",
        operation: "delete_objective",
        what: "Deletes an objective.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::objectives::delete_objective),
    },
    Route {
        method: "GET",
        path: "/api/v1/goodput",
        operation: "show_goodput",
        what: "The share of calls that met the objective of their model; the last day unless told otherwise.",
        access: Access::Project,
        query: RANGE,
        answer: Answer::Json("Goodput"),
        handler: || get(v1::objectives::show_goodput),
    },
    // Quality rules.
    Route {
        method: "GET",
        path: "/api/v1/quality-rules",
        operation: "list_quality_rules",
        what: "What is expected of answers, in the order in which it is asked.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("QualityRule"),
        handler: || get(v1::quality_rules::list_quality_rules),
    },
    Route {
        method: "POST",
        path: "/api/v1/quality-rules",
        operation: "create_quality_rule",
        what: "Sets what is expected of some answers. It holds for answers that arrive from now on, before \
               what their requests say.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("QualityRule"),
        handler: || post(v1::quality_rules::create_quality_rule),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/quality-rules/{quality_rule_id}",
        operation: "delete_quality_rule",
        what: "Deletes a rule. What was judged by it stays.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::quality_rules::delete_quality_rule),
    },
    // Prompts; the rest of them is served as Langfuse's clients ask for it.
    Route {
        method: "DELETE",
        path: "/api/v1/prompts/{prompt_name}/labels/{label}",
        operation: "remove_prompt_label",
        what: "Takes a label away from the version of the prompt that it stands on. A / in the name is \
               written %2F.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::prompts::remove_prompt_label),
    },
    Route {
        method: "GET",
        path: "/api/v1/protected-labels",
        operation: "show_protected_labels",
        what: "Labels of prompts that only an owner or admin gives, moves or deletes, in the pages and \
               with a key.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("ProtectedLabels"),
        handler: || get(v1::protected_labels::show_protected_labels),
    },
    Route {
        method: "PUT",
        path: "/api/v1/protected-labels",
        operation: "set_protected_labels",
        what: "Protects these labels and no others. It takes a key with the role admin.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("ProtectedLabels"),
        handler: || put(v1::protected_labels::set_protected_labels),
    },
    // The server itself.
    Route {
        method: "GET",
        path: "/healthz",
        operation: "show_health",
        what: "Whether the process is up.",
        access: Access::Open,
        query: &[],
        answer: Answer::Json("Health"),
        handler: || get(health::show_health),
    },
    Route {
        method: "GET",
        path: "/readyz",
        operation: "show_readiness",
        what: "Whether every part is ready, each by name; 503 when one is not.",
        access: Access::Open,
        query: &[],
        answer: Answer::Json("Readiness"),
        handler: || get(health::show_readiness),
    },
    Route {
        method: "GET",
        path: "/metrics",
        operation: "show_metrics",
        what: "Counters and gauges in the text format of Prometheus.",
        access: Access::Open,
        query: &[],
        answer: Answer::Other("text/plain"),
        handler: || get(health::show_metrics),
    },
    // The document.
    Route {
        method: "GET",
        path: "/api/openapi.json",
        operation: "show_openapi",
        what: "This API as an OpenAPI 3.1 document.",
        access: Access::Open,
        query: &[],
        answer: Answer::Json("OpenApi"),
        handler: || get(openapi::show_openapi),
    },
    Route {
        method: "GET",
        path: "/docs/api",
        operation: "show_api_page",
        what: "This API as a page.",
        access: Access::Open,
        query: &[],
        answer: Answer::Other("text/html"),
        handler: || get(openapi::show_api_page),
    },
];

/// Serves [`TABLE`].
pub fn router(app: &App) -> Router<App> {
    let mut router = Router::new();
    for route in TABLE {
        let mut handler = (route.handler)();
        if route.access == Access::Project {
            let known = route.query;
            handler = handler.route_layer(middleware::from_fn(
                move |request: Request, next: Next| async move {
                    match address::check(request.uri(), known) {
                        Ok(()) => next.run(request).await,
                        Err(fault) => ApiError(fault).into_response(),
                    }
                },
            ));
            let keys_only = middleware::from_fn_with_state(app.clone(), auth::require_key);
            handler = handler.route_layer(keys_only);
        }
        router = router.route(route.path, handler);
    }
    router
        .route("/docs/api.css", get(openapi::show_style))
        .route("/api/v1/{*rest}", any(unknown))
        .method_not_allowed_fallback(method_not_allowed)
        .merge(langfuse::router(app))
        .layer(CompressionLayer::new())
}

async fn unknown() -> ApiError {
    ApiError(domain::Fault::not_found(
        "there is no such route; see /docs/api",
    ))
}
