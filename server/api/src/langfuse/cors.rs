//! Browsers of other origins: any may ask, none is sent with what the browser knows of us.

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ORIGIN, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE");

/// Answers the question of a browser before it asks, and says with every answer that it may be read.
pub async fn share(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let origin = headers.get(ORIGIN).cloned();
    let wanted = headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let mut response = if request.method() == Method::OPTIONS {
        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        if let Some(wanted) = wanted {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted);
        }
        response
    } else {
        next.run(request).await
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(VARY, HeaderValue::from_static("Origin"));
    }
    response
}
