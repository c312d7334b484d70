//! API keys of the project. A new key's secret is shown once, on the page that its making leads to:
//! until then it waits in the person's session, so that loading a page again makes no second key.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::tenancy::{ApiKey, KeyScope, KeyScopes, Permission, Role};
use domain::{Code, Fault, Timestamp};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use service::App;
use service::api_keys::{self, KEY_ROLES, KeyDraft, NewApiKey};
use tower_sessions::Session;

use super::role::{self, RoleChoice};
use super::tabs;
use crate::content::json::Token;
use crate::extract::{InProject, Pairs, Posted, Reader, keep_secret, take_secret};
use crate::form::{Field, other_fault};
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::snippet::{Way, snippet};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// API keys of the project.
#[derive(Template)]
#[template(path = "settings/keys.html")]
pub(crate) struct KeysPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_manage: bool,
    pub(crate) rows: Vec<KeyRow>,
    pub(crate) note: Field,
    pub(crate) roles: Vec<RoleChoice>,
    pub(crate) scopes: Vec<ScopeChoice>,
    pub(crate) expires: Field,
    pub(crate) fault: String,
    pub(crate) create_url: String,
    pub(crate) made: Option<Made>,
}

/// A key.
pub(crate) struct KeyRow {
    public_key: String,
    /// Id of the element that holds it, to copy it.
    pub(crate) element: String,
    pub(crate) secret_hint: String,
    pub(crate) note: String,
    /// Where it is not the usual one.
    pub(crate) role: Option<&'static str>,
    /// What it is limited to.
    pub(crate) scopes: Vec<&'static str>,
    /// When it ends by itself; empty where it does not.
    pub(crate) expires: String,
    pub(crate) is_over: bool,
    pub(crate) created: String,
    pub(crate) used: String,
    pub(crate) revoke_url: String,
    pub(crate) dialog: String,
}

/// Something that a key may be limited to.
pub(crate) struct ScopeChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) chosen: bool,
}

/// A key that has just been made, with its secret.
pub(crate) struct Made {
    public_key: String,
    pub(crate) secret: String,
    pub(crate) code: Vec<Token>,
}

impl KeysPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, keys: &[ApiKey], now: Timestamp) -> Self {
        KeysPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 1),
            may_manage: reader.may(Permission::ManageProject),
            rows: keys
                .iter()
                .map(|key| KeyRow::new(reader, key, now))
                .collect(),
            note: Field::default(),
            roles: role::choices(reader.lang(), KEY_ROLES, Role::Member),
            scopes: scopes(reader.lang(), None),
            expires: Field::default(),
            fault: String::new(),
            create_url: urls::api_keys(reader.id()),
            made: None,
        }
    }

    /// With the secret of a new key.
    #[must_use]
    pub(crate) fn with_made(mut self, made: NewApiKey, public_url: &str) -> Self {
        let code = snippet(Way::Python, public_url, Some(&made.secret));
        self.made = Some(Made {
            public_key: made.key.public_key,
            secret: made.secret,
            code,
        });
        self
    }
}

impl KeyRow {
    fn new(reader: &Reader, key: &ApiKey, now: Timestamp) -> Self {
        let choices = &reader.visitor.choices;
        KeyRow {
            public_key: key.public_key.clone(),
            element: format!("key-{}", key.id),
            secret_hint: format!("…{}", key.secret_hint),
            note: key.note.clone(),
            role: (key.role != Role::Member).then(|| role::label(choices.lang, key.role)),
            scopes: key.scopes.map(KeyScopes::names).unwrap_or_default(),
            expires: key
                .expires_at
                .map_or_else(String::new, |at| choices.zone.minute(at)),
            is_over: key.expires_at.is_some_and(|at| at <= now),
            created: choices.zone.minute(key.created_at),
            used: key.last_used_at.map_or_else(
                || choices.lang.t("never").to_owned(),
                |used| choices.zone.row_time(used, now),
            ),
            revoke_url: urls::api_key_revoke(reader.id(), key.id),
            dialog: format!("revoke-{}", key.id),
        }
    }
}

/// All that there are, those of a form chosen.
fn scopes(lang: Lang, chosen: Option<KeyScopes>) -> Vec<ScopeChoice> {
    let choice = |scope: &KeyScope| ScopeChoice {
        name: scope.as_str(),
        label: lang.t(match scope {
            KeyScope::Ingest => text!("Send telemetry"),
            KeyScope::Read => text!("Read"),
            KeyScope::Scores => text!("Write and read scores"),
            KeyScope::Prompts => text!("Read prompts"),
        }),
        chosen: chosen.is_some_and(|scopes| scopes.has(*scope)),
    };
    KeyScope::ALL.iter().map(choice).collect()
}

/// Shows them, and a key that was made just now.
pub(crate) async fn list_keys(
    State(app): State<App>,
    entered: InProject,
    session: Session,
) -> Answer {
    let keys = api_keys::list(&app, &entered.scope).await?;
    let page = KeysPage::new(&entered.reader, &keys, app.clock().now());
    let waiting = take_secret(&session).await?;
    let made = waiting.and_then(|(id, secret)| {
        let key = keys.into_iter().find(|key| key.id == id)?;
        Some(NewApiKey { key, secret })
    });
    let Some(made) = made else {
        return Ok(render(&page));
    };
    let page = page.with_made(made, &app.settings().public_url);
    Ok(([(CACHE_CONTROL, "no-store")], render(&page)).into_response())
}

/// Makes one, and goes to the list, which shows its secret once.
pub(crate) async fn create_key(
    State(app): State<App>,
    entered: InProject,
    session: Session,
    Posted(pairs): Posted,
) -> Answer {
    let note = pairs.get("note").unwrap_or_default().trim();
    let now = app.clock().now();
    let reader = &entered.reader;
    let by_default = || {
        reader
            .lang()
            .fill("made by {}", &[&reader.visitor.person.name])
    };
    let given = if note.is_empty() {
        by_default()
    } else {
        note.to_owned()
    };
    let role = match pairs.get("role") {
        None => Role::Member,
        named => role::parse(named)?,
    };
    let named = pairs.all("scope").filter_map(KeyScope::from_name);
    let draft = KeyDraft {
        note: &given,
        role,
        scopes: KeyScopes::new(named),
        expires_at: expires_at(reader, &pairs)?,
    };
    match api_keys::create(&app, &entered.scope, &draft).await {
        Ok(made) => {
            keep_secret(&session, made.key.id, &made.secret).await?;
            Ok(see_other(&urls::api_keys(entered.id())))
        }
        Err(fault) => {
            let keys = api_keys::list(&app, &entered.scope).await?;
            let mut page = KeysPage::new(&entered.reader, &keys, now);
            page.roles = role::choices(reader.lang(), KEY_ROLES, role);
            page.scopes = scopes(reader.lang(), draft.scopes);
            let expires = pairs.get("expires").unwrap_or_default();
            page.expires = Field::holding(expires).with_fault("expires_at", &fault);
            again(page, note, fault)
        }
    }
}

/// When a form has the key end, in the zone of whoever sent it.
fn expires_at(reader: &Reader, pairs: &Pairs) -> Result<Option<Timestamp>, Fault> {
    let Some(text) = pairs.filled("expires") else {
        return Ok(None);
    };
    let wrong = || Fault::invalid("that is no date and time").on_field("expires_at");
    reader.zone().read_input(text).map(Some).ok_or_else(wrong)
}

fn again(mut page: KeysPage, note: &str, fault: Fault) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    page.note = Field::holding(note).with_fault("note", &fault);
    page.fault = other_fault(&fault, &["note", "expires_at"]);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Revokes one.
pub(crate) async fn revoke_key(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let key = segment(&params, "key")
        .and_then(|id| id.parse().ok())
        .ok_or_else(no_such_page)?;
    api_keys::revoke(&app, &entered.scope, key).await?;
    Ok(see_other(&urls::api_keys(entered.id())))
}
