//! What is done to many traces at once.

use serde::{Deserialize, Serialize};

use crate::filter::Filter;
use crate::ids::{BulkJobId, PersonId};
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// How far a job is.
    BulkState, default Running {
        /// Under way, or about to be.
        Running = "running",
        /// Every trace has been looked at.
        Done = "done",
        /// Somebody stopped it; what was done stays done.
        Cancelled = "cancelled",
        /// Given up; what was done stays done.
        Failed = "failed",
    }
);

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkAction {
    /// The traces are deleted with all that hangs on them.
    Delete,
    /// Each becomes an item of the dataset of that name.
    AddToDataset(String),
}

/// A job.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkJob {
    /// Its id.
    pub id: BulkJobId,
    /// Who asked for it.
    pub person: PersonId,
    /// What is done.
    pub action: BulkAction,
    /// To which traces; what began after it was asked for is not among them.
    pub filter: Filter,
    /// How far it is.
    pub state: BulkState,
    /// Traces that were looked at.
    pub done: u64,
    /// Traces that there are; `None` until they are counted.
    pub total: Option<u64>,
    /// Traces that it could not be done to.
    pub skipped: u64,
    /// Why it was given up.
    pub fault: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last went on.
    pub updated_at: Timestamp,
}
