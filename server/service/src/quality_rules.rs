//! What a project expects of answers, whatever their requests say.

use std::sync::Arc;

use domain::quality::refusal::{MAX_PHRASE_BYTES, MAX_PHRASES};
use domain::quality::{ProjectRules, QualityRule, QualityRuleDraft, RuleFormat};
use domain::tenancy::Permission;
use domain::{Code, Fault, ProjectId, QualityRuleId};
use store_postgres::quality_rules;
use uuid::Uuid;

use crate::app::App;
use crate::names;
use crate::project_cache::ProjectCache;
use crate::scope::ProjectScope;

/// Rules of one project: each is asked of every generation that arrives.
const MOST: i64 = 100;
/// Bytes of a schema.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;

/// Rules in memory.
pub(crate) type Cache = ProjectCache<QualityRule, ProjectRules>;

/// The rules that hold for a project; a change anywhere is seen within 5 s. While they cannot be read
/// and never were, answers are judged without them.
pub async fn of_project(app: &App, scope: &ProjectScope) -> Arc<ProjectRules> {
    of_project_id(app, scope.project_id()).await
}

/// The same for what was received before.
pub(crate) async fn of_project_id(app: &App, project: ProjectId) -> Arc<ProjectRules> {
    let load = quality_rules::list(app.postgres(), project);
    let compile = |rows: &[QualityRule]| Arc::new(ProjectRules::new(rows));
    let cache = app.quality_rules();
    let rules = cache.of_project(project, load, compile).await;
    rules.unwrap_or_default()
}

/// The project's rules, in the order in which they are asked.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<QualityRule>, Fault> {
    Ok(quality_rules::list(app.postgres(), scope.project_id()).await?)
}

/// Sets a rule; needs `SetExpectations`. It holds for answers that arrive from now on.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: QualityRuleDraft,
) -> Result<QualityRule, Fault> {
    scope.require(Permission::SetExpectations)?;
    let draft = checked(draft)?;
    let rule = QualityRule {
        id: QualityRuleId(Uuid::now_v7()),
        draft,
        created_at: app.clock().now(),
    };
    let project = scope.project_id();
    if !quality_rules::create(app.postgres(), project, &rule, MOST).await? {
        let message = format!("a project has at most {MOST} rules");
        return Err(Fault::new(Code::Conflict, message));
    }
    app.quality_rules().forget(project);
    Ok(rule)
}

/// Deletes a rule; needs `SetExpectations`. What was judged by it stays.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: QualityRuleId) -> Result<(), Fault> {
    scope.require(Permission::SetExpectations)?;
    let project = scope.project_id();
    if !quality_rules::delete(app.postgres(), project, id).await? {
        return Err(Fault::not_found(format!("no rule {id}")));
    }
    app.quality_rules().forget(project);
    Ok(())
}

/// The draft as it is kept: names without blanks around them.
fn checked(mut draft: QualityRuleDraft) -> Result<QualityRuleDraft, Fault> {
    draft.name = names::name("name", &draft.name)?;
    for (field, pattern) in [
        ("span_name", &mut draft.span_name),
        ("model", &mut draft.model),
        ("prompt", &mut draft.prompt),
    ] {
        if let Some(pattern) = pattern {
            *pattern = names::name(field, pattern)?;
        }
    }
    check_schema(&draft)?;
    for (field, min, max) in [
        ("max_characters", draft.min_characters, draft.max_characters),
        ("max_tokens", draft.min_tokens, draft.max_tokens),
    ] {
        if let (Some(min), Some(max)) = (min, max)
            && max < min
        {
            return Err(wrong(field, "must not be less than the least length"));
        }
    }
    check_phrases("refusal_phrases", &draft.refusal_phrases)?;
    check_phrases("instruction_tokens", &draft.instruction_tokens)?;
    let unbound = QualityRuleDraft {
        name: draft.name.clone(),
        span_name: draft.span_name.clone(),
        model: draft.model.clone(),
        prompt: draft.prompt.clone(),
        ..QualityRuleDraft::default()
    };
    if draft == unbound {
        return Err(wrong(
            "format",
            "say what is expected: a form, a length, words",
        ));
    }
    Ok(draft)
}

fn check_schema(draft: &QualityRuleDraft) -> Result<(), Fault> {
    let asked = draft.format == Some(RuleFormat::JsonSchema);
    match &draft.schema {
        None if asked => return Err(wrong("schema", "give the JSON schema")),
        Some(_) if !asked => return Err(wrong("schema", "is for the form json_schema only")),
        Some(schema) if schema.len() > MAX_SCHEMA_BYTES => {
            return Err(wrong("schema", "must not be longer than 64 KiB"));
        }
        Some(schema) if schema.contains('\0') => return Err(wrong("schema", "is no JSON")),
        _ => {}
    }
    match draft.compiled_schema() {
        Ok(_) => Ok(()),
        Err(error) => Err(wrong("schema", &error.to_string()).because(error)),
    }
}

fn check_phrases(field: &str, phrases: &[String]) -> Result<(), Fault> {
    if phrases.len() > MAX_PHRASES {
        let message = format!("give at most {MAX_PHRASES}");
        return Err(wrong(field, &message));
    }
    let usable = |phrase: &String| {
        let plain = !phrase.trim().is_empty() && !phrase.contains('\0');
        plain && phrase.len() <= MAX_PHRASE_BYTES
    };
    if phrases.iter().all(usable) {
        Ok(())
    } else {
        let message = format!("each must have 1 to {MAX_PHRASE_BYTES} bytes");
        Err(wrong(field, &message))
    }
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json() -> QualityRuleDraft {
        QualityRuleDraft {
            name: "JSON".to_owned(),
            format: Some(RuleFormat::Json),
            ..QualityRuleDraft::default()
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let field_of = |change: fn(&mut QualityRuleDraft)| {
            let mut draft = json();
            change(&mut draft);
            checked(draft).err().and_then(|fault| fault.field)
        };
        let named = |field: &str| Some(field.to_owned());
        assert_eq!(field_of(|_| {}), None);
        assert_eq!(field_of(|rule| rule.name.clear()), named("name"));
        assert_eq!(field_of(|rule| rule.format = None), named("format"));
        assert_eq!(
            field_of(|rule| rule.model = Some("a\0".to_owned())),
            named("model")
        );
        let with_schema = |rule: &mut QualityRuleDraft| rule.format = Some(RuleFormat::JsonSchema);
        assert_eq!(field_of(with_schema), named("schema"));
        assert_eq!(
            field_of(|rule| rule.schema = Some("{}".to_owned())),
            named("schema")
        );
        assert_eq!(
            field_of(|rule| {
                rule.format = Some(RuleFormat::JsonSchema);
                rule.schema = Some("{".to_owned());
            }),
            named("schema")
        );
        assert_eq!(
            field_of(|rule| (rule.min_tokens, rule.max_tokens) = (Some(2), Some(1))),
            named("max_tokens")
        );
        assert_eq!(
            field_of(|rule| rule.refusal_phrases.push(" ".to_owned())),
            named("refusal_phrases")
        );
    }
}
