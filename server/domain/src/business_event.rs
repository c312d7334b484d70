//! What happened in the business: tickets, conversions, broken promises, whatever an application tells.

use serde_json::{Map, Value};

use crate::ids::TraceId;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// What kind of thing happened.
    BusinessKind, default Custom {
        /// Somebody asked people for help.
        Ticket = "ticket",
        /// Somebody did what was hoped for.
        Conversion = "conversion",
        /// A promise was broken.
        SlaBreach = "sla_breach",
        /// Something else, by its name.
        Custom = "custom",
    }
);

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct BusinessEvent {
    /// Its id, unique within the project.
    pub id: String,
    /// What kind of thing happened.
    pub kind: BusinessKind,
    /// Which custom event it is.
    pub name: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The trace that it happened in or after.
    pub trace_id: Option<String>,
    /// Whom it happened to.
    pub user_id: Option<String>,
    /// The session that it happened in or after.
    pub session_id: Option<String>,
    /// Group of an experiment on users.
    pub ab_group: Option<String>,
    /// What it was worth, in the unit of its sender.
    pub value: Option<f64>,
    /// Whatever else is told of it.
    pub attributes: Map<String, Value>,
}

impl BusinessEvent {
    /// An event with nothing but its kind and time.
    pub fn bare(kind: BusinessKind, at: Timestamp) -> Self {
        BusinessEvent {
            id: String::new(),
            kind,
            name: None,
            at,
            trace_id: None,
            user_id: None,
            session_id: None,
            ab_group: None,
            value: None,
            attributes: Map::new(),
        }
    }

    /// What events of its kind are called where they are counted: `ticket`, `custom:handover`.
    pub fn series(&self) -> String {
        match &self.name {
            Some(name) if self.kind == BusinessKind::Custom => format!("{}:{name}", self.kind),
            _ => self.kind.as_str().to_owned(),
        }
    }
}

/// Longest id, user, session or group, bytes.
pub const MAX_ID_BYTES: usize = 256;
/// Longest name of a custom event, bytes.
pub const MAX_NAME_BYTES: usize = 100;
/// Most of the attributes of an event, bytes of JSON.
pub const MAX_ATTRIBUTES_BYTES: usize = 16 * 1024;

/// What is wrong with an event: the field, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The field; empty: all of it.
    pub field: &'static str,
    /// Why.
    pub why: String,
}

const FIELDS: [&str; 10] = [
    "id",
    "type",
    "name",
    "at",
    "trace_id",
    "user_id",
    "session_id",
    "ab_group",
    "value",
    "attributes",
];

/// Reads an event as its sender wrote it; where it has no id, its id is empty.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read(sent: &Value) -> Result<BusinessEvent, Wrong> {
    let object = sent.as_object();
    let fields = object.ok_or_else(|| wrong("", "give a JSON object"))?;
    let known = FIELDS.join(", ");
    if fields.keys().any(|key| !FIELDS.contains(&key.as_str())) {
        return Err(wrong(
            "",
            &format!("has a field that is not known; known are {known}"),
        ));
    }
    let kind = text(fields, ("type", MAX_NAME_BYTES))?.unwrap_or_default();
    let kind = BusinessKind::from_name(&kind)
        .ok_or_else(|| wrong("type", "give ticket, conversion, sla_breach or custom"))?;
    let name = text(fields, ("name", MAX_NAME_BYTES))?;
    if name.is_some() && kind != BusinessKind::Custom {
        return Err(wrong("name", "only custom events have a name"));
    }
    let trace_id = text(fields, ("trace_id", MAX_ID_BYTES))?;
    let trace_id = trace_id
        .map(|id| TraceId::from_text(&as_on_the_wire(id)))
        .transpose();
    let trace_id = trace_id.map_err(|error| wrong("trace_id", &error.to_string()))?;
    Ok(BusinessEvent {
        id: text(fields, ("id", MAX_ID_BYTES))?.unwrap_or_default(),
        kind,
        name,
        at: time(fields)?,
        trace_id: trace_id.map(|id| id.to_string()),
        user_id: text(fields, ("user_id", MAX_ID_BYTES))?,
        session_id: text(fields, ("session_id", MAX_ID_BYTES))?,
        ab_group: text(fields, ("ab_group", MAX_ID_BYTES))?,
        value: number(fields)?,
        attributes: attributes(fields)?,
    })
}

/// Ids of OpenTelemetry are lower-case hexadecimal, whoever writes them.
fn as_on_the_wire(id: String) -> String {
    let is_hex = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { id.to_ascii_lowercase() } else { id }
}

fn wrong(field: &'static str, why: &str) -> Wrong {
    Wrong {
        field,
        why: why.to_owned(),
    }
}

fn text(
    fields: &Map<String, Value>,
    (name, most): (&'static str, usize),
) -> Result<Option<String>, Wrong> {
    let text = match fields.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text,
        Some(_) => return Err(wrong(name, "give a text")),
    };
    if text.trim().is_empty() {
        return Err(wrong(name, "must not be empty; leave it out"));
    }
    if text.len() > most {
        return Err(wrong(name, &format!("must have at most {most} bytes")));
    }
    if text.chars().any(char::is_control) {
        return Err(wrong(name, "must not hold control characters"));
    }
    Ok(Some(text.clone()))
}

fn time(fields: &Map<String, Value>) -> Result<Timestamp, Wrong> {
    let hint = "give an instant with its zone, like 2026-01-31T12:00:00Z";
    let at = fields.get("at").and_then(Value::as_str);
    Timestamp::parse(at.unwrap_or_default()).map_err(|_| wrong("at", hint))
}

fn number(fields: &Map<String, Value>) -> Result<Option<f64>, Wrong> {
    match fields.get("value") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64().filter(|number| number.is_finite()) {
            Some(number) => Ok(Some(number)),
            None => Err(wrong("value", "give a number")),
        },
    }
}

fn attributes(fields: &Map<String, Value>) -> Result<Map<String, Value>, Wrong> {
    let attributes = match fields.get("attributes") {
        None | Some(Value::Null) => return Ok(Map::new()),
        Some(Value::Object(attributes)) => attributes,
        Some(_) => return Err(wrong("attributes", "give a JSON object")),
    };
    let json = Value::Object(attributes.clone()).to_string();
    if json.len() > MAX_ATTRIBUTES_BYTES {
        let why = format!("must have at most {MAX_ATTRIBUTES_BYTES} bytes");
        return Err(wrong("attributes", &why));
    }
    // No store for JSON keeps it.
    if json.contains("\\u0000") {
        return Err(wrong("attributes", "must not hold the character NUL"));
    }
    Ok(attributes.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn custom_events_are_counted_by_their_names() {
        let mut event = BusinessEvent::bare(BusinessKind::Custom, Timestamp::EPOCH);
        event.name = Some("handover".to_owned());
        assert_eq!(event.series(), "custom:handover");
        event.name = None;
        assert_eq!(event.series(), "custom");
        event.kind = BusinessKind::Ticket;
        assert_eq!(event.series(), "ticket");
    }

    #[test]
    fn an_event_is_read_as_it_was_sent() {
        let sent = json!({
            "id": "e1", "type": "custom", "name": "handover", "at": "2026-01-31T12:00:00.000001+01:00",
            "trace_id": "4BF92F3577B34DA6A3CE929D0E0E4736", "user_id": "u", "session_id": null,
            "ab_group": "b", "value": 3, "attributes": {"queue": "billing"},
        });
        let event = read(&sent).unwrap();
        assert_eq!(event.at.to_string(), "2026-01-31T11:00:00.000001Z");
        let trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(event.trace_id.as_deref(), Some(trace_id));
        assert_eq!((event.value, event.session_id), (Some(3.0), None));
        let least = read(&json!({"type": "ticket", "at": "2026-01-31T12:00:00Z"})).unwrap();
        assert_eq!((least.id.as_str(), least.attributes.len()), ("", 0));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let at = "2026-01-31T12:00:00Z";
        for (sent, field) in [
            (json!([]), ""),
            (json!({"type": "ticket", "at": at, "user": "u"}), ""),
            (json!({"type": "tickets", "at": at}), "type"),
            (json!({"at": at}), "type"),
            (json!({"type": "ticket"}), "at"),
            (json!({"type": "ticket", "at": "yesterday"}), "at"),
            (json!({"type": "ticket", "at": 3}), "at"),
            (json!({"type": "ticket", "at": at, "name": "x"}), "name"),
            (
                json!({"type": "ticket", "at": at, "user_id": ""}),
                "user_id",
            ),
            (
                json!({"type": "ticket", "at": at, "user_id": "a\u{0}b"}),
                "user_id",
            ),
            (
                json!({"type": "ticket", "at": at, "id": "x".repeat(300)}),
                "id",
            ),
            (json!({"type": "ticket", "at": at, "value": "3"}), "value"),
            (
                json!({"type": "ticket", "at": at, "attributes": [1]}),
                "attributes",
            ),
            (
                json!({"type": "ticket", "at": at, "attributes": {"a": "\u{0}"}}),
                "attributes",
            ),
            (
                json!({"type": "ticket", "at": at, "attributes": {"a": "x".repeat(20_000)}}),
                "attributes",
            ),
        ] {
            assert_eq!(read(&sent).unwrap_err().field, field, "{sent}");
        }
    }
}
