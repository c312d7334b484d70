//! Prices in memory.
//!
//! Those of a project are read again every [`FRESH`]; meanwhile, and while Postgres is away, the ones
//! that were read last hold.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::ProjectId;
use domain::cost::{OwnPrice, PriceBook, Pricer, ProjectPrice, Table};
use store_postgres::{StoreError, prices};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

use crate::app::App;

/// How long prices hold before they are read again: with [`PATIENCE`], a change is seen within 5 s.
const FRESH: Duration = Duration::from_secs(3);
/// How long a request waits for Postgres.
const PATIENCE: Duration = Duration::from_secs(1);
/// Projects that are remembered.
const MAX_PROJECTS: usize = 10_000;

/// Prices by project.
pub(crate) struct Cache {
    /// Of projects that have none of their own.
    built_in: Arc<Pricer>,
    projects: Mutex<HashMap<ProjectId, Entry>>,
    /// A crowd that comes to a new project reads its prices once.
    first_turn: AsyncMutex<()>,
}

struct Entry {
    rows: Vec<ProjectPrice>,
    pricer: Arc<Pricer>,
    ask_after: Instant,
}

enum Known {
    Fresh(Arc<Pricer>),
    /// To be read again by whoever is told so.
    Stale(Arc<Pricer>),
    Nothing,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            built_in: Arc::new(Pricer::new(PriceBook::built_in())),
            projects: Mutex::default(),
            first_turn: AsyncMutex::default(),
        }
    }
}

/// The prices of a project; `None` when they were never read and cannot be.
pub(super) async fn of_project(app: &App, project: ProjectId) -> Option<Arc<Pricer>> {
    let cache = app.prices();
    match cache.look(project, Instant::now()) {
        Known::Fresh(pricer) => Some(pricer),
        Known::Stale(pricer) => Some(read(app, project).await.unwrap_or(pricer)),
        Known::Nothing => {
            let turn = tokio::time::timeout(PATIENCE, cache.first_turn.lock());
            let _turn = turn.await.ok()?;
            match cache.look(project, Instant::now()) {
                Known::Fresh(pricer) | Known::Stale(pricer) => Some(pricer),
                Known::Nothing => read(app, project).await,
            }
        }
    }
}

/// Reads them; `None` while Postgres is away.
async fn read(app: &App, project: ProjectId) -> Option<Arc<Pricer>> {
    let rows = tokio::time::timeout(PATIENCE, prices::list(app.postgres(), project));
    let rows = match rows.await {
        Ok(Ok(rows)) => rows,
        Ok(Err(error)) => {
            unread(&error);
            return None;
        }
        Err(_) => return None,
    };
    let cache = app.prices();
    if let Some(pricer) = cache.confirm(project, &rows, Instant::now()) {
        return Some(pricer);
    }
    let built_in = Arc::clone(&cache.built_in);
    // Patterns are compiled, which may take its time.
    let (rows, pricer) = tokio::task::spawn_blocking(move || {
        let pricer = pricer_of(&rows, built_in);
        (rows, pricer)
    })
    .await
    .ok()?;
    cache.remember(project, rows, &pricer, Instant::now());
    Some(pricer)
}

fn unread(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::debug!(error, "prices of a project were not read");
}

fn pricer_of(rows: &[ProjectPrice], built_in: Arc<Pricer>) -> Arc<Pricer> {
    // Checked when they were set.
    let own: Vec<OwnPrice> = rows.iter().flat_map(|row| row.draft.to_own()).collect();
    if own.is_empty() {
        return built_in;
    }
    let editions = Table::built_in().into_iter().collect();
    Arc::new(Pricer::new(PriceBook::new(editions, own)))
}

impl Cache {
    /// Reads the prices of a project anew before they are used again.
    pub(crate) fn forget(&self, project: ProjectId) {
        self.lock().remove(&project);
    }

    fn look(&self, project: ProjectId, now: Instant) -> Known {
        let mut projects = self.lock();
        let Some(entry) = projects.get_mut(&project) else {
            return Known::Nothing;
        };
        if now < entry.ask_after {
            return Known::Fresh(Arc::clone(&entry.pricer));
        }
        // One asks, the others go on with what there is.
        entry.ask_after = now + PATIENCE;
        Known::Stale(Arc::clone(&entry.pricer))
    }

    /// What is remembered, if the rows are still the same.
    fn confirm(
        &self,
        project: ProjectId,
        rows: &[ProjectPrice],
        now: Instant,
    ) -> Option<Arc<Pricer>> {
        let mut projects = self.lock();
        let entry = projects.get_mut(&project);
        let entry = entry.filter(|entry| entry.rows == rows)?;
        entry.ask_after = now + FRESH;
        Some(Arc::clone(&entry.pricer))
    }

    fn remember(
        &self,
        project: ProjectId,
        rows: Vec<ProjectPrice>,
        pricer: &Arc<Pricer>,
        now: Instant,
    ) {
        let mut projects = self.lock();
        if projects.len() >= MAX_PROJECTS && !projects.contains_key(&project) {
            projects.retain(|_, entry| now < entry.ask_after);
            if projects.len() >= MAX_PROJECTS {
                return;
            }
        }
        let entry = Entry {
            rows,
            pricer: Arc::clone(pricer),
            ask_after: now + FRESH,
        };
        projects.insert(project, entry);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ProjectId, Entry>> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_old_is_read_again_by_one_and_used_by_the_others() {
        let (cache, start) = (Cache::default(), Instant::now());
        let project = ProjectId(Uuid::from_u128(1));
        assert!(matches!(cache.look(project, start), Known::Nothing));
        cache.remember(project, Vec::new(), &cache.built_in, start);
        assert!(matches!(cache.look(project, start), Known::Fresh(_)));
        let later = start + FRESH;
        assert!(matches!(cache.look(project, later), Known::Stale(_)));
        assert!(matches!(cache.look(project, later), Known::Fresh(_)));
        assert!(matches!(
            cache.look(project, later + PATIENCE),
            Known::Stale(_)
        ));
        assert!(cache.confirm(project, &[], later + PATIENCE).is_some());
        cache.forget(project);
        assert!(matches!(cache.look(project, later), Known::Nothing));
    }
}
