//! MLflow.

keys! {
    PREFIX = "mlflow.",
    SPAN_TYPE = "mlflow.spanType",
    SPAN_INPUTS = "mlflow.spanInputs",
    SPAN_OUTPUTS = "mlflow.spanOutputs",
    LLM_MODEL = "mlflow.llm.model",
    LLM_PROVIDER = "mlflow.llm.provider",
    CHAT_TOOLS = "mlflow.chat.tools",
    LLM_COST = "mlflow.llm.cost",
    CHAT_TOKEN_USAGE = "mlflow.chat.tokenUsage",
    TRACE_SESSION = "mlflow.trace.session",
    TRACE_USER = "mlflow.trace.user",
}
