//! Reads of whole traces take turns: each may hold as much memory as its trace is large.
//!
//! **Invariant:** what all of them hold together is bounded, whoever asks and however slowly clients
//! take their answers; one project cannot take the turns of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::{Fault, Nanos, ProjectId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Spans that stand for one unit of memory: some megabytes while they are read.
const SPANS_OF_A_UNIT: u64 = 5_000;
/// Units of all reads of the process.
const UNITS: u32 = 64;
/// Units of all reads of one project: two of hundred thousand spans do not run at once.
const UNITS_OF_A_PROJECT: u32 = 32;
/// How long a read waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// When to come again after that.
const COME_AGAIN: Nanos = Nanos::from_seconds(5);
/// Projects that are remembered though none of their reads runs.
const IDLE_PROJECTS: usize = 1_000;

/// The turns of one process.
pub(crate) struct Reads {
    all: Arc<Semaphore>,
    projects: Mutex<HashMap<ProjectId, Arc<Semaphore>>>,
    patience: Duration,
}

/// The right to read; over when it is dropped.
#[derive(Debug)]
pub struct Turn {
    _of_project: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Default for Reads {
    fn default() -> Self {
        Reads {
            all: Arc::new(Semaphore::new(UNITS as usize)),
            projects: Mutex::default(),
            patience: PATIENCE,
        }
    }
}

impl Reads {
    /// Waits for the turn of a read of so many spans. One that is larger than everything that a
    /// project may read at once is read alone.
    ///
    /// # Errors
    /// `unavailable` after ten seconds.
    pub(crate) async fn turn(&self, project: ProjectId, spans: u64) -> Result<Turn, Fault> {
        let units = units_of(spans);
        let of_project = self.of_project(project);
        // The project's first: whoever waits for their own project must not hold up the others.
        let both = async {
            let of_project = of_project.acquire_many_owned(units).await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_many_owned(units).await.ok()?;
            Some(Turn {
                _of_project: of_project,
                _of_all: of_all,
            })
        };
        let turn = timeout(self.patience, both).await.ok().flatten();
        turn.ok_or_else(|| {
            Fault::unavailable("too many large traces are being read; try again in a moment")
                .retry_after(COME_AGAIN)
        })
    }

    fn of_project(&self, project: ProjectId) -> Arc<Semaphore> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if projects.len() > IDLE_PROJECTS {
            // A permit keeps its semaphore alive.
            projects.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let new = || Arc::new(Semaphore::new(UNITS_OF_A_PROJECT as usize));
        Arc::clone(projects.entry(project).or_insert_with(new))
    }
}

fn units_of(spans: u64) -> u32 {
    let units = spans.div_ceil(SPANS_OF_A_UNIT);
    u32::try_from(units)
        .unwrap_or(u32::MAX)
        .clamp(1, UNITS_OF_A_PROJECT)
}

#[cfg(test)]
mod tests {
    use domain::Code;
    use uuid::Uuid;

    use super::*;

    const LARGE: u64 = 100_000;

    fn reads() -> Reads {
        Reads {
            patience: Duration::from_millis(1),
            ..Reads::default()
        }
    }

    fn project(number: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_project_reads_one_huge_trace_at_a_time_and_small_ones_beside_it() {
        let reads = reads();
        let huge = reads.turn(project(1), LARGE).await.unwrap();
        let small = reads.turn(project(1), 10).await.unwrap();
        let fault = reads.turn(project(1), LARGE).await.unwrap_err();
        assert_eq!(fault.code, Code::Unavailable);
        assert!(fault.retry_after.is_some());
        drop((huge, small));
        assert!(reads.turn(project(1), LARGE).await.is_ok());
    }

    #[tokio::test]
    async fn one_project_leaves_turns_to_others_and_all_together_are_bounded() {
        let reads = reads();
        let mut held = Vec::new();
        while let Ok(turn) = reads.turn(project(1), 1).await {
            held.push(turn);
        }
        assert_eq!(held.len(), UNITS_OF_A_PROJECT as usize);
        held.push(reads.turn(project(2), u64::MAX).await.unwrap());
        assert!(reads.turn(project(3), 1).await.is_err());
        drop(held);
        assert!(reads.turn(project(3), 1).await.is_ok());
    }

    #[tokio::test]
    async fn projects_that_read_nothing_are_forgotten() {
        let reads = reads();
        for number in 0..3_000 {
            reads.turn(project(number), 1).await.unwrap();
        }
        assert!(reads.projects.lock().unwrap().len() <= IDLE_PROJECTS + 1);
    }
}
