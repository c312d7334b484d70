//! `GET /api/v1/live`

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::filter::Filter;
use domain::page::Limit;
use domain::trace::TraceSummary;
use domain::{Code, Fault, Nanos, ProjectId, Timestamp, TraceId};
use futures_util::{Stream, StreamExt, stream};
use service::{App, ProjectScope, auth, traces};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, SemaphorePermit, broadcast, watch};

use crate::auth::authorization;
use crate::error::{ApiError, Result};
use crate::extract::{Caller, StreamFilter};
use crate::shape::TraceRow;

/// Streams at the same time.
const MAX_STREAMS: usize = 200;
/// Traces that are asked for at once.
const LOOK_ROWS: u32 = 100;
/// Traces of one look: what lands beyond that at once is skipped.
const MAX_LOOK: usize = 2000;
/// How far back a trace may have begun to count as landing now.
const LOOK_BACK: Nanos = Nanos::from_seconds(3600);
/// Between two looks, however much lands.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// Between two looks whether the key is still good, which may itself be known for some seconds.
const ASK_EVERY: Duration = Duration::from_secs(1);
/// Traces that are remembered as told: those of a look, and of the looks before.
const MAX_TOLD: usize = 2 * MAX_LOOK;

static STREAMS: Semaphore = Semaphore::const_new(MAX_STREAMS);
static LIMIT: LazyLock<Limit> = LazyLock::new(|| Limit::new(LOOK_ROWS).unwrap_or_default());

/// A `trace` event for each new trace that matches, once its root span has landed.
pub(crate) async fn stream_live(
    State(app): State<App>,
    Caller(scope): Caller,
    headers: HeaderMap,
    StreamFilter(filter): StreamFilter,
) -> Result<Response> {
    let permit = STREAMS.try_acquire().map_err(|_| {
        ApiError(
            Fault::new(Code::TooMany, "too many live streams are open")
                .retry_after(Nanos::from_seconds(10)),
        )
    })?;
    let mut watcher = Watcher {
        landed: app.live().subscribe(),
        closing: app.closing(),
        told: Told::default(),
        floor: None,
        has_looked: false,
        authorization: authorization(&headers).map(str::to_owned),
        app,
        scope,
        filter,
        _permit: permit,
    };
    // What is there already is not new.
    watcher.look().await?;
    let events = events(watcher).map(Ok::<_, Infallible>);
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

fn events(watcher: Watcher) -> impl Stream<Item = Event> {
    stream::unfold(watcher, async |mut watcher| {
        if !watcher.wait().await {
            return None;
        }
        // A failed look is made up for by the next one; the stream goes on.
        let new = watcher.look().await.unwrap_or_else(|fault| {
            tracing::warn!(fault = %fault, "live stream could not look");
            Look::default()
        });
        Some((new, watcher))
    })
    .flat_map(|look| {
        let skipped = look.is_cut.then(|| {
            Event::default().comment(format!(
                "more than {MAX_LOOK} traces at once: the rest is skipped"
            ))
        });
        let told = look.new.into_iter().filter_map(|trace| event(&trace));
        stream::iter(skipped.into_iter().chain(told))
    })
}

fn event(trace: &TraceSummary) -> Option<Event> {
    let event = Event::default().event("trace");
    event.json_data(TraceRow::from_summary(trace)).ok()
}

struct Watcher {
    app: App,
    scope: ProjectScope,
    filter: Filter,
    landed: broadcast::Receiver<(ProjectId, Timestamp)>,
    closing: watch::Receiver<bool>,
    told: Told,
    /// What began before is not told any more: it is not known whether it was.
    floor: Option<Timestamp>,
    /// The first look goes through all that is there.
    has_looked: bool,
    authorization: Option<String>,
    _permit: SemaphorePermit<'static>,
}

impl Watcher {
    /// Waits until spans of the project have landed; false when it is time to end.
    async fn wait(&mut self) -> bool {
        let project = self.scope.project_id();
        let mut ask = tokio::time::interval(ASK_EVERY);
        loop {
            let landed = tokio::select! {
                landed = self.landed.recv() => Some(landed),
                _ = ask.tick() => None,
                _ = self.closing.wait_for(|closing| *closing) => return false,
            };
            match landed {
                None if !self.may_read().await => return false,
                None => {}
                Some(Ok((of, _))) if of != project => {}
                Some(Err(RecvError::Closed)) => return false,
                // Having missed some is a reason to look, too.
                Some(Ok(_) | Err(RecvError::Lagged(_))) => break,
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
        self.landed = self.landed.resubscribe();
        self.may_read().await
    }

    /// Whether the key that opened the stream still opens the project.
    async fn may_read(&self) -> bool {
        let checked = auth::authenticate_key(&self.app, self.authorization.as_deref()).await;
        checked.is_ok_and(|scope| scope.project_id() == self.scope.project_id())
    }

    /// Traces that match and were not told yet. Goes on through the list as long as a page brings
    /// new ones.
    async fn look(&mut self) -> std::result::Result<Look, Fault> {
        let mut filter = self.filter.clone();
        filter.from = Some(self.app.clock().now().minus(LOOK_BACK)).max(self.floor);
        let mut look = Look::default();
        let mut cursor = None;
        let mut seen = 0;
        loop {
            let before = look.new.len();
            let page =
                traces::list(&self.app, &self.scope, &filter, *LIMIT, cursor.as_ref()).await?;
            seen += page.data.len();
            let rows = page.data.into_iter().filter(|trace| trace.has_root);
            look.new
                .extend(rows.filter(|trace| !self.told.ids.contains(&trace.trace_id)));
            cursor = page.next_cursor;
            match &cursor {
                None => break,
                Some(_) if self.has_looked && look.new.len() == before => break,
                Some(last) if seen >= MAX_LOOK => {
                    look.is_cut = true;
                    self.floor = Some(last.start);
                    break;
                }
                Some(_) => {}
            }
        }
        look.new.reverse();
        for trace in &look.new {
            self.told.note(&trace.trace_id);
        }
        self.has_looked = true;
        Ok(look)
    }
}

/// What a look found.
#[derive(Default)]
struct Look {
    /// Oldest first.
    new: Vec<TraceSummary>,
    /// Whether there was more than a look takes.
    is_cut: bool,
}

/// Which traces were told, as many as fit.
#[derive(Default)]
struct Told {
    ids: HashSet<TraceId>,
    order: VecDeque<TraceId>,
}

impl Told {
    /// Notes a trace that was not told before.
    fn note(&mut self, id: &TraceId) {
        self.ids.insert(id.clone());
        self.order.push_back(id.clone());
        if self.order.len() > MAX_TOLD
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }
}
