//! What is done with a queue: archived, given to people, filled, exported.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::fill::{FillDraft, Takes};
use domain::filter::Filter;
use domain::{Code, Fault, PersonId};
use http::StatusCode;
use service::annotation::queues::Queue;
use service::annotation::{export, fill, queues};
use service::{App, annotation_queues};

use super::queue_id;
use super::show::{QueuePage, View, page};
use crate::extract::{InProject, Pairs, Posted};
use crate::form::Field;
use crate::pages::traces::query::{ListQuery, Range};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Archives one, or takes it back.
pub(crate) async fn archive_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = queue_id(&params)?;
    let is_archived = pairs.get("on") == Some("1");
    queues::archive(&app, &entered.scope, id, is_archived).await?;
    Ok(see_other(&urls::queue(entered.id(), id)))
}

/// Has somebody work on it, or no longer.
pub(crate) async fn assign_person(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let (scope, id) = (&entered.scope, queue_id(&params)?);
    queues::show(&app, scope, id).await?;
    let person: Option<PersonId> = pairs.get("person").and_then(|id| id.parse().ok());
    let person = person.ok_or_else(|| {
        let message = "there is no such person; choose one of the list";
        Fault::invalid(message).on_field("person")
    })?;
    match pairs.get("on") == Some("1") {
        true => annotation_queues::assign(&app, scope, id, person).await?,
        false => annotation_queues::unassign(&app, scope, id, Some(person)).await?,
    }
    Ok(see_other(&urls::queue(entered.id(), id)))
}

/// Has traces that match put into it, or no more: `do=once`, `keep` or `end`.
pub(crate) async fn fill_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let (scope, id) = (&entered.scope, queue_id(&params)?);
    let queue = queues::show(&app, scope, id).await?;
    let done = match pairs.get("do") {
        Some("end") => fill::end(&app, scope, id).await,
        how => match draft(&app, &entered, &pairs, how == Some("keep")) {
            Ok(draft) => fill::set(&app, scope, id, draft).await,
            Err(fault) => Err(fault),
        },
    };
    match done {
        Ok(()) => Ok(see_other(&urls::queue(entered.id(), id))),
        Err(fault) => again(&app, &entered, &queue, fault, |_, _| {}).await,
    }
}

/// What fills a queue, by the address of a list of traces.
fn draft(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    is_continuous: bool,
) -> Result<FillDraft, Fault> {
    let (filter, address) = listed(app, entered, pairs.get("filter").unwrap_or_default())?;
    Ok(FillDraft {
        filter,
        address,
        is_continuous,
        takes: Takes::Traces,
        share: 1.0,
        most: None,
        challenge: None,
    })
}

/// The filter of a list of traces, by its address, and the address as the list writes it.
pub(crate) fn listed(
    app: &App,
    entered: &InProject,
    address: &str,
) -> Result<(Filter, String), Fault> {
    let address = address.trim();
    let (_, address) = address.split_once('?').unwrap_or(("", address));
    let written = Pairs::parse(address.as_bytes());
    let read = ListQuery::read(&written, entered.reader.zone())?;
    if let Some(fault) = read.refused {
        return Err(fault);
    }
    if let Some(error) = read.search_error {
        return Err(Fault::invalid(error.to_string()).on_field("filter"));
    }
    let query = read.query.changed(|query| query.live = false);
    let now = app.clock().now();
    let (from, to) = query.bounds(now);
    // A range up to now is what it is at this moment: the past of it, and what comes.
    let fixed = query.changed(|query| query.range = Range::Between(from, to));
    Ok((fixed.filter(now), query.to_query()))
}

/// Writes finished items into a dataset.
pub(crate) async fn export_queue(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let (scope, id) = (&entered.scope, queue_id(&params)?);
    let queue = queues::show(&app, scope, id).await?;
    let name = pairs.get("dataset").unwrap_or_default();
    match export::to_dataset(&app, scope, &queue, name).await {
        Ok(exported) => {
            let (written, left) = (exported.written.to_string(), exported.left_out.to_string());
            let told = [("written", written.as_str()), ("without", left.as_str())];
            Ok(see_other(&urls::queue_items(entered.id(), id, &told)))
        }
        Err(fault) => {
            again(&app, &entered, &queue, fault, |page, fault| {
                page.dataset = Field::holding(name).with_fault("dataset", fault);
            })
            .await
        }
    }
}

/// The page of the queue with what was wrong.
async fn again(
    app: &App,
    entered: &InProject,
    queue: &Queue,
    fault: Fault,
    tell: impl FnOnce(&mut QueuePage, &Fault),
) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let mut page = page(app, entered, queue, View::default()).await?;
    tell(&mut page, &fault);
    if page.dataset.error.is_empty() {
        page.fault = fault.message;
    }
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
