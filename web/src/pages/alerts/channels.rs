//! Where messages go. A secret that was made here is shown once, on the page that its making leads to.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::alert::channel::{AlertChannel, ChannelKind};
use domain::tenancy::Permission;
use domain::{AlertChannelId, Code, Fault};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use rand::RngCore;
use service::App;
use service::alerts::Attempt;
use service::alerts::channels::{self, Draft};
use tower_sessions::Session;

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader, keep_channel_secret, take_channel_secret};
use crate::form::{Field, other_fault};
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &["name", "url", "secret"];
/// Bytes of a secret that is made here.
const SECRET_BYTES: usize = 24;

/// The page.
#[derive(Template)]
#[template(path = "alerts/channels.html")]
pub(crate) struct ChannelsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_manage: bool,
    pub(crate) fault: String,
    pub(crate) rows: Vec<ChannelRow>,
    /// Name and secret of a channel that was just made.
    pub(crate) made: Option<(String, String)>,
    pub(crate) kind: ChannelKind,
    pub(crate) called: Field,
    pub(crate) url: Field,
    pub(crate) secret: Field,
    pub(crate) action: String,
}

/// A channel.
pub(crate) struct ChannelRow {
    id: AlertChannelId,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) host: String,
    pub(crate) enabled: bool,
    /// Whether changes of prompts are told there, too.
    pub(crate) tells_of_prompts: bool,
    /// Whether there are words for these.
    pub(crate) can_tell_of_prompts: bool,
    /// What came of a test; empty before one.
    pub(crate) result: String,
    pub(crate) is_taken: bool,
    pub(crate) test_url: String,
    pub(crate) switch_url: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

impl ChannelsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, channels: &[AlertChannel]) -> Self {
        let id = reader.id();
        let row = |channel: &AlertChannel| ChannelRow {
            id: channel.id,
            name: channel.name.clone(),
            kind: kind(channel.kind),
            host: channel.host.clone(),
            enabled: channel.enabled,
            tells_of_prompts: channel.tells_of_prompts,
            can_tell_of_prompts: channel.kind != ChannelKind::Alertmanager,
            result: String::new(),
            is_taken: false,
            test_url: urls::channel(id, channel.id, "test"),
            switch_url: urls::channel(id, channel.id, "switch"),
            delete_url: urls::channel(id, channel.id, "delete"),
            dialog: format!("delete-{}", channel.id),
        };
        ChannelsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Alerts),
            tabs: tabs(reader, 1),
            may_manage: reader.may(Permission::ManageConnections),
            fault: String::new(),
            rows: channels.iter().map(row).collect(),
            made: None,
            kind: ChannelKind::Webhook,
            called: Field::default(),
            url: Field::default(),
            secret: Field::default(),
            action: urls::channels(id),
        }
    }

    /// With what came of a test.
    #[must_use]
    pub(crate) fn with_test(mut self, id: AlertChannelId, attempt: &Attempt, lang: Lang) -> Self {
        for row in self.rows.iter_mut().filter(|row| row.id == id) {
            row.is_taken = attempt.is_taken();
            row.result = match (attempt.is_taken(), attempt.status) {
                (true, Some(status)) => lang.fill("taken, {}", &[&status.to_string()]),
                (_, Some(status)) => lang.fill("not taken: status {}", &[&status.to_string()]),
                (_, None) => {
                    let why = attempt.error.clone().unwrap_or_default();
                    lang.fill("not taken: {}", &[&why])
                }
            };
        }
        self
    }

    /// Kinds to choose from.
    pub(crate) fn kinds(&self) -> Vec<(&'static str, &'static str, bool)> {
        let all = ChannelKind::ALL.iter();
        all.map(|one| (one.as_str(), kind(*one), *one == self.kind))
            .collect()
    }
}

fn kind(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Webhook => "Webhook",
        ChannelKind::Slack => "Slack",
        ChannelKind::Alertmanager => "Alertmanager",
    }
}

/// Shows them, and the secret of one that was made just now.
pub(crate) async fn list_channels(
    State(app): State<App>,
    entered: InProject,
    session: Session,
) -> Answer {
    let known = channels::list(&app, &entered.scope).await?;
    let mut page = ChannelsPage::new(&entered.reader, &known);
    let waiting = take_channel_secret(&session).await?;
    page.made = waiting.and_then(|(id, secret)| {
        let channel = known.iter().find(|channel| channel.id == id)?;
        Some((channel.name.clone(), secret))
    });
    match page.made {
        Some(_) => Ok(([(CACHE_CONTROL, "no-store")], render(&page)).into_response()),
        None => Ok(render(&page)),
    }
}

/// Makes one.
pub(crate) async fn create_channel(
    State(app): State<App>,
    entered: InProject,
    session: Session,
    Posted(pairs): Posted,
) -> Answer {
    let kind = pairs.get("kind").and_then(ChannelKind::from_name);
    let kind = kind.unwrap_or_default();
    let given = pairs.filled("secret").map(str::to_owned);
    let made = (kind == ChannelKind::Webhook && given.is_none()).then(new_secret);
    let text = |name| Some(pairs.get(name).unwrap_or_default().trim().to_owned());
    let draft = Draft {
        name: text("name"),
        url: text("url"),
        secret: given.or_else(|| made.clone()),
        enabled: None,
        prompts: None,
    };
    match channels::create(&app, &entered.scope, kind, draft).await {
        Ok(channel) => {
            if let Some(secret) = made {
                keep_channel_secret(&session, channel.id, &secret).await?;
            }
            Ok(see_other(&urls::channels(entered.id())))
        }
        Err(fault) => again(&app, &entered, (kind, &pairs), fault).await,
    }
}

async fn again(
    app: &App,
    entered: &InProject,
    (kind, pairs): (ChannelKind, &Pairs),
    fault: Fault,
) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let known = channels::list(app, &entered.scope).await?;
    let mut page = ChannelsPage::new(&entered.reader, &known);
    let entered = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
    page.kind = kind;
    page.called = entered("name").with_fault("name", &fault);
    page.url = entered("url").with_fault("url", &fault);
    page.secret = Field::default().with_fault("secret", &fault);
    page.fault = other_fault(&fault, FIELDS);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Sends a message that says it is a test, and tells what came of it.
pub(crate) async fn test_channel(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = named(&params)?;
    let attempt = channels::test(&app, &entered.scope, id).await?;
    let known = channels::list(&app, &entered.scope).await?;
    let page = ChannelsPage::new(&entered.reader, &known);
    let lang = entered.reader.lang();
    Ok(render(&page.with_test(id, &attempt, lang)))
}

/// Switches one on or off, or what it hears of prompts.
pub(crate) async fn switch_channel(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let draft = Draft {
        enabled: pairs.get("on").map(|on| on == "1"),
        prompts: pairs.get("prompts").map(|on| on == "1"),
        ..Draft::default()
    };
    channels::update(&app, &entered.scope, named(&params)?, draft).await?;
    Ok(see_other(&urls::channels(entered.id())))
}

/// Deletes one.
pub(crate) async fn delete_channel(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    channels::delete(&app, &entered.scope, named(&params)?).await?;
    Ok(see_other(&urls::channels(entered.id())))
}

fn named(params: &RawPathParams) -> Result<AlertChannelId, Fault> {
    let id = segment(params, "channel").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}

fn new_secret() -> String {
    let mut bytes = [0u8; SECRET_BYTES];
    rand::rng().fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
