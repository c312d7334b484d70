use axum::routing::{delete, get, patch, post, put};

use super::queries::{AXES_JOINT, AXES_SERIES, FILTERED_LIST};
use super::{Access, Answer, Route};
use crate::v1;

/// Requests with the state of their GPUs, series, and where they come from.
pub(super) static AXES: &[Route] = &[
    // Requests.
    Route {
        method: "GET",
        path: "/api/v1/requests",
        operation: "list_requests",
        what: "Generations that match, each once, newest first, with the state of their GPUs and engine during the \
               request; of the last hour unless told otherwise.",
        access: Access::Project,
        query: FILTERED_LIST,
        answer: Answer::List("Request"),
        handler: || get(v1::requests::list_requests),
    },
    Route {
        method: "GET",
        path: "/api/v1/axes/series",
        operation: "show_axes_series",
        what: "Values of the axes over time; the last hour unless told otherwise. At most 20 series, 100 groups, and \
               4,000 series × steps. Of more than 50,000 traces those with the smallest hash are read.",
        access: Access::Project,
        query: AXES_SERIES,
        answer: Answer::Json("AxesSeries"),
        handler: || get(v1::axes::show_axes_series),
    },
    Route {
        method: "GET",
        path: "/api/v1/axes/joint",
        operation: "show_axes_joint",
        what: "How one value of requests goes with another: bins of the one, and in each the mean or share of the \
               other with its 95 % interval.",
        access: Access::Project,
        query: AXES_JOINT,
        answer: Answer::Json("AxesJoint"),
        handler: || get(v1::axes::show_axes_joint),
    },
    Route {
        method: "GET",
        path: "/api/v1/topology",
        operation: "show_topology",
        what: "How requests find the instance that served them, and instances their GPUs.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Topology"),
        handler: || get(v1::topology::show_topology),
    },
    Route {
        method: "PUT",
        path: "/api/v1/topology",
        operation: "set_topology",
        what: "Sets these rules and no others, for the past as well; an empty object brings back those that come \
               with the product.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Topology"),
        handler: || put(v1::topology::set_topology),
    },
    // Series of metrics.
    Route {
        method: "GET",
        path: "/api/v1/metrics/series",
        operation: "list_metric_series",
        what: "Series of metrics that match and had samples since `from` (a day ago by default), by name.",
        access: Access::Project,
        query: &["metric", "match", "from", "limit", "cursor"],
        answer: Answer::List("MetricSeries"),
        handler: || get(v1::metrics::list_metric_series),
    },
    Route {
        method: "GET",
        path: "/api/v1/metrics/range",
        operation: "show_metric_range",
        what: "Values of a metric over time, a value a step; the last hour by default. At most 2,000 series, 11,000 \
               steps, and 500,000 of both multiplied. Of an axis value that several series tell of, the \
               best of each GPU or instance counts.",
        access: Access::Project,
        query: &[
            "metric",
            "match",
            "from",
            "to",
            "step",
            "aggregation",
            "quantile",
            "group_by",
        ],
        answer: Answer::Json("MetricRange"),
        handler: || get(v1::metrics::show_metric_range),
    },
    // Scrape targets.
    Route {
        method: "GET",
        path: "/api/v1/scrape-targets",
        operation: "list_scrape_targets",
        what: "Targets that metrics are fetched from, by name, each with what became of its last scrape.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("ScrapeTarget"),
        handler: || get(v1::scrape_targets::list_scrape_targets),
    },
    Route {
        method: "POST",
        path: "/api/v1/scrape-targets",
        operation: "create_scrape_target",
        what: "Sets a target. It is scraped within some seconds, and from then on once an interval.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("ScrapeTarget"),
        handler: || post(v1::scrape_targets::create_scrape_target),
    },
    Route {
        method: "GET",
        path: "/api/v1/scrape-targets/{scrape_target_id}",
        operation: "show_scrape_target",
        what: "One target with what became of its last scrape.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("ScrapeTarget"),
        handler: || get(v1::scrape_targets::show_scrape_target),
    },
    Route {
        method: "PATCH",
        path: "/api/v1/scrape-targets/{scrape_target_id}",
        operation: "update_scrape_target",
        what: "Changes the fields given. A credential must be given again when the host changes.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("ScrapeTarget"),
        handler: || patch(v1::scrape_targets::update_scrape_target),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/scrape-targets/{scrape_target_id}",
        operation: "delete_scrape_target",
        what: "Deletes a target. Its series end; what they were stays.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::scrape_targets::delete_scrape_target),
    },
    Route {
        method: "POST",
        path: "/api/v1/scrape-targets/{scrape_target_id}/test",
        operation: "test_scrape_target",
        what: "Asks the target now and tells what was found, without keeping any of it.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("ScrapeOutcome"),
        handler: || post(v1::scrape_targets::test_scrape_target),
    },
];
