//! An evaluator, and how it does.

use domain::Usd;
use domain::evaluator::{Evaluator, Figures, Method, Sums};
use serde::Serialize;

/// An evaluator, ready to be written.
#[derive(Serialize)]
pub(crate) struct EvaluatorRow<'a> {
    id: String,
    name: &'a str,
    kind: &'static str,
    enabled: bool,
    looks_at: &'static str,
    filter: &'a str,
    sample_rate: f64,
    score: Scale<'a>,
    judge: Option<Judge<'a>>,
    rule: Option<Rule<'a>>,
    max_cost_per_day: Option<Usd>,
    last_24_h: Did,
    last_7_d: Did,
    spent_today: Usd,
    waiting: u64,
    held_until: Option<String>,
    last_error: &'a str,
    backfill: Option<Stretch>,
    created_at: String,
    updated_at: String,
}

/// What is left to be looked at after the fact.
#[derive(Serialize)]
struct Stretch {
    from: String,
    to: String,
}

#[derive(Serialize)]
struct Scale<'a> {
    name: &'a str,
    data_type: &'static str,
    labels: &'a [String],
    min: Option<f64>,
    max: Option<f64>,
}

#[derive(Serialize)]
struct Judge<'a> {
    connection_id: String,
    model: &'a str,
    prompt: &'a str,
}

#[derive(Serialize)]
struct Rule<'a> {
    check: &'static str,
    on: &'static str,
    value: &'a str,
    min: Option<f64>,
    max: Option<f64>,
}

/// What it did within some time.
#[derive(Serialize)]
struct Did {
    scored: u64,
    failures: u64,
    skipped: u64,
    calls: u64,
    cost: Usd,
    tokens: u64,
    latency_ms: Option<f64>,
    mean: Option<f64>,
}

impl From<&Sums> for Did {
    fn from(sums: &Sums) -> Self {
        Did {
            scored: sums.scored,
            failures: sums.failures,
            skipped: sums.skipped,
            calls: sums.calls,
            cost: sums.cost,
            tokens: sums.tokens,
            latency_ms: sums.latency_ms,
            mean: sums.mean,
        }
    }
}

impl<'a> EvaluatorRow<'a> {
    /// Of an evaluator, with how it does.
    pub(crate) fn new(evaluator: &'a Evaluator, figures: &'a Figures) -> Self {
        let draft = &evaluator.draft;
        let (judge, rule) = match &draft.method {
            Method::Judge(judge) => {
                let judge = Judge {
                    connection_id: judge.connection.to_string(),
                    model: &judge.model,
                    prompt: &judge.prompt,
                };
                (Some(judge), None)
            }
            Method::Rule(rule) => {
                let rule = Rule {
                    check: rule.kind.as_str(),
                    on: rule.on.as_str(),
                    value: &rule.value,
                    min: rule.min,
                    max: rule.max,
                };
                (None, Some(rule))
            }
        };
        EvaluatorRow {
            id: evaluator.id.to_string(),
            name: &draft.name,
            kind: draft.method.name(),
            enabled: draft.is_enabled,
            looks_at: draft.looks_at.as_str(),
            filter: &draft.filter,
            sample_rate: draft.sample_rate,
            score: Scale {
                name: &draft.score.name,
                data_type: draft.score.data_type.as_str(),
                labels: &draft.score.labels,
                min: draft.score.min,
                max: draft.score.max,
            },
            judge,
            rule,
            max_cost_per_day: draft.max_cost_per_day,
            last_24_h: Did::from(&figures.day),
            last_7_d: Did::from(&figures.week),
            spent_today: figures.spent_today,
            waiting: figures.waiting,
            held_until: figures.held_until.map(|at| at.to_string()),
            last_error: &figures.last_error,
            backfill: figures.back.map(|(from, to)| Stretch {
                from: from.to_string(),
                to: to.to_string(),
            }),
            created_at: evaluator.created_at.to_string(),
            updated_at: evaluator.updated_at.to_string(),
        }
    }
}
