//! Changes one's password.

use axum::extract::State;
use axum::response::IntoResponse;
use domain::Code;
use http::StatusCode;
use service::{App, auth};
use tower_sessions::Session;

use super::AccountPage;
use crate::extract::{Asking, InProject, Posted, sign_in_as};
use crate::form::{Field, other_fault, too_many};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Changes it, or shows the form again with what was wrong. This session goes on; others end.
pub(crate) async fn change_password(
    State(app): State<App>,
    Asking(browser): Asking,
    session: Session,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let passwords = (
        pairs.get("old").unwrap_or_default(),
        pairs.get("password").unwrap_or_default(),
    );
    let person = &entered.reader.visitor.person;
    let fault = match auth::change_password(&app, person, passwords, browser.address).await {
        Ok(proven) => {
            sign_in_as(&app, &session, (&proven, &browser)).await?;
            return Ok(see_other(&urls::account_changed(entered.id())));
        }
        Err(fault) => fault,
    };
    let sign_ins = auth::own_sign_ins(&app, person.id).await?;
    let mut page = AccountPage::new(&entered.reader, &sign_ins, false);
    let status = match fault.code {
        Code::Invalid | Code::Conflict => {
            page.fault = other_fault(&fault, &["old", "password"]);
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Code::TooMany => {
            page.fault = too_many(entered.reader.lang(), &fault);
            StatusCode::TOO_MANY_REQUESTS
        }
        _ => return Err(fault.into()),
    };
    page.old = Field::default().with_fault("old", &fault);
    page.password = Field::default().with_fault("password", &fault);
    Ok((status, render(&page)).into_response())
}
