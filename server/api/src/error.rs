//! Failures as RFC 9457 problems.

use std::error::Error;

use axum::Json;
use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Code, Fault};
use serde_json::json;

/// What handlers fail with.
pub(crate) struct ApiError(pub(crate) Fault);

/// What handlers give.
pub(crate) type Result<T> = std::result::Result<T, ApiError>;

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        ApiError(fault)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let fault = self.0;
        let status = status_of(fault.code);
        log(&fault, status);
        let mut response = problem(status, &fault.message, fault.field.as_deref());
        let headers = response.headers_mut();
        if let Some(wait) = fault.retry_after {
            headers.insert(
                RETRY_AFTER,
                HeaderValue::from(wait.0.div_ceil(1_000_000_000)),
            );
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(
                WWW_AUTHENTICATE,
                HeaderValue::from_static("Basic realm=\"triaxis\""),
            );
        }
        response
    }
}

/// Tells the log of a failure that is ours.
pub(crate) fn log(fault: &Fault, status: StatusCode) {
    if status.is_server_error() {
        let cause = fault.source().map(chain).unwrap_or_default();
        tracing::error!(status = status.as_u16(), cause, "{fault}");
    }
}

/// For a method that a route does not have.
pub(crate) async fn method_not_allowed() -> Response {
    let mut response = problem(
        StatusCode::METHOD_NOT_ALLOWED,
        "the route does not have that method; see /docs/api",
        None,
    );
    // axum adds the methods that there are.
    response.headers_mut().remove(ALLOW);
    response
}

/// A body with several things that are wrong: paths, and why. The first twenty are told.
pub(crate) fn invalid(errors: &[(String, String)]) -> Response {
    const TOLD: usize = 20;
    let told = errors.iter().take(TOLD);
    let told: Vec<_> = told
        .map(|(path, why)| json!({ "path": path, "message": why }))
        .collect();
    let detail = format!("{} things are wrong; nothing was stored", errors.len());
    let status = StatusCode::BAD_REQUEST;
    problem_with(status, &detail, &json!(told))
}

fn problem(status: StatusCode, detail: &str, field: Option<&str>) -> Response {
    let errors = field.map(|path| json!([{ "path": path, "message": detail }]));
    problem_with(status, detail, &errors.unwrap_or_default())
}

fn problem_with(status: StatusCode, detail: &str, errors: &serde_json::Value) -> Response {
    let mut body = json!({
        "type": "about:blank",
        "title": status.canonical_reason().unwrap_or("Error"),
        "status": status.as_u16(),
        "detail": detail,
    });
    if !errors.is_null() {
        body["errors"] = errors.clone();
    }
    let mut response = (status, Json(body)).into_response();
    let kind = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn status_of(code: Code) -> StatusCode {
    StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A failure with all its causes, in one line.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use domain::Nanos;
    use serde_json::Value;

    use super::*;

    async fn answer(fault: Fault) -> (Response, Value) {
        let (parts, body) = ApiError(fault).into_response().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (
            Response::from_parts(parts, ().into_response().into_body()),
            serde_json::from_slice(&body).unwrap(),
        )
    }

    #[tokio::test]
    async fn a_validation_error_names_its_parameter() {
        let (response, body) = answer(Fault::invalid("not a time").on_field("from")).await;
        assert_eq!(response.status(), 400);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        assert_eq!(body["errors"][0]["path"], "from");
        assert_eq!(body["title"], "Bad Request");
    }

    #[tokio::test]
    async fn causes_stay_inside_and_waits_are_whole_seconds() {
        let (response, body) = answer(Fault::internal("secret cause")).await;
        assert_eq!(response.status(), 500);
        assert!(!body.to_string().contains("secret"));
        let busy = Fault::unavailable("away").retry_after(Nanos::from_millis(1_200));
        assert_eq!(answer(busy).await.0.headers()[RETRY_AFTER], "2");
        let nobody = Fault::new(Code::Unauthenticated, "who");
        assert!(
            answer(nobody)
                .await
                .0
                .headers()
                .contains_key(WWW_AUTHENTICATE)
        );
    }
}
