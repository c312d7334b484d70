//! A configuration.

use domain::ProjectId;
use domain::score::{Category, Scale, ScoreConfig};
use serde::Serialize;

use crate::langfuse::time::Millis;

/// A configuration, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScoreConfigShape<'a> {
    id: String,
    created_at: Millis,
    updated_at: Millis,
    project_id: String,
    name: &'a str,
    data_type: &'static str,
    is_archived: bool,
    min_value: Option<f64>,
    max_value: Option<f64>,
    categories: Option<Vec<Category>>,
    description: Option<&'a str>,
}

impl<'a> ScoreConfigShape<'a> {
    /// A configuration of a project.
    pub(crate) fn new(config: &'a ScoreConfig, project: ProjectId) -> Self {
        let draft = &config.draft;
        let (min_value, max_value) = match draft.scale {
            Scale::Numeric { min, max } => (min, max),
            Scale::Categorical(_) | Scale::Boolean | Scale::Text => (None, None),
        };
        ScoreConfigShape {
            id: config.id.to_string(),
            created_at: Millis(config.created_at),
            updated_at: Millis(config.updated_at),
            project_id: project.to_string(),
            name: &draft.name,
            data_type: draft.scale.data_type().as_str(),
            is_archived: draft.is_archived,
            min_value,
            max_value,
            categories: draft.scale.categories(),
            description: draft.description.as_deref(),
        }
    }
}
