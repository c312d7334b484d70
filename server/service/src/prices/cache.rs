//! Prices in memory.

use std::sync::Arc;

use domain::ProjectId;
use domain::cost::{OwnPrice, PriceBook, Pricer, ProjectPrice, Table};
use store_postgres::prices;

use crate::app::App;
use crate::project_cache::ProjectCache;

/// Prices by project.
pub(crate) struct Cache {
    /// Of projects that have none of their own.
    built_in: Arc<Pricer>,
    projects: ProjectCache<ProjectPrice, Pricer>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            built_in: Arc::new(Pricer::new(PriceBook::built_in())),
            projects: ProjectCache::default(),
        }
    }
}

impl Cache {
    /// Reads the prices of a project anew before they are used again.
    pub(crate) fn forget(&self, project: ProjectId) {
        self.projects.forget(project);
    }
}

/// The prices of a project; `None` when they were never read and cannot be.
pub(super) async fn of_project(app: &App, project: ProjectId) -> Option<Arc<Pricer>> {
    let cache = app.prices();
    let built_in = Arc::clone(&cache.built_in);
    let load = prices::list(app.postgres(), project);
    let compile = move |rows: &[ProjectPrice]| pricer_of(rows, built_in);
    cache.projects.of_project(project, load, compile).await
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
