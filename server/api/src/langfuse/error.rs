//! Failures in the words of each family of routes.
//!
//! A handler fails with a [`Failure`]; its route's [`Family`] writes the body. To add a family: a line
//! in [`Family`] and its case in [`Family::body`].

use std::sync::Arc;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Code, Fault};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::log;

/// How the failures of a route look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Most routes: `{message, error}`, at the door `{message}` alone.
    Standard,
    /// `{message, error}` at the door too.
    Named,
    /// `{message}` alone.
    Plain,
    /// `{error}`, with `{details}` of a wrong shape.
    Bare,
    /// As SCIM has them.
    Scim,
}

/// What handlers give.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// What handlers fail with.
#[derive(Debug)]
pub(crate) enum Failure {
    /// At the door: the key is not one, or cannot be checked.
    Refused(Fault),
    /// What a use case said.
    Fault(Fault),
    /// The request is not of the shape that is asked for.
    Shape(Vec<Issue>),
    /// The route does not have that method.
    Method,
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Issue {
    code: &'static str,
    path: Vec<Step>,
    message: String,
}

/// One step of the way to what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Step {
    /// Into a field.
    Field(String),
    /// Into an element of a list.
    Element(usize),
}

impl Issue {
    /// A value of another type than `expected`.
    pub(crate) fn of_type(path: &str, expected: &str) -> Self {
        let message = format!("Invalid input: expected {expected}");
        Issue::new("invalid_type", path, message)
    }

    /// A word that is none of those that there are.
    pub(crate) fn of_words(path: &str, words: &[&str]) -> Self {
        let message = format!(
            "Invalid option: expected one of \"{}\"",
            words.join("\"|\"")
        );
        Issue::new("invalid_value", path, message)
    }

    /// A value that is not allowed for the reason of `code`, a word of zod's such as `too_big`.
    pub(crate) fn new(code: &'static str, path: &str, message: impl Into<String>) -> Self {
        let step = |step: &str| {
            let element = step.parse().map(Step::Element);
            element.unwrap_or_else(|_| Step::Field(step.to_owned()))
        };
        let steps = path.split('.').filter(|step| !step.is_empty());
        Issue {
            code,
            path: steps.map(step).collect(),
            message: message.into(),
        }
    }
}

impl From<Issue> for Failure {
    fn from(issue: Issue) -> Self {
        Failure::Shape(vec![issue])
    }
}

impl From<Fault> for Failure {
    /// A fault that names a field is a wrong shape.
    fn from(fault: Fault) -> Self {
        match (&fault.field, fault.code) {
            (Some(field), Code::Invalid) => Issue::new("custom", field, &fault.message).into(),
            _ => Failure::Fault(fault),
        }
    }
}

/// The failure goes along with the answer until [`Family::write`] writes it.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl Family {
    /// Writes the failure that an answer carries; other answers stay as they are.
    pub(crate) fn write(self, mut response: Response) -> Response {
        let Some(failure) = response.extensions_mut().remove::<Arc<Failure>>() else {
            return response;
        };
        let status = failure.status();
        let fault = match failure.as_ref() {
            Failure::Refused(fault) | Failure::Fault(fault) => Some(fault),
            Failure::Shape(_) | Failure::Method => None,
        };
        if let Some(fault) = fault {
            log(fault, status);
        }
        let mut response = (status, Json(self.body(&failure))).into_response();
        let headers = response.headers_mut();
        if let Some(wait) = fault.and_then(|fault| fault.retry_after) {
            let seconds = wait.0.div_ceil(1_000_000_000);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let basic = HeaderValue::from_static("Basic realm=\"triaxis\"");
            headers.insert(WWW_AUTHENTICATE, basic);
        }
        response
    }

    fn body(self, failure: &Failure) -> Value {
        let message = failure.message();
        match (self, failure) {
            (Family::Scim, _) => scim_error(failure),
            (Family::Bare, Failure::Shape(issues)) => {
                json!({ "error": message, "details": issues })
            }
            (Family::Bare, _) => json!({ "error": message }),
            (Family::Plain, _) | (Family::Standard, Failure::Refused(_)) => {
                json!({ "message": message })
            }
            (_, Failure::Shape(issues)) => json!({ "message": message, "error": issues }),
            _ => json!({ "message": message, "error": failure.name() }),
        }
    }
}

impl Failure {
    /// What a use case said.
    pub(crate) fn code(&self) -> Option<Code> {
        match self {
            Failure::Refused(fault) | Failure::Fault(fault) => Some(fault.code),
            Failure::Shape(_) | Failure::Method => None,
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Failure::Refused(fault) | Failure::Fault(fault) => named(fault.code).0,
            Failure::Shape(_) => StatusCode::BAD_REQUEST,
            Failure::Method => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Failure::Refused(fault) | Failure::Fault(fault) => named(fault.code).1,
            Failure::Shape(_) => "InvalidRequestError",
            Failure::Method => "MethodNotAllowedError",
        }
    }

    fn message(&self) -> &str {
        match self {
            Failure::Refused(fault) | Failure::Fault(fault) if fault.code == Code::Internal => {
                "Internal Server Error"
            }
            Failure::Refused(fault) | Failure::Fault(fault) => &fault.message,
            Failure::Shape(_) => "Invalid request data",
            Failure::Method => "Method not allowed",
        }
    }
}

/// What is wrong with a request is told in words: SCIM knows no list of issues.
fn scim_error(failure: &Failure) -> Value {
    let detail = match failure {
        Failure::Shape(issues) => {
            let told = issues.iter().map(|issue| {
                let steps = issue.path.iter().map(|step| match step {
                    Step::Field(name) => name.clone(),
                    Step::Element(at) => at.to_string(),
                });
                format!("{}: {}", steps.collect::<Vec<_>>().join("."), issue.message)
            });
            told.collect::<Vec<_>>().join("; ")
        }
        _ => failure.message().to_owned(),
    };
    json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
        "detail": detail,
        "status": failure.status().as_u16(),
    })
}

/// The status of a code, and the name of the error as clients know it.
fn named(code: Code) -> (StatusCode, &'static str) {
    match code {
        Code::Invalid => (StatusCode::BAD_REQUEST, "InvalidRequestError"),
        Code::Unauthenticated => (StatusCode::UNAUTHORIZED, "UnauthorizedError"),
        Code::Forbidden => (StatusCode::FORBIDDEN, "ForbiddenError"),
        Code::NotFound => (StatusCode::NOT_FOUND, "LangfuseNotFoundError"),
        Code::Conflict => (StatusCode::CONFLICT, "LangfuseConflictError"),
        Code::Unprocessable => (StatusCode::UNPROCESSABLE_ENTITY, "UnprocessableContent"),
        Code::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError"),
        Code::Unsupported => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "InvalidRequestError"),
        Code::TooMany => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
        Code::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailableError"),
        // Clients repeat what is 504, and would only ask for as much again.
        Code::Timeout => (StatusCode::UNPROCESSABLE_ENTITY, "Request timed out"),
        Code::Internal => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "An unknown error occurred",
        ),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    async fn written(family: Family, failure: Failure) -> (u16, Value) {
        let response = family.write(failure.into_response());
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn each_family_has_its_words_at_the_door() {
        let door = || Failure::Refused(Fault::new(Code::Unauthenticated, "who"));
        let plain = json!({ "message": "who" });
        let named = json!({ "message": "who", "error": "UnauthorizedError" });
        assert_eq!(
            written(Family::Standard, door()).await,
            (401, plain.clone())
        );
        assert_eq!(written(Family::Plain, door()).await, (401, plain));
        assert_eq!(written(Family::Named, door()).await, (401, named));
        let bare = json!({ "error": "who" });
        assert_eq!(written(Family::Bare, door()).await, (401, bare));
        let (status, body) = written(Family::Scim, door()).await;
        assert_eq!((status, &body["status"]), (401, &json!(401)));
        assert_eq!(body["detail"], "who");
    }

    #[tokio::test]
    async fn inside_a_failure_has_its_name_and_a_wrong_shape_its_issues() {
        let lost = Failure::from(Fault::not_found("no x"));
        let expected = json!({ "message": "no x", "error": "LangfuseNotFoundError" });
        assert_eq!(written(Family::Standard, lost).await, (404, expected));
        let wrong = Failure::from(Fault::invalid("not so").on_field("prompt.1.role"));
        let (status, body) = written(Family::Standard, wrong).await;
        assert_eq!(
            (status, &body["message"]),
            (400, &json!("Invalid request data"))
        );
        let issue = json!({ "code": "custom", "path": ["prompt", 1, "role"], "message": "not so" });
        assert_eq!(body["error"], json!([issue]));
    }

    #[tokio::test]
    async fn causes_stay_inside() {
        let ours = Failure::from(Fault::internal("secret cause"));
        let (status, body) = written(Family::Standard, ours).await;
        assert_eq!(status, 500);
        assert!(!body.to_string().contains("secret"));
    }
}
