//! Prompts of a project: names, versions, labels, and what refers to what.
//!
//! **Invariant:** whatever changes them goes through a transaction that holds [`lock`], so that
//! changes of a project happen one after the other and each sees all of those before it.

/// Deleting, and what stands in its way.
mod delete;
/// Labels: which version they stand on, and which of them are protected.
mod labels;
/// Names with their versions summed up.
mod list;
/// Hearing of changes, wherever they are made.
mod listen;
/// One version.
mod read;
/// Rows and what they stand for.
mod row;
/// Labels under test.
mod splits;
/// New versions.
mod write;

pub use delete::{Dependent, delete_prompt, delete_versions, dependent, dependents};
pub use labels::{Standing, delete_label, move_labels, protected, set_protected, standing};
pub use list::{Folder, Wanted, folders, list};
pub use listen::{Heard, Listener};
pub use read::{Head, find, has, heads, managed, named, versions};
pub use splits::{end_split, set_split, splits};
pub use write::{Numbered, create_version, next_version, set_tags};

use domain::ProjectId;
use domain::prompt::PromptName;

use crate::{StoreError, Transaction};

/// Changes of prompts are told here.
const CHANNEL: &str = "triaxis_prompts";

/// Waits until no other transaction changes the project's prompts, and holds the others up until the
/// end of this one.
///
/// # Errors
/// When Postgres is away, or the others take too long.
pub async fn lock(tx: &mut Transaction, project: ProjectId) -> Result<(), StoreError> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("prompts of {project}")
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Tells every server, when the transaction is committed, that a prompt of the project has changed.
///
/// # Errors
/// When Postgres is away.
pub async fn tell(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
) -> Result<(), StoreError> {
    // Servers of before, which expect the project alone, take this for "anything".
    let told = format!("{project} {name}");
    sqlx::query!("SELECT pg_notify($1, $2)", CHANNEL, told)
        .execute(tx.connection())
        .await?;
    Ok(())
}
