//! Bodies of routes that are older than batches: each makes or changes one thing.

use domain::change::Change;
use domain::{Fault, Timestamp, sent_json};
use serde_json::{Map, Value as Json, json};

use super::event::{self, Event};
use super::issue::Issue;
use super::text::CONTENTS;

/// What a route makes or changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Single {
    /// A trace, new or known.
    Trace,
    /// A new span.
    Span,
    /// A span that is known.
    SpanUpdate,
    /// A new call of a model.
    Generation,
    /// A call that is known.
    GenerationUpdate,
    /// A point in time.
    Event,
}

impl Single {
    /// The type of the event of a batch that says the same.
    fn event_type(self) -> &'static str {
        match self {
            Single::Trace => "trace-create",
            Single::Span => "span-create",
            Single::SpanUpdate => "span-update",
            Single::Generation => "generation-create",
            Single::GenerationUpdate => "generation-update",
            Single::Event => "event-create",
        }
    }

    /// Fields that are called otherwise here, and what they are in a batch.
    fn other_names(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Single::Trace | Single::Span | Single::Event => &[],
            Single::SpanUpdate => &[("spanId", "id")],
            Single::Generation => &[("prompt", "input"), ("completion", "output")],
            Single::GenerationUpdate => &[
                ("generationId", "id"),
                ("prompt", "input"),
                ("completion", "output"),
            ],
        }
    }

    fn is_update(self) -> bool {
        matches!(self, Single::SpanUpdate | Single::GenerationUpdate)
    }
}

/// Reads a body as a change that was made now. What is new and has no id gets `fresh_id`, and so does
/// the change itself.
///
/// # Errors
/// `invalid` when it is no JSON object, or one of its fields is not as it should be.
pub fn read(
    single: Single,
    body: &[u8],
    (now, fresh_id): (Timestamp, &str),
) -> Result<Change, Fault> {
    let text = String::from_utf8_lossy(body);
    let mut body = sent_json::read_bytes(body)
        .map_err(|error| Fault::invalid(format!("the body is no JSON: {error}")))?;
    sent_json::keep_digits(&text, &mut body, None, &CONTENTS);
    let Json::Object(mut fields) = body else {
        return Err(Fault::invalid("the body: expected object"));
    };
    for (name, usual) in single.other_names() {
        if let Some(value) = fields.remove(*name) {
            fields.insert((*usual).to_owned(), value);
        }
    }
    if !single.is_update() && is_missing(&fields, "id") {
        fields.insert("id".to_owned(), fresh_id.into());
    }
    // One that belongs to no trace makes a trace of its own.
    if !single.is_update() && single != Single::Trace && is_missing(&fields, "traceId") {
        fields.insert("traceId".to_owned(), fresh_id.into());
    }
    let event = json!({
        "id": fresh_id,
        "timestamp": now.to_string(),
        "type": single.event_type(),
        "body": fields,
    });
    match event::read(&event) {
        Ok(Event::Change(change)) => Ok(change),
        Ok(Event::Score(_) | Event::Nothing) => Err(Fault::invalid("id: expected string")),
        Err(issues) => Err(Fault::invalid(in_words(&issues))),
    }
}

fn is_missing(fields: &Map<String, Json>, name: &str) -> bool {
    fields.get(name).is_none_or(Json::is_null)
}

fn in_words(issues: &[Issue]) -> String {
    let issues: Vec<String> = issues.iter().map(ToString::to_string).collect();
    issues.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(single: Single, body: &Json) -> Result<Change, Fault> {
        let now = Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap();
        read(single, body.to_string().as_bytes(), (now, "fresh"))
    }

    #[test]
    fn fields_have_the_names_of_a_batch() {
        let body = json!({
            "generationId": "g", "prompt": [1], "completion": "c", "traceId": "t", "unknown": 1,
        });
        let made = change(Single::GenerationUpdate, &body).unwrap();
        assert_eq!((made.id.as_str(), made.is_update), ("g", true));
        assert_eq!(made.kind, "generation");
        let expected = json!({"id": "g", "input": [1], "output": "c", "traceId": "t"});
        assert_eq!(Json::Object(made.body), expected);
        assert_eq!(
            made.time,
            Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap()
        );
    }

    #[test]
    fn what_is_new_needs_no_id() {
        for single in [
            Single::Trace,
            Single::Span,
            Single::Generation,
            Single::Event,
        ] {
            assert_eq!(change(single, &json!({"id": null})).unwrap().id, "fresh");
            assert_eq!(change(single, &json!({"id": "own"})).unwrap().id, "own");
        }
        assert_eq!(
            change(Single::Span, &json!({})).unwrap().body["traceId"],
            "fresh"
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (single, body) in [
            (Single::Trace, json!([])),
            (Single::SpanUpdate, json!({"id": 1})),
            (Single::GenerationUpdate, json!({})),
            (Single::Generation, json!({"promptName": "p"})),
            (Single::Span, json!({"startTime": "yesterday"})),
        ] {
            let fault = change(single, &body).unwrap_err();
            assert_eq!(fault.code, domain::Code::Invalid, "{body}");
        }
        let said = change(Single::Span, &json!({"level": "LOUD"}))
            .unwrap_err()
            .message;
        assert_eq!(said, "level: expected DEBUG, DEFAULT, WARNING or ERROR");
        assert!(read(Single::Span, b"{", (Timestamp::EPOCH, "fresh")).is_err());
    }
}
