use domain::Timestamp;
use domain::change::{Change, Subject};
use domain::score::Sent;
use serde_json::{Map, Value as Json};

use super::body;
use super::issue::Issue;
use super::score::{self, Way};

/// Longest id of an event, trace or observation, in characters.
const MAX_ID_CHARS: usize = 800;

/// What an event says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// Something about an observation or a trace.
    Change(Change),
    /// A judgement.
    Score(Box<Sent>),
    /// Nothing that is kept: a client's own log, or a change of nothing.
    Nothing,
}

/// A type of events and what it is about.
struct Type {
    name: &'static str,
    subject: Subject,
    /// Type of the observation; `None` where the body tells it.
    kind: Option<&'static str>,
    is_update: bool,
}

const fn observation(name: &'static str, kind: &'static str, is_update: bool) -> Type {
    Type {
        name,
        subject: Subject::Observation,
        kind: Some(kind),
        is_update,
    }
}

const TYPES: [Type; 15] = [
    Type {
        name: "trace-create",
        subject: Subject::Trace,
        kind: Some(""),
        is_update: false,
    },
    observation("span-create", "span", false),
    observation("span-update", "span", true),
    observation("generation-create", "generation", false),
    observation("generation-update", "generation", true),
    observation("event-create", "event", false),
    observation("agent-create", "agent", false),
    observation("tool-create", "tool", false),
    observation("chain-create", "chain", false),
    observation("retriever-create", "retriever", false),
    observation("evaluator-create", "evaluator", false),
    observation("embedding-create", "embedding", false),
    observation("guardrail-create", "guardrail", false),
    Type {
        name: "observation-create",
        subject: Subject::Observation,
        kind: None,
        is_update: false,
    },
    Type {
        name: "observation-update",
        subject: Subject::Observation,
        kind: None,
        is_update: true,
    },
];

/// The type of scores.
const SCORE: &str = "score-create";

/// Reads one event.
pub(super) fn read(event: &Json) -> Result<Event, Vec<Issue>> {
    let mut issues = Vec::new();
    let Some(event) = event.as_object() else {
        return Err(vec![Issue::of_type(&[], "object")]);
    };
    let event_id = id_of(event, &mut issues);
    let time = time_of(event, &mut issues);
    let name = event.get("type").and_then(Json::as_str).unwrap_or_default();
    let known = TYPES.iter().find(|known| known.name == name);
    if known.is_none() && !["sdk-log", SCORE].contains(&name) {
        issues.push(Issue::new(&["type"], "unknown type of event"));
    }
    let Some(fields) = event.get("body").and_then(Json::as_object) else {
        issues.push(Issue::of_type(&["body"], "object"));
        return Err(issues);
    };
    if !issues.is_empty() {
        return Err(issues);
    }
    if name == SCORE {
        let sent = score::read(fields, Way::Event, (&event_id, time))?;
        return Ok(Event::Score(Box::new(sent)));
    }
    let Some(known) = known else {
        return Ok(Event::Nothing);
    };
    let body = match known.subject {
        Subject::Trace => body::trace(fields)?,
        Subject::Observation => body::observation(fields)?,
    };
    let Some(id) = subject_id(known, &body)? else {
        return Ok(Event::Nothing);
    };
    let kind = match known.kind {
        Some(kind) => kind.to_owned(),
        None => legacy_kind(fields)?,
    };
    Ok(Event::Change(Change {
        subject: known.subject,
        id,
        time,
        place: 0,
        is_update: known.is_update,
        event_id,
        kind,
        body,
    }))
}

fn id_of(event: &Map<String, Json>, issues: &mut Vec<Issue>) -> String {
    match event.get("id").and_then(Json::as_str) {
        Some(id) if is_id(id) => id.to_owned(),
        _ => {
            issues.push(Issue::new(&["id"], "must be a text of 1 to 800 characters"));
            String::new()
        }
    }
}

fn time_of(event: &Map<String, Json>, issues: &mut Vec<Issue>) -> Timestamp {
    let text = event.get("timestamp").and_then(Json::as_str);
    text.and_then(|text| Timestamp::parse(text).ok())
        .unwrap_or_else(|| {
            let message = "must be a time of ISO 8601 with its zone";
            issues.push(Issue::new(&["timestamp"], message));
            Timestamp::EPOCH
        })
}

pub(super) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.chars().count() <= MAX_ID_CHARS && !id.contains('\r')
}

/// The id of what is changed. Without one there is nothing to change, but only old observations and
/// traces may come without.
fn subject_id(known: &Type, body: &Map<String, Json>) -> Result<Option<String>, Vec<Issue>> {
    match body.get("id").and_then(Json::as_str) {
        Some(id) if body::is_stored_id(id) => Ok(Some(id.to_owned())),
        None if known.subject == Subject::Trace || known.kind.is_none() => Ok(None),
        _ => Err(vec![Issue::new(&["body", "id"], body::BAD_ID)]),
    }
}

/// The type that the body of an old observation tells.
fn legacy_kind(fields: &Map<String, Json>) -> Result<String, Vec<Issue>> {
    match fields.get("type").and_then(Json::as_str) {
        Some(kind @ ("GENERATION" | "SPAN" | "EVENT")) => Ok(kind.to_lowercase()),
        _ => {
            let message = "must be GENERATION, SPAN or EVENT";
            Err(vec![Issue::new(&["body", "type"], message)])
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, body: &Json) -> Json {
        json!({"id": "e1", "timestamp": "2026-01-02T03:04:05.678Z", "type": name, "body": body})
    }

    fn change(name: &str, body: &Json) -> Change {
        match read(&event(name, body)).unwrap() {
            Event::Change(change) => change,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_type_is_read() {
        for known in TYPES {
            let read = change(
                known.name,
                &json!({"id": "o1", "type": "SPAN", "unknown": 1}),
            );
            assert_eq!(read.subject, known.subject, "{}", known.name);
            assert_eq!(read.kind, known.kind.unwrap_or("span"));
            assert_eq!(read.is_update, known.name.ends_with("-update"));
            assert_eq!(read.body.get("unknown"), None);
        }
        let log = event("sdk-log", &json!({"log": "x"}));
        assert_eq!(read(&log), Ok(Event::Nothing));
    }

    #[test]
    fn a_change_of_nothing_is_none() {
        assert_eq!(read(&event("trace-create", &json!({}))), Ok(Event::Nothing));
        let old = json!({"type": "SPAN"});
        assert_eq!(read(&event("observation-create", &old)), Ok(Event::Nothing));
        assert!(read(&event("span-create", &json!({}))).is_err());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let local_time =
            json!({"id": "", "timestamp": "2026-01-02T03:04:05", "type": "x", "body": {}});
        let issues = serde_json::to_value(read(&local_time).unwrap_err()).unwrap();
        let places: Vec<&Json> = issues
            .as_array()
            .unwrap()
            .iter()
            .map(|issue| &issue["path"])
            .collect();
        assert_eq!(
            places,
            [&json!(["id"]), &json!(["timestamp"]), &json!(["type"])]
        );
        for bad in [json!(1), json!({"id": "a\rb"}), json!({})] {
            assert!(read(&bad).is_err());
        }
    }
}
