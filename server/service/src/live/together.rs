//! Pages that are told of news at the same moment ask the same at the same moment: they are given one
//! answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use domain::filter::Filter;
use domain::page::{Limit, Page};
use domain::trace::{Density, TraceSummary};
use domain::{Fault, ProjectId};
use store_clickhouse::traces;
use tokio::sync::OnceCell;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::traces::density;

/// The newest traces that match, and how many there are over time in so many columns. Whoever asks while
/// somebody else waits for the same, and nothing has changed since they asked, waits with them.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn newest(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    (limit, columns): (Limit, u32),
) -> Result<(Page<TraceSummary>, Arc<Density>), Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let question = Question {
        project,
        filter: filter.clone(),
        limit,
        columns,
        change: app.hub().changes.of(project),
    };
    let ask = || async {
        let (page, density) = tokio::join!(
            traces::list(clickhouse, project, filter, (limit, None)),
            density(app, scope, filter, columns),
        );
        Ok((page?, density?))
    };
    app.hub().asked.ask(question, ask).await
}

/// What is asked, and how often the project had changed by then: an answer that is under way knows
/// nothing of what came later.
#[derive(Clone, PartialEq)]
pub(super) struct Question {
    project: ProjectId,
    filter: Filter,
    limit: Limit,
    columns: u32,
    change: u64,
}

/// How often projects have changed; several projects share a number, which does no harm.
pub(super) struct Changes([AtomicU64; 64]);

impl Default for Changes {
    fn default() -> Self {
        Changes([const { AtomicU64::new(0) }; 64])
    }
}

impl Changes {
    pub(super) fn note(&self, project: ProjectId) {
        self.number(project).fetch_add(1, Ordering::AcqRel);
    }

    fn of(&self, project: ProjectId) -> u64 {
        self.number(project).load(Ordering::Acquire)
    }

    fn number(&self, project: ProjectId) -> &AtomicU64 {
        let last = project.as_uuid().as_bytes()[15];
        &self.0[usize::from(last) % 64]
    }
}

/// Questions that are being answered.
pub(super) struct Together<Q, A> {
    open: Mutex<Vec<(Q, Weak<OnceCell<A>>)>>,
}

impl<Q, A> Default for Together<Q, A> {
    fn default() -> Self {
        Together {
            open: Mutex::default(),
        }
    }
}

impl<Q: PartialEq, A: Clone> Together<Q, A> {
    /// Asks, or waits with whoever asks the same. A failure is nobody else's: they ask themselves.
    async fn ask<F: Future<Output = Result<A, Fault>>>(
        &self,
        question: Q,
        ask: impl FnOnce() -> F,
    ) -> Result<A, Fault> {
        let cell = self.cell(question);
        cell.get_or_try_init(ask).await.cloned()
    }

    fn cell(&self, question: Q) -> Arc<OnceCell<A>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits for those any more.
        open.retain(|(_, cell)| cell.strong_count() > 0);
        let known = open.iter().find(|(known, _)| *known == question);
        if let Some(cell) = known.and_then(|(_, cell)| cell.upgrade()) {
            return cell;
        }
        let cell = Arc::new(OnceCell::new());
        open.push((question, Arc::downgrade(&cell)));
        cell
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use tokio::sync::Barrier;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_crowd_with_one_question_asks_once_and_the_next_one_asks_again() {
        let (together, asked) = (Together::<u8, u32>::default(), AtomicU32::new(0));
        let all_wait = Barrier::new(2);
        let ask = || async {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            if number == 0 {
                all_wait.wait().await;
            }
            Ok(number)
        };
        let (one, two, three, other, _) = tokio::join!(
            together.ask(1, ask),
            together.ask(1, ask),
            together.ask(1, ask),
            together.ask(2, ask),
            all_wait.wait(),
        );
        assert_eq!([one, two, three].map(Result::unwrap), [0, 0, 0]);
        assert_eq!(other.unwrap(), 1);
        assert_eq!(together.ask(1, ask).await.unwrap(), 2);
        assert!(together.open.lock().unwrap().len() <= 1);
    }

    #[tokio::test]
    async fn a_failure_is_not_shared() {
        let together = Together::<u8, u32>::default();
        let (failed, good) = tokio::join!(
            together.ask(1, || async { Err(Fault::unavailable("away")) }),
            together.ask(1, || async { Ok(7) }),
        );
        assert!(failed.is_err());
        assert_eq!(good.unwrap(), 7);
    }

    #[test]
    fn a_change_makes_another_question() {
        let (changes, project) = (Changes::default(), ProjectId(Uuid::from_u128(5)));
        let before = changes.of(project);
        changes.note(project);
        assert_ne!(changes.of(project), before);
        assert_eq!(changes.of(ProjectId(Uuid::from_u128(6))), before);
    }
}
