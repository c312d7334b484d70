//! Input and output that came as events: one for each message (conventions up to 1.36), or one for
//! the whole call. Events of a span and log records are read alike.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use super::Side;
use crate::attr::{gen_ai, otel};
use crate::span::{EventSource, SpanEvent};
use crate::value::{self, Value};

/// The text of a content, and the name of the (first) event that gave it.
pub type Composed = (String, &'static str);

/// What events tell of a span's input or output; they must stand in the order of the conversation.
pub fn compose(events: &[SpanEvent], side: Side) -> Option<Composed> {
    whole_call(events, side)
        .or_else(|| messages(events, names(side).single, |_| true))
        .or_else(|| messages(events, &[names(side).old.0], has_fields))
        .or_else(|| old_whole(events, side))
}

/// The content in the event that tells of the whole call.
pub fn whole_call(events: &[SpanEvent], side: Side) -> Option<Composed> {
    let name = gen_ai::CLIENT_INFERENCE_OPERATION_DETAILS;
    let event = events.iter().rev().find(|event| event.name == name)?;
    let text = text_of(event, names(side).whole)?;
    let system = match side {
        Side::Input => text_of(event, gen_ai::SYSTEM_INSTRUCTIONS),
        Side::Output => None,
    };
    let whole = system.and_then(|system| with_system(&system, &text));
    Some((whole.unwrap_or(text), name))
}

/// System instructions stand in front of the messages as one of them. They are parts of a message
/// already, so that texts are put together without reading them.
pub fn with_system(system: &str, messages: &str) -> Option<String> {
    let messages = messages.trim_start().strip_prefix('[')?;
    let parts = if system.trim_start().starts_with('[') {
        Cow::Borrowed(system)
    } else {
        Cow::Owned(json!([{ "type": "text", "content": system }]).to_string())
    };
    let comma = if messages.trim_start().starts_with(']') {
        ""
    } else {
        ","
    };
    Some(format!(
        r#"[{{"role":"system","parts":{parts}}}{comma}{messages}"#
    ))
}

/// What the conventions call the events and keys of one side.
struct Names {
    /// Key of the whole, current.
    whole: &'static str,
    /// Event and key of the whole, older.
    old: (&'static str, &'static str),
    /// Events of single messages.
    single: &'static [&'static str],
}

fn names(side: Side) -> Names {
    match side {
        Side::Input => Names {
            whole: gen_ai::INPUT_MESSAGES,
            old: (gen_ai::CONTENT_PROMPT, gen_ai::PROMPT),
            single: &[
                gen_ai::SYSTEM_MESSAGE,
                gen_ai::USER_MESSAGE,
                gen_ai::ASSISTANT_MESSAGE,
                gen_ai::TOOL_MESSAGE,
            ],
        },
        Side::Output => Names {
            whole: gen_ai::OUTPUT_MESSAGES,
            old: (gen_ai::CONTENT_COMPLETION, gen_ai::COMPLETION),
            single: &[gen_ai::CHOICE],
        },
    }
}

fn old_whole(events: &[SpanEvent], side: Side) -> Option<Composed> {
    let (name, key) = names(side).old;
    let event = events.iter().rev().find(|event| event.name == name)?;
    Some((text_of(event, key)?, name))
}

/// A key of an event, or of its body.
fn text_of(event: &SpanEvent, key: &str) -> Option<String> {
    let of_body = || match body(event)? {
        Value::Map(pairs) => value::get(pairs, key),
        _ => None,
    };
    let text = value::get(&event.attributes, key)
        .or_else(of_body)?
        .to_text();
    (!text.is_empty()).then_some(text)
}

/// Whether an event's message is looked at.
type Wanted = fn(&SpanEvent) -> bool;

fn messages(events: &[SpanEvent], names: &[&'static str], wanted: Wanted) -> Option<Composed> {
    let mut messages = Vec::new();
    let mut first = None;
    for event in events.iter().filter(|event| wanted(event)) {
        let Some(name) = names.iter().find(|name| **name == event.name) else {
            continue;
        };
        let mut message = Map::from_iter([("role".to_owned(), json!(role(name)))]);
        message.extend(said(event));
        // Content may be withheld: who spoke and why it ended is no content.
        if message.iter().any(|(key, value)| says(key, value)) {
            first = first.or(Some(*name));
            messages.push(message);
        }
    }
    Some((serde_json::to_string(&messages).ok()?, first?))
}

fn role(name: &str) -> &'static str {
    match name {
        gen_ai::SYSTEM_MESSAGE => "system",
        gen_ai::TOOL_MESSAGE => "tool",
        gen_ai::ASSISTANT_MESSAGE | gen_ai::CHOICE | gen_ai::CONTENT_COMPLETION => "assistant",
        _ => "user",
    }
}

/// A log record says it in its body, an event of a span in its attributes.
fn said(event: &SpanEvent) -> Map<String, Json> {
    const ABOUT: &[&str] = &[
        gen_ai::SYSTEM,
        otel::EVENT_NAME,
        otel::EVENT_NAME_FLAT,
        otel::SEVERITY,
    ];
    match body(event).map(unwrapped) {
        Some(Json::Object(said)) => said,
        Some(content) => Map::from_iter([("content".to_owned(), content)]),
        None => event
            .attributes
            .iter()
            .filter(|(key, _)| !ABOUT.contains(&&**key))
            .map(|(key, value)| (key.to_string(), unwrapped(value)))
            .collect(),
    }
}

fn says(key: &str, value: &Json) -> bool {
    match (key, value) {
        ("role" | "index" | "finish_reason" | "id" | "name", _) | (_, Json::Null) => false,
        ("message", Json::Object(message)) => message.iter().any(|(key, value)| says(key, value)),
        (_, Json::String(text)) => !text.is_empty(),
        (_, Json::Array(list)) => !list.is_empty(),
        (_, Json::Object(map)) => !map.is_empty(),
        (_, Json::Bool(_) | Json::Number(_)) => true,
    }
}

/// The body of a log record that has one.
fn body(event: &SpanEvent) -> Option<&Value> {
    match event.source {
        EventSource::Span => None,
        EventSource::Log => value::get(&event.attributes, otel::BODY),
    }
}

fn has_fields(event: &SpanEvent) -> bool {
    matches!(body(event), Some(Value::Map(_)))
}

/// Content is often JSON in text.
fn unwrapped(value: &Value) -> Json {
    match value {
        Value::Str(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(text).unwrap_or_else(|_| value.to_json())
        }
        other => other.to_json(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn event(source: EventSource, name: &str, pairs: &[(&str, Value)]) -> SpanEvent {
        SpanEvent {
            name: name.to_owned(),
            time: Timestamp::EPOCH,
            attributes: pairs
                .iter()
                .map(|(key, value)| ((*key).into(), value.clone()))
                .collect(),
            source,
        }
    }

    fn log(name: &str, body: Value) -> SpanEvent {
        let system = ("gen_ai.system", Value::from("openai"));
        event(EventSource::Log, name, &[system, (otel::BODY, body)])
    }

    fn map(pairs: &[(&str, Value)]) -> Value {
        let pair = |(key, value): &(&str, Value)| ((*key).into(), value.clone());
        Value::Map(pairs.iter().map(pair).collect())
    }

    #[test]
    fn an_event_and_a_log_record_of_one_message_give_the_same() {
        let of_span = event(
            EventSource::Span,
            "gen_ai.user.message",
            &[("gen_ai.system", "x".into()), ("content", "hi".into())],
        );
        let as_map = log("gen_ai.user.message", map(&[("content", "hi".into())]));
        let as_json = log("gen_ai.user.message", r#"{"content":"hi"}"#.into());
        let as_text = log("gen_ai.user.message", "hi".into());
        for event in [of_span, as_map, as_json, as_text] {
            let (text, name) = compose(&[event], Side::Input).unwrap();
            assert_eq!(text, r#"[{"role":"user","content":"hi"}]"#);
            assert_eq!(name, "gen_ai.user.message");
        }
    }

    #[test]
    fn content_that_is_withheld_stays_absent() {
        let said = map(&[("role", "assistant".into())]);
        let choice = map(&[("index", Value::Int(0)), ("message", said)]);
        let events = [
            log("gen_ai.user.message", map(&[])),
            log("gen_ai.tool.message", map(&[("id", "call_1".into())])),
            log("gen_ai.choice", choice),
            event(EventSource::Log, "gen_ai.system.message", &[]),
        ];
        assert_eq!(compose(&events, Side::Input), None);
        assert_eq!(compose(&events, Side::Output), None);
    }

    #[test]
    fn the_event_of_the_whole_call_wins_and_brings_the_instructions() {
        let message = map(&[("role", "user".into())]);
        let details = event(
            EventSource::Log,
            gen_ai::CLIENT_INFERENCE_OPERATION_DETAILS,
            &[
                ("gen_ai.system_instructions", "be kind".into()),
                ("gen_ai.input.messages", Value::Array(vec![message])),
            ],
        );
        let events = [log("gen_ai.user.message", "hi".into()), details];
        let (text, _) = compose(&events, Side::Input).unwrap();
        let read: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(read[0]["parts"][0]["content"], "be kind");
        assert_eq!(read[1]["role"], "user");
    }

    #[test]
    fn records_of_the_oldest_form_are_messages_by_their_bodies() {
        let said = |role: &str, content: &str| {
            log(
                "gen_ai.content.prompt",
                map(&[("role", role.into()), ("content", content.into())]),
            )
        };
        let events = [said("system", "Route."), said("user", "Twice!")];
        let (text, _) = compose(&events, Side::Input).unwrap();
        let expected =
            r#"[{"role":"system","content":"Route."},{"role":"user","content":"Twice!"}]"#;
        assert_eq!(text, expected);
    }
}
