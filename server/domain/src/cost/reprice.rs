//! History priced anew.

use crate::filter::Filter;
use crate::ids::RepriceId;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// How far it is.
    RepriceState, default Running {
        /// Under way, or about to be.
        Running = "running",
        /// Every call has been looked at.
        Done = "done",
        /// Given up after many tries; costs that were changed stay changed.
        Failed = "failed",
    }
);

/// A project's history being priced anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Reprice {
    /// Its id.
    pub id: RepriceId,
    /// Which calls.
    pub filter: Filter,
    /// How far it is.
    pub state: RepriceState,
    /// Calls that were looked at.
    pub done: u64,
    /// Calls that there are; `None` until they are counted.
    pub total: Option<u64>,
    /// Calls whose cost changed.
    pub changed: u64,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last went on.
    pub updated_at: Timestamp,
}
