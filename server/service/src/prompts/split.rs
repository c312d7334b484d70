//! Labels under test: set, ended, and what a read gets.

use std::sync::Arc;

use domain::prompt::notice::Happened;
use domain::prompt::split::{check, chosen, seed};
use domain::prompt::{Label, PromptName, Selector, Split, Variant};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use store_postgres::{Transaction, prompts};

use super::cache::Key;
use super::change::{begin, commit, may_move};
use super::record::record;
use super::{References, Shown, composition, lookup, no_such_prompt};
use crate::app::App;
use crate::scope::ProjectScope;

/// What a label under test gives, ready to be shown.
#[derive(Debug)]
pub(super) struct Variants {
    pub(super) weights: Vec<Variant>,
    /// In the order of the weights.
    pub(super) shown: Vec<Arc<Shown>>,
}

/// The version of a name that a program gets: as [`super::show`], but a label under test gives one of its versions by
/// weight. Whoever sticks to something, such as a user's id, gets the same each time; anybody else gets any.
///
/// # Errors
/// As [`super::show`].
pub async fn serve(
    app: &App,
    scope: &ProjectScope,
    (name, selector): (&PromptName, &Selector),
    references: References,
    stick_to: Option<&str>,
) -> Result<Arc<Shown>, Fault> {
    let key = Key {
        project: scope.project_id(),
        name: name.clone(),
        selector: selector.clone(),
        references,
    };
    let shown = lookup(app, key).await?;
    let (Some(variants), Selector::Label(label)) = (&shown.variants, selector) else {
        return Ok(shown);
    };
    let number = match stick_to {
        Some(text) => seed(name, label, text),
        None => rand::random(),
    };
    let chosen = variants.shown.get(chosen(&variants.weights, number));
    Ok(chosen.map_or_else(|| Arc::clone(&shown), Arc::clone))
}

/// Labels of a name that are under test.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn splits(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
) -> Result<Vec<Split>, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    let all = prompts::splits(&mut tx, scope.project_id(), name).await?;
    Ok(all.into_iter().filter(is_test).collect())
}

/// Of a test whose other versions are deleted nothing is left.
pub(super) fn is_test(split: &Split) -> bool {
    split.variants.len() > 1
}

/// Has a label give several versions by weight, the one that it stands on among them; needs `ChangePrompts`.
///
/// # Errors
/// `forbidden`, also for a protected label; `not_found` where the label stands on no version, or there is no such version;
/// `invalid` on `variants`; or `unavailable` without Postgres.
pub async fn set_split(
    app: &App,
    scope: &ProjectScope,
    (name, label): (&PromptName, &Label),
    variants: &[Variant],
) -> Result<(), Fault> {
    scope.require(Permission::ChangePrompts)?;
    let project = scope.project_id();
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = begin(app, scope).await?;
    let now = app.clock().now();
    may_move(&mut tx, scope, std::slice::from_ref(label)).await?;
    let standing = prompts::standing(&mut tx, project, (name, label)).await?;
    let missing = || no_such_prompt(name, &Selector::Label(label.clone()));
    check(label, standing.ok_or_else(missing)?.version, variants)?;
    for variant in variants {
        let selector = Selector::Version(variant.version);
        let found = prompts::find(&mut tx, project, name, &selector).await?;
        let found = found.ok_or_else(|| no_such_prompt(name, &selector))?;
        // One that cannot be shown would be a failure of every read that gets it.
        let composed = composition::compose(&mut tx, &found).await?;
        composed.map_err(|why| Fault::invalid(why.to_string()).on_field("variants"))?;
    }
    let before = prompts::splits(&mut tx, project, name).await?;
    let before = before.into_iter().find(|split| split.label == *label);
    let before = before.map(|split| split.variants).unwrap_or_default();
    prompts::set_split(&mut tx, project, (name, label), variants, now).await?;
    let happened = Happened::TestSet {
        label: label.clone(),
        before,
        after: variants.to_vec(),
    };
    record(app, scope, &mut tx, (name, &happened), now).await?;
    commit(app, scope, name, tx).await
}

/// Has a label give the version alone that it stands on; needs `ChangePrompts`.
///
/// # Errors
/// `forbidden`, also for a protected label; `not_found` where it is not under test; or `unavailable` without Postgres.
pub async fn end_split(
    app: &App,
    scope: &ProjectScope,
    (name, label): (&PromptName, &Label),
) -> Result<(), Fault> {
    scope.require(Permission::ChangePrompts)?;
    let _turn = app.prompts().turn_to_change(scope.project_id()).await;
    let mut tx = begin(app, scope).await?;
    let labels = std::slice::from_ref(label);
    may_move(&mut tx, scope, labels).await?;
    let now = app.clock().now();
    let ended = end_tests(app, scope, &mut tx, (name, labels), now).await?;
    if !ended {
        return Err(Fault::not_found(format!(
            "the label {label} is not under test"
        )));
    }
    commit(app, scope, name, tx).await
}

/// Ends tests of some labels, in the transaction of whoever moves them; whether there was one.
pub(super) async fn end_tests(
    app: &App,
    scope: &ProjectScope,
    tx: &mut Transaction,
    (name, labels): (&PromptName, &[Label]),
    at: Timestamp,
) -> Result<bool, Fault> {
    let project = scope.project_id();
    let splits = prompts::splits(tx, project, name).await?;
    let mut is_one = false;
    for split in splits {
        if !labels.contains(&split.label) {
            continue;
        }
        is_one = true;
        prompts::end_split(tx, project, (name, &split.label)).await?;
        let happened = Happened::TestEnded {
            label: split.label,
            before: split.variants,
            version: split.control,
        };
        record(app, scope, tx, (name, &happened), at).await?;
    }
    Ok(is_one)
}
