//! What a list is narrowed to: parameters that compare a column, and the parameter `filter`, a JSON array
//! of conditions that all must hold. A condition beats the parameter of the same column.
//!
//! Each list has its table of columns. To let a list be narrowed by another one: its line there, and in
//! the table of `docs/langfuse.md` if it cannot be done yet.

/// One condition in our words.
mod condition;

use domain::filter::{Column, Condition, Filter, Judged, Operator, Quantity};
use serde_json::Value;

use super::error::{Issue, Result};
use super::query::Query;
use condition::{add, kinds, one};

/// Most conditions of one filter.
const MAX_CONDITIONS: usize = 50;

/// What a column of Langfuse's API is here.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The model by whose prices the cost was computed, by its id.
    Model,
    /// Whether it is the root of an item of an experiment.
    IsItemRoot,
    /// Whether there is content: an input, an output.
    Has(&'static str),
    /// A number, in so many of our units.
    Number(Quantity, f64),
    /// When it ended.
    EndTime,
    /// The average of its scores of a name.
    Average(Judged),
    /// Labels that its scores of a name give.
    Labels(Judged),
    /// What its scores of a name say: yes or no.
    Says(Judged),
    /// Its place among the observations of its trace.
    Position,
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
        add(&mut filter, one(&at.to_string(), condition, columns)?)?;
    }
    Ok(filter)
}

fn too_many() -> super::error::Failure {
    wrong("", &format!("at most {MAX_CONDITIONS} conditions"))
}

fn wrong(path: &str, message: &str) -> super::error::Failure {
    Issue::new("custom", &format!("filter.{path}"), message).into()
}

#[cfg(test)]
mod tests {
    use domain::comparison::Compare;
    use domain::filter::{Measured, Place, Verdict, Verdicts};
    use serde_json::json;

    use super::*;

    const COLUMNS: Columns = &[
        ("name", Meaning::Ours("name")),
        ("type", Meaning::Kind),
        ("userId", Meaning::OfTrace("user_id")),
        ("isRootObservation", Meaning::IsRoot),
        ("bookmarked", Meaning::NotYet),
        (
            "timeToFirstToken",
            Meaning::Number(Quantity::TtftMs, 1_000.0),
        ),
        ("endTime", Meaning::EndTime),
        ("scores_avg", Meaning::Average(Judged::Span)),
        ("score_categories", Meaning::Labels(Judged::Trace)),
        ("score_booleans", Meaning::Says(Judged::Span)),
        ("position", Meaning::Position),
        ("hasInput", Meaning::Has("input")),
        ("timestamp", Meaning::Ours("start")),
    ];

    fn parsed(conditions: &Value) -> Result<Filter> {
        parse(&conditions.to_string(), COLUMNS)
    }

    #[test]
    fn nothing_is_written_as_an_empty_text_and_all_of_nothing_holds() {
        let one = |operator: &str, value: Value| {
            parsed(&json!([{ "column": "name", "operator": operator, "value": value }]))
        };
        for operator in ["is null", "is not null"] {
            assert_eq!(one(operator, json!("")).unwrap().conditions.len(), 1);
            assert!(one(operator, json!("x")).is_err());
        }
        assert_eq!(one("all of", json!([])).unwrap(), Filter::default());
        assert!(one("any of", json!([])).is_err());
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
    fn numbers_scores_and_places_are_understood() {
        let filter = parsed(&json!([
            {"type": "number", "column": "timeToFirstToken", "operator": "<", "value": 0.5},
            {"type": "datetime", "column": "endTime", "operator": ">=", "value": "1970-01-01T00:00:01Z"},
            {"type": "numberObject", "column": "scores_avg", "key": "q", "operator": ">", "value": 0.5},
            {"type": "categoryOptions", "column": "score_categories", "key": "c", "operator": "none of", "value": ["x"]},
            {"type": "booleanObject", "column": "score_booleans", "key": "b", "operator": "<>", "value": true},
            {"type": "positionInTrace", "column": "position", "key": "nthFromEnd", "operator": "=", "value": 2},
            {"type": "boolean", "column": "hasInput", "operator": "=", "value": true},
        ]))
        .unwrap();
        let measured = |quantity, compare, number| Measured {
            quantity,
            compare,
            number,
        };
        assert_eq!(
            filter.measured,
            [
                measured(Quantity::TtftMs, Compare::Less, 500.0),
                measured(Quantity::EndMs, Compare::GreaterOrEqual, 1_000.0),
            ]
        );
        let verdicts = |of, name: &str, verdict| Verdicts {
            of,
            name: name.to_owned(),
            verdict,
        };
        assert_eq!(
            filter.verdicts,
            [
                verdicts(Judged::Span, "q", Verdict::Average(Compare::Greater, 0.5)),
                verdicts(Judged::Trace, "c", Verdict::NoLabel(vec!["x".to_owned()])),
                verdicts(Judged::Span, "b", Verdict::Says(false)),
            ]
        );
        let place = Place {
            number: 2,
            is_from_end: true,
        };
        assert_eq!(filter.place, Some(place));
        assert_eq!(filter.conditions[0].column, Column::Input);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for wrong in [
            json!({}),
            json!([1]),
            json!([{"column": "nonsense", "operator": "=", "value": "x"}]),
            json!([{"column": "bookmarked", "operator": "=", "value": true}]),
            json!([{"column": "timeToFirstToken", "operator": ">", "value": "1"}]),
            json!([{"column": "timeToFirstToken", "operator": "~", "value": 1}]),
            json!([{"column": "endTime", "operator": ">", "value": "yesterday"}]),
            json!([{"column": "scores_avg", "operator": ">", "value": 1}]),
            json!([{"column": "score_categories", "key": "k", "operator": "any of", "value": [1]}]),
            json!([{"column": "position", "key": "middle", "operator": "=", "value": 1}]),
            json!([{"column": "position", "key": "nthFromStart", "operator": "=", "value": 0}]),
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
