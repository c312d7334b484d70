//! Who one is, and the form for another password.

use askama::Template;

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
}

impl AccountPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, changed: bool) -> Self {
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
        }
    }
}

/// Shows it.
pub(crate) async fn show_account(entered: InProject, pairs: Pairs) -> Answer {
    let changed = pairs.get("changed").is_some();
    Ok(render(&AccountPage::new(&entered.reader, changed)))
}
