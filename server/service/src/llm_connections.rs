//! How to reach providers of models on behalf of the scope's project. Credentials are sealed here, and
//! shown to nobody.

use std::collections::BTreeMap;

use domain::llm_connection::{Adapter, LlmConnection};
use domain::tenancy::Permission;
use domain::{Code, Fault, LlmConnectionId, ProjectId};
use store_postgres::llm_connections::{self, Sealed};
use uuid::Uuid;

use crate::app::App;
use crate::auth::secret;
use crate::scope::ProjectScope;

/// Connections of one project.
const MOST: i64 = 100;
/// Most bytes of a credential: some are whole JSON files.
const MAX_SECRET: usize = 16 * 1024;
/// Headers that are of one connection and of how a body is sent: whoever sends them sets them.
const OF_THE_CONNECTION: [&str; 11] = [
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// Most bytes of other texts.
const MAX_TEXT: usize = 2_000;
/// Most models, or headers, of a connection.
const MAX_ITEMS: usize = 200;

/// What is set.
pub struct Draft {
    /// Name that the project gives it.
    pub provider: String,
    /// The interface spoken.
    pub adapter: Adapter,
    /// Credential.
    pub secret: String,
    /// Address, where it is not the usual one.
    pub base_url: Option<String>,
    /// Models beside those that the adapter knows.
    pub custom_models: Vec<String>,
    /// Whether those are offered too.
    pub with_default_models: bool,
    /// Headers that go with each request.
    pub extra_headers: BTreeMap<String, String>,
    /// What the adapter needs beside it: the JSON of an object.
    pub config: Option<String>,
}

/// Connections by name, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    slice: (u64, u32),
) -> Result<(Vec<LlmConnection>, u64), Fault> {
    Ok(llm_connections::list(app.postgres(), scope.project_id(), slice).await?)
}

/// Sets the connection of that name; needs `ManageConnections`. Gives it, and whether it is new.
///
/// # Errors
/// `forbidden`; `invalid` on a field, or when there are too many; or `unavailable` without Postgres.
pub async fn set(
    app: &App,
    scope: &ProjectScope,
    draft: Draft,
) -> Result<(LlmConnection, bool), Fault> {
    scope.require(Permission::ManageConnections)?;
    draft.check()?;
    let (db, project) = (app.postgres(), scope.project_id());
    let known = llm_connections::id_of(db, project, &draft.provider).await?;
    let id = known.unwrap_or_else(|| LlmConnectionId(Uuid::now_v7()));
    let sealed = draft.seal(app, project, id)?;
    let now = app.clock().now();
    let mut new = LlmConnection {
        id,
        provider: draft.provider,
        adapter: draft.adapter,
        secret_hint: secret::hint(&draft.secret),
        base_url: draft.base_url,
        custom_models: draft.custom_models,
        with_default_models: draft.with_default_models,
        extra_header_names: draft.extra_headers.into_keys().collect(),
        config: draft.config,
        created_at: now,
        updated_at: now,
    };
    if known.is_some() {
        let replaced = llm_connections::replace(db, project, &new, &sealed).await?;
        new.created_at = replaced.ok_or_else(|| Fault::unavailable("it was deleted just now"))?;
        return Ok((new, false));
    }
    let made = llm_connections::create(db, project, (&new, &sealed), MOST).await;
    let made = made.map_err(|error| {
        error.on_constraint("llm_connections_project_id_provider_key", || {
            Fault::unavailable("somebody set it just now")
        })
    })?;
    if made {
        Ok((new, true))
    } else {
        Err(Fault::invalid(format!(
            "a project has at most {MOST} connections"
        )))
    }
}

/// Deletes one; needs `ManageConnections`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: LlmConnectionId) -> Result<(), Fault> {
    scope.require(Permission::ManageConnections)?;
    if llm_connections::delete(app.postgres(), scope.project_id(), id).await? {
        Ok(())
    } else {
        Err(Fault::not_found(format!("no connection {id}")))
    }
}

/// What goes with requests to a provider; never shown, never logged.
pub struct Credentials {
    /// The credential.
    pub(crate) secret: String,
    /// Headers beside it.
    pub(crate) extra_headers: BTreeMap<String, String>,
}

/// What is changed of a connection: `None` leaves as it is what nobody can read.
pub struct Change {
    /// The interface spoken.
    pub adapter: Adapter,
    /// Credential.
    pub secret: Option<String>,
    /// Address, where it is not the usual one.
    pub base_url: Option<String>,
    /// Models beside those that the adapter knows.
    pub custom_models: Vec<String>,
    /// Whether those are offered too.
    pub with_default_models: bool,
    /// Headers that go with each request.
    pub extra_headers: Option<BTreeMap<String, String>>,
    /// What the adapter needs beside it: the JSON of an object.
    pub config: Option<String>,
}

/// A connection with its credentials, for requests to its provider.
///
/// # Errors
/// `not_found`; `unavailable` without Postgres; `unprocessable` when the credentials were sealed with
/// another key of the server.
pub(crate) async fn open(
    app: &App,
    scope: &ProjectScope,
    id: LlmConnectionId,
) -> Result<(LlmConnection, Credentials), Fault> {
    let project = scope.project_id();
    let found = llm_connections::with_credentials(app.postgres(), project, id).await?;
    let (connection, sealed) =
        found.ok_or_else(|| Fault::not_found(format!("no connection {id}")))?;
    let vault = &app.settings().vault;
    let opened = |field: &str, sealed: &[u8]| {
        vault
            .open(&place(project, id, field), sealed)
            .map_err(|fault| {
                let message = "the credential does not open with this server's key: set it again";
                Fault::new(Code::Unprocessable, message).because(fault)
            })
    };
    let secret = opened("secret", &sealed.secret)?;
    let headers = sealed.extra_headers.as_deref();
    let headers = headers.map(|sealed| opened("extra_headers", sealed));
    let extra_headers = match headers.transpose()? {
        Some(json) => serde_json::from_str(&json).map_err(Fault::internal)?,
        None => BTreeMap::new(),
    };
    let credentials = Credentials {
        secret,
        extra_headers,
    };
    Ok((connection, credentials))
}

/// Changes one; needs `ManageConnections`. Its name stays, for clients set it by that. Another address needs
/// the credentials again: whoever may not read them could have them sent to himself otherwise.
///
/// # Errors
/// `not_found`, and as [`set`] and [`open`].
pub async fn change(
    app: &App,
    scope: &ProjectScope,
    id: LlmConnectionId,
    change: Change,
) -> Result<LlmConnection, Fault> {
    scope.require(Permission::ManageConnections)?;
    let before = found(app, scope, id).await?;
    let is_elsewhere = before.base_url != change.base_url || before.adapter != change.adapter;
    let keeps_headers = change.extra_headers.is_none() && !before.extra_header_names.is_empty();
    if is_elsewhere && (change.secret.is_none() || keeps_headers) {
        let field = match change.secret {
            None => "secretKey",
            Some(_) => "extraHeaders",
        };
        let message = "another address needs it again, for it would be sent there";
        return Err(Fault::invalid(message).on_field(field));
    }
    let (secret, extra_headers) = match (change.secret, change.extra_headers) {
        (Some(secret), Some(headers)) => (secret, headers),
        (secret, headers) => {
            let (_, kept) = open(app, scope, id).await?;
            let headers = headers.unwrap_or(kept.extra_headers);
            (secret.unwrap_or(kept.secret), headers)
        }
    };
    let draft = Draft {
        provider: before.provider,
        adapter: change.adapter,
        secret,
        base_url: change.base_url,
        custom_models: change.custom_models,
        with_default_models: change.with_default_models,
        extra_headers,
        config: change.config,
    };
    Ok(set(app, scope, draft).await?.0)
}

/// One without its credentials.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn found(
    app: &App,
    scope: &ProjectScope,
    id: LlmConnectionId,
) -> Result<LlmConnection, Fault> {
    let project = scope.project_id();
    let found = llm_connections::with_credentials(app.postgres(), project, id).await?;
    let found = found.map(|(connection, _)| connection);
    found.ok_or_else(|| Fault::not_found(format!("no connection {id}")))
}

/// Whether a project has a connection of that name.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn is_known(app: &App, scope: &ProjectScope, provider: &str) -> Result<bool, Fault> {
    let id = llm_connections::id_of(app.postgres(), scope.project_id(), provider).await?;
    Ok(id.is_some())
}

/// Warns of a key that is not the one with which stored credentials were sealed.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn check_key(app: &App) -> Result<(), Fault> {
    let any = llm_connections::any_secret(app.postgres()).await?;
    if let Some((project, id, sealed)) = any
        && app
            .settings()
            .vault
            .open(&place(project, id, "secret"), &sealed)
            .is_err()
    {
        tracing::warn!(
            "credentials of LLM connections do not open with this server's key: give the one that \
             sealed them as TRIAXIS_ENCRYPTION_KEY, or set them again"
        );
    }
    Ok(())
}

impl Draft {
    fn check(&self) -> Result<(), Fault> {
        let wrong = |field: &str, message: &str| Err(Fault::invalid(message).on_field(field));
        if !(1..=200).contains(&self.provider.chars().count()) || is_odd(&self.provider) {
            return wrong(
                "provider",
                "must have 1 to 200 characters, none of them a control character",
            );
        }
        if !(1..=MAX_SECRET).contains(&self.secret.len()) || self.secret.contains('\0') {
            return wrong("secretKey", "must have 1 to 16384 bytes, none of them NUL");
        }
        let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        let fits = |url: &String| is_web(url) && url.len() <= MAX_TEXT && !is_odd(url);
        if !self.base_url.as_ref().is_none_or(fits) {
            return wrong(
                "baseURL",
                "must be an address that begins with https:// or http://",
            );
        }
        let is_model = |model: &String| (1..=MAX_TEXT).contains(&model.len()) && !is_odd(model);
        if self.custom_models.len() > MAX_ITEMS || !self.custom_models.iter().all(is_model) {
            return wrong(
                "customModels",
                "must be at most 200 names without control characters",
            );
        }
        let is_header = |(name, value): (&String, &String)| {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            (1..=100).contains(&name.len())
                && name.bytes().all(is_name)
                && !OF_THE_CONNECTION.contains(&name.to_ascii_lowercase().as_str())
                && value.len() <= MAX_SECRET
                && !is_odd(value)
        };
        if self.extra_headers.len() > MAX_ITEMS || !self.extra_headers.iter().all(is_header) {
            return wrong(
                "extraHeaders",
                "must be at most 200 names with values as headers have them",
            );
        }
        let config = self.config.as_deref().unwrap_or_default();
        if config.len() > MAX_TEXT || config.contains("\\u0000") {
            return wrong(
                "config",
                "must have at most 2000 bytes and no NUL characters",
            );
        }
        Ok(())
    }

    fn seal(&self, app: &App, project: ProjectId, id: LlmConnectionId) -> Result<Sealed, Fault> {
        let vault = &app.settings().vault;
        let headers = serde_json::to_string(&self.extra_headers).map_err(Fault::internal)?;
        let headers = (!self.extra_headers.is_empty())
            .then(|| vault.seal(&place(project, id, "extra_headers"), &headers));
        Ok(Sealed {
            secret: vault.seal(&place(project, id, "secret"), &self.secret)?,
            extra_headers: headers.transpose()?,
        })
    }
}

/// What a credential is sealed for.
fn place(project: ProjectId, id: LlmConnectionId, field: &str) -> String {
    format!("llm_connections {project} {id} {field}")
}

fn is_odd(text: &str) -> bool {
    text.chars().any(char::is_control)
}
