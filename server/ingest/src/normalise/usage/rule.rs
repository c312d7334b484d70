//! Whether special tokens (cached, audio, reasoning) are part of the reported totals.
//!
//! In this order: the numbers themselves tell; a part larger than the whole cannot be in it; the
//! instrumentation is known; the provider is known; and otherwise they are part of it, as most mean.

use domain::span::UsageRule;

use super::Counter;
use super::reported::Reported;

/// How reported numbers are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// Special tokens of the input stand beside the input.
    pub(super) input_outside: bool,
    /// Special tokens of the output stand beside the output.
    pub(super) output_outside: bool,
    /// What decided.
    pub(super) rule: UsageRule,
}

/// Instrumentations that add special tokens to the totals, by the beginning of their keys.
const INCLUDING_KEYS: &[&str] = &[
    "gen_ai.usage.",
    "llm.token_count.",
    "llm.usage.",
    "ai.usage.inputTokens",
    "ai.usage.outputTokens",
];
/// Instrumentations that write the GenAI keys but copy what the provider says, by scope.
const COPYING_SCOPES: &[&str] = &[
    "agentops", "openlit", "@mastra", "lmnr", "strands", "mlflow",
];
/// Instrumentations whose parts never are in the totals, by scope.
const EXCLUDING_SCOPES: &[&str] = &["strands", "com.anthropic.claude_code"];

/// How the numbers are meant.
pub(super) fn reading(reported: &Reported, key: &str, counter: Counter<'_>) -> Reading {
    let (input_parts, output_parts) = (reported.input_parts(), reported.output_parts());
    let inside = |rule| Reading {
        input_outside: false,
        output_outside: false,
        rule,
    };
    if input_parts == 0 && output_parts == 0 {
        return inside(UsageRule::Plain);
    }
    if let Some(reading) = by_total(reported, input_parts, output_parts) {
        return reading;
    }
    let too_large = reported
        .input
        .is_some_and(|input| reported.cached() > input);
    let by_scope = |scopes: &[&str]| scopes.iter().any(|scope| counter.scope.starts_with(scope));
    let copies = by_scope(COPYING_SCOPES);
    if too_large {
        return Reading {
            input_outside: true,
            ..inside(UsageRule::Parts)
        };
    }
    if by_scope(EXCLUDING_SCOPES) {
        return Reading {
            input_outside: true,
            ..inside(UsageRule::Emitter)
        };
    }
    let includes = INCLUDING_KEYS.iter().any(|prefix| key.starts_with(prefix));
    if includes && !copies {
        return inside(UsageRule::Emitter);
    }
    match Accounting::of(counter) {
        Some(Accounting::Anthropic) => Reading {
            input_outside: true,
            ..inside(UsageRule::Provider)
        },
        Some(Accounting::Gemini) => Reading {
            output_outside: true,
            ..inside(UsageRule::Provider)
        },
        Some(Accounting::Inclusive) => inside(UsageRule::Provider),
        None => inside(UsageRule::Usual),
    }
}

/// The reported total is the sum of what stands beside each other.
fn by_total(reported: &Reported, input_parts: u64, output_parts: u64) -> Option<Reading> {
    let (input, output) = (reported.input?, reported.output.unwrap_or(0));
    let sum = |input_outside: bool, output_outside: bool| {
        let extra = [(input_outside, input_parts), (output_outside, output_parts)];
        let extra = extra.into_iter().filter(|(outside, _)| *outside);
        extra.fold(input.saturating_add(output), |sum, (_, parts)| {
            sum.saturating_add(parts)
        })
    };
    let total = reported.total?;
    let readings = [(false, false), (true, false), (false, true), (true, true)];
    let (input_outside, output_outside) = readings
        .into_iter()
        .find(|(input, output)| sum(*input, *output) == total)?;
    Some(Reading {
        input_outside,
        output_outside,
        rule: UsageRule::Total,
    })
}

/// How providers count in their own answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accounting {
    /// Cached tokens stand beside the input.
    Anthropic,
    /// Thoughts stand beside the candidates; cached content is in the prompt.
    Gemini,
    /// Everything is in the totals.
    Inclusive,
}

impl Accounting {
    fn of(counter: Counter<'_>) -> Option<Self> {
        let model = counter.model.unwrap_or_default().to_ascii_lowercase();
        let provider = counter.provider.unwrap_or_default();
        if model.contains("claude") || matches!(provider, "anthropic" | "minimax") {
            Some(Accounting::Anthropic)
        } else if provider.starts_with("gcp.") || model.contains("gemini") {
            Some(Accounting::Gemini)
        } else if provider.is_empty() {
            None
        } else {
            Some(Accounting::Inclusive)
        }
    }
}
