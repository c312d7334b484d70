//! What keeps pages safe: the content policy and its sisters, session cookies.
//!
//! The policy allows nothing but files of this server. There is no nonce and no hash because there
//! is no inline script, handler, style element or style attribute anywhere: whatever is data and
//! has a width is SVG geometry. A test on all samples keeps it so.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use service::App;
use store_postgres::SessionStore;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::Duration;
use tower_sessions::{Expiry, SessionManagerLayer};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    media-src 'self'; \
    font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Ids of traces do not leave the server with a click on an outside link.
    (REFERRER_POLICY, "same-origin"),
    (X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// How long a session lasts after sign-in, or after something was last kept in it.
pub(crate) const SIGNED_IN_FOR: Expiry = Expiry::OnInactivity(Duration::days(14));

/// Sets the headers on every answer.
pub(crate) async fn set_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        // Pages show what only some may see, and whole pages and fragments share addresses.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.append(
            VARY,
            HeaderValue::from_static("HX-Request, HX-Target, Cookie"),
        );
    }
    response
}

/// Sessions live in Postgres and end two weeks after sign-in, or after something was last kept in them. The cookie is unreadable to
/// scripts, is not sent with requests that other sites make but for plain links, and is bound to
/// TLS where the server is reached by it.
pub(crate) fn sessions(app: &App) -> SessionManagerLayer<SessionStore> {
    SessionManagerLayer::new(app.postgres().sessions())
        .with_name("triaxis_session")
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(app.settings().secure_cookies())
        .with_expiry(SIGNED_IN_FOR)
}
