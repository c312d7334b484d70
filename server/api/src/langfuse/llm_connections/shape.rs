//! A connection: of its credential no more than the last characters.

use domain::llm_connection::LlmConnection;
use serde::Serialize;
use serde_json::Value;

use crate::langfuse::time::Millis;

/// A connection, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LlmConnectionShape<'a> {
    id: String,
    provider: &'a str,
    adapter: &'static str,
    display_secret_key: String,
    #[serde(rename = "baseURL")]
    base_url: Option<&'a str>,
    custom_models: &'a [String],
    with_default_models: bool,
    extra_header_keys: &'a [String],
    config: Option<Value>,
    created_at: Millis,
    updated_at: Millis,
}

impl<'a> From<&'a LlmConnection> for LlmConnectionShape<'a> {
    fn from(connection: &'a LlmConnection) -> Self {
        let config = connection.config.as_deref();
        LlmConnectionShape {
            id: connection.id.to_string(),
            provider: &connection.provider,
            adapter: connection.adapter.as_str(),
            display_secret_key: format!("...{}", connection.secret_hint),
            base_url: connection.base_url.as_deref(),
            custom_models: &connection.custom_models,
            with_default_models: connection.with_default_models,
            extra_header_keys: &connection.extra_header_names,
            config: config.and_then(|json| serde_json::from_str(json).ok()),
            created_at: Millis(connection.created_at),
            updated_at: Millis(connection.updated_at),
        }
    }
}
