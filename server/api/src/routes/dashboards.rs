use axum::routing::{delete, get, post, put};

use super::{Access, Answer, Route};
use crate::v1;

/// Charts that members put together.
pub(super) static DASHBOARDS: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/dashboards",
        operation: "list_dashboards",
        what: "Dashboards of the project, by name.",
        access: Access::Project,
        query: &[],
        answer: Answer::List("DashboardSummary"),
        handler: || get(v1::dashboards::list_dashboards),
    },
    Route {
        method: "POST",
        path: "/api/v1/dashboards",
        operation: "create_dashboard",
        what: "Makes a dashboard: of the JSON that the page exports. 409 beyond 200 of them.",
        access: Access::Project,
        query: &[],
        answer: Answer::Created("Dashboard"),
        handler: || post(v1::dashboards::create_dashboard),
    },
    Route {
        method: "GET",
        path: "/api/v1/dashboards/{dashboard_id}",
        operation: "show_dashboard",
        what: "One dashboard with its widgets.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Dashboard"),
        handler: || get(v1::dashboards::show_dashboard),
    },
    Route {
        method: "PUT",
        path: "/api/v1/dashboards/{dashboard_id}",
        operation: "replace_dashboard",
        what: "Replaces name, description and widgets of a dashboard. Widgets that lie on one another move down.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Dashboard"),
        handler: || put(v1::dashboards::replace_dashboard),
    },
    Route {
        method: "DELETE",
        path: "/api/v1/dashboards/{dashboard_id}",
        operation: "delete_dashboard",
        what: "Deletes a dashboard.",
        access: Access::Project,
        query: &[],
        answer: Answer::Nothing,
        handler: || delete(v1::dashboards::delete_dashboard),
    },
];
