//! Datasets: inputs to try an application with, and what it should answer.

/// Attachments that items name.
mod attached;
/// Contents of items as cells of a table.
mod cell;
/// Items and their history.
mod item;
/// What datasets are for.
mod kind;
/// Texts that clients choose.
mod names;
/// Runs over a dataset, and what they made of each item.
mod run;
/// What items of a dataset follow.
mod schemas;
/// Items as rows of a file, going out.
mod sheet;
/// Files of rows, and what of an item each column is.
mod table;

pub use attached::{Attached, MAX_ATTACHED};
pub use item::{DatasetItem, DatasetItemId, ItemDraft, ItemStatus};
pub use kind::{Challenge, DatasetKind};
pub use names::{DatasetName, RunName, stripped};
pub use run::{DatasetRun, DatasetRunItem, RunDraft, RunId};
pub use schemas::{Schemas, Violation};
pub use sheet::SheetForm;
pub use table::{MAX_COLUMNS, MAX_ROWS, Mapping, Role, Table};

use serde_json::Value;

use crate::fault::Fault;
use crate::ids::{DatasetId, ProjectId};
use crate::time::Timestamp;

/// Longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 5_000;

/// A dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// Its id.
    pub id: DatasetId,
    /// The project that owns it.
    pub project_id: ProjectId,
    /// Its name.
    pub name: DatasetName,
    /// What kind of dataset it is.
    pub kind: DatasetKind,
    /// What it is for.
    pub description: Option<String>,
    /// Anything that goes along with it; null: nothing.
    pub metadata: Value,
    /// JSON schema of the inputs of its items.
    pub input_schema: Option<Value>,
    /// JSON schema of their expected outputs.
    pub expected_output_schema: Option<Value>,
    /// When it was archived: lists leave it out from then on.
    pub archived_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed; its items do not count.
    pub updated_at: Timestamp,
}

/// Where a dataset stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    /// Among those that are in use.
    #[default]
    InUse,
    /// Among those that were archived.
    Archived,
}

/// What somebody says of a dataset. What is `None` stays as it is; of a schema, `Some(None)` takes it
/// away.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetDraft {
    /// The name, by which it is known.
    pub name: DatasetName,
    /// What it is for.
    pub description: Option<String>,
    /// Anything that goes along with it.
    pub metadata: Option<Value>,
    /// JSON schema of the inputs.
    pub input_schema: Option<Option<Value>>,
    /// JSON schema of the expected outputs.
    pub expected_output_schema: Option<Option<Value>>,
}

impl DatasetDraft {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// `invalid` on the field `description`.
    pub fn check(&self) -> Result<(), Fault> {
        check_description("description", self.description.as_deref())
    }

    /// Puts what is said in the place of what was.
    pub fn change(self, dataset: &mut Dataset) {
        dataset.description = self.description.or(dataset.description.take());
        if let Some(metadata) = self.metadata {
            dataset.metadata = metadata;
        }
        if let Some(schema) = self.input_schema {
            dataset.input_schema = schema;
        }
        if let Some(schema) = self.expected_output_schema {
            dataset.expected_output_schema = schema;
        }
    }
}

impl Dataset {
    /// What its items follow.
    ///
    /// # Errors
    /// `invalid` on the field of a schema that is none.
    pub fn schemas(&self) -> Result<Schemas, Fault> {
        Schemas::compile(
            self.input_schema.as_ref(),
            self.expected_output_schema.as_ref(),
        )
    }
}

fn check_description(field: &str, description: Option<&str>) -> Result<(), Fault> {
    let wrong = |why: &str| Err(Fault::invalid(format!("{field} {why}")).on_field(field));
    match description {
        Some(text) if text.chars().count() > MAX_DESCRIPTION_CHARS => {
            wrong("must have at most 5000 characters")
        }
        Some(text) if text.contains('\0') => wrong("must not hold NUL characters"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_not_said_stays_and_a_schema_can_be_taken_away() {
        let name = DatasetName::parse("d").unwrap();
        let mut dataset = Dataset {
            id: DatasetId(Uuid::from_u128(1)),
            project_id: ProjectId(Uuid::from_u128(2)),
            name: name.clone(),
            kind: DatasetKind::Plain,
            description: Some("old".to_owned()),
            metadata: json!({ "a": 1 }),
            input_schema: Some(json!({ "type": "object" })),
            expected_output_schema: Some(json!(true)),
            archived_at: None,
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        };
        let draft = DatasetDraft {
            name,
            description: None,
            metadata: None,
            input_schema: Some(None),
            expected_output_schema: None,
        };
        draft.clone().change(&mut dataset);
        assert_eq!(dataset.description.as_deref(), Some("old"));
        assert_eq!(dataset.metadata, json!({ "a": 1 }));
        assert_eq!(
            (dataset.input_schema, dataset.expected_output_schema),
            (None, Some(json!(true)))
        );
        for description in ["x".repeat(5_001), "a\0".to_owned()] {
            let draft = DatasetDraft {
                description: Some(description),
                ..draft.clone()
            };
            assert!(draft.check().is_err());
        }
    }
}
