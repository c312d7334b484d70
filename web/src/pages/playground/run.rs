//! One window runs: what the model says is told while it comes, as server-sent events whose data is JSON. Who
//! leaves, or stops it, ends the request to the provider.

use std::convert::Infallible;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::dataset::{DatasetName, RunName};
use domain::tenancy::Permission;
use domain::{Fault, ProjectId};
use futures_util::stream::{self, Stream};
use serde_json::{Value as Json, json};
use service::completions::{self, Keep, Outcome, Run, Source, Told};
use service::{App, ProjectScope, spans};
use tokio::sync::watch;

use super::outcome::OutcomeView;
use super::step;
use super::values::Values;
use super::window::Window;
use crate::extract::{InProject, Pairs, PostedLong, Reader};
use crate::pages::Answer;

/// A run with what its end needs.
struct Streamed {
    run: Run,
    app: App,
    scope: ProjectScope,
    reader: Reader,
    /// What was recorded of the step that it repeats.
    recorded: Option<String>,
    /// Where it is kept; `None`: nowhere.
    keep: Option<Keep>,
    closing: watch::Receiver<bool>,
}

/// Runs a window.
pub(crate) async fn run_window(
    State(app): State<App>,
    entered: InProject,
    PostedLong(pairs): PostedLong,
) -> Answer {
    entered.scope.require(Permission::RunModels)?;
    let ask = Window::posted(&pairs).ask(&Values::posted(&pairs))?;
    let source = step::source(&pairs);
    let recorded = recorded(&app, &entered, source.as_ref()).await?;
    let now = entered.reader.zone().exact(app.clock().now());
    let keep = keep(&pairs, source, &now)?;
    if keep.is_some() {
        entered.scope.require(Permission::ChangeDatasets)?;
    }
    let run = completions::start(&app, &entered.scope, ask).await?;
    let streamed = Streamed {
        run,
        closing: app.closing(),
        app,
        scope: entered.scope,
        reader: entered.reader,
        recorded,
        keep,
    };
    let events = Sse::new(events(streamed)).keep_alive(KeepAlive::default());
    Ok(events.into_response())
}

async fn recorded(
    app: &App,
    entered: &InProject,
    source: Option<&Source>,
) -> Result<Option<String>, Fault> {
    let Some(Source { trace, span }) = source else {
        return Ok(None);
    };
    let span = spans::show(app, &entered.scope, trace, span).await?;
    let missing = || Fault::not_found("the recorded step is gone");
    Ok(Some(step::answer(&span.ok_or_else(missing)?)))
}

/// Where a run is kept: a form that says so names dataset and experiment. Each run is one of its own, told
/// apart by model and time.
fn keep(pairs: &Pairs, source: Option<Source>, time: &str) -> Result<Option<Keep>, Fault> {
    let Some(source) = source.filter(|_| pairs.get("keep").is_some()) else {
        return Ok(None);
    };
    let text = |name: &str| pairs.get(name).unwrap_or_default().trim();
    Ok(Some(Keep {
        dataset: DatasetName::parse(text("dataset"))?,
        run: RunName::parse(&format!(
            "{} · {} · {time}",
            text("run_name"),
            text("model")
        ))?,
        source,
    }))
}

fn events(streamed: Streamed) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(streamed, |mut streamed| async move {
        let told = tokio::select! {
            told = streamed.run.next() => told?,
            _ = streamed.closing.wait_for(|closing| *closing) => return None,
        };
        let event = match told {
            Told::Text(text) => event("text", &json!(text)),
            Told::Reasoning(text) => event("reasoning", &json!(text)),
            Told::Call(call) => event(
                "call",
                &json!({"name": call.name, "arguments": call.arguments}),
            ),
            Told::Failed(why) => event("failed", &json!(why)),
            Told::Done(outcome) => done(&streamed, &outcome).await,
        };
        Some((Ok(event), streamed))
    })
}

/// JSON has no ends of lines, so that one line of data holds it.
fn event(name: &str, data: &Json) -> Event {
    Event::default().event(name).data(data.to_string())
}

async fn done(streamed: &Streamed, outcome: &Outcome) -> Event {
    let kept = match &streamed.keep {
        None => None,
        Some(keep) => {
            let (app, scope) = (&streamed.app, &streamed.scope);
            let kept = completions::keep(app, scope, keep, outcome).await;
            if let Err(fault) = &kept {
                told(streamed.reader.id(), fault);
            }
            Some(kept)
        }
    };
    let recorded = streamed.recorded.as_deref();
    let view = OutcomeView::new(&streamed.reader, outcome, recorded, kept.as_ref());
    match view.render() {
        Ok(html) => {
            let said = outcome.answer.in_words();
            event("done", &json!({"html": html, "answer": said}))
        }
        Err(error) => {
            tracing::error!(error = %error, "template failed");
            event("failed", &json!("the page could not be made"))
        }
    }
}

/// The answer is under way already, so that the fault becomes a part of it.
fn told(project: ProjectId, fault: &Fault) {
    tracing::warn!(project = %project, "a run was not kept: {}", fault.message);
}
