//! Attribute keys of the telemetry conventions, as constants, grouped by convention.
//!
//! A key in quotes anywhere else is a mistake.

/// Declares keys; the key itself is all that there is to say about it.
macro_rules! keys {
    ($($name:ident = $key:literal,)+) => {
        $(#[doc = concat!("`", $key, "`")] pub const $name: &str = $key;)+
    };
}

/// AgentOps.
pub mod agentops;
/// OpenTelemetry GenAI, current and older names.
pub mod gen_ai;
/// Google ADK.
pub mod google_adk;
/// Haystack.
pub mod haystack;
/// Langfuse SDKs.
pub mod langfuse;
/// LangSmith.
pub mod langsmith;
/// LiteLLM.
pub mod litellm;
/// MLflow.
pub mod mlflow;
/// OpenInference.
pub mod openinference;
/// OpenLLMetry (Traceloop).
pub mod openllmetry;
/// OpenTelemetry resource and general keys.
pub mod otel;
/// Pydantic AI and Logfire.
pub mod pydantic_ai;
/// Triaxis' own keys.
pub mod triaxis;
/// Keys that OpenTelemetry GenAI has for single vendors.
pub mod vendor;
/// Vercel AI SDK.
pub mod vercel_ai;
