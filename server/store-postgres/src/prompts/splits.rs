//! Labels under test.

use domain::prompt::{Label, PromptName, Split, Variant};
use domain::{ProjectId, Timestamp};

use super::row::{column, label as parse_label, number};
use crate::{StoreError, Transaction};

/// The labels of a name that are under test, in order.
///
/// # Errors
/// When Postgres is away.
pub async fn splits(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
) -> Result<Vec<Split>, StoreError> {
    let rows = sqlx::query!(
        "SELECT x.label, x.weight, x.since, v.version, control.version AS control
         FROM prompts p
         JOIN prompt_label_variants x ON x.prompt_id = p.id
         JOIN prompt_versions v ON v.id = x.version_id
         JOIN prompt_labels l ON l.prompt_id = p.id AND l.label = x.label
         JOIN prompt_versions control ON control.id = l.version_id
         WHERE p.project_id = $1 AND p.name = $2
         ORDER BY x.label, v.version",
        project.as_uuid(),
        name.as_str()
    )
    .fetch_all(tx.connection())
    .await?;
    let mut splits: Vec<Split> = Vec::new();
    for row in rows {
        let label = parse_label(&row.label)?;
        let variant = Variant {
            version: number(row.version),
            weight: row.weight.unsigned_abs(),
        };
        match splits.last_mut().filter(|split| split.label == label) {
            Some(split) => split.variants.push(variant),
            None => splits.push(Split {
                label,
                control: number(row.control),
                variants: vec![variant],
                since: row.since.into(),
            }),
        }
    }
    Ok(splits)
}

/// Sets what a label of a name gives, in place of what it gave.
///
/// # Errors
/// When Postgres is away.
pub async fn set_split(
    tx: &mut Transaction,
    project: ProjectId,
    (name, label): (&PromptName, &Label),
    variants: &[Variant],
    now: Timestamp,
) -> Result<(), StoreError> {
    end_split(tx, project, (name, label)).await?;
    let versions: Vec<i32> = variants.iter().map(|it| column(it.version)).collect();
    let weights: Vec<i32> = variants.iter().map(|it| column(it.weight)).collect();
    sqlx::query!(
        "INSERT INTO prompt_label_variants (prompt_id, label, version_id, weight, since)
         SELECT p.id, $3, v.id, given.weight, $6
         FROM prompts p
         JOIN prompt_versions v ON v.prompt_id = p.id
         JOIN unnest($4::INTEGER[], $5::INTEGER[]) AS given (version, weight) ON given.version = v.version
         WHERE p.project_id = $1 AND p.name = $2",
        project.as_uuid(),
        name.as_str(),
        label.as_str(),
        &versions,
        &weights,
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has a label of a name give the version alone that it stands on.
///
/// # Errors
/// When Postgres is away.
pub async fn end_split(
    tx: &mut Transaction,
    project: ProjectId,
    (name, label): (&PromptName, &Label),
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM prompt_label_variants x
         USING prompts p
         WHERE p.project_id = $1 AND p.name = $2 AND x.prompt_id = p.id AND x.label = $3",
        project.as_uuid(),
        name.as_str(),
        label.as_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
