//! The fields that dialects give by tables of keys.

use domain::Value;

use super::read;

/// A field of the clean model that is found by asking for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    // Whose and where: what the application set beats what an instrumentation guessed.
    TraceName,
    Session,
    User,
    Tags,
    Environment,
    Release,
    Version,
    Tenant,
    Route,
    Service,
    Instance,
    PromptName,
    PromptVersion,
    Level,
    StatusMessage,
    // The call: what was nearest to the provider beats a wrapper.
    Provider,
    RequestModel,
    ResponseModel,
    Parameters,
    FinishReasons,
    InputTokens,
    OutputTokens,
    TotalTokens,
    CacheRead,
    CacheWrite,
    Reasoning,
    InputAudio,
    InputImage,
    OutputAudio,
    OutputImage,
    UsageDetails,
    CostTotal,
    CostDetails,
    TtftSeconds,
    TtftMillis,
    FirstTokenAt,
    TpotSeconds,
    QueueSeconds,
    PrefillSeconds,
    DecodeSeconds,
    ResponseId,
    FromCache,
    ToolName,
    ToolCallId,
    ToolDefinitions,
    Input,
    Output,
}

impl Field {
    /// Number of fields.
    pub(super) const COUNT: usize = Field::Output as usize + 1;

    /// Every field but input and output, which are found apart.
    pub(super) const FOUND: &[Field] = &[
        Field::TraceName,
        Field::Session,
        Field::User,
        Field::Tags,
        Field::Environment,
        Field::Release,
        Field::Version,
        Field::Tenant,
        Field::Route,
        Field::Service,
        Field::Instance,
        Field::PromptName,
        Field::PromptVersion,
        Field::Level,
        Field::StatusMessage,
        Field::Provider,
        Field::RequestModel,
        Field::ResponseModel,
        Field::Parameters,
        Field::FinishReasons,
        Field::InputTokens,
        Field::OutputTokens,
        Field::TotalTokens,
        Field::CacheRead,
        Field::CacheWrite,
        Field::Reasoning,
        Field::InputAudio,
        Field::InputImage,
        Field::OutputAudio,
        Field::OutputImage,
        Field::UsageDetails,
        Field::CostTotal,
        Field::CostDetails,
        Field::TtftSeconds,
        Field::TtftMillis,
        Field::FirstTokenAt,
        Field::TpotSeconds,
        Field::QueueSeconds,
        Field::PrefillSeconds,
        Field::DecodeSeconds,
        Field::ResponseId,
        Field::FromCache,
        Field::ToolName,
        Field::ToolCallId,
        Field::ToolDefinitions,
    ];

    /// Whether it belongs to the call, not to whose and where it was.
    pub(super) fn is_of_call(self) -> bool {
        self >= Field::Provider
    }

    /// Whether it is input or output, which [`super::content`] finds.
    pub(super) fn is_content(self) -> bool {
        self >= Field::Input
    }

    /// Whether the sending process may have it when the span has not.
    pub(super) fn is_of_process(self) -> bool {
        self <= Field::Instance
    }

    /// Whether the value can be read as what the field is; otherwise the next key is asked.
    pub(super) fn accepts(self, value: &Value) -> bool {
        match self {
            Field::InputTokens
            | Field::OutputTokens
            | Field::TotalTokens
            | Field::CacheRead
            | Field::CacheWrite
            | Field::Reasoning
            | Field::InputAudio
            | Field::InputImage
            | Field::OutputAudio
            | Field::OutputImage => read::count(value).is_some(),
            Field::CostTotal => read::dollars(value).is_some(),
            Field::FromCache => read::flag(value).is_some(),
            Field::TtftSeconds
            | Field::TtftMillis
            | Field::TpotSeconds
            | Field::QueueSeconds
            | Field::PrefillSeconds
            | Field::DecodeSeconds => read::number(value).is_some_and(|number| number >= 0.0),
            _ => true,
        }
    }

    /// Its name in the API, for provenance.
    pub(super) fn name(self) -> &'static str {
        match self {
            Field::TraceName => "trace_name",
            Field::Session => "session_id",
            Field::User => "user_id",
            Field::Tags => "tags",
            Field::Environment => "environment",
            Field::Release => "release",
            Field::Version => "version",
            Field::Tenant => "tenant",
            Field::Route => "route",
            Field::Service => "service",
            Field::Instance => "instance",
            Field::PromptName => "prompt.name",
            Field::PromptVersion => "prompt.version",
            Field::Level => "level",
            Field::StatusMessage => "error.message",
            Field::Provider => "provider",
            Field::RequestModel => "request_model",
            Field::ResponseModel => "response_model",
            Field::Parameters => "parameters",
            Field::FinishReasons => "finish_reasons",
            Field::InputTokens => "usage.input_tokens",
            Field::OutputTokens => "usage.output_tokens",
            Field::TotalTokens => "usage.total_tokens",
            Field::CacheRead => "usage.details.cache_read",
            Field::CacheWrite => "usage.details.cache_write",
            Field::Reasoning => "usage.details.reasoning",
            Field::InputAudio => "usage.details.input_audio",
            Field::OutputAudio => "usage.details.output_audio",
            Field::InputImage => "usage.details.input_image",
            Field::OutputImage => "usage.details.output_image",
            Field::UsageDetails => "usage",
            Field::CostTotal => "cost.total",
            Field::CostDetails => "cost",
            Field::TtftSeconds | Field::TtftMillis | Field::FirstTokenAt => "ttft_ms",
            Field::TpotSeconds => "tpot_ms",
            Field::QueueSeconds => "queue_ms",
            Field::PrefillSeconds => "prefill_ms",
            Field::DecodeSeconds => "decode_ms",
            Field::ResponseId => "response_id",
            Field::FromCache => "from_cache",
            Field::ToolName => "tool_call.name",
            Field::ToolCallId => "tool_call.id",
            Field::ToolDefinitions => "tool_definitions",
            Field::Input => "input",
            Field::Output => "output",
        }
    }
}
