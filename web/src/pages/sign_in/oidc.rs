//! Sign-in with the provider: the way there, and the way back.

use axum::extract::State;
use axum::response::IntoResponse;
use domain::Code;
use http::StatusCode;
use service::App;
use service::auth::oidc::{self, Refusal, Returned};
use tower_sessions::Session;

use super::SignInPage;
use crate::choices::Choices;
use crate::extract::{Asking, Pairs, csrf_token, keep_flow, sign_in_as, take_flow};
use crate::form::too_many;
use crate::i18n::Lang;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Sends the browser to the provider.
pub(crate) async fn begin_oidc(State(app): State<App>, session: Session, pairs: Pairs) -> Answer {
    let next = urls::local(pairs.get("next").unwrap_or(urls::HOME));
    let (url, flow) = oidc::begin(&app, next).await?;
    keep_flow(&session, &flow).await?;
    Ok(see_other(&url))
}

/// Takes the browser that comes back: signs in and goes on, or shows the form with what was wrong.
pub(crate) async fn finish_oidc(
    State(app): State<App>,
    Asking(browser): Asking,
    session: Session,
    choices: Choices,
    pairs: Pairs,
) -> Answer {
    let flow = take_flow(&session).await?;
    let next = flow
        .as_ref()
        .map_or(urls::HOME, |flow| urls::local(&flow.next));
    let next = next.to_owned();
    let text = |name: &str| pairs.get(name).map(str::to_owned);
    let returned = Returned {
        code: text("code"),
        state: text("state").unwrap_or_default(),
        issuer: text("iss"),
        error: text("error"),
    };
    let refusal = match oidc::finish(&app, (flow, &returned), &browser).await {
        Ok(proven) => {
            sign_in_as(&app, &session, (&proven, &browser)).await?;
            return Ok(see_other(&next));
        }
        Err(refusal) => refusal,
    };
    let (status, words) = match refusal {
        Refusal::Fault(fault) if fault.code == Code::TooMany => (
            StatusCode::TOO_MANY_REQUESTS,
            too_many(choices.lang, &fault),
        ),
        Refusal::Fault(fault) => return Err(fault.into()),
        refused => (
            StatusCode::UNAUTHORIZED,
            words(choices.lang, &refused).to_owned(),
        ),
    };
    let csrf = csrf_token(&session).await?;
    let mut page = SignInPage::new(&app, (&choices, &csrf), next);
    page.fault = words;
    Ok((status, render(&page)).into_response())
}

/// What whoever signs in can do about it; why a token does not hold is for the operator.
fn words(lang: Lang, refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Failed(_) | Refusal::Fault(_) => {
            lang.t("The sign-in did not work. Try once more.")
        }
        Refusal::Declined => lang.t("The provider did not let you in."),
        Refusal::Unverified => lang.t("The provider has not verified your e-mail address."),
        Refusal::NotLinked => {
            lang.t("An account of your e-mail address exists that is not linked to the provider. Ask an administrator.")
        }
        Refusal::NoAccount => lang.t("You have no account here. Ask an administrator."),
    }
}
