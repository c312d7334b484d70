//! Tells when there are new traces: an event for every time that spans became readable, at most
//! one a second.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use domain::Timestamp;
use futures_util::stream::{self, Stream};
use service::{App, traces};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use crate::extract::InProject;

/// A stream ends by itself and the browser comes back: whoever lost access does not watch on.
const LIFETIME: Duration = Duration::from_secs(300);
/// Between two events.
const PAUSE: Duration = Duration::from_millis(700);

/// Watches the project.
pub(crate) async fn watch_traces(State(app): State<App>, entered: InProject) -> Response {
    let watch = Watch {
        arrivals: traces::subscribe(&app, &entered.scope),
        closing: app.closing(),
        until: Instant::now() + LIFETIME,
        greeted: false,
    };
    Sse::new(events(watch)).into_response()
}

struct Watch {
    arrivals: Receiver<Timestamp>,
    closing: watch::Receiver<bool>,
    until: Instant,
    greeted: bool,
}

fn events(watch: Watch) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(watch, |mut watch| async move {
        if !watch.greeted {
            watch.greeted = true;
            let hello = Event::default()
                .comment("watching")
                .retry(Duration::from_millis(400));
            return Some((Ok(hello), watch));
        }
        let newest = next_arrival(&mut watch).await?;
        sleep(PAUSE).await;
        Some((Ok(Event::default().event("traces").data(newest)), watch))
    })
}

/// The next arrival in the project; `None` when the stream has lived long enough or the server
/// stops.
async fn next_arrival(watch: &mut Watch) -> Option<String> {
    let arrival = tokio::select! {
        arrival = timeout_at(watch.until, watch.arrivals.recv()) => arrival.ok()?,
        _ = watch.closing.wait_for(|closing| *closing) => return None,
    };
    match arrival {
        Ok(newest) => Some(newest.to_string()),
        // Some were missed: the list is asked for again all the same.
        Err(RecvError::Lagged(_)) => Some(String::new()),
        Err(RecvError::Closed) => None,
    }
}
