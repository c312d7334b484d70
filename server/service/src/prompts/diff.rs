//! What two versions of a prompt differ in.

use std::sync::Arc;

use domain::Fault;
use domain::prompt::{self, Change, Prefix, PromptName, Selector, Version};
use serde_json::Value;

use super::{References, Shown, show};
use crate::app::App;
use crate::scope::ProjectScope;

/// What two versions differ in.
#[derive(Debug)]
pub struct Diff {
    /// The number of the old version.
    pub from: u32,
    /// The number of the new one.
    pub to: u32,
    /// Changes as they were written, references to other prompts as they are.
    pub changes: Vec<Change>,
    /// How far the new one follows the old one as a model reads them, with other prompts in their place.
    pub prefix: Prefix,
}

/// What two versions differ in. Tokens are those of the model that the new version's configuration names.
///
/// # Errors
/// `not_found` where there is no such version, `conflict` where a reference in one means nothing any more, or
/// `unavailable` without Postgres.
pub async fn diff(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    (old, new): (&Selector, &Selector),
) -> Result<Diff, Fault> {
    let written = pair(app, scope, name, (old, new), References::Keep).await?;
    let read = pair(app, scope, name, (old, new), References::Resolve).await?;
    beside(move || {
        let (old, new) = (&written.0.prompt, &written.1.prompt);
        let model = new.config.get("model").and_then(Value::as_str);
        Diff {
            from: old.version,
            to: new.version,
            changes: prompt::changes(Version::of(old), Version::of(new)),
            prefix: of(&read, model),
        }
    })
    .await
}

/// How far a version follows another as a model reads them.
///
/// # Errors
/// As [`diff`].
pub async fn prefix(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    versions: (&Selector, &Selector),
    model: Option<&str>,
) -> Result<Prefix, Fault> {
    let read = pair(app, scope, name, versions, References::Resolve).await?;
    let model = model.map(str::to_owned);
    beside(move || of(&read, model.as_deref())).await
}

type Pair = (Arc<Shown>, Arc<Shown>);

async fn pair(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    (old, new): (&Selector, &Selector),
    references: References,
) -> Result<Pair, Fault> {
    tokio::try_join!(
        show(app, scope, name, old, references),
        show(app, scope, name, new, references),
    )
}

fn of((old, new): &Pair, model: Option<&str>) -> Prefix {
    prompt::prefix(&old.prompt.content, &new.prompt.content, model)
}

/// Prompts may be long: work on them goes beside the threads that serve connections.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Fault::internal)
}
