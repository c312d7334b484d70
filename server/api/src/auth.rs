//! Keys in headers.

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Fault;
use service::audit::{self, Told};
use service::{App, ProjectScope, auth};

use crate::error::ApiError;

/// What stands after `Basic ` for a pair of keys.
pub fn basic(public_key: &str, secret_key: &str) -> String {
    STANDARD.encode(format!("{public_key}:{secret_key}"))
}

/// Lets in whoever has a key, and leaves the scope for [`crate::extract::Caller`].
pub(crate) async fn require_key(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let header = authorization(request.headers());
    match auth::authenticate_key(&app, header, needs_of(&request)).await {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            noted(&app, &scope, request, next).await
        }
        Err(fault) => ApiError(fault).into_response(),
    }
}

/// What a limited key must be made for to be let in there.
pub(crate) fn needs_of(request: &Request) -> auth::Needs {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map(MatchedPath::as_str).unwrap_or_default();
    auth::Needs::of(request.method().as_str(), route)
}

/// Answers, and has it told in the audit log where it is of interest there.
pub(crate) async fn noted(
    app: &App,
    scope: &ProjectScope,
    request: Request,
    next: Next,
) -> Response {
    let told = request.extensions().get::<MatchedPath>().and_then(|route| {
        let (method, path) = (request.method().as_str(), request.uri().path());
        audit::told(method, route.as_str(), path)
    });
    match told {
        None => next.run(request).await,
        Some(Told::Viewed(object)) => {
            let answer = next.run(request).await;
            if answer.status().is_success() {
                audit::viewed(app, scope, &object);
            }
            answer
        }
        Some(Told::Did { action, object }) => {
            let (app, scope) = (app.clone(), *scope);
            let done = async move {
                let answer = next.run(request).await;
                if answer.status().is_success() {
                    audit::record(&app, &scope, &action, &object).await;
                }
                answer
            };
            // On its own: who hangs up meanwhile does not keep what was done from being written down.
            match tokio::spawn(done).await {
                Ok(answer) => answer,
                Err(error) => ApiError(Fault::internal(error)).into_response(),
            }
        }
    }
}

/// The one header with a key, see [`auth::the_only`].
pub(crate) fn authorization(headers: &HeaderMap) -> Option<&str> {
    auth::the_only(
        headers
            .get_all(AUTHORIZATION)
            .iter()
            .map(HeaderValue::as_bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_headers_are_none() {
        let mut headers = HeaderMap::new();
        assert_eq!(authorization(&headers), None);
        headers.append(AUTHORIZATION, HeaderValue::from_static("Bearer a"));
        assert_eq!(authorization(&headers), Some("Bearer a"));
        headers.append(AUTHORIZATION, HeaderValue::from_static("Bearer a"));
        assert_eq!(authorization(&headers), None);
    }

    #[test]
    fn keys_are_joined_by_a_colon() {
        assert_eq!(basic("pk", "sk"), "cGs6c2s=");
    }
}
