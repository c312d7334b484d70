//! Tells when there are new traces: an event for every time that spans became readable, at most
//! one a second.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use domain::tenancy::Permission;
use domain::{Code, Fault, PersonId, ProjectId, Timestamp};
use futures_util::stream::{self, Stream};
use service::{App, auth, traces};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use crate::extract::InProject;

/// A stream ends by itself and the browser comes back: whoever signed out does not watch on.
const LIFETIME: Duration = Duration::from_secs(300);
/// Between two looks whether the reader is still a member.
const ASK_EVERY: Duration = Duration::from_secs(3);
/// Between two events.
const PAUSE: Duration = Duration::from_millis(700);

/// Watches the project.
pub(crate) async fn watch_traces(State(app): State<App>, entered: InProject) -> Response {
    let watch = Watch {
        arrivals: traces::subscribe(&app, &entered.scope),
        closing: app.closing(),
        person: entered.reader.visitor.person.id,
        project: entered.id(),
        app,
        until: Instant::now() + LIFETIME,
        greeted: false,
    };
    Sse::new(events(watch)).into_response()
}

struct Watch {
    arrivals: Receiver<Timestamp>,
    closing: watch::Receiver<bool>,
    person: PersonId,
    project: ProjectId,
    app: App,
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

/// The next arrival in the project; `None` when the stream has lived long enough, the reader may no
/// longer read or the server stops.
async fn next_arrival(watch: &mut Watch) -> Option<String> {
    loop {
        let soon = watch.until.min(Instant::now() + ASK_EVERY);
        let arrival = tokio::select! {
            arrival = timeout_at(soon, watch.arrivals.recv()) => arrival,
            _ = watch.closing.wait_for(|closing| *closing) => return None,
        };
        let entered = auth::enter_project(&watch.app, watch.person, watch.project).await;
        let may_read = entered.and_then(|scope| scope.require(Permission::Read));
        if may_read.is_err_and(|fault| is_refusal(&fault)) {
            return None;
        }
        return match arrival {
            Ok(Ok(newest)) => Some(newest.to_string()),
            // Some were missed: the list is asked for again all the same.
            Ok(Err(RecvError::Lagged(_))) => Some(String::new()),
            Ok(Err(RecvError::Closed)) => None,
            Err(_) if Instant::now() < watch.until => continue,
            Err(_) => None,
        };
    }
}

/// A store that is away refuses nobody: the browser would come back at once.
fn is_refusal(fault: &Fault) -> bool {
    matches!(
        fault.code,
        Code::NotFound | Code::Forbidden | Code::Unauthenticated
    )
}
