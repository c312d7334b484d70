//! Rows and what they stand for.

use domain::dataset::{
    Challenge, Dataset, DatasetItem, DatasetItemId, DatasetKind, DatasetName, DatasetRun,
    DatasetRunItem, ItemStatus, RunId, RunName,
};
use domain::{Fault, ProjectId, SpanId, TraceId};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::StoreError;

/// A query of versions of items: what follows the columns, then its parameters.
macro_rules! select_dataset_item_versions {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            ItemRow,
            r#"SELECT
                 v.item_id,
                 v.dataset_id,
                 d.name AS dataset_name,
                 v.status,
                 v.input::TEXT AS "input!",
                 v.expected_output::TEXT AS "expected_output!",
                 v.metadata::TEXT AS "metadata!",
                 v.source_trace_id,
                 v.source_observation_id,
                 v.challenge,
                 v.changed_by,
                 v.reason,
                 v.created_at,
                 v.valid_from
             FROM dataset_item_versions v "# + $rest
            $(, $parameter)*
        )
    };
}
pub(super) use select_dataset_item_versions;

/// A dataset.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) description: Option<String>,
    pub(super) metadata: String,
    pub(super) input_schema: Option<String>,
    pub(super) expected_output_schema: Option<String>,
    pub(super) archived_at: Option<OffsetDateTime>,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

/// A version of an item.
pub(super) struct ItemRow {
    pub(super) item_id: String,
    pub(super) dataset_id: Uuid,
    pub(super) dataset_name: String,
    pub(super) status: String,
    pub(super) input: String,
    pub(super) expected_output: String,
    pub(super) metadata: String,
    pub(super) source_trace_id: Option<String>,
    pub(super) source_observation_id: Option<String>,
    pub(super) challenge: Option<String>,
    pub(super) changed_by: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) created_at: OffsetDateTime,
    pub(super) valid_from: OffsetDateTime,
}

/// A run.
pub(super) struct RunRow {
    pub(super) id: String,
    pub(super) dataset_id: Uuid,
    pub(super) dataset_name: String,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) metadata: String,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

/// What a run made of an item.
pub(super) struct RunItemRow {
    pub(super) id: Uuid,
    pub(super) run_id: String,
    pub(super) run_name: String,
    pub(super) item_id: String,
    pub(super) trace_id: String,
    pub(super) observation_id: Option<String>,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

impl Row {
    pub(super) fn into_dataset(self, project: ProjectId) -> Result<Dataset, StoreError> {
        Ok(Dataset {
            id: self.id.into(),
            project_id: project,
            name: dataset_name(&self.name)?,
            kind: kind(&self.kind),
            description: self.description,
            metadata: json(&self.metadata)?,
            input_schema: self.input_schema.as_deref().map(json).transpose()?,
            expected_output_schema: self
                .expected_output_schema
                .as_deref()
                .map(json)
                .transpose()?,
            archived_at: self.archived_at.map(Into::into),
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

impl ItemRow {
    pub(super) fn into_item(self) -> Result<DatasetItem, StoreError> {
        Ok(DatasetItem {
            id: item_id(&self.item_id)?,
            dataset_id: self.dataset_id.into(),
            dataset_name: dataset_name(&self.dataset_name)?,
            // The table's constraint keeps others out.
            status: ItemStatus::from_name(&self.status).unwrap_or_default(),
            input: json(&self.input)?,
            expected_output: json(&self.expected_output)?,
            metadata: json(&self.metadata)?,
            source_trace_id: self.source_trace_id.as_deref().map(trace_id).transpose()?,
            source_observation_id: self
                .source_observation_id
                .as_deref()
                .map(observation_id)
                .transpose()?,
            challenge: self.challenge.as_deref().and_then(Challenge::from_name),
            changed_by: self.changed_by,
            reason: self.reason,
            created_at: self.created_at.into(),
            updated_at: self.valid_from.into(),
        })
    }
}

impl RunRow {
    pub(super) fn into_run(self) -> Result<DatasetRun, StoreError> {
        Ok(DatasetRun {
            id: RunId::from_stored(&self.id),
            dataset_id: self.dataset_id.into(),
            dataset_name: dataset_name(&self.dataset_name)?,
            name: run_name(&self.name)?,
            description: self.description,
            metadata: json(&self.metadata)?,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

impl RunItemRow {
    pub(super) fn into_run_item(self) -> Result<DatasetRunItem, StoreError> {
        Ok(DatasetRunItem {
            id: self.id,
            run_id: RunId::from_stored(&self.run_id),
            run_name: run_name(&self.run_name)?,
            item_id: item_id(&self.item_id)?,
            trace_id: trace_id(&self.trace_id)?,
            observation_id: self
                .observation_id
                .as_deref()
                .map(observation_id)
                .transpose()?,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

/// The table's constraint keeps others out.
pub(super) fn kind(text: &str) -> DatasetKind {
    DatasetKind::from_name(text).unwrap_or_default()
}

fn json(text: &str) -> Result<Value, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Row(error.into()))
}

pub(super) fn dataset_name(text: &str) -> Result<DatasetName, StoreError> {
    DatasetName::parse(text).map_err(row)
}

fn run_name(text: &str) -> Result<RunName, StoreError> {
    RunName::parse(text).map_err(row)
}

pub(super) fn item_id(text: &str) -> Result<DatasetItemId, StoreError> {
    DatasetItemId::parse(text).map_err(row)
}

pub(super) fn trace_id(text: &str) -> Result<TraceId, StoreError> {
    TraceId::from_text(text).map_err(|error| StoreError::Row(error.into()))
}

fn observation_id(text: &str) -> Result<SpanId, StoreError> {
    SpanId::from_text(text).map_err(|error| StoreError::Row(error.into()))
}

fn row(fault: Fault) -> StoreError {
    StoreError::Row(fault.into())
}
