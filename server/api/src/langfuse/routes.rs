//! Every path below `/api/public` and `/api/admin`, in reading order.

use axum::Json;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, delete, get, post, put};
use serde_json::json;
use service::App;

use super::access::{Access, guarded};
use super::error::{Failure, Family};
use super::{
    admin, annotation_queues, blob_storage, comments, cors, dataset_items, dataset_runs, datasets,
    experiments, health, llm_connections, media, metrics, models, observations, organisations,
    projects, prompts, scim, score_configs, scores, sessions, traces,
};

/// Most bytes of a body, unless a route says otherwise.
const MAX_BODY: usize = 1024 * 1024;
/// Most bytes of an item of a dataset.
const MAX_ITEM: usize = 4_500_000;

/// One path with its methods. A path whose methods take different keys has several, one after the
/// other.
struct Route {
    /// What follows `/api/public`; all of it for those of the operator.
    path: &'static str,
    /// How its failures look.
    family: Family,
    /// Who may call it.
    access: Access,
    methods: fn() -> MethodRouter<App>,
}

const TABLE: &[Route] = &[
    // The server itself.
    Route {
        path: "/health",
        family: Family::Standard,
        access: Access::Open,
        methods: || get(health::show_health),
    },
    Route {
        path: "/ready",
        family: Family::Standard,
        access: Access::Open,
        methods: || get(health::show_readiness),
    },
    // Projects.
    Route {
        path: "/projects",
        family: Family::Plain,
        access: Access::Project,
        methods: || get(projects::list_projects),
    },
    Route {
        path: "/projects",
        family: Family::Plain,
        access: Access::Organisation,
        methods: || post(projects::create_project),
    },
    Route {
        path: "/projects/{project_id}",
        family: Family::Plain,
        access: Access::Organisation,
        methods: || put(projects::update_project).delete(projects::delete_project),
    },
    Route {
        path: "/projects/{project_id}/apiKeys",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_project_keys).post(organisations::create_project_key),
    },
    Route {
        path: "/projects/{project_id}/apiKeys/{key_id}",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || delete(organisations::delete_project_key),
    },
    Route {
        path: "/projects/{project_id}/memberships",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || {
            get(organisations::list_project_memberships)
                .put(organisations::set_project_membership)
                .delete(organisations::delete_project_membership)
        },
    },
    // Organisations.
    Route {
        path: "/organizations/projects",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_projects),
    },
    Route {
        path: "/organizations/apiKeys",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_keys),
    },
    Route {
        path: "/organizations/memberships",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || {
            get(organisations::list_memberships)
                .put(organisations::set_membership)
                .delete(organisations::delete_membership)
        },
    },
    Route {
        path: "/scim/ServiceProviderConfig",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::show_config),
    },
    Route {
        path: "/scim/ResourceTypes",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_resource_types),
    },
    Route {
        path: "/scim/Schemas",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_schemas),
    },
    Route {
        path: "/scim/Users",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_users).post(scim::create_user),
    },
    Route {
        path: "/scim/Users/{user_id}",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || {
            get(scim::show_user)
                .put(scim::replace_user)
                .patch(scim::patch_user)
                .delete(scim::delete_user)
        },
    },
    Route {
        path: "/api/admin/organizations",
        family: Family::Bare,
        access: Access::Operator,
        methods: || get(admin::list_organisations).post(admin::create_organisation),
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}",
        family: Family::Bare,
        access: Access::Operator,
        methods: || {
            get(admin::show_organisation)
                .put(admin::update_organisation)
                .delete(admin::delete_organisation)
        },
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}/apiKeys",
        family: Family::Bare,
        access: Access::Operator,
        methods: || get(admin::list_keys).post(admin::create_key),
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}/apiKeys/{key_id}",
        family: Family::Bare,
        access: Access::Operator,
        methods: || delete(admin::delete_key),
    },
    // Exports to object stores.
    Route {
        path: "/integrations/blob-storage",
        family: Family::Standard,
        access: Access::Organisation,
        methods: || get(blob_storage::list_blob_storages).put(blob_storage::set_blob_storage),
    },
    Route {
        path: "/integrations/blob-storage/{id}",
        family: Family::Standard,
        access: Access::Organisation,
        methods: || get(blob_storage::show_blob_storage).delete(blob_storage::delete_blob_storage),
    },
    // Providers of models.
    Route {
        path: "/llm-connections",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || {
            get(llm_connections::list_llm_connections).put(llm_connections::set_llm_connection)
        },
    },
    Route {
        path: "/llm-connections/{id}",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || delete(llm_connections::delete_llm_connection),
    },
    // Traces.
    Route {
        path: "/traces",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(traces::list_traces).delete(traces::delete_traces),
    },
    Route {
        path: "/traces/{id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(traces::show_trace).delete(traces::delete_trace),
    },
    // Observations.
    Route {
        path: "/observations",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(observations::list_observations),
    },
    Route {
        path: "/observations/{id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(observations::show_observation),
    },
    Route {
        path: "/v2/observations",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(observations::v2::list_observations),
    },
    // Sessions.
    Route {
        path: "/sessions",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(sessions::list_sessions),
    },
    Route {
        path: "/sessions/{id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(sessions::show_session),
    },
    // Prompts. A name may hold slashes as they are, so that its path has no end.
    Route {
        path: "/v2/prompts",
        family: Family::Named,
        access: Access::Project,
        methods: || get(prompts::list_prompts).post(prompts::create_prompt),
    },
    Route {
        path: "/v2/prompts/{*rest}",
        family: Family::Named,
        access: Access::Project,
        methods: || {
            get(prompts::show_prompt)
                .patch(prompts::label_prompt)
                .delete(prompts::delete_prompt)
        },
    },
    Route {
        path: "/prompts",
        family: Family::Named,
        access: Access::Project,
        methods: || get(prompts::v1::show_prompt).post(prompts::v1::create_prompt),
    },
    // Datasets. Those of the second version may hold slashes as they are; below those of the first come
    // runs, so that theirs are written as `%2F`.
    Route {
        path: "/v2/datasets",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::list_datasets).post(datasets::create_dataset),
    },
    Route {
        path: "/v2/datasets/{*dataset_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::show_dataset),
    },
    Route {
        path: "/datasets",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::v1::list_datasets).post(datasets::v1::create_dataset),
    },
    Route {
        path: "/datasets/{dataset_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::v1::show_dataset),
    },
    Route {
        path: "/datasets/{dataset_name}/runs",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::list_runs),
    },
    Route {
        path: "/datasets/{dataset_name}/runs/{run_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::show_run).delete(dataset_runs::delete_run),
    },
    Route {
        path: "/dataset-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            let write = post(dataset_items::write_dataset_item);
            write
                .layer(DefaultBodyLimit::max(MAX_ITEM))
                .get(dataset_items::list_dataset_items)
        },
    },
    Route {
        path: "/dataset-items/{item_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(dataset_items::show_dataset_item).delete(dataset_items::delete_dataset_item)
        },
    },
    Route {
        path: "/dataset-run-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::list_run_items).post(dataset_runs::link_item),
    },
    // Experiments; they come as spans, or as links of runs.
    Route {
        path: "/experiments",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(experiments::list_experiments),
    },
    Route {
        path: "/experiment-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(experiments::list_experiment_items),
    },
    // Scores; they are sent the way of all telemetry.
    Route {
        path: "/score-configs",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(score_configs::list_score_configs).post(score_configs::create_score_config),
    },
    Route {
        path: "/score-configs/{config_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(score_configs::show_score_config).patch(score_configs::update_score_config),
    },
    Route {
        path: "/scores",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(scores::v1::list_scores),
    },
    Route {
        path: "/scores/{score_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(scores::v1::show_score).delete(scores::delete_score),
    },
    Route {
        path: "/v2/scores",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(scores::v2::list_scores),
    },
    Route {
        path: "/v2/scores/{score_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(scores::v2::show_score),
    },
    Route {
        path: "/v3/scores",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(scores::v3::list_scores),
    },
    // Numbers over many of them.
    Route {
        path: "/metrics",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(metrics::v1::show_metrics),
    },
    Route {
        path: "/v2/metrics",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(metrics::v2::show_metrics),
    },
    Route {
        path: "/metrics/daily",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(metrics::list_days),
    },
    // What models cost.
    Route {
        path: "/models",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(models::list_models).post(models::create_model),
    },
    Route {
        path: "/models/{id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(models::show_model).delete(models::delete_model),
    },
    // Queues for people who judge.
    Route {
        path: "/annotation-queues",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::list_annotation_queues)
                .post(annotation_queues::create_annotation_queue)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(annotation_queues::show_annotation_queue),
    },
    Route {
        path: "/annotation-queues/{queue_id}/items",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::items::list_items).post(annotation_queues::items::create_item)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}/items/{item_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::items::show_item)
                .patch(annotation_queues::items::update_item)
                .delete(annotation_queues::items::delete_item)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}/assignments",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            post(annotation_queues::assignments::create_assignment)
                .delete(annotation_queues::assignments::delete_assignment)
        },
    },
    // Remarks on things.
    Route {
        path: "/comments",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(comments::list_comments).post(comments::create_comment),
    },
    Route {
        path: "/comments/{comment_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(comments::show_comment),
    },
    // Attachments.
    Route {
        path: "/media",
        family: Family::Standard,
        access: Access::Project,
        methods: || post(media::create_media),
    },
    Route {
        path: "/media/{media_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(media::show_media).patch(media::update_media),
    },
];

/// Serves [`TABLE`].
pub(crate) fn router(app: &App) -> Router<App> {
    let mut router = Router::new()
        .route("/api/public/{*rest}", any(unknown))
        .route("/api/admin/{*rest}", any(unknown));
    for routes in TABLE.chunk_by(|one, next| one.path == next.path) {
        let (path, family) = (routes[0].path, routes[0].family);
        let methods = routes.iter().fold(MethodRouter::new(), |all, route| {
            all.merge(guarded((route.methods)(), route.access, app))
        });
        let methods = methods
            .fallback(async || Failure::Method)
            .layer(DefaultBodyLimit::max(MAX_BODY))
            .layer(middleware::map_response(move |response: Response| {
                std::future::ready(family.write(response))
            }));
        let path = match routes[0].access {
            Access::Operator => path.to_owned(),
            _ => format!("/api/public{path}"),
        };
        router = router.route(&path, methods);
    }
    router.layer(middleware::from_fn(cors::share))
}

/// Not named as a missing thing would be: clients wait for those to come.
async fn unknown() -> Response {
    let message = "There is no such route here; see docs/langfuse.md for what is supported";
    (StatusCode::NOT_FOUND, Json(json!({ "message": message }))).into_response()
}
