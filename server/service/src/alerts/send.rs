//! Messages on their way. A message is sent until the other side takes it, each time with the same id; of what that
//! side says only the status is kept.
//!
//! Webhooks are signed as Standard Webhooks say (https://www.standardwebhooks.com): headers `webhook-id`,
//! `webhook-timestamp` and `webhook-signature`, the last `v1,` and the base64 of HMAC-SHA256 over id, timestamp and
//! body with dots between them.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::alert::Severity;
use domain::alert::channel::ChannelKind;
use domain::alert::incident::{Happening, Incident, IncidentState, Moment, Subject};
use domain::alert::notice::{self, Occasion};
use domain::alert::state::{Group, Reading};
use domain::{Fault, IncidentId, Nanos, ProjectId, Timestamp};
use hmac::{Hmac, Mac};
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use sha2::Sha256;
use store_postgres::alerts::incidents;
use store_postgres::alerts::notifications::{self, Outcome, Taken};
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use super::channels::{self, Target};
use super::record;
use crate::app::App;
use crate::outbound::{Content, Limits, Outgoing};
use crate::turns::Turns;

/// Between two looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a try may take. Of the answer only the status is looked at.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    answer_bytes: 64 * 1024,
};
/// How long a message is held: longer than a try takes.
const HOLD: Nanos = Nanos::from_seconds(30);
/// Wait after the first try; after each one more it is twice as long.
const REST: Nanos = Nanos::from_seconds(1);
/// And at most that.
const MAX_REST: Nanos = Nanos::from_seconds(600);
/// Tries of a message, over more than an hour.
const TRIES: u32 = 16;
/// What secrets of Standard Webhooks begin with; the rest is base64.
const PREFIX: &str = "whsec_";

/// What a try came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Status of the answer; `None`: there was none.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<String>,
}

impl Attempt {
    /// Whether the other side took it.
    pub fn is_taken(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }
}

/// Sends what is due, until `stop`.
pub(super) async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: "messages to send",
        every: LOOK_EVERY,
        wake: None,
        stop,
    };
    let take = || {
        let now = app.clock().now();
        notifications::take(app.postgres(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        tokio::select! {
            done = deliver(app, &taken) => if let Err(fault) = done {
                not_noted(&fault);
            },
            () = stop.cancelled() => {}
        }
    }
}

/// It is taken up again when it is held by nobody.
fn not_noted(fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::debug!(
        cause,
        "what became of a message could not be noted: {fault}"
    );
}

/// Tries a message, and notes what came of it.
async fn deliver(app: &App, taken: &Taken) -> Result<(), Fault> {
    let attempt = match channels::open(app, taken.project, (taken.channel, &taken.target)) {
        Ok(target) => attempt(app, &target, (taken.id, &taken.body)).await,
        Err(_) => Attempt {
            status: None,
            error: Some(
                "the address does not open with this server's key; set it again".to_owned(),
            ),
        },
    };
    let now = app.clock().now();
    let outcome = match (attempt.is_taken(), taken.tries < TRIES) {
        (true, _) => Outcome::Sent,
        (false, true) => Outcome::Again(now.plus(rest(taken.tries))),
        (false, false) => Outcome::GivenUp,
    };
    let mut tx = app.postgres().begin().await?;
    let said = (attempt.status, attempt.error.as_deref());
    notifications::tried(&mut tx, (taken.project, taken.id), &outcome, said).await?;
    let what = match outcome {
        Outcome::Sent => Some(Happening::Notified),
        Outcome::GivenUp => Some(Happening::NotNotified),
        Outcome::Again(_) => None,
    };
    if let Some((what, incident)) = what.zip(taken.incident) {
        let detail = format!("{}: {}", taken.channel_name, taken.occasion);
        let moment = Moment {
            at: now,
            what,
            detail,
        };
        incidents::note(&mut tx, taken.project, incident, &moment).await?;
    }
    tx.commit().await?;
    Ok(())
}

fn rest(tries: u32) -> Nanos {
    let doubled = REST.0.checked_shl(tries.saturating_sub(1).min(20));
    Nanos(doubled.unwrap_or(MAX_REST.0)).min(MAX_REST)
}

/// Sends a message once.
pub(super) async fn attempt(app: &App, target: &Target, (id, body): (Uuid, &str)) -> Attempt {
    let none = |error: String| Attempt {
        status: None,
        error: Some(error),
    };
    let outgoing = match outgoing(target, (id, body), app.clock().now()) {
        Some(outgoing) => outgoing,
        None => return none("the channel has no usable address or secret".to_owned()),
    };
    match app.outbound().send(outgoing, LIMITS).await {
        Ok(answer) => Attempt {
            status: Some(answer.status).as_ref().map(StatusCode::as_u16),
            error: None,
        },
        Err(error) => none(error.to_string()),
    }
}

fn outgoing(target: &Target, (id, body): (Uuid, &str), now: Timestamp) -> Option<Outgoing> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("triaxis"));
    let id = id.to_string();
    if let Some(secret) = &target.secret {
        let timestamp = now.unix_seconds().to_string();
        let signature = signature(secret, &[&id, &timestamp, body])?;
        headers.insert("webhook-id", HeaderValue::from_str(&id).ok()?);
        headers.insert("webhook-timestamp", HeaderValue::from_str(&timestamp).ok()?);
        headers.insert("webhook-signature", HeaderValue::from_str(&signature).ok()?);
    }
    Some(Outgoing {
        method: Method::POST,
        url: Url::parse(&target.url).ok()?,
        headers,
        content: Content::Memory(body.to_owned().into()),
    })
}

fn signature(secret: &str, parts: &[&str]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&key(secret)?).ok()?;
    mac.update(parts.join(".").as_bytes());
    let code = STANDARD.encode(mac.finalize().into_bytes());
    Some(format!("v1,{code}"))
}

/// The key that a secret stands for.
pub(super) fn key(secret: &str) -> Option<Vec<u8>> {
    match secret.strip_prefix(PREFIX) {
        Some(encoded) => STANDARD.decode(encoded).ok(),
        None => Some(secret.as_bytes().to_vec()),
    }
}

/// A message that says it is a test.
pub(super) fn test_body(app: &App, project: ProjectId, kind: ChannelKind) -> String {
    let now = app.clock().now();
    let id = IncidentId(Uuid::nil());
    let incident = Incident {
        id,
        rule_id: None,
        subject: Subject {
            rule_name: "a test of this channel".to_owned(),
            kind: "threshold".to_owned(),
            series: None,
            axis: None,
            group: Group::default(),
            reading: Reading::default(),
        },
        severity: Severity::P3,
        state: IncidentState::Resolved,
        suppressed_by: None,
        onset: now,
        fired_at: now,
        acknowledged_at: None,
        resolved_at: Some(now),
        resolution: None,
    };
    let url = record::url(app, project, id);
    notice::body(kind, Occasion::Test, (&incident, None), &url).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        // The example of the specification's reference implementations.
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let parts = [
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            r#"{"test": 2432232314}"#,
        ];
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature(secret, &parts).unwrap(), expected);
        assert!(key("whsec_!").is_none());
    }

    #[test]
    fn pauses_grow_up_to_ten_minutes() {
        let seconds = [1, 2, 3, 10, 11, 1_000].map(|tries| rest(tries).0 / 1_000_000_000);
        assert_eq!(seconds, [1, 2, 4, 512, 600, 600]);
    }
}
