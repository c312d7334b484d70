//! New traces as they land, for whoever listens.
//!
//! **Invariants:** all listeners of a project that want the same share one look at the store, so that a
//! crowd costs what one costs; a project takes a quarter of all places at most.

/// One look: which traces are new.
mod look;
/// One answer for pages that ask the same at the same moment.
mod together;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::filter::Filter;
use domain::page::Page;
use domain::trace::{Density, TraceSummary};
use domain::{Code, Fault, Nanos, ProjectId, Span};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::app::App;
use crate::scope::ProjectScope;

use look::{Looker, Roots};
use together::{Changes, Question, Together};

pub use together::newest;

/// Listeners at the same time.
const MAX_LISTENERS: usize = 200;
/// Listeners of one project.
const MAX_OF_PROJECT: usize = 50;
/// Different filters of one project's listeners: each is a look of its own.
const MAX_FILTERS: usize = 10;
/// Between two looks, however much lands.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// How soon it is seen that nobody listens any more.
const ASK_EVERY: Duration = Duration::from_secs(1);
/// Looks that a slow listener may be behind.
const BACKLOG: usize = 16;

/// What a look found.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// Traces that are new, oldest first.
    pub traces: Vec<TraceSummary>,
    /// Whether there was more than a look takes: the rest is skipped.
    pub is_cut: bool,
}

/// Somebody who is told what lands in a project.
pub struct Listener {
    news: broadcast::Receiver<Arc<News>>,
    _place: Place,
}

impl Listener {
    /// What landed; `None` when it is over. A listener that was too slow misses some.
    pub async fn next(&mut self) -> Option<Arc<News>> {
        match self.news.recv().await {
            Ok(news) => Some(news),
            Err(RecvError::Lagged(_)) => Some(Arc::new(News {
                is_cut: true,
                ..News::default()
            })),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Listens to new traces that match, each told once, when its root span is readable. What is there
/// already is not new.
///
/// # Errors
/// `too_many` when there are no places left; `unavailable` or `timeout` when ClickHouse is away or
/// takes too long.
pub async fn listen(app: &App, scope: &ProjectScope, filter: Filter) -> Result<Listener, Fault> {
    let project = scope.project_id();
    let place = app.hub().place(project)?;
    let (news, new_group) = app.hub().join(project, filter)?;
    if let Some(group) = new_group {
        begin(app.clone(), *scope, group).await?;
    }
    Ok(Listener {
        news,
        _place: place,
    })
}

/// Listeners who want the same.
struct Group {
    project: ProjectId,
    filter: Filter,
    news: broadcast::Sender<Arc<News>>,
    /// Root spans that were received lately.
    roots: Roots,
}

/// Everybody who listens.
#[derive(Default)]
pub(crate) struct Hub {
    state: Arc<Mutex<State>>,
    changes: Changes,
    asked: Together<Question, (Page<TraceSummary>, Arc<Density>)>,
}

#[derive(Default)]
struct State {
    listeners: HashMap<ProjectId, usize>,
    groups: Vec<Arc<Group>>,
}

impl Hub {
    /// Notes the traces whose roots were received just now: they are looked for by name, however long
    /// ago they began. Costs nothing where nobody listens.
    pub(crate) fn note(&self, project: ProjectId, spans: &[Span]) {
        let groups = lock(&self.state).groups_of(project);
        if groups.is_empty() {
            return;
        }
        for span in spans.iter().filter(|span| span.parent_span_id.is_none()) {
            for group in &groups {
                group.roots.note(&span.trace_id);
            }
        }
    }

    /// Notes that what lists of the project show has changed.
    pub(crate) fn note_change(&self, project: ProjectId) {
        self.changes.note(project);
    }

    fn place(&self, project: ProjectId) -> Result<Place, Fault> {
        let mut state = lock(&self.state);
        let all: usize = state.listeners.values().sum();
        let mine = state.listeners.get(&project).copied().unwrap_or(0);
        if all >= MAX_LISTENERS || mine >= MAX_OF_PROJECT {
            return Err(too_many("too many live streams are open"));
        }
        state.listeners.insert(project, mine + 1);
        Ok(Place {
            project,
            state: Arc::clone(&self.state),
        })
    }

    /// Joins those who want the same; gives a group that is new and must begin.
    #[expect(
        clippy::type_complexity,
        reason = "what it gives is taken apart at once"
    )]
    fn join(
        &self,
        project: ProjectId,
        filter: Filter,
    ) -> Result<(broadcast::Receiver<Arc<News>>, Option<Arc<Group>>), Fault> {
        let mut state = lock(&self.state);
        let groups = state.groups_of(project);
        if let Some(known) = groups.iter().find(|group| group.filter == filter) {
            return Ok((known.news.subscribe(), None));
        }
        if groups.len() >= MAX_FILTERS {
            return Err(too_many(
                "too many live streams with different filters are open",
            ));
        }
        let (news, first) = broadcast::channel(BACKLOG);
        let group = Arc::new(Group {
            project,
            filter,
            news,
            roots: Roots::default(),
        });
        state.groups.push(Arc::clone(&group));
        Ok((first, Some(group)))
    }

    /// Forgets a group; false when somebody has joined it meanwhile and `only_if_empty`.
    fn leave(&self, group: &Arc<Group>, when: Leave) -> bool {
        let mut state = lock(&self.state);
        if when == Leave::IfEmpty && group.news.receiver_count() > 0 {
            return false;
        }
        state.groups.retain(|known| !Arc::ptr_eq(known, group));
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leave {
    IfEmpty,
    Anyway,
}

impl State {
    fn groups_of(&self, project: ProjectId) -> Vec<Arc<Group>> {
        let mine = self.groups.iter().filter(|group| group.project == project);
        mine.cloned().collect()
    }
}

/// A listener's place; free again when it is dropped.
struct Place {
    project: ProjectId,
    state: Arc<Mutex<State>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        let left = state.listeners.get(&self.project).copied().unwrap_or(0);
        if left > 1 {
            state.listeners.insert(self.project, left - 1);
        } else {
            state.listeners.remove(&self.project);
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn too_many(message: &str) -> Fault {
    Fault::new(Code::TooMany, message).retry_after(Nanos::from_seconds(10))
}

/// Notes what is there already and starts to look. Whoever waits for a group that cannot begin is told
/// by the end of its channel.
async fn begin(app: App, scope: ProjectScope, group: Arc<Group>) -> Result<(), Fault> {
    let mut leaving = Leaving {
        app: app.clone(),
        group: Some(Arc::clone(&group)),
    };
    let landed = app.live().subscribe();
    let mut looker = Looker::default();
    looker
        .look(&app, &scope, &group.filter, &group.roots)
        .await?;
    leaving.group = None;
    tokio::spawn(run(app, scope, (group, looker), landed));
    Ok(())
}

/// Forgets a group that did not begin, also when whoever began it has gone.
struct Leaving {
    app: App,
    group: Option<Arc<Group>>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            self.app.hub().leave(group, Leave::Anyway);
        }
    }
}

/// Looks whenever something has landed, until nobody listens or the server stops.
async fn run(
    app: App,
    scope: ProjectScope,
    (group, mut looker): (Arc<Group>, Looker),
    mut landed: broadcast::Receiver<(ProjectId, domain::Timestamp)>,
) {
    let mut closing = app.closing();
    let mut ask = tokio::time::interval(ASK_EVERY);
    loop {
        let has_landed = tokio::select! {
            landed = landed.recv() => match landed {
                Ok((project, _)) => project == group.project,
                // Having missed some is a reason to look, too.
                Err(RecvError::Lagged(_)) => true,
                Err(RecvError::Closed) => break,
            },
            _ = ask.tick() => false,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        if group.news.receiver_count() == 0 && app.hub().leave(&group, Leave::IfEmpty) {
            return;
        }
        if !has_landed {
            continue;
        }
        tokio::time::sleep(LOOK_EVERY).await;
        landed = landed.resubscribe();
        match looker.look(&app, &scope, &group.filter, &group.roots).await {
            Ok(news) if news.traces.is_empty() && !news.is_cut => {}
            Ok(news) => {
                // Who has gone meanwhile misses nothing.
                let _listeners = group.news.send(Arc::new(news));
            }
            // A failed look is made up for by the next one.
            Err(fault) => tracing::warn!(fault = %fault, "a live view could not look"),
        }
    }
    app.hub().leave(&group, Leave::Anyway);
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn project(number: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(number))
    }

    #[test]
    fn one_project_leaves_places_to_others_and_gives_them_back() {
        let hub = Hub::default();
        let mut places = Vec::new();
        while let Ok(place) = hub.place(project(1)) {
            places.push(place);
        }
        assert_eq!(places.len(), MAX_OF_PROJECT);
        let other = hub.place(project(2));
        assert!(other.is_ok());
        places.pop();
        assert!(hub.place(project(1)).is_ok());
        drop((places, other));
        assert!(lock(&hub.state).listeners.is_empty());
    }

    #[test]
    fn all_projects_together_have_so_many_places() {
        let hub = Hub::default();
        let places: Vec<Place> = (0..1_000)
            .filter_map(|number| hub.place(project(number)).ok())
            .collect();
        assert_eq!(places.len(), MAX_LISTENERS);
    }

    #[test]
    fn those_who_want_the_same_share_a_group_and_filters_are_bounded() {
        let hub = Hub::default();
        let wanted = |latency: usize| Filter {
            min_latency_ms: Some(latency as f64),
            ..Filter::default()
        };
        let (_first, made) = hub.join(project(1), wanted(0)).unwrap();
        let group = made.unwrap();
        let (second, made) = hub.join(project(1), wanted(0)).unwrap();
        assert!(made.is_none());
        assert_eq!(group.news.receiver_count(), 2);
        let others: Vec<_> = (1..MAX_FILTERS)
            .map(|latency| hub.join(project(1), wanted(latency)).unwrap())
            .collect();
        assert!(hub.join(project(1), wanted(MAX_FILTERS)).is_err());
        assert!(hub.join(project(2), wanted(0)).unwrap().1.is_some());
        assert!(!hub.leave(&group, Leave::IfEmpty));
        drop((_first, second, others));
        assert!(hub.leave(&group, Leave::IfEmpty));
    }
}
