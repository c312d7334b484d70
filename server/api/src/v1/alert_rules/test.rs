//! `POST /api/v1/alert-rules/{alert_rule_id}/test`

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::alert::Verdict;
use serde_json::{Value, json};
use service::App;
use service::alerts::trial;

use crate::error::Result;
use crate::extract::{Body, Caller, PathAlertRule};
use crate::shape::group_state;

/// What a rule says at an instant; nobody is told.
pub(crate) async fn test_alert_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    PathAlertRule(id): PathAlertRule,
    bytes: Bytes,
) -> Result<Response> {
    let at = match bytes.is_empty() {
        true => None,
        false => {
            let body = Body::parse(&bytes)?;
            body.only(&["at"])?;
            body.time("at")?.flatten()
        }
    };
    let test = trial::test(&app, &scope, id, at).await?;
    let verdicts = || test.groups.iter().map(|said| said.reading.verdict);
    let is_abnormal = verdicts().any(|verdict| verdict == Verdict::Abnormal);
    let is_known = verdicts().any(|verdict| matches!(verdict, Verdict::Abnormal | Verdict::Normal));
    let state = match (is_abnormal, is_known) {
        (true, _) => "firing",
        (false, true) => "ok",
        (false, false) if verdicts().any(|verdict| verdict == Verdict::NoBaseline) => "no_baseline",
        (false, false) => "no_data",
    };
    let groups: Vec<Value> = test
        .groups
        .iter()
        .map(|said| group_state(&said.group, &said.reading, &said.phase))
        .collect();
    let at = test.at.to_string();
    let body = json!({ "at": at, "state": state, "firing": is_abnormal, "groups": groups });
    Ok(Json(body).into_response())
}
