//! Users who are forgotten.

mod create;
mod list;
mod preview;
mod public_key;
mod show;
mod user;

use domain::deletion::{Counts, Deletion, DeletionState, SharedTraces};
use serde::Serialize;
use serde_json::Value;

pub(crate) use create::create_deletions;
pub(crate) use list::list_deletions;
pub(crate) use preview::preview_deletion;
pub(crate) use public_key::show_public_key;
pub(crate) use show::show_deletion;
pub(crate) use user::delete_user;

/// A deletion as the API shows it; it names nobody.
#[derive(Serialize)]
pub(crate) struct DeletionShape<'a> {
    id: String,
    state: DeletionState,
    subject_hash: String,
    shared_traces: SharedTraces,
    counts: &'a Counts,
    requested_by: &'a str,
    requested_at: String,
    verified_at: Option<String>,
    tombstone_until: String,
    fault: Option<&'a str>,
    certificate: Option<&'a Value>,
}

impl<'a> From<&'a Deletion> for DeletionShape<'a> {
    fn from(deletion: &'a Deletion) -> Self {
        let hash = deletion.subject.0.iter();
        DeletionShape {
            id: deletion.id.to_string(),
            state: deletion.state,
            subject_hash: hash.map(|byte| format!("{byte:02x}")).collect(),
            shared_traces: deletion.shared_traces,
            counts: &deletion.counts,
            requested_by: &deletion.requested_by,
            requested_at: deletion.requested_at.to_string(),
            verified_at: deletion.verified_at.map(|at| at.to_string()),
            tombstone_until: deletion.tombstone_until.to_string(),
            fault: deletion.fault.as_deref(),
            certificate: deletion.certificate.as_ref(),
        }
    }
}
