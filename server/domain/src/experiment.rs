//! Experiments: what an application made of the items of a dataset, or of any inputs.
//!
//! Newer clients tell of them on every span of an item, under `langfuse.experiment.`; one span of an item
//! is its root, and stands for what was made of it. Older ones link traces to runs over a dataset.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::attr::langfuse as attr;
use crate::filter::{Column, Condition, Operator};
use crate::ids::TraceId;
use crate::span::{Level, Span};
use crate::time::Timestamp;

/// An experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its id: that of the run, where it went over a dataset.
    pub id: String,
    /// Its name: that of the run, likewise.
    pub name: String,
    /// What it tried.
    pub description: Option<String>,
    /// When the first of its spans began, or its run.
    pub start: Timestamp,
    /// When the last of its spans ended, or its last item was linked.
    pub end: Timestamp,
    /// Its items.
    pub items: u64,
    /// The dataset that it went over.
    pub dataset_id: Option<String>,
    /// What goes along with it.
    pub metadata: Option<Map<String, Value>>,
}

/// What an experiment made of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentItem {
    /// The span that is the item's root.
    pub id: String,
    /// Its trace.
    pub trace_id: TraceId,
    /// When it began.
    pub start: Timestamp,
    /// When it ended.
    pub end: Option<Timestamp>,
    /// Its level.
    pub level: Level,
    /// Its environment.
    pub environment: String,
    /// The experiment, without the numbers that need all of its items.
    pub of: Identity,
    /// Id of the item.
    pub item_id: String,
    /// As which version of its dataset it was taken.
    pub item_version: Option<Timestamp>,
    /// What went in, as sent.
    pub input: Option<String>,
    /// What came out, as sent.
    pub output: Option<String>,
    /// What should have come out, as sent.
    pub expected_output: Option<String>,
    /// Metadata of the span; each value is JSON text.
    pub metadata: BTreeMap<String, String>,
    /// What goes along with the item.
    pub item_metadata: Option<Map<String, Value>>,
}

/// What is said of an experiment on each of its spans.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it tries.
    pub description: Option<String>,
    /// The dataset that it goes over.
    pub dataset_id: Option<String>,
    /// What goes along with it.
    pub metadata: Option<Map<String, Value>>,
}

impl Identity {
    /// What a span says; `None` when it is part of no experiment.
    pub fn of(span: &Span) -> Option<Self> {
        let id = said(span, attr::EXPERIMENT_ID)?;
        Some(Identity {
            name: said(span, attr::EXPERIMENT_NAME).unwrap_or_else(|| id.clone()),
            description: said(span, attr::EXPERIMENT_DESCRIPTION),
            dataset_id: said(span, attr::EXPERIMENT_DATASET_ID),
            metadata: object(span, attr::EXPERIMENT_METADATA),
            id,
        })
    }
}

impl ExperimentItem {
    /// Of the item's root; `None` when it is part of no experiment.
    pub fn of(span: Span) -> Option<Self> {
        let of = Identity::of(&span)?;
        let version = said(&span, attr::EXPERIMENT_ITEM_VERSION);
        let item_id = said(&span, attr::EXPERIMENT_ITEM_ID);
        Some(ExperimentItem {
            id: span.span_id.to_string(),
            start: span.start,
            end: span.end,
            level: span.level,
            of,
            item_id: item_id.unwrap_or_else(|| span.span_id.to_string()),
            item_version: version.and_then(|text| Timestamp::parse(&text).ok()),
            expected_output: said(&span, attr::EXPERIMENT_ITEM_EXPECTED_OUTPUT),
            item_metadata: object(&span, attr::EXPERIMENT_ITEM_METADATA),
            input: span.input.map(|content| content.text.to_string()),
            output: span.output.map(|content| content.text.to_string()),
            metadata: span.metadata,
            environment: span.environment,
            trace_id: span.trace_id,
        })
    }
}

fn said(span: &Span, key: &str) -> Option<String> {
    let text = span.text_attribute(key)?;
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// An object that is told whole, as JSON text, or key by key below `key`; single keys go before.
fn object(span: &Span, key: &str) -> Option<Map<String, Value>> {
    let whole = span.text_attribute(key).map(serde_json::from_str::<Value>);
    let mut fields = match whole {
        Some(Ok(Value::Object(fields))) => Some(fields),
        _ => None,
    };
    for (name, value) in &span.attributes {
        let below = name
            .strip_prefix(key)
            .and_then(|rest| rest.strip_prefix('.'));
        let (Some(below), crate::value::Value::Str(text)) = (below, value) else {
            continue;
        };
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(&**text));
        fields
            .get_or_insert_default()
            .insert(below.to_owned(), value);
    }
    fields
}

/// Whether conditions hold of what is found under attributes' keys: those of a run, say, that no span
/// tells of. Conditions on anything else do not.
pub fn holds<'t>(conditions: &[Condition], text_of: impl Fn(&str) -> Option<&'t str>) -> bool {
    conditions.iter().all(|condition| {
        let Column::Attribute(key) = &condition.column else {
            return false;
        };
        let text = text_of(key).unwrap_or_default();
        let first = condition.values.first().map_or("", String::as_str);
        let contains = || text.to_lowercase().contains(&first.to_lowercase());
        match condition.operator {
            Operator::AnyOf => condition.values.iter().any(|value| value == text),
            Operator::NoneOf => condition.values.iter().all(|value| value != text),
            Operator::Contains => contains(),
            Operator::DoesNotContain => !contains(),
            Operator::StartsWith => text.starts_with(first),
            Operator::EndsWith => text.ends_with(first),
            Operator::Matches => {
                let text = text.to_lowercase();
                let mut words = first.split_whitespace();
                words.all(|word| text.contains(&word.to_lowercase()))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::SpanId;

    fn span(attributes: &[(&str, &str)]) -> Span {
        let (trace, id) = (TraceId::from_text("t"), SpanId::from_text("s"));
        let mut span = Span::bare(trace.unwrap(), id.unwrap(), Timestamp::EPOCH);
        for (key, text) in attributes {
            let value = crate::value::Value::Str((*text).into());
            span.attributes.push(((*key).into(), value));
        }
        span
    }

    #[test]
    fn a_span_tells_of_its_experiment() {
        assert_eq!(ExperimentItem::of(span(&[])), None);
        let item = ExperimentItem::of(span(&[
            ("langfuse.experiment.id", "e"),
            ("langfuse.experiment.name", "night"),
            ("langfuse.experiment.dataset.id", "d"),
            ("langfuse.experiment.metadata", r#"{"model":"m","n":1}"#),
            ("langfuse.experiment.metadata.n", "2"),
            ("langfuse.experiment.item.id", "i"),
            ("langfuse.experiment.item.expected_output", "Paris"),
            ("langfuse.experiment.item.metadata.tags", r#"["a"]"#),
            (
                "langfuse.experiment.item.version",
                "2026-01-02T03:04:05.678Z",
            ),
        ]));
        let item = item.unwrap();
        let identity = Identity {
            id: "e".to_owned(),
            name: "night".to_owned(),
            description: None,
            dataset_id: Some("d".to_owned()),
            metadata: json!({ "model": "m", "n": 2 }).as_object().cloned(),
        };
        assert_eq!(item.of, identity);
        assert_eq!((item.item_id.as_str(), item.id.as_str()), ("i", "s"));
        assert_eq!(item.expected_output.as_deref(), Some("Paris"));
        assert_eq!(
            item.item_metadata,
            json!({ "tags": ["a"] }).as_object().cloned()
        );
        assert!(item.item_version.is_some());
    }

    #[test]
    fn what_is_odd_is_left_out() {
        let item = ExperimentItem::of(span(&[
            ("langfuse.experiment.id", "e"),
            ("langfuse.experiment.metadata", "not an object"),
            ("langfuse.experiment.item.version", "yesterday"),
        ]));
        let item = item.unwrap();
        assert_eq!((item.of.name.as_str(), item.item_id.as_str()), ("e", "s"));
        assert_eq!((item.of.metadata, item.item_version), (None, None));
    }

    #[test]
    fn conditions_hold_of_runs_as_of_spans() {
        let condition = |operator, values: &[&str]| Condition {
            column: Column::Attribute(attr::EXPERIMENT_NAME.to_owned()),
            operator,
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let of = |condition| {
            let name = |key: &str| (key == attr::EXPERIMENT_NAME).then_some("Night Run");
            holds(&[condition], name)
        };
        assert!(of(condition(Operator::AnyOf, &["x", "Night Run"])));
        assert!(!of(condition(Operator::NoneOf, &["Night Run"])));
        assert!(of(condition(Operator::Contains, &["night"])));
        assert!(!of(condition(Operator::DoesNotContain, &["RUN"])));
        assert!(of(condition(Operator::StartsWith, &["Night"])));
        assert!(!of(condition(Operator::EndsWith, &["run"])));
        assert!(!of(Condition {
            column: Column::Name,
            ..condition(Operator::AnyOf, &["Night Run"])
        }));
    }
}
