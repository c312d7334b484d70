//! One item: what is judged, the form to judge it, and how far people agree.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::annotation::{ItemStatus, LabelState, ObjectKind, Pace, Progress};
use domain::tenancy::Permission;
use domain::{AnnotationItemId, Fault, Nanos, PersonId, Timestamp};
use service::App;
use service::annotation::agreement::{self, Report};
use service::annotation::label::{self, Opened};
use service::annotation::queues::{self, Asked, Queue};

use super::agreement::{AgreementRow, PersonRow};
use super::questions::{Filled, QuestionView};
use super::said::{self, SaidView};
use super::show::kind_word;
use super::{item_id, queue_id, seconds, width};
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "queues/item.html")]
pub(crate) struct ItemPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) fault: String,
    pub(crate) queue_name: String,
    pub(crate) list_url: String,
    pub(crate) queue_url: String,
    pub(crate) agreement_url: String,
    pub(crate) rubric: String,
    pub(crate) progress: ProgressView,
    /// One, or both of a pair.
    pub(crate) said: Vec<SaidView>,
    pub(crate) kind: &'static str,
    pub(crate) previous_url: String,
    pub(crate) next_url: String,
    pub(crate) state: Standing,
    pub(crate) questions: Vec<QuestionView>,
    pub(crate) comment: String,
    pub(crate) comment_error: String,
    pub(crate) correction: String,
    pub(crate) correction_error: String,
    /// Whether outputs can be corrected here.
    pub(crate) may_correct: bool,
    pub(crate) others: Vec<OtherRow>,
    pub(crate) is_hidden: bool,
    pub(crate) is_calibration: bool,
    pub(crate) agreement: Vec<AgreementRow>,
    /// Items that two or more judged, the most of any question.
    pub(crate) rated_twice: String,
    pub(crate) people: Vec<PersonRow>,
    pub(crate) pace: String,
    pub(crate) action: String,
    pub(crate) label_url: String,
}

/// How far the queue is.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgressView {
    pub(crate) done: String,
    pub(crate) total: String,
    pub(crate) width: String,
    pub(crate) own: String,
}

/// What the reader may do with the item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// The form is open to them.
    pub(crate) may_judge: bool,
    /// They judged it, and change that.
    pub(crate) is_done: bool,
    /// They may ask for the item.
    pub(crate) may_take: bool,
    pub(crate) may_annotate: bool,
    /// `9 min`; empty without a reservation.
    pub(crate) reserved_for: String,
    /// Why they skipped it before.
    pub(crate) skipped_because: String,
    pub(crate) was_skipped: bool,
    pub(crate) is_complete: bool,
    pub(crate) is_archived: bool,
}

/// What somebody else said.
pub(crate) struct OtherRow {
    pub(crate) who: String,
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) comment: String,
    pub(crate) correction: String,
}

/// All that the page is made of.
pub(crate) struct Material<'a> {
    /// The queue.
    pub(crate) queue: &'a Queue,
    /// What is asked.
    pub(crate) asked: &'a [Asked],
    /// The item.
    pub(crate) opened: &'a Opened,
    /// What judgements come to.
    pub(crate) report: &'a Report,
    /// How far the queue is, and the reader.
    pub(crate) progress: (Progress, Pace),
    /// Names of people.
    pub(crate) names: BTreeMap<PersonId, String>,
}

impl ProgressView {
    pub(super) fn new(progress: &Progress, pace: &Pace) -> Self {
        ProgressView {
            done: format::count(progress.completed),
            total: format::count(progress.total),
            width: width(progress.completed, progress.total),
            own: format::count(pace.done),
        }
    }
}

impl ItemPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        material: &Material<'_>,
        (filled, said): (&Filled, Vec<SaidView>),
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let Material {
            queue,
            asked,
            opened,
            report,
            progress,
            names,
        } = material;
        let (queue_id, item) = (queue.queue.id, &opened.placed.item);
        let item_url = |item: Option<AnnotationItemId>| {
            item.map_or_else(String::new, |item| urls::queue_item(id, queue_id, item))
        };
        let questions = asked.iter().map(|one| QuestionView::new(one, filled, lang));
        let agreements = AgreementRow::all(report);
        let most = agreements.iter().map(|row| row.items).max().unwrap_or(0);
        let others = opened.labels.iter().filter(|label| {
            let own = opened.own.as_ref().map(|own| own.person);
            Some(label.person) != own
        });
        ItemPage {
            shell: Frame::shell(reader),
            frame: Frame {
                rail: true,
                ..Frame::new(reader, Section::Annotation)
            },
            fault: String::new(),
            queue_name: queue.queue.draft.name.clone(),
            list_url: urls::queues(id),
            queue_url: urls::queue(id, queue_id),
            agreement_url: urls::queue_part(id, queue_id, "agreement"),
            rubric: queue.rules.rubric.clone(),
            progress: ProgressView::new(&progress.0, &progress.1),
            may_correct: !queue.rules.is_pairwise && item.kind != ObjectKind::Session,
            said,
            kind: kind_word(item.kind, lang),
            previous_url: item_url(opened.neighbours.0),
            next_url: item_url(opened.neighbours.1),
            state: state(reader, queue, opened, now),
            questions: questions.collect(),
            comment: filled.comment.clone(),
            comment_error: filled.error("comment"),
            correction: filled.correction.clone(),
            correction_error: filled.error("correction"),
            others: others
                .map(|label| OtherRow {
                    who: name_of(names, label.person),
                    answers: asked
                        .iter()
                        .filter_map(|one| {
                            let answer = label.answers.values.get(&one.question)?;
                            Some((title(one, lang), words(answer, lang)))
                        })
                        .collect(),
                    comment: label.answers.comment.clone().unwrap_or_default(),
                    correction: label.answers.correction.clone().unwrap_or_default(),
                })
                .collect(),
            is_hidden: opened.is_hidden,
            is_calibration: opened.placed.known.is_some()
                && opened
                    .own
                    .as_ref()
                    .is_some_and(|own| own.state == LabelState::Done),
            rated_twice: match most {
                0 => String::new(),
                most => format::count(most as u64),
            },
            agreement: agreements,
            people: PersonRow::all(report, names),
            pace: seconds(progress.1.median_s),
            action: urls::queue_item(id, queue_id, item.id),
            label_url: urls::queue_part(id, queue_id, "label"),
        }
    }
}

/// How a person is called: by the part of the address before the sign.
pub(super) fn name_of(names: &BTreeMap<PersonId, String>, person: PersonId) -> String {
    let email = names.get(&person).map_or("", String::as_str);
    match email.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => person.to_string(),
    }
}

/// How a question is called.
pub(super) fn title(asked: &Asked, lang: crate::i18n::Lang) -> String {
    match &asked.config {
        Some(config) => config.draft.name.clone(),
        None => lang.t("Which is better?").to_owned(),
    }
}

/// An answer in words.
pub(super) fn words(answer: &domain::annotation::Answer, lang: crate::i18n::Lang) -> String {
    match answer {
        domain::annotation::Answer::Flag(true) => lang.t("Yes").to_owned(),
        domain::annotation::Answer::Flag(false) => lang.t("No").to_owned(),
        domain::annotation::Answer::Number(number) => format::trimmed(*number, 4),
        other => other.words(),
    }
}

fn state(reader: &Reader, queue: &Queue, opened: &Opened, now: Timestamp) -> Standing {
    let own = opened.own.as_ref();
    let is = |state| own.is_some_and(|own| own.state == state);
    let may_annotate = reader.may(Permission::Annotate);
    let is_archived = queue.rules.archived_at.is_some();
    let is_complete = opened.placed.item.status == ItemStatus::Completed;
    let left = own
        .filter(|own| own.state == LabelState::Reserved && own.reserved_until > now)
        .map(|own| own.reserved_until - now);
    let is_done = is(LabelState::Done);
    let may_judge = may_annotate && !is_archived && (is_done || left.is_some());
    Standing {
        may_judge,
        is_done,
        may_take: may_annotate && !is_archived && !is_complete && !may_judge,
        may_annotate: may_annotate && !is_archived,
        reserved_for: left.map_or_else(String::new, |left| {
            // The last minute is one, too.
            let minutes = left.0.div_ceil(Nanos::from_seconds(60).0);
            format::range_length(Nanos::from_seconds(minutes * 60))
        }),
        skipped_because: own.map_or_else(String::new, |own| own.reason.clone()),
        // The reason stays until they judge it, or take the skip back.
        was_skipped: is(LabelState::Skipped) || own.is_some_and(|own| !own.reason.is_empty()),
        is_complete,
        is_archived,
    }
}

/// Reads all that the page is made of.
///
/// # Errors
/// `not_found`; `unavailable` or `timeout` without the stores.
pub(super) async fn page(
    app: &App,
    entered: &InProject,
    (queue, item): (&Queue, AnnotationItemId),
    filled: Option<Filled>,
) -> Result<ItemPage, Fault> {
    let scope = &entered.scope;
    let asked = queues::asked(app, scope, queue).await?;
    let opened = label::open(app, scope, (queue, item)).await?;
    let report = agreement::report(app, scope, queue).await?;
    let progress = queues::progress(app, scope, queue.queue.id).await?;
    let names = queues::emails(app, scope, queue.queue.id).await?;
    let placed = &opened.placed;
    let kind = placed.item.kind;
    let first = placed.item.object_id.as_str();
    let said = match &placed.second_id {
        None => vec![said::read(app, entered, (kind, first, "")).await?],
        Some(second) => vec![
            said::read(app, entered, (kind, first, "A")).await?,
            said::read(app, entered, (kind, second, "B")).await?,
        ],
    };
    let filled = filled.unwrap_or_else(|| {
        let own = opened.own.as_ref();
        own.map_or_else(Filled::default, |own| Filled::of(&own.answers))
    });
    let material = Material {
        queue,
        asked: &asked,
        opened: &opened,
        report: &report,
        progress,
        names: names.into_iter().collect(),
    };
    let now = app.clock().now();
    Ok(ItemPage::new(
        &entered.reader,
        &material,
        (&filled, said),
        now,
    ))
}

/// Shows it.
pub(crate) async fn show_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Pairs,
) -> Answer {
    let queue = queues::show(&app, &entered.scope, queue_id(&params)?).await?;
    let page = page(&app, &entered, (&queue, item_id(&params)?), None).await?;
    Ok(render(&page))
}
