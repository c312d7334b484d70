//! The sign-in form.

use askama::Template;
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
}

impl SignInPage {
    /// Where the form is sent.
    pub(crate) fn action(&self) -> &'static str {
        urls::SIGN_IN
    }
}

/// Shows it.
pub(crate) async fn show_sign_in(session: Session, choices: Choices, pairs: Pairs) -> Answer {
    let next = urls::local(pairs.get("next").unwrap_or(urls::HOME)).to_owned();
    let csrf = csrf_token(&session).await?;
    let shell = Shell::new(&choices, &csrf, &urls::sign_in(&next));
    let (email, password) = (Field::default(), Field::default());
    Ok(render(&SignInPage {
        shell,
        next,
        email,
        password,
    }))
}
