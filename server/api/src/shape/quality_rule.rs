//! A rule for answers.

use domain::quality::{QualityRule, QualityRuleDraft};
use serde::Serialize;

/// A rule, ready to be written.
#[derive(Serialize)]
pub(crate) struct QualityRuleRow<'a> {
    id: String,
    #[serde(flatten)]
    draft: &'a QualityRuleDraft,
    created_at: String,
}

impl<'a> From<&'a QualityRule> for QualityRuleRow<'a> {
    fn from(rule: &'a QualityRule) -> Self {
        QualityRuleRow {
            id: rule.id.to_string(),
            draft: &rule.draft,
            created_at: rule.created_at.to_string(),
        }
    }
}
