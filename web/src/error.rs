//! Faults as pages. A handler's error carries its fault through the response; the page is made
//! here, where the reader's language is known, and the fault is logged here, once.

use std::error::Error;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::{Code, Fault};
use http::header::{LOCATION, RETRY_AFTER};
use http::{HeaderValue, StatusCode};

use crate::choices::Choices;
use crate::pages::error::ErrorPage;
use crate::pages::{is_fragment, render};
use crate::urls;

/// The error of a handler.
pub(crate) struct Failure {
    kind: Kind,
}

enum Kind {
    Fault(Box<Fault>),
    SignInFirst,
}

impl Failure {
    /// Nobody has signed in: the reader is led to do so and comes back.
    pub(crate) fn sign_in_first() -> Self {
        Failure {
            kind: Kind::SignInFirst,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure {
            kind: Kind::Fault(Box::new(fault)),
        }
    }
}

/// Carries what the page will say from the handler to [`show_failures`].
#[derive(Clone)]
struct Told {
    code: Code,
    message: String,
}

#[derive(Clone)]
struct SignInFirst;

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self.kind {
            Kind::SignInFirst => {
                let mut response = StatusCode::UNAUTHORIZED.into_response();
                response.extensions_mut().insert(SignInFirst);
                response
            }
            Kind::Fault(fault) => {
                log(&fault);
                let mut response = status(fault.code).into_response();
                if let Some(wait) = fault.retry_after {
                    let seconds = wait.0.div_ceil(1_000_000_000);
                    response
                        .headers_mut()
                        .insert(RETRY_AFTER, HeaderValue::from(seconds));
                }
                response.extensions_mut().insert(Told {
                    code: fault.code,
                    message: fault.message,
                });
                response
            }
        }
    }
}

/// Turns faults of handlers into pages, and for htmx into plain words that a toast shows.
pub(crate) async fn show_failures(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let uri = request.uri().clone();
    let choices = Choices::read(headers, uri.query().unwrap_or_default());
    let fragment = is_fragment(headers);
    let response = next.run(request).await;
    if response.extensions().get::<SignInFirst>().is_some() {
        let here = uri
            .path_and_query()
            .map_or(urls::HOME, |path| path.as_str());
        return lead_to_sign_in(fragment, here);
    }
    let Some(told) = response.extensions().get::<Told>().cloned() else {
        return response;
    };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(http::header::CONTENT_LENGTH);
    let page = if fragment {
        told.message.into_response()
    } else {
        render(&ErrorPage::new(
            &choices,
            told.code,
            &told.message,
            uri.path(),
        ))
    };
    let (page_parts, body) = page.into_parts();
    parts.headers.extend(page_parts.headers);
    Response::from_parts(parts, body)
}

fn lead_to_sign_in(fragment: bool, here: &str) -> Response {
    let target = urls::sign_in(here);
    let Ok(target) = HeaderValue::from_str(&target) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    if fragment {
        // The whole page goes to sign in, not the fragment.
        (StatusCode::UNAUTHORIZED, [("hx-redirect", target)]).into_response()
    } else {
        (StatusCode::SEE_OTHER, [(LOCATION, target)]).into_response()
    }
}

/// The status of a fault.
pub(crate) fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn log(fault: &Fault) {
    let source = fault.source().map(ToString::to_string).unwrap_or_default();
    match fault.code {
        Code::Internal => tracing::error!(error = %source, "page failed: {}", fault.message),
        Code::Unavailable | Code::Timeout => {
            tracing::warn!(error = %source, "page failed: {}", fault.message);
        }
        _ => tracing::debug!(error = %source, "page refused: {}", fault.message),
    }
}
