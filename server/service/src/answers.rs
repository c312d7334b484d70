//! Answers about much telemetry, given again for a while.
//!
//! Over millions of spans a chart or a list of users takes both cores for a while, and everybody who looks at it
//! asks for it again with every click. So whatever took long is kept: it is given again as it is for twenty times as
//! long as it took, and for some minutes after that while a new one is being found. Projects with few spans are
//! always asked, so that there each answer is as new as the store.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Fault, Nanos, ProjectId, Timestamp};
use store_clickhouse::spans;
use tokio::time::Instant;

use crate::app::App;

/// Rows of spans from which on answers of a project are kept.
const MANY_ROWS: u64 = 500_000;
/// How long a project counts as large, or as small.
const SIZE_HOLDS: Duration = Duration::from_secs(10);
/// An answer that was found faster is not kept.
const LONG: Duration = Duration::from_millis(30);
/// For how many times the time that it took an answer is new.
const TIMES: u32 = 20;
/// Longest that it is.
const NEW: Duration = Duration::from_secs(60);
/// Longest that it is given while another one is being found.
const OLD: Duration = Duration::from_secs(600);
/// Answers of all projects.
const MOST: usize = 400;
/// A stretch of time that ends so near to now goes along with it.
const NEAR: Nanos = Nanos::from_seconds(5);

/// What was asked: answers are kept under it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    project: ProjectId,
    /// What kind of answer: one kind has one type.
    kind: &'static str,
    /// Everything that the answer depends on.
    asked: String,
}

impl Question {
    /// `asked` is everything that the answer depends on, but for the stretch of time: one that ends now is the
    /// same as another of the same length that ended a moment ago, and so is the one before it.
    pub(crate) fn new(
        app: &App,
        of: (ProjectId, &'static str),
        (from, to): (Timestamp, Timestamp),
        asked: &str,
    ) -> Self {
        let (now, length) = (app.clock().now(), to - from);
        let stretch = if is_near(to, now) {
            format!("last {}", length.0)
        } else if is_near(to, now.minus(length)) {
            format!("before the last {}", length.0)
        } else {
            format!("{from} to {to}")
        };
        Question::over(of, &stretch, asked)
    }

    /// The same of a stretch whose beginning stands while its end goes along with the clock.
    pub(crate) fn since(
        app: &App,
        of: (ProjectId, &'static str),
        (from, to): (Timestamp, Timestamp),
        asked: &str,
    ) -> Self {
        let stretch = match is_near(to, app.clock().now()) {
            true => format!("since {from}"),
            false => format!("{from} to {to}"),
        };
        Question::over(of, &stretch, asked)
    }

    fn over((project, kind): (ProjectId, &'static str), stretch: &str, asked: &str) -> Self {
        Question {
            project,
            kind,
            asked: format!("{stretch} {asked}"),
        }
    }
}

fn is_near(one: Timestamp, other: Timestamp) -> bool {
    let distance = if one > other {
        one - other
    } else {
        other - one
    };
    distance <= NEAR
}

/// All that are kept.
#[derive(Default)]
pub(crate) struct Answers {
    kept: Mutex<HashMap<Question, Kept>>,
    sizes: Mutex<HashMap<ProjectId, (Instant, bool)>>,
    /// How often something was forgotten: what was asked before and is found afterwards may hold what was deleted.
    forgotten: AtomicU64,
}

struct Kept {
    answer: Arc<dyn Any + Send + Sync>,
    found: Instant,
    took: Duration,
    /// Whether somebody is finding another one.
    is_asked_anew: bool,
}

/// What is known of a question.
enum Known<V> {
    New(Arc<V>),
    /// To be given while another one is found.
    Old(Arc<V>),
    /// To be given: somebody is finding another one.
    Awaited(Arc<V>),
    Nothing,
}

impl Answers {
    /// Forgets what was answered of a project: something of it was deleted.
    pub(crate) fn forget(&self, project: ProjectId) {
        self.forgotten.fetch_add(1, Ordering::AcqRel);
        self.kept()
            .retain(|question, _| question.project != project);
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<Question, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known<V: Send + Sync + 'static>(&self, question: &Question) -> Known<V> {
        let mut kept = self.kept();
        let Some(known) = kept.get_mut(question) else {
            return Known::Nothing;
        };
        let (age, is_new) = (known.found.elapsed(), known.is_new());
        let Ok(answer) = Arc::clone(&known.answer).downcast::<V>() else {
            return Known::Nothing;
        };
        if is_new {
            Known::New(answer)
        } else if age > OLD {
            Known::Nothing
        } else if known.is_asked_anew {
            Known::Awaited(answer)
        } else {
            known.is_asked_anew = true;
            Known::Old(answer)
        }
    }

    /// Keeps an answer that was asked for when so often something had been forgotten.
    fn keep(
        &self,
        question: Question,
        answer: Arc<dyn Any + Send + Sync>,
        (forgotten, took): (u64, Duration),
    ) {
        let mut kept = self.kept();
        if took < LONG || self.forgotten.load(Ordering::Acquire) != forgotten {
            kept.remove(&question);
            return;
        }
        if kept.len() >= MOST && !kept.contains_key(&question) {
            kept.retain(|_, known| known.found.elapsed() <= OLD);
            let oldest = kept.iter().min_by_key(|(_, known)| known.found);
            let oldest = oldest.map(|(question, _)| question.clone());
            if let Some(oldest) = oldest.filter(|_| kept.len() >= MOST) {
                kept.remove(&oldest);
            }
        }
        let known = Kept {
            answer,
            found: Instant::now(),
            took,
            is_asked_anew: false,
        };
        kept.insert(question, known);
    }

    fn give_up(&self, question: &Question) {
        if let Some(known) = self.kept().get_mut(question) {
            known.is_asked_anew = false;
        }
    }

    fn size(&self, project: ProjectId) -> Option<bool> {
        let sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, is_large) = sizes.get(&project)?;
        (at.elapsed() < SIZE_HOLDS).then_some(*is_large)
    }

    fn note_size(&self, project: ProjectId, is_large: bool) {
        let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.retain(|_, (at, _)| at.elapsed() < SIZE_HOLDS);
        sizes.insert(project, (Instant::now(), is_large));
    }
}

impl Kept {
    fn is_new(&self) -> bool {
        self.found.elapsed() <= (self.took * TIMES).min(NEW)
    }
}

/// The answer to a question: one that is kept, or what `find` comes to, which is not asked otherwise.
///
/// # Errors
/// Those of `find`; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub(crate) async fn ask<V, F>(app: &App, question: Question, find: F) -> Result<Arc<V>, Fault>
where
    V: Send + Sync + 'static,
    F: Future<Output = Result<V, Fault>> + Send + 'static,
{
    if !is_large(app, question.project).await? {
        return Ok(Arc::new(find.await?));
    }
    match app.answers().known(&question) {
        Known::New(answer) | Known::Awaited(answer) => Ok(answer),
        Known::Old(answer) => {
            let app = app.clone();
            tokio::spawn(async move {
                if let Err(fault) = find_and_keep(&app, question.clone(), find).await {
                    app.answers().give_up(&question);
                    tracing::warn!(error = %fault, kind = question.kind, "an answer is not found anew");
                }
            });
            Ok(answer)
        }
        Known::Nothing => find_and_keep(app, question, find).await,
    }
}

async fn find_and_keep<V, F>(app: &App, question: Question, find: F) -> Result<Arc<V>, Fault>
where
    V: Send + Sync + 'static,
    F: Future<Output = Result<V, Fault>>,
{
    let (begun, answers) = (Instant::now(), app.answers());
    let forgotten = answers.forgotten.load(Ordering::Acquire);
    let answer = Arc::new(find.await?);
    let took = begun.elapsed();
    answers.keep(question, answer.clone(), (forgotten, took));
    Ok(answer)
}

async fn is_large(app: &App, project: ProjectId) -> Result<bool, Fault> {
    if let Some(known) = app.answers().size(project) {
        return Ok(known);
    }
    let rows = spans::stored(app.clickhouse(), project).await?;
    let is_large = rows >= MANY_ROWS;
    app.answers().note_size(project, is_large);
    Ok(is_large)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn question(number: usize) -> Question {
        Question {
            project: ProjectId(Uuid::from_u128(1)),
            kind: "test",
            asked: number.to_string(),
        }
    }

    fn told(answers: &Answers, number: usize) -> (&'static str, Option<u64>) {
        match answers.known::<u64>(&question(number)) {
            Known::New(answer) => ("new", Some(*answer)),
            Known::Old(answer) => ("old", Some(*answer)),
            Known::Awaited(answer) => ("awaited", Some(*answer)),
            Known::Nothing => ("nothing", None),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_new_then_old_then_gone() {
        let answers = Answers::default();
        let second = Duration::from_secs(1);
        assert_eq!(told(&answers, 1), ("nothing", None));
        answers.keep(question(1), Arc::new(7_u64), (0, second));
        tokio::time::advance(20 * second).await;
        assert_eq!(told(&answers, 1), ("new", Some(7)));
        tokio::time::advance(second).await;
        // One of those who ask finds another one; the others do not wait.
        assert_eq!(told(&answers, 1), ("old", Some(7)));
        assert_eq!(told(&answers, 1), ("awaited", Some(7)));
        answers.give_up(&question(1));
        assert_eq!(told(&answers, 1), ("old", Some(7)));
        answers.keep(question(1), Arc::new(8_u64), (0, second));
        assert_eq!(told(&answers, 1), ("new", Some(8)));
        tokio::time::advance(OLD + second).await;
        assert_eq!(told(&answers, 1), ("nothing", None));
        // Nothing is new for longer than a minute, however long it took.
        answers.keep(question(1), Arc::new(9_u64), (0, 60 * second));
        tokio::time::advance(61 * second).await;
        assert_eq!(told(&answers, 1), ("old", Some(9)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_found_at_once_is_not_kept_and_there_are_never_too_many() {
        let answers = Answers::default();
        answers.keep(question(1), Arc::new(7_u64), (0, LONG / 2));
        assert_eq!(told(&answers, 1), ("nothing", None));
        for number in 0..=MOST {
            answers.keep(question(number), Arc::new(7_u64), (0, LONG));
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(answers.kept().len(), MOST);
        assert_eq!(told(&answers, 0), ("nothing", None));
        assert_eq!(told(&answers, MOST), ("new", Some(7)));
        answers.forget(ProjectId(Uuid::from_u128(2)));
        assert_eq!(answers.kept().len(), MOST);
        answers.forget(ProjectId(Uuid::from_u128(1)));
        assert_eq!(answers.kept().len(), 0);
        // Asked before something was deleted, found afterwards.
        answers.keep(question(1), Arc::new(7_u64), (0, LONG));
        assert_eq!(told(&answers, 1), ("nothing", None));
        answers.keep(question(1), Arc::new(7_u64), (2, LONG));
        assert_eq!(told(&answers, 1), ("new", Some(7)));
    }
}
