//! Names under which operators of Langfuse know settings. Ours go first; one that is empty is unset.

use secrecy::{ExposeSecret, SecretString};

use super::{Init, Secrets, Unusable};

impl Init {
    /// With what `LANGFUSE_INIT_*` says of what is unset.
    ///
    /// # Errors
    /// When a number is none.
    pub(crate) fn or_langfuse(self) -> Result<Self, Unusable> {
        let retention = match variable("LANGFUSE_INIT_PROJECT_RETENTION") {
            None => None,
            Some(days) => Some(days.trim().parse().map_err(|_| {
                Unusable("LANGFUSE_INIT_PROJECT_RETENTION: give a number of days".to_owned())
            })?),
        };
        let text = |ours: Option<String>, theirs: &str| {
            let ours = ours.filter(|text| !text.trim().is_empty());
            ours.or_else(|| variable(theirs))
        };
        Ok(Init {
            init_org: text(self.init_org, "LANGFUSE_INIT_ORG_NAME"),
            init_org_id: text(self.init_org_id, "LANGFUSE_INIT_ORG_ID"),
            init_project: text(self.init_project, "LANGFUSE_INIT_PROJECT_NAME"),
            init_project_id: text(self.init_project_id, "LANGFUSE_INIT_PROJECT_ID"),
            init_project_retention: self.init_project_retention.or(retention),
            init_public_key: text(self.init_public_key, "LANGFUSE_INIT_PROJECT_PUBLIC_KEY"),
            init_secret_key: secret(self.init_secret_key, "LANGFUSE_INIT_PROJECT_SECRET_KEY"),
            init_email: text(self.init_email, "LANGFUSE_INIT_USER_EMAIL"),
            init_name: text(self.init_name, "LANGFUSE_INIT_USER_NAME"),
            init_password: secret(self.init_password, "LANGFUSE_INIT_USER_PASSWORD"),
        })
    }
}

impl Secrets {
    /// The operator's key, of `TRIAXIS_ADMIN_API_KEY` or `ADMIN_API_KEY`.
    pub(crate) fn admin_key(&self) -> Option<SecretString> {
        secret(self.admin_api_key.clone(), "ADMIN_API_KEY")
    }
}

fn secret(ours: Option<SecretString>, theirs: &str) -> Option<SecretString> {
    let ours = ours.filter(|secret| !secret.expose_secret().trim().is_empty());
    ours.or_else(|| variable(theirs).map(SecretString::from))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this module is where the environment is read"
)]
fn variable(name: &str) -> Option<String> {
    let text = std::env::var(name).ok();
    text.filter(|text| !text.trim().is_empty())
}
