//! Deleting, and what stands in its way.

use domain::prompt::{Label, PromptName};
use domain::{ProjectId, PromptId, Timestamp};
use uuid::Uuid;

use super::row::{column, name as parse_name, number};
use crate::{Postgres, StoreError, Transaction};

/// A version that refers to another prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependent {
    /// Its name.
    pub name: PromptName,
    /// Its number.
    pub version: u32,
}

/// A version of another name that refers to `name` by one of the numbers or labels; where both are
/// `None`, that refers to it at all.
///
/// # Errors
/// When Postgres is away.
pub async fn dependent(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    by: Option<(&[u32], &[Label])>,
) -> Result<Option<Dependent>, StoreError> {
    let versions: Option<Vec<i32>> =
        by.map(|(versions, _)| versions.iter().map(|version| column(*version)).collect());
    let labels: Option<Vec<String>> =
        by.map(|(_, labels)| labels.iter().map(Label::to_string).collect());
    let row = sqlx::query!(
        "SELECT p.name, v.version
         FROM prompt_dependencies d
         JOIN prompt_versions v ON v.id = d.version_id
         JOIN prompts p ON p.id = v.prompt_id
         WHERE d.project_id = $1 AND d.child_name = $2 AND p.name <> $2 AND (
             $3::INTEGER[] IS NULL
             OR d.child_version = ANY ($3::INTEGER[])
             OR d.child_label = ANY ($4::TEXT[])
         )
         ORDER BY p.name, v.version
         LIMIT 1",
        project.as_uuid(),
        name.as_str(),
        versions.as_deref(),
        labels.as_deref()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        Ok(Dependent {
            name: parse_name(&row.name)?,
            version: number(row.version),
        })
    })
    .transpose()
}

/// Versions of other names that refer to `name`, at most `most`, in order.
///
/// # Errors
/// When Postgres is away.
pub async fn dependents(
    db: &Postgres,
    project: ProjectId,
    name: &PromptName,
    most: u32,
) -> Result<Vec<Dependent>, StoreError> {
    let rows = sqlx::query!(
        "SELECT DISTINCT p.name, v.version
         FROM prompt_dependencies d
         JOIN prompt_versions v ON v.id = d.version_id
         JOIN prompts p ON p.id = v.prompt_id
         WHERE d.project_id = $1 AND d.child_name = $2 AND p.name <> $2
         ORDER BY p.name, v.version
         LIMIT $3",
        project.as_uuid(),
        name.as_str(),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let each = rows.into_iter().map(|row| {
        Ok(Dependent {
            name: parse_name(&row.name)?,
            version: number(row.version),
        })
    });
    each.collect()
}

/// Deletes a name with all its versions.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_prompt(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM prompts WHERE project_id = $1 AND name = $2",
        project.as_uuid(),
        name.as_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes versions of a name, and puts `latest` on the highest that is left, if it is on none.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_versions(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    ids: &[PromptId],
    now: Timestamp,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.as_uuid()).collect();
    sqlx::query!(
        "DELETE FROM prompt_versions v USING prompts p
         WHERE p.project_id = $1 AND p.name = $2 AND v.prompt_id = p.id AND v.id = ANY ($3)",
        project.as_uuid(),
        name.as_str(),
        &ids
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO prompt_labels (prompt_id, label, version_id, since, place)
         SELECT v.prompt_id, 'latest', v.id, $3, 1
         FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id
         WHERE p.project_id = $1 AND p.name = $2
         ORDER BY v.version DESC
         LIMIT 1
         ON CONFLICT ON CONSTRAINT prompt_labels_pkey DO NOTHING",
        project.as_uuid(),
        name.as_str(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
