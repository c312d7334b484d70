//! What versions of prompts ask of answers, for what arrives.
//!
//! **Invariant:** a request waits for Postgres at most [`PATIENCE`], once, however many prompts it names;
//! while Postgres is away nobody waits for a while.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::prompt::{Prompt, PromptName, Selector};
use domain::quality::{PromptFormats, Requested};
use domain::span::PromptRef;
use domain::{Code, ProjectId};
use tokio::time::{Instant, timeout_at};

use super::cache::{Era, Key};
use super::{References, lookup};
use crate::app::App;

/// How long a request waits for all prompts that are not in memory.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long nobody asks Postgres after it did not answer.
const REST: Duration = Duration::from_secs(1);
/// How long a version counts as absent: prompts that are managed elsewhere are named all the time.
const ABSENT: Duration = Duration::from_secs(10);
/// Absent versions that are remembered.
const MAX_ABSENT: usize = 10_000;
/// Prompts of one request.
const MAX_PROMPTS: usize = 32;

/// What need not be asked for.
#[derive(Default)]
pub(super) struct Unfound {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    absent: HashMap<Key, (Era, Instant)>,
    rest_until: Option<Instant>,
}

/// What some versions ask for in their configurations. What cannot be read in time asks for nothing.
pub(crate) async fn formats(
    app: &App,
    project: ProjectId,
    wanted: BTreeSet<PromptRef>,
) -> PromptFormats {
    let deadline = Instant::now() + PATIENCE;
    let mut found = Vec::new();
    for prompt in wanted.into_iter().take(MAX_PROMPTS) {
        let Some(key) = key(project, &prompt) else {
            continue;
        };
        if let Some(format) = format(app, key, deadline).await {
            found.push((prompt, format));
        }
    }
    PromptFormats::new(found)
}

/// Versions are numbers here; what is named otherwise is managed elsewhere.
fn key(project: ProjectId, prompt: &PromptRef) -> Option<Key> {
    Some(Key {
        project,
        name: PromptName::parse(&prompt.name).ok()?,
        selector: Selector::Version(prompt.version.parse().ok()?),
        references: References::Keep,
    })
}

async fn format(app: &App, key: Key, deadline: Instant) -> Option<Requested> {
    let (cache, unfound) = (&app.prompts().cache, &app.prompts().unfound);
    let asked = |prompt: &Prompt| Requested::from_prompt_config(&prompt.config);
    let resolved = Key {
        references: References::Resolve,
        ..key.clone()
    };
    // A configuration is the same however references are shown.
    let now = Instant::now();
    let known = cache.look(&resolved, now).or_else(|| cache.look(&key, now));
    if let Some(shown) = known {
        return asked(&shown.prompt);
    }
    let era = cache.era(key.project);
    if unfound.is_in_vain(&key, era, now) {
        return None;
    }
    match timeout_at(deadline, lookup(app, key.clone())).await {
        Ok(Ok(shown)) => return asked(&shown.prompt),
        Ok(Err(fault)) if fault.code == Code::NotFound => unfound.note_absent(key, era, now),
        Ok(Err(_)) | Err(_) => unfound.note_away(now),
    }
    None
}

impl Unfound {
    fn is_in_vain(&self, key: &Key, era: Era, now: Instant) -> bool {
        let inner = self.lock();
        let is_absent = |(of, until): &(Era, Instant)| *of == era && now < *until;
        inner.rest_until.is_some_and(|until| now < until)
            || inner.absent.get(key).is_some_and(is_absent)
    }

    fn note_absent(&self, key: Key, era: Era, now: Instant) {
        let mut inner = self.lock();
        if inner.absent.len() >= MAX_ABSENT {
            inner.absent.clear();
        }
        inner.absent.insert(key, (era, now + ABSENT));
    }

    fn note_away(&self, now: Instant) {
        self.lock().rest_until = Some(now + REST);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::prompts::cache::Cache;

    #[test]
    fn what_is_absent_is_not_asked_for_until_its_project_changes_or_time_passes() {
        let (cache, unfound, now) = (Cache::default(), Unfound::default(), Instant::now());
        let project = ProjectId(Uuid::nil());
        let named = |version: &str| PromptRef {
            name: "p".to_owned(),
            version: version.to_owned(),
        };
        assert!(key(project, &named("latest")).is_none());
        let key = key(project, &named("1")).unwrap();
        let era = cache.era(project);
        assert!(!unfound.is_in_vain(&key, era, now));
        unfound.note_absent(key.clone(), era, now);
        assert!(unfound.is_in_vain(&key, era, now));
        assert!(!unfound.is_in_vain(&key, era, now + ABSENT));
        cache.forget(project, &key.name);
        assert!(!unfound.is_in_vain(&key, cache.era(project), now));
        unfound.note_away(now);
        assert!(unfound.is_in_vain(&key, cache.era(project), now));
        assert!(!unfound.is_in_vain(&key, cache.era(project), now + REST));
    }
}
