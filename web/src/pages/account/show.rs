//! Who one is, and the form for another password.

use askama::Template;
use axum::extract::State;
use domain::tenancy::SignIn;
use service::{App, auth};

use super::sign_ins::SignInRow;
use crate::extract::{InProject, Pairs, Reader};
use crate::form::Field;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// One's own account.
#[derive(Template)]
#[template(path = "account/show.html")]
pub(crate) struct AccountPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) email: String,
    pub(crate) name: String,
    /// Whether the password was changed just now.
    pub(crate) changed: bool,
    pub(crate) old: Field,
    pub(crate) password: Field,
    pub(crate) fault: String,
    pub(crate) change_url: String,
    /// Whether passwords open something.
    pub(crate) by_password: bool,
    pub(crate) sign_ins: Vec<SignInRow>,
    pub(crate) end_url: String,
    pub(crate) end_others_url: String,
}

impl AccountPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, sign_ins: &[SignIn], changed: bool) -> Self {
        let person = &reader.visitor.person;
        AccountPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Account),
            email: person.email.clone(),
            name: person.name.clone(),
            changed,
            old: Field::default(),
            password: Field::default(),
            fault: String::new(),
            change_url: urls::account(reader.id()),
            by_password: true,
            sign_ins: sign_ins
                .iter()
                .map(|sign_in| SignInRow::new(reader, sign_in))
                .collect(),
            end_url: urls::end_sign_in(reader.id()),
            end_others_url: urls::end_other_sign_ins(reader.id()),
        }
    }
}

/// Shows it.
pub(crate) async fn show_account(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let changed = pairs.get("changed").is_some();
    let person = entered.reader.visitor.person.id;
    let sign_ins = auth::own_sign_ins(&app, person).await?;
    let mut page = AccountPage::new(&entered.reader, &sign_ins, changed);
    page.by_password = !auth::oidc::is_only_way(&app);
    Ok(render(&page))
}
