//! An experiment, and what it made of an item.

use domain::ProjectId;
use domain::experiment::{Experiment, ExperimentItem};
use domain::score::Score;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::langfuse::content::decoded_values;
use crate::langfuse::scores::{Groups as ScoreGroups, v3_shape};
use crate::langfuse::time::Millis;
use crate::shape::TextOrJson;

/// An experiment, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExperimentShape<'a> {
    id: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    start_time: Millis,
    end_time: Millis,
    item_count: u64,
    dataset_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Option<&'a Map<String, Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<Value>>,
}

/// The answer with rows and, where it goes on, a cursor.
#[derive(Serialize)]
pub(super) struct Answer<Row> {
    pub(super) data: Vec<Row>,
    pub(super) meta: Meta,
}

#[derive(Serialize)]
pub(super) struct Meta {
    /// Left out at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cursor: Option<String>,
}

impl<'a> ExperimentShape<'a> {
    /// An experiment with its metadata, where that is asked for, and its scores, where they are.
    pub(super) fn new(
        experiment: &'a Experiment,
        asked: &[&str],
        scores: Option<Vec<Value>>,
    ) -> Self {
        ExperimentShape {
            id: &experiment.id,
            name: &experiment.name,
            description: experiment.description.as_deref(),
            start_time: Millis(experiment.start),
            end_time: Millis(experiment.end),
            item_count: experiment.items,
            dataset_id: experiment.dataset_id.as_deref(),
            metadata: asked
                .contains(&"metadata")
                .then_some(experiment.metadata.as_ref()),
            scores,
        }
    }
}

/// Scores, ready to be written.
pub(super) fn scores(scores: &[Score], project: ProjectId) -> Vec<Value> {
    let all = ScoreGroups {
        details: true,
        subject: true,
        annotation: true,
    };
    let shape = |score| Value::Object(v3_shape(score, project, all));
    scores.iter().map(shape).collect()
}

/// What an experiment made of an item, with those groups of fields that are asked for.
pub(super) fn item(
    item: &ExperimentItem,
    asked: &[&str],
    scores: Option<Vec<Value>>,
) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    put("id", item.id.as_str().into());
    put("traceId", item.trace_id.as_str().into());
    put("startTime", json(&Millis(item.start)));
    put("endTime", json(&item.end.map(Millis)));
    put("level", item.level.as_str().into());
    put("environment", item.environment.as_str().into());
    put("experimentId", item.of.id.as_str().into());
    put("experimentName", item.of.name.as_str().into());
    put("experimentItemId", item.item_id.as_str().into());
    if asked.contains(&"dataset") {
        put("experimentDatasetId", item.of.dataset_id.as_deref().into());
        put(
            "experimentItemVersion",
            json(&item.item_version.map(Millis)),
        );
    }
    if asked.contains(&"io") {
        put("input", content(item.input.as_deref()));
        put("output", content(item.output.as_deref()));
        put("expectedOutput", content(item.expected_output.as_deref()));
    }
    if asked.contains(&"metadata") {
        put("metadata", json(&decoded_values(&item.metadata)));
    }
    if asked.contains(&"itemMetadata") {
        put("experimentItemMetadata", json(&item.item_metadata));
    }
    if asked.contains(&"experimentMetadata") {
        put("experimentMetadata", json(&item.of.metadata));
        put(
            "experimentDescription",
            item.of.description.as_deref().into(),
        );
    }
    if let Some(scores) = scores {
        put("scores", scores.into());
    }
    fields
}

/// Content decoded, where it is JSON.
fn content(text: Option<&str>) -> Value {
    json(&text.map(TextOrJson::for_any_reader))
}

/// What is made of texts, numbers and times can always be written.
fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
