//! New versions, labels, deletion: one after the other within a project, on all servers.

use domain::comment::CommentedKind;
use domain::prompt::notice::Happened;
use domain::prompt::{Draft, Label, Labels, Prompt, PromptName, Selector, Split, Tags};
use domain::tenancy::Permission;
use domain::{Fault, PromptId};
use store_postgres::{Transaction, comments, prompts};
use uuid::Uuid;

use super::record::record;
use super::split::end_tests;
use super::{composition, no_such_prompt};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};

/// Most characters of a commit message.
const MAX_MESSAGE: usize = 500;

/// Makes the next version of a name; needs `ChangePrompts`. The labels given, and `latest`, move to it.
///
/// # Errors
/// `forbidden`, also for a protected label; `invalid` where a rule is broken, a reference means nothing
/// or the name is of the other kind; `unavailable` without Postgres.
pub async fn create(app: &App, scope: &ProjectScope, draft: Draft) -> Result<Prompt, Fault> {
    scope.require(Permission::ChangePrompts)?;
    check(&draft)?;
    let project = scope.project_id();
    let labels: Vec<Label> = draft
        .labels
        .iter()
        .cloned()
        .chain([Label::latest()])
        .collect();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    // Told while nobody else changes anything, so that times rise with numbers.
    let now = app.clock().now();
    may_move(&mut tx, scope, &labels).await?;
    let (name, kind) = (&draft.name, draft.content.kind());
    let named = (Uuid::now_v7(), name);
    let tags = draft.tags.as_ref();
    let numbered = prompts::next_version(&mut tx, project, named, (kind, tags), now).await?;
    if numbered.kind != kind {
        let message = format!("{name} is a {} prompt; its versions are too", numbered.kind);
        return Err(Fault::invalid(message));
    }
    let prompt = Prompt {
        id: PromptId(Uuid::now_v7()),
        project_id: project,
        name: draft.name,
        version: numbered.version,
        content: draft.content,
        config: draft.config,
        labels,
        tags: numbered.tags,
        commit_message: draft.commit_message,
        created_by: author(scope),
        created_at: now,
        updated_at: now,
    };
    let composed = composition::compose(&mut tx, &prompt).await?;
    composed.map_err(|why| Fault::invalid(why.to_string()))?;
    prompts::create_version(&mut tx, numbered.prompt, &prompt).await?;
    let moved = (&prompt.name, prompt.labels.as_slice());
    end_tests(app, scope, &mut tx, moved, now).await?;
    prompts::move_labels(&mut tx, project, prompt.id, &prompt.labels, now).await?;
    let happened = Happened::Created {
        version: prompt.version,
        labels: prompt.labels.clone(),
        message: prompt.commit_message.clone(),
    };
    record(app, scope, &mut tx, (&prompt.name, &happened), now).await?;
    commit(app, scope, &prompt.name, tx).await?;
    Ok(prompt)
}

/// Puts labels on a version, besides those that it has; needs `ChangePrompts`. Other versions of the
/// name lose them, and tests of them end.
///
/// # Errors
/// `forbidden`, also for a protected label; `not_found`; or `unavailable` without Postgres.
pub async fn add_labels(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    version: u32,
    labels: &Labels,
) -> Result<Prompt, Fault> {
    scope.require(Permission::ChangePrompts)?;
    let project = scope.project_id();
    let selector = Selector::Version(version);
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    let now = app.clock().now();
    let missing = || no_such_prompt(name, &selector);
    let prompt = prompts::find(&mut tx, project, name, &selector).await?;
    let prompt = prompt.ok_or_else(missing)?;
    let splits = prompts::splits(&mut tx, project, name).await?;
    let is_tested = |label: &&Label| splits.iter().any(|split| split.label == **label);
    // One that stands there already, and gives others as well, is to mean this one alone.
    let changed = |label: &&Label| !prompt.labels.contains(label) || is_tested(label);
    let changing: Vec<Label> = labels.iter().filter(changed).cloned().collect();
    if changing.is_empty() {
        return Ok(prompt);
    }
    may_move(&mut tx, scope, &changing).await?;
    end_tests(app, scope, &mut tx, (name, &changing), now).await?;
    let new = changing.into_iter();
    let new: Vec<Label> = new.filter(|label| !prompt.labels.contains(label)).collect();
    for label in &new {
        let from = prompts::standing(&mut tx, project, (name, label)).await?;
        let happened = Happened::Moved {
            label: label.clone(),
            from: from.map(|standing| standing.version),
            to: Some(version),
        };
        record(app, scope, &mut tx, (name, &happened), now).await?;
    }
    prompts::move_labels(&mut tx, project, prompt.id, &new, now).await?;
    let changed = prompts::find(&mut tx, project, name, &selector).await?;
    commit(app, scope, name, tx).await?;
    changed.ok_or_else(missing)
}

/// Takes a label away from the version of a name that it stands on; needs `ChangePrompts`.
///
/// # Errors
/// `forbidden`, also for a protected label; `invalid` for `latest`, which moves by itself or where
/// another prompt refers to the name by this label; `not_found`; or `unavailable` without Postgres.
pub async fn remove_label(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    label: &Label,
) -> Result<(), Fault> {
    scope.require(Permission::ChangePrompts)?;
    if label.is_latest() {
        return Err(Fault::invalid("the label latest moves by itself").on_field("label"));
    }
    let project = scope.project_id();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    let labels = std::slice::from_ref(label);
    let now = app.clock().now();
    let from = prompts::standing(&mut tx, project, (name, label)).await?;
    end_tests(app, scope, &mut tx, (name, labels), now).await?;
    if !prompts::delete_label(&mut tx, project, name, label, now).await? {
        return Err(no_such_prompt(name, &Selector::Label(label.clone())));
    }
    may_move(&mut tx, scope, labels).await?;
    refuse_dependents(&mut tx, scope, name, Some((&[], labels))).await?;
    let happened = Happened::Moved {
        label: label.clone(),
        from: from.map(|standing| standing.version),
        to: None,
    };
    record(app, scope, &mut tx, (name, &happened), now).await?;
    commit(app, scope, name, tx).await
}

/// Sets the tags of a name; needs `ChangePrompts`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn set_tags(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    tags: &Tags,
) -> Result<(), Fault> {
    scope.require(Permission::ChangePrompts)?;
    let project = scope.project_id();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    let before = prompts::set_tags(&mut tx, project, name, tags).await?;
    let before = before.ok_or_else(|| Fault::not_found(format!("Prompt not found: '{name}'")))?;
    if before == *tags {
        return Ok(());
    }
    let happened = Happened::Tagged {
        before: before.to_vec(),
        after: tags.to_vec(),
    };
    record(app, scope, &mut tx, (name, &happened), app.clock().now()).await?;
    commit(app, scope, name, tx).await
}

/// Deletes the version that is meant, or the whole name, with comments on it; needs `ChangePrompts`.
///
/// # Errors
/// `forbidden`, also when a protected label would go; `not_found`; `invalid` when another prompt
/// refers to what would go; or `unavailable` without Postgres.
pub async fn delete(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    selector: Option<&Selector>,
) -> Result<(), Fault> {
    scope.require(Permission::ChangePrompts)?;
    let project = scope.project_id();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    let now = app.clock().now();
    let all = prompts::versions(&mut tx, project, name).await?;
    let goes = |prompt: &&Prompt| match selector {
        None => true,
        Some(Selector::Version(version)) => prompt.version == *version,
        Some(Selector::Label(label)) => prompt.labels.contains(label),
    };
    let going: Vec<&Prompt> = all.iter().filter(goes).collect();
    if going.is_empty() {
        return Err(match selector {
            Some(selector) => no_such_prompt(name, selector),
            None => Fault::not_found(format!("Prompt not found: '{name}'")),
        });
    }
    let labels = going.iter().flat_map(|prompt| &prompt.labels).cloned();
    let mut labels: Vec<Label> = labels.collect();
    may_move(&mut tx, scope, &labels).await?;
    if going.len() < all.len() {
        // It moves to one that stays.
        labels.retain(|label| !label.is_latest());
    }
    let versions: Vec<u32> = going.iter().map(|prompt| prompt.version).collect();
    let by = selector.map(|_| (versions.as_slice(), labels.as_slice()));
    refuse_dependents(&mut tx, scope, name, by).await?;
    let ids: Vec<PromptId> = going.iter().map(|prompt| prompt.id).collect();
    let commented: Vec<String> = ids.iter().map(PromptId::to_string).collect();
    comments::forget(&mut tx, project, CommentedKind::Prompt, &commented).await?;
    if selector.is_some() {
        let splits = prompts::splits(&mut tx, project, name).await?;
        let loses = |split: &Split| versions.iter().any(|it| split.weight_of(*it).is_some());
        let tested = splits.into_iter().filter(loses);
        let tested: Vec<Label> = tested.map(|split| split.label).collect();
        may_move(&mut tx, scope, &tested).await?;
        end_tests(app, scope, &mut tx, (name, &tested), now).await?;
    }
    if selector.is_none() {
        prompts::delete_prompt(&mut tx, project, name).await?;
    } else {
        prompts::delete_versions(&mut tx, project, name, &ids, now).await?;
    }
    let happened = Happened::Deleted {
        is_all: selector.is_none(),
        versions,
    };
    record(app, scope, &mut tx, (name, &happened), now).await?;
    commit(app, scope, name, tx).await
}

/// A transaction that nobody else changes prompts of the project beside.
pub(crate) async fn begin(app: &App, scope: &ProjectScope) -> Result<Transaction, Fault> {
    let mut tx = app.postgres().begin().await?;
    prompts::lock(&mut tx, scope.project_id()).await?;
    Ok(tx)
}

/// Makes the change of a prompt last, and seen from now on.
pub(crate) async fn commit(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    mut tx: Transaction,
) -> Result<(), Fault> {
    prompts::tell(&mut tx, scope.project_id(), name).await?;
    let committed = tx.commit().await;
    // One that failed may have happened nevertheless.
    app.prompts().cache.forget(scope.project_id(), name);
    Ok(committed?)
}

/// Fails when another prompt refers to the name by one of these numbers or labels, or at all.
async fn refuse_dependents(
    tx: &mut Transaction,
    scope: &ProjectScope,
    name: &PromptName,
    by: Option<(&[u32], &[Label])>,
) -> Result<(), Fault> {
    match prompts::dependent(tx, scope.project_id(), name, by).await? {
        None => Ok(()),
        Some(dependent) => Err(Fault::invalid(format!(
            "the prompt {} version {} refers to it; change or delete that one first",
            dependent.name, dependent.version
        ))),
    }
}

/// Fails when one of the labels is protected and the scope may not move those.
pub(crate) async fn may_move(
    tx: &mut Transaction,
    scope: &ProjectScope,
    labels: &[Label],
) -> Result<(), Fault> {
    let protected = prompts::protected(tx, scope.project_id()).await?;
    match labels.iter().find(|label| protected.contains(label)) {
        None => Ok(()),
        Some(label) => scope
            .require(Permission::MoveProtectedLabels)
            .map_err(|fault| {
                let message = format!("the label {label} is protected");
                Fault::new(fault.code, message).on_field("labels")
            }),
    }
}

fn author(scope: &ProjectScope) -> String {
    match scope.actor() {
        Actor::Key(_) | Actor::Operator | Actor::Server | Actor::Anybody => "API".to_owned(),
        Actor::Person(id) => id.to_string(),
    }
}

fn check(draft: &Draft) -> Result<(), Fault> {
    draft.content.check()?;
    let message = draft.commit_message.as_deref().unwrap_or_default();
    if message.chars().count() > MAX_MESSAGE || message.contains('\0') {
        let why =
            format!("a commit message has at most {MAX_MESSAGE} characters, none of them NUL");
        return Err(Fault::invalid(why).on_field("commitMessage"));
    }
    Ok(())
}
