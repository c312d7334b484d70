//! What a page shows of prompts beside what they say: versions, who made them, what refers to them, what was done.

use std::collections::{BTreeMap, BTreeSet};

use domain::prompt::{Label, PromptName};
use domain::{Fault, PersonId, Timestamp};
use serde_json::Value;
pub use store_postgres::audit::Told;
pub use store_postgres::prompts::{Dependent, Folder, Head};
use store_postgres::{audit, members, prompts};

use crate::app::App;
use crate::scope::ProjectScope;

/// Most versions that are listed.
const MOST_VERSIONS: u32 = 500;
/// Most versions of others that refer to a prompt.
const MOST_DEPENDENTS: u32 = 100;
/// Most folders within one.
const MOST_FOLDERS: u32 = 500;
/// Most entries of a history.
const MOST_TOLD: u32 = 200;

/// The versions of a name without what they say, the newest first: the last 500.
///
/// # Errors
/// `not_found` where there is no such prompt, or `unavailable` without Postgres.
pub async fn heads(app: &App, scope: &ProjectScope, name: &PromptName) -> Result<Vec<Head>, Fault> {
    let found = prompts::heads(app.postgres(), scope.project_id(), name, MOST_VERSIONS).await?;
    if found.is_empty() {
        return Err(Fault::not_found(format!("Prompt not found: '{name}'")));
    }
    Ok(found)
}

/// The folders within one, which ends in `/` or is the empty text.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn folders(app: &App, scope: &ProjectScope, within: &str) -> Result<Vec<Folder>, Fault> {
    Ok(prompts::folders(app.postgres(), scope.project_id(), within, MOST_FOLDERS).await?)
}

/// Versions of other prompts that refer to one.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn dependents(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
) -> Result<Vec<Dependent>, Fault> {
    Ok(prompts::dependents(app.postgres(), scope.project_id(), name, MOST_DEPENDENTS).await?)
}

/// What was done to a prompt, the newest first: the last 200.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn history(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
) -> Result<Vec<Told>, Fault> {
    let object = format!("prompt:{name}");
    Ok(audit::of_object(app.postgres(), scope.project_id(), &object, MOST_TOLD).await?)
}

/// What of a history changes which version clients get.
const MOVES: [&str; 5] = [
    "prompt.created",
    "prompt.label_moved",
    "prompt.label_removed",
    "prompt.rollback",
    "prompt.rollback_undo",
];

/// Moves of labels within a stretch of time, with the prompt, in the order of time: the last 200. Versions that were made
/// without a label that clients ask for are left out.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn moves(
    app: &App,
    scope: &ProjectScope,
    range: (Timestamp, Timestamp),
) -> Result<Vec<(PromptName, Told)>, Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let found = audit::within(db, project, &MOVES, range, MOST_TOLD).await?;
    let of_prompt = |(object, told): (String, Told)| {
        let name = PromptName::parse(object.strip_prefix("prompt:")?).ok()?;
        let mut labels = told.after["labels"].as_array().into_iter().flatten();
        let is_served = |label: &Value| label.as_str() != Some(Label::LATEST);
        let counts = told.action != "prompt.created" || labels.any(is_served);
        counts.then_some((name, told))
    };
    Ok(found.into_iter().rev().filter_map(of_prompt).collect())
}

/// Which of some versions, told by name and number as telemetry has them, are managed here.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn managed(
    app: &App,
    scope: &ProjectScope,
    told: impl Iterator<Item = (&str, &str)>,
) -> Result<BTreeSet<(String, u32)>, Fault> {
    let (mut names, mut versions) = (Vec::new(), Vec::new());
    for (name, version) in told {
        if let Ok(version) = version.parse() {
            names.push(name.to_owned());
            versions.push(version);
        }
    }
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    let about = (names.as_slice(), versions.as_slice());
    let found = prompts::managed(app.postgres(), scope.project_id(), about).await?;
    Ok(found.into_iter().collect())
}

/// E-mails of people by their ids as texts, with or without `person:` before them. Who is no member of the organisation
/// (any more) is left out, and so is what is no person.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn authors(
    app: &App,
    scope: &ProjectScope,
    named: impl Iterator<Item = &str>,
) -> Result<BTreeMap<PersonId, String>, Fault> {
    let mut people: Vec<PersonId> = named.filter_map(person).collect();
    people.sort_unstable();
    people.dedup();
    if people.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = members::emails(app.postgres(), scope.project_id(), &people).await?;
    Ok(found.into_iter().collect())
}

/// The person that a text means.
pub fn person(text: &str) -> Option<PersonId> {
    text.strip_prefix("person:").unwrap_or(text).parse().ok()
}
