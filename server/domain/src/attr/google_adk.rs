//! Google ADK.

keys! {
    LLM_REQUEST = "gcp.vertex.agent.llm_request",
    LLM_RESPONSE = "gcp.vertex.agent.llm_response",
    TOOL_CALL_ARGS = "gcp.vertex.agent.tool_call_args",
    TOOL_RESPONSE = "gcp.vertex.agent.tool_response",
    SESSION_ID = "gcp.vertex.agent.session_id",
}
