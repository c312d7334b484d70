//! Rules: switch, delete, take away for Prometheus.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::{AlertRuleId, Fault};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::App;
use service::alerts::rules::{self, Given};

use crate::extract::{InProject, Posted};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// Switches one on or off.
pub(crate) async fn switch_rule(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let given = Given {
        enabled: Some(pairs.get("on") == Some("1")),
        ..Given::default()
    };
    rules::update(&app, &entered.scope, named(&params)?, given).await?;
    Ok(see_other(&urls::alerts(entered.id())))
}

/// Deletes one.
pub(crate) async fn delete_rule(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    rules::delete(&app, &entered.scope, named(&params)?).await?;
    Ok(see_other(&urls::alerts(entered.id())))
}

/// What Prometheus understands of them, as a file.
pub(crate) async fn export_rules(State(app): State<App>, entered: InProject) -> Answer {
    let file = rules::export(&app, &entered.scope).await?;
    let headers = [
        (CONTENT_TYPE, "application/yaml"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"triaxis-alerts.yaml\"",
        ),
    ];
    Ok((headers, file).into_response())
}

/// The rule that the path names.
pub(super) fn named(params: &RawPathParams) -> Result<AlertRuleId, Fault> {
    let id = segment(params, "rule").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}
