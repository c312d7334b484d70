//! Keys that OpenTelemetry GenAI has for single vendors.

keys! {
    OPENAI_RESPONSE_SERVICE_TIER = "openai.response.service_tier",
    OPENAI_REQUEST_SERVICE_TIER = "openai.request.service_tier",
    ANTHROPIC_RESPONSE_SERVICE_TIER = "anthropic.response.service_tier",
}
