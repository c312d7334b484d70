//! What scores of a project may be.

use domain::score::{Category, DataType, Scale, ScoreConfig, ScoreConfigDraft};
use domain::{ProjectId, ScoreConfigId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: Uuid,
    name: String,
    data_type: String,
    min_value: Option<f64>,
    max_value: Option<f64>,
    categories: Option<String>,
    description: Option<String>,
    is_archived: bool,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

/// A query of score configurations: what follows the columns, then its parameters.
macro_rules! select_score_configs {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 id,
                 name,
                 data_type,
                 min_value,
                 max_value,
                 categories::TEXT AS categories,
                 description,
                 is_archived,
                 created_at,
                 updated_at
             FROM score_configs "# + $rest
            $(, $parameter)*
        )
    };
}

/// Configurations, newest first, from the one at `offset`, at most `limit`, and how many there are in
/// all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (offset, limit): (u64, u32),
) -> Result<(Vec<ScoreConfig>, u64), StoreError> {
    let mut tx = db.begin_reading().await?;
    let rows = select_score_configs!(
        "WHERE project_id = $1
         ORDER BY created_at DESC, id DESC
         LIMIT $2 OFFSET $3",
        project.as_uuid(),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!" FROM score_configs WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    let configs = rows.into_iter().map(Row::into_config);
    Ok((configs.collect::<Result<_, _>>()?, total.unsigned_abs()))
}

/// Those of some ids that the project has, in no order.
///
/// # Errors
/// When Postgres is away.
pub async fn some(
    db: &Postgres,
    project: ProjectId,
    ids: &[ScoreConfigId],
) -> Result<Vec<ScoreConfig>, StoreError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.as_uuid()).collect();
    let rows = select_score_configs!(
        "WHERE project_id = $1 AND id = ANY ($2)",
        project.as_uuid(),
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_config).collect()
}

/// Stores one, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    config: &ScoreConfig,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &config.draft;
    let (min, max, categories) = parts(&draft.scale);
    let stored = sqlx::query!(
        "INSERT INTO score_configs
             (id, project_id, name, data_type, min_value, max_value, categories, description,
              is_archived, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7::TEXT::JSON, $8, $9, $10, $11
         WHERE (SELECT count(*) FROM score_configs WHERE project_id = $2) < $12",
        config.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        draft.scale.data_type().as_str(),
        min,
        max,
        categories,
        draft.description,
        draft.is_archived,
        config.created_at.to_utc(),
        config.updated_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// One that nobody else changes until the transaction ends; `None` when the project has none of that
/// id.
///
/// # Errors
/// When Postgres is away.
pub async fn lock(
    tx: &mut Transaction,
    project: ProjectId,
    id: ScoreConfigId,
) -> Result<Option<ScoreConfig>, StoreError> {
    let row = select_score_configs!(
        "WHERE project_id = $1 AND id = $2
         FOR UPDATE",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_config).transpose()
}

/// Changes one; its type stays.
///
/// # Errors
/// When Postgres is away.
pub async fn update(
    tx: &mut Transaction,
    project: ProjectId,
    config: &ScoreConfig,
) -> Result<(), StoreError> {
    let draft = &config.draft;
    let (min, max, categories) = parts(&draft.scale);
    sqlx::query!(
        "UPDATE score_configs
         SET
             name = $3,
             min_value = $4,
             max_value = $5,
             categories = $6::TEXT::JSON,
             description = $7,
             is_archived = $8,
             updated_at = $9
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        config.id.as_uuid(),
        draft.name,
        min,
        max,
        categories,
        draft.description,
        draft.is_archived,
        config.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Least and greatest number, and categories as JSON.
fn parts(scale: &Scale) -> (Option<f64>, Option<f64>, Option<String>) {
    match scale {
        Scale::Numeric { min, max } => (*min, *max, None),
        // Labels and finite numbers can always be written.
        Scale::Categorical(categories) => (None, None, serde_json::to_string(categories).ok()),
        Scale::Boolean | Scale::Text => (None, None, None),
    }
}

impl Row {
    fn into_config(self) -> Result<ScoreConfig, StoreError> {
        let scale = match DataType::from_name(&self.data_type) {
            Some(DataType::Categorical) => {
                let text = self.categories.unwrap_or_default();
                let categories = serde_json::from_str::<Vec<Category>>(&text);
                Scale::Categorical(categories.map_err(|error| StoreError::Row(error.into()))?)
            }
            Some(DataType::Boolean) => Scale::Boolean,
            Some(DataType::Text) => Scale::Text,
            Some(DataType::Numeric) => Scale::Numeric {
                min: self.min_value,
                max: self.max_value,
            },
            Some(DataType::Correction) | None => {
                return Err(StoreError::Row("a type that has no configurations".into()));
            }
        };
        Ok(ScoreConfig {
            id: self.id.into(),
            draft: ScoreConfigDraft {
                name: self.name,
                scale,
                description: self.description,
                is_archived: self.is_archived,
            },
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}
