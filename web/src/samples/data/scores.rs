//! What judges the samples.

use domain::score::{Judgements, Score, ScoreSource, ScoreValue, Target};
use domain::{Span, SpanId};

use super::now;
use crate::samples::HOSTILE;

/// Scores of every kind for a trace and for the span that is looked at; hostile where the span is.
pub(in crate::samples) fn judgements(span: Option<&Span>) -> Judgements {
    let Some(span) = span else {
        return Judgements::default();
    };
    let label = |label: &str| ScoreValue::Categorical {
        label: label.to_owned(),
        number: 0.0,
    };
    let is_hostile = span.span_id.as_str() == "hostile";
    let (name, words) = match is_hostile {
        true => (HOSTILE, HOSTILE),
        false => (
            "grounded",
            "Each sentence is found in policy-B4 or kb-2207.",
        ),
    };
    let own = Some(&span.span_id);
    let api = ScoreSource::Api;
    Judgements::new(vec![
        score(
            span,
            own,
            (name, ScoreValue::Numeric(0.92)),
            (ScoreSource::Eval, Some(words)),
        ),
        score(
            span,
            own,
            ("resolved", ScoreValue::Boolean(false)),
            (api, None),
        ),
        score(
            span,
            own,
            (
                "output",
                ScoreValue::Correction(format!("We pay 146 EUR. {words}")),
            ),
            (ScoreSource::Annotation, None),
        ),
        score(
            span,
            None,
            ("user-feedback", ScoreValue::Boolean(true)),
            (api, Some("👍")),
        ),
        score(span, None, ("topic", label("refund")), (api, None)),
        score(
            span,
            None,
            ("helpfulness", ScoreValue::Numeric(4.0)),
            (api, None),
        ),
        score(
            span,
            None,
            ("tone", label("calm")),
            (ScoreSource::Annotation, None),
        ),
    ])
}

fn score(
    span: &Span,
    observation_id: Option<&SpanId>,
    (name, value): (&str, ScoreValue),
    (source, comment): (ScoreSource, Option<&str>),
) -> Score {
    Score {
        id: name.to_owned(),
        target: Target::Trace {
            trace_id: span.trace_id.clone(),
            observation_id: observation_id.cloned(),
        },
        name: name.to_owned(),
        value,
        source,
        time: now(),
        environment: span.environment.clone(),
        comment: comment.map(str::to_owned),
        metadata: String::new(),
        config_id: None,
        queue_id: None,
        author_id: None,
        execution_trace_id: None,
    }
}
