//! Settings of projects in memory, for what has to be known of every request.
//!
//! Those of a project are read again every [`FRESH`]; meanwhile, and while Postgres is away, the ones
//! that were read last hold.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::ProjectId;
use store_postgres::StoreError;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

/// How long settings hold before they are read again: with [`PATIENCE`], a change is seen within 5 s.
const FRESH: Duration = Duration::from_secs(3);
/// How long a request waits for Postgres.
const PATIENCE: Duration = Duration::from_secs(1);
/// Projects that are remembered.
const MAX_PROJECTS: usize = 10_000;

/// Rows of settings by project, and what they are compiled to.
pub(crate) struct ProjectCache<R, V> {
    projects: Mutex<HashMap<ProjectId, Entry<R, V>>>,
    /// A crowd that comes to a new project reads its settings once.
    first_turn: AsyncMutex<()>,
}

struct Entry<R, V> {
    rows: Vec<R>,
    value: Arc<V>,
    ask_after: Instant,
}

enum Known<V> {
    Fresh(Arc<V>),
    /// To be read again by whoever is told so.
    Stale(Arc<V>),
    Nothing,
}

impl<R, V> Default for ProjectCache<R, V> {
    fn default() -> Self {
        ProjectCache {
            projects: Mutex::default(),
            first_turn: AsyncMutex::default(),
        }
    }
}

impl<R, V> ProjectCache<R, V>
where
    R: PartialEq + Send + 'static,
    V: Send + Sync + 'static,
{
    /// The settings of a project; `None` when they were never read and cannot be. `load` is awaited
    /// and `compile` called only when they are not known, or may have changed.
    pub(crate) async fn of_project(
        &self,
        project: ProjectId,
        load: impl Future<Output = Result<Vec<R>, StoreError>>,
        compile: impl FnOnce(&[R]) -> Arc<V> + Send + 'static,
    ) -> Option<Arc<V>> {
        match self.look(project, Instant::now()) {
            Known::Fresh(value) => Some(value),
            Known::Stale(value) => Some(self.read(project, load, compile).await.unwrap_or(value)),
            Known::Nothing => {
                let turn = tokio::time::timeout(PATIENCE, self.first_turn.lock());
                let _turn = turn.await.ok()?;
                match self.look(project, Instant::now()) {
                    Known::Fresh(value) | Known::Stale(value) => Some(value),
                    Known::Nothing => self.read(project, load, compile).await,
                }
            }
        }
    }

    /// Reads the settings of a project anew before they are used again.
    pub(crate) fn forget(&self, project: ProjectId) {
        self.lock().remove(&project);
    }

    /// Reads them; `None` while Postgres is away.
    async fn read(
        &self,
        project: ProjectId,
        load: impl Future<Output = Result<Vec<R>, StoreError>>,
        compile: impl FnOnce(&[R]) -> Arc<V> + Send + 'static,
    ) -> Option<Arc<V>> {
        let rows = match tokio::time::timeout(PATIENCE, load).await {
            Ok(Ok(rows)) => rows,
            Ok(Err(error)) => {
                unread(&error);
                return None;
            }
            Err(_) => return None,
        };
        if let Some(value) = self.confirm(project, &rows, Instant::now()) {
            return Some(value);
        }
        // Patterns are compiled, which may take its time.
        let compiled = tokio::task::spawn_blocking(move || {
            let value = compile(&rows);
            (rows, value)
        });
        let (rows, value) = compiled.await.ok()?;
        self.remember(project, rows, &value, Instant::now());
        Some(value)
    }

    fn look(&self, project: ProjectId, now: Instant) -> Known<V> {
        let mut projects = self.lock();
        let Some(entry) = projects.get_mut(&project) else {
            return Known::Nothing;
        };
        if now < entry.ask_after {
            return Known::Fresh(Arc::clone(&entry.value));
        }
        // One asks, the others go on with what there is.
        entry.ask_after = now + PATIENCE;
        Known::Stale(Arc::clone(&entry.value))
    }

    /// What is remembered, if the rows are still the same.
    fn confirm(&self, project: ProjectId, rows: &[R], now: Instant) -> Option<Arc<V>> {
        let mut projects = self.lock();
        let entry = projects.get_mut(&project);
        let entry = entry.filter(|entry| entry.rows == rows)?;
        entry.ask_after = now + FRESH;
        Some(Arc::clone(&entry.value))
    }

    fn remember(&self, project: ProjectId, rows: Vec<R>, value: &Arc<V>, now: Instant) {
        let mut projects = self.lock();
        if projects.len() >= MAX_PROJECTS && !projects.contains_key(&project) {
            projects.retain(|_, entry| now < entry.ask_after);
            if projects.len() >= MAX_PROJECTS {
                return;
            }
        }
        let entry = Entry {
            rows,
            value: Arc::clone(value),
            ask_after: now + FRESH,
        };
        projects.insert(project, entry);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ProjectId, Entry<R, V>>> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unread(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::debug!(error, "settings of a project were not read");
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_old_is_read_again_by_one_and_used_by_the_others() {
        let (cache, start) = (ProjectCache::<u8, u8>::default(), Instant::now());
        let project = ProjectId(Uuid::from_u128(1));
        assert!(matches!(cache.look(project, start), Known::Nothing));
        cache.remember(project, Vec::new(), &Arc::new(7), start);
        assert!(matches!(cache.look(project, start), Known::Fresh(_)));
        let later = start + FRESH;
        assert!(matches!(cache.look(project, later), Known::Stale(_)));
        assert!(matches!(cache.look(project, later), Known::Fresh(_)));
        assert!(matches!(
            cache.look(project, later + PATIENCE),
            Known::Stale(_)
        ));
        assert!(cache.confirm(project, &[1], later + PATIENCE).is_none());
        assert!(cache.confirm(project, &[], later + PATIENCE).is_some());
        cache.forget(project);
        assert!(matches!(cache.look(project, later), Known::Nothing));
    }
}
