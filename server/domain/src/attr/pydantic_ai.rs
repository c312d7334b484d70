//! Pydantic AI and Logfire.

keys! {
    ALL_MESSAGES_EVENTS = "all_messages_events",
    PYDANTIC_AI_ALL_MESSAGES = "pydantic_ai.all_messages",
    FINAL_RESULT = "final_result",
    MODEL_NAME = "model_name",
    TOOL_ARGUMENTS = "tool_arguments",
    TOOL_RESPONSE = "tool_response",
    OPERATION_COST = "operation.cost",
    REQUEST_DATA = "request_data",
    RESPONSE_DATA = "response_data",
}
