//! Conditions of a question: its dimensions, metadata by key, and time.

use domain::Timestamp;
use domain::comparison::Test;
use domain::cost::kind_of_long_name;
use domain::metrics::{Condition, Dimension, DimensionKind, Field};
use serde_json::Value;

use super::asked::wrong;
use super::names::{NamedView, Version};
use crate::langfuse::comparison::{list_test, ordered, text_test, texts};
use crate::langfuse::error::Result;

/// Reads conditions.
///
/// # Errors
/// When a column is not known, or a condition does not fit it.
pub(super) fn read(items: &[Value], view: &NamedView, version: Version) -> Result<Vec<Condition>> {
    let one = |(at, item): (usize, &Value)| {
        let read = condition(item, view, version);
        read.map_err(|message| wrong(&format!("filters.{at}"), message))
    };
    items.iter().enumerate().map(one).collect()
}

fn condition(
    item: &Value,
    view: &NamedView,
    version: Version,
) -> std::result::Result<Condition, &'static str> {
    let text = |name: &str| item[name].as_str();
    let column = text("column").ok_or("column: expected string")?;
    let operator = text("operator").ok_or("operator: expected string")?;
    let kind = text("type").ok_or("type: expected string")?;
    let value = &item["value"];
    if column == view.time || ["timestamp", "startTime"].contains(&column) {
        let time = value
            .as_str()
            .and_then(|text| Timestamp::parse_bound(text).ok());
        let time = time.ok_or("value: expected a time with its zone")?;
        return Ok(Condition {
            field: Field::Time,
            test: Test::Time(ordered(operator)?, time),
        });
    }
    if column == "metadata" {
        let key = text("key").filter(|key| !key.is_empty());
        return Ok(Condition {
            field: Field::Metadata(key.ok_or("key: expected string")?.to_owned()),
            test: plain(kind, operator, value)?,
        });
    }
    let dimension = view.dimension(version, column).ok_or("unknown column")?;
    let test = match dimension.kind() {
        DimensionKind::Flag => flag(operator, value)?,
        DimensionKind::Texts => match kind {
            "null" => plain(kind, operator, value)?,
            _ => list_test(operator, texts(value)?, true)?,
        },
        DimensionKind::Text => plain(kind, operator, value)?,
    };
    Ok(Condition {
        field: Field::Dimension(dimension),
        test: in_our_words(dimension, test),
    })
}

/// A test of a text.
fn plain(kind: &str, operator: &str, value: &Value) -> std::result::Result<Test, &'static str> {
    match (kind, operator) {
        ("null", "is null") => Ok(Test::Missing),
        ("null", "is not null") => Ok(Test::Present),
        ("stringOptions" | "arrayOptions", _) => list_test(operator, texts(value)?, false),
        ("string" | "stringObject", _) => {
            text_test(operator, value.as_str().ok_or("value: expected string")?)
        }
        _ => Err("type: it does not go with this column"),
    }
}

/// Yes is 1 and no 0 in the store.
fn flag(operator: &str, value: &Value) -> std::result::Result<Test, &'static str> {
    let yes = value.as_bool().ok_or("value: expected boolean")?;
    let yes = match operator {
        "=" => yes,
        "<>" => !yes,
        _ => return Err("operator: expected = or <>"),
    };
    Ok(Test::AnyOf(vec![u8::from(yes).to_string()]))
}

/// Types of observations and kinds of usage have other names here.
fn in_our_words(dimension: Dimension, test: Test) -> Test {
    let word = |text: String| match dimension {
        Dimension::BroadKind => text.to_lowercase(),
        Dimension::CostKind | Dimension::UsageKind => kind_of_long_name(&text).to_owned(),
        _ => text,
    };
    let all = |texts: Vec<String>| texts.into_iter().map(word).collect();
    match test {
        Test::AnyOf(texts) => Test::AnyOf(all(texts)),
        Test::NoneOf(texts) => Test::NoneOf(all(texts)),
        Test::Text(within, text) => Test::Text(within, word(text)),
        other => other,
    }
}
