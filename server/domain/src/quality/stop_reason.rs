//! Why the model stopped, whatever its provider calls it.

use crate::span::named_enum;

named_enum!(
    /// Why a model stopped.
    FinishReason, default Other {
        /// It had said everything.
        Stop = "stop",
        /// It ran out of tokens.
        Length = "length",
        /// A filter stopped it, or it refused.
        ContentFilter = "content_filter",
        /// It calls a tool.
        ToolCall = "tool_call",
        /// Its context was compacted.
        Compaction = "compaction",
        /// Something went wrong.
        Error = "error",
        /// A reason that we do not know.
        Other = "other",
    }
);

/// The reasons by which an answer is complete.
pub const USUAL: [FinishReason; 2] = [FinishReason::Stop, FinishReason::ToolCall];

/// Folds a provider's word; case and `-` or `_` make no difference. Nothing said among several
/// choices is `error`, because positions matter there.
pub fn fold(raw: &str) -> FinishReason {
    // No reason that we know is longer: a text that is, is not one of them.
    if raw.len() > 64 {
        return FinishReason::Other;
    }
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let folded;
    let name = if raw.bytes().all(plain) {
        raw
    } else {
        folded = raw.trim().to_ascii_lowercase().replace('-', "_");
        &folded
    };
    // Python prints a member of an enumeration with its class: `FinishReason.STOP`.
    let name = name.rsplit('.').next().unwrap_or(name);
    match name {
        "stop" | "end_turn" | "stop_sequence" | "eos_token" | "eos" | "complete" | "completed"
        | "pause_turn" => FinishReason::Stop,
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_length"
        | "model_context_window_exceeded" => FinishReason::Length,
        "content_filter"
        | "safety"
        | "recitation"
        | "prohibited_content"
        | "blocklist"
        | "spii"
        | "refusal"
        | "guardrail_intervened" => FinishReason::ContentFilter,
        "tool_calls" | "tool_use" | "function_call" | "tool_call" => FinishReason::ToolCall,
        "compaction" => FinishReason::Compaction,
        "abort" | "cancelled" | "error" | "malformed_function_call" | "unknown" | "" => {
            FinishReason::Error
        }
        _ => FinishReason::Other,
    }
}

/// Whether every choice stopped for one of the allowed reasons; `None` when no reason is known.
pub fn valid(finish_reasons: &[String], allowed: &[FinishReason]) -> Option<bool> {
    if finish_reasons.is_empty() {
        return None;
    }
    let mut reasons = finish_reasons.iter().map(|raw| fold(raw));
    Some(reasons.all(|reason| allowed.contains(&reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_providers_word_is_folded() {
        let table = [
            (
                "stop end_turn stop_sequence STOP eos_token eos COMPLETE completed pause_turn",
                "stop",
            ),
            (
                "length max_tokens MAX_TOKENS max_output_tokens model_length model_context_window_exceeded",
                "length",
            ),
            (
                "content_filter SAFETY RECITATION PROHIBITED_CONTENT BLOCKLIST SPII refusal guardrail_intervened content-filter",
                "content_filter",
            ),
            (
                "tool_calls tool_use tool-calls function_call tool_call TOOL_CALL",
                "tool_call",
            ),
            ("compaction", "compaction"),
            (
                "abort cancelled error MALFORMED_FUNCTION_CALL unknown",
                "error",
            ),
            ("tired 停止", "other"),
        ];
        for (words, expected) in table {
            for word in words.split(' ') {
                assert_eq!(fold(word).as_str(), expected, "{word}");
            }
        }
        assert_eq!(fold(""), FinishReason::Error);
        assert_eq!(fold(&"stop".repeat(1_000_000)), FinishReason::Other);
    }

    #[test]
    fn one_choice_that_was_cut_spoils_the_span() {
        let reasons = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(valid(&reasons(&["stop", "tool_use"]), &USUAL), Some(true));
        assert_eq!(valid(&reasons(&["stop", "length"]), &USUAL), Some(false));
        assert_eq!(
            valid(&reasons(&["length"]), &[FinishReason::Length]),
            Some(true)
        );
        assert_eq!(valid(&[], &USUAL), None);
    }
}
