//! AgentOps.

keys! {
    SPAN_KIND = "agentops.span.kind",
    ENTITY_INPUT = "agentops.entity.input",
    ENTITY_OUTPUT = "agentops.entity.output",
    TAGS = "agentops.tags",
    ENVIRONMENT = "agentops.environment",
}
