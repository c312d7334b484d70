//! LangSmith.

keys! {
    SPAN_KIND = "langsmith.span.kind",
    SPAN_TAGS = "langsmith.span.tags",
    TRACE_NAME = "langsmith.trace.name",
    METADATA = "langsmith.metadata",
    METADATA_LS_PROVIDER = "langsmith.metadata.ls_provider",
    METADATA_LS_MODEL_NAME = "langsmith.metadata.ls_model_name",
    METADATA_SESSION_ID = "langsmith.metadata.session_id",
    METADATA_THREAD_ID = "langsmith.metadata.thread_id",
    METADATA_CONVERSATION_ID = "langsmith.metadata.conversation_id",
    METADATA_USER_ID = "langsmith.metadata.user_id",
    METADATA_ENVIRONMENT = "langsmith.metadata.environment",
    REQUEST_STREAMING = "langsmith.request.streaming",
}
