//! Queues with their rules: list, show, create, update, archive, assign.

use domain::annotation::agreement::Rated;
use domain::annotation::{
    AnnotationQueue, Label, Pace, Progress, Question, QueueDraft, QueueRules,
};
use domain::score::{Scale, ScoreConfig};
use domain::tenancy::Permission;
use domain::{AnnotationQueueId, Code, Fault, PersonId};
pub use store_postgres::annotation::people::Rater;
use store_postgres::annotation::{labels, people, progress, rules};
use store_postgres::{annotation_queues, score_configs};
use uuid::Uuid;

use super::agreement::mean_observed;
use crate::app::App;
use crate::scope::{Actor, ProjectScope};

/// Queues of one project.
const MOST: i64 = 1_000;

/// A queue with its rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// The queue.
    pub queue: AnnotationQueue,
    /// How it is worked on.
    pub rules: QueueRules,
}

/// A queue in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// The queue.
    pub queue: Queue,
    /// How far it is.
    pub progress: Progress,
    /// Observed agreement, the mean over what is asked, 0 to 1; `None` where no two people judged the same.
    pub agreement: Option<f64>,
}

/// Something that is asked, with its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What is asked.
    pub question: Question,
    /// The configuration; `None` for a preference.
    pub config: Option<ScoreConfig>,
}

impl Asked {
    /// The scale of the answers; `None` for a preference.
    pub fn scale(&self) -> Option<&Scale> {
        self.config.as_ref().map(|config| &config.draft.scale)
    }

    /// Whether it may be left open.
    pub fn is_optional(&self) -> bool {
        matches!(self.scale(), Some(Scale::Text))
    }
}

/// Queues, newest first, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    slice: (u64, u32),
) -> Result<(Vec<Overview>, u64), Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let (queues, total) = annotation_queues::list(db, project, slice).await?;
    let ids: Vec<AnnotationQueueId> = queues.iter().map(|queue| queue.id).collect();
    let mut known = progress::of_queues(db, project, &ids).await?;
    let mut overviews = Vec::with_capacity(queues.len());
    for queue in queues {
        // Removed a moment ago.
        let Some(rules) = rules::show(db, project, queue.id).await? else {
            continue;
        };
        let progress = known.remove(&queue.id).unwrap_or_default();
        let queue = Queue { queue, rules };
        let agreement = match progress.raters {
            0 | 1 => None,
            _ => {
                let (asked, rated) =
                    tokio::join!(asked(app, scope, &queue), rated(app, scope, queue.queue.id));
                mean_observed(&asked?, &rated?)
            }
        };
        overviews.push(Overview {
            queue,
            progress,
            agreement,
        });
    }
    Ok((overviews, total))
}

/// Every judgement of a queue.
pub(super) async fn rated(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
) -> Result<Vec<Rated>, Fault> {
    let labels = labels::of_queue(app.postgres(), scope.project_id(), queue).await?;
    let rated = |label: Label| Rated {
        item: label.item,
        person: label.person,
        answers: label.answers,
    };
    Ok(labels.into_iter().map(rated).collect())
}

/// One of them.
///
/// # Errors
/// `not_found`; as [`list`].
pub async fn show(app: &App, scope: &ProjectScope, id: AnnotationQueueId) -> Result<Queue, Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let queue = crate::annotation_queues::show(app, scope, id).await?;
    let rules = rules::show(db, project, id).await?;
    let rules = rules.ok_or_else(|| Fault::not_found("Annotation queue not found"))?;
    Ok(Queue { queue, rules })
}

/// What is asked in a queue, in order; archived configurations are asked no more.
///
/// # Errors
/// As [`list`].
pub async fn asked(app: &App, scope: &ProjectScope, queue: &Queue) -> Result<Vec<Asked>, Fault> {
    let ids = &queue.queue.draft.score_configs;
    let found = score_configs::some(app.postgres(), scope.project_id(), ids).await?;
    let preference = queue.rules.is_pairwise.then_some(Asked {
        question: Question::Preference,
        config: None,
    });
    let configs = ids.iter().filter_map(|id| {
        let config = found.iter().find(|config| config.id == *id)?;
        (!config.draft.is_archived).then(|| Asked {
            question: Question::Config(*id),
            config: Some(config.clone()),
        })
    });
    Ok(preference.into_iter().chain(configs).collect())
}

/// How far a queue is, and how far whoever asks is.
///
/// # Errors
/// As [`list`].
pub async fn progress(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<(Progress, Pace), Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let mut all = progress::of_queues(db, project, &[id]).await?;
    let pace = match scope.actor() {
        Actor::Person(person) => progress::of_person(db, project, id, person).await?,
        _ => Pace::default(),
    };
    Ok((all.remove(&id).unwrap_or_default(), pace))
}

/// Makes one; needs `ManageQueues`.
///
/// # Errors
/// `forbidden`; `invalid` on a field, or when there are too many; `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    mut draft: QueueDraft,
    rules: QueueRules,
) -> Result<Queue, Fault> {
    scope.require(Permission::ManageQueues)?;
    check(app, scope, &mut draft, &rules).await?;
    let now = app.clock().now();
    let queue = AnnotationQueue {
        id: AnnotationQueueId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    let mut tx = app.postgres().begin().await?;
    let stored = rules::create(&mut tx, scope.project_id(), &queue, (&rules, MOST)).await;
    if !stored.map_err(name_taken)? {
        let message = format!("a project has at most {MOST} annotation queues");
        return Err(Fault::invalid(message));
    }
    tx.commit().await?;
    Ok(Queue { queue, rules })
}

/// Changes one; needs `ManageQueues`. What was judged stays. Since when it is archived stays, too.
///
/// # Errors
/// As [`create`]; `not_found`.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
    (mut draft, mut rules): (QueueDraft, QueueRules),
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    let before = show(app, scope, id).await?;
    rules.archived_at = before.rules.archived_at;
    // What was compared in pairs cannot be judged by itself, and the other way round.
    rules.is_pairwise = before.rules.is_pairwise;
    check(app, scope, &mut draft, &rules).await?;
    let queue = AnnotationQueue {
        draft,
        updated_at: app.clock().now(),
        ..before.queue
    };
    write(app, scope, &Queue { queue, rules }).await
}

/// Archives one, or takes it back; needs `ManageQueues`. Nobody works on an archived one, and nothing fills it.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn archive(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
    is_archived: bool,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    let mut queue = show(app, scope, id).await?;
    let now = app.clock().now();
    queue.rules.archived_at = is_archived.then(|| queue.rules.archived_at.unwrap_or(now));
    queue.queue.updated_at = now;
    write(app, scope, &queue).await
}

async fn write(app: &App, scope: &ProjectScope, queue: &Queue) -> Result<(), Fault> {
    let mut tx = app.postgres().begin().await?;
    let project = scope.project_id();
    let changed = rules::update(&mut tx, project, &queue.queue, &queue.rules).await;
    if !changed.map_err(name_taken)? {
        return Err(Fault::not_found("Annotation queue not found"));
    }
    tx.commit().await?;
    Ok(())
}

async fn check(
    app: &App,
    scope: &ProjectScope,
    draft: &mut QueueDraft,
    rules: &QueueRules,
) -> Result<(), Fault> {
    match rules.is_pairwise {
        true => draft.check_words()?,
        false => draft.check()?,
    }
    rules.check()?;
    let (db, project) = (app.postgres(), scope.project_id());
    let found = score_configs::some(db, project, &draft.score_configs).await?;
    if found.len() < draft.score_configs.len() {
        let message = "there is no such score configuration in this project";
        return Err(Fault::invalid(message).on_field("scoreConfigIds"));
    }
    Ok(())
}

fn name_taken(error: store_postgres::StoreError) -> Fault {
    error.on_constraint("annotation_queues_project_id_name_key", || {
        Fault::new(Code::Conflict, "A queue with this name already exists").on_field("name")
    })
}

/// Everybody who may judge, and who of them was asked to work on a queue.
///
/// # Errors
/// As [`show`].
pub async fn raters(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Vec<Rater>, Fault> {
    show(app, scope, id).await?;
    Ok(people::raters(app.postgres(), scope.project_id(), id).await?)
}

/// E-mail addresses of those who judged in a queue.
///
/// # Errors
/// As [`list`].
pub async fn emails(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Vec<(PersonId, String)>, Fault> {
    Ok(people::emails(app.postgres(), scope.project_id(), id).await?)
}
