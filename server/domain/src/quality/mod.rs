//! Hard checks of one generation's answer, made as it arrives.
//!
//! What is known of the answer (`Answer`) is held against what was expected of it
//! (`Expectation`) under the project's `Rules`; `check` gives one `Checks`. Merged with what
//! the client reported itself, it becomes the span's `Quality`.
//!
//! **Invariant:** unknown is `None`, never `false` and never 0: an answer whose text was not recorded
//! has no text checks, and a format that nobody asked for cannot be missed.
//!
//! **Cost:** every check is linear in the text. Those that are more than a scan look at a part of it:
//! its opening (`refusal`), or its head and tail (`repetition`, `digest`). Validation against a
//! schema has its own budget (`Schema`).

/// What was asked of an answer.
pub mod expectation;
/// What a project expects of some answers.
pub mod project_rule;
/// The format that a request asked for.
pub mod requested;

/// JSON, and JSON of a schema.
pub mod format;
/// Neither too short nor too long.
pub mod length;
/// An answer that declines to answer.
pub mod refusal;
/// Text and control tokens said again and again.
pub mod repetition;
/// JSON schemas, compiled, with bounded cost.
pub mod schema;
/// Why the model stopped.
pub mod stop_reason;
/// JSON that ends before it is complete.
pub mod truncated;
/// Tokens that the tokenizer did not know.
pub mod unknown_tokens;

/// Values with their sources, as a span carries them.
pub mod record;

/// The system message's hash, and a digest of the input that is close for texts that are close.
pub mod digest;

/// What is expected beside what requests ask for.
mod expected;
/// Markdown fences around JSON.
mod fence;
/// Many phrases found in one pass.
mod phrases;
/// The part of a long text that is looked at.
mod sample;
mod terms;

pub use digest::{InputDigest, system_hash};
pub use expectation::{Expectation, Format};
pub use expected::{Expected, PromptFormats};
pub use fence::inside as fenced;
pub use format::Fences;
pub use length::LengthRange;
pub use project_rule::{Applying, ProjectRules, QualityRule, QualityRuleDraft, RuleFormat};
pub use record::{Judged, Quality, Source, Verdict};
pub use refusal::RefusalPhrases;
pub use requested::Requested;
pub use schema::{Schema, SchemaError};
pub use stop_reason::FinishReason;

/// What is known of one generation's answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The words of the answer, taken out of its message; `None` when they were not recorded.
    pub text: Option<&'a str>,
    /// Output tokens, `None` when nobody counted them.
    pub output_tokens: Option<u64>,
    /// Why the model stopped, one per choice, as it came.
    pub finish_reasons: &'a [String],
}

impl<'a> Answer<'a> {
    /// The text to judge. A call of a tool has no words: there a blank text is no text.
    fn words(&self) -> Option<&'a str> {
        let calls_tool = || {
            let mut reasons = self.finish_reasons.iter();
            reasons.any(|raw| stop_reason::fold(raw) == FinishReason::ToolCall)
        };
        self.text
            .filter(|text| !(text.trim().is_empty() && calls_tool()))
    }
}

/// What a project has decided about its checks.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Whether JSON inside a Markdown fence is well formed.
    pub fences: Fences,
    /// Phrases by which this project's models refuse, beside the built-in ones.
    pub refusals: RefusalPhrases,
    /// Terms in an n-gram, 1 to [`repetition::MAX_NGRAM`]; others are taken as the nearest.
    pub ngram: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            fences: Fences::default(),
            refusals: RefusalPhrases::default(),
            ngram: repetition::DEFAULT_NGRAM,
        }
    }
}

/// What the checks found; `None` where there was nothing to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Checks {
    /// Whether the answer has the format that was asked for.
    pub format_valid: Option<bool>,
    /// Whether the answer is JSON that ends too early.
    pub truncated_json: Option<bool>,
    /// Whether the answer is as long as it should be.
    pub length_in_range: Option<bool>,
    /// Whether the model declined to answer.
    pub refused: Option<bool>,
    /// Whether every choice ended as it should.
    pub stop_reason_valid: Option<bool>,
    /// Share of n-grams that occurred before, 0 to 1.
    pub repeated_ngram_ratio: Option<f64>,
    /// Control tokens that stand in the answer again and again, counted.
    pub repeated_instruction_tokens: Option<u64>,
    /// Longest run of unknown tokens; [`unknown_tokens::SUSPICIOUS_RUN`] or more is a finding.
    pub unknown_token_run: Option<u64>,
}

/// Holds an answer against what was expected of it.
pub fn check(answer: &Answer<'_>, expectation: &Expectation, rules: &Rules) -> Checks {
    let text = answer.words();
    let format = expectation.format.as_ref();
    Checks {
        format_valid: text.and_then(|text| format::valid(text, format?, rules.fences)),
        truncated_json: text.and_then(|text| truncated::truncated(text, format)),
        length_in_range: length::in_range(text, answer.output_tokens, expectation),
        refused: refusal::refused(text, answer.finish_reasons, &rules.refusals),
        stop_reason_valid: stop_reason::valid(answer.finish_reasons, &expectation.finish_reasons),
        repeated_ngram_ratio: text.and_then(|text| repetition::ngram_ratio(text, rules.ngram)),
        repeated_instruction_tokens: text.map(repetition::instruction_tokens),
        unknown_token_run: text.map(unknown_tokens::longest_run),
    }
}

#[cfg(test)]
mod tests;
