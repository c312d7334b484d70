//! The `filter=` parameter: a JSON array of `{column, operator, value, key}`, in Langfuse's names
//! and ours; all must hold.

use domain::filter::{Column, Condition, Filter, MAX_CONDITIONS, Operator};
use domain::{Fault, Nanos, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use super::params::wrong;

/// Most values of one condition.
const MAX_VALUES: usize = 1000;

#[derive(Deserialize)]
struct Written {
    column: String,
    operator: String,
    value: Value,
    #[serde(default)]
    key: Option<String>,
}

/// What is compared.
enum Compared {
    Text(Column),
    Start,
    LatencyMs { per_unit: f64 },
    Errors,
}

/// Reads the parameter.
///
/// # Errors
/// `invalid` on `filter`, naming the condition and what is known instead.
pub(crate) fn parse(text: &str) -> Result<Filter, Fault> {
    let array = "give a JSON array of {\"column\", \"operator\", \"value\"}";
    let written: Vec<Written> = serde_json::from_str(text).map_err(|_| wrong("filter", array))?;
    let too_many =
        format!("give at most {MAX_CONDITIONS} conditions; each value of \"all of\" counts as one");
    if written.len() > MAX_CONDITIONS {
        return Err(wrong("filter", &too_many));
    }
    let mut filter = Filter::default();
    for condition in &written {
        add(&mut filter, condition)?;
        // Each value of `all of` is a condition of its own.
        if filter.conditions.len() > MAX_CONDITIONS {
            return Err(wrong("filter", &too_many));
        }
    }
    Ok(filter)
}

fn add(filter: &mut Filter, written: &Written) -> Result<(), Fault> {
    match compared(written)? {
        Compared::Text(column) => add_text(filter, column, written),
        Compared::Start => add_start(filter, written),
        Compared::LatencyMs { per_unit } => {
            let given = number(written)? * per_unit;
            let least = match written.operator.as_str() {
                ">=" => given,
                ">" => given.next_up(),
                _ => return Err(unknown_operator(written, ">=, >")),
            };
            filter.min_latency_ms = Some(filter.min_latency_ms.unwrap_or(0.0).max(least));
            Ok(())
        }
        Compared::Errors => {
            let failed = match (written.operator.as_str(), number(written)?) {
                (">", 0.0) | (">=", 1.0) => true,
                ("=" | "<=", 0.0) | ("<", 1.0) => false,
                _ => return Err(unknown_operator(written, "> 0, = 0")),
            };
            filter.has_error = Some(failed);
            Ok(())
        }
    }
}

fn compared(written: &Written) -> Result<Compared, Fault> {
    let keyed = |column: fn(String) -> Column| {
        let key = written.key.clone().filter(|key| !key.is_empty());
        key.map(|key| Compared::Text(column(key)))
            .ok_or_else(|| wrong("filter", &format!("{} needs a key", written.column)))
    };
    let text = |column| Ok(Compared::Text(column));
    match written.column.as_str() {
        "name" | "traceName" => text(Column::Name),
        "kind" | "type" => text(Column::Kind),
        "environment" => text(Column::Environment),
        "model" | "providedModelName" => text(Column::Model),
        "provider" => text(Column::Provider),
        "user_id" | "userId" => text(Column::UserId),
        "session_id" | "sessionId" => text(Column::SessionId),
        "prompt" | "promptName" => text(Column::Prompt),
        "prompt_version" | "promptVersion" => text(Column::PromptVersion),
        "tenant" => text(Column::Tenant),
        "route" => text(Column::Route),
        "release" => text(Column::Release),
        "service" => text(Column::Service),
        "level" => text(Column::Level),
        "version" => text(Column::Version),
        "trace_id" | "traceId" => text(Column::TraceId),
        "span_id" => text(Column::SpanId),
        "parent_span_id" | "parentObservationId" => text(Column::ParentId),
        "trace_name" => text(Column::TraceName),
        "status_message" => text(Column::StatusMessage),
        "input" => text(Column::Input),
        "output" => text(Column::Output),
        "tag" | "tags" | "traceTags" => text(Column::Tag),
        "tool_name" => text(Column::ToolName),
        "called_tool" => text(Column::CalledTool),
        "semantic_event" => text(Column::SemanticEvent),
        "metadata" => keyed(Column::Metadata),
        "attribute" | "attributes" => keyed(Column::Attribute),
        "start" | "startTime" | "timestamp" => Ok(Compared::Start),
        "latency_ms" => Ok(Compared::LatencyMs { per_unit: 1.0 }),
        "latency" => Ok(Compared::LatencyMs { per_unit: 1000.0 }),
        "error_count" | "errorCount" => Ok(Compared::Errors),
        other => {
            let known = "name, kind, environment, model, provider, user_id, session_id, prompt, \
                         prompt_version, tenant, route, release, service, level, version, trace_id, \
                         span_id, parent_span_id, trace_name, \
                         status_message, input, output, tags, tool_name, called_tool, metadata, attributes, start, latency_ms, latency, error_count";
            Err(wrong(
                "filter",
                &format!("unknown column {other:?}; known are {known}"),
            ))
        }
    }
}

fn add_text(filter: &mut Filter, column: Column, written: &Written) -> Result<(), Fault> {
    let mut values = values(written)?;
    if column == Column::Kind {
        // Langfuse writes them in capitals.
        values
            .iter_mut()
            .for_each(|value| value.make_ascii_lowercase());
    }
    let operator = match written.operator.as_str() {
        "=" | "any of" => Operator::AnyOf,
        "<>" | "!=" | "none of" => Operator::NoneOf,
        "contains" => Operator::Contains,
        "does not contain" => Operator::DoesNotContain,
        "starts with" => Operator::StartsWith,
        "ends with" => Operator::EndsWith,
        "matches" => Operator::Matches,
        "all of" if values.is_empty() => {
            return Err(wrong(
                "filter",
                &format!("{} needs a value", written.column),
            ));
        }
        "all of" => {
            filter
                .conditions
                .extend(values.into_iter().map(|value| Condition {
                    column: column.clone(),
                    operator: Operator::AnyOf,
                    values: vec![value],
                }));
            return Ok(());
        }
        _ => {
            let known = "=, <>, any of, none of, all of, contains, does not contain, starts with, \
                         ends with, matches";
            return Err(unknown_operator(written, known));
        }
    };
    let needs_one = !matches!(operator, Operator::AnyOf | Operator::NoneOf);
    match (operator, values.len()) {
        // Nothing is denied: everything matches.
        (Operator::NoneOf, 0) => return Ok(()),
        (_, 0) => {
            return Err(wrong(
                "filter",
                &format!("{} needs a value", written.column),
            ));
        }
        (_, 2..) if needs_one => {
            return Err(wrong(
                "filter",
                &format!("{} takes one value", written.operator),
            ));
        }
        _ => {}
    }
    filter.conditions.push(Condition {
        column,
        operator,
        values,
    });
    Ok(())
}

fn add_start(filter: &mut Filter, written: &Written) -> Result<(), Fault> {
    let text = written.value.as_str().unwrap_or_default();
    let time = Timestamp::parse_bound(text).map_err(|error| wrong("filter", &error.to_string()))?;
    let just_after = time.plus(Nanos(1));
    match written.operator.as_str() {
        ">=" => filter.from = filter.from.max(Some(time)),
        ">" => filter.from = filter.from.max(Some(just_after)),
        "<" => filter.to = Some(filter.to.unwrap_or(Timestamp::MAX).min(time)),
        "<=" => filter.to = Some(filter.to.unwrap_or(Timestamp::MAX).min(just_after)),
        _ => return Err(unknown_operator(written, ">, >=, <, <=")),
    }
    Ok(())
}

fn values(written: &Written) -> Result<Vec<String>, Fault> {
    let as_text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    let texts: Option<Vec<String>> = match &written.value {
        Value::Array(values) => values.iter().map(as_text).collect(),
        value => as_text(value).map(|text| vec![text]),
    };
    let texts = texts.filter(|texts| texts.len() <= MAX_VALUES);
    let why = format!(
        "{}: give a text or a list of at most {MAX_VALUES} texts",
        written.column
    );
    texts.ok_or_else(|| wrong("filter", &why))
}

fn number(written: &Written) -> Result<f64, Fault> {
    let number = written.value.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| wrong("filter", &format!("{}: give a number", written.column)))
}

fn unknown_operator(written: &Written, known: &str) -> Fault {
    let (operator, column) = (&written.operator, &written.column);
    wrong(
        "filter",
        &format!("{column} has no operator {operator:?}; known are {known}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn langfuse_conditions_are_understood() {
        let filter = parse(
            r#"[{"type":"stringOptions","column":"userId","operator":"none of","value":["u1"]},
                {"type":"arrayOptions","column":"tags","operator":"all of","value":["a","b"]},
                {"type":"stringObject","column":"metadata","key":"k","operator":"does not contain","value":"v"},
                {"type":"datetime","column":"timestamp","operator":">=","value":"2026-01-05T01:00:00Z"},
                {"type":"number","column":"latency","operator":">=","value":1.5},
                {"column":"type","operator":"any of","value":["GENERATION"]},
                {"column":"errorCount","operator":">","value":0}]"#,
        )
        .unwrap();
        assert_eq!(filter.conditions.len(), 5);
        assert_eq!(filter.conditions[0].operator, Operator::NoneOf);
        assert_eq!(
            filter.conditions[3].column,
            Column::Metadata("k".to_owned())
        );
        assert_eq!(filter.conditions[4].values, ["generation"]);
        assert_eq!(filter.min_latency_ms, Some(1500.0));
        assert_eq!(filter.has_error, Some(true));
        assert_eq!(filter.from, Timestamp::parse("2026-01-05T01:00:00Z").ok());
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        for wrong in [
            "nonsense",
            "{}",
            "[1]",
            r#"[{"column":"x","operator":"=","value":"y"}]"#,
            r#"[{"column":"name","operator":"~","value":"y"}]"#,
            r#"[{"column":"name","operator":"any of","value":[]}]"#,
            r#"[{"column":"tags","operator":"all of","value":[]}]"#,
            r#"[{"column":"name","operator":"contains","value":["a","b"]}]"#,
            r#"[{"column":"name","operator":"=","value":{"a":1}}]"#,
            r#"[{"column":"metadata","operator":"=","value":"y"}]"#,
            r#"[{"column":"timestamp","operator":">","value":"yesterday"}]"#,
            r#"[{"column":"latency","operator":"<","value":1}]"#,
        ] {
            assert_eq!(
                parse(wrong).unwrap_err().field.as_deref(),
                Some("filter"),
                "{wrong}"
            );
        }
        assert!(
            parse(r#"[{"column":"tags","operator":"none of","value":[]}]"#)
                .unwrap()
                .conditions
                .is_empty()
        );
    }

    #[test]
    fn each_value_of_all_of_counts_as_a_condition() {
        let of = |count: usize| {
            let values: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            parse(
                &serde_json::json!([
                    {"column": "name", "operator": "=", "value": "x"},
                    {"column": "tags", "operator": "all of", "value": values},
                ])
                .to_string(),
            )
        };
        assert_eq!(of(MAX_CONDITIONS - 1).unwrap().conditions.len(), 50);
        let fault = of(MAX_CONDITIONS).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("filter"));
    }
}
