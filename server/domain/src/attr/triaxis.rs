//! Triaxis' own keys.

keys! {
    APP_PROMPT_TEMPLATE_ID = "llm.app.prompt_template_id",
    APP_PROMPT_TEMPLATE_VERSION = "llm.app.prompt_template_version",
    APP_TENANT_ID = "llm.app.tenant_id",
    APP_ROUTE = "llm.app.route",
    SAMPLING_TEMPERATURE = "llm.sampling.temperature",
    QUALITY_PREFIX = "llm.quality.",
}
