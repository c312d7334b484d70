//! The parameter `filter`: a JSON list of conditions, all of which hold.

use domain::Timestamp;
use domain::score::wanted::{Compare, Condition, Field, Test};
use serde_json::{Map, Value};

use crate::langfuse::comparison::{compared, list_test, ordered, text_test, texts};
use crate::langfuse::error::{Issue, Result};

/// Most conditions of one filter.
const MOST: usize = 100;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Time,
    Texts,
    /// By key.
    Map,
    Flag,
}

/// A column by the name that clients have for it.
fn column(name: &str) -> Option<(Field, Kind)> {
    Some(match name {
        "id" => (Field::Id, Kind::Text),
        "timestamp" => (Field::Time, Kind::Time),
        "environment" => (Field::Environment, Kind::Text),
        "traceId" => (Field::TraceId, Kind::Text),
        "observationId" => (Field::ObservationId, Kind::Text),
        "sessionId" => (Field::SessionId, Kind::Text),
        "name" => (Field::Name, Kind::Text),
        "value" => (Field::Value, Kind::Number),
        "booleanValue" => (Field::Value, Kind::Flag),
        "stringValue" => (Field::Words, Kind::Text),
        "source" => (Field::Source, Kind::Text),
        "dataType" => (Field::DataType, Kind::Text),
        "comment" => (Field::Comment, Kind::Text),
        "authorUserId" => (Field::AuthorId, Kind::Text),
        "metadata" => (Field::Metadata(String::new()), Kind::Map),
        "traceName" => (Field::TraceName, Kind::Text),
        "userId" => (Field::TraceUser, Kind::Text),
        "trace_tags" | "traceTags" => (Field::TraceTags, Kind::Texts),
        _ => return None,
    })
}

/// Reads a filter.
///
/// # Errors
/// When it is no list, or one of its conditions makes no sense.
pub(super) fn read(text: &str) -> Result<Vec<Condition>> {
    let wrong = |message: &str| Issue::new("custom", "filter", message);
    let list: Value = serde_json::from_str(text).map_err(|_| wrong("Invalid JSON"))?;
    let list = list.as_array().ok_or_else(|| wrong("expected array"))?;
    if list.len() > MOST {
        return Err(wrong("too many conditions").into());
    }
    let mut wanted = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let fields = item.as_object();
        let read = fields.ok_or("expected object").and_then(conditions);
        let read =
            read.map_err(|message| Issue::new("custom", &format!("filter.{at}"), message))?;
        wanted.extend(read);
    }
    Ok(wanted)
}

fn conditions(fields: &Map<String, Value>) -> std::result::Result<Vec<Condition>, &'static str> {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let text = |name: &str| word(name).ok_or("type, column and operator are texts");
    let (kind_of_test, operator) = (text("type")?, text("operator")?);
    let (field, kind) = column(text("column")?).ok_or("unknown column")?;
    let field = match field {
        Field::Metadata(_) => Field::Metadata(word("key").ok_or("key is missing")?.to_owned()),
        other => other,
    };
    let value = fields.get("value").unwrap_or(&Value::Null);
    let one = |test| {
        Ok(vec![Condition {
            field: field.clone(),
            test,
        }])
    };
    match (kind_of_test, kind) {
        ("datetime", Kind::Time) => {
            let time = value
                .as_str()
                .and_then(|text| Timestamp::parse_bound(text).ok());
            let time = time.ok_or("value: expected a time with its zone")?;
            one(Test::Time(ordered(operator)?, time))
        }
        ("string", Kind::Text) | ("stringObject", Kind::Map) => one(text_test(
            operator,
            value.as_str().ok_or("value: expected string")?,
        )?),
        ("number", Kind::Number) => {
            let number = value.as_f64().ok_or("value: expected number")?;
            one(Test::Number(compared(operator)?, number))
        }
        ("stringOptions", Kind::Text) => {
            let values = texts(value)?;
            if values.is_empty() {
                return Err("value: expected at least one");
            }
            one(list_test(operator, values, false)?)
        }
        ("arrayOptions", Kind::Texts) => one(list_test(operator, texts(value)?, true)?),
        ("boolean", Kind::Flag) => {
            flag(operator, value.as_bool().ok_or("value: expected boolean")?)
        }
        ("null", Kind::Text | Kind::Texts) => match operator {
            "is null" => one(Test::Missing),
            "is not null" => one(Test::Present),
            _ => Err("operator: expected is null or is not null"),
        },
        _ => Err("type: it does not go with this column"),
    }
}

/// Yes and no are numbers of their type.
fn flag(operator: &str, yes: bool) -> std::result::Result<Vec<Condition>, &'static str> {
    let yes = match operator {
        "=" => yes,
        "<>" => !yes,
        _ => return Err("operator: expected = or <>"),
    };
    let number = f64::from(u8::from(yes));
    Ok(vec![
        Condition::any_of(Field::DataType, ["BOOLEAN"]),
        Condition::value(Compare::Equal, number),
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_type_goes_with_its_columns() {
        let right = json!([
            { "type": "string", "column": "name", "operator": "contains", "value": "x" },
            { "type": "number", "column": "value", "operator": ">=", "value": 1 },
            { "type": "datetime", "column": "timestamp", "operator": "<", "value": "2026-01-01T00:00:00Z" },
            { "type": "stringOptions", "column": "source", "operator": "none of", "value": ["EVAL"] },
            { "type": "arrayOptions", "column": "trace_tags", "operator": "all of", "value": [] },
            { "type": "stringObject", "column": "metadata", "key": "k", "operator": "=", "value": "v" },
            { "type": "boolean", "column": "booleanValue", "operator": "<>", "value": true },
            { "type": "null", "column": "comment", "operator": "is null", "value": "" },
        ]);
        let wanted = read(&right.to_string()).unwrap();
        assert_eq!(wanted.len(), 9);
        assert_eq!(wanted[7], Condition::value(Compare::Equal, 0.0));
        for wrong in [
            json!({}),
            json!([1]),
            json!([{ "type": "string", "column": "colour", "operator": "=", "value": "x" }]),
            json!([{ "type": "string", "column": "value", "operator": "=", "value": "x" }]),
            json!([{ "type": "number", "column": "value", "operator": "~", "value": 1 }]),
            json!([{ "type": "stringOptions", "column": "name", "operator": "any of", "value": [] }]),
            json!([{ "type": "stringObject", "column": "metadata", "operator": "=", "value": "v" }]),
        ] {
            assert!(read(&wrong.to_string()).is_err(), "{wrong}");
        }
        assert!(read("[").is_err());
    }
}
