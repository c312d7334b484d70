//! The sign-in form.

use askama::Template;
use axum::extract::State;
use service::App;
use service::auth::oidc;
use tower_sessions::Session;

use crate::choices::Choices;
use crate::extract::{Pairs, csrf_token};
use crate::form::Field;
use crate::layout::Shell;
use crate::pages::{Answer, render};
use crate::urls;

/// The sign-in form.
#[derive(Template)]
#[template(path = "sign_in/show.html")]
pub(crate) struct SignInPage {
    pub(crate) shell: Shell,
    pub(crate) next: String,
    pub(crate) email: Field,
    pub(crate) password: Field,
    /// What the provider is called, where there is one.
    pub(crate) provider: Option<String>,
    pub(crate) provider_url: String,
    /// Whether passwords open something.
    pub(crate) by_password: bool,
    /// What the provider was refused for.
    pub(crate) fault: String,
}

impl SignInPage {
    /// As it opens.
    pub(crate) fn new(app: &App, (choices, csrf): (&Choices, &str), next: String) -> Self {
        let provider = oidc::settings(app).map(|oidc| oidc.name.clone());
        SignInPage {
            shell: Shell::new(choices, csrf, &urls::sign_in(&next)),
            provider,
            provider_url: urls::oidc(&next),
            by_password: !oidc::is_only_way(app),
            fault: String::new(),
            email: Field::default(),
            password: Field::default(),
            next,
        }
    }

    /// Where the form is sent.
    pub(crate) fn action(&self) -> &'static str {
        urls::SIGN_IN
    }
}

/// Shows it.
pub(crate) async fn show_sign_in(
    State(app): State<App>,
    session: Session,
    choices: Choices,
    pairs: Pairs,
) -> Answer {
    let next = urls::local(pairs.get("next").unwrap_or(urls::HOME)).to_owned();
    let csrf = csrf_token(&session).await?;
    Ok(render(&SignInPage::new(&app, (&choices, &csrf), next)))
}
