//! The prompt under suspicion: where its version leaves the one before, which only the registry of prompts knows.

use std::collections::BTreeMap;

use domain::attribution::answer::PromptSuspect;
use domain::attribution::{Attribution, Rows};
use domain::prompt::{Prefix, PromptName, Selector};

use crate::app::App;
use crate::prompts;
use crate::scope::ProjectScope;

/// The model that most requests of the suspect had.
pub(super) fn model(rows: &Rows, attribution: &Attribution) -> Option<String> {
    let suspect = attribution.prompt.as_ref()?;
    let value = format!("{}@{}", suspect.name, suspect.suspect_version);
    let (versions, models) = (rows.dimension("prompt_version")?, rows.dimension("model")?);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in 0..rows.len() {
        if versions.get(row) == Some(value.as_str())
            && let Some(model) = models.get(row)
        {
            *counts.entry(model).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count)?;
    Some(most.0.to_owned())
}

/// Fills in from which token on the suspect differs from the version before. Prompts that are managed elsewhere leave it
/// open, and so does a registry that is away: the rest of the answer does not depend on it.
pub(super) async fn diverge(
    app: &App,
    scope: &ProjectScope,
    suspect: &mut PromptSuspect,
    model: Option<&str>,
) -> Option<Prefix> {
    let name = PromptName::parse(&suspect.name).ok()?;
    let new = Selector::Version(suspect.suspect_version.parse().ok()?);
    let old = Selector::Version(suspect.previous_version.as_ref()?.parse().ok()?);
    let prefix = prompts::prefix(app, scope, &name, (&old, &new), model).await;
    let prefix = prefix.ok()?;
    suspect.diverges_at_token = prefix.diverges_at_token;
    Some(prefix)
}
