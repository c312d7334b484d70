//! Checks e-mail and password.

use axum::extract::State;
use axum::response::IntoResponse;
use domain::{Code, Fault};
use http::StatusCode;
use service::{App, auth};
use tower_sessions::Session;

use super::SignInPage;
use crate::choices::Choices;
use crate::extract::{Asking, Posted, csrf_token, sign_in_as};
use crate::form::{Field, too_many};
use crate::i18n::Lang;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Signs in and goes on, or shows the form again with what was wrong.
pub(crate) async fn create_session(
    State(app): State<App>,
    Asking(browser): Asking,
    session: Session,
    choices: Choices,
    Posted(pairs): Posted,
) -> Answer {
    let email = pairs.get("email").unwrap_or_default().trim().to_owned();
    let password = pairs.get("password").unwrap_or_default();
    let next = urls::local(pairs.get("next").unwrap_or(urls::HOME)).to_owned();
    let fault = match auth::sign_in(&app, &email, password, browser.address).await {
        Ok(proven) => {
            sign_in_as(&app, &session, (&proven, &browser)).await?;
            return Ok(see_other(&next));
        }
        Err(fault) => fault,
    };
    let (status, password_error, email_error) = match fault.code {
        Code::Unauthenticated => (
            StatusCode::UNAUTHORIZED,
            wrong(choices.lang, &fault),
            String::new(),
        ),
        Code::TooMany => (
            StatusCode::TOO_MANY_REQUESTS,
            too_many(choices.lang, &fault),
            String::new(),
        ),
        Code::Invalid => match fault.field.as_deref() {
            Some("email") => (StatusCode::BAD_REQUEST, String::new(), fault.message),
            _ => (StatusCode::BAD_REQUEST, fault.message, String::new()),
        },
        _ => return Err(fault.into()),
    };
    let csrf = csrf_token(&session).await?;
    let mut page = SignInPage::new(&app, (&choices, &csrf), next);
    page.email = Field {
        value: email,
        error: email_error,
    };
    page.password = Field {
        value: String::new(),
        error: password_error,
    };
    Ok((status, render(&page)).into_response())
}

/// Says no more than the service does: whether an account exists is not told.
fn wrong(lang: Lang, _: &Fault) -> String {
    lang.t("E-mail and password do not match.").to_owned()
}
