//! `GET /api/v1/live`

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::score::Judgements;
use domain::trace::TraceSummary;
use futures_util::{Stream, StreamExt, stream};
use service::live::{self, Listener, News};
use service::{App, ProjectScope, auth};
use tokio::sync::watch;
use tokio::time::Interval;

use crate::auth::authorization;
use crate::error::Result;
use crate::extract::{Caller, StreamFilter};
use crate::shape::TraceRow;

/// Between two looks whether the key is still good, which may itself be known for some seconds.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// A `trace` event for each new trace that matches, once its root span has landed.
pub(crate) async fn stream_live(
    State(app): State<App>,
    Caller(scope): Caller,
    headers: HeaderMap,
    StreamFilter(filter): StreamFilter,
) -> Result<Response> {
    let watcher = Watcher {
        listener: live::listen(&app, &scope, filter).await?,
        ask: tokio::time::interval(ASK_EVERY),
        closing: app.closing(),
        authorization: authorization(&headers).map(str::to_owned),
        app,
        scope,
    };
    let events = events(watcher).map(Ok::<_, Infallible>);
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

fn events(watcher: Watcher) -> impl Stream<Item = Event> {
    stream::unfold(watcher, async |mut watcher| {
        let news = watcher.next().await?;
        Some((news, watcher))
    })
    .flat_map(|news| {
        let skipped = news
            .is_cut
            .then(|| Event::default().comment("too much landed at once: some traces are skipped"));
        let told: Vec<Event> = news.traces.iter().filter_map(event).collect();
        stream::iter(skipped.into_iter().chain(told))
    })
}

fn event(trace: &TraceSummary) -> Option<Event> {
    let event = Event::default().event("trace");
    // It has only just landed: scores come later, and tell nobody here.
    let unjudged = Judgements::default();
    let row = TraceRow::from_summary(trace, &unjudged);
    event.json_data(row).ok()
}

struct Watcher {
    app: App,
    scope: ProjectScope,
    listener: Listener,
    ask: Interval,
    closing: watch::Receiver<bool>,
    authorization: Option<String>,
}

impl Watcher {
    /// What landed; `None` when it is time to end.
    async fn next(&mut self) -> Option<Arc<News>> {
        loop {
            let news = tokio::select! {
                news = self.listener.next() => Some(news?),
                _ = self.ask.tick() => None,
                _ = self.closing.wait_for(|closing| *closing) => return None,
            };
            if !self.may_read().await {
                return None;
            }
            if news.is_some() {
                return news;
            }
        }
    }

    /// Whether the key that opened the stream still opens the project.
    async fn may_read(&self) -> bool {
        let header = self.authorization.as_deref();
        let checked = auth::authenticate_key(&self.app, header, auth::Needs::READ).await;
        checked.is_ok_and(|scope| scope.project_id() == self.scope.project_id())
    }
}
