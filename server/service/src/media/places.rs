//! Uploads take turns: each holds a file and a connection for as long as its client takes.
//!
//! **Invariant:** one project cannot take the places of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::{Fault, ProjectId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Uploads of the process at the same time.
const PLACES: usize = 64;
/// Uploads of one project at the same time.
const PLACES_OF_A_PROJECT: usize = 16;
/// How long an upload waits for its place.
const PATIENCE: Duration = Duration::from_secs(20);
/// Projects that are remembered though they send nothing.
const IDLE_PROJECTS: usize = 1_000;

/// The places of one process.
pub(super) struct Places {
    all: Arc<Semaphore>,
    projects: Mutex<HashMap<ProjectId, Arc<Semaphore>>>,
}

/// A place; free when it is dropped.
pub(super) struct Place {
    _of_project: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Default for Places {
    fn default() -> Self {
        Places {
            all: Arc::new(Semaphore::new(PLACES)),
            projects: Mutex::default(),
        }
    }
}

impl Places {
    /// Waits for a place.
    ///
    /// # Errors
    /// `unavailable` after twenty seconds.
    pub(super) async fn take(&self, project: ProjectId) -> Result<Place, Fault> {
        let of_project = self.of_project(project);
        // The project's first: whoever waits for their own project must not hold up the others.
        let both = async {
            let of_project = of_project.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Place {
                _of_project: of_project,
                _of_all: of_all,
            })
        };
        let place = timeout(PATIENCE, both).await.ok().flatten();
        place.ok_or_else(|| {
            Fault::unavailable("too many attachments are being sent; try again in a moment")
        })
    }

    fn of_project(&self, project: ProjectId) -> Arc<Semaphore> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if projects.len() > IDLE_PROJECTS {
            // A place keeps its semaphore alive.
            projects.retain(|_, places| Arc::strong_count(places) > 1);
        }
        let new = || Arc::new(Semaphore::new(PLACES_OF_A_PROJECT));
        Arc::clone(projects.entry(project).or_insert_with(new))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_project_leaves_places_to_others() {
        let places = Places::default();
        let project = |n| ProjectId(Uuid::from_u128(n));
        let mut held = Vec::new();
        while let Ok(place) = places.take(project(1)).await {
            held.push(place);
        }
        assert_eq!(held.len(), PLACES_OF_A_PROJECT);
        assert!(places.take(project(2)).await.is_ok());
        held.pop();
        assert!(places.take(project(1)).await.is_ok());
    }
}
