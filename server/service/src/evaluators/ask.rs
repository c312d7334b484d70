//! One span is scored: by a rule, or by a model.

use std::time::Duration;

use domain::evaluator::{Compiled, EvaluatorDraft, Judge, Material, Method, Scale};
use domain::message::{Message, Part, Role};
use domain::score::ScoreValue;
use domain::{Code, Fault, Span, Usd};
use serde_json::Map;

use crate::app::App;
use crate::completions::{self, Ask, Outcome, Told};
use crate::scope::ProjectScope;

/// How long a model may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a call of a model took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// US dollars; `None`: not known.
    pub cost: Option<Usd>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// From the request to the last byte, milliseconds.
    pub latency_ms: Option<f64>,
}

/// Why a span got no score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It lacks what is asked about.
    Lacks(String),
    /// The answer is no judgement.
    Malformed(String),
    /// There is no answer; words of another server, to be shown as text.
    Failed(String),
    /// It was not asked, for there was no room.
    Busy,
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The score and why, or why there is none.
    pub result: Result<(ScoreValue, String), Trouble>,
    /// What it took, where a model was asked.
    pub spent: Option<Spent>,
}

/// How spans are scored, ready to be done many times.
pub(super) struct Asker<'d> {
    draft: &'d EvaluatorDraft,
    rule: Option<Compiled>,
}

impl<'d> Asker<'d> {
    /// Of a draft.
    ///
    /// # Errors
    /// `invalid` when its rule cannot be asked.
    pub(super) fn new(draft: &'d EvaluatorDraft) -> Result<Self, Fault> {
        let rule = match &draft.method {
            Method::Judge(_) => None,
            Method::Rule(rule) => Some(rule.compiled()?),
        };
        Ok(Asker { draft, rule })
    }

    /// Scores a span.
    pub(super) async fn ask(&self, app: &App, scope: &ProjectScope, span: &Span) -> Tried {
        let material = Material::of(span);
        match (&self.draft.method, &self.rule) {
            (Method::Judge(asked), _) => {
                judge(app, scope, (asked, &self.draft.score), &material).await
            }
            (Method::Rule(_), Some(rule)) => {
                let said = rule.ask(&material);
                let said = said.map(|(passes, why)| (ScoreValue::Boolean(passes), why));
                Tried::without_call(said.map_err(Trouble::Lacks))
            }
            (Method::Rule(_), None) => Tried::without_call(Err(Trouble::Busy)),
        }
    }
}

impl Tried {
    pub(super) fn without_call(result: Result<(ScoreValue, String), Trouble>) -> Self {
        Tried {
            result,
            spent: None,
        }
    }

    fn failed(words: String) -> Self {
        Tried {
            result: Err(Trouble::Failed(words)),
            spent: Some(Spent::default()),
        }
    }
}

async fn judge(
    app: &App,
    scope: &ProjectScope,
    (judge, scale): (&Judge, &Scale),
    material: &Material,
) -> Tried {
    let prompt = match judge.filled(material, scale) {
        Ok(prompt) => prompt,
        Err(lacking) => return Tried::without_call(Err(Trouble::Lacks(lacking))),
    };
    let words = Part::Text { content: prompt };
    let ask = Ask {
        connection: judge.connection,
        model: judge.model.clone(),
        messages: vec![Message::new(Role::User, vec![words])],
        tools: Vec::new(),
        schema: Some(scale.schema()),
        parameters: Map::new(),
    };
    match tokio::time::timeout(PATIENCE, completed(app, scope, ask)).await {
        Ok(Ok(Ok(outcome))) => judged(&outcome, scale),
        Ok(Ok(Err(words))) => Tried::failed(words),
        Ok(Err(fault)) => match fault.code {
            // Neither is the fault of what is asked.
            Code::TooMany | Code::Unavailable => Tried::without_call(Err(Trouble::Busy)),
            _ => Tried::failed(fault.message),
        },
        Err(_) => Tried::failed(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}

/// The answer of a model, or the words in which there is none.
async fn completed(
    app: &App,
    scope: &ProjectScope,
    ask: Ask,
) -> Result<Result<Box<Outcome>, String>, Fault> {
    let mut run = completions::start(app, scope, ask).await?;
    loop {
        match run.next().await {
            Some(Told::Done(outcome)) => return Ok(Ok(outcome)),
            Some(Told::Failed(words)) => return Ok(Err(words)),
            Some(_) => {}
            None => return Ok(Err("the answer has no end".to_owned())),
        }
    }
}

fn judged(outcome: &Outcome, scale: &Scale) -> Tried {
    let span = &outcome.span;
    let spent = Spent {
        cost: span.cost.as_ref().and_then(|cost| cost.total),
        tokens: span.usage.as_ref().and_then(|usage| usage.total_tokens),
        latency_ms: span.latency().map(domain::Nanos::as_millis_f64),
    };
    let read = scale.read(&outcome.answer.text);
    Tried {
        result: read.map_err(Trouble::Malformed),
        spent: Some(spent),
    }
}
