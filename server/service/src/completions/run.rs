//! One run: sent, read while the answer comes, ended. Who drops it ends the request.

use std::collections::VecDeque;
use std::time::Duration;

use domain::llm_connection::{Adapter, LlmConnection};
use domain::tenancy::Permission;
use domain::{Fault, Nanos, Timestamp};
use http::header::CONTENT_TYPE;
use tokio::time::Instant;

use super::ask::Ask;
use super::assembly::{Assembled, Call, Delta};
use super::outcome::{Measured, Outcome};
use super::places::Place;
use super::sse::Events;
use super::{anthropic, openai, target};
use crate::app::App;
use crate::llm_connections::{self, Credentials};
use crate::outbound::{Limits, Outgoing, Streamed};
use crate::prices;
use crate::scope::ProjectScope;

/// What an answer may cost.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(300),
    answer_bytes: 8 << 20,
};
/// Most bytes that are read of an answer that is none.
const REFUSAL_BYTES: usize = 64 << 10;

/// What is told of a run, in order.
#[derive(Debug)]
pub enum Told {
    /// More words.
    Text(String),
    /// More thoughts.
    Reasoning(String),
    /// More of the call of a tool: with a name where it begins.
    Call(Call),
    /// The answer is whole.
    Done(Box<Outcome>),
    /// There is none, and why; text of another server, to be shown as text.
    Failed(String),
}

/// A run.
pub struct Run {
    app: App,
    scope: ProjectScope,
    ask: Ask,
    connection: LlmConnection,
    credentials: Credentials,
    state: State,
    waiting: VecDeque<Told>,
    answer: Assembled,
    started: Timestamp,
    begun: Instant,
    first: Option<Nanos>,
    _place: Place,
}

enum State {
    Unsent(Box<Outgoing>),
    Open(Box<Open>),
    Over,
}

/// An answer that comes.
struct Open {
    streamed: Streamed,
    events: Events,
    /// What came of an answer that is not in events.
    whole: Option<Vec<u8>>,
}

/// Begins a run; needs `RunModels`. It is sent when it is first asked for what it tells.
///
/// # Errors
/// `forbidden`; `invalid` on a field; `not_found` without the connection; `too_many` when too many run;
/// `unavailable` without Postgres.
pub async fn start(app: &App, scope: &ProjectScope, ask: Ask) -> Result<Run, Fault> {
    scope.require(Permission::RunModels)?;
    ask.check()?;
    let (connection, credentials) = llm_connections::open(app, scope, ask.connection).await?;
    let outgoing = target::outgoing((&connection, &credentials), &ask)?;
    let place = app.completions().take(scope.project_id())?;
    Ok(Run {
        app: app.clone(),
        scope: *scope,
        ask,
        connection,
        credentials,
        state: State::Unsent(Box::new(outgoing)),
        waiting: VecDeque::new(),
        answer: Assembled::default(),
        started: app.clock().now(),
        begun: Instant::now(),
        first: None,
        _place: place,
    })
}

impl Run {
    /// What comes next; `None` after the end.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.waiting.pop_front() {
                return Some(told);
            }
            let taken = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return None,
                State::Unsent(outgoing) => self.send(*outgoing).await,
                State::Open(open) => self.read(open).await,
            };
            if let Err(words) = taken {
                self.state = State::Over;
                let shown = target::shown(&words, &self.credentials);
                self.waiting.push_back(Told::Failed(shown));
            }
        }
    }

    async fn send(&mut self, outgoing: Outgoing) -> Result<(), String> {
        self.started = self.app.clock().now();
        self.begun = Instant::now();
        let opened = self.app.outbound().open(outgoing, LIMITS).await;
        let mut streamed = opened.map_err(|error| error.to_string())?;
        if !streamed.status.is_success() {
            let mut body = Vec::new();
            while let Ok(Some(piece)) = streamed.next().await {
                body.extend_from_slice(&piece);
                if body.len() > REFUSAL_BYTES {
                    break;
                }
            }
            return Err(target::refusal(streamed.status, &body));
        }
        let kind = streamed.headers.get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        self.state = State::Open(Box::new(Open {
            whole: (!kind.starts_with("text/event-stream")).then(Vec::new),
            events: Events::default(),
            streamed,
        }));
        Ok(())
    }

    async fn read(&mut self, mut open: Box<Open>) -> Result<(), String> {
        let piece = open.streamed.next().await;
        let piece = piece.map_err(|error| error.to_string())?;
        let data = match (&piece, &mut open.whole) {
            (Some(bytes), None) => open.events.take(bytes),
            (Some(bytes), Some(whole)) => {
                whole.extend_from_slice(bytes);
                Vec::new()
            }
            (None, None) => open.events.end().into_iter().collect(),
            (None, Some(whole)) => vec![String::from_utf8_lossy(whole).into_owned()],
        };
        for data in data {
            if self.take(&data)? {
                return self.finish().await;
            }
        }
        if piece.is_none() {
            match &open.whole {
                // It came at once: when it began says nothing.
                Some(_) => self.first = None,
                None if self.answer.finish_reason.is_none() && !self.answer.is_empty() => {
                    return Err("the answer broke off".to_owned());
                }
                None => {}
            }
            return self.finish().await;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Takes the data of an event; whether it was the last.
    fn take(&mut self, data: &str) -> Result<bool, String> {
        let deltas = match self.connection.adapter {
            Adapter::Anthropic => anthropic::read(data, self.ask.schema.is_some()),
            _ => openai::read(data),
        };
        for delta in deltas {
            self.answer.take(&delta);
            let told = match delta {
                Delta::Text(text) if text.is_empty() => continue,
                Delta::Reasoning(text) if text.is_empty() => continue,
                Delta::Text(text) => Told::Text(text),
                Delta::Reasoning(text) => Told::Reasoning(text),
                Delta::Call {
                    id,
                    name,
                    arguments,
                    ..
                } => Told::Call(Call {
                    id: id.unwrap_or_default(),
                    name: name.unwrap_or_default(),
                    arguments,
                }),
                Delta::Failed(words) => return Err(words),
                Delta::End => return Ok(true),
                Delta::Finish(_) | Delta::Tokens(_) | Delta::Model(_) | Delta::Id(_) => continue,
            };
            self.first.get_or_insert_with(|| elapsed(self.begun));
            self.waiting.push_back(told);
        }
        Ok(false)
    }

    async fn finish(&mut self) -> Result<(), String> {
        let latency = elapsed(self.begun);
        if self.answer.is_empty() && self.answer.finish_reason.is_none() {
            return Err("the provider sent nothing that is an answer of this interface".to_owned());
        }
        let pricer = prices::of_project(&self.app, &self.scope).await;
        let measured = Measured {
            started: self.started,
            latency,
            first: self.first,
        };
        let answer = std::mem::take(&mut self.answer);
        let outcome = Outcome::new(
            (&self.connection, &self.ask),
            answer,
            measured,
            pricer.as_deref(),
        );
        self.waiting.push_back(Told::Done(Box::new(outcome)));
        Ok(())
    }
}

fn elapsed(since: Instant) -> Nanos {
    Nanos(u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
