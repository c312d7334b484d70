//! Every path below `/api/public`, in reading order.

use axum::Json;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get, post};
use serde_json::json;
use service::{App, auth};

use super::error::{Failure, Family};
use super::{
    annotation_queues, comments, cors, health, media, observations, projects, prompts,
    score_configs, scores, sessions, traces,
};
use crate::auth::authorization;
use crate::routes::Access;

/// Most bytes of a body, unless a route says otherwise.
const MAX_BODY: usize = 1024 * 1024;

/// One path with its methods.
struct Route {
    /// What follows `/api/public`.
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
    let mut router = Router::new().route("/api/public/{*rest}", any(unknown));
    for route in TABLE {
        let family = route.family;
        let mut methods = (route.methods)();
        if route.access == Access::Project {
            let keys_only = middleware::from_fn_with_state(app.clone(), require_key);
            methods = methods.route_layer(keys_only);
        }
        let methods = methods
            .fallback(async || Failure::Method)
            .layer(DefaultBodyLimit::max(MAX_BODY))
            .layer(middleware::map_response(move |response: Response| {
                std::future::ready(family.write(response))
            }));
        router = router.route(&format!("/api/public{}", route.path), methods);
    }
    router.layer(middleware::from_fn(cors::share))
}

/// Lets in whoever has a key, and leaves the scope as an extension for the handler.
async fn require_key(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let header = authorization(request.headers());
    match auth::authenticate_key(&app, header).await {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(fault) => Failure::Refused(fault).into_response(),
    }
}

/// Not named as a missing thing would be: clients wait for those to come.
async fn unknown() -> Response {
    let message = "There is no such route here; see docs/langfuse.md for what is supported";
    (StatusCode::NOT_FOUND, Json(json!({ "message": message }))).into_response()
}
