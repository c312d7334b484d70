//! What handlers take from requests; whatever is wrong with it is a fault that names it.

/// What an address may hold.
pub(crate) mod address;
/// Bodies.
mod body;
/// The `filter=` parameter.
mod conditions;
/// Filters of spans and traces.
mod filter;
/// Query parameters.
mod params;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::prompt::{Label, PromptName};
use domain::{
    AlertChannelId, AlertRuleId, DashboardId, DeletionId, EvaluatorId, Fault, GpuPriceId,
    IncidentId, LegalHoldId, ObjectiveId, PriceId, QualityRuleId, RepriceId, ScrapeTargetId,
    SpanId, TraceId,
};
use service::{App, ProjectScope};

use crate::error::ApiError;

pub(crate) use body::{Body, List, bytes as whole_body};
pub(crate) use conditions::parse as parse_conditions;
pub(crate) use filter::{Fields, Listing, StreamFilter};
pub(crate) use params::{Params, parse_time, wrong};

/// The project of the key that [`crate::auth::require_key`] let in.
pub(crate) struct Caller(pub(crate) ProjectScope);

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let scope = parts.extensions.get::<ProjectScope>().copied();
        let scope = scope.ok_or_else(|| Fault::internal("route of a project without a key check"));
        Ok(Caller(scope?))
    }
}

/// The span in the path.
pub(crate) struct PathSpan(pub(crate) SpanId);

impl FromRequestParts<App> for PathSpan {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let text = segment(parts, app, "span_id").await?;
        let wrong = |why: String| ApiError(Fault::invalid(why).on_field("span_id"));
        SpanId::from_text(&text)
            .map(PathSpan)
            .map_err(|error| wrong(error.to_string()))
    }
}

/// The trace in the path.
pub(crate) struct PathTrace(pub(crate) TraceId);

impl FromRequestParts<App> for PathTrace {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let text = segment(parts, app, "trace_id").await?;
        TraceId::from_text(&text)
            .map(PathTrace)
            .map_err(|error| ApiError(Fault::invalid(error.to_string()).on_field("trace_id")))
    }
}

/// The session in the path.
pub(crate) struct PathSession(pub(crate) String);

impl FromRequestParts<App> for PathSession {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(PathSession(segment(parts, app, "session").await?))
    }
}

/// The user of the application in the path.
pub(crate) struct PathUser(pub(crate) String);

impl FromRequestParts<App> for PathUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(PathUser(segment(parts, app, "user").await?))
    }
}

/// Declares what takes the id of a thing from the path; what is no id is the id of no such thing.
macro_rules! path_id {
    ($(#[$doc:meta])* $name:ident($id:ty), $parameter:literal, $what:literal) => {
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) $id);

        impl FromRequestParts<App> for $name {
            type Rejection = ApiError;

            async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
                let text = segment(parts, app, $parameter).await?;
                let id = text.parse().map($name);
                id.map_err(|_| ApiError(Fault::not_found(format!(concat!("no ", $what, " {}"), text))))
            }
        }
    };
}

path_id!(
    /// The price in the path.
    PathPrice(PriceId),
    "price_id",
    "price"
);
path_id!(
    /// The repricing in the path.
    PathReprice(RepriceId),
    "reprice_id",
    "repricing"
);
path_id!(
    /// The price of GPUs in the path.
    PathGpuPrice(GpuPriceId),
    "gpu_price_id",
    "price of GPUs"
);
path_id!(
    /// The objective in the path.
    PathObjective(ObjectiveId),
    "objective_id",
    "objective"
);
path_id!(
    /// The quality rule in the path.
    PathQualityRule(QualityRuleId),
    "quality_rule_id",
    "rule"
);
path_id!(
    /// The alert rule in the path.
    PathAlertRule(AlertRuleId),
    "alert_rule_id",
    "rule"
);
path_id!(
    /// The channel in the path.
    PathChannel(AlertChannelId),
    "channel_id",
    "channel"
);
path_id!(
    /// The dashboard in the path.
    PathDashboard(DashboardId),
    "dashboard_id",
    "dashboard"
);
path_id!(
    /// The deletion in the path.
    PathDeletion(DeletionId),
    "deletion_id",
    "deletion"
);
path_id!(
    /// The legal hold in the path.
    PathLegalHold(LegalHoldId),
    "legal_hold_id",
    "legal hold"
);
path_id!(
    /// The evaluator in the path.
    PathEvaluator(EvaluatorId),
    "evaluator_id",
    "evaluator"
);
path_id!(
    /// The incident in the path.
    PathIncident(IncidentId),
    "incident_id",
    "incident"
);
path_id!(
    /// The scrape target in the path.
    PathScrapeTarget(ScrapeTargetId),
    "scrape_target_id",
    "scrape target"
);

/// The prompt in the path; what can be no name is that of no prompt.
pub(crate) struct PathPrompt(pub(crate) PromptName);

impl FromRequestParts<App> for PathPrompt {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let name = segment(parts, app, "prompt_name").await?;
        let parsed = PromptName::parse(&name);
        let missing = |_| Fault::not_found(format!("no prompt {name}"));
        Ok(PathPrompt(parsed.map_err(missing)?))
    }
}

/// The label of a prompt in the path; what can be no name or label is that of no prompt.
pub(crate) struct PathLabel {
    pub(crate) name: PromptName,
    pub(crate) label: Label,
}

impl FromRequestParts<App> for PathLabel {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let name = segment(parts, app, "prompt_name").await?;
        let label = segment(parts, app, "label").await?;
        let missing = |_| Fault::not_found(format!("no label {label} on a prompt {name}"));
        let (name, label) = (PromptName::parse(&name), Label::parse(&label));
        Ok(PathLabel {
            name: name.map_err(missing)?,
            label: label.map_err(missing)?,
        })
    }
}

/// A parameter of the path.
async fn segment(parts: &mut Parts, app: &App, name: &str) -> Result<String, ApiError> {
    let wrong = |why: String| ApiError(Fault::invalid(why).on_field(name));
    let params = RawPathParams::from_request_parts(parts, app)
        .await
        .map_err(|error| wrong(error.body_text()))?;
    let found = params.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or_else(|| wrong(format!("the path has no {name}")))?;
    Ok(text.to_owned())
}
