//! API keys of the scope's project.

use domain::tenancy::ApiKey;
use domain::{ApiKeyId, Fault};

use crate::app::App;
use crate::scope::ProjectScope;

/// A new key with its secret, which is shown this once.
pub struct NewApiKey {
    /// The key as it is listed from now on.
    pub key: ApiKey,
    /// The secret, `sk-tx-…`; only its hash is stored.
    pub secret: String,
}

/// All keys, newest first.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<ApiKey>, Fault> {
    unimplemented!()
}

/// Makes a key; needs `ManageProject`.
pub async fn create(app: &App, scope: &ProjectScope, note: &str) -> Result<NewApiKey, Fault> {
    unimplemented!()
}

/// Revokes a key at once, everywhere within 5 s; needs `ManageProject`.
pub async fn revoke(app: &App, scope: &ProjectScope, id: ApiKeyId) -> Result<(), Fault> {
    unimplemented!()
}
