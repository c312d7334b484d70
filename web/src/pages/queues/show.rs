//! One queue: its items, who works on it, what fills it.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::annotation::{ItemStatus, ObjectKind, Pace, Placed, Progress};
use domain::fill::Fill;
use domain::tenancy::Permission;
use domain::{AnnotationQueueId, Fault, ProjectId, Timestamp};
use service::App;
use service::annotation::fill;
use service::annotation::queues::{self, Asked, Queue, Rater};

use super::item::{ProgressView, title};
use super::{queue_id, seconds};
use crate::extract::{InProject, Pairs, Reader};
use crate::form::Field;
use crate::format;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// Items of a page.
const ROWS: u32 = 50;

/// The page.
#[derive(Template)]
#[template(path = "queues/show.html")]
pub(crate) struct QueuePage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) fault: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) rubric: String,
    pub(crate) list_url: String,
    /// Facts about its rules.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) progress: ProgressView,
    pub(crate) is_archived: bool,
    pub(crate) is_pairwise: bool,
    pub(crate) is_finished: bool,
    /// Whether nothing is left for the reader.
    pub(crate) none_left: bool,
    pub(crate) may_annotate: bool,
    pub(crate) may_manage: bool,
    pub(crate) may_export: bool,
    pub(crate) views: Vec<Choice>,
    pub(crate) rows: Vec<ItemRow>,
    pub(crate) next_url: String,
    pub(crate) first_url: String,
    pub(crate) people: Vec<RaterRow>,
    pub(crate) fill: Option<FillView>,
    pub(crate) ids: Field,
    pub(crate) kinds: Vec<(&'static str, &'static str, bool)>,
    pub(crate) dataset: Field,
    /// What came of an export.
    pub(crate) exported: String,
    pub(crate) urls: Targets,
}

/// Where forms lead.
pub(crate) struct Targets {
    pub(crate) queue: String,
    pub(crate) edit: String,
    pub(crate) archive: String,
    pub(crate) people: String,
    pub(crate) add: String,
    pub(crate) fill: String,
    pub(crate) label: String,
    pub(crate) agreement: String,
    pub(crate) export: String,
    pub(crate) traces: String,
}

/// An item.
pub(crate) struct ItemRow {
    pub(crate) url: String,
    pub(crate) kind: &'static str,
    pub(crate) id: String,
    pub(crate) second: String,
    pub(crate) is_done: bool,
    /// `1/3`.
    pub(crate) raters: String,
    pub(crate) skipped: String,
    pub(crate) is_calibration: bool,
    pub(crate) time: String,
    pub(crate) exact: String,
}

/// Somebody who may judge.
pub(crate) struct RaterRow {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_on: bool,
}

/// What fills the queue.
pub(crate) struct FillView {
    pub(crate) url: String,
    pub(crate) address: String,
    pub(crate) is_continuous: bool,
    pub(crate) is_running: bool,
    pub(crate) added: String,
    pub(crate) error: String,
}

impl FillView {
    fn new(id: ProjectId, fill: &Fill) -> Self {
        FillView {
            url: urls::traces_as_written(id, &fill.draft.address),
            address: fill.draft.address.clone(),
            is_continuous: fill.draft.is_continuous,
            is_running: fill.is_running,
            added: format::count(fill.added),
            error: fill.last_error.clone(),
        }
    }
}

/// All that the page is made of.
pub(crate) struct Material<'a> {
    /// The queue.
    pub(crate) queue: &'a Queue,
    /// What is asked.
    pub(crate) asked: &'a [Asked],
    /// How far it is, and the reader.
    pub(crate) progress: (Progress, Pace),
    /// Items of this page.
    pub(crate) items: &'a [Placed],
    /// Who may judge.
    pub(crate) raters: &'a [Rater],
    /// What fills it.
    pub(crate) fill: Option<Fill>,
}

/// Which items are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    pub(crate) status: Option<ItemStatus>,
    pub(crate) offset: u64,
}

impl View {
    fn read(pairs: &Pairs) -> Self {
        View {
            status: pairs.get("status").and_then(ItemStatus::from_name),
            offset: pairs
                .get("offset")
                .and_then(|text| text.parse().ok())
                .unwrap_or(0),
        }
    }

    fn pairs(self, offset: u64) -> Vec<(&'static str, String)> {
        let status = self
            .status
            .map(|status| ("status", status.as_str().to_owned()));
        let offset = (offset > 0).then(|| ("offset", offset.to_string()));
        status.into_iter().chain(offset).collect()
    }
}

impl Targets {
    fn new(id: ProjectId, queue: AnnotationQueueId) -> Self {
        let part = |part: &str| urls::queue_part(id, queue, part);
        Targets {
            queue: urls::queue(id, queue),
            edit: part("edit"),
            archive: part("archive"),
            people: part("people"),
            add: urls::queue_add(id),
            fill: part("fill"),
            label: part("label"),
            agreement: part("agreement"),
            export: part("export"),
            traces: urls::traces_home(id),
        }
    }
}

impl QueuePage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        material: &Material<'_>,
        view: View,
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let Queue { queue, rules } = material.queue;
        let address = |view: View, offset: u64| {
            let pairs = view.pairs(offset);
            let pairs: Vec<(&str, &str)> = pairs
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            match pairs.is_empty() {
                true => urls::queue(id, queue.id),
                false => urls::queue_items(id, queue.id, &pairs),
            }
        };
        let choice = |label: &'static str, status| Choice {
            label: label.to_owned(),
            url: address(View { status, offset: 0 }, 0),
            current: view.status == status,
        };
        let progress = &material.progress.0;
        let is_full = material.items.len() >= ROWS as usize;
        QueuePage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Annotation),
            fault: String::new(),
            name: queue.draft.name.clone(),
            description: queue.draft.description.clone().unwrap_or_default(),
            rubric: rules.rubric.clone(),
            list_url: urls::queues(id),
            facts: facts(reader, material),
            progress: ProgressView::new(progress, &material.progress.1),
            is_archived: rules.archived_at.is_some(),
            is_pairwise: rules.is_pairwise,
            is_finished: progress.completed == progress.total,
            none_left: false,
            may_annotate: reader.may(Permission::Annotate),
            may_manage: reader.may(Permission::ManageQueues),
            may_export: reader.may(Permission::ChangeDatasets) && progress.completed > 0,
            views: vec![
                choice(lang.t("All"), None),
                choice(lang.t("Pending"), Some(ItemStatus::Pending)),
                choice(lang.t("Completed"), Some(ItemStatus::Completed)),
            ],
            rows: material
                .items
                .iter()
                .map(|item| ItemRow::new(reader, (material.queue, item), now))
                .collect(),
            next_url: match is_full {
                true => address(view, view.offset.saturating_add(u64::from(ROWS))),
                false => String::new(),
            },
            first_url: match view.offset {
                0 => String::new(),
                _ => address(view, 0),
            },
            people: material
                .raters
                .iter()
                .map(|rater| RaterRow {
                    id: rater.person.id.to_string(),
                    email: rater.person.email.clone(),
                    is_on: rater.is_assigned,
                })
                .collect(),
            fill: material.fill.as_ref().map(|fill| FillView::new(id, fill)),
            ids: Field::default(),
            kinds: ObjectKind::ALL
                .iter()
                .map(|kind| (kind.as_str(), kind_word(*kind, lang), false))
                .collect(),
            dataset: Field::default(),
            exported: String::new(),
            urls: Targets::new(id, queue.id),
        }
    }

    /// The id of the queue, for the form that puts things into it.
    pub(crate) fn id(&self) -> &str {
        self.urls.queue.rsplit('/').next().unwrap_or_default()
    }
}

fn facts(reader: &Reader, material: &Material<'_>) -> Vec<(&'static str, String)> {
    let lang = reader.lang();
    let rules = &material.queue.rules;
    let asked = material.asked.iter().map(|asked| title(asked, lang));
    let progress = &material.progress.0;
    let mut facts = vec![
        (lang.t("Asked"), asked.collect::<Vec<_>>().join(", ")),
        (lang.t("Raters of each item"), rules.raters.to_string()),
        (
            lang.t("Reserved for"),
            seconds(Some(f64::from(rules.reservation_s))),
        ),
        (
            lang.t("Blind"),
            match rules.is_blind {
                true => lang.t("yes").to_owned(),
                false => lang.t("no").to_owned(),
            },
        ),
        (lang.t("Skipped"), format::count(progress.skipped)),
        (lang.t("Raters"), format::count(progress.raters)),
    ];
    if progress.mean_s.is_some() {
        facts.push((lang.t("Mean time"), seconds(progress.mean_s)));
    }
    facts
}

/// What kind of thing it is, in words.
pub(super) fn kind_word(kind: ObjectKind, lang: crate::i18n::Lang) -> &'static str {
    match kind {
        ObjectKind::Trace => lang.t("Trace"),
        ObjectKind::Observation => lang.t("Span"),
        ObjectKind::Session => lang.t("Session"),
    }
}

impl ItemRow {
    fn new(reader: &Reader, (queue, placed): (&Queue, &Placed), now: Timestamp) -> Self {
        let item = &placed.item;
        ItemRow {
            url: urls::queue_item(reader.id(), item.queue_id, item.id),
            kind: kind_word(item.kind, reader.lang()),
            id: item.object_id.clone(),
            second: placed.second_id.clone().unwrap_or_default(),
            is_done: item.status == ItemStatus::Completed,
            raters: format!("{}/{}", placed.done, queue.rules.raters),
            skipped: match placed.skipped {
                0 => String::new(),
                some => format::count(some),
            },
            // Nobody is to know before it is judged.
            is_calibration: placed.known.is_some() && item.status == ItemStatus::Completed,
            time: reader.zone().row_time(item.created_at, now),
            exact: item.created_at.to_string(),
        }
    }
}

/// Reads all that the page is made of.
///
/// # Errors
/// `unavailable` without Postgres.
pub(super) async fn page(
    app: &App,
    entered: &InProject,
    queue: &Queue,
    view: View,
) -> Result<QueuePage, Fault> {
    let (scope, id) = (&entered.scope, queue.queue.id);
    let asked = queues::asked(app, scope, queue).await?;
    let progress = queues::progress(app, scope, id).await?;
    let items = fill::items(app, scope, (id, view.status), (view.offset, ROWS)).await?;
    let raters = queues::raters(app, scope, id).await?;
    let fill = fill::show(app, scope, id).await?;
    let material = Material {
        queue,
        asked: &asked,
        progress,
        items: &items,
        raters: &raters,
        fill,
    };
    let now = app.clock().now();
    Ok(QueuePage::new(&entered.reader, &material, view, now))
}

/// Shows it.
pub(crate) async fn show_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let queue = queues::show(&app, &entered.scope, queue_id(&params)?).await?;
    let mut page = page(&app, &entered, &queue, View::read(&pairs)).await?;
    page.none_left = pairs.get("left") == Some("0");
    let number = |name| pairs.get(name).and_then(|text| text.parse::<u64>().ok());
    if let (Some(written), Some(left)) = (number("written"), number("without")) {
        let lang = entered.reader.lang();
        let (written, left) = (format::count(written), format::count(left));
        page.exported = lang.fill("{} items written, {} left out", &[&written, &left]);
    }
    Ok(render(&page))
}
