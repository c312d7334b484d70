//! Pages of evaluators with made-up data.

use std::collections::HashMap;

use domain::annotation::Answer;
use domain::annotation::judge::against;
use domain::evaluator::{
    Evaluation, EvaluationState, Evaluator, EvaluatorDraft, Figures, Judge, LooksAt, Method, On,
    Rule, RuleKind, Scale, Sums,
};
use domain::score::{DataType, ScoreValue};
use domain::{EvaluatorId, Fault, LlmConnectionId, Nanos, SpanId, TraceId};
use service::evaluators::{Spent, Trial, Tried, Trouble};
use uuid::Uuid;

use super::data::{hostile_spans, now};
use super::{HOSTILE, Sample, sample};
use crate::extract::Reader;
use crate::pages::evaluators::{
    EvaluatorForm, EvaluatorPage, EvaluatorsPage, FormPage, Listed, Material,
};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let (judge, rule) = (judge(), rule());
    let listed: Listed = vec![
        (judge.clone(), figures()),
        (rule.clone(), Figures::default()),
    ];
    let agreement = HashMap::from([(judge.id, against(&pairs(), None))]);
    let empty = FormPage::new(reader, EvaluatorForm::empty(true), None, &[]);
    let wrong = Fault::invalid(HOSTILE).on_field("judge.prompt");
    let wrong = FormPage::new(reader, EvaluatorForm::empty(true), None, &[]).with_fault(&wrong);
    let tried = FormPage::new(
        reader,
        EvaluatorForm::of(&rule.draft),
        Some((rule.id, HOSTILE)),
        &[],
    );
    let tried = tried.with_trials(reader, &trials(), now());
    vec![
        sample(
            "evaluators",
            &EvaluatorsPage::new(reader, &listed, Some(&agreement)),
        ),
        sample(
            "evaluators-none",
            &EvaluatorsPage::new(reader, &Vec::new(), None),
        ),
        sample("evaluator", &show(reader, &judge, true)),
        sample("evaluator-new", &show(reader, &rule, false)),
        sample("evaluator-form", &empty),
        sample("evaluator-form-wrong", &wrong),
        sample("evaluator-form-tried", &tried),
    ]
}

fn show(reader: &Reader, evaluator: &Evaluator, is_at_work: bool) -> EvaluatorPage {
    let (figures, recent) = match is_at_work {
        true => (figures(), recent()),
        false => (Figures::default(), Vec::new()),
    };
    let against = against(&pairs(), None);
    let material = Material {
        evaluator,
        figures: &figures,
        recent: &recent,
        against: is_at_work.then_some(&against),
        connection: HOSTILE,
        now: now(),
    };
    EvaluatorPage::new(reader, &material)
}

fn evaluator(number: u128, draft: EvaluatorDraft) -> Evaluator {
    Evaluator {
        id: EvaluatorId(Uuid::from_u128(number)),
        draft,
        created_at: now(),
        updated_at: now(),
    }
}

fn judge() -> Evaluator {
    let draft = EvaluatorDraft {
        name: "Helpfulness".to_owned(),
        method: Method::Judge(Judge {
            connection: LlmConnectionId(Uuid::from_u128(1)),
            model: "gpt-4.1-mini".to_owned(),
            prompt: "How helpful is this answer?\n\n{{output}}".to_owned(),
        }),
        looks_at: LooksAt::RootSpans,
        filter: "environment:production".to_owned(),
        sample_rate: 0.1,
        score: Scale {
            name: "helpful".to_owned(),
            data_type: DataType::Numeric,
            labels: Vec::new(),
            min: Some(0.0),
            max: Some(1.0),
        },
        max_cost_per_day: "2.5".parse().ok(),
        is_enabled: true,
    };
    evaluator(71, draft)
}

fn rule() -> Evaluator {
    let draft = EvaluatorDraft {
        name: HOSTILE.to_owned(),
        method: Method::Rule(Rule {
            kind: RuleKind::Matches,
            on: On::Output,
            value: HOSTILE.to_owned(),
            min: None,
            max: None,
        }),
        looks_at: LooksAt::Generations,
        filter: HOSTILE.to_owned(),
        sample_rate: 1.0,
        score: Scale {
            name: HOSTILE.to_owned(),
            data_type: DataType::Boolean,
            labels: Vec::new(),
            min: None,
            max: None,
        },
        max_cost_per_day: None,
        is_enabled: false,
    };
    evaluator(72, draft)
}

fn figures() -> Figures {
    let week = Sums {
        scored: 4_812,
        failures: 7,
        skipped: 12,
        calls: 4_819,
        cost: "1.8431".parse().unwrap_or_default(),
        tokens: 3_210_000,
        latency_ms: Some(912.0),
        mean: Some(0.8123),
    };
    Figures {
        day: Sums {
            scored: 702,
            ..week
        },
        week,
        spent_today: "0.2741".parse().unwrap_or_default(),
        waiting: 3,
        held_until: Some(now().plus(Nanos::from_seconds(40))),
        last_error: format!("429: {HOSTILE}"),
        back: Some((
            now().minus(Nanos::from_seconds(600_000)),
            now().minus(Nanos::from_seconds(90_000)),
        )),
    }
}

fn pairs() -> Vec<(Answer, ScoreValue)> {
    let pair = |people: f64, judge: f64| (Answer::Number(people), ScoreValue::Numeric(judge));
    vec![
        pair(0.0, 0.1),
        pair(0.5, 0.7),
        pair(1.0, 0.9),
        pair(0.8, 0.8),
    ]
}

fn recent() -> Vec<Evaluation> {
    let one = |state, value: &str, words: &str| {
        Some(Evaluation {
            trace: TraceId::from_text("4bf92f3577b34da6a3ce929d0e0e4736").ok()?,
            span: SpanId::from_text("00f067aa0ba902b7").ok()?,
            state,
            tries: 1,
            tried_at: Some(now()),
            value: value.to_owned(),
            words: words.to_owned(),
            cost: "0.00038".parse().ok(),
            tokens: Some(612),
            latency_ms: Some(870.0),
        })
    };
    [
        one(
            EvaluationState::Scored,
            "0.9",
            "It answers the question and names the source.",
        ),
        one(EvaluationState::Failed, "", "the answer has no score"),
        one(EvaluationState::Skipped, "", "the span has no output"),
        one(EvaluationState::Waiting, "", HOSTILE),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn trials() -> Vec<Trial> {
    let result = |at: usize| match at % 4 {
        0 => Ok((
            ScoreValue::Boolean(true),
            "the output has the text".to_owned(),
        )),
        1 => Err(Trouble::Lacks("the span has no output".to_owned())),
        2 => Err(Trouble::Malformed(HOSTILE.to_owned())),
        _ => Err(Trouble::Failed(HOSTILE.to_owned())),
    };
    let spans = hostile_spans().into_iter().take(8).enumerate();
    let trial = |(at, span)| Trial {
        span,
        tried: Tried {
            result: result(at),
            spent: (at % 2 == 0).then(Spent::default),
        },
    };
    spans.map(trial).collect()
}
