//! Prompts in memory.
//!
//! A change drops the prompt that changed, and those of its project that others stand in: any of them may be the one. The
//! rest stays, so that a label that moves does not keep the readers of other prompts waiting. What was being read
//! meanwhile is not kept, because it belongs to an era of before the change. While nobody tells this server of changes on
//! others, prompts are read again after [`UNSURE`].

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::ProjectId;
use domain::prompt::{PromptName, Selector};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard};
use tokio::time::Instant;

use super::formats::Unfound;
use super::{References, Shown};

/// How long word of a quiet line counts.
const SURE: Duration = Duration::from_secs(3);
/// How long a prompt holds without it.
const UNSURE: Duration = Duration::from_secs(2);
/// Bytes of the prompts that were used last, and as many of those before.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// A prompt stands in memory as it was read, as it is sent, and compressed.
const FORMS: usize = 3;
/// Prompts whose last change is remembered.
const MAX_CHANGED: usize = 10_000;
/// Prompts that are read, or projects that are changed, at the same time: each holds a connection.
const LANES: usize = 3;

/// What makes prompts quick to read and changes of them orderly.
#[derive(Default)]
pub(crate) struct Prompts {
    /// Prompts in memory.
    pub(super) cache: Cache,
    /// What need not be asked for.
    pub(super) unfound: Unfound,
    changing: Lanes,
}

/// Prompts in memory.
#[derive(Default)]
pub(super) struct Cache {
    inner: Mutex<Inner>,
    reading: Lanes,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) project: ProjectId,
    pub(super) name: PromptName,
    pub(super) selector: Selector,
    pub(super) references: References,
}

/// Between two changes; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Era(u64);

/// When a project, and each prompt of it, changed last.
struct Changed {
    any: Era,
    names: HashMap<PromptName, Era>,
}

struct Entry {
    shown: Arc<Shown>,
    weight: usize,
    era: Era,
    read_at: Instant,
}

/// Two halves: when the young one is full, the old one goes and the young one becomes it. Whatever is
/// used moves to the young one, so that what goes was not used for long.
struct Inner {
    young: HashMap<Key, Entry>,
    old: HashMap<Key, Entry>,
    young_bytes: usize,
    /// Projects that are not here, and prompts that are in none, are in `era`.
    changed: HashMap<ProjectId, Changed>,
    /// How many prompts are in `changed`.
    changes: usize,
    era: Era,
    last_era: u64,
    sure_until: Option<Instant>,
}

/// Some who go at the same time; those who want the same go one after the other.
#[derive(Default)]
struct Lanes([AsyncMutex<()>; LANES]);

impl Prompts {
    /// Waits for the turn to change a project's prompts. Changes of one project wait for each other
    /// here, not on connections to Postgres, of which there are few.
    pub(crate) async fn turn_to_change(&self, project: ProjectId) -> AsyncMutexGuard<'_, ()> {
        self.changing.turn(&project).await
    }
}

impl Cache {
    /// A prompt that may be shown.
    pub(super) fn look(&self, key: &Key, now: Instant) -> Option<Arc<Shown>> {
        let mut inner = self.lock();
        let (any, own) = (inner.era_of(key.project), inner.era_of_prompt(key));
        let sure = inner.sure_until.is_some_and(|until| now < until);
        let holds = |entry: &Entry| {
            let since = if entry.shown.is_composed() { any } else { own };
            entry.era >= since && (sure || now < entry.read_at + UNSURE)
        };
        if let Some(entry) = inner.young.get(key) {
            return holds(entry).then(|| Arc::clone(&entry.shown));
        }
        let entry = inner.old.remove(key).filter(|entry| holds(entry))?;
        let shown = Arc::clone(&entry.shown);
        inner.insert(key.clone(), entry);
        Some(shown)
    }

    /// Waits for the turn to read a prompt, so that a crowd reads it once.
    pub(super) async fn turn(&self, key: &Key) -> AsyncMutexGuard<'_, ()> {
        self.reading.turn(key).await
    }

    /// The era that a prompt belongs to that is read from now on.
    pub(super) fn era(&self, project: ProjectId) -> Era {
        self.lock().era_of(project)
    }

    /// Keeps what was read, unless it may have changed meanwhile.
    pub(super) fn keep(&self, key: Key, era: Era, shown: &Arc<Shown>, read_at: Instant) {
        let weight = shown.weight() * FORMS;
        let mut inner = self.lock();
        let since = if shown.is_composed() {
            inner.era_of(key.project)
        } else {
            inner.era_of_prompt(&key)
        };
        if era < since || weight > MAX_BYTES / 8 {
            return;
        }
        let entry = Entry {
            shown: Arc::clone(shown),
            weight,
            era,
            read_at,
        };
        inner.insert(key, entry);
    }

    /// Forgets a prompt, which has changed, and what it may stand in.
    pub(super) fn forget(&self, project: ProjectId, name: &PromptName) {
        let mut inner = self.lock();
        if inner.changes >= MAX_CHANGED {
            inner.forget_all();
            return;
        }
        let era = inner.next_era();
        let changed = inner.changed.entry(project);
        let changed = changed.or_insert_with(|| Changed {
            any: era,
            names: HashMap::new(),
        });
        changed.any = era;
        if changed.names.insert(name.clone(), era).is_none() {
            inner.changes += 1;
        }
    }

    /// Forgets everything.
    pub(super) fn forget_all(&self) {
        self.lock().forget_all();
    }

    /// Nothing was missed that was told before `at`.
    pub(super) fn heard_all_until(&self, at: Instant) {
        self.lock().sure_until = Some(at + SURE);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Inner {
    fn default() -> Self {
        Inner {
            young: HashMap::new(),
            old: HashMap::new(),
            young_bytes: 0,
            changed: HashMap::new(),
            changes: 0,
            era: Era(0),
            last_era: 0,
            sure_until: None,
        }
    }
}

impl Inner {
    fn era_of(&self, project: ProjectId) -> Era {
        self.changed
            .get(&project)
            .map_or(self.era, |changed| changed.any)
    }

    fn era_of_prompt(&self, key: &Key) -> Era {
        let changed = self.changed.get(&key.project);
        let own = changed.and_then(|changed| changed.names.get(&key.name));
        own.copied().unwrap_or(self.era)
    }

    fn next_era(&mut self) -> Era {
        self.last_era += 1;
        Era(self.last_era)
    }

    fn forget_all(&mut self) {
        self.era = self.next_era();
        self.changed.clear();
        self.changes = 0;
        self.young.clear();
        self.old.clear();
        self.young_bytes = 0;
    }

    fn insert(&mut self, key: Key, entry: Entry) {
        if self.young_bytes + entry.weight > MAX_BYTES {
            self.old = mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += entry.weight;
        if let Some(before) = self.young.insert(key, entry) {
            self.young_bytes = self.young_bytes.saturating_sub(before.weight);
        }
    }
}

impl Lanes {
    async fn turn(&self, wanted: &impl Hash) -> AsyncMutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        wanted.hash(&mut hasher);
        let lane = (hasher.finish() % LANES as u64) as usize;
        self.0[lane].lock().await
    }
}

#[cfg(test)]
mod tests {
    use domain::prompt::{Content, Graph, Label, Node, Prompt, Tags};
    use domain::{PromptId, Timestamp};
    use serde_json::Value;
    use uuid::Uuid;

    use super::*;

    fn project(n: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(n))
    }

    fn key(project: ProjectId, name: &str) -> Key {
        Key {
            project,
            name: PromptName::parse(name).unwrap(),
            selector: Selector::Label(Label::production()),
            references: References::Resolve,
        }
    }

    fn shown(bytes: usize) -> Arc<Shown> {
        let prompt = Prompt {
            id: PromptId(Uuid::nil()),
            project_id: project(1),
            name: PromptName::parse("a").unwrap(),
            version: 1,
            content: Content::Text("x".repeat(bytes)),
            config: Value::Null,
            labels: Vec::new(),
            tags: Tags::default(),
            commit_message: None,
            created_by: "API".into(),
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        };
        Arc::new(Shown::new(prompt, None))
    }

    #[test]
    fn a_change_forgets_its_prompt_and_what_was_being_read() {
        let (cache, now) = (Cache::default(), Instant::now());
        let (one, two) = (project(1), project(2));
        for (project, name) in [(one, "a"), (one, "b"), (two, "a")] {
            let era = cache.era(project);
            cache.keep(key(project, name), era, &shown(1), now);
        }
        let before = cache.era(one);
        cache.forget(one, &PromptName::parse("a").unwrap());
        cache.keep(key(one, "a"), before, &shown(1), now);
        assert!(cache.look(&key(one, "a"), now).is_none());
        assert!(cache.look(&key(one, "b"), now).is_some());
        assert!(cache.look(&key(two, "a"), now).is_some());
        cache.keep(key(one, "a"), cache.era(one), &shown(1), now);
        assert!(cache.look(&key(one, "a"), now).is_some());
        cache.forget_all();
        assert!(cache.look(&key(two, "a"), now).is_none());
    }

    #[test]
    fn a_prompt_that_others_stand_in_goes_with_any_change_of_its_project() {
        let (cache, now) = (Cache::default(), Instant::now());
        let (one, two) = (project(1), project(2));
        let plain = shown(1);
        let graph = Graph {
            root: Node::of(&plain.prompt),
            dependencies: Vec::new(),
        };
        let composed = Arc::new(Shown::new(plain.prompt.clone(), Some(graph)));
        for project in [one, two] {
            cache.keep(key(project, "whole"), cache.era(project), &composed, now);
        }
        let before = cache.era(one);
        cache.forget(one, &PromptName::parse("part").unwrap());
        assert!(cache.look(&key(one, "whole"), now).is_none());
        cache.keep(key(one, "whole"), before, &composed, now);
        assert!(cache.look(&key(one, "whole"), now).is_none());
        assert!(cache.look(&key(two, "whole"), now).is_some());
    }

    #[test]
    fn without_word_from_the_others_a_prompt_holds_for_two_seconds() {
        let (cache, start) = (Cache::default(), Instant::now());
        let key = key(project(1), "a");
        cache.keep(key.clone(), cache.era(project(1)), &shown(1), start);
        assert!(cache.look(&key, start + Duration::from_secs(1)).is_some());
        assert!(cache.look(&key, start + UNSURE).is_none());
        cache.heard_all_until(start + UNSURE);
        assert!(cache.look(&key, start + UNSURE).is_some());
        assert!(cache.look(&key, start + UNSURE + SURE).is_none());
    }

    #[test]
    fn what_is_not_used_goes_and_what_is_used_stays() {
        let (cache, now) = (Cache::default(), Instant::now());
        let keep = |name: &str| {
            let key = key(project(1), name);
            cache.keep(
                key,
                cache.era(project(1)),
                &shown(MAX_BYTES / 9 / FORMS),
                now,
            );
        };
        keep("used");
        keep("unused");
        for at in 0..40 {
            keep(&format!("new-{at}"));
            assert!(cache.look(&key(project(1), "used"), now).is_some(), "{at}");
        }
        assert!(cache.look(&key(project(1), "unused"), now).is_none());
        let inner = cache.lock();
        assert!(inner.young.len() + inner.old.len() <= 18);
        assert!(inner.young_bytes <= MAX_BYTES);
    }

    #[test]
    fn much_that_changes_takes_bounded_memory() {
        let cache = Cache::default();
        let era = cache.era(project(u128::MAX));
        for n in 0..=MAX_CHANGED as u128 {
            let name = PromptName::parse(&format!("p{n}")).unwrap();
            cache.forget(project(n % 10), &name);
        }
        let changed = cache.lock().changes;
        assert!(changed <= MAX_CHANGED, "{changed}");
        assert_ne!(cache.era(project(u128::MAX)), era);
    }
}
