//! Attribute keys of the telemetry conventions, as constants, grouped by convention.
//!
//! A key in quotes anywhere else is a mistake.

/// Declares keys; the key itself is all that there is to say about it.
macro_rules! keys {
    ($($name:ident = $key:literal,)+) => {
        $(#[doc = concat!("`", $key, "`")] pub const $name: &str = $key;)+
    };
}

/// OpenTelemetry resource and general keys.
pub mod otel;
/// Triaxis' own keys.
pub mod triaxis;
/// Langfuse SDKs.
pub mod langfuse;
/// OpenTelemetry GenAI, current and older names.
pub mod gen_ai;
/// OpenInference.
pub mod openinference;
/// OpenLLMetry (Traceloop).
pub mod openllmetry;
/// Vercel AI SDK.
pub mod vercel_ai;
/// MLflow.
pub mod mlflow;
/// LangSmith.
pub mod langsmith;
/// Pydantic AI and Logfire.
pub mod pydantic_ai;
/// Google ADK.
pub mod google_adk;
/// AgentOps.
pub mod agentops;
/// Haystack.
pub mod haystack;
