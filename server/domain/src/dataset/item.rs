//! Items of a dataset.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::{Challenge, DatasetName};
use crate::fault::Fault;
use crate::ids::{DatasetId, SpanId, TraceId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Most characters of an item's id.
const MAX_ID_CHARS: usize = 255;

/// The id of an item, chosen by a client or made here; unique within its project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatasetItemId(Arc<str>);

impl DatasetItemId {
    /// From text.
    ///
    /// # Errors
    /// `invalid` on the field `id` outside 1 to 255 characters, and for control characters.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |why: &str| Err(Fault::invalid(format!("id {why}")).on_field("id"));
        if !(1..=MAX_ID_CHARS).contains(&text.chars().count()) {
            return wrong("must have 1 to 255 characters");
        }
        if text.chars().any(char::is_control) {
            return wrong("must not hold control characters");
        }
        Ok(DatasetItemId(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DatasetItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

named_enum!(
    /// Whether runs take an item.
    ItemStatus, default Active {
        /// They do.
        Active = "ACTIVE",
        /// They do not, and lists do not show it.
        Archived = "ARCHIVED",
    }
);

/// An item of a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetItem {
    /// Its id.
    pub id: DatasetItemId,
    /// The dataset that it is in.
    pub dataset_id: DatasetId,
    /// The name of that.
    pub dataset_name: DatasetName,
    /// Whether runs take it.
    pub status: ItemStatus,
    /// What goes in; null: nothing. So for the next two.
    pub input: Value,
    /// What should come out.
    pub expected_output: Value,
    /// Anything that goes along with it.
    pub metadata: Value,
    /// The trace that it was taken from.
    pub source_trace_id: Option<TraceId>,
    /// The observation that it was taken from.
    pub source_observation_id: Option<SpanId>,
    /// What the input is meant to break, or what was seen to go wrong with it.
    pub challenge: Option<Challenge>,
    /// Who wrote this version: a person's id, `API` or `server`; `None` where it was not noted.
    pub changed_by: Option<String>,
    /// Why, in words.
    pub reason: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When this version of it was written.
    pub updated_at: Timestamp,
}

/// What somebody says of an item; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemDraft {
    /// Whether runs take it.
    pub status: Option<ItemStatus>,
    /// What goes in.
    pub input: Option<Value>,
    /// What should come out.
    pub expected_output: Option<Value>,
    /// Anything that goes along with it.
    pub metadata: Option<Value>,
    /// The trace that it was taken from.
    pub source_trace_id: Option<TraceId>,
    /// The observation that it was taken from.
    pub source_observation_id: Option<SpanId>,
    /// What the input is meant to break; `Some(None)` takes it away.
    pub challenge: Option<Option<Challenge>>,
    /// Why this version is written; it does not stay for the next.
    pub reason: Option<String>,
}

/// Most characters of a reason.
const MAX_REASON_CHARS: usize = 500;

impl DatasetItem {
    /// One of which nothing is said yet.
    pub fn empty(
        id: DatasetItemId,
        (dataset_id, dataset_name): (DatasetId, DatasetName),
        now: Timestamp,
    ) -> Self {
        DatasetItem {
            id,
            dataset_id,
            dataset_name,
            status: ItemStatus::default(),
            input: Value::Null,
            expected_output: Value::Null,
            metadata: Value::Null,
            source_trace_id: None,
            source_observation_id: None,
            challenge: None,
            changed_by: None,
            reason: None,
            created_at: now,
            updated_at: now,
        }
    }
}

impl ItemDraft {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// `invalid` on the field `reason`.
    pub fn check(&self) -> Result<(), Fault> {
        let reason = self.reason.as_deref().unwrap_or_default();
        if reason.chars().count() > MAX_REASON_CHARS || reason.contains('\0') {
            let message = "must have at most 500 characters, none of them NUL";
            return Err(Fault::invalid(message).on_field("reason"));
        }
        Ok(())
    }

    /// Puts what is said in the place of what was.
    pub fn change(self, item: &mut DatasetItem) {
        item.status = self.status.unwrap_or(item.status);
        for (said, field) in [
            (self.input, &mut item.input),
            (self.expected_output, &mut item.expected_output),
            (self.metadata, &mut item.metadata),
        ] {
            if let Some(value) = said {
                *field = value;
            }
        }
        item.source_trace_id = self.source_trace_id.or(item.source_trace_id.take());
        item.source_observation_id = self
            .source_observation_id
            .or(item.source_observation_id.take());
        item.challenge = self.challenge.unwrap_or(item.challenge);
        item.reason = self.reason;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn ids_have_one_to_255_characters() {
        assert!(DatasetItemId::parse(&"é".repeat(255)).is_ok());
        for wrong in [String::new(), "x".repeat(256), "a\0".to_owned()] {
            assert!(DatasetItemId::parse(&wrong).is_err());
        }
    }

    #[test]
    fn what_is_not_said_stays() {
        let place = (
            DatasetId(Uuid::from_u128(1)),
            DatasetName::parse("d").unwrap(),
        );
        let id = DatasetItemId::parse("i").unwrap();
        let mut item = DatasetItem::empty(id, place, Timestamp::EPOCH);
        let first = ItemDraft {
            input: Some(json!({ "q": 1 })),
            status: Some(ItemStatus::Archived),
            source_trace_id: TraceId::from_text("t").ok(),
            ..ItemDraft::default()
        };
        first.change(&mut item);
        let second = ItemDraft {
            metadata: Some(json!("m")),
            ..ItemDraft::default()
        };
        second.change(&mut item);
        assert_eq!(
            (&item.input, &item.metadata),
            (&json!({ "q": 1 }), &json!("m"))
        );
        assert_eq!(item.expected_output, Value::Null);
        assert_eq!(item.status, ItemStatus::Archived);
        assert!(item.source_trace_id.is_some());
    }
}
