//! What programs send, and what is read of it.

use axum::routing::{get, post};

use super::Route;
use crate::langfuse::access::Access;
use crate::langfuse::error::Family;
use crate::langfuse::{media, metrics, observations, score_configs, scores, sessions, traces};

pub(super) const TABLE: &[Route] = &[
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
