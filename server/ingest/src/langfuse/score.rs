use domain::score::{DataType, Score, ScoreSource, ScoreValue, Sent, Target};
use domain::{SpanId, Timestamp, TraceId};
use serde_json::{Map, Value as Json};

use super::body::environment_of;
use super::event::is_id;
use super::issue::Issue;

/// The name that every correction has: what it corrects is the output.
const CORRECTION_NAME: &str = "output";

/// How a score came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As the body of an event.
    Event,
    /// By itself, where evaluators do not send.
    Alone,
}

/// Reads a score. One without an id gets that of its event, so that the same event makes the same
/// score; one without a time is of the time of its event.
pub(super) fn read(
    fields: &Map<String, Json>,
    way: Way,
    (id_without, time): (&str, Timestamp),
) -> Result<Sent, Vec<Issue>> {
    let mut reading = Reading {
        fields,
        way,
        issues: Vec::new(),
    };
    let id = reading.text("id").filter(|id| !id.is_empty());
    if id.is_some_and(|id| !is_id(id)) {
        reading.issue("id", "must have at most 800 characters");
    }
    let data_type = reading.named("dataType", DataType::from_name);
    let source = reading.named("source", ScoreSource::from_name);
    if way == Way::Alone && source == Some(ScoreSource::Eval) {
        reading.issue("source", "must be API or ANNOTATION");
    }
    let value = ScoreValue::read(fields.get("value").unwrap_or(&Json::Null), data_type);
    let value = value.unwrap_or_else(|wrong| {
        reading.issue("value", wrong);
        ScoreValue::Numeric(0.0)
    });
    for field in ["value", "environment", "metadata"] {
        reading.refuse_nul(field);
    }
    let target = reading.target();
    let config_id = reading.text("configId").filter(|id| !id.is_empty());
    let name = match value {
        ScoreValue::Correction(_) => CORRECTION_NAME,
        _ => reading.text("name").unwrap_or_default(),
    };
    if name.is_empty() {
        reading.issue("name", "must not be empty");
    }
    if value.data_type() == DataType::Correction {
        let is_of_trace = matches!(target, None | Some(Target::Trace { .. }));
        if !is_of_trace {
            reading.issue("traceId", "a correction is of a trace or an observation");
        }
        if config_id.is_some() {
            reading.issue("configId", "a correction follows no configuration");
        }
    } else if source == Some(ScoreSource::Annotation) && config_id.is_none() {
        reading.issue("configId", "is needed where a person judged");
    }
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let score = Score {
        id: id.unwrap_or(id_without).to_owned(),
        name: name.to_owned(),
        value,
        source: source.unwrap_or_default(),
        time,
        environment: environment_of(fields.get("environment").unwrap_or(&Json::Null)),
        comment: owned(reading.text("comment")),
        metadata: metadata(fields.get("metadata")),
        config_id: owned(config_id),
        queue_id: owned(reading.text("queueId")),
        author_id: None,
        execution_trace_id: owned(reading.text("executionTraceId")),
        target: target.unwrap_or_else(|| Target::Session(String::new())),
    };
    if reading.issues.is_empty() {
        let typed = data_type.is_some();
        Ok(Sent { score, typed })
    } else {
        Err(reading.issues)
    }
}

impl Way {
    /// What is wrong with a field.
    pub(super) fn issue(self, field: &str, message: impl Into<String>) -> Issue {
        match self {
            Way::Event => Issue::new(&["body", field], message),
            Way::Alone => Issue::new(&[field], message),
        }
    }
}

fn metadata(given: Option<&Json>) -> String {
    match given {
        None | Some(Json::Null) => String::new(),
        Some(Json::Object(fields)) if fields.is_empty() => String::new(),
        Some(object @ Json::Object(_)) => object.to_string(),
        Some(other) => serde_json::json!({ "metadata": other }).to_string(),
    }
}

/// Whether a text somewhere within has a NUL character.
fn has_nul(value: &Json) -> bool {
    match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(has_nul),
        Json::Object(fields) => fields
            .iter()
            .any(|(key, value)| key.contains('\0') || has_nul(value)),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

struct Reading<'f> {
    fields: &'f Map<String, Json>,
    way: Way,
    issues: Vec<Issue>,
}

impl<'f> Reading<'f> {
    fn issue(&mut self, field: &str, message: &str) {
        self.issues.push(self.way.issue(field, message));
    }

    fn text(&mut self, field: &str) -> Option<&'f str> {
        let value = self.fields.get(field).filter(|value| !value.is_null())?;
        let text = value.as_str();
        match text {
            None => {
                let issue = match self.way {
                    Way::Event => Issue::of_type(&["body", field], "text"),
                    Way::Alone => Issue::of_type(&[field], "text"),
                };
                self.issues.push(issue);
            }
            Some(_) => self.refuse_nul(field),
        }
        text
    }

    fn refuse_nul(&mut self, field: &str) {
        if self.fields.get(field).is_some_and(has_nul) {
            self.issue(field, "must not contain NUL characters");
        }
    }

    fn named<T>(&mut self, field: &str, from_name: fn(&str) -> Option<T>) -> Option<T> {
        let name = self.text(field)?;
        let known = from_name(name);
        if known.is_none() {
            self.issue(field, "is not one of those that are known");
        }
        known
    }

    /// Exactly one thing is judged; an observation along with its trace.
    fn target(&mut self) -> Option<Target> {
        let mut of = |field| self.text(field).filter(|id| !id.is_empty());
        let (trace, session) = (of("traceId"), of("sessionId"));
        let (run, observation) = (of("datasetRunId"), of("observationId"));
        let target = match (trace, session, run) {
            (Some(trace), None, None) => {
                let observation = observation.map(SpanId::from_text).transpose();
                let ids = TraceId::from_text(trace).ok().zip(observation.ok());
                ids.map(|(trace_id, observation_id)| Target::Trace {
                    trace_id,
                    observation_id,
                })
            }
            (None, Some(session), None) if observation.is_none() => {
                Some(Target::Session(session.to_owned()))
            }
            (None, None, Some(run)) if observation.is_none() => {
                Some(Target::DatasetRun(run.to_owned()))
            }
            _ => None,
        };
        if target.is_none() {
            let message =
                "give one of traceId, sessionId and datasetRunId; observationId with traceId only";
            self.issue("traceId", message);
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(body: &Json) -> Result<Score, Vec<Issue>> {
        let without = ("event", Timestamp::EPOCH);
        let sent = read(body.as_object().unwrap(), Way::Event, without);
        sent.map(|sent| sent.score)
    }

    #[test]
    fn a_score_is_of_exactly_one_thing() {
        let good =
            json!({"name": "n", "value": 1, "traceId": "t", "observationId": "o", "metadata": [1]});
        let score = of(&good).unwrap();
        assert_eq!(score.id, "event");
        assert_eq!(score.metadata, r#"{"metadata":[1]}"#);
        for target in [
            json!({}),
            json!({"traceId": "t", "sessionId": "s"}),
            json!({"sessionId": "s", "observationId": "o"}),
            json!({"observationId": "o"}),
        ] {
            let mut body = json!({"name": "n", "value": 1});
            body.as_object_mut()
                .unwrap()
                .extend(target.as_object().unwrap().clone());
            assert!(of(&body).is_err(), "{target}");
        }
    }

    #[test]
    fn a_nul_character_is_refused_wherever_it_stands_and_its_field_is_named() {
        let good = json!({"name": "n", "value": "v", "traceId": "t"});
        assert!(of(&good).is_ok());
        for (field, value) in [
            ("id", json!("\0")),
            ("name", json!("n\0")),
            ("comment", json!("\0c")),
            ("value", json!("v\0")),
            ("environment", json!("\0")),
            ("queueId", json!("\0")),
            ("configId", json!("\0")),
            ("executionTraceId", json!("\0")),
            ("metadata", json!({"a": [{"b": "\0"}]})),
            ("metadata", json!({"\0": 1})),
            ("metadata", json!("\0")),
        ] {
            let mut body = good.clone();
            body[field] = value;
            let issues = of(&body).unwrap_err();
            let issues: Vec<Json> = issues.iter().map(|issue| json!(issue)).collect();
            let named = |issue: &Json| issue["path"] == json!(["body", field]);
            assert!(issues.iter().any(named), "{body:?}: {issues:?}");
        }
    }

    #[test]
    fn corrections_and_annotations_have_rules_of_their_own() {
        let correction =
            json!({"value": "right", "dataType": "CORRECTION", "traceId": "t", "name": "x"});
        assert_eq!(of(&correction).unwrap().name, "output");
        for wrong in [
            json!({"sessionId": "s"}),
            json!({"traceId": "t", "configId": "c"}),
        ] {
            let mut body = json!({"value": "right", "dataType": "CORRECTION"});
            body.as_object_mut()
                .unwrap()
                .extend(wrong.as_object().unwrap().clone());
            assert!(of(&body).is_err(), "{wrong}");
        }
        let judged = json!({"value": 1, "name": "n", "source": "EVAL", "traceId": "t"});
        let fields = judged.as_object().unwrap();
        assert!(read(fields, Way::Event, ("e", Timestamp::EPOCH)).is_ok());
        assert!(read(fields, Way::Alone, ("e", Timestamp::EPOCH)).is_err());
        let annotation = json!({"value": 1, "name": "n", "source": "ANNOTATION", "traceId": "t"});
        assert!(of(&annotation).is_err());
        let wrong = json!({"value": 2, "dataType": "BOOLEAN", "traceId": "t", "name": ""});
        assert_eq!(of(&wrong).unwrap_err().len(), 2);
        assert!(
            of(&json!({"value": 1, "dataType": "COLOUR", "traceId": "t", "name": "n"})).is_err()
        );
    }
}
