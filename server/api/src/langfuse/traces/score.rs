//! Scores of a trace, as they stand within it.

use domain::score::{DataType, Score, ScoreValue, Target};
use serde::Serialize;

use crate::langfuse::content::decoded;
use crate::langfuse::time::Millis;
use crate::shape::TextOrJson;

/// A score, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScoreShape<'a> {
    id: &'a str,
    trace_id: &'a str,
    observation_id: Option<&'a str>,
    name: &'a str,
    source: &'static str,
    data_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    string_value: Option<&'a str>,
    timestamp: Millis,
    created_at: Millis,
    updated_at: Millis,
    author_user_id: Option<&'a str>,
    comment: Option<&'a str>,
    metadata: Option<TextOrJson<'a>>,
    config_id: Option<&'a str>,
    queue_id: Option<&'a str>,
    environment: &'a str,
}

impl<'a> ScoreShape<'a> {
    /// Of a score of a trace or an observation; this version of the API does not know corrections.
    pub(super) fn new(score: &'a Score) -> Option<Self> {
        let Target::Trace {
            trace_id,
            observation_id,
        } = &score.target
        else {
            return None;
        };
        let data_type = score.value.data_type();
        if data_type == DataType::Correction {
            return None;
        }
        let is_text = matches!(score.value, ScoreValue::Text(_));
        Some(ScoreShape {
            id: &score.id,
            trace_id: trace_id.as_str(),
            observation_id: observation_id.as_ref().map(domain::SpanId::as_str),
            name: &score.name,
            source: score.source.as_str(),
            data_type: data_type.as_str(),
            value: Some(score.value.number()).filter(|_| !is_text),
            string_value: score.value.words(),
            timestamp: Millis(score.time),
            created_at: Millis(score.time),
            updated_at: Millis(score.time),
            author_user_id: score.author_id.as_deref(),
            comment: score.comment.as_deref(),
            metadata: decoded(Some(&score.metadata)),
            config_id: score.config_id.as_deref(),
            queue_id: score.queue_id.as_deref(),
            environment: &score.environment,
        })
    }
}
