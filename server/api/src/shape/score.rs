//! A score.

use domain::score::{Score, ScoreValue};
use serde::Serialize;

use super::text::TextOrJson;

/// A score of a trace or a span, ready to be written.
#[derive(Serialize)]
pub(crate) struct ScoreShape<'a> {
    score_id: &'a str,
    /// The span that is judged; null where the trace as a whole is.
    span_id: Option<&'a str>,
    name: &'a str,
    data_type: &'static str,
    value: Value<'a>,
    /// Of a label the number that stands for it.
    number: Option<f64>,
    source: &'static str,
    time: String,
    environment: &'a str,
    comment: Option<&'a str>,
    metadata: TextOrJson<'a>,
    config_id: Option<&'a str>,
    author_id: Option<&'a str>,
    execution_trace_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value<'a> {
    Number(f64),
    Flag(bool),
    Words(&'a str),
}

impl<'a> From<&'a Score> for ScoreShape<'a> {
    fn from(score: &'a Score) -> Self {
        let (value, number) = match &score.value {
            ScoreValue::Numeric(number) => (Value::Number(*number), None),
            ScoreValue::Boolean(yes) => (Value::Flag(*yes), None),
            ScoreValue::Categorical { label, number } => (Value::Words(label), Some(*number)),
            ScoreValue::Text(words) | ScoreValue::Correction(words) => (Value::Words(words), None),
        };
        let metadata = match score.metadata.as_str() {
            "" => "{}",
            object => object,
        };
        ScoreShape {
            score_id: &score.id,
            span_id: score.observation_id().map(domain::SpanId::as_str),
            name: &score.name,
            data_type: score.value.data_type().as_str(),
            value,
            number,
            source: score.source.as_str(),
            time: score.time.to_string(),
            environment: &score.environment,
            comment: score.comment.as_deref(),
            metadata: TextOrJson::from_json(metadata),
            config_id: score.config_id.as_deref(),
            author_id: score.author_id.as_deref(),
            execution_trace_id: score.execution_trace_id.as_deref(),
        }
    }
}
