//! Where projects are told of incidents: list, create, update, delete, try.

use domain::alert::channel::{AlertChannel, ChannelKind};
use domain::tenancy::Permission;
use domain::{AlertChannelId, Code, Fault, ProjectId};
use serde::{Deserialize, Serialize};
use store_postgres::StoreError;
use store_postgres::alerts::channels;
use url::Url;
use uuid::Uuid;

use super::send::{self, Attempt};
use crate::app::App;
use crate::names;
use crate::scope::ProjectScope;

/// Channels of one project.
const MOST: i64 = 50;
/// Most bytes of an address.
const MAX_ADDRESS: usize = 2_000;
/// Bytes of a secret: at least as many as of a random key worth the name.
const SECRET: std::ops::RangeInclusive<usize> = 16..=256;

/// What is set of a channel; what is left out stays as it is.
#[derive(Clone, Default)]
pub struct Draft {
    /// What it is called.
    pub name: Option<String>,
    /// Its address.
    pub url: Option<String>,
    /// What messages are signed with, of webhooks.
    pub secret: Option<String>,
    /// Whether messages are sent.
    pub enabled: Option<bool>,
    /// Whether changes of prompts are told there, too.
    pub prompts: Option<bool>,
}

/// What is sealed of a channel.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Target {
    pub(super) url: String,
    pub(super) secret: Option<String>,
}

/// Those of a project, by name.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<AlertChannel>, Fault> {
    Ok(channels::list(app.postgres(), scope.project_id()).await?)
}

/// Makes one; needs `ManageConnections`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` for a name that is taken or too many, or `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    kind: ChannelKind,
    draft: Draft,
) -> Result<AlertChannel, Fault> {
    scope.require(Permission::ManageConnections)?;
    let now = app.clock().now();
    let given = |field: &str, value: Option<String>| {
        value.ok_or_else(|| Fault::invalid(format!("{field}: is needed")).on_field(field))
    };
    let target = Target {
        url: address(kind, given("url", draft.url)?),
        secret: draft.secret,
    };
    let channel = AlertChannel {
        id: AlertChannelId(Uuid::now_v7()),
        name: names::name("name", &given("name", draft.name)?)?,
        kind,
        host: check(app, kind, &target)?,
        enabled: draft.enabled.unwrap_or(true),
        tells_of_prompts: draft.prompts.unwrap_or(false),
        created_at: now,
        updated_at: now,
    };
    let project = scope.project_id();
    let sealed = seal(app, project, (channel.id, &target))?;
    let stored = channels::create(app.postgres(), project, (&channel, &sealed), MOST).await;
    if stored.map_err(taken)? {
        Ok(channel)
    } else {
        let message = format!("a project has at most {MOST} channels");
        Err(Fault::new(Code::Conflict, message))
    }
}

/// Changes one; needs `ManageConnections`.
///
/// # Errors
/// As [`create`], and `not_found`.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: AlertChannelId,
    draft: Draft,
) -> Result<AlertChannel, Fault> {
    scope.require(Permission::ManageConnections)?;
    let (mut channel, mut target) = find(app, scope.project_id(), id).await?;
    if let Some(name) = draft.name {
        channel.name = names::name("name", &name)?;
    }
    if let Some(url) = draft.url {
        target.url = address(channel.kind, url);
    }
    target.secret = draft.secret.or(target.secret);
    channel.enabled = draft.enabled.unwrap_or(channel.enabled);
    channel.tells_of_prompts = draft.prompts.unwrap_or(channel.tells_of_prompts);
    channel.host = check(app, channel.kind, &target)?;
    channel.updated_at = app.clock().now();
    let project = scope.project_id();
    let sealed = seal(app, project, (id, &target))?;
    let replaced = channels::replace(app.postgres(), project, (&channel, &sealed)).await;
    if replaced.map_err(taken)? {
        Ok(channel)
    } else {
        Err(none(id))
    }
}

/// Deletes one with the messages that wait for it; needs `ManageConnections`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: AlertChannelId) -> Result<(), Fault> {
    scope.require(Permission::ManageConnections)?;
    if channels::delete(app.postgres(), scope.project_id(), id).await? {
        Ok(())
    } else {
        Err(none(id))
    }
}

/// Sends a message that says it is a test; needs `ManageConnections`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres. That the other side does not take it is no failure.
pub async fn test(app: &App, scope: &ProjectScope, id: AlertChannelId) -> Result<Attempt, Fault> {
    scope.require(Permission::ManageConnections)?;
    let (channel, target) = find(app, scope.project_id(), id).await?;
    let body = send::test_body(app, scope.project_id(), channel.kind);
    Ok(send::attempt(app, &target, (Uuid::now_v7(), &body)).await)
}

async fn find(
    app: &App,
    project: ProjectId,
    id: AlertChannelId,
) -> Result<(AlertChannel, Target), Fault> {
    let db = app.postgres();
    let all = channels::list(db, project).await?;
    let channel = all.into_iter().find(|channel| channel.id == id);
    let sealed = channels::target(db, project, id).await?;
    let (channel, sealed) = channel.zip(sealed).ok_or_else(|| none(id))?;
    let target = open(app, project, (id, &sealed))?;
    Ok((channel, target))
}

/// Opens what [`seal`] closed.
pub(super) fn open(
    app: &App,
    project: ProjectId,
    (id, sealed): (AlertChannelId, &[u8]),
) -> Result<Target, Fault> {
    let text = app.settings().vault.open(&place(project, id), sealed)?;
    serde_json::from_str(&text).map_err(Fault::internal)
}

fn seal(
    app: &App,
    project: ProjectId,
    (id, target): (AlertChannelId, &Target),
) -> Result<Vec<u8>, Fault> {
    let text = serde_json::to_string(target).map_err(Fault::internal)?;
    app.settings().vault.seal(&place(project, id), &text)
}

fn place(project: ProjectId, id: AlertChannelId) -> String {
    format!("alert_channels {project} {id} target")
}

/// Where messages are posted: Alertmanager is named by its own address.
fn address(kind: ChannelKind, url: String) -> String {
    const ALERTS: &str = "/api/v2/alerts";
    match kind {
        ChannelKind::Alertmanager if !url.ends_with(ALERTS) => {
            format!("{}{ALERTS}", url.trim_end_matches('/'))
        }
        _ => url,
    }
}

/// Checks address and secret; the host.
fn check(app: &App, kind: ChannelKind, target: &Target) -> Result<String, Fault> {
    let wrong = |field: &str, why: &str| Fault::invalid(format!("{field}: {why}")).on_field(field);
    let not_plain = || wrong("url", "give an address such as https://example.com/hook");
    if target.url.len() > MAX_ADDRESS || target.url.chars().any(char::is_control) {
        return Err(not_plain());
    }
    let url = Url::parse(&target.url).map_err(|_| not_plain())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("url", "must not hold a user or password"));
    }
    let checked = app.outbound().check(&url);
    checked.map_err(|error| wrong("url", &error.to_string()))?;
    match (kind, &target.secret) {
        (ChannelKind::Webhook, None) => {
            return Err(wrong("secret", "is needed: messages are signed with it"));
        }
        (ChannelKind::Webhook, Some(secret)) => {
            let is_plain = secret.bytes().all(|byte| byte.is_ascii_graphic());
            if !SECRET.contains(&secret.len()) || !is_plain || send::key(secret).is_none() {
                return Err(wrong(
                    "secret",
                    "give 16 to 256 visible ASCII characters; after whsec_ they are base64",
                ));
            }
        }
        (_, Some(_)) => return Err(wrong("secret", "is for webhooks only")),
        (_, None) => {}
    }
    Ok(url.host_str().unwrap_or_default().to_owned())
}

fn taken(error: StoreError) -> Fault {
    error.on_constraint("alert_channels_project_id_name_key", || {
        Fault::new(Code::Conflict, "name: a channel has that name already").on_field("name")
    })
}

fn none(id: AlertChannelId) -> Fault {
    Fault::not_found(format!("no channel {id}"))
}
