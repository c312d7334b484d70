//! One attribution of a project at a time: each holds tens of thousands of requests and a core.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::{Fault, Nanos, ProjectId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long one waits for the one before.
const PATIENCE: Duration = Duration::from_secs(10);
/// When to come again after that.
const COME_AGAIN: Nanos = Nanos::from_seconds(5);
/// Projects that are remembered though none of theirs runs.
const IDLE_PROJECTS: usize = 1_000;

/// The turns of one process.
pub(crate) struct Turns {
    projects: Mutex<HashMap<ProjectId, Arc<Semaphore>>>,
    patience: Duration,
}

impl Default for Turns {
    fn default() -> Self {
        Turns {
            projects: Mutex::default(),
            patience: PATIENCE,
        }
    }
}

impl Turns {
    /// Waits for the turn of a project; over when it is dropped.
    ///
    /// # Errors
    /// `unavailable` after ten seconds.
    pub(crate) async fn turn(&self, project: ProjectId) -> Result<OwnedSemaphorePermit, Fault> {
        let turn = timeout(self.patience, self.of_project(project).acquire_owned()).await;
        turn.ok().and_then(Result::ok).ok_or_else(|| {
            Fault::unavailable("another analysis of the project is being made; try again")
                .retry_after(COME_AGAIN)
        })
    }

    fn of_project(&self, project: ProjectId) -> Arc<Semaphore> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if projects.len() > IDLE_PROJECTS {
            // A permit keeps its semaphore alive.
            projects.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let new = || Arc::new(Semaphore::new(1));
        Arc::clone(projects.entry(project).or_insert_with(new))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_project_has_one_at_a_time_and_others_are_not_held_up() {
        let turns = Turns {
            patience: Duration::from_millis(1),
            ..Turns::default()
        };
        let project = |number| ProjectId(Uuid::from_u128(number));
        let first = turns.turn(project(1)).await.unwrap();
        let other = turns.turn(project(2)).await;
        assert!(other.is_ok());
        let fault = turns.turn(project(1)).await.unwrap_err();
        assert!(fault.retry_after.is_some());
        drop(first);
        assert!(turns.turn(project(1)).await.is_ok());
    }
}
