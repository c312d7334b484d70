//! What is asked for and set.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::deletion::{DeletionSettings, SharedTraces};
use domain::tenancy::Permission;
use domain::{Code, Fault, LegalHoldId};
use http::StatusCode;
use service::App;
use service::deletions::{self, holds};

use super::list::{DeletionsPage, page};
use crate::extract::{InProject, Posted};
use crate::form::{Field, other_fault};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Asks for a user to be forgotten, whose id was typed twice, and shows how far it is.
pub(crate) async fn create_deletion(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::ManageProject)?;
    let user = pairs.get("user").unwrap_or_default();
    let typed = pairs.get("typed").unwrap_or_default();
    let asked = match user == typed {
        true => deletions::ask(&app, &entered.scope, user).await,
        false => {
            let message = entered.reader.lang().t("This is another id.");
            Err(Fault::invalid(message).on_field("typed"))
        }
    };
    let fault = match asked {
        Ok(deletion) => return Ok(see_other(&urls::deletion(entered.id(), deletion.id))),
        Err(fault) => fault,
    };
    let shown =
        Some(user).filter(|user| !user.is_empty() && fault.field.as_deref() == Some("typed"));
    let mut page = refused(&app, &entered, (shown, &fault)).await?;
    page.form.user = Field::holding(user).with_fault("user_ids", &fault);
    page.form.typed = Field::default().with_fault("typed", &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// The page as it was, with what was wrong; faults that are nobody's mistake go on.
async fn refused(
    app: &App,
    entered: &InProject,
    (user, fault): (Option<&str>, &Fault),
) -> Result<DeletionsPage, Fault> {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(Fault::new(fault.code, fault.message.clone()));
    }
    let mut page = page(app, entered, user).await?;
    page.fault = other_fault(
        fault,
        &["user_ids", "typed", "user_id", "reason", "tombstone_days"],
    );
    Ok(page)
}

/// Sets how the project forgets.
pub(crate) async fn set_deletion_settings(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let days = pairs.get("days").unwrap_or_default();
    let policy = pairs.get("shared").and_then(SharedTraces::from_name);
    let settings = DeletionSettings {
        shared_traces: policy.unwrap_or_default(),
        // What is no number is none that is allowed.
        tombstone_days: days.trim().parse().unwrap_or(0),
    };
    let Err(fault) = deletions::set(&app, &entered.scope, settings).await else {
        return Ok(see_other(&urls::deletions(entered.id())));
    };
    let mut page = refused(&app, &entered, (None, &fault)).await?;
    page.takes_whole = settings.shared_traces == SharedTraces::Whole;
    page.days = Field::holding(days).with_fault("tombstone_days", &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Sets a legal hold.
pub(crate) async fn create_legal_hold(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let user = pairs.get("user").unwrap_or_default();
    let reason = pairs.get("reason").unwrap_or_default();
    let Err(fault) = holds::create(&app, &entered.scope, (user, reason)).await else {
        return Ok(see_other(&urls::deletions(entered.id())));
    };
    let mut page = refused(&app, &entered, (None, &fault)).await?;
    page.hold.user = Field::holding(user).with_fault("user_id", &fault);
    page.hold.reason = Field::holding(reason).with_fault("reason", &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Lifts one.
pub(crate) async fn lift_legal_hold(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id: Option<LegalHoldId> = segment(&params, "hold").and_then(|id| id.parse().ok());
    holds::delete(&app, &entered.scope, id.ok_or_else(no_such_page)?).await?;
    Ok(see_other(&urls::deletions(entered.id())))
}
