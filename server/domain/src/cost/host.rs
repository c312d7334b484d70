//! Who serves a model, in the words of spans and in those of the price table.

/// Names of a provider in telemetry, and whose rows of the table hold for it, the best first. Names
/// that are not listed stand for themselves.
const SPOKEN: &[(&[&str], &[&str])] = &[
    (
        &[
            "azure.ai.openai",
            "az.ai.openai",
            "azure",
            "azure_openai",
            "azureopenai",
        ],
        &["azure", "azure_ai"],
    ),
    (
        &["azure.ai.inference", "az.ai.inference", "azure_ai"],
        &["azure_ai", "azure"],
    ),
    (
        &[
            "aws.bedrock",
            "bedrock",
            "aws",
            "amazon_bedrock",
            "bedrock_converse",
        ],
        &["bedrock", "bedrock_mantle"],
    ),
    (
        &[
            "gcp.gemini",
            "gcp.gen_ai",
            "gemini",
            "google",
            "google_genai",
        ],
        &["gemini", "vertex_ai"],
    ),
    (
        &[
            "gcp.vertex_ai",
            "vertex_ai",
            "vertexai",
            "vertex",
            "google_vertex",
        ],
        &["vertex_ai", "gemini"],
    ),
    (&["mistral_ai", "mistralai", "mistral"], &["mistral"]),
    (&["moonshot_ai", "moonshotai", "kimi"], &["moonshot"]),
    (&["x_ai", "xai", "grok"], &["xai"]),
    (&["ibm.watsonx.ai", "watsonx"], &["watsonx"]),
    (&["z_ai", "zhipu", "zhipuai"], &["zai"]),
    (&["qwen", "alibaba", "alibaba_cloud"], &["dashscope"]),
    (&["fireworks"], &["fireworks_ai"]),
    (&["together", "togetherai"], &["together_ai"]),
    (&["vercel", "ai_gateway"], &["vercel_ai_gateway"]),
    (&["cohere_chat"], &["cohere"]),
];

/// Engines that people run themselves: what a call costs is the project's to say.
const SELF_HOSTED: &[&str] = &[
    "vllm",
    "hosted_vllm",
    "sglang",
    "tgi",
    "text_generation_inference",
    "ollama",
    "ollama_chat",
    "llama_cpp",
    "llamacpp",
    "lm_studio",
    "lmstudio",
    "localai",
    "tensorrt_llm",
    "triton",
    "xinference",
    "self_hosted",
];

/// First words of model names, whose they are, and whether others may host the weights. A model that
/// only its maker sells has one price; weights that anybody may host have twenty.
const FAMILIES: &[(&str, &str, Weights)] = &[
    ("claude", "anthropic", Weights::Closed),
    ("gpt-oss", "", Weights::Open),
    ("gpt", "openai", Weights::Closed),
    ("ft:", "openai", Weights::Closed),
    ("chatgpt", "openai", Weights::Closed),
    ("o1", "openai", Weights::Closed),
    ("o3", "openai", Weights::Closed),
    ("o4", "openai", Weights::Closed),
    ("text-embedding-3", "openai", Weights::Closed),
    ("text-embedding-ada", "openai", Weights::Closed),
    ("dall-e", "openai", Weights::Closed),
    ("tts-1", "openai", Weights::Closed),
    ("gemini", "gemini", Weights::Closed),
    ("imagen", "gemini", Weights::Closed),
    ("veo", "gemini", Weights::Closed),
    ("grok", "xai", Weights::Closed),
    ("nova", "bedrock", Weights::Closed),
    ("sonar", "perplexity", Weights::Closed),
    ("voyage", "voyage", Weights::Closed),
    ("mistral", "mistral", Weights::Open),
    ("ministral", "mistral", Weights::Open),
    ("magistral", "mistral", Weights::Open),
    ("codestral", "mistral", Weights::Open),
    ("devstral", "mistral", Weights::Open),
    ("pixtral", "mistral", Weights::Open),
    ("voxtral", "mistral", Weights::Open),
    ("open-mi", "mistral", Weights::Open),
    ("deepseek", "deepseek", Weights::Open),
    ("qwen", "dashscope", Weights::Open),
    ("qwq", "dashscope", Weights::Open),
    ("kimi", "moonshot", Weights::Open),
    ("moonshot", "moonshot", Weights::Open),
    ("glm", "zai", Weights::Open),
    ("minimax", "minimax", Weights::Open),
    ("command", "cohere", Weights::Open),
    ("embed-", "cohere", Weights::Open),
    ("rerank-", "cohere", Weights::Open),
    ("jamba", "ai21", Weights::Open),
];

/// Who may host a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weights {
    /// Its maker, and clouds at the maker's price.
    Closed,
    /// Anybody, at any price.
    Open,
}

/// Where a call went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hosting {
    /// To nobody known: a gateway, a framework, or no word of it.
    Unknown,
    /// To the project's own machines.
    SelfHosted,
    /// To someone whose rows stand under these names.
    Of(Vec<String>),
}

impl Hosting {
    /// What a span's provider says; `is_listed` tells whether the table has rows of that name.
    pub(super) fn of(provider: &str, is_listed: impl Fn(&str) -> bool) -> Self {
        let said = provider.trim().to_ascii_lowercase();
        let folded = said.replace(['-', ' '], "_");
        // Vercel's SDK writes the interface behind a dot: `openai.chat`, `google.generative-ai`.
        let first = folded.split('.').next().unwrap_or(&folded);
        for name in [folded.as_str(), said.as_str(), first] {
            if SELF_HOSTED.contains(&name) {
                return Hosting::SelfHosted;
            }
            if let Some((_, hosts)) = SPOKEN.iter().find(|(names, _)| names.contains(&name)) {
                return Hosting::Of(hosts.iter().map(ToString::to_string).collect());
            }
            if is_listed(name) {
                return Hosting::Of(vec![name.to_owned()]);
            }
        }
        Hosting::Unknown
    }

    /// Table names, the best first.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Hosting::Of(names) => names,
            Hosting::Unknown | Hosting::SelfHosted => &[],
        }
    }

    /// Whether the call may have gone anywhere: every gateway speaks `OpenAI`'s language.
    pub(super) fn is_open_question(&self) -> bool {
        match self {
            Hosting::Unknown => true,
            Hosting::SelfHosted => false,
            Hosting::Of(names) => names.iter().any(|name| name == "openai"),
        }
    }
}

/// The host that a row of the table belongs to: `vertex_ai-anthropic_models` is Vertex.
pub(super) fn of_row(provider: &str) -> &str {
    match provider {
        "bedrock_converse" => "bedrock",
        "azure_text" => "azure",
        "cohere_chat" => "cohere",
        "text-completion-openai" => "openai",
        "fireworks_ai-embedding-models" => "fireworks_ai",
        vertex if vertex.starts_with("vertex_ai-") => "vertex_ai",
        other => other,
    }
}

/// The maker of a model by its bare name in lower case, and who may host it.
pub(super) fn maker(bare: &str) -> Option<(&'static str, Weights)> {
    FAMILIES
        .iter()
        .find(|(first, _, _)| begins_with_word(bare, first))
        .map(|(_, maker, weights)| (*maker, *weights))
        .filter(|(maker, _)| !maker.is_empty())
}

/// `o1-mini` begins with `o1`, `o100` does not; `qwen3` and `gpt4` are words with a version.
fn begins_with_word(name: &str, word: &str) -> bool {
    let Some(rest) = name.strip_prefix(word) else {
        return false;
    };
    let goes_on = |c: char| c.is_ascii_digit() && word.ends_with(|w: char| w.is_ascii_digit());
    !rest.starts_with(goes_on)
}
