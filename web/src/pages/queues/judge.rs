//! Judges, skips, takes back, decides; then goes on with the next item.

use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use domain::annotation::{Answers, Question};
use domain::{AnnotationQueueId, Code, Fault};
use http::StatusCode;
use service::App;
use service::annotation::queues::Queue;
use service::annotation::{agreement, label, queues};

use super::item::page;
use super::questions::{Filled, read};
use super::{item_id, queue_id};
use crate::extract::{InProject, Pairs, Posted};
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Keeps the next item for whoever asks and shows it; the queue when nothing is left.
pub(crate) async fn open_next(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    go_on(&app, &entered, queue_id(&params)?).await
}

async fn go_on(app: &App, entered: &InProject, queue: AnnotationQueueId) -> Answer {
    let next = label::next(app, &entered.scope, queue).await?;
    let url = match next {
        Some(item) => urls::queue_item(entered.id(), queue, item),
        None => urls::queue_items(entered.id(), queue, &[("left", "0")]),
    };
    Ok(see_other(&url))
}

/// Does with an item what the form says: `do=done`, `skip`, `undo`, `take`, `known` or `unknown`.
pub(crate) async fn judge_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let scope = &entered.scope;
    let place = (queue_id(&params)?, item_id(&params)?);
    let queue = queues::show(&app, scope, place.0).await?;
    let asked = queues::asked(&app, scope, &queue).await?;
    let mut filled = Filled::posted(&pairs, &asked);
    let here = || see_other(&urls::queue_item(entered.id(), place.0, place.1));
    let done: Result<Option<Response>, Fault> = match pairs.get("do") {
        Some("skip") => {
            let reason = pairs.get("reason").unwrap_or_default();
            label::skip(&app, scope, place, reason).await.map(|()| None)
        }
        Some("take") => label::take(&app, scope, place).await.map(|()| Some(here())),
        Some("undo") => match label::undo(&app, scope, place.0).await {
            Ok(item) => {
                let item = item.unwrap_or(place.1);
                let url = urls::queue_item(entered.id(), place.0, item);
                Ok(Some(see_other(&url)))
            }
            Err(fault) => Err(fault),
        },
        Some("known") => known(&app, &entered, place, filled.answers(&asked))
            .await
            .map(|()| Some(here())),
        Some("unknown") => agreement::set_known(&app, scope, place, None)
            .await
            .map(|()| Some(here())),
        _ => match filled.answers(&asked) {
            Ok(answers) => label::finish(&app, scope, place, answers)
                .await
                .map(|()| None),
            Err(fault) => Err(fault),
        },
    };
    match done {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => go_on(&app, &entered, place.0).await,
        Err(fault) if matches!(fault.code, Code::Invalid | Code::Conflict) => {
            again(&app, &entered, (&queue, &params), (&mut filled, fault)).await
        }
        Err(fault) => Err(fault.into()),
    }
}

/// The form again, with what was wrong.
async fn again(
    app: &App,
    entered: &InProject,
    (queue, params): (&Queue, &RawPathParams),
    (filled, fault): (&mut Filled, Fault),
) -> Answer {
    let is_told = filled.with_fault(&fault);
    let mut page = page(
        app,
        entered,
        (queue, item_id(params)?),
        Some(filled.clone()),
    )
    .await?;
    if !is_told {
        page.fault = fault.message;
    }
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Marks an item as one whose answers are known: those of the form.
async fn known(
    app: &App,
    entered: &InProject,
    place: (AnnotationQueueId, domain::AnnotationItemId),
    answers: Result<Answers, Fault>,
) -> Result<(), Fault> {
    let answers = answers?;
    if answers.values.is_empty() {
        return Err(Fault::invalid("choose the right answers first"));
    }
    let known = Answers {
        values: answers.values,
        ..Answers::default()
    };
    agreement::set_known(app, &entered.scope, place, Some(&known)).await
}

/// Decides what holds where people disagree.
pub(crate) async fn decide_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let place = (queue_id(&params)?, item_id(&params)?);
    decide(&app, &entered, place, &pairs).await?;
    let url = urls::queue_part(entered.id(), place.0, "agreement");
    Ok(see_other(&url))
}

async fn decide(
    app: &App,
    entered: &InProject,
    place: (AnnotationQueueId, domain::AnnotationItemId),
    pairs: &Pairs,
) -> Result<(), Fault> {
    let scope = &entered.scope;
    let queue = queues::show(app, scope, place.0).await?;
    let asked = queues::asked(app, scope, &queue).await?;
    let question: Option<Question> = pairs.get("question").and_then(|text| text.parse().ok());
    let mut all = asked.iter();
    let asked = question.and_then(|question| all.find(|asked| asked.question == question));
    let asked = asked.ok_or_else(no_such_page)?;
    let answer = read(asked, pairs.get("answer").unwrap_or_default()).map_err(Fault::invalid)?;
    let answer = answer.ok_or_else(|| Fault::invalid("choose what holds"))?;
    let reason = pairs.get("reason").unwrap_or_default();
    let decision = (asked.question.clone(), answer, reason);
    agreement::decide(app, scope, place, decision).await
}
