//! What a list is narrowed to: parameters that compare a column, and the parameter `filter`, a JSON array
//! of conditions that all must hold. A condition beats the parameter of the same column.
//!
//! Each list has its table of columns. To let a list be narrowed by another one: its line there, and in
//! the table of `docs/langfuse.md` if it cannot be done yet.

use domain::filter::{Column, Condition, Filter, Operator};
use serde_json::{Value, json};

use super::error::{Issue, Result};
use super::query::Query;
use crate::extract::parse_conditions;

/// Most conditions of one filter.
const MAX_CONDITIONS: usize = 50;

/// What a column of Langfuse's API is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A column of ours, by its name in the parameter `filter` of `/api/v1`.
    Ours(&'static str),
    /// The same, of any span of the trace.
    OfTrace(&'static str),
    /// An attribute, by its key.
    Attribute(&'static str),
    /// The type of an observation.
    Kind,
    /// Whether an observation has no parent.
    IsRoot,
    /// Whether it has one.
    HasParent,
    /// Known to clients, but not looked at here.
    NotYet,
}

/// Columns of a list by their names in Langfuse's API.
pub(crate) type Columns = &'static [(&'static str, Meaning)];

/// A parameter that compares a column with texts.
pub(crate) struct Compared<'p> {
    /// Its name.
    pub(crate) name: &'p str,
    /// The column.
    pub(crate) column: Column,
    /// Whether all of several values must be there, not any.
    pub(crate) all_of: bool,
}

impl<'p> Compared<'p> {
    /// Any of the values.
    pub(crate) fn any(name: &'p str, column: Column) -> Self {
        Compared {
            name,
            column,
            all_of: false,
        }
    }
}

/// Reads the filter of a list.
///
/// # Errors
/// When a parameter, or a condition, cannot be understood.
pub(crate) fn read(query: &Query, columns: Columns, compared: &[Compared<'_>]) -> Result<Filter> {
    let mut filter = match query.text("filter")? {
        Some(text) => parse(text, columns)?,
        None => Filter::default(),
    };
    let taken: Vec<Column> = filter
        .conditions
        .iter()
        .map(|it| it.column.clone())
        .collect();
    for Compared {
        name,
        column,
        all_of,
    } in compared
    {
        let mut values = query.list(name);
        if values.is_empty() || taken.contains(column) {
            continue;
        }
        if *column == Column::Kind {
            values = values.iter().flat_map(|kind| kinds(kind)).collect();
        }
        let condition = |values| Condition {
            column: column.clone(),
            operator: Operator::AnyOf,
            values,
        };
        if *all_of {
            let each = values.into_iter().map(|value| condition(vec![value]));
            filter.conditions.extend(each);
        } else {
            filter.conditions.push(condition(values));
        }
    }
    if filter.conditions.len() > MAX_CONDITIONS {
        return Err(too_many());
    }
    Ok(filter)
}

fn parse(text: &str, columns: Columns) -> Result<Filter> {
    let conditions: Option<Vec<Value>> = serde_json::from_str(text).ok();
    let conditions = conditions.ok_or_else(|| wrong("", "must be a JSON array of conditions"))?;
    if conditions.len() > MAX_CONDITIONS {
        return Err(too_many());
    }
    let mut filter = Filter::default();
    for (at, condition) in conditions.iter().enumerate() {
        add(&mut filter, one(&at.to_string(), condition, columns)?);
    }
    Ok(filter)
}

/// One condition in our words.
fn one(at: &str, written: &Value, columns: Columns) -> Result<Filter> {
    let column = written["column"].as_str();
    let column = column.ok_or_else(|| wrong(&format!("{at}.column"), "expected string"))?;
    let known = columns.iter().find(|(name, _)| *name == column);
    let (_, meaning) = known.ok_or_else(|| {
        let message = format!("Invalid filter column: {column}");
        wrong(&format!("{at}.column"), &message)
    })?;
    let mut ours = json!({
        "column": column,
        "operator": written["operator"],
        "value": written["value"],
        "key": written["key"],
    });
    match (written["operator"].as_str(), meaning) {
        (_, Meaning::NotYet) => {
            let message = format!("{column} cannot be filtered on yet; see docs/langfuse.md");
            return Err(wrong(&format!("{at}.column"), &message));
        }
        (Some("is null"), _) => {
            ours["operator"] = json!("any of");
            ours["value"] = json!([""]);
        }
        (Some("is not null"), _) => {
            ours["operator"] = json!("none of");
            ours["value"] = json!([""]);
        }
        _ => {}
    }
    match meaning {
        Meaning::Ours(name) | Meaning::OfTrace(name) => ours["column"] = json!(name),
        Meaning::Attribute(key) => {
            ours["column"] = json!("attribute");
            ours["key"] = json!(key);
        }
        Meaning::Kind => {
            ours["column"] = json!("kind");
            let kinds_of = |value: &Value| kinds(value.as_str().unwrap_or_default());
            ours["value"] = match &written["value"] {
                Value::Array(values) => values.iter().flat_map(kinds_of).collect(),
                value => kinds_of(value).into(),
            };
        }
        Meaning::IsRoot | Meaning::HasParent => {
            let is_true = written["value"].as_bool();
            let is_true =
                is_true.ok_or_else(|| wrong(&format!("{at}.value"), "expected boolean"))?;
            let negated = matches!(written["operator"].as_str(), Some("<>"));
            let of_roots = (*meaning == Meaning::IsRoot) == (is_true != negated);
            ours["column"] = json!("parent_span_id");
            ours["operator"] = json!(if of_roots { "any of" } else { "none of" });
            ours["value"] = json!([""]);
        }
        Meaning::NotYet => {}
    }
    let mut filter =
        parse_conditions(&json!([ours]).to_string()).map_err(|fault| wrong(at, &fault.message))?;
    if matches!(meaning, Meaning::OfTrace(_)) {
        for condition in &mut filter.conditions {
            condition.column = Column::OfTrace(Box::new(condition.column.clone()));
        }
    }
    Ok(filter)
}

/// Both must hold.
fn add(filter: &mut Filter, more: Filter) {
    filter.from = filter.from.max(more.from);
    filter.to = match (filter.to, more.to) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    filter.min_latency_ms = match (filter.min_latency_ms, more.min_latency_ms) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    filter.has_error = more.has_error.or(filter.has_error);
    filter.conditions.extend(more.conditions);
}

/// Our kinds of the observations of a type.
fn kinds(name: &str) -> Vec<String> {
    match name {
        "RETRIEVER" => vec!["retriever".to_owned(), "reranker".to_owned()],
        _ => vec![name.to_lowercase()],
    }
}

fn too_many() -> super::error::Failure {
    wrong("", &format!("at most {MAX_CONDITIONS} conditions"))
}

fn wrong(path: &str, message: &str) -> super::error::Failure {
    Issue::new("custom", &format!("filter.{path}"), message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns = &[
        ("name", Meaning::Ours("name")),
        ("type", Meaning::Kind),
        ("userId", Meaning::OfTrace("user_id")),
        ("isRootObservation", Meaning::IsRoot),
        ("totalCost", Meaning::NotYet),
        ("timestamp", Meaning::Ours("start")),
    ];

    fn parsed(conditions: &Value) -> Result<Filter> {
        parse(&conditions.to_string(), COLUMNS)
    }

    #[test]
    fn conditions_come_in_our_words() {
        let filter = parsed(&json!([
            {"type": "null", "column": "name", "operator": "is null", "value": ""},
            {"type": "stringOptions", "column": "type", "operator": "any of", "value": ["RETRIEVER", "TOOL"]},
            {"type": "string", "column": "userId", "operator": "=", "value": "u"},
            {"type": "boolean", "column": "isRootObservation", "operator": "<>", "value": true},
            {"type": "datetime", "column": "timestamp", "operator": ">=", "value": "2026-01-05T01:00:00Z"},
        ]))
        .unwrap();
        let shown: Vec<_> = filter
            .conditions
            .iter()
            .map(|it| (&it.column, it.operator, it.values.join(",")))
            .collect();
        let of_trace = Column::OfTrace(Box::new(Column::UserId));
        assert_eq!(
            shown,
            [
                (&Column::Name, Operator::AnyOf, String::new()),
                (
                    &Column::Kind,
                    Operator::AnyOf,
                    "retriever,reranker,tool".to_owned()
                ),
                (&of_trace, Operator::AnyOf, "u".to_owned()),
                (&Column::ParentId, Operator::NoneOf, String::new()),
            ]
        );
        assert!(filter.from.is_some());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for wrong in [
            json!({}),
            json!([1]),
            json!([{"column": "nonsense", "operator": "=", "value": "x"}]),
            json!([{"column": "totalCost", "operator": ">", "value": 1}]),
            json!([{"column": "name", "operator": "~", "value": "x"}]),
            json!([{"column": "isRootObservation", "operator": "=", "value": "x"}]),
            json!(vec![
                json!({"column": "name", "operator": "=", "value": "x"});
                51
            ]),
        ] {
            assert!(parsed(&wrong).is_err(), "{wrong}");
        }
        assert!(parse("[", COLUMNS).is_err());
    }

    #[test]
    fn a_condition_beats_the_parameter_of_its_column() {
        let of = |query: &str| {
            let compared = [Compared::any("name", Column::Name)];
            read(&Query::parse(query), COLUMNS, &compared)
                .unwrap()
                .conditions
        };
        assert_eq!(of("name=a,b")[0].values, ["a", "b"]);
        let filter = "[{\"column\":\"name\",\"operator\":\"=\",\"value\":\"c\"}]";
        let both = of(&format!("name=a&filter={filter}"));
        assert_eq!((both.len(), &both[0].values), (1, &vec!["c".to_owned()]));
    }
}
