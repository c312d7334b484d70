//! What judgements come to: how far people agree, what was decided where they do not, how evaluators and raters compare
//! with what holds.

use std::collections::BTreeMap;

use domain::annotation::agreement::{Agreement, Rated, accuracy, agreement, verdict};
use domain::annotation::answer::{MAX_REASON_CHARS, check_words};
use domain::annotation::judge::{Against, against};
use domain::annotation::{Answer, Answers, Decision, ObjectKind, Placed, Question};
use domain::score::wanted::{Condition, Field};
use domain::score::{Score, ScoreSource, ScoreValue};
use domain::tenancy::Permission;
use domain::{AnnotationItemId, AnnotationQueueId, Code, Fault, PersonId};
use store_postgres::annotation::{decisions, placed};

use super::queues::{self, Asked, Queue, rated};
use super::scores::{self, By};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};
use crate::scores::Slice;

/// Items of which evaluators are asked.
const MOST_ITEMS: u32 = 1_000;
/// Ids of traces in one question.
const IDS_AT_ONCE: usize = 250;

/// What judgements of a queue come to.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is asked, with how far people agree about it.
    pub questions: Vec<(Asked, Option<Agreement>)>,
    /// Every judgement.
    pub rated: Vec<Rated>,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// How often each person gave the right answer, of how many that are known.
    pub accuracy: BTreeMap<PersonId, (usize, usize)>,
    /// Items whose answers are known.
    pub known: usize,
    /// People who must have judged an item before it is told who said what: all in a blind queue.
    pub least: usize,
}

impl Report {
    /// Items about which people disagree and nobody has decided, with what they disagree about, at most `most`.
    pub fn undecided(&self, most: usize) -> Vec<(AnnotationItemId, &Asked)> {
        let decided = |item: AnnotationItemId, question: &Question| {
            let mut all = self.decisions.iter();
            all.any(|one| one.item == item && one.question == *question)
        };
        let all = self.questions.iter().flat_map(|(asked, agreement)| {
            let items = agreement.iter().flat_map(|agreement| &agreement.disputed);
            items.map(move |item| (*item, asked))
        });
        let is_open = |item: AnnotationItemId| {
            let judged = self.rated.iter().filter(|one| one.item == item);
            judged.count() >= self.least
        };
        all.filter(|(item, asked)| is_open(*item) && !decided(*item, &asked.question))
            .take(most)
            .collect()
    }

    /// What each said of an item about a question.
    pub fn said(&self, item: AnnotationItemId, question: &Question) -> Vec<(PersonId, &Answer)> {
        let of_item = self.rated.iter().filter(|one| one.item == item);
        of_item
            .filter_map(|one| Some((one.person, one.answers.values.get(question)?)))
            .collect()
    }

    /// What holds for an item: what was decided, else what most said.
    pub fn verdict(&self, item: AnnotationItemId, question: &Question) -> Option<Answer> {
        let mut all = self.decisions.iter();
        let decided = all.find(|one| one.item == item && one.question == *question);
        let said = self.said(item, question);
        let given: Vec<&Answer> = said.into_iter().map(|(_, answer)| answer).collect();
        verdict(decided.map(|one| &one.answer), &given)
    }
}

/// Observed agreement, the mean over what is asked.
pub(super) fn mean_observed(asked: &[Asked], rated: &[Rated]) -> Option<f64> {
    let all: Vec<f64> = asked
        .iter()
        .filter_map(|asked| agreement(&asked.question, asked.scale(), rated)?.observed)
        .collect();
    let count = u32::try_from(all.len()).ok().filter(|count| *count > 0)?;
    Some(all.iter().sum::<f64>() / f64::from(count))
}

/// What judgements of a queue come to.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn report(app: &App, scope: &ProjectScope, queue: &Queue) -> Result<Report, Fault> {
    let (db, project, id) = (app.postgres(), scope.project_id(), queue.queue.id);
    let asked = queues::asked(app, scope, queue).await?;
    let rated = rated(app, scope, id).await?;
    let known: BTreeMap<_, _> = placed::known(db, project, id).await?.into_iter().collect();
    let questions = asked.into_iter().map(|asked| {
        let found = agreement(&asked.question, asked.scale(), &rated);
        (asked, found)
    });
    Ok(Report {
        questions: questions.collect(),
        accuracy: accuracy(&known, &rated),
        known: known.len(),
        least: match queue.rules.is_blind {
            true => usize::try_from(queue.rules.raters).unwrap_or(usize::MAX),
            false => 0,
        },
        decisions: decisions::list(db, project, id).await?,
        rated,
    })
}

/// Scores of programs and evaluators by the name of a configuration, against what holds for each item that people judged.
/// Where evaluators judged, programs do not count. `None` where neither did.
///
/// # Errors
/// `unavailable` or `timeout` without the stores.
pub async fn judge(
    app: &App,
    scope: &ProjectScope,
    (queue, report): (&Queue, &Report),
    asked: &Asked,
) -> Result<Option<Against>, Fault> {
    let Some(config) = &asked.config else {
        return Ok(None);
    };
    let (db, project) = (app.postgres(), scope.project_id());
    let slice = (0, MOST_ITEMS);
    let items = placed::list(db, project, (queue.queue.id, None), slice).await?;
    let held: Vec<(&Placed, Answer)> = items
        .iter()
        .filter_map(|item| Some((item, report.verdict(item.item.id, &asked.question)?)))
        .collect();
    let mut found: Vec<Score> = Vec::new();
    for some in held.chunks(IDS_AT_ONCE) {
        found.extend(told(app, scope, (some, &config.draft.name)).await?);
    }
    let by_evaluators = found.iter().any(|score| score.source == ScoreSource::Eval);
    let pairs: Vec<(Answer, ScoreValue)> = held
        .into_iter()
        .filter_map(|(item, answer)| {
            let mut all = found.iter();
            let told = all.find(|score| {
                judges(score, item) && (score.source == ScoreSource::Eval || !by_evaluators)
            })?;
            Some((answer, told.value.clone()))
        })
        .collect();
    Ok((!pairs.is_empty()).then(|| against(&pairs, asked.scale())))
}

/// Scores of a name of some items, newest first.
async fn told(
    app: &App,
    scope: &ProjectScope,
    (items, name): (&[(&Placed, Answer)], &str),
) -> Result<Vec<Score>, Fault> {
    let mut found = Vec::new();
    for kind in ObjectKind::ALL {
        let of_kind = items.iter().filter(|(item, _)| item.item.kind == *kind);
        let ids: Vec<&str> = of_kind
            .map(|(item, _)| item.item.object_id.as_str())
            .collect();
        if ids.is_empty() {
            continue;
        }
        let field = match kind {
            ObjectKind::Trace => Field::TraceId,
            ObjectKind::Observation => Field::ObservationId,
            ObjectKind::Session => Field::SessionId,
        };
        let wanted = [
            Condition::any_of(field, ids),
            Condition::any_of(Field::Name, [name]),
            Condition::any_of(
                Field::Source,
                [ScoreSource::Eval, ScoreSource::Api].map(ScoreSource::as_str),
            ),
        ];
        let slice = Slice {
            limit: MOST_ITEMS,
            ..Slice::default()
        };
        found.extend(crate::scores::list(app, scope, &wanted, &slice).await?);
    }
    Ok(found)
}

/// Whether a score judges an item, and not a part of it.
fn judges(score: &Score, item: &Placed) -> bool {
    let id = item.item.object_id.as_str();
    match item.item.kind {
        ObjectKind::Trace => {
            score.trace_id().is_some_and(|trace| trace.as_str() == id)
                && score.observation_id().is_none()
        }
        ObjectKind::Observation => score
            .observation_id()
            .is_some_and(|span| span.as_str() == id),
        ObjectKind::Session => {
            matches!(&score.target, domain::score::Target::Session(session) if session == id)
        }
    }
}

/// Decides what holds for an item, and keeps it as a score; needs `ManageQueues`. Deciding again replaces it.
///
/// # Errors
/// `forbidden`, also for keys; `not_found`; `invalid` on a question whose configuration does not allow the answer, or on
/// `reason`; `unavailable` without the stores.
pub async fn decide(
    app: &App,
    scope: &ProjectScope,
    (id, item): (AnnotationQueueId, AnnotationItemId),
    (question, answer, reason): (Question, Answer, &str),
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    let Actor::Person(person) = scope.actor() else {
        return Err(Fault::new(Code::Forbidden, "people decide, keys do not"));
    };
    check_words("reason", Some(reason), MAX_REASON_CHARS)?;
    let queue = queues::show(app, scope, id).await?;
    let asked = queues::asked(app, scope, &queue).await?;
    let asked: Vec<Asked> = asked
        .into_iter()
        .filter(|asked| asked.question == question)
        .collect();
    if asked.is_empty() {
        return Err(Fault::not_found("this is not asked in this queue"));
    }
    let (db, project) = (app.postgres(), scope.project_id());
    let found = placed::show(db, project, id, item).await?;
    let placed = found.ok_or_else(|| Fault::not_found("Annotation queue item not found"))?;
    let reason = reason.trim();
    let answers = Answers {
        values: BTreeMap::from([(question.clone(), answer.clone())]),
        comment: (!reason.is_empty()).then(|| reason.to_owned()),
        correction: None,
    };
    let by = By::Decision(person);
    scores::write(app, scope, (&placed, &asked), (by, &answers)).await?;
    let decision = Decision {
        item,
        question,
        answer,
        reason: reason.to_owned(),
        person,
        at: app.clock().now(),
    };
    let mut tx = db.begin().await?;
    decisions::put(&mut tx, &decision).await?;
    tx.commit().await?;
    Ok(())
}

/// Sets the right answers of an item, by which raters are measured from then on, or takes them away; needs `ManageQueues`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn set_known(
    app: &App,
    scope: &ProjectScope,
    (id, item): (AnnotationQueueId, AnnotationItemId),
    known: Option<&Answers>,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    let (db, project) = (app.postgres(), scope.project_id());
    match placed::set_known(db, (project, id), item, known).await? {
        true => Ok(()),
        false => Err(Fault::not_found("Annotation queue item not found")),
    }
}
