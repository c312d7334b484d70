//! Runs over a dataset.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{DatasetItemId, DatasetName, RunName, check_description};
use crate::fault::Fault;
use crate::ids::{DatasetId, ProjectId, SpanId, TraceId};
use crate::time::Timestamp;

/// What a run's id is made of, beside what it belongs to.
const ID_DOMAIN: &str = "langfuse-experiment-v1";
/// Hexadecimal digits of it.
const ID_DIGITS: usize = 16;

/// The id of a run. It follows from project, dataset and name: newer clients work it out themselves and
/// write it into their spans as `langfuse.experiment.id`, so that both ways tell of the same run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(Arc<str>);

impl RunId {
    /// The first 16 hexadecimal digits of the SHA-256 of a JSON list of texts: a constant, project,
    /// dataset, name.
    pub fn of(project: ProjectId, dataset: DatasetId, name: &RunName) -> Self {
        let parts = json!([
            ID_DOMAIN,
            project.to_string(),
            dataset.to_string(),
            name.as_str()
        ]);
        let hash = format!("{:x}", Sha256::digest(parts.to_string()));
        RunId(hash.get(..ID_DIGITS).unwrap_or(&hash).into())
    }

    /// One that was made before.
    pub fn from_stored(text: &str) -> Self {
        RunId(text.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetRun {
    /// Its id.
    pub id: RunId,
    /// The dataset that it went over.
    pub dataset_id: DatasetId,
    /// The name of that.
    pub dataset_name: DatasetName,
    /// Its name, unique within the dataset.
    pub name: RunName,
    /// What it tried.
    pub description: Option<String>,
    /// An object that goes along with it; null: nothing.
    pub metadata: Value,
    /// When its first item was linked.
    pub created_at: Timestamp,
    /// When its last one was.
    pub updated_at: Timestamp,
}

/// What a run made of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetRunItem {
    /// Its id.
    pub id: Uuid,
    /// The run.
    pub run_id: RunId,
    /// The name of that.
    pub run_name: RunName,
    /// The item; it may be deleted since.
    pub item_id: DatasetItemId,
    /// The trace; it may not have come yet.
    pub trace_id: TraceId,
    /// The observation, where it is not the whole trace.
    pub observation_id: Option<SpanId>,
    /// When it was linked.
    pub created_at: Timestamp,
    /// The same: links do not change.
    pub updated_at: Timestamp,
}

/// What somebody says of a run when linking an item.
#[derive(Clone, Debug, PartialEq)]
pub struct RunDraft {
    /// Its name.
    pub name: RunName,
    /// What it tries.
    pub description: Option<String>,
    /// Anything that goes along with it.
    pub metadata: Option<Value>,
    /// The items are taken as they were then.
    pub dataset_version: Option<Timestamp>,
}

impl RunDraft {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// `invalid` on the field `runDescription`.
    pub fn check(&self) -> Result<(), Fault> {
        check_description("runDescription", self.description.as_deref())
    }

    /// The run's metadata: what is no object stands in one under `metadata`, and the version of the
    /// dataset beside it. `version` is that as text.
    pub fn metadata(&self, version: Option<String>) -> Value {
        let mut fields = match self.metadata.clone() {
            None => Map::new(),
            Some(Value::Object(fields)) => fields,
            Some(other) => Map::from_iter([("metadata".to_owned(), other)]),
        };
        if let Some(version) = version {
            fields.insert("dataset_version".to_owned(), version.into());
        }
        if self.metadata.is_none() && fields.is_empty() {
            Value::Null
        } else {
            Value::Object(fields)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_one_that_clients_work_out() {
        let project = ProjectId(Uuid::from_u128(1));
        let dataset = DatasetId(Uuid::from_u128(2));
        let name = RunName::parse("Lauf \"1\" – 問").unwrap();
        // printf '%s' '["langfuse-experiment-v1","0…1","0…2","Lauf \"1\" – 問"]' | sha256sum
        assert_eq!(
            RunId::of(project, dataset, &name).as_str(),
            "130dab20c6c4c0f0"
        );
    }

    #[test]
    fn metadata_is_an_object_or_nothing() {
        let draft = |metadata| RunDraft {
            name: RunName::parse("r").unwrap(),
            description: None,
            metadata,
            dataset_version: None,
        };
        let version = || Some("2026-01-02T03:04:05.678Z".to_owned());
        assert_eq!(draft(None).metadata(None), Value::Null);
        assert_eq!(draft(Some(json!({}))).metadata(None), json!({}));
        assert_eq!(
            draft(Some(json!("x"))).metadata(None),
            json!({ "metadata": "x" })
        );
        assert_eq!(
            draft(Some(json!({ "a": 1 }))).metadata(version()),
            json!({ "a": 1, "dataset_version": "2026-01-02T03:04:05.678Z" })
        );
        assert_eq!(
            draft(None).metadata(version()),
            json!({ "dataset_version": "2026-01-02T03:04:05.678Z" })
        );
    }
}
