//! The list of queues: how far each is, and how far people agree.

use askama::Template;
use axum::extract::State;
use domain::tenancy::Permission;
use service::App;
use service::annotation::queues::{self, Overview};

use super::{seconds, share, width};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// Queues of a page.
const ROWS: u32 = 100;

/// The list.
#[derive(Template)]
#[template(path = "queues/list.html")]
pub(crate) struct QueuesPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    /// Those that are worked on, and all.
    pub(crate) views: Vec<Choice>,
    pub(crate) rows: Vec<QueueRow>,
    pub(crate) new_url: String,
    pub(crate) configs_url: String,
    pub(crate) may_annotate: bool,
    pub(crate) may_manage: bool,
    /// The next page; empty at the end.
    pub(crate) next_url: String,
}

/// A queue.
pub(crate) struct QueueRow {
    pub(crate) url: String,
    pub(crate) label_url: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) is_archived: bool,
    pub(crate) is_pairwise: bool,
    pub(crate) done: String,
    pub(crate) total: String,
    pub(crate) width: String,
    pub(crate) skipped: String,
    pub(crate) raters: String,
    pub(crate) mean: String,
    pub(crate) agreement: String,
    pub(crate) is_finished: bool,
}

impl QueuesPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        overviews: &[Overview],
        (shows_all, next_offset): (bool, Option<u64>),
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let view = |label: &str, url: String, current| Choice {
            label: label.to_owned(),
            url,
            current,
        };
        let shown = overviews
            .iter()
            .filter(|one| shows_all || one.queue.rules.archived_at.is_none());
        let here = match shows_all {
            true => urls::queues_all(id),
            false => urls::queues(id),
        };
        QueuesPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Annotation),
            views: vec![
                view(lang.t("Open"), urls::queues(id), !shows_all),
                view(lang.t("All"), urls::queues_all(id), shows_all),
            ],
            rows: shown.map(|one| QueueRow::new(reader, one)).collect(),
            new_url: urls::queue_new(id),
            configs_url: urls::score_configs(id),
            may_annotate: reader.may(Permission::Annotate),
            may_manage: reader.may(Permission::ManageQueues),
            next_url: next_offset.map_or_else(String::new, |next| {
                urls::after(&here, &[("offset", &next.to_string())])
            }),
        }
    }
}

impl QueueRow {
    fn new(reader: &Reader, one: &Overview) -> Self {
        let (queue, progress) = (&one.queue.queue, &one.progress);
        QueueRow {
            url: urls::queue(reader.id(), queue.id),
            label_url: urls::queue_part(reader.id(), queue.id, "label"),
            name: queue.draft.name.clone(),
            description: content::preview(queue.draft.description.as_deref().unwrap_or_default()),
            is_archived: one.queue.rules.archived_at.is_some(),
            is_pairwise: one.queue.rules.is_pairwise,
            done: format::count(progress.completed),
            total: format::count(progress.total),
            width: width(progress.completed, progress.total),
            skipped: match progress.skipped {
                0 => String::new(),
                some => format::count(some),
            },
            raters: match progress.raters {
                0 => String::new(),
                some => format::count(some),
            },
            mean: seconds(progress.mean_s),
            agreement: one
                .agreement
                .map_or_else(String::new, |value| share(Some(value))),
            is_finished: progress.completed == progress.total,
        }
    }
}

/// Shows it.
pub(crate) async fn list_queues(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let shows_all = pairs.get("archived") == Some("1");
    let offset: u64 = pairs
        .get("offset")
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let (overviews, total) = queues::list(&app, &entered.scope, (offset, ROWS)).await?;
    let next = offset.saturating_add(u64::from(ROWS));
    let next = (next < total).then_some(next);
    let page = QueuesPage::new(&entered.reader, &overviews, (shows_all, next));
    Ok(render(&page))
}
