//! The body of a form with its token. There is no other way to a form's values, so no handler can
//! forget the check.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use domain::{Code, Fault};
use rand::RngCore;
use service::App;
use tokio::time::timeout;
use tower_sessions::cookie::time::Duration as Span;
use tower_sessions::{Expiry, Session};

use super::query::Pairs;
use super::visitor::{is_signed_in, store_away};
use crate::error::Failure;

const SESSION_KEY: &str = "csrf";
pub(super) const FIELD: &str = "_csrf";
const HEADER: &str = "x-csrf-token";
/// Forms of this interface are small.
const MAX_BYTES: usize = 256 * 1024;
/// Those that hold long texts; most letters take three bytes on the way, some nine.
const MAX_LONG_BYTES: usize = 8 << 20;
/// A form that comes slower does not hold its connection for ever.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the session of somebody who has not signed in is kept.
const BEFORE_SIGN_IN: Span = Span::hours(1);
/// How long a new session waits for Postgres.
const STORE_PATIENCE: Duration = Duration::from_secs(3);

/// The values of a form that carried the session's token, in a field or in a header.
pub(crate) struct Posted(pub(crate) Pairs);

/// The same of a form that holds long texts.
pub(crate) struct PostedLong(pub(crate) Pairs);

impl FromRequest<App> for Posted {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &App) -> Result<Self, Failure> {
        Ok(Posted(read(request, MAX_BYTES).await?))
    }
}

impl FromRequest<App> for PostedLong {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &App) -> Result<Self, Failure> {
        Ok(PostedLong(read(request, MAX_LONG_BYTES).await?))
    }
}

async fn read(mut request: Request, most: usize) -> Result<Pairs, Fault> {
    let session = request.extensions().get::<Session>().cloned();
    let in_header = request.headers_mut().remove(HEADER);
    let body = timeout(READ_TIMEOUT, to_bytes(request.into_body(), most))
        .await
        .map_err(|_| Fault::new(Code::Timeout, "the form did not arrive within 30 seconds"))?
        .map_err(|_| Fault::new(Code::TooLarge, "the form is too large"))?;
    let pairs = Pairs::parse(&body);
    let given = in_header
        .as_ref()
        .and_then(|value| value.to_str().ok())
        .or_else(|| pairs.get(FIELD))
        .unwrap_or_default();
    check_token(session.as_ref(), given).await?;
    Ok(pairs)
}

/// Lets a form on that carries the session's token.
pub(super) async fn check_token(session: Option<&Session>, given: &str) -> Result<(), Fault> {
    let expected = match session {
        Some(session) => session
            .get::<String>(SESSION_KEY)
            .await
            .map_err(store_away)?,
        None => None,
    };
    match expected {
        Some(expected) if same(expected.as_bytes(), given.as_bytes()) => Ok(()),
        _ => Err(Fault::new(
            Code::Forbidden,
            "this form has expired: go back, reload the page and send it again",
        )),
    }
}

/// The session's token for forms; made when it is first asked for.
pub(crate) async fn csrf_token(session: &Session) -> Result<String, Fault> {
    if let Some(token) = session
        .get::<String>(SESSION_KEY)
        .await
        .map_err(store_away)?
    {
        return Ok(token);
    }
    let mut bytes = [0u8; 24];
    rand::rng().fill_bytes(&mut bytes);
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    session
        .insert(SESSION_KEY, &token)
        .await
        .map_err(store_away)?;
    save(session).await?;
    Ok(token)
}

/// Stores a session now, not behind the answer, so that a store that is away can still be told.
pub(super) async fn save(session: &Session) -> Result<(), Fault> {
    if !is_signed_in(session).await? {
        // Whoever only looks at the form for signing in leaves nothing for long.
        session.set_expiry(Some(Expiry::OnInactivity(BEFORE_SIGN_IN)));
    }
    timeout(STORE_PATIENCE, session.save())
        .await
        .map_err(|_| Fault::unavailable("sessions cannot be kept at the moment"))?
        .map_err(store_away)
}

/// Compares without telling by its time where the difference is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .fold(0, |difference, (a, b)| difference | (a ^ b))
            == 0
}
