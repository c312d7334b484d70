//! A score, in the shape of the first two versions and in that of the third.

use domain::ProjectId;
use domain::score::{DataType, Score, ScoreValue, Target};
use domain::trace::TraceSummary;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::langfuse::time::Millis;

/// A score, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScoreShape<'a> {
    id: &'a str,
    project_id: String,
    name: &'a str,
    data_type: &'static str,
    source: &'static str,
    timestamp: Millis,
    created_at: Millis,
    updated_at: Millis,
    environment: &'a str,
    metadata: Value,
    trace_id: Option<&'a str>,
    session_id: Option<&'a str>,
    dataset_run_id: Option<&'a str>,
    observation_id: Option<&'a str>,
    author_user_id: Option<&'a str>,
    comment: Option<&'a str>,
    config_id: Option<&'a str>,
    queue_id: Option<&'a str>,
    execution_trace_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    string_value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Option<TraceShape<'a>>>,
}

/// What is said of the trace that a score judges.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceShape<'a> {
    user_id: Option<&'a str>,
    tags: &'a [String],
    environment: &'a str,
    session_id: Option<&'a str>,
}

impl<'a> ScoreShape<'a> {
    /// A score of a project.
    pub(crate) fn new(score: &'a Score, project: ProjectId) -> Self {
        let value = (score.value.data_type() != DataType::Text).then(|| score.value.number());
        let (session_id, dataset_run_id) = match &score.target {
            Target::Session(id) => (Some(id.as_str()), None),
            Target::DatasetRun(id) => (None, Some(id.as_str())),
            Target::Trace { .. } => (None, None),
        };
        ScoreShape {
            id: &score.id,
            project_id: project.to_string(),
            name: &score.name,
            data_type: score.value.data_type().as_str(),
            source: score.source.as_str(),
            timestamp: Millis(score.time),
            created_at: Millis(score.time),
            updated_at: Millis(score.time),
            environment: &score.environment,
            metadata: metadata(score),
            trace_id: score.trace_id().map(domain::TraceId::as_str),
            session_id,
            dataset_run_id,
            observation_id: score.observation_id().map(domain::SpanId::as_str),
            author_user_id: score.author_id.as_deref(),
            comment: score.comment.as_deref(),
            config_id: score.config_id.as_deref(),
            queue_id: score.queue_id.as_deref(),
            execution_trace_id: score.execution_trace_id.as_deref(),
            value,
            string_value: score.value.words(),
            trace: None,
        }
    }

    /// With what is known of the trace; null where there is none.
    pub(crate) fn with_trace(mut self, trace: Option<&'a TraceSummary>) -> Self {
        self.trace = Some(trace.map(|trace| TraceShape {
            user_id: trace.user_id.as_deref(),
            tags: &trace.tags,
            environment: &trace.environment,
            session_id: trace.session_id.as_deref(),
        }));
        self
    }
}

/// Which groups of fields the third version gives beside the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups {
    /// Comment, configuration, metadata.
    pub(crate) details: bool,
    /// What is judged.
    pub(crate) subject: bool,
    /// Who judged, in which queue.
    pub(crate) annotation: bool,
}

/// A score in the third version, ready to be written.
pub(crate) fn v3(score: &Score, project: ProjectId, groups: Groups) -> Map<String, Value> {
    let time = serde_json::to_value(Millis(score.time)).unwrap_or_default();
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    put("id", score.id.as_str().into());
    put("projectId", project.to_string().into());
    put("name", score.name.as_str().into());
    put("source", score.source.as_str().into());
    put("timestamp", time.clone());
    put("environment", score.environment.as_str().into());
    put("createdAt", time.clone());
    put("updatedAt", time);
    put("dataType", score.value.data_type().as_str().into());
    let value = match &score.value {
        ScoreValue::Numeric(number) => (*number).into(),
        ScoreValue::Boolean(yes) => (*yes).into(),
        ScoreValue::Categorical { label: words, .. }
        | ScoreValue::Text(words)
        | ScoreValue::Correction(words) => words.as_str().into(),
    };
    put("value", value);
    if groups.details {
        put("comment", score.comment.as_deref().into());
        put("configId", score.config_id.as_deref().into());
        put("metadata", metadata(score));
    }
    if groups.subject {
        put("subject", subject(&score.target));
    }
    if groups.annotation {
        put("authorUserId", score.author_id.as_deref().into());
        put("queueId", score.queue_id.as_deref().into());
    }
    fields
}

fn subject(target: &Target) -> Value {
    let (kind, id) = match target {
        Target::Trace {
            trace_id,
            observation_id: Some(observation_id),
        } => {
            return serde_json::json!({
                "kind": "observation",
                "id": observation_id.as_str(),
                "traceId": trace_id.as_str(),
            });
        }
        Target::Trace { trace_id, .. } => ("trace", trace_id.as_str()),
        Target::Session(id) => ("session", id.as_str()),
        Target::DatasetRun(id) => ("experiment", id.as_str()),
    };
    serde_json::json!({ "kind": kind, "id": id })
}

/// Always an object.
fn metadata(score: &Score) -> Value {
    let object = serde_json::from_str(&score.metadata).ok();
    let object = object.filter(Value::is_object);
    object.unwrap_or_else(|| Value::Object(Map::new()))
}
