//! What scores of the scope's project may be.

use domain::score::{Category, Scale, ScoreConfig, ScoreConfigDraft};
use domain::tenancy::Permission;
use domain::{Fault, ScoreConfigId};
use store_postgres::score_configs;
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;

/// Configurations of one project.
const MOST: i64 = 1_000;

/// What is to be changed; what is `None` stays. Of a range and a description, `Some(None)` takes them
/// away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreConfigChange {
    /// Name.
    pub name: Option<String>,
    /// Whether new scores may no longer follow it.
    pub is_archived: Option<bool>,
    /// Least number.
    pub min: Option<Option<f64>>,
    /// Greatest number.
    pub max: Option<Option<f64>>,
    /// Labels with their numbers.
    pub categories: Option<Vec<Category>>,
    /// How to judge.
    pub description: Option<Option<String>>,
}

/// Configurations, newest first, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    slice: (u64, u32),
) -> Result<(Vec<ScoreConfig>, u64), Fault> {
    Ok(score_configs::list(app.postgres(), scope.project_id(), slice).await?)
}

/// One of them.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: ScoreConfigId,
) -> Result<ScoreConfig, Fault> {
    let found = score_configs::some(app.postgres(), scope.project_id(), &[id]).await?;
    found.into_iter().next().ok_or_else(|| missing(id))
}

/// Sets one; needs `SetExpectations`.
///
/// # Errors
/// `forbidden`; `invalid` on a field, or when there are too many; or `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: ScoreConfigDraft,
) -> Result<ScoreConfig, Fault> {
    scope.require(Permission::SetExpectations)?;
    draft.check()?;
    let now = app.clock().now();
    let config = ScoreConfig {
        id: ScoreConfigId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    let project = scope.project_id();
    if score_configs::create(app.postgres(), project, &config, MOST).await? {
        Ok(config)
    } else {
        // Not a conflict: clients repeat those.
        let message = format!("a project has at most {MOST} score configurations");
        Err(Fault::invalid(message))
    }
}

/// Changes one; needs `SetExpectations`. Scores that followed it stay as they are.
///
/// # Errors
/// `forbidden`, `not_found`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: ScoreConfigId,
    change: ScoreConfigChange,
) -> Result<ScoreConfig, Fault> {
    scope.require(Permission::SetExpectations)?;
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    let config = score_configs::lock(&mut tx, project, id).await?;
    let mut config = config.ok_or_else(|| missing(id))?;
    change.make(&mut config.draft)?;
    config.draft.check()?;
    config.updated_at = app.clock().now();
    score_configs::update(&mut tx, project, &config).await?;
    tx.commit().await?;
    Ok(config)
}

impl ScoreConfigChange {
    fn make(self, draft: &mut ScoreConfigDraft) -> Result<(), Fault> {
        if let Some(name) = self.name {
            draft.name = name;
        }
        if let Some(is_archived) = self.is_archived {
            draft.is_archived = is_archived;
        }
        if let Some(description) = self.description {
            draft.description = description;
        }
        let is_range = matches!(draft.scale, Scale::Numeric { .. });
        let is_named = |change: Option<Option<f64>>| change.flatten().is_some();
        if !is_range && (is_named(self.min) || is_named(self.max)) {
            let message = "minValue and maxValue are for NUMERIC ones only";
            return Err(Fault::invalid(message).on_field("minValue"));
        }
        match (&mut draft.scale, self.categories) {
            (Scale::Categorical(categories), Some(given)) => *categories = given,
            (_, Some(_)) => {
                let message = "categories are for CATEGORICAL ones only";
                return Err(Fault::invalid(message).on_field("categories"));
            }
            (Scale::Numeric { min, max }, None) => {
                *min = self.min.unwrap_or(*min);
                *max = self.max.unwrap_or(*max);
            }
            (_, None) => {}
        }
        Ok(())
    }
}

fn missing(id: ScoreConfigId) -> Fault {
    Fault::not_found(format!("Score config not found: {id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(scale: Scale) -> ScoreConfigDraft {
        ScoreConfigDraft {
            name: "name".to_owned(),
            scale,
            description: Some("how".to_owned()),
            is_archived: false,
        }
    }

    #[test]
    fn what_is_not_named_stays_and_null_takes_away() {
        let mut draft = draft(Scale::Numeric {
            min: Some(0.0),
            max: Some(1.0),
        });
        let change = ScoreConfigChange {
            max: Some(None),
            description: Some(None),
            is_archived: Some(true),
            ..ScoreConfigChange::default()
        };
        change.make(&mut draft).unwrap();
        let expected = Scale::Numeric {
            min: Some(0.0),
            max: None,
        };
        assert_eq!((&draft.scale, draft.is_archived), (&expected, true));
        assert_eq!((draft.name.as_str(), draft.description), ("name", None));
    }

    #[test]
    fn what_is_of_another_type_is_refused() {
        let range = ScoreConfigChange {
            min: Some(Some(1.0)),
            ..ScoreConfigChange::default()
        };
        assert!(range.make(&mut draft(Scale::Boolean)).is_err());
        let categories = ScoreConfigChange {
            categories: Some(Vec::new()),
            ..ScoreConfigChange::default()
        };
        assert!(categories.make(&mut draft(Scale::Text)).is_err());
    }
}
