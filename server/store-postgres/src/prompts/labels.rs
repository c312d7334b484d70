//! Labels: which version they stand on, and which of them are protected.

use domain::prompt::{Label, PromptName};
use domain::{ProjectId, PromptId, Timestamp};

use super::row;
use crate::{StoreError, Transaction};

/// Where a label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The version.
    pub version: u32,
    /// The one before; `None`: there was none, or it is deleted.
    pub previous: Option<u32>,
}

/// Puts labels on a version; the versions of the same name that they stood on lose them. Both count as
/// changed. What tests of them there were is over.
///
/// # Errors
/// When Postgres is away.
pub async fn move_labels(
    tx: &mut Transaction,
    project: ProjectId,
    version: PromptId,
    labels: &[Label],
    now: Timestamp,
) -> Result<(), StoreError> {
    let labels: Vec<String> = labels.iter().map(Label::to_string).collect();
    sqlx::query!(
        "UPDATE prompt_versions v SET updated_at = $3
         FROM prompts p
         WHERE p.project_id = $1 AND v.prompt_id = p.id AND (v.id = $2 OR v.id IN (
             SELECT l.version_id
             FROM prompt_labels l JOIN prompt_versions target ON target.prompt_id = l.prompt_id
             WHERE target.id = $2 AND l.label = ANY ($4)
         ))",
        project.as_uuid(),
        version.as_uuid(),
        now.to_utc(),
        &labels
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM prompt_label_variants x
         USING prompt_versions v, prompts p
         WHERE p.project_id = $1 AND v.prompt_id = p.id AND v.id = $2 AND x.prompt_id = p.id
             AND x.label = ANY ($3)",
        project.as_uuid(),
        version.as_uuid(),
        &labels
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO prompt_labels (prompt_id, label, version_id, since, place)
         SELECT v.prompt_id, given.label, v.id, $3, given.place
         FROM prompt_versions v
         JOIN prompts p ON p.id = v.prompt_id
         CROSS JOIN unnest($4::TEXT[]) WITH ORDINALITY AS given (label, place)
         WHERE p.project_id = $1 AND v.id = $2
         ON CONFLICT ON CONSTRAINT prompt_labels_pkey DO UPDATE
         SET
             previous_version_id = prompt_labels.version_id,
             version_id = excluded.version_id,
             since = excluded.since,
             place = excluded.place
         WHERE prompt_labels.version_id <> excluded.version_id",
        project.as_uuid(),
        version.as_uuid(),
        now.to_utc(),
        &labels
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Takes a label away from the version of a name that it stands on, which counts as changed; whether it
/// stood on one.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_label(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    label: &Label,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let changed = sqlx::query!(
        "WITH gone AS (
             DELETE FROM prompt_labels l USING prompts p
             WHERE p.project_id = $1 AND p.name = $2 AND l.prompt_id = p.id AND l.label = $3
             RETURNING l.version_id
         )
         UPDATE prompt_versions v SET updated_at = $4 FROM gone WHERE v.id = gone.version_id",
        project.as_uuid(),
        name.as_str(),
        label.as_str(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// The version of a name that a label stands on, and the one that it stood on before; `None` where it stands on none.
///
/// # Errors
/// When Postgres is away.
pub async fn standing(
    tx: &mut Transaction,
    project: ProjectId,
    (name, label): (&PromptName, &Label),
) -> Result<Option<Standing>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT v.version, before.version AS "previous?"
         FROM prompts p
         JOIN prompt_labels l ON l.prompt_id = p.id
         JOIN prompt_versions v ON v.id = l.version_id
         LEFT JOIN prompt_versions before ON before.id = l.previous_version_id
         WHERE p.project_id = $1 AND p.name = $2 AND l.label = $3"#,
        project.as_uuid(),
        name.as_str(),
        label.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| Standing {
        version: row::number(row.version),
        previous: row.previous.map(row::number),
    }))
}

/// The protected labels of a project, in order.
///
/// # Errors
/// When Postgres is away.
pub async fn protected(tx: &mut Transaction, project: ProjectId) -> Result<Vec<Label>, StoreError> {
    let labels = sqlx::query_scalar!(
        "SELECT label FROM protected_labels WHERE project_id = $1 ORDER BY label",
        project.as_uuid()
    )
    .fetch_all(tx.connection())
    .await?;
    row::labels(&labels)
}

/// Protects these labels of a project and no others.
///
/// # Errors
/// When Postgres is away.
pub async fn set_protected(
    tx: &mut Transaction,
    project: ProjectId,
    labels: &[Label],
    now: Timestamp,
) -> Result<(), StoreError> {
    let labels: Vec<String> = labels.iter().map(Label::to_string).collect();
    sqlx::query!(
        "DELETE FROM protected_labels WHERE project_id = $1 AND label <> ALL ($2)",
        project.as_uuid(),
        &labels
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO protected_labels (project_id, label, created_at)
         SELECT $1, given.label, $3 FROM unnest($2::TEXT[]) AS given (label)
         ON CONFLICT ON CONSTRAINT protected_labels_pkey DO NOTHING",
        project.as_uuid(),
        &labels,
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
