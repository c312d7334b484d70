//! Semantic events: what went wrong in the meaning of an answer, whatever its status says. Each follows from
//! something that is there: an answer that was checked, a call against the tools that were offered, what a client, a
//! person or an evaluator said. Nothing is guessed, and each tells by which rule it was found. `docs/impact.md`.

/// What one span tells.
pub mod of_span;
/// Calls of tools against what was offered.
pub mod tools;

use serde::{Deserialize, Serialize};

use crate::ids::{SpanId, TraceId};
use crate::span::{PromptRef, named_enum};
use crate::time::Timestamp;

named_enum!(
    /// What went wrong.
    EventType, default Refusal {
        /// The application did not find out what was wanted.
        IntentRecognitionFailure = "intent_recognition_failure",
        /// A tool was called that was not offered, or not as it was offered.
        ToolCallDeviation = "tool_call_deviation",
        /// An answer contradicts what was said before.
        MultiTurnInconsistency = "multi_turn_inconsistency",
        /// An answer says what nothing supports.
        Hallucination = "hallucination",
        /// The model declined to answer.
        Refusal = "refusal",
        /// The answer does not have the format that was asked for.
        FormatError = "format_error",
        /// The same call was made again and again.
        AgentLoop = "agent_loop",
    }
);

named_enum!(
    /// By which rule an event was found.
    Rule, default Reported {
        /// The client reported it in an attribute.
        Reported = "reported",
        /// The answer was checked, and reads as a refusal.
        RefusalCheck = "refusal_check",
        /// The answer was checked against the format that was asked for.
        FormatCheck = "format_check",
        /// The answer is JSON that ends too early.
        TruncatedJson = "truncated_json",
        /// A tool was called that was not among those that were offered.
        ToolNotOffered = "tool_not_offered",
        /// The arguments of a call do not match the schema of its tool.
        ToolArguments = "tool_arguments",
        /// A result came that answers none of the calls before it.
        ToolResultUnknown = "tool_result_unknown",
        /// The intent that was recognised is the one for whatever is not recognised.
        FallbackIntent = "fallback_intent",
        /// A tool was called with the same arguments three times in a row, or more often.
        RepeatedToolCall = "repeated_tool_call",
        /// An agent was called with the same input three times in a row, or more often.
        RepeatedAgent = "repeated_agent",
        /// A person or an evaluator said so in a score.
        Score = "score",
    }
);

/// From here on a reported number or a score means that it is so: as likely as not.
pub const LEAST_REPORTED: f64 = 0.5;

/// Longest evidence, characters.
pub const MAX_EVIDENCE: usize = 500;

/// What is known of an event beside its type and place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The rule that found it.
    pub rule: Rule,
    /// Which turn of the conversation it was, from 1.
    #[serde(default)]
    pub trigger_round: Option<u32>,
    /// By how much confidence fell, as the client reported it.
    #[serde(default)]
    pub confidence_drop: Option<f64>,
    /// What the application fell back on.
    #[serde(default)]
    pub fallback_intent: Option<String>,
    /// What it follows from, in words.
    #[serde(default)]
    pub evidence: String,
}

/// An event of a span, which has one of each type at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What went wrong.
    pub event_type: EventType,
    /// What is known of it.
    #[serde(flatten)]
    pub detail: Detail,
}

/// An event as lists have it.
#[derive(Clone, Debug, PartialEq)]
pub struct SemanticEvent {
    /// What went wrong.
    pub event_type: EventType,
    /// When: at the start of its span, or when it was judged.
    pub at: Timestamp,
    /// Its trace; `None`: a session was judged as a whole.
    pub trace_id: Option<TraceId>,
    /// Its span; `None`: the trace as a whole.
    pub span_id: Option<SpanId>,
    /// The session, where it was a session that was judged or its span names one.
    pub session_id: Option<String>,
    /// The prompt of its span.
    pub prompt: Option<PromptRef>,
    /// What is known of it.
    pub detail: Detail,
}

impl Detail {
    /// Found by a rule.
    pub fn new(rule: Rule, evidence: impl Into<String>) -> Self {
        Detail {
            rule,
            evidence: shortened(&evidence.into(), MAX_EVIDENCE),
            ..Detail::default()
        }
    }
}

/// A text of so many characters at most, with an ellipsis where it was longer.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_cut_between_characters() {
        let detail = Detail::new(Rule::Score, "字".repeat(MAX_EVIDENCE + 1));
        assert_eq!(detail.evidence.chars().count(), MAX_EVIDENCE + 1);
        assert!(detail.evidence.ends_with('…'));
    }

    #[test]
    fn a_detail_survives_its_json() {
        let detail = Detail {
            trigger_round: Some(3),
            fallback_intent: Some("fallback".to_owned()),
            ..Detail::new(Rule::FallbackIntent, "because")
        };
        let json = serde_json::to_string(&detail).unwrap();
        assert_eq!(serde_json::from_str::<Detail>(&json).unwrap(), detail);
        let old: Detail = serde_json::from_str(r#"{"rule":"reported"}"#).unwrap();
        assert_eq!(old, Detail::default());
    }
}
