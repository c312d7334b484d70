//! LangWatch.

keys! {
    RAG_CONTEXTS = "langwatch.rag_contexts",
}
