//! Prompts of the scope's project: read from memory, changed one after the other.

/// Prompts in memory.
mod cache;
/// New versions, labels, deletion.
mod change;
/// Prompts within prompts.
mod composition;
/// What two versions differ in.
mod diff;
/// What versions ask of answers.
mod formats;
/// Hearing of changes on other servers.
mod listen;
/// What a page shows beside what they say.
mod page;
/// Labels that not everybody moves.
mod protection;
/// What changed is written down and told.
mod record;
/// Labels under test.
mod split;
/// What was measured of requests that used prompts.
pub mod uses;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use domain::prompt::{Graph, Prompt, PromptName, Selector, Split, Summary};
use domain::quality::PromptFormats;
use domain::span::PromptRef;
use domain::{Code, Fault};
use store_postgres::{Transaction, prompts};
use tokio::time::Instant;

use crate::app::App;
use crate::scope::ProjectScope;

pub use change::{add_labels, create, delete, remove_label, set_tags};
pub use diff::{Diff, diff, prefix};
pub use listen::listen;
pub use page::{
    Dependent, Folder, Head, Told, authors, dependents, folders, heads, history, managed, moves,
    person,
};
pub use protection::{protected, set_protected};
pub use split::{end_split, serve, set_split, splits};
pub use store_postgres::prompts::Wanted;

use cache::Key;
pub(crate) use cache::Prompts;
pub(crate) use change::{begin, commit, may_move};
pub(crate) use formats::formats;
pub(crate) use record::tell;

/// A version as it is shown.
#[derive(Debug)]
pub struct Shown {
    /// The version, its references in their place where that was asked for.
    pub prompt: Prompt,
    /// Which prompts stand in it; `None` where none does, or they were left out.
    pub graph: Option<Graph>,
    /// What a label under test gives; this is the version that it stands on.
    variants: Option<split::Variants>,
    written: OnceLock<Written>,
}

/// An answer that is ready to be sent to every reader.
#[derive(Clone, Debug)]
pub struct Written {
    /// As it is.
    pub plain: Bytes,
    /// The same compressed, where that makes it arrive sooner.
    pub gzip: Option<Bytes>,
}

impl Shown {
    /// A version that stands for itself, with what stands in it.
    pub fn new(prompt: Prompt, graph: Option<Graph>) -> Self {
        Shown {
            prompt,
            graph,
            variants: None,
            written: OnceLock::new(),
        }
    }

    /// What was written of it, which is done for its first reader only: applications read the same version again and
    /// again, and writing and compressing it takes longer than all else that such a request needs.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn written<E>(
        &self,
        write: impl FnOnce(&Shown) -> Result<Written, E>,
    ) -> Result<&Written, E> {
        if let Some(written) = self.written.get() {
            return Ok(written);
        }
        let written = write(self)?;
        Ok(self.written.get_or_init(|| written))
    }

    /// Whether other prompts stand in it, or in one that a label under test gives.
    fn is_composed(&self) -> bool {
        let variants = self.variants.iter().flat_map(|variants| &variants.shown);
        self.graph.is_some() || variants.into_iter().any(|shown| shown.graph.is_some())
    }

    /// Bytes that it takes in memory, roughly.
    fn weight(&self) -> usize {
        let variants = self.variants.iter().flat_map(|variants| &variants.shown);
        self.prompt.weight() + variants.map(|shown| shown.prompt.weight()).sum::<usize>()
    }
}

/// Whether references are put in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum References {
    /// They are.
    Resolve,
    /// They stay as they are written.
    Keep,
}

/// The version of a name that is meant. It comes from memory: a change made through this server is
/// seen at once, one made through another within a moment.
///
/// # Errors
/// `not_found` when there is none, `conflict` when a reference in it means nothing (any more), or
/// `unavailable` without Postgres.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    selector: &Selector,
    references: References,
) -> Result<Arc<Shown>, Fault> {
    let key = Key {
        project: scope.project_id(),
        name: name.clone(),
        selector: selector.clone(),
        references,
    };
    lookup(app, key).await
}

/// What some versions ask of answers in their configurations. It comes from memory; for what is not there
/// Postgres is asked, and what it does not tell within a moment asks for nothing.
pub async fn formats_of(
    app: &App,
    scope: &ProjectScope,
    wanted: BTreeSet<PromptRef>,
) -> PromptFormats {
    formats(app, scope.project_id(), wanted).await
}

async fn lookup(app: &App, key: Key) -> Result<Arc<Shown>, Fault> {
    let cache = &app.prompts().cache;
    if let Some(shown) = cache.look(&key, Instant::now()) {
        return Ok(shown);
    }
    let _turn = cache.turn(&key).await;
    if let Some(shown) = cache.look(&key, Instant::now()) {
        return Ok(shown);
    }
    let era = cache.era(key.project);
    let read_at = Instant::now();
    let shown = Arc::new(read(app, &key).await?);
    cache.keep(key, era, &shown, read_at);
    Ok(shown)
}

async fn read(app: &App, key: &Key) -> Result<Shown, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    let found = prompts::find(&mut tx, key.project, &key.name, &key.selector).await?;
    let prompt = found.ok_or_else(|| no_such_prompt(&key.name, &key.selector))?;
    let mut shown = put_together(&mut tx, key, prompt).await?;
    let Selector::Label(label) = &key.selector else {
        return Ok(shown);
    };
    let splits = prompts::splits(&mut tx, key.project, &key.name).await?;
    let mut splits = splits.into_iter().filter(split::is_test);
    if let Some(found) = splits.find(|split| split.label == *label) {
        shown.variants = Some(variants(&mut tx, key, found).await?);
    }
    Ok(shown)
}

/// The versions that a label under test gives. Each says that it has the label: that is what it was asked for by.
async fn variants(tx: &mut Transaction, key: &Key, split: Split) -> Result<split::Variants, Fault> {
    let mut all = Vec::with_capacity(split.variants.len());
    for variant in &split.variants {
        let selector = Selector::Version(variant.version);
        let found = prompts::find(tx, key.project, &key.name, &selector).await?;
        let mut prompt = found.ok_or_else(|| no_such_prompt(&key.name, &selector))?;
        if !prompt.labels.contains(&split.label) {
            prompt.labels.insert(0, split.label.clone());
        }
        all.push(Arc::new(put_together(tx, key, prompt).await?));
    }
    Ok(split::Variants {
        weights: split.variants,
        shown: all,
    })
}

async fn put_together(tx: &mut Transaction, key: &Key, mut prompt: Prompt) -> Result<Shown, Fault> {
    if key.references == References::Keep {
        return Ok(Shown::new(prompt, None));
    }
    let composed = composition::compose(tx, &prompt).await?;
    let composed = composed.map_err(|why| {
        let message = format!("the prompt {} cannot be put together: {why}", key.name);
        Fault::new(Code::Conflict, message)
    })?;
    prompt.content = composed.content;
    Ok(Shown::new(prompt, composed.graph))
}

/// Names in order with their versions summed up, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &Wanted,
    slice: (u64, u32),
) -> Result<(Vec<Summary>, u64), Fault> {
    Ok(prompts::list(app.postgres(), scope.project_id(), wanted, slice).await?)
}

/// That there is none.
pub(crate) fn no_such_prompt(name: &PromptName, selector: &Selector) -> Fault {
    let which = match selector {
        Selector::Version(version) => format!("version {version}"),
        Selector::Label(label) => format!("label '{label}'"),
    };
    Fault::not_found(format!("Prompt not found: '{name}' with {which}"))
}
