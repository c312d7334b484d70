//! New versions.

use domain::prompt::{Kind, Prompt, PromptName, Selector, Tags};
use domain::{ProjectId, PromptId, Timestamp};
use uuid::Uuid;

use super::row::{column, kind, number, stored};
use crate::{StoreError, Transaction};

/// A name that has a number for its next version.
pub struct Numbered {
    /// Id of the name.
    pub prompt: Uuid,
    /// The number.
    pub version: u32,
    /// What all its versions are.
    pub kind: Kind,
    /// Its tags.
    pub tags: Tags,
}

/// Takes the next number of a name, which is made when it is new; `id` is for a new one. Tags become
/// those given, if any.
///
/// # Errors
/// When Postgres is away.
pub async fn next_version(
    tx: &mut Transaction,
    project: ProjectId,
    (id, name): (Uuid, &PromptName),
    (wanted, tags): (Kind, Option<&Tags>),
    now: Timestamp,
) -> Result<Numbered, StoreError> {
    let row = sqlx::query!(
        "INSERT INTO prompts AS p
             (id, project_id, name, kind, tags, last_version, created_at)
         VALUES ($1, $2, $3, $4, coalesce($5::TEXT[], '{}'), 1, $6)
         ON CONFLICT ON CONSTRAINT prompts_project_id_name_key DO UPDATE
         SET
             last_version = p.last_version + 1,
             tags = coalesce($5::TEXT[], p.tags),
             kind = CASE
                 WHEN EXISTS (SELECT FROM prompt_versions v WHERE v.prompt_id = p.id) THEN p.kind
                 ELSE $4
             END
         RETURNING id, last_version, kind, tags",
        id,
        project.as_uuid(),
        name.as_str(),
        wanted.as_str(),
        tags.map(|tags| &**tags),
        now.to_utc()
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(Numbered {
        prompt: row.id,
        version: number(row.last_version),
        kind: kind(&row.kind),
        tags: Tags::from_stored(row.tags),
    })
}

/// Sets the tags of a name; those that it had, `None` where there is no such name.
///
/// # Errors
/// When Postgres is away.
pub async fn set_tags(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    tags: &Tags,
) -> Result<Option<Tags>, StoreError> {
    let before = sqlx::query_scalar!(
        "WITH before AS (SELECT id, tags FROM prompts WHERE project_id = $1 AND name = $2)
         UPDATE prompts p SET tags = $3 FROM before WHERE p.id = before.id
         RETURNING before.tags",
        project.as_uuid(),
        name.as_str(),
        &**tags
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(before.map(Tags::from_stored))
}

/// Stores a version, and what it refers to, below the name of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn create_version(
    tx: &mut Transaction,
    name: Uuid,
    prompt: &Prompt,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO prompt_versions
             (id, prompt_id, version, content, config, commit_message, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4::TEXT::JSON, $5::TEXT::JSON, $6, $7, $8, $9)",
        prompt.id.as_uuid(),
        name,
        column(prompt.version),
        stored(&prompt.content),
        prompt.config.to_string(),
        prompt.commit_message,
        prompt.created_by,
        prompt.created_at.to_utc(),
        prompt.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    create_dependencies(tx, prompt.project_id, prompt.id, prompt).await
}

async fn create_dependencies(
    tx: &mut Transaction,
    project: ProjectId,
    id: PromptId,
    prompt: &Prompt,
) -> Result<(), StoreError> {
    let mut names: Vec<String> = Vec::new();
    let mut versions: Vec<Option<i32>> = Vec::new();
    let mut labels: Vec<Option<String>> = Vec::new();
    for reference in prompt.content.references() {
        names.push(reference.name.to_string());
        let (version, label) = match reference.selector {
            Selector::Version(version) => (Some(column(version)), None),
            Selector::Label(label) => (None, Some(label.to_string())),
        };
        versions.push(version);
        labels.push(label);
    }
    sqlx::query!(
        "INSERT INTO prompt_dependencies
             (version_id, project_id, child_name, child_version, child_label)
         SELECT $1, $2, child.name, child.version, child.label
         FROM unnest($3::TEXT[], $4::INTEGER[], $5::TEXT[]) AS child (name, version, label)",
        id.as_uuid(),
        project.as_uuid(),
        &names,
        &versions as &[Option<i32>],
        &labels as &[Option<String>]
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
