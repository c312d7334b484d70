use domain::Timestamp;
use serde_json::{Map, Value as Json};

use super::issue::Issue;
use super::usage;

/// Longest name of a trace, in characters.
const MAX_NAME_CHARS: usize = 1_000;
/// Most keys of metadata that are kept apart.
const MAX_METADATA_KEYS: usize = 1_000;

const TRACE_TEXTS: &[&str] = &["id", "name", "sessionId", "userId", "release", "version"];
const OBSERVATION_TEXTS: &[&str] = &[
    "id",
    "traceId",
    "name",
    "statusMessage",
    "parentObservationId",
    "version",
    "model",
    "promptName",
];
/// What the id of a trace's own row begins with; its id follows.
pub(super) const OF_TRACE_ITSELF: &str = "trace-";
/// Longest id of a trace or observation, in bytes.
const MAX_ID_BYTES: usize = 240;
/// What is said of one that cannot be stored.
pub(super) const BAD_ID: &str = "must be a text of 1 to 240 bytes without control characters";

/// Whether a trace or observation can be stored under an id.
pub(super) fn is_stored_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control)
}

const TIMES: &[&str] = &["timestamp", "startTime", "endTime", "completionStartTime"];
const LEVELS: [&str; 4] = ["DEBUG", "DEFAULT", "WARNING", "ERROR"];

/// The fields of a trace that are kept.
pub(super) fn trace(fields: &Map<String, Json>) -> Result<Map<String, Json>, Vec<Issue>> {
    let mut reading = Reading::new(fields);
    reading.texts(TRACE_TEXTS);
    reading.times();
    reading.take("public", Json::is_boolean, "boolean");
    reading.take("tags", is_texts, "list of texts");
    reading.contents();
    let name = reading.body.get("name").and_then(Json::as_str);
    if name.is_some_and(|name| name.chars().count() > MAX_NAME_CHARS) {
        let message = "must have at most 1000 characters";
        reading.issues.push(Issue::new(&["body", "name"], message));
    }
    reading.done()
}

/// The fields of an observation that are kept.
pub(super) fn observation(fields: &Map<String, Json>) -> Result<Map<String, Json>, Vec<Issue>> {
    let mut reading = Reading::new(fields);
    reading.texts(OBSERVATION_TEXTS);
    reading.times();
    reading.ids();
    reading.take("promptVersion", Json::is_u64, "whole number");
    reading.take("modelParameters", Json::is_object, "object");
    let is_level = |value: &Json| value.as_str().is_some_and(|text| LEVELS.contains(&text));
    reading.take("level", is_level, "DEBUG, DEFAULT, WARNING or ERROR");
    reading.contents();
    let named = |field| {
        reading
            .body
            .get(field)
            .is_some_and(|value| !value.is_null())
    };
    if named("promptName") != named("promptVersion") {
        let message = "promptName and promptVersion go together";
        reading
            .issues
            .push(Issue::new(&["body", "promptName"], message));
    }
    usage::take(fields, &mut reading.body);
    reading.done()
}

struct Reading<'f> {
    fields: &'f Map<String, Json>,
    body: Map<String, Json>,
    issues: Vec<Issue>,
}

impl<'f> Reading<'f> {
    fn new(fields: &'f Map<String, Json>) -> Self {
        Reading {
            fields,
            body: Map::new(),
            issues: Vec::new(),
        }
    }

    /// Keeps a field that is given, when it is `null` or as it should be.
    fn take(&mut self, name: &str, is_good: impl Fn(&Json) -> bool, expected: &str) {
        let Some(value) = self.fields.get(name) else {
            return;
        };
        if value.is_null() || is_good(value) {
            self.body.insert(name.to_owned(), value.clone());
        } else {
            self.issues.push(Issue::of_type(&["body", name], expected));
        }
    }

    fn texts(&mut self, names: &[&str]) {
        for name in names {
            self.take(name, Json::is_string, "text");
        }
    }

    /// Ids of other things, and one that is kept for the trace itself.
    fn ids(&mut self) {
        for name in ["traceId", "parentObservationId"] {
            let id = self
                .body
                .get(name)
                .and_then(Json::as_str)
                .unwrap_or_default();
            if !id.is_empty() && !is_stored_id(id) {
                self.issues.push(Issue::new(&["body", name], BAD_ID));
            }
        }
        let text = |name: &str| self.body.get(name).and_then(Json::as_str);
        let named = text("id").and_then(|id| id.strip_prefix(OF_TRACE_ITSELF));
        if named.is_some() && named == text("traceId") {
            let message = "is the id of the trace itself";
            self.issues.push(Issue::new(&["body", "id"], message));
        }
    }

    fn times(&mut self) {
        let is_time = |value: &Json| {
            let text = value.as_str();
            text.is_some_and(|text| Timestamp::parse(text).is_ok())
        };
        for name in TIMES {
            self.take(name, is_time, "time of ISO 8601 with its zone");
        }
    }

    /// Fields that may hold anything.
    fn contents(&mut self) {
        for name in ["input", "output"] {
            self.take(name, |_| true, "");
        }
        if let Some(metadata) = self.fields.get("metadata") {
            self.body.insert("metadata".to_owned(), few_keys(metadata));
        }
        if let Some(environment) = self.fields.get("environment") {
            let environment = environment_of(environment).into();
            self.body.insert("environment".to_owned(), environment);
        }
    }

    fn done(self) -> Result<Map<String, Json>, Vec<Issue>> {
        if self.issues.is_empty() {
            Ok(self.body)
        } else {
            Err(self.issues)
        }
    }
}

fn is_texts(value: &Json) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| items.iter().all(Json::is_string))
}

/// Metadata of very many keys becomes the value of one.
fn few_keys(metadata: &Json) -> Json {
    match metadata.as_object() {
        Some(fields) if fields.len() > MAX_METADATA_KEYS => {
            serde_json::json!({ "metadata": metadata.to_string() })
        }
        _ => metadata.clone(),
    }
}

/// Lower case, without the prefix that is reserved, at most 40 characters; what is not a name then is
/// the default environment.
pub(super) fn environment_of(value: &Json) -> String {
    const RESERVED: &str = "langfuse";
    let lower = value.as_str().unwrap_or_default().to_lowercase();
    let mut name = lower.as_str();
    while let Some(rest) = name.strip_prefix(RESERVED) {
        name = rest.strip_prefix(['-', '_']).unwrap_or(rest);
    }
    let name: String = name.chars().take(40).collect();
    let is_good = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
    };
    if !name.is_empty() && name.bytes().all(is_good) {
        name
    } else {
        domain::span::DEFAULT_ENVIRONMENT.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn environments_are_put_right() {
        let table = [
            (json!("Production"), "production"),
            (json!("langfuse-langfuse_staging"), "staging"),
            (json!("langfuse"), "default"),
            (json!("a b"), "default"),
            (json!(7), "default"),
            (json!("x".repeat(50)), &"x".repeat(40)),
        ];
        for (given, expected) in table {
            assert_eq!(environment_of(&given), expected, "{given}");
        }
    }

    #[test]
    fn fields_of_another_type_are_told() {
        let body = json!({
            "id": 1, "startTime": "yesterday", "level": "LOUD", "promptName": "p",
            "modelParameters": [], "metadata": 3, "input": null,
        });
        let issues = observation(body.as_object().unwrap()).unwrap_err();
        assert_eq!(issues.len(), 5, "{issues:?}");
        let body = json!({"tags": ["a", 1], "public": "yes", "name": "n".repeat(1_001)});
        assert_eq!(trace(body.as_object().unwrap()).unwrap_err().len(), 3);
    }

    #[test]
    fn metadata_of_very_many_keys_is_one_text() {
        let many: Map<String, Json> = (0..2_000).map(|key| (key.to_string(), json!(1))).collect();
        let body = json!({ "metadata": many });
        let kept = trace(body.as_object().unwrap()).unwrap();
        assert!(kept["metadata"]["metadata"].is_string());
    }
}
