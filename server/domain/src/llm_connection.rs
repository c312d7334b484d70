//! How to reach providers of models on behalf of a project.

use crate::ids::LlmConnectionId;
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// The interface that a provider speaks.
    Adapter, default OpenAi {
        /// Anthropic's messages.
        Anthropic = "anthropic",
        /// `OpenAI`'s, and all that imitate it.
        OpenAi = "openai",
        /// `OpenAI`'s models at Azure.
        Azure = "azure",
        /// Amazon Bedrock.
        Bedrock = "bedrock",
        /// Google Vertex AI.
        VertexAi = "google-vertex-ai",
        /// Google AI Studio.
        AiStudio = "google-ai-studio",
    }
);

/// A connection without its credentials, which are kept apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlmConnection {
    /// Its id.
    pub id: LlmConnectionId,
    /// Name that the project gave it; unique within the project.
    pub provider: String,
    /// The interface spoken.
    pub adapter: Adapter,
    /// Last four characters of the credential, to tell them apart; empty for short ones.
    pub secret_hint: String,
    /// Address, where it is not the adapter's usual one.
    pub base_url: Option<String>,
    /// Models beside those that the adapter knows.
    pub custom_models: Vec<String>,
    /// Whether those that the adapter knows are offered too.
    pub with_default_models: bool,
    /// Names of headers that go with each request; their values are credentials.
    pub extra_header_names: Vec<String>,
    /// What the adapter needs beside it: the JSON of an object.
    pub config: Option<String>,
    /// When it was first set.
    pub created_at: Timestamp,
    /// When it was last set.
    pub updated_at: Timestamp,
}
