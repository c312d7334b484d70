//! Attribute keys of the telemetry conventions, as constants, grouped by convention.
//!
//! A key in quotes anywhere else is a mistake.

/// Declares keys; often the key itself is all that there is to say about it.
macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)+) => {
        $($(#[$doc])* #[doc = concat!("`", $key, "`")] pub const $name: &str = $key;)+

        /// All of these keys.
        pub const ALL: &[&str] = &[$($key,)+];
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
/// LangWatch.
pub mod langwatch;
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

/// Every key of every convention.
pub fn all() -> impl Iterator<Item = &'static str> {
    let conventions = [
        agentops::ALL,
        gen_ai::ALL,
        google_adk::ALL,
        haystack::ALL,
        langfuse::ALL,
        langsmith::ALL,
        langwatch::ALL,
        litellm::ALL,
        mlflow::ALL,
        openinference::ALL,
        openllmetry::ALL,
        otel::ALL,
        pydantic_ai::ALL,
        triaxis::ALL,
        vendor::ALL,
        vercel_ai::ALL,
    ];
    conventions.into_iter().flatten().copied()
}
