//! Makes an evaluator, tries one out, changes it, switches it, deletes it.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::evaluator::Evaluator;
use domain::llm_connection::LlmConnection;
use domain::tenancy::Permission;
use domain::{Code, Fault, Nanos};
use http::StatusCode;
use service::{App, evaluators, llm_connections};

use super::{EvaluatorForm, FormPage, evaluator_id};
use crate::extract::{InProject, Pairs, Posted, PostedLong};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Connections to choose from: all that a project may have.
const MOST_CONNECTIONS: u32 = 100;

async fn connections(app: &App, entered: &InProject) -> Result<Vec<LlmConnection>, Fault> {
    let place = (0, MOST_CONNECTIONS);
    let (connections, _) = llm_connections::list(app, &entered.scope, place).await?;
    Ok(connections)
}

/// About to make one: `kind=judge` or `rule`.
pub(crate) async fn new_evaluator(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let form = EvaluatorForm::empty(pairs.get("kind") != Some("rule"));
    let connections = connections(&app, &entered).await?;
    Ok(render(&FormPage::new(
        &entered.reader,
        form,
        None,
        &connections,
    )))
}

/// Makes it, or tries it out.
pub(crate) async fn create_evaluator(
    State(app): State<App>,
    entered: InProject,
    PostedLong(pairs): PostedLong,
) -> Answer {
    entered.scope.require(Permission::SetExpectations)?;
    let form = EvaluatorForm::posted(&pairs);
    if is_trial(&pairs) {
        return try_out(&app, &entered, form, None).await;
    }
    let made = match form.draft() {
        Ok(draft) => evaluators::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(evaluator) => Ok(see_other(&urls::evaluator(entered.id(), evaluator.id))),
        Err(fault) => again(&app, &entered, (form, None), fault).await,
    }
}

/// About to change one.
pub(crate) async fn edit_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let (evaluator, _) = evaluators::show(&app, &entered.scope, evaluator_id(&params)?).await?;
    let form = EvaluatorForm::of(&evaluator.draft);
    let connections = connections(&app, &entered).await?;
    let page = FormPage::new(&entered.reader, form, named(&evaluator), &connections);
    Ok(render(&page))
}

/// Changes it, or tries out what it would be.
pub(crate) async fn update_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    PostedLong(pairs): PostedLong,
) -> Answer {
    let id = evaluator_id(&params)?;
    let (evaluator, _) = evaluators::show(&app, &entered.scope, id).await?;
    entered.scope.require(Permission::SetExpectations)?;
    let mut form = EvaluatorForm::posted(&pairs);
    form.is_judge = super::is_judge(&evaluator.draft.method);
    if is_trial(&pairs) {
        return try_out(&app, &entered, form, Some(&evaluator)).await;
    }
    let changed = match form.draft() {
        Ok(draft) => evaluators::update(&app, &entered.scope, id, |_| Ok(draft)).await,
        Err(fault) => Err(fault),
    };
    match changed {
        Ok(_) => Ok(see_other(&urls::evaluator(entered.id(), id))),
        Err(fault) => again(&app, &entered, (form, Some(&evaluator)), fault).await,
    }
}

/// Has one score what ended within some days before now.
pub(crate) async fn backfill_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = evaluator_id(&params)?;
    let days = pairs.get("days").and_then(|days| days.parse::<u64>().ok());
    let days = days.filter(|days| (1..=366).contains(days));
    let days = days.ok_or_else(|| Fault::invalid("give 1 to 366 days").on_field("days"))?;
    let now = app.clock().now();
    let stretch = (now.minus(Nanos::from_seconds(days * 24 * 3_600)), now);
    evaluators::look_back(&app, &entered.scope, id, stretch).await?;
    Ok(see_other(&urls::evaluator(entered.id(), id)))
}

/// Switches one on or off.
pub(crate) async fn switch_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = evaluator_id(&params)?;
    let is_enabled = pairs.get("on") == Some("1");
    evaluators::update(&app, &entered.scope, id, |mut draft| {
        draft.is_enabled = is_enabled;
        Ok(draft)
    })
    .await?;
    Ok(see_other(&match pairs.get("to") {
        Some("list") => urls::evaluators(entered.id()),
        _ => urls::evaluator(entered.id(), id),
    }))
}

/// Deletes one.
pub(crate) async fn delete_evaluator(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    evaluators::delete(&app, &entered.scope, evaluator_id(&params)?).await?;
    Ok(see_other(&urls::evaluators(entered.id())))
}

fn is_trial(pairs: &Pairs) -> bool {
    pairs.get("do") == Some("try")
}

fn named(evaluator: &Evaluator) -> Option<(domain::EvaluatorId, &str)> {
    Some((evaluator.id, evaluator.draft.name.as_str()))
}

/// The form with what would be scored below it.
async fn try_out(
    app: &App,
    entered: &InProject,
    form: EvaluatorForm,
    of: Option<&Evaluator>,
) -> Answer {
    let tried = match form.draft() {
        Ok(draft) => evaluators::try_out(app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    let trials = match tried {
        Ok(trials) => trials,
        Err(fault) => return again(app, entered, (form, of), fault).await,
    };
    let connections = connections(app, entered).await?;
    let reader = &entered.reader;
    let page = FormPage::new(reader, form, of.and_then(named), &connections);
    Ok(render(&page.with_trials(
        reader,
        &trials,
        app.clock().now(),
    )))
}

async fn again(
    app: &App,
    entered: &InProject,
    (form, of): (EvaluatorForm, Option<&Evaluator>),
    fault: Fault,
) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let connections = connections(app, entered).await?;
    let page = FormPage::new(&entered.reader, form, of.and_then(named), &connections);
    let page = page.with_fault(&fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
