//! Names with their versions summed up.

use domain::prompt::{Summary, Tags};
use domain::{ProjectId, Timestamp};

use super::row::{column, config, kind, labels, name, number};
use crate::{Postgres, StoreError};

/// Which versions are looked at; a name without any does not appear.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Those of that name.
    pub name: Option<String>,
    /// Those of that number.
    pub version: Option<u32>,
    /// Those with that label.
    pub label: Option<String>,
    /// Those whose name has that tag.
    pub tag: Option<String>,
    /// Those whose name holds it, whatever the case of letters.
    pub text: Option<String>,
    /// Those whose name begins so, and holds no `/` after that: the prompts of a folder, which ends in one.
    pub folder: Option<String>,
    /// Those that changed then or later.
    pub updated_from: Option<Timestamp>,
    /// Those that changed before.
    pub updated_before: Option<Timestamp>,
}

/// Names in order, from the one at `offset`, at most `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    wanted: &Wanted,
    (offset, limit): (u64, u32),
) -> Result<(Vec<Summary>, u64), StoreError> {
    let (summaries, total) = slice(db, project, wanted, (offset, limit)).await?;
    if summaries.is_empty() && offset > 0 {
        // Past the end no row tells how many there are.
        let (_, total) = slice(db, project, wanted, (0, 1)).await?;
        return Ok((summaries, total));
    }
    Ok((summaries, total))
}

async fn slice(
    db: &Postgres,
    project: ProjectId,
    wanted: &Wanted,
    (offset, limit): (u64, u32),
) -> Result<(Vec<Summary>, u64), StoreError> {
    let rows = sqlx::query!(
        r#"WITH matching AS (
             SELECT
                 v.prompt_id,
                 array_agg(v.id) AS ids,
                 array_agg(v.version ORDER BY v.version) AS versions,
                 max(v.version) AS highest,
                 max(v.updated_at) AS updated_at
             FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
             WHERE p.project_id = $1
                 AND ($2::TEXT IS NULL OR p.name = $2)
                 AND ($3::INTEGER IS NULL OR v.version = $3)
                 AND ($4::TEXT IS NULL OR EXISTS (
                     SELECT FROM prompt_labels l WHERE l.version_id = v.id AND l.label = $4
                 ))
                 AND ($5::TEXT IS NULL OR $5 = ANY (p.tags))
                 AND ($6::TIMESTAMPTZ IS NULL OR v.updated_at >= $6)
                 AND ($7::TIMESTAMPTZ IS NULL OR v.updated_at < $7)
                 AND ($10::TEXT IS NULL OR strpos(lower(p.name), lower($10)) > 0)
                 AND ($11::TEXT IS NULL OR (
                     starts_with(p.name, $11) AND strpos(substr(p.name, length($11) + 1), '/') = 0
                 ))
             GROUP BY v.prompt_id
         )
         SELECT
             p.name,
             p.kind,
             p.tags,
             m.versions AS "versions!",
             ARRAY(
                 SELECT l.label FROM prompt_labels l
                 WHERE l.prompt_id = p.id AND l.version_id = ANY (m.ids)
                 ORDER BY l.label
             ) AS "labels!",
             m.updated_at AS "updated_at!",
             v.config::TEXT AS "config!",
             count(*) OVER () AS "total!"
         FROM matching m
         JOIN prompts p ON p.id = m.prompt_id
         JOIN prompt_versions v ON v.prompt_id = p.id AND v.version = m.highest
         ORDER BY p.name
         LIMIT $8 OFFSET $9"#,
        project.as_uuid(),
        wanted.name,
        wanted.version.map(column),
        wanted.label,
        wanted.tag,
        wanted.updated_from.map(Timestamp::to_utc),
        wanted.updated_before.map(Timestamp::to_utc),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX),
        wanted.text,
        wanted.folder
    )
    .fetch_all(db.pool())
    .await?;
    let total = rows.first().map_or(0, |row| row.total.unsigned_abs());
    let summaries = rows.into_iter().map(|row| {
        Ok(Summary {
            name: name(&row.name)?,
            kind: kind(&row.kind),
            versions: row.versions.into_iter().map(number).collect(),
            labels: labels(&row.labels)?,
            tags: Tags::from_stored(row.tags),
            updated_at: row.updated_at.into(),
            config: config(&row.config),
        })
    });
    Ok((summaries.collect::<Result<_, StoreError>>()?, total))
}

/// A folder within another, by its own name, with how many prompts are in it and below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its name, without those above it.
    pub name: String,
    /// Prompts in it and in folders below.
    pub prompts: u64,
}

/// The folders within one, which ends in `/` or is the empty text; at most `most`, in order.
///
/// # Errors
/// When Postgres is away.
pub async fn folders(
    db: &Postgres,
    project: ProjectId,
    within: &str,
    most: u32,
) -> Result<Vec<Folder>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT split_part(substr(name, length($2) + 1), '/', 1) AS "folder!", count(*) AS "prompts!"
         FROM prompts p
         WHERE project_id = $1
             AND starts_with(name, $2)
             AND strpos(substr(name, length($2) + 1), '/') > 0
             AND EXISTS (SELECT FROM prompt_versions v WHERE v.prompt_id = p.id)
         GROUP BY 1
         ORDER BY 1
         LIMIT $3"#,
        project.as_uuid(),
        within,
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let folder = |name: String, prompts: i64| Folder {
        name,
        prompts: prompts.unsigned_abs(),
    };
    Ok(rows
        .into_iter()
        .map(|row| folder(row.folder, row.prompts))
        .collect())
}
