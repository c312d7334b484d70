//! Keys, members and projects of an organisation.

use domain::Timestamp;
use domain::tenancy::{ApiKey, DescribedProject, KeyScopes, Member, Role};
use serde::Serialize;
use serde_json::Value;
use service::api_keys::NewApiKey;

use crate::langfuse::error::{Issue, Result};
use crate::langfuse::projects::shape::{metadata, project_id};
use crate::langfuse::time::Millis;

/// A key as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyShape<'a> {
    id: String,
    created_at: Millis,
    expires_at: Option<Millis>,
    last_used_at: Option<Millis>,
    note: Option<&'a str>,
    public_key: &'a str,
    display_secret_key: String,
    /// Not in Langfuse: where the key is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes: Option<KeyScopes>,
}

/// A key that was just made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewKeyShape<'a> {
    id: String,
    created_at: Millis,
    note: Option<&'a str>,
    public_key: &'a str,
    secret_key: &'a str,
    display_secret_key: String,
    /// Not in Langfuse: where it ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Millis>,
    /// Not in Langfuse either: where it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes: Option<KeyScopes>,
}

impl<'a> From<&'a ApiKey> for KeyShape<'a> {
    fn from(key: &'a ApiKey) -> Self {
        KeyShape {
            id: key.id.to_string(),
            created_at: Millis(key.created_at),
            expires_at: key.expires_at.map(Millis),
            last_used_at: key.last_used_at.map(Millis),
            note: filled(&key.note),
            public_key: &key.public_key,
            display_secret_key: display(key),
            scopes: key.scopes,
        }
    }
}

impl<'a> From<&'a NewApiKey> for NewKeyShape<'a> {
    fn from(new: &'a NewApiKey) -> Self {
        NewKeyShape {
            id: new.key.id.to_string(),
            created_at: Millis(new.key.created_at),
            note: filled(&new.key.note),
            public_key: &new.key.public_key,
            secret_key: &new.secret,
            display_secret_key: display(&new.key),
            expires_at: new.key.expires_at.map(Millis),
            scopes: new.key.scopes,
        }
    }
}

fn filled(note: &str) -> Option<&str> {
    Some(note).filter(|note| !note.is_empty())
}

/// The head that secrets of its kind have, and the last four characters.
fn display(key: &ApiKey) -> String {
    let head = match key.public_key.get(..6) {
        Some("pk-lf-") => "sk-lf-",
        Some("pk-tx-") => "sk-tx-",
        _ => "",
    };
    format!("{head}...{}", key.secret_hint)
}

/// A member.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MembershipShape<'a> {
    user_id: String,
    role: String,
    email: &'a str,
    name: &'a str,
}

impl<'a> From<&'a Member> for MembershipShape<'a> {
    fn from(member: &'a Member) -> Self {
        MembershipShape {
            user_id: member.person.id.to_string(),
            role: member.role.as_str().to_uppercase(),
            email: &member.person.email,
            name: &member.person.name,
        }
    }
}

/// The role of a name such as `OWNER`.
///
/// # Errors
/// When there is none of that name.
pub(crate) fn role(field: &str, name: &str) -> Result<Role> {
    let mut roles = Role::ALL.iter();
    let role = roles.find(|role| role.as_str().to_uppercase() == name);
    let message = "Invalid option: expected one of \
                   \"OWNER\"|\"ADMIN\"|\"MEMBER\"|\"VIEWER\"|\"ANNOTATOR\"|\"AUDITOR\"|\"NONE\"";
    let wrong = || Issue::new("invalid_value", field, message).into();
    role.copied().ok_or_else(wrong)
}

/// A project as its organisation lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganisationProjectShape<'a> {
    id: String,
    name: &'a str,
    metadata: Value,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a DescribedProject> for OrganisationProjectShape<'a> {
    fn from(described: &'a DescribedProject) -> Self {
        let at = |time: Timestamp| Millis(time);
        OrganisationProjectShape {
            id: project_id(&described.project),
            name: &described.project.name,
            metadata: metadata(described.description.metadata.as_deref()),
            created_at: at(described.project.created_at),
            updated_at: at(described.updated_at),
        }
    }
}
