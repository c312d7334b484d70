//! Who served the model, by one name each.
//!
//! Names are those of `gen_ai.provider.name`; emitters use others for the same. A framework is no
//! provider: then the model or the address tells.

/// Names that emitters use, and the one that is meant.
const ALIASES: &[(&str, &str)] = &[
    ("az.ai.openai", "azure.ai.openai"),
    ("azure", "azure.ai.openai"),
    ("azure_openai", "azure.ai.openai"),
    ("azureopenai", "azure.ai.openai"),
    ("az.ai.inference", "azure.ai.inference"),
    ("gemini", "gcp.gemini"),
    ("google", "gcp.gen_ai"),
    ("google_genai", "gcp.gen_ai"),
    ("google.generative-ai", "gcp.gemini"),
    ("vertex_ai", "gcp.vertex_ai"),
    ("vertexai", "gcp.vertex_ai"),
    ("google-vertex", "gcp.vertex_ai"),
    ("google.vertex", "gcp.vertex_ai"),
    ("bedrock", "aws.bedrock"),
    ("aws", "aws.bedrock"),
    ("amazon-bedrock", "aws.bedrock"),
    ("amazon_bedrock", "aws.bedrock"),
    ("bedrock_converse", "aws.bedrock"),
    ("mistralai", "mistral_ai"),
    ("mistral", "mistral_ai"),
    ("xai", "x_ai"),
    ("grok", "x_ai"),
    ("moonshot", "moonshot_ai"),
    ("kimi", "moonshot_ai"),
    ("watsonx", "ibm.watsonx.ai"),
    ("zhipu", "zai"),
    ("zhipuai", "zai"),
    ("openai.chat", "openai"),
    ("openai.responses", "openai"),
    ("anthropic.messages", "anthropic"),
];

/// Names that are meant whatever the case of their letters.
const KNOWN: &[&str] = &[
    "openai",
    "anthropic",
    "azure.ai.openai",
    "azure.ai.inference",
    "aws.bedrock",
    "gcp.gemini",
    "gcp.vertex_ai",
    "gcp.gen_ai",
    "cohere",
    "deepseek",
    "groq",
    "mistral_ai",
    "moonshot_ai",
    "perplexity",
    "x_ai",
    "ibm.watsonx.ai",
    "zai",
    "ollama",
    "vllm",
    "sglang",
];

/// Frameworks that stand where a provider should.
const FRAMEWORKS: &[&str] = &[
    "langchain",
    "langgraph",
    "strands-agents",
    "autogen",
    "crewai",
    "llamaindex",
    "llama_index",
    "pydantic-ai",
    "pydantic_ai",
    "microsoft.agent_framework",
    "semantic_kernel",
    "dspy",
    "haystack",
    "litellm",
];

/// Beginnings of model names that only one provider gives its models.
const MODELS: &[(&str, &str)] = &[
    ("gpt-", "openai"),
    ("chatgpt-", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("text-embedding-", "openai"),
    ("claude-", "anthropic"),
    ("gemini-", "gcp.gen_ai"),
    ("deepseek-", "deepseek"),
    ("grok-", "x_ai"),
    ("kimi-", "moonshot_ai"),
    ("mistral-", "mistral_ai"),
    ("command-", "cohere"),
];

/// The provider that a name means; `None` for a framework.
pub(super) fn from_name(name: &str) -> Option<String> {
    let name = name.trim();
    let lower = name.to_ascii_lowercase();
    if FRAMEWORKS.contains(&lower.as_str()) {
        return None;
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == lower);
    if let Some((_, meant)) = alias {
        return Some((*meant).to_owned());
    }
    if KNOWN.contains(&lower.as_str()) {
        return Some(lower);
    }
    // The AI SDK adds the interface: `groq.chat`.
    let interface = lower.rsplit_once('.').filter(|(_, last)| {
        matches!(
            *last,
            "chat" | "responses" | "messages" | "completion" | "embedding"
        )
    });
    match interface {
        Some((vendor, _)) => from_name(vendor),
        None => Some(name.to_owned()),
    }
}

/// The provider that gives its models such names.
pub(super) fn of_model(model: &str) -> Option<String> {
    let bare = model
        .rsplit('/')
        .next()
        .unwrap_or(model)
        .to_ascii_lowercase();
    let known = MODELS.iter().find(|(prefix, _)| bare.starts_with(prefix));
    known.map(|(_, provider)| (*provider).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_provider_has_one_name() {
        let cases = [
            ("AzureOpenAI", Some("azure.ai.openai")),
            ("openai.chat", Some("openai")),
            ("groq.chat", Some("groq")),
            ("google.generative-ai", Some("gcp.gemini")),
            ("aws.bedrock", Some("aws.bedrock")),
            ("MyGateway", Some("MyGateway")),
            ("LangChain", None),
        ];
        for (name, expected) in cases {
            assert_eq!(from_name(name).as_deref(), expected, "{name}");
        }
        assert_eq!(of_model("openai/gpt-5.1").as_deref(), Some("openai"));
        assert_eq!(of_model("in-house-7b"), None);
    }
}
