//! One version.

use domain::prompt::{Label, Prompt, PromptName, Selector};
use domain::{ProjectId, PromptId, Timestamp};

use super::row::{Row, column, labels, name as prompt_name, number};
use crate::{Postgres, StoreError, Transaction};

/// A query of versions of prompts: what follows the columns, then its parameters.
macro_rules! select_prompts {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 v.id,
                 p.name,
                 v.version,
                 v.content::TEXT AS "content!",
                 v.config::TEXT AS "config!",
                 ARRAY(
                     SELECT l.label FROM prompt_labels l
                     WHERE l.version_id = v.id
                     ORDER BY l.label = 'latest', l.since, l.place
                 ) AS "labels!",
                 p.tags,
                 v.commit_message,
                 v.created_by,
                 v.created_at,
                 v.updated_at
             FROM prompts p "# + $rest
            $(, $parameter)*
        )
    };
}

/// The version of a name that is meant; `None` when there is none.
///
/// # Errors
/// When Postgres is away.
pub async fn find(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    selector: &Selector,
) -> Result<Option<Prompt>, StoreError> {
    let (version, label) = match selector {
        Selector::Version(version) => (Some(column(*version)), None),
        Selector::Label(label) => (None, Some(label.as_str())),
    };
    let row = select_prompts!(
        "JOIN prompt_versions v ON v.prompt_id = p.id
         WHERE p.project_id = $1 AND p.name = $2 AND (
             v.version = $3
             OR v.id = (
                 SELECT l.version_id FROM prompt_labels l
                 WHERE l.prompt_id = p.id AND l.label = $4
             )
         )",
        project.as_uuid(),
        name.as_str(),
        version,
        label
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_prompt(project)).transpose()
}

/// The versions of a name, the newest first.
///
/// # Errors
/// When Postgres is away.
pub async fn versions(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
) -> Result<Vec<Prompt>, StoreError> {
    let rows = select_prompts!(
        "JOIN prompt_versions v ON v.prompt_id = p.id
         WHERE p.project_id = $1 AND p.name = $2
         ORDER BY v.version DESC",
        project.as_uuid(),
        name.as_str()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| row.into_prompt(project))
        .collect()
}

/// A version without what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its id.
    pub id: PromptId,
    /// Its number.
    pub version: u32,
    /// The labels that stand on it, `latest` at the end.
    pub labels: Vec<Label>,
    /// Why it was made.
    pub commit_message: Option<String>,
    /// Who made it: a person's id, or `API`.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

/// The versions of a name without what they say, the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn heads(
    db: &Postgres,
    project: ProjectId,
    name: &PromptName,
    most: u32,
) -> Result<Vec<Head>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             v.id,
             v.version,
             ARRAY(
                 SELECT l.label FROM prompt_labels l
                 WHERE l.version_id = v.id
                 ORDER BY l.label = 'latest', l.since, l.place
             ) AS "labels!",
             v.commit_message,
             v.created_by,
             v.created_at
         FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
         WHERE p.project_id = $1 AND p.name = $2
         ORDER BY v.version DESC
         LIMIT $3"#,
        project.as_uuid(),
        name.as_str(),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let each = rows.into_iter().map(|row| {
        Ok(Head {
            id: row.id.into(),
            version: number(row.version),
            labels: labels(&row.labels)?,
            commit_message: row.commit_message,
            created_by: row.created_by,
            created_at: row.created_at.into(),
        })
    });
    each.collect()
}

/// Whether the project has a version of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn has(db: &Postgres, project: ProjectId, id: PromptId) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT 1
             FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
             WHERE p.project_id = $1 AND v.id = $2
         ) AS "found!""#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(found)
}

/// Name and number of a version; `None` when the project has none of that id.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn named(
    db: &Postgres,
    project: ProjectId,
    id: PromptId,
) -> Result<Option<(PromptName, u32)>, StoreError> {
    let row = sqlx::query!(
        "SELECT p.name, v.version
         FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
         WHERE p.project_id = $1 AND v.id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| Ok((prompt_name(&row.name)?, number(row.version))))
        .transpose()
}

/// Which versions of some names are managed here, of those with one of these numbers.
///
/// # Errors
/// When Postgres is away.
pub async fn managed(
    db: &Postgres,
    project: ProjectId,
    (names, versions): (&[String], &[u32]),
) -> Result<Vec<(String, u32)>, StoreError> {
    let versions: Vec<i32> = versions.iter().copied().map(column).collect();
    let rows = sqlx::query!(
        "SELECT p.name, v.version
         FROM prompts p
         JOIN prompt_versions v ON v.prompt_id = p.id
         WHERE p.project_id = $1 AND p.name = ANY ($2) AND v.version = ANY ($3)",
        project.as_uuid(),
        names,
        versions.as_slice()
    )
    .fetch_all(db.pool())
    .await?;
    let pairs = rows.into_iter();
    Ok(pairs.map(|row| (row.name, number(row.version))).collect())
}
