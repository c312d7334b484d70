//! Puts things into a queue: from a trace, a span or a session, from chosen rows of a list, or by ids.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::annotation::ObjectKind;
use domain::tenancy::Permission;
use domain::{AnnotationQueueId, Code, Fault};
use http::StatusCode;
use service::App;
use service::annotation::fill::{self, Thing};
use service::annotation::queues::{self, Overview};

use super::show::kind_word;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Queues to choose from.
const MOST: u32 = 1_000;

/// The page.
#[derive(Template)]
#[template(path = "queues/add.html")]
pub(crate) struct AddPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) fault: String,
    pub(crate) list_url: String,
    pub(crate) new_url: String,
    pub(crate) kinds: Vec<(&'static str, &'static str, bool)>,
    /// A line each.
    pub(crate) ids: String,
    pub(crate) count: String,
    pub(crate) queues: Vec<(String, String, String)>,
    pub(crate) may_manage: bool,
    pub(crate) action: String,
}

/// What is to be put in.
pub(crate) struct Wanted {
    pub(crate) kind: ObjectKind,
    pub(crate) things: Vec<Thing>,
}

impl Wanted {
    /// From `kind=`, `id=` once for each, and `ids=`, a line each, two of them where pairs are compared. Ids of sessions
    /// may hold spaces: two of those are told apart by a tab.
    fn read(pairs: &Pairs) -> Self {
        let kind = pairs
            .get("kind")
            .and_then(ObjectKind::from_name)
            .unwrap_or_default();
        let is_between = |letter: char| match kind {
            ObjectKind::Session => letter == '\t',
            ObjectKind::Trace | ObjectKind::Observation => letter.is_whitespace(),
        };
        let single = pairs.all("id").map(|id| Thing {
            id: id.trim().to_owned(),
            second: None,
        });
        let lines = pairs.get("ids").unwrap_or_default().lines();
        let listed = lines.filter_map(|line| {
            let ids = line.trim().split(is_between);
            let mut ids = ids.map(str::trim).filter(|id| !id.is_empty());
            Some(Thing {
                id: ids.next()?.to_owned(),
                second: ids.next().map(str::to_owned),
            })
        });
        Wanted {
            kind,
            things: single
                .chain(listed)
                .filter(|thing| !thing.id.is_empty())
                .take(fill::MOST_AT_ONCE + 1)
                .collect(),
        }
    }
}

impl AddPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, wanted: &Wanted, overviews: &[Overview]) -> Self {
        let id = reader.id();
        let open = overviews
            .iter()
            .filter(|one| one.queue.rules.archived_at.is_none());
        let option = |one: &Overview| {
            let queue = &one.queue.queue;
            let items = format::count(one.progress.total);
            (queue.id.to_string(), queue.draft.name.clone(), items)
        };
        let line = |thing: &Thing| match &thing.second {
            Some(second) => format!("{}\t{second}", thing.id),
            None => thing.id.clone(),
        };
        let lines: Vec<String> = wanted.things.iter().map(line).collect();
        AddPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Annotation),
            fault: String::new(),
            list_url: urls::queues(id),
            new_url: urls::queue_new(id),
            kinds: ObjectKind::ALL
                .iter()
                .map(|kind| {
                    let words = kind_word(*kind, reader.lang());
                    (kind.as_str(), words, *kind == wanted.kind)
                })
                .collect(),
            count: format::count(lines.len() as u64),
            ids: lines.join("\n"),
            queues: open.map(option).collect(),
            may_manage: reader.may(Permission::ManageQueues),
            action: urls::queue_add(id),
        }
    }
}

async fn page(app: &App, entered: &InProject, wanted: &Wanted) -> Result<AddPage, Fault> {
    let (overviews, _) = queues::list(app, &entered.scope, (0, MOST)).await?;
    Ok(AddPage::new(&entered.reader, wanted, &overviews))
}

/// Asks into which queue.
pub(crate) async fn choose_queue(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    Ok(render(&page(&app, &entered, &Wanted::read(&pairs)).await?))
}

/// Puts things into a queue; without one asks for it.
pub(crate) async fn add_to_queue(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let wanted = Wanted::read(&pairs);
    let Some(text) = pairs.filled("queue") else {
        return Ok(render(&page(&app, &entered, &wanted).await?));
    };
    let queue: AnnotationQueueId = text.parse().map_err(|_| no_such_page())?;
    let things = (wanted.kind, wanted.things.as_slice());
    match fill::add(&app, &entered.scope, queue, things).await {
        Ok(_) => Ok(see_other(&urls::queue(entered.id(), queue))),
        Err(fault) if matches!(fault.code, Code::Invalid | Code::Conflict) => {
            let mut page = page(&app, &entered, &wanted).await?;
            page.fault = fault.message;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
        }
        Err(fault) => Err(fault.into()),
    }
}
