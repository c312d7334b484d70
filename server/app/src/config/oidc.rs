//! Sign-in with a provider of OpenID Connect.

use clap::Args;
use domain::tenancy::Role;
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use service::auth::oidc::{GroupRole, Oidc};
use service::external_ids;

use super::Unusable;

/// Sign-in with a provider of OpenID Connect; without an issuer there is none.
#[derive(Args, Clone, Debug)]
pub(crate) struct SignIn {
    /// The provider, as `https://login.example.com/realms/main`: what it says of itself is below
    /// `/.well-known/openid-configuration`.
    #[arg(long, env = "TRIAXIS_OIDC_ISSUER")]
    pub(crate) oidc_issuer: Option<String>,
    /// As what this server is known at the provider, whose address to come back to is `/sign-in/oidc/callback`.
    #[arg(long, env = "TRIAXIS_OIDC_CLIENT_ID")]
    pub(crate) oidc_client_id: Option<String>,
    /// Its secret; unset: a public client.
    #[arg(long, env = "TRIAXIS_OIDC_CLIENT_SECRET", hide_env_values = true)]
    pub(crate) oidc_client_secret: Option<SecretString>,
    /// What is asked for.
    #[arg(
        long,
        env = "TRIAXIS_OIDC_SCOPES",
        default_value = "openid email profile"
    )]
    pub(crate) oidc_scopes: String,
    /// What the button calls the provider.
    #[arg(long, env = "TRIAXIS_OIDC_NAME", default_value = "SSO")]
    pub(crate) oidc_name: String,
    /// Claim with the groups of a person.
    #[arg(long, env = "TRIAXIS_OIDC_GROUP_CLAIM", default_value = "groups")]
    pub(crate) oidc_group_claim: String,
    /// What groups make of people, as JSON: `[{"organisation": "ID", "group": "sre", "role": "admin"}]`.
    #[arg(long, env = "TRIAXIS_OIDC_ROLES", default_value = "[]")]
    pub(crate) oidc_roles: String,
    /// Whether a verified e-mail address leads to the account that has it.
    #[arg(long, env = "TRIAXIS_OIDC_LINK_BY_EMAIL", default_value_t = false, action = clap::ArgAction::Set)]
    pub(crate) oidc_link_by_email: bool,
    /// Whether a person who has no account gets one at the first sign-in.
    #[arg(long, env = "TRIAXIS_OIDC_CREATE_PEOPLE", default_value_t = false, action = clap::ArgAction::Set)]
    pub(crate) oidc_create_people: bool,
    /// Whether this is the only way in: passwords open nothing.
    #[arg(long, env = "TRIAXIS_OIDC_ONLY", default_value_t = false, action = clap::ArgAction::Set)]
    pub(crate) oidc_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    organisation: String,
    group: String,
    role: String,
}

impl SignIn {
    /// The provider, where there is one.
    ///
    /// # Errors
    /// When a setting makes no sense.
    pub(crate) fn oidc(&self) -> Result<Option<Oidc>, Unusable> {
        let filled = |text: &Option<String>| {
            let text = text.as_deref().map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let Some(issuer) = filled(&self.oidc_issuer) else {
            return match self.oidc_only {
                true => Err(Unusable(
                    "TRIAXIS_OIDC_ONLY: without TRIAXIS_OIDC_ISSUER nobody could sign in"
                        .to_owned(),
                )),
                false => Ok(None),
            };
        };
        let issuer = Url::parse(&issuer).ok().filter(|url| {
            let is_http = ["http", "https"].contains(&url.scheme());
            is_http && url.has_host() && url.query().is_none() && url.fragment().is_none()
        });
        let issuer = issuer.ok_or_else(|| {
            let message = "TRIAXIS_OIDC_ISSUER: give an address like https://login.example.com";
            Unusable(message.to_owned())
        })?;
        let client_id = filled(&self.oidc_client_id).ok_or_else(|| {
            let message = "TRIAXIS_OIDC_CLIENT_ID: the provider knows this server by an id";
            Unusable(message.to_owned())
        })?;
        if !self
            .oidc_scopes
            .split_whitespace()
            .any(|scope| scope == "openid")
        {
            let message = "TRIAXIS_OIDC_SCOPES: openid must be among them";
            return Err(Unusable(message.to_owned()));
        }
        let secret = self.oidc_client_secret.clone();
        Ok(Some(Oidc {
            issuer,
            client_id,
            client_secret: secret.filter(|secret| !secret.expose_secret().trim().is_empty()),
            scopes: self.oidc_scopes.clone(),
            name: self.oidc_name.clone(),
            group_claim: self.oidc_group_claim.clone(),
            links_by_email: self.oidc_link_by_email,
            creates_people: self.oidc_create_people,
            roles: self.roles()?,
            is_only: self.oidc_only,
        }))
    }

    fn roles(&self) -> Result<Vec<GroupRole>, Unusable> {
        let wrong = || {
            let message = "TRIAXIS_OIDC_ROLES: give JSON like \
                [{\"organisation\": \"ID\", \"group\": \"sre\", \"role\": \"admin\"}]";
            Unusable(message.to_owned())
        };
        let given: Vec<Given> = serde_json::from_str(&self.oidc_roles).map_err(|_| wrong())?;
        let roles = given.into_iter().map(|given| {
            let role = Role::ALL.iter().find(|role| role.as_str() == given.role);
            Ok(GroupRole {
                organisation: external_ids::organisation_id(&given.organisation),
                group: given.group,
                role: *role.ok_or_else(wrong)?,
            })
        });
        roles.collect()
    }
}
