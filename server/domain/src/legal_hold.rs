//! Users of the application whose data must not be deleted for the time being.

use crate::ids::LegalHoldId;
use crate::time::Timestamp;

/// Longest reason, in characters.
pub const MAX_REASON: usize = 500;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalHold {
    /// Its id.
    pub id: LegalHoldId,
    /// The user.
    pub user_id: String,
    /// Why.
    pub reason: String,
    /// Who set it: `key:ID`, `person:ID`.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}
